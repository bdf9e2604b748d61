#!/usr/bin/env python3
"""Prints a program in which each function calls the one before it.

usage: call_chain.py COUNT LENGTH     COUNT functions, each with LENGTH additions after its call
"""

import sys

count, length = map(int, sys.argv[1:])
print("fn f0(a: i32) -> i32 { return a; }")
for i in range(1, count):
    print(f"fn f{i}(a: i32) -> i32 {{ return f{i - 1}(a){' + a' * length}; }}")
print(f"kernel k(y: mut [n]i32) workgroup(32) grid(1) {{ y[thread.rank] = f{count - 1}(1); }}")
