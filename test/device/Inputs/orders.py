#!/usr/bin/env python3
"""Prints the expected bits of the f32 sums in test/device/*-order-f32.coll.

A model of the combination orders of docs/semantics.md, in plain Python: the sum of two f32 values is exact in a double,
which packing rounds once. The values are those of `sample` in the tests.

usage: orders.py N...      prints '-D N=... -D SUM=... -D LAST=...' and so on for each group size
"""

import struct
import sys


def to_float(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def to_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def add(left, right):
    return to_float(to_bits(left + right))


def sample(rank):
    """A number of either sign with 23 random bits, from 2^-4 up to 2^12."""
    h = (rank + 1) * 2654435761 & 0xFFFFFFFF
    h ^= h >> 15
    return to_float((h & 0x807FFFFF) | (123 + (h >> 23) % 16) << 23)


def reduce(values):
    """Level k combines the aligned blocks of 2^k ranks in pairs, the lower one on the left."""
    while len(values) > 1:
        pairs = [values[i : i + 2] for i in range(0, len(values), 2)]
        values = [add(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return values[0]


def scan_segment(values):
    """At most 32 ranks: two rows of 16, then the first row's last value into the second."""
    rows = [values[:16], values[16:]]
    for row in rows:
        for distance in (1, 2, 4, 8):
            old = list(row)
            for i in range(distance, len(row)):
                row[i] = add(old[i - distance], old[i])
    return rows[0] + [add(rows[0][-1], value) for value in rows[1]]


def scan_segments(values):
    """The scan inside each segment, and the scan of the segments' totals."""
    segments = [scan_segment(values[i : i + 32]) for i in range(0, len(values), 32)]
    return segments, scan_segment([segment[-1] for segment in segments])


def scan(values):
    segments, totals = scan_segments(values)
    result = list(segments[0])
    for j, segment in enumerate(segments[1:], 1):
        result += [add(totals[j - 1], value) for value in segment]
    return result


def exclusive_scan(values, init=None):
    segments, totals = scan_segments(values)
    result = [0.0]
    for j, segment in enumerate(segments):
        if j > 0:
            result.append(totals[j - 1])
        before = segment[:-1]
        result += [add(totals[j - 1], value) for value in before] if j > 0 else before
    if init is not None:
        result = [init] + [add(init, value) for value in result[1:]]
    return result


def checksum(values):
    """The xor of the bits, each rotated by its rank."""
    result = 0
    for rank, value in enumerate(values):
        bits, by = to_bits(value), rank % 32
        result ^= (bits << by | bits >> (32 - by)) & 0xFFFFFFFF
    return result


def blocked(values, per_thread):
    """Serial prefixes in a thread, the exclusive scan of the totals, then the preceding total on the left."""
    threads = []
    for i in range(0, len(values), per_thread):
        prefix = [values[i]]
        for value in values[i + 1 : i + per_thread]:
            prefix.append(add(prefix[-1], value))
        threads.append(prefix)
    totals = [prefix[-1] for prefix in threads]
    before = exclusive_scan(totals)
    scanned = list(threads[0])
    for rank, prefix in enumerate(threads[1:], 1):
        scanned += [add(before[rank], value) for value in prefix]
    return reduce(totals), scanned


def main():
    for size in map(int, sys.argv[1:]):
        values = [sample(rank) for rank in range(size)]
        total = scan_segments(values)[1][-1]
        blocked_sum, blocked_scan = blocked([sample(i) for i in range(3 * size)], 3)
        print(f"reduce: -D N={size} -D SUM={to_bits(reduce(values)):#x} -D SUM3={to_bits(blocked_sum):#x}")
        print(
            f"scan: -D N={size} -D SCAN={checksum(scan(values)):#x} -D BEFORE={checksum(exclusive_scan(values)):#x}"
            f" -D INIT={checksum(exclusive_scan(values, to_float(to_bits(0.1)))):#x} -D TOTAL={to_bits(total):#x}"
            f" -D SCAN3={checksum(blocked_scan):#x}"
        )


if __name__ == "__main__":
    main()
