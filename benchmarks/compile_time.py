#!/usr/bin/env python3
"""Whole-process compile times of softmax: collc against nvcc, in turn.

usage: compile_time.py [--collc=build/bin/collc] [--nvcc=nvcc] [--runs=15]

Prints the median of each and the ratio of the medians. Without nvcc only
collc's times are printed.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def option(name, default):
    prefix = f"--{name}="
    return next((a[len(prefix):] for a in sys.argv[1:] if a.startswith(prefix)), default)


def timed(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1000


def main():
    collc = option("collc", os.path.join(HERE, "..", "build", "bin", "collc"))
    nvcc = shutil.which(option("nvcc", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")
    runs = int(option("runs", "15"))
    source = os.path.join(HERE, "..", "examples", "softmax.coll")
    with tempfile.TemporaryDirectory() as folder:
        commands = {"collc --version": [collc, "--version"]}
        for target, stage in (("sm_90", "asm"), ("gfx942", "asm"), ("gfx942", "obj"), ("gfx1100", "obj")):
            commands[f"collc {target} {stage}"] = [
                collc, "compile", source, f"--target={target}", f"--emit={stage}", "-o", os.path.join(folder, "out")]
        if nvcc:
            commands["nvcc -ptx sm_90"] = [
                nvcc, "-ptx", "-arch=sm_90", os.path.join(HERE, "softmax.cu"), "-o", os.path.join(folder, "out.ptx")]
        times = {name: [] for name in commands}
        for _ in range(runs + 1):
            for name, command in commands.items():
                times[name].append(timed(command))
    medians = {name: statistics.median(values[1:]) for name, values in times.items()}
    base = medians.get("nvcc -ptx sm_90")
    for name, median in medians.items():
        print(f"{name:<20} {median:8.1f} ms" + (f"   {median / base:.3f} of nvcc" if base else ""))


if __name__ == "__main__":
    main()
