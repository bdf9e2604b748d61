#!/usr/bin/env python3
"""Writes files 0.coll, 1.coll, ..., each of which imports the next one.

usage: import_chain.py FOLDER COUNT
"""

import os
import sys

folder, count = sys.argv[1], int(sys.argv[2])
for i in range(count):
    with open(os.path.join(folder, f"{i}.coll"), "w") as file:
        if i + 1 < count:
            file.write(f'import "{i + 1}.coll";\n')
        file.write(f"const c{i}: i32 = {i};\n" if i else "kernel k(y: mut [n]i32) workgroup(32) grid(1) { y[0] = c1; }\n")
