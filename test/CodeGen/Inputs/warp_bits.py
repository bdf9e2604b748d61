"""Checks every bit of reductions and scans of warps and tiles in the PTX for a chip.

Usage: warp_bits.py COLLC TARGET STRIDE [FLAG...]

Compiles kernels of every operator on every type over several blocks and groups,
executes their PTX on data that is hard (extreme integers, NaN of both signs with
payloads, infinities, zeros of both signs, subnormals), and compares every lane
with what docs/semantics.md says. STRIDE 1 takes all kernels, 16 each sixteenth.
Flags go to collc, for instance --strategy=...
"""

import itertools
import math
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "Inputs"))
import ptx_values  # noqa: E402
import ptx_warps  # noqa: E402

INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
VECTORS = ["i16x2", "u8x4", "i64x2", "f16x2", "f32x4"]
BLOCKS = [64, 45, 16, 13, 33]
INPUT, OUTPUT, RANKS = 0x10000, 0x20000, 0x30000


def split_kind(kind):
    """The kind of a vector's numbers, and how many it has."""
    number, _, lanes = kind.partition("x")
    return number, int(lanes or 1)


def get_width(kind):
    return 8 if kind == "bool" else int(kind.lstrip("iubf"))


def make_values(kind, count, rng):
    """Bits, special ones as often as any others."""
    if kind == "bool":
        chance = rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        return [int(rng.random() < chance) for _ in range(count)]
    width = get_width(kind)
    top = 1 << (width - 1)
    if kind in INTEGERS:
        special = [0, 1, top - 1, top, 2 * top - 1, 2 * top - 2, top + 1]
        spread = rng.choice([width, 3, width // 2])
        usual = lambda: rng.getrandbits(spread) << rng.randrange(width - spread + 1)  # noqa: E731
    else:
        infinity = ptx_values.to_bits(math.inf, kind)
        special = [0, top, infinity, infinity | top, infinity - 1, 1, top | 1]
        special += rng.choice([[], [infinity + 1, infinity | top | 1, 2 * top - 1, infinity | (top >> 3)]])
        usual = lambda: rng.getrandbits(width) if rng.random() < 0.3 else ptx_values.to_bits(rng.uniform(-9, 9), kind)  # noqa: E731
    few = rng.random() < 0.2
    pool = [rng.choice(special) for _ in range(2)] if few else None
    return [rng.choice(pool) if few else rng.choice(special) if rng.random() < 0.4 else usual() for _ in range(count)]


def combine(op, kind, a, b):
    """One application, on bits."""
    if kind in FLOATS:
        if op in ("min", "max", "minimum", "maximum"):
            function = ptx_values.least if op in ("min", "minimum") else ptx_values.greatest
            return function(a, b, kind, op.endswith("imum"))
        return ptx_values.compute_float(["add"], [a, b], kind)
    width = 1 if kind == "bool" else get_width(kind)
    if kind[0] == "i":
        a, b = ptx_values.signed(a, width), ptx_values.signed(b, width)
    function = {"add": int.__add__, "min": min, "max": max, "and": int.__and__, "or": int.__or__, "xor": int.__xor__}[op]
    return function(a, b) & ((1 << width) - 1)


def get_identity(op, kind):
    width = 1 if kind == "bool" else get_width(kind)
    if kind in FLOATS:
        infinity = {"add": 0.0, "min": math.inf, "max": -math.inf}[op[:3]]
        return ptx_values.to_bits(infinity, kind)
    ones, top = (1 << width) - 1, 1 << (width - 1)
    least, most = (top, top - 1) if kind[0] == "i" else (0, ones)
    return {"and": ones, "min": most, "max": least}.get(op, 0)


def reduce_tree(op, kind, values):
    while len(values) > 1:
        pairs = [values[i : i + 2] for i in range(0, len(values), 2)]
        values = [combine(op, kind, *pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return values[0]


def scan_ranks(op, kind, values):
    """Rows of 16, then the row below."""
    results = list(values)
    for row in range(0, len(values), 16):
        for distance in (1, 2, 4, 8):
            before = list(results)
            for rank in range(row + distance, min(row + 16, len(values))):
                results[rank] = combine(op, kind, before[rank - distance], before[rank])
    for rank in range(16, len(values)):
        results[rank] = combine(op, kind, results[15], results[rank])
    return results


def find_best(op, kind, values):
    """The rank of the best value, the lowest among equals."""

    def key(rank):
        value = values[rank]
        if kind in FLOATS:
            number = ptx_values.to_float(value, kind)
            if math.isnan(number):
                return (1, 0, rank)
            return (0, number if op == "arg_min" else -number, rank)
        number = ptx_values.signed(value, get_width(kind)) if kind[0] == "i" else value
        return (0, number if op == "arg_min" else -number, rank)

    return min(range(len(values)), key=key)


def expect(collective, op, kind, values, init):
    """What each rank of a group gets, and for arg_min the ranks."""
    if collective == "reduce":
        return [reduce_tree(op, kind, values)] * len(values), None
    if collective == "arg":
        best = find_best(op, kind, values)
        return [values[best]] * len(values), [best] * len(values)
    results = scan_ranks(op, kind, values)
    if collective == "exclusive_scan":
        results = [get_identity(op, kind)] + results[:-1]
    elif collective == "init":
        results = [init] + [combine(op, kind, init, result) for result in results[:-1]]
    return results, None


def get_cases():
    for kind in INTEGERS + FLOATS + ["bool"]:
        ops = ["add", "min", "max"]
        if kind in INTEGERS:
            ops += ["and", "or", "xor"]
        elif kind in FLOATS:
            ops += ["minimum", "maximum"]
        else:
            ops = ["and", "or", "xor"]
        for block in BLOCKS:
            for group in ("warp", "warp.tile(8)", "warp.tile(16)"):
                for op in ops:
                    for collective in ("reduce", "scan", "exclusive_scan", "init"):
                        yield collective, op, kind, block, group
                if kind != "bool":
                    yield "arg", "arg_min", kind, block, group
                    yield "arg", "arg_max", kind, block, group
    for kind in VECTORS:
        for block in BLOCKS:
            for group in ("warp", "warp.tile(8)"):
                for op in ("add", "min", "max"):
                    for collective in ("reduce", "scan", "exclusive_scan", "init"):
                        yield collective, op, kind, block, group


def write_kernel(index, collective, op, kind, block, group):
    head = f"kernel k{index}(x: [{block}]{kind}, y: mut [{block}]{kind}, z: mut [{block}]u32) workgroup({block}) grid(1) {{ let t = thread.rank; "
    if collective == "arg":
        return head + f"let (v, r) = {group}.{op}(x[t]); y[t] = v; z[t] = r as u32; }}\n"
    call = f"exclusive_scan({op}, x[t], init = x[0])" if collective == "init" else f"{collective}({op}, x[t])"
    return head + f"y[t] = {group}.{call}; z[t] = 0; }}\n"


def is_same(kind, left, right):
    if left == right:
        return True
    return kind in FLOATS and all(math.isnan(ptx_values.to_float(value, kind)) for value in (left, right))


def check_kernel(statements, case, rng):
    collective, op, vector, block, group = case
    kind, lanes = split_kind(vector)
    size = get_width(kind) // 8
    values = make_values(kind, block * lanes, rng)
    memory = {}
    for i, value in enumerate(values):
        for byte in range(size):
            memory[INPUT + i * size + byte] = value >> 8 * byte & 0xFF
    ptx_warps.run(statements, [INPUT, OUTPUT, RANKS], memory, block)
    width = 32 if group == "warp" else int(group[10:-1])
    load = lambda base, i, count: sum(memory[base + i * count + byte] << 8 * byte for byte in range(count))  # noqa: E731
    for first, lane in itertools.product(range(0, block, width), range(lanes)):
        numbers = values[lane::lanes]
        results, ranks = expect(collective, op, kind, numbers[first : first + width], numbers[0])
        for rank, expected in enumerate(results):
            got = load(OUTPUT, (first + rank) * lanes + lane, size)
            if not is_same(kind, expected, got):
                return f"{case}: thread {first + rank}: expected {expected:#x}, got {got:#x} of {[hex(v) for v in values]}"
            if ranks and load(RANKS, first + rank, 4) != ranks[rank]:
                return f"{case}: thread {first + rank}: expected rank {ranks[rank]}, got {load(RANKS, first + rank, 4)}"
    return None


def main():
    collc, target, stride, *flags = sys.argv[1:]
    cases = list(get_cases())[:: int(stride)]
    with tempfile.TemporaryDirectory() as folder:
        source, output = os.path.join(folder, "k.coll"), os.path.join(folder, "k.ptx")
        with open(source, "w") as file:
            file.writelines(write_kernel(i, *case) for i, case in enumerate(cases))
        subprocess.run([collc, "compile", source, f"--target={target}", "--emit=asm", "-o", output, *flags], check=True)
        kernels = ptx_warps.read_kernels(open(output).read())
    rng = random.Random(2026)
    wrong = 0
    for index, case in enumerate(cases):
        for _ in range(3):
            try:
                message = check_kernel(kernels[f"k{index}"], case, rng)
            except (ptx_values.Fault, KeyError, TypeError) as error:
                message = f"{case}: {error!r}"
            if message:
                wrong += 1
                print(message)
                break
    print(f"{len(cases)} kernels, {wrong} wrong")
    sys.exit(wrong != 0)


main()
