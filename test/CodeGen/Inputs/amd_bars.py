#!/usr/bin/env python3
"""Compares what collectives add to kernels on AMD with the bars of a table.

Prints each number above its bar, and each 'A>B' of the table that is not so any more; exits with 1 then. With --all prints all
numbers.

usage: amd_bars.py COLLC TABLE [--all]
"""

import sys
import tempfile

import amd_counts

AFFINE = "|a, b| (a.0 * b.0, a.0 * b.1 + a.1)"
AFFINE_OP = "op affine(a: (u32, u32), b: (u32, u32)) -> (u32, u32) identity (1, 0) {\n  return (a.0 * b.0, a.0 * b.1 + a.1);\n}\n"
# The statement before, what is stored, and what is stored without the collective; by the collective, on pairs and on numbers.
CALLS = {
    "reduce": ("let r = {group}.reduce({op}, {x});", "r", "x"),
    "scan": ("let r = {group}.scan({op}, {x});", "r", "x"),
    "exclusive_scan": ("let r = {group}.exclusive_scan({op}, {x});", "r", "x"),
    "exclusive_init": ("let r = {group}.exclusive_scan({op}, {x}, init = 3 as {type});", "r", "x"),
    "scan_total": ("let r = {group}.scan_total({op}, {x});", "r.0 + r.1", "x + x"),
}


class Row:
    """A line of the table for one operator and one type."""

    def __init__(self, words, op, type, bars):
        self.collective, _, _, self.group, self.threads = words
        self.op, self.type, self.bars = op, type, bars

    def get_kernel(self):
        before, result, base = CALLS[self.collective]
        op, x = self.op, "x"
        if op.startswith("affine"):
            op, x = (AFFINE if op == "affine" else "affine"), "(x, x + 1)"
            result, base = "r.0 ^ r.1", "x ^ (x + 1)"
        group = self.group if self.group in ("warp", "block") else f"warp.{self.group}"
        return self.threads, self.type, before.format(group=group, op=op, x=x, type=self.type), result, base

    def __str__(self):
        return f"{self.collective} {self.op} {self.type} {self.group} {self.threads}"


def read_table(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.partition("#")[0].split() if not line.startswith("(") else []
            if not words:
                continue
            bars = words[5:]
            if len(bars) != len(amd_counts.CHIPS):
                sys.exit(f"amd_bars.py: expected {len(amd_counts.CHIPS)} numbers, got {len(bars)}: {line}")
            for op in words[1].split(","):
                rows += [Row(words[:5], op, type, bars) for type in words[2].split(",")]
    return rows


def write_program(rows):
    """The kernels k<row>, and one kernel b<row> for all rows that have the same without the collective."""
    text, bases = AFFINE_OP, {}
    for number, row in enumerate(rows):
        threads, type, before, result, base = row.get_kernel()
        text += amd_counts.write_kernel(f"k{number}", threads, type, before, result)
        if (threads, type, base) not in bases:
            bases[threads, type, base] = f"b{number}"
            text += amd_counts.write_kernel(f"b{number}", threads, type, "", base)
        row.base = bases[threads, type, base]
    return text


def report(row, chip, bar, count):
    """What is to say about a number, if anything."""
    least, _, missed = bar.partition(">")
    if bar == "-" or count <= int(least):
        return f"{row} {chip}: {count}, at most {least} now" if missed else None
    if missed and int(missed) == count:
        return None
    return f"{row} {chip}: {count}, expected at most {missed or least}"


def main():
    rows = read_table(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        counts = amd_counts.count(sys.argv[1], folder, write_program(rows))
    lines = []
    for number, row in enumerate(rows):
        for chip, bar in zip(amd_counts.CHIPS, row.bars):
            added = counts[chip][f"k{number}"] - counts[chip][row.base]
            line = report(row, chip, bar, added)
            if "--all" in sys.argv:
                line = f"{row} {chip}: {added} of {bar}"
            if line:
                lines.append(line)
    print("\n".join(lines))
    sys.exit(1 if lines and "--all" not in sys.argv else 0)


if __name__ == "__main__":
    main()
