"""Calls of the votes, of what makes masks, and elect."""

import arithmetic as ar
import data
from calls import Call, Operand
from value_types import BOOL, I32, U64, choose, random_type


def make_vote(method, result, meaning):
    """`meaning(flags, rank)`; a `result` of None is the type of ranks."""
    def make_one(make):
        def evaluate(rows):
            flags = [row[0][0] for row in rows]
            return [(meaning(flags, rank),) for rank in range(len(rows))]
        return Call(f"{{g}}.{method}({{0}})", [make.flags()], result or make.rank_type, evaluate)
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


# What may be asked of a mask `{m}`: text, result, meaning of (masks of all ranks, rank).
MASK_USES = [
    ("{m} as u64", U64, lambda masks, rank: masks[rank]),
    ("{m}.count()", I32, lambda masks, rank: bin(masks[rank]).count("1")),
    ("{m}.below({g}.rank).count()", I32, lambda masks, rank: bin(masks[rank] & bits_below(rank)).count("1")),
    ("{m}.below({g}.rank) as u64", U64, lambda masks, rank: masks[rank] & bits_below(rank)),
    ("{m}.contains(({g}.rank + 1) % {g}.size)", BOOL, lambda masks, rank: masks[rank] >> (rank + 1) % len(masks) & 1),
    ("{m} == {g}.ballot(true)", BOOL, lambda masks, rank: int(masks[rank] == bits_below(len(masks)))),
    ("(~{m} & {g}.ballot(true)) as u64", U64, lambda masks, rank: masks[rank] ^ bits_below(len(masks))),
    ("{g}.shuffle({m}, {g}.size - 1) as u64", U64, lambda masks, rank: masks[-1]),
    ("{m}.above() as u64", U64, lambda masks, rank: bits_below(64) ^ bits_below(masks[rank].bit_length())),
    ("{m}.lowest()", I32, lambda masks, rank: (masks[rank] & -masks[rank]).bit_length() - 1 if masks[rank] else 64),
    ("{m}.highest()", I32, lambda masks, rank: ar.from_int("i32", masks[rank].bit_length() - 1)),
    ("{m}.lowest() == {g}.rank", BOOL, lambda masks, rank: int((masks[rank] & -masks[rank]) == 1 << rank)),
]


def masked(make, method, operand, members):
    """`members(rows, rank)` is the mask of one rank."""
    use, result, meaning = choose(make.rng, MASK_USES)

    def evaluate(rows):
        masks = [members(rows, rank) for rank in range(len(rows))]
        return [(meaning(masks, rank),) for rank in range(len(rows))]
    return Call(use.replace("{m}", f"{{g}}.{method}({{0}})"), [operand], result, evaluate)


def make_ballot(make):
    return masked(make, "ballot", make.flags(), lambda rows, rank: sum(row[0][0] << r for r, row in enumerate(rows)))


def make_match(make):
    value_type = random_type(make.rng)
    operand = Operand(value_type, data.few(make.rng, value_type, make.total))
    return masked(make, "match", operand, lambda rows, rank: sum((row[0] == rows[rank][0]) << r for r, row in enumerate(rows)))
