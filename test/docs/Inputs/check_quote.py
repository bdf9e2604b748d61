"""check_quote.py OUTPUT DOCUMENT START: checks that the indented block of the document whose first line begins with START quotes
lines of the output, in their order; '...' stands for any."""

import os
import sys


def main(output, document, start):
    with open(output, encoding="utf-8") as file:
        _, _, rest = file.read().partition(start)
    printed = iter((start + rest).splitlines())
    with open(document, encoding="utf-8") as file:
        lines = file.read().splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("    " + start)), None)
    if first is None or not rest:
        sys.exit(f"{document} or the output has no line with '{start}'")
    for line in lines[first:]:
        if not line.startswith("    "):
            return
        if line.strip() != "..." and line[4:] not in printed:
            sys.exit(f"{os.path.basename(document)} quotes what is not printed: {line[4:]}")


main(*sys.argv[1:])
