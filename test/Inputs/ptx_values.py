"""What PTX instructions compute in one lane: on bits, as numbers.

Floats are rounded to nearest even; arithmetic gives the NaN that NVIDIA's
processors give.
"""

import math
import struct

# By type: bits of the mantissa with the hidden one, least exponent, and the
# greatest number.
FORMATS = {"f16": (11, -14, 65504.0), "bf16": (8, -126, 2.0**127 * (2 - 2.0**-7)), "f32": (24, -126, 2.0**127 * (2 - 2.0**-23))}
CODES = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}
# What arithmetic gives for NaN.
CANONICAL = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0x7FF8000000000000}


def to_float(bits, kind):
    if kind == "bf16":
        return to_float(bits << 16, "f32")
    real, integer = CODES[kind]
    return struct.unpack(real, struct.pack(integer, bits))[0]


def round_float(value, kind):
    """To the nearest number of the type, to even between two."""
    if kind == "f64" or math.isnan(value) or math.isinf(value) or value == 0:
        return value
    digits, least, greatest = FORMATS[kind]
    exponent = max(math.frexp(value)[1] - 1, least)
    scale = exponent - digits + 1
    result = math.ldexp(round(math.ldexp(value, -scale)), scale)
    return math.copysign(math.inf, value) if abs(result) > greatest else result


def to_bits(value, kind):
    """The value rounded; NaN as arithmetic gives it."""
    if math.isnan(value):
        return CANONICAL[kind]
    value = round_float(value, kind)
    if kind == "bf16":
        return to_bits(value, "f32") >> 16
    real, integer = CODES[kind]
    return struct.unpack(integer, struct.pack(real, value))[0]


def signed(bits, width):
    return bits - (1 << width) if bits >> (width - 1) & 1 else bits


def least(left, right, kind, propagates):
    """Of two floats, as bits."""
    a, b = to_float(left, kind), to_float(right, kind)
    if math.isnan(a) or math.isnan(b):
        if propagates or (math.isnan(a) and math.isnan(b)):
            return CANONICAL[kind]
        return right if math.isnan(a) else left
    if a == b:
        return left if math.copysign(1, a) < 0 else right
    return left if a < b else right


def negate(bits, kind):
    return bits ^ (1 << (8 * struct.calcsize(CODES.get(kind, CODES["f16"])[1]) - 1))


def greatest(left, right, kind, propagates):
    return negate(least(negate(left, kind), negate(right, kind), kind, propagates), kind)


class Fault(Exception):
    pass


def reduce_words(parts, values):
    operation, kind = parts[2], parts[-1]
    if kind == "f32":
        function = least if operation == "min" else greatest
        result = values[0]
        for value in values[1:]:
            result = function(result, value, "f32", "NaN" in parts)
        return function(result, result, "f32", True)
    values = [value & 0xFFFFFFFF for value in values]
    if kind[0] == "s":
        values = [signed(value, 32) for value in values]
    result = values[0]
    for value in values[1:]:
        result = {
            "add": lambda a, b: a + b,
            "min": min,
            "max": max,
            "and": lambda a, b: a & b,
            "or": lambda a, b: a | b,
            "xor": lambda a, b: a ^ b,
        }[operation](result, value)
    return result & 0xFFFFFFFF


def compute_float(parts, values, kind):
    name = parts[0]
    if name in ("min", "max"):
        return (least if name == "min" else greatest)(values[0], values[1], kind, "NaN" in parts)
    if name == "neg":
        return negate(values[0], kind)
    if name == "fma":
        # LLVM adds bf16 by such on chips that have nothing else.
        if to_float(values[1], kind) != 1:
            raise Fault("fma is known for a product with 1 only")
        name, values = "add", [values[0], values[2]]
    a, b = (to_float(value, kind) for value in values)
    if name == "mul":
        return to_bits(a * b, kind)
    if math.isinf(a) and math.isinf(b) and (a == b) == (name == "sub"):
        return CANONICAL[kind]
    return to_bits(a + b if name == "add" else a - b, kind)


