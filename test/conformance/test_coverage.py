"""Checks that a document quotes the end of what `utils/conformance --coverage` printed.

usage: test_coverage.py PRINTED DOCUMENT
"""

import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        printed = file.read().rstrip().splitlines()
    with open(sys.argv[2], encoding="utf-8") as file:
        document = file.read()
    first = max(k for k, line in enumerate(printed) if not line)
    summary = "".join(f"    {line}\n" for line in printed[first + 1:])
    if summary not in document:
        sys.exit(f"{sys.argv[2]} does not quote this:\n{summary}")


if __name__ == "__main__":
    main()
