#!/usr/bin/env python3
"""Prints how many instructions collectives add to kernels on AMD, a row a chip and a column a type.

Each number is that of a kernel with one collective less that of the same kernel without it; waits and hints do not count.

usage: amd_counts.py COLLC
"""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
import count_instructions  # noqa: E402

CHIPS = ["gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1030:64", "gfx1100", "gfx1100:64", "gfx1201", "gfx1201:64"]
TYPES = ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"]
WIDE = ["i32", "i64", "f32", "f64"]
VECTORS = ["i8x4", "i16x2", "f16x2", "bf16x2", "f16x4", "f32x2", "f32x4", "f64x2"]
PAIR = "(x, x + 1)"
AFFINE = "|a, b| (a.0 * b.0, a.0 * b.1 + a.1)"


def over(title, threads, result, types=None, before="", base="x"):
    """A table: the same collective for several types. T in the text is the type."""
    return title, [(name, threads, name, before, result.replace("T", name), base) for name in types or TYPES]


def calls(title, threads, type, *texts):
    """A table of several calls on one type."""
    return title, [(text.replace(" ", "").replace("shuffle_", ""), threads, type, "", f"warp.{text}", "x") for text in texts]


def votes(size):
    """A table of votes of tiles."""
    texts = {"any": "any(x > 3) ? 1 : 0", "all": "all(x > 3) ? 1 : 0", "count": "count(x > 3) as i32",
             "rank_among": "rank_among(x > 3) as i32", "elect": "elect() ? x : 0"}
    return f"votes of tile({size})", [(name, 64, "i32", "", f"warp.tile({size}).{text}", "x") for name, text in texts.items()]


def affine(title, call):
    return title, [(str(threads), threads, "u32", f"let r = warp.{call}({AFFINE}, {PAIR});", "r.0 + r.1", "x + x + 1")
                   for threads in (64, 13, 29, 45)]


# A table: its title, and for each kernel the head of its column, the threads, the type of input and output, a statement before,
# what is stored, and what is stored without the collective. 13, 29 and 45 threads make a short wave.
TABLES = [
    *(over(f"reduce {op}, {threads}", threads, f"warp.reduce({op}, x)") for op in ("add", "max") for threads in (64, 13, 45)),
    *(over(f"scan {op}, {threads}", threads, f"warp.scan({op}, x)") for op in ("add", "max") for threads in (64, 45)),
    *(over(f"exclusive_scan {op}", 64, f"warp.exclusive_scan({op}, x)") for op in ("add", "max")),
    *(over(f"exclusive_scan {op}, init", 64, f"warp.exclusive_scan({op}, x, init = 3 as T)") for op in ("add", "max")),
    over("scan_total add", 64, "r.0 + r.1", None, "let r = warp.scan_total(add, x);", "x + x"),
    over("reduce xor", 64, "warp.reduce(xor, x)", ["i8", "i16", "i32", "i64"]),
    over("scan xor", 64, "warp.scan(xor, x)", ["i8", "i16", "i32", "i64"]),
    *(over(f"{method}, {threads}", threads, "r.0 + r.1 as T", None, f"let r = warp.{method}(x);")
      for method in ("arg_min", "arg_max") for threads in (64, 45)),
    over("tile(8).arg_min", 64, "r.0 + r.1 as T", None, "let r = warp.tile(8).arg_min(x);"),
    *(over(f"tile({size}).reduce add", 64, f"warp.tile({size}).reduce(add, x)", WIDE) for size in (8, 32)),
    over("tile(16).scan add", 64, "warp.tile(16).scan(add, x)", WIDE),
    *(over(f"{call} {op}", 64, f"warp.{call}({op}, x)", VECTORS) for call in ("reduce", "scan") for op in ("add", "max")),
    *(votes(size) for size in (4, 8, 32)),
    affine("reduce of affine maps", "reduce"),
    affine("scan of affine maps", "scan"),
    *(calls(f"moves {type}", 64, type, "shuffle_xor(x, 16)", "shuffle_xor(x, warp.size / 2)", "shuffle_down(x, 8)", "shuffle_up(x, 8)",
            "shuffle_down(x, 16)", "shuffle_up(x, 16)", "rotate(x, 16)") for type in ("i32", "i64")),
    *(over(f"block {call}, {threads}", threads, f"block.{call}(add, x)", WIDE)
      for threads in (256, 1024) for call in ("reduce", "scan", "exclusive_scan")),
    *(over(f"block scan_total, {threads}", threads, "r.0 + r.1", WIDE, "let r = block.scan_total(add, x);", "x + x")
      for threads in (256, 1024)),
    over("block arg_min, 256", 256, "r.0 + r.1 as T", WIDE, "let r = block.arg_min(x);"),
]


def write_kernel(name, threads, type, before, result):
    return (f"kernel {name}(p: [n]{type}, q: mut [n]{type}) workgroup({threads}) grid(1) {{\n"
            f"  let x = p[thread.rank]; {before}\n  q[thread.rank] = {result};\n}}\n")


def write_program():
    text = ""
    for table, (_, kernels) in enumerate(TABLES):
        for column, (_, threads, type, before, result, base) in enumerate(kernels):
            text += write_kernel(f"k{table}_{column}", threads, type, before, result.replace("warp.size", "target.warp_size"))
            text += write_kernel(f"b{table}_{column}", threads, type, "", base)
    return text


def count(collc, folder, program):
    """The numbers of instructions of the kernels of a program, by chip."""
    source = os.path.join(folder, "counts.coll")
    with open(source, "w", encoding="utf-8") as file:
        file.write(program)
    command = [collc, "compile", source, "--target=" + ",".join(CHIPS), "-o", os.path.join(folder, "counts.s")]
    subprocess.run(command, check=True)
    counts = {}
    for chip in CHIPS:
        with open(os.path.join(folder, f"counts.{chip.replace(':', '-')}.s"), encoding="utf-8") as file:
            counts[chip] = {name: len(text) for name, text in count_instructions.read(file).items()}
    return counts


def main():
    with tempfile.TemporaryDirectory() as folder:
        counts = count(sys.argv[1], folder, write_program())
    for table, (title, kernels) in enumerate(TABLES):
        widths = [max(5, len(kernel[0]) + 2) for kernel in kernels]
        print(f"{title:26}" + "".join(f"{kernel[0]:>{width}}" for kernel, width in zip(kernels, widths)))
        for chip in CHIPS:
            added = [counts[chip][f"k{table}_{column}"] - counts[chip][f"b{table}_{column}"] for column in range(len(kernels))]
            print(f"  {chip:24}" + "".join(f"{number:>{width}}" for number, width in zip(added, widths)))


if __name__ == "__main__":
    main()
