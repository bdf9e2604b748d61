"""Writes good and bad .npy files named PREFIX.NAME.npy."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
import npy


def main():
    prefix = sys.argv[1]

    def name(kind):
        return f"{prefix}.{kind}.npy"

    npy.write(name("good"), "<f4", (3, 4), range(12))
    npy.write(name("doubles"), "<f8", (3, 4), range(12))
    npy.write(name("flat"), "<f4", (12,), range(12))
    npy.write(name("tall"), "<f4", (4, 3), range(12))
    npy.write(name("five"), "<f4", (5,), range(5))
    with open(name("good"), "rb") as file:
        good = file.read()

    def write(kind, data):
        with open(name(kind), "wb") as file:
            file.write(data)

    write("short", good[:-4])
    write("headless", good[:40])
    write("text", b"1 2 3 4\n")
    write("empty", b"")
    write("fortran", good.replace(b"False", b"True "))
    write("big", good.replace(b"<f4", b">f4"))
    write("unclosed", good.replace(b"}", b" "))


if __name__ == "__main__":
    main()
