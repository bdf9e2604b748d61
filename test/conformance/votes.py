"""Calls of the votes, of what makes masks, and elect."""

import data
from calls import Call, Operand
from value_types import BOOL, I32, U64, choose, random_type



def make_vote(method, result, meaning):
    """`meaning(flags, rank)`."""
    def make_one(make):
        def evaluate(rows):
            flags = [row[0][0] for row in rows]
            return [(meaning(flags, rank),) for rank in range(len(rows))]
        return Call(f"{{g}}.{method}({{0}})", [make.flags()], result, evaluate)
    return make_one


def make_uniform(make):
    value_type = random_type(make.rng)
    values = data.few(make.rng, value_type, make.total)
    if make.rng.randrange(2):
        values = values[:1] * make.total
        if make.rng.randrange(2):
            values[make.rng.randrange(make.total)] = data.values(make.rng, value_type, 1)[0]

    def evaluate(rows):
        return [(int(all(row[0] == rows[0][0] for row in rows)),)] * len(rows)
    return Call("{g}.uniform({0})", [Operand(value_type, values)], BOOL, evaluate)


def make_elect(make):
    return Call("{g}.elect()", [], BOOL, lambda rows: [(int(rank == 0),) for rank in range(len(rows))])


def bits_below(rank):
    return (1 << rank) - 1


# What may be asked of a mask: text, result, meaning of (mask, rank, size).
MASK_USES = [
    (" as u64", U64, lambda mask, rank, size: mask),
    (".count()", I32, lambda mask, rank, size: bin(mask).count("1")),
    (".below({g}.rank).count()", I32, lambda mask, rank, size: bin(mask & bits_below(rank)).count("1")),
    (".below({g}.rank) as u64", U64, lambda mask, rank, size: mask & bits_below(rank)),
    (".contains(({g}.rank + 1) % {g}.size)", BOOL, lambda mask, rank, size: mask >> (rank + 1) % size & 1),
]
# These want a mask that is not empty.
FULL_MASK_USES = MASK_USES + [
    (".lowest()", I32, lambda mask, rank, size: (mask & -mask).bit_length() - 1),
    (".highest()", I32, lambda mask, rank, size: mask.bit_length() - 1),
    (".lowest() == {g}.rank", BOOL, lambda mask, rank, size: int((mask & -mask).bit_length() - 1 == rank)),
]


def masked(make, method, operand, members, uses):
    """`members(rows, rank)` is the mask of one rank."""
    use, result, meaning = choose(make.rng, uses)

    def evaluate(rows):
        return [(meaning(members(rows, rank), rank, len(rows)),) for rank in range(len(rows))]
    return Call(f"{{g}}.{method}({{0}}){use}", [operand], result, evaluate)


def make_ballot(make):
    return masked(make, "ballot", make.flags(), lambda rows, rank: sum(row[0][0] << r for r, row in enumerate(rows)), MASK_USES)


def make_match(make):
    value_type = random_type(make.rng)
    operand = Operand(value_type, data.few(make.rng, value_type, make.total))
    return masked(make, "match", operand,
                  lambda rows, rank: sum((row[0] == rows[rank][0]) << r for r, row in enumerate(rows)), FULL_MASK_USES)
