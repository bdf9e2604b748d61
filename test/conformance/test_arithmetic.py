"""Checks arithmetic.py against fractions, which round once by the definition. Run by lit."""

import random
import unittest
from fractions import Fraction

import arithmetic as ar


def interesting(kind, rng):
    infinity = ar.infinity_bits(kind)
    specials = [0, 1, 2, infinity - 1, infinity, infinity + 1, ar.quiet_nan(kind), ar.from_float(kind, 1.0)]
    precision, _ = ar.PRECISION[kind]
    specials += [1 << (precision - 1), (1 << (precision - 1)) - 1]
    bits = rng.choice(specials) if rng.random() < 0.3 else rng.getrandbits(ar.BITS[kind] - 1)
    return bits | (ar.sign_bit(kind) if rng.random() < 0.5 else 0)


def near(kind, bits, rng):
    """A number of a magnitude near that of `bits`, where roundings meet."""
    precision, _ = ar.PRECISION[kind]
    moved = bits + rng.randrange(-3, 4) * (1 << (precision - 1)) + rng.randrange(-5, 6)
    return moved % (1 << ar.BITS[kind])


def finite(kind, *values):
    return all(v & ~ar.sign_bit(kind) < ar.infinity_bits(kind) for v in values)


def exact(kind, bits):
    return Fraction(ar.to_float(kind, bits))


class Arithmetic(unittest.TestCase):
    def pairs(self, kind, count=4000):
        rng = random.Random(kind)
        for _ in range(count):
            a = interesting(kind, rng)
            b = near(kind, a, rng) if rng.random() < 0.5 else interesting(kind, rng)
            yield rng, a, b

    def check(self, kind, got, value):
        """`value` is a fraction that is not zero."""
        self.assertEqual(got, ar.round_fraction(kind, value), kind)

    def test_floats_survive_conversion(self):
        for kind in ("f16", "bf16"):
            for bits in range(1 << 16):
                if not ar.is_nan(kind, bits):
                    self.assertEqual(ar.from_float(kind, ar.to_float(kind, bits)), bits)

    def test_fractions_round_to_the_nearest(self):
        for kind in ar.FLOATS:
            for rng, a, _ in self.pairs(kind):
                below = a & ~ar.sign_bit(kind)
                if below + 1 >= ar.infinity_bits(kind) or below == 0:
                    continue
                low, high = exact(kind, below), exact(kind, below + 1)
                self.assertEqual(ar.round_fraction(kind, low), below)
                middle = (low + high) / 2
                self.assertEqual(ar.round_fraction(kind, middle), below + (below & 1))
                tiny = (high - low) / 1000000
                self.assertEqual(ar.round_fraction(kind, middle - tiny), below)
                self.assertEqual(ar.round_fraction(kind, middle + tiny), below + 1)
                self.assertEqual(ar.round_fraction(kind, -middle - tiny), below + 1 | ar.sign_bit(kind))

    def test_overflow_begins_half_a_step_above_the_largest(self):
        for kind in ar.FLOATS:
            infinity = ar.infinity_bits(kind)
            largest, step = exact(kind, infinity - 1), exact(kind, infinity - 1) - exact(kind, infinity - 2)
            self.assertEqual(ar.round_fraction(kind, largest + step / 2), infinity)
            self.assertEqual(ar.round_fraction(kind, largest + step * 49 / 100), infinity - 1)

    def test_sums_and_products_round_once(self):
        for kind in ("f16", "f32", "f64"):
            for _, a, b in self.pairs(kind):
                if not finite(kind, a, b):
                    continue
                for got, value in ((ar.add(kind, a, b), exact(kind, a) + exact(kind, b)),
                                   (ar.sub(kind, a, b), exact(kind, a) - exact(kind, b)),
                                   (ar.mul(kind, a, b), exact(kind, a) * exact(kind, b))):
                    if value:
                        self.check(kind, got, value)

    def test_bf16_is_f32_rounded_once_more(self):
        for _, a, b in self.pairs("bf16"):
            if not finite("bf16", a, b) or not exact("bf16", a) * exact("bf16", b):
                continue
            wide = ar.round_fraction("f32", exact("bf16", a) * exact("bf16", b))
            if wide & 0x7FFFFFFF in (0, 0x7F800000):
                continue
            self.check("bf16", ar.mul("bf16", a, b), exact("f32", wide))

    def test_fma_rounds_once(self):
        for kind in ("f16", "f32", "f64"):
            for rng, a, b in self.pairs(kind):
                c = near(kind, ar.mul(kind, a, b) ^ ar.sign_bit(kind), rng) if rng.random() < 0.7 else interesting(kind, rng)
                if not finite(kind, a, b, c):
                    continue
                value = exact(kind, a) * exact(kind, b) + exact(kind, c)
                if value:
                    self.check(kind, ar.fma(kind, a, b, c), value)

    def test_fma_of_zeros_and_infinities(self):
        one, minus_zero = ar.from_float("f32", 1.0), ar.from_float("f32", -0.0)
        minus_one, infinity = ar.from_float("f32", -1.0), ar.infinity_bits("f32")
        self.assertEqual(ar.fma("f32", one, minus_zero, minus_zero), minus_zero)
        self.assertEqual(ar.fma("f32", one, 0, minus_zero), 0)
        self.assertEqual(ar.fma("f32", one, minus_one, one), 0)
        largest = infinity - 1
        self.assertEqual(ar.fma("f64", 0x7FEFFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, 0xFFF0000000000000), 0xFFF0000000000000)
        self.assertEqual(ar.fma("f32", largest, largest, 0), infinity)
        self.assertTrue(ar.is_nan("f32", ar.fma("f32", infinity, 0, one)))

    def test_extremes(self):
        nan, zero, minus_zero = 0x7FC01234, 0, 0x80000000
        self.assertEqual(ar.minimum_number("f32", nan, 5), 5)
        self.assertEqual(ar.maximum_number("f32", minus_zero, zero), zero)
        self.assertEqual(ar.minimum_number("f32", zero, minus_zero), minus_zero)
        self.assertTrue(ar.is_nan("f32", ar.maximum("f32", nan, 5)))
        self.assertEqual(ar.minimum_number("i8", 0x80, 0x7F), 0x80)
        self.assertEqual(ar.minimum_number("u8", 0x80, 0x7F), 0x7F)


if __name__ == "__main__":
    unittest.main()
