#!/usr/bin/env python3
"""Counts what each kernel of AMD assembly on standard input has more than the kernel 'base'.

Waits and hints are no instructions here: s_nop, s_waitcnt, s_wait_*, s_delay_alu, s_clause. Prints "<kernel> <count>" for each,
and "<kernel> touches LDS" where there is a ds_* instruction.
"""

import re
import sys

IGNORED = re.compile(r"s_(nop|waitcnt\w*|wait_\w+|delay_alu|clause|code_end|endpgm)\b")
INSTRUCTION = re.compile(r"(v|s|ds|global|flat|buffer|scratch)_\w+")


def read(lines):
    """The instructions of each kernel by its name."""
    kernels, current = {}, None
    for line in lines:
        label = re.match(r"([A-Za-z_]\w*):", line)
        text = line.strip()
        if label:
            current = kernels.setdefault(label.group(1), [])
        elif text.startswith("s_endpgm"):
            current = None
        elif current is not None and INSTRUCTION.match(text) and not IGNORED.match(text):
            current.append(text)
    return kernels


def main():
    kernels = read(sys.stdin)
    base = len(kernels.pop("base"))
    for name, instructions in kernels.items():
        print(f"{name} {len(instructions) - base}")
        if any(text.startswith("ds_") for text in instructions):
            print(f"{name} touches LDS")


if __name__ == "__main__":
    main()
