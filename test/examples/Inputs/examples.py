"""Makes real input for the examples, and checks their output by an independent computation in double precision or in whole
numbers.

usage: examples.py make EXAMPLE PREFIX      writes PREFIX.NAME.npy for each input
       examples.py check EXAMPLE PREFIX     reads them and PREFIX.NAME.WIDTH.npy of both warp widths
"""

import math
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
import npy

TEXT = "/usr/share/common-licenses/GPL-3"
LIMIT = 110.0


def letters(count, start=0):
    """`count` bytes of the licence from `start` on, and again from its beginning."""
    with open(TEXT, "rb") as file:
        text = file.read()
    return [text[(start + i) % len(text)] for i in range(count)]


def matrix(prefix, name, height, width, values):
    npy.write(f"{prefix}.{name}.npy", "<f4", (height, width), values)


class Run:
    """The arrays of one example; outputs are the same for both warp widths."""

    def __init__(self, prefix):
        self.prefix = prefix

    def input(self, name):
        return npy.rows(npy.read(f"{self.prefix}.{name}.npy"))

    def output(self, name):
        files = [f"{self.prefix}.{name}.{width}.npy" for width in (32, 64)]
        contents = [open(file, "rb").read() for file in files]
        assert contents[0] == contents[1], f"{name} differs between warps of 32 and 64"
        return npy.read(files[0])


def close(got, want, tolerance):
    assert math.isclose(got, want, rel_tol=tolerance, abs_tol=tolerance), f"got {got}, expected {want}"


def same(got, want):
    assert got == want, f"got {got}, expected {want}"


def make_softmax(prefix):
    matrix(prefix, "x", 20, 701, [(v - 80) / 8 for v in letters(20 * 701)])


def check_softmax(run):
    for x, y in zip(run.input("x"), npy.rows(run.output("y")), strict=True):
        high = max(x)
        total = math.fsum(math.exp(v - high) for v in x)
        close(math.fsum(y), 1.0, 1e-5)
        for v, got in zip(x, y, strict=True):
            close(got * total, math.exp(v - high), 1e-5)


def make_prefix_sum(prefix):
    pass  # The licence itself.


def check_prefix_sum(run):
    shape, sums = run.output("sums")
    text = letters(os.path.getsize(TEXT))
    same(shape, (len(text),))
    total = 0
    for byte, got in zip(text, sums, strict=True):
        total += byte
        same(got, total)


def make_compact(prefix):
    matrix(prefix, "x", 9, 777, letters(9 * 777))


def check_compact(run):
    counts = run.output("counts")[1]
    for x, kept, count in zip(run.input("x"), npy.rows(run.output("kept")), counts, strict=True):
        want = [v for v in x if v > LIMIT]
        same(count, len(want))
        same(kept, want + [0.0] * (len(x) - len(want)))


def make_histogram(prefix):
    pass  # The licence itself.


def check_histogram(run):
    text = bytes(letters(os.path.getsize(TEXT)))
    same(run.output("counts")[1], [text.count(bytes([v])) for v in range(256)])


def make_argmax(prefix):
    matrix(prefix, "x", 30, 600, [v if v < 120 else 0 for v in letters(30 * 600)])


def check_argmax(run):
    rows = run.input("x")
    same(run.output("value")[1], [max(x) for x in rows])
    same(run.output("column")[1], [x.index(max(x)) for x in rows])


def make_affine_scan(prefix):
    matrix(prefix, "a", 3, 2500, [v / 128 for v in letters(7500)])
    matrix(prefix, "b", 3, 2500, [(v - 96) / 16 for v in letters(7500, 1000)])


def check_affine_scan(run):
    for a, b, h in zip(run.input("a"), run.input("b"), npy.rows(run.output("h")), strict=True):
        state = 0.0
        for factor, offset, got in zip(a, b, h, strict=True):
            state = factor * state + offset
            close(got, state, 2e-5)


def make_welford(prefix):
    matrix(prefix, "x", 25, 900, [1000 + v / 4 for v in letters(25 * 900)])


def check_welford(run):
    means, variances = run.output("mean")[1], run.output("variance")[1]
    for x, mean, variance in zip(run.input("x"), means, variances, strict=True):
        close(mean, statistics.fmean(x), 1e-6)
        close(variance, statistics.pvariance(x), 1e-5)


def make_matmul(prefix):
    # Sums of 90 products below 2^14: exact.
    matrix(prefix, "a", 70, 90, letters(70 * 90))
    matrix(prefix, "b", 90, 50, letters(90 * 50, 5000))


def check_matmul(run):
    columns = list(zip(*run.input("b")))
    for row, got in zip(run.input("a"), npy.rows(run.output("c")), strict=True):
        same(got, [float(sum(map(lambda p: p[0] * p[1], zip(row, column)))) for column in columns])


def main():
    action, example, prefix = sys.argv[1:]
    if action == "make":
        globals()[f"make_{example}"](prefix)
    else:
        globals()[f"check_{example}"](Run(prefix))
        print(f"{example} is right")


if __name__ == "__main__":
    main()
