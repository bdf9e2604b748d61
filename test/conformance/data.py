"""Input data that is hard on implementations. No value is an identity of an operator unless the kind asks for it."""

import random

import arithmetic as ar
from value_types import choose


def float_bits(rng, kind, mood):
    sign = ar.sign_bit(kind) if rng.randrange(2) else 0
    if mood == "plain":
        return ar.from_float(kind, (2 + rng.randrange(1000)) / (1 << rng.randrange(8))) | sign
    infinity = ar.infinity_bits(kind)
    precision, _ = ar.PRECISION[kind]
    if mood == "special":
        hidden = 1 << (precision - 1)
        specials = (0, 1, hidden - 1, hidden, infinity - 1, infinity, infinity + 1 + rng.randrange(hidden - 1),
                    ar.quiet_nan(kind), ar.from_float(kind, 1.5))
        return choose(rng, specials) | sign
    if mood == "close":
        # Sums of these cancel and round.
        return ar.from_float(kind, 1.0) + rng.randrange(1 << (precision - 1)) | sign
    return rng.getrandbits(ar.BITS[kind] - 1) | sign


def integer_bits(rng, kind, mood):
    bits = ar.BITS[kind]
    if mood == "plain":
        small = 2 + rng.randrange(100)
        return ar.from_int(kind, -small if kind in ar.SIGNED and rng.randrange(2) else small)
    if mood == "special":
        high = 1 << (bits - 1)
        return choose(rng, (0, 1, ar.mask(kind), high, high - 1, high + 1, 1 << rng.randrange(bits)))
    if mood == "close":
        return ar.from_int(kind, (1 << (bits - 1)) - 8 + rng.randrange(16))
    return rng.getrandbits(bits)


def scalar(rng, kind, mood):
    if kind == "bool":
        share = {"plain": 1, "close": 7}.get(mood, 4)
        return int(rng.randrange(8) < share)
    return float_bits(rng, kind, mood) if kind in ar.FLOATS else integer_bits(rng, kind, mood)


MOODS = ("plain", "plain", "wild", "special", "close", "close")


class Drawn:
    """A list whose elements are drawn when somebody looks at one."""

    def __init__(self, count, draw):
        self.count = count
        self.draw = draw
        self.drawn = None

    def __len__(self):
        return self.count

    def __getitem__(self, at):
        if self.drawn is None:
            self.drawn = self.draw()
        return self.drawn[at]


def values(rng, value_type, count):
    """One value for each thread, all of one mood, or each of its own."""
    seed = rng.getrandbits(64)

    def draw():
        own = random.Random(seed)
        mood = choose(own, MOODS + ("mixed",))
        return [tuple(scalar(own, kind, choose(own, MOODS) if mood == "mixed" else mood) for kind in value_type.leaves)
                for _ in range(count)]
    return Drawn(count, draw)


def few(rng, value_type, count):
    """Values of which many are the same, in every leaf but one perhaps."""
    pool = list(values(rng, value_type, 1 + rng.randrange(4)))
    if rng.randrange(2):
        at = rng.randrange(len(value_type.leaves))
        first = pool[0]
        pool = [first[:at] + value[at:at + 1] + first[at + 1:] for value in pool]
    if len(value_type.leaves) == 1 and value_type.leaves[0] in ar.FLOATS:
        kind = value_type.leaves[0]
        pool += [(0,), (ar.sign_bit(kind),), (ar.quiet_nan(kind),), (ar.quiet_nan(kind) | 1,)][:rng.randrange(5)]
    return [choose(rng, pool) for _ in range(count)]


def flags(rng, count):
    """Bools: none, all, one, a few, many."""
    mood = rng.randrange(7)
    if mood < 2:
        return [(mood,)] * count
    if mood == 2:
        one = rng.randrange(count)
        return [(int(t == one),) for t in range(count)]
    if mood == 3:
        one = rng.randrange(count)
        return [(int(t != one),) for t in range(count)]
    period = 2 + rng.randrange(40)
    if mood == 4:
        return [(int(t % period == 0),) for t in range(count)]
    share = choose(rng, (2, 10, 50, 90))
    return [(int(rng.randrange(100) < share),) for _ in range(count)]


def numbers(rng, low, high, count):
    """i32 values in low..high."""
    return [(ar.from_int("i32", low + rng.randrange(high - low)),) for _ in range(count)]