def compare(operation, kind, left, right):
    a, b = left, right
    if kind[0] == "f" or kind == "bf16":
        a, b = to_float(a, kind), to_float(b, kind)
        if operation == "nan":
            return math.isnan(a) or math.isnan(b)
        if operation == "num":
            return not (math.isnan(a) or math.isnan(b))
        if operation.endswith("u"):
            return math.isnan(a) or math.isnan(b) or compare(operation[:-1], kind, left, right)
    elif kind[0] == "s":
        a, b = signed(a, int(kind[1:])), signed(b, int(kind[1:]))
    return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[operation]


def convert(parts, value):
    to, source = parts[-2], parts[-1]
    if "f" not in to and "f" not in source:
        width = int(source[1:])
        value &= (1 << width) - 1
        if source[0] == "s":
            value = signed(value, width)
        value &= (1 << int(to[1:])) - 1
        # A register that is wider than the result gets its sign.
        return signed(value, int(to[1:])) & 0xFFFFFFFFFFFFFFFF if to[0] == "s" else value
    number = to_float(value, source)
    if math.isnan(number) and source in ("f16", "bf16"):
        # The manual does not say which NaN: keep sign and payload.
        return (value & 0x8000) << 16 | 0x7F800000 | (value & 0x7F) << 16 | 0x10000
    return to_bits(number, to)


def permute_bytes(low, high, selects):
    """Byte i is that which nibble i names, or eight times its sign."""
    both, result = high << 32 | low, 0
    for i in range(4):
        select = selects >> 4 * i & 15
        byte = both >> 8 * (select & 7) & 0xFF
        if select & 8:
            byte = 0xFF * (byte >> 7)
        result |= byte << 8 * i
    return result


def compute(parts, values):
    name, kind = parts[0], parts[-1]
    if kind in ("f16x2", "bf16x2", "f32x2"):
        width = 32 if kind == "f32x2" else 16
        half = [compute_float(parts, [v >> s & ((1 << width) - 1) for v in values], kind[:-2]) for s in (0, width)]
        return half[0] | half[1] << width
    if kind in ("s16x2", "u16x2"):
        half = [compute([*parts[:-1], kind[:-2]], [v >> s & 0xFFFF for v in values]) for s in (0, 16)]
        return half[0] | half[1] << 16
    if name == "setp":
        width = 64 if kind[-2:] == "64" else 32 if kind[-2:] == "32" else 16
        a, b = (value & ((1 << width) - 1) for value in values[:2])
        return int(compare(parts[1], kind, a, b))
    if name == "cvt" and parts[-2] in ("f16x2", "bf16x2"):
        high, low = (to_bits(to_float(value, kind), parts[-2][:-2]) for value in values)
        return high << 16 | low
    if name == "cvt":
        return convert(parts, values[0])
    if kind in ("f16", "bf16") and parts[-2] == "f32":
        # The first operand is a narrow float, all else are f32.
        values, kind = [convert(["cvt", "f32", kind], values[0]), *values[1:]], "f32"
    if kind in ("f16", "bf16", "f32", "f64"):
        return compute_float(parts, values, kind)
    width = 1 if kind == "pred" else int(kind[1:])
    mask = (1 << width) - 1
    values = [value & mask for value in values]
    if kind[0] == "s":
        values = [signed(value, width) for value in values]
    if name == "mul" and parts[1] == "wide":
        return values[0] * values[1] & ((1 << 2 * width) - 1)
    if name == "mad" and parts[1] == "wide":
        return values[0] * values[1] + values[2] & ((1 << 2 * width) - 1)
    if name in ("shl", "shr"):
        count = min(values[1], width)
        return (values[0] << count if name == "shl" else values[0] >> count) & mask
    table = {
        "prmt": permute_bytes,
        "bfe": lambda a, place, count: a >> place & ((1 << count) - 1),
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "min": min,
        "max": max,
        "and": lambda a, b: a & b,
        "or": lambda a, b: a | b,
        "xor": lambda a, b: a ^ b,
        "not": lambda a: ~a,
        "popc": lambda a: bin(a).count("1"),
        "brev": lambda a: int(f"{a:032b}"[::-1], 2),
        "clz": lambda a: width - a.bit_length(),
    }
    if name not in table:
        raise Fault(f"'{'.'.join(parts)}' is not known")
    return table[name](*values) & mask
