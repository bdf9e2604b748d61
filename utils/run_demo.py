#!/usr/bin/env python3
"""Compiles and runs the examples and prints a summary.

usage: run_demo.py COLLC [--device=DEVICE]

Each example is compiled for one NVIDIA and two AMD chips, run on the best
device, and run again on the reference device (or, where that is the best one,
on the reference device with warps of 64): all bits must be equal.
"""

import json
import os
import subprocess
import sys
import tempfile

TARGETS = ("sm_90", "gfx942", "gfx1100")
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TEXT = "/usr/share/common-licenses/GPL-3"
if not os.path.exists(TEXT):
    TEXT = os.path.join(ROOT, "LICENSE")

# (file, arguments, extents)
EXAMPLES = [
    ("softmax", ["x=random(1)"], ["rows=16", "cols=1000"]),
    ("prefix_sum", [f"bytes=@{TEXT}:u8"], []),
    ("compact", ["x=random(2)", "limit=0.25"], ["rows=16", "cols=1500"]),
    ("histogram", [f"bytes=@{TEXT}:u8"], []),
    ("argmax", ["x=random(3)"], ["rows=16", "cols=1000"]),
    ("affine_scan", ["a=random(4)", "b=random(5)"], ["rows=8", "steps=1000"]),
    ("welford", ["x=random(6)"], ["rows=16", "cols=1000"]),
    ("matmul", ["a=random(7)", "b=random(8)"], ["m=70", "k=50", "n=90"]),
]


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        print(f"failed: {' '.join(command)}\n{result.stderr}", file=sys.stderr)
        sys.exit(1)
    return result.stdout


def compile_sizes(collc, file, folder):
    """Bytes of PTX, or of a linked code object, for each target."""
    sizes = []
    for target in TARGETS:
        stage = "asm" if target.startswith("sm_") else "obj"
        output = os.path.join(folder, f"{target}.out")
        run([collc, "compile", file, f"--target={target}", f"--emit={stage}", "-o", output])
        sizes.append(os.path.getsize(output))
    return sizes


def run_example(collc, file, arguments, extents, device):
    command = [collc, "run", file, f"--device={device}", "--json"]
    command += [f"--arg={a}" for a in arguments] + [f"--extent={e}" for e in extents]
    command.append("--check=reference:64" if device.startswith("reference") else "--check")
    return json.loads(run(command))


def best_device(collc):
    for line in run([collc, "devices"]).splitlines():
        if line.startswith(("cuda:", "hip:")):
            return ":".join(line.split(":")[:2])
    return "reference:32"


def main():
    collc = sys.argv[1]
    flags = [a.split("=", 1)[1] for a in sys.argv[2:] if a.startswith("--device=")]
    device = flags[0] if flags else best_device(collc)
    print(f"\nRunning on {device}; code sizes in bytes: PTX for {TARGETS[0]}, "
          f"code objects for {TARGETS[1]} and {TARGETS[2]}.\n")
    print(f"{'example':<12} {'sm_90':>7} {'gfx942':>7} {'gfx1100':>8}  output")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments, extents in EXAMPLES:
            file = os.path.join(ROOT, "examples", name + ".coll")
            sizes = compile_sizes(collc, file, folder)
            result = run_example(collc, file, arguments, extents, device)
            lines = [f"{o['name']}: {o['type']} = {' '.join(o['values'][:5])} ..." for o in result["outputs"]]
            print(f"{name:<12} {sizes[0]:>7} {sizes[1]:>7} {sizes[2]:>8}  {lines[0]}")
            for line in lines[1:]:
                print(f"{'':<38}{line}")
            print(f"{'':<38}equal to {result['equal_to']}, bit for bit")
    print(f"\nAll {len(EXAMPLES)} examples give the same bits.")


if __name__ == "__main__":
    main()
