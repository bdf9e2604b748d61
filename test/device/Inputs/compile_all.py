"""Compiles every program of a folder to machine code for some chips of a vendor, NVIDIA's with ptxas if one is named.

usage: compile_all.py VENDOR FOLDER OUTPUT [PTXAS]
"""

import os
import subprocess
import sys

# Old and new, both wave widths of AMD, and code that no optimiser has seen.
NVIDIA = ["--target=sm_75,sm_120"]
OLD_NVIDIA = ["--target=sm_70", "--emit=asm"]
AMD = [
    ["--target=gfx906,gfx90a,gfx1030:64,gfx1100,gfx1201", "--emit=obj"],
    ["--target=gfx90a,gfx1100", "--emit=obj", "-O0"],
]


def main():
    vendor, folder, output, *ptxas = sys.argv[1:]
    has_ptxas = ptxas and os.path.exists(ptxas[0])
    runs = AMD if vendor == "amd" else [OLD_NVIDIA, [*NVIDIA, "--emit=obj" if has_ptxas else "--emit=asm"]]
    failed = 0
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".coll") or name == "rejected.coll":
            continue
        for flags in runs:
            command = ["collc", "compile", os.path.join(folder, name), *flags, "-o", f"{output}.out"]
            result = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if result.returncode != 0:
                failed += 1
                print(f"{' '.join(command)}: exit code {result.returncode}\n{result.stderr[:1000]}")
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
