#!/usr/bin/env python3
"""Compiles the code blocks of a document.

Every block that begins with ```coll must compile. A block that begins with ```coll error must fail, and its lines
'// error: TEXT' are what the compiler says: each must occur in the output, and there are no more errors than such lines.
All blocks of a document are programs of their own.

usage: compile_doc_blocks.py [--collc=collc] [--target=sm_90] FILE...
"""

import argparse
import re
import subprocess
import sys

BLOCK = re.compile(r"^```coll( error)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def compile_block(options, text):
    command = [options.collc, "compile", "-", f"--target={options.target}", "--emit=coll", "-o", "/dev/null"]
    result = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    return result.returncode, result.stderr


def check_block(options, wants_error, text):
    """None if the block does what it should, else why not."""
    code, output = compile_block(options, text)
    if not wants_error:
        return None if code == 0 else output
    if code != 1:
        return f"exit code {code}, expected 1\n{output}"
    expected = re.findall(r"// (error: .*)$", text, re.MULTILINE)
    got = re.findall(r"^[^\n]*?:\d+:\d+: (error: .*)$", output, re.MULTILINE)
    return None if got == expected else f"expected {expected}, got {got}\n{output}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--collc", default="collc")
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    passed = failed = 0
    for path in options.files:
        with open(path, encoding="utf-8") as file:
            document = file.read()
        for match in BLOCK.finditer(document):
            line = document.count("\n", 0, match.start()) + 2
            failure = check_block(options, bool(match[1]), match[2])
            passed, failed = passed + (failure is None), failed + (failure is not None)
            if failure is not None:
                print(f"{path}:{line}: this block: {failure}")
    print(f"{passed} blocks passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
