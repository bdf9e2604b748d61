"""Arithmetic on the bits of scalars, as semantics.md defines it.

A scalar is an int that holds its bits. Floats are computed exactly and rounded: f64 by Python's own floats; f32 and f16 in f64,
whose 53 bits make the second rounding harmless for one addition or multiplication; bf16 in f32, rounded once more; fma by
fractions.
"""

import math
import struct
from fractions import Fraction

BITS = {"bool": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "u8": 8, "u16": 16, "u32": 32, "u64": 64,
        "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("f16", "bf16", "f32", "f64")
SCALARS = ("bool",) + INTEGERS + FLOATS

# The bits of the significand with the hidden one, and the largest exponent.
PRECISION = {"f16": (11, 15), "bf16": (8, 127), "f32": (24, 127), "f64": (53, 1023)}


def byte_size(kind):
    return max(BITS[kind], 8) // 8


def mask(kind):
    return (1 << BITS[kind]) - 1


def to_int(kind, bits):
    """The number that an integer's bits stand for."""
    if kind in SIGNED and bits >> (BITS[kind] - 1):
        return bits - (1 << BITS[kind])
    return bits


def from_int(kind, value):
    return value & mask(kind)


def to_float(kind, bits):
    """The value of a float's bits as an f64, which holds all of them."""
    if kind == "f32":
        return struct.unpack("<f", struct.pack("<I", bits))[0]
    if kind == "f64":
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    if kind == "f16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def round_to(kind, code, integer, value):
    try:
        return struct.unpack(integer, struct.pack(code, value))[0]
    except OverflowError:
        infinity = infinity_bits(kind)
        return infinity | sign_bit(kind) if value < 0 else infinity


def from_float(kind, value):
    """The bits of the nearest float of the kind, ties to even; of an f64."""
    if kind == "f32":
        return round_to(kind, "<f", "<I", value)
    if kind == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    if kind == "f16":
        return round_to(kind, "<e", "<H", value)
    if value != value:
        return 0x7FC0
    wide = from_float("f32", value)
    return (wide + 0x7FFF + (wide >> 16 & 1)) >> 16


def sign_bit(kind):
    return 1 << (BITS[kind] - 1)


def infinity_bits(kind):
    precision, exponent = PRECISION[kind]
    return (2 * exponent + 1) << (precision - 1)


def is_nan(kind, bits):
    return kind in FLOATS and bits & ~sign_bit(kind) > infinity_bits(kind)


def quiet_nan(kind):
    precision, _ = PRECISION[kind]
    return infinity_bits(kind) | 1 << (precision - 2)


def round_fraction(kind, value):
    """The bits of the float nearest to a fraction that is not zero."""
    precision, exponent = PRECISION[kind]
    sign = sign_bit(kind) if value < 0 else 0
    value = abs(value)
    # 2^power <= value < 2^(power + 1), at least the smallest normal's.
    power = value.numerator.bit_length() - value.denominator.bit_length()
    if value < Fraction(2) ** power:
        power -= 1
    power = max(power, 1 - exponent)
    steps = value / Fraction(2) ** (power - precision + 1)
    count = steps.numerator // steps.denominator
    rest = steps - count
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and count & 1):
        count += 1
    # With the hidden one left in, a carry moves on into the exponent.
    biased = power + exponent - 1
    bits = (biased << (precision - 1)) + count
    return sign | min(bits, infinity_bits(kind))


def fma(kind, a, b, c):
    """a * b + c, rounded once; all bits."""
    x, y, z = to_float(kind, a), to_float(kind, b), to_float(kind, c)
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        # Finite factors must not overflow to an infinity here.
        finite = math.isfinite(x) and math.isfinite(y)
        return from_float(kind, z if finite else x * y + z)
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact:
        return round_fraction(kind, exact)
    negative = math.copysign(1, x) * math.copysign(1, y) < 0 and math.copysign(1, z) < 0
    cancels = x != 0 and y != 0
    return sign_bit(kind) if negative and not cancels else 0


def add(kind, a, b):
    if kind in FLOATS:
        return from_float(kind, to_float(kind, a) + to_float(kind, b))
    return (a + b) & mask(kind)


def sub(kind, a, b):
    if kind in FLOATS:
        return from_float(kind, to_float(kind, a) - to_float(kind, b))
    return (a - b) & mask(kind)


def mul(kind, a, b):
    if kind in FLOATS:
        return from_float(kind, to_float(kind, a) * to_float(kind, b))
    return (a * b) & mask(kind)


def mul_add(kind, a, b, c):
    """`a * b + c` in one expression: contracted to fma, of bf16 never."""
    if kind in FLOATS and kind != "bf16":
        return fma(kind, a, b, c)
    return add(kind, mul(kind, a, b), c)


def less(kind, a, b):
    """`a < b` as the language compares: false with a NaN, -0 equals +0."""
    if kind in FLOATS:
        return to_float(kind, a) < to_float(kind, b)
    return to_int(kind, a) < to_int(kind, b)


def equal(kind, a, b):
    if kind in FLOATS:
        return to_float(kind, a) == to_float(kind, b)
    return a == b


def total_key(kind, bits):
    """Orders numbers with -0 below +0; no NaN."""
    if kind in FLOATS:
        return -(bits - sign_bit(kind)) - 1 if bits & sign_bit(kind) else bits
    return to_int(kind, bits)


def minimum_number(kind, a, b):
    """A NaN loses."""
    if is_nan(kind, a):
        return b
    if is_nan(kind, b):
        return a
    return a if total_key(kind, a) <= total_key(kind, b) else b


def maximum_number(kind, a, b):
    if is_nan(kind, a):
        return b
    if is_nan(kind, b):
        return a
    return a if total_key(kind, a) >= total_key(kind, b) else b


def minimum(kind, a, b):
    """A NaN wins."""
    if is_nan(kind, a) or is_nan(kind, b):
        return quiet_nan(kind)
    return minimum_number(kind, a, b)


def maximum(kind, a, b):
    if is_nan(kind, a) or is_nan(kind, b):
        return quiet_nan(kind)
    return maximum_number(kind, a, b)


def same(kind, a, b):
    """Whether two results are the same: any NaN equals any NaN."""
    return a == b or (is_nan(kind, a) and is_nan(kind, b))
