"""Writes sources that are hard on a compiler as PREFIX.NAME.coll; with --lines N checks that a log is short."""

import random
import sys


def kernel(body):
    return f"kernel k(y: mut [n]i32) workgroup(32) grid(1) {{ {body} }}\n"


def main():
    if sys.argv[1] == "--lines":
        with open(sys.argv[3], errors="replace") as file:
            count = sum(1 for _ in file)
        assert count <= int(sys.argv[2]), f"{count} lines"
        return
    prefix = sys.argv[1]
    bytes_of = {
        "random": random.Random(1).randbytes(10_000_000),
        "parentheses": kernel("y[0] = " + "(" * 10_000 + "1" + ")" * 10_000 + ";").encode(),
        "blocks": kernel("{" * 10_000 + "}" * 10_000).encode(),
        "types": kernel("var v: " + "[" * 10_000 + "i32" + "; 1]" * 10_000 + ";").encode(),
        "ifs": kernel("if true { " * 10_000 + "}" * 10_000).encode(),
        "sums": kernel("y[0] = " + "1 + " * 1_000_000 + "1;").encode(),
        "words": b"word " * 1_000_000,
        "empty": b"",
        # Doubles with each function: 2^40 operations if all were expanded.
        "calls": (
            "fn f0(v: i32) -> i32 { return v * v + 1; }\n"
            + "".join(f"fn f{i}(v: i32) -> i32 {{ return f{i - 1}(f{i - 1}(v)); }}\n" for i in range(1, 40))
            + kernel("y[0] = f39(y[0]);")
        ).encode(),
    }
    for name, data in bytes_of.items():
        with open(f"{prefix}.{name}.coll", "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
