#!/usr/bin/env python3
"""Counts the machine instructions that a collective adds to a kernel on NVIDIA.

Usage: count_sass.py CUBIN [SOURCE [PREFIX...]]

A kernel `NAME` is compared with `NAME_base`, or with `base_TYPE` where TYPE is
the part of NAME before the first underscore: the same kernel without the
collective. Prints a line a kernel:

    f32_add: 10 = 5 FADD + 5 SHFL

An instruction is a word of 16 bytes in `.text.NAME` (sm_70 and later); its low
nine bits name the operation whatever its operands are. Branches and padding are
left out, what the base has more of counts below zero.

With SOURCE, checks what its comments ask for and fails where more is there:

    // COUNT: f32_add <= 10, 5 SHFL, 0 REDUX
    // COUNT-NEW: i32_add <= 2, 1 REDUX

The second line holds if NEW is among the prefixes. The numbers behind the limit
are exact.
"""

import collections
import re
import struct
import sys

LEFT_OUT = ("BRA", "NOP")
# CREDUX of sm_100a is 0x0CC.
NAMES = {
    0x002: "MOV", 0x006: "VOTE", 0x007: "SEL", 0x008: "FSEL", 0x009: "FMNMX",
    0x00B: "FSETP", 0x00C: "ISETP", 0x010: "IADD3", 0x012: "LOP3", 0x016: "PRMT",
    0x019: "SHF", 0x021: "FADD", 0x024: "IMAD", 0x025: "IMAD.WIDE", 0x029: "DADD",
    0x02A: "DSETP", 0x086: "VOTEU", 0x0CC: "REDUX", 0x109: "POPC", 0x118: "NOP", 0x119: "S2R",
    0x11D: "BAR", 0x147: "BRA", 0x14D: "EXIT", 0x181: "LDG", 0x184: "LDS",
    0x186: "STG", 0x188: "STS", 0x189: "SHFL", 0x1A1: "MATCH", 0x1C4: "REDUX",
}  # fmt: skip


def read_texts(path):
    """The code of each kernel, by name."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"\x7fELF":
        sys.exit(f"{path} is no ELF file")
    (offset,) = struct.unpack_from("<Q", data, 0x28)
    size, count, strings = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, offset + i * size) for i in range(count)]
    names = headers[strings][4]
    texts = {}
    for name, _, _, _, start, length in headers:
        text = data[names + name : data.index(b"\0", names + name)].decode()
        if text.startswith(".text."):
            texts[text[6:]] = data[start : start + length]
    return texts


def count_operations(text):
    result = collections.Counter()
    for place in range(0, len(text), 16):
        number = struct.unpack_from("<H", text, place)[0] & 0x1FF
        result[NAMES.get(number, f"op{number:03x}")] += 1
    for name in LEFT_OUT:
        del result[name]
    return result


def count_kernels(path):
    """What each kernel has more than its base."""
    counts = {name: count_operations(text) for name, text in read_texts(path).items()}
    results = {}
    for name, operations in sorted(counts.items()):
        if name.startswith("base_") or name.endswith("_base"):
            continue
        base = counts.get(name + "_base") or counts.get("base_" + name.split("_")[0])
        if base is None:
            sys.exit(f"{path} has no kernel '{name}_base' to compare '{name}' with")
        more = collections.Counter(operations)
        more.subtract(base)
        results[name] = more
    return results


def describe(name, operations):
    parts = [f"{count} {name}" for name, count in sorted(operations.items()) if count]
    return f"{name}: {sum(operations.values())} = {' + '.join(parts) or 'nothing'}"


def find_excess(source, prefixes, counts):
    """The lines that are not kept to."""
    with open(source) as file:
        text = file.read()
    lines = re.findall(r"// COUNT(?:-(\w+))?: (\w+) <= (\d+)((?:, \d+ [\w.]+)*)$", text, re.M)
    if not any(prefix in ("", *prefixes) for prefix, *_ in lines):
        sys.exit(f"{source} asks for no count")
    for prefix, name, limit, exact in lines:
        if prefix and prefix not in prefixes:
            continue
        if name not in counts:
            yield f"there is no kernel '{name}'"
            continue
        wanted = [part.split() for part in exact.split(", ")[1:]]
        wrong = any(counts[name][operation] != int(number) for number, operation in wanted)
        if wrong or sum(counts[name].values()) > int(limit):
            yield f"expected {name} <= {limit}{exact}, got {describe(name, counts[name])}"


def main():
    counts = count_kernels(sys.argv[1])
    for name, operations in counts.items():
        print(describe(name, operations))
    if len(sys.argv) == 2:
        return
    excess = list(find_excess(sys.argv[2], sys.argv[3:], counts))
    for line in excess:
        print(f"error: {line}", file=sys.stderr)
    sys.exit(bool(excess))


main()
