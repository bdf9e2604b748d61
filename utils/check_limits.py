#!/usr/bin/env python3
"""Checks the sizes that keep files readable: sources of at most 600 lines, test
files of at most 300, a main of at most 20. A source's first line, which says
what the file is for, is whole: the formatter breaks longer ones."""

import os
import sys

LIMITS = [("tools", 40), ("test/unittests", 600), ("test", 300), ("lib", 600), ("include", 600), ("runtime", 600)]
SUFFIXES = (".h", ".hpp", ".cpp", ".td", ".inc", ".coll", ".mlir", ".test", ".py")


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    problems, seen = [], set()
    for top, limit in LIMITS:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in files:
                path = os.path.relpath(os.path.join(folder, name), root)
                if not name.endswith(SUFFIXES) or path in seen:
                    continue
                seen.add(path)
                with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                    lines = file.read().splitlines()
                if len(lines) > limit:
                    problems.append(f"{path}: {len(lines)} lines, at most {limit}")
                if lines and lines[0].startswith("//===-") and not (len(lines[0]) == 80 and lines[0].endswith("===//")):
                    problems.append(f"{path}: the first line has {len(lines[0])} columns of a whole line's 80")
    print("\n".join(sorted(problems)) if problems else "limits: all files fit")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
