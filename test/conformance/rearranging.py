"""Calls of what orders and rearranges: segments, sort, top_k, exchange, transpose, histogram, split barriers, reduce_by."""

import arithmetic as ar
import data
import operators
import orders
from calls import Call, Operand, i32, signed
from combining import combined, flat, split
from value_types import BOOL, I32, Array, Scalar, Tuple, choose, random_type


def make_segmented(method):
    def make_one(make):
        element, operator, operand = combined(make)
        array = isinstance(operand.value_type, Array)
        count = operand.value_type.count if array else 1
        flags = [data.flags(make.rng, make.total) for _ in range(count)]
        heads = Operand(Array(BOOL, count) if array else BOOL, [tuple(flag[0] for flag in flags_) for flags_ in zip(*flags)])

        def pair(a, b):
            return (b[0] if b[1] else operator.combine(a[0], b[0])), a[1] | b[1]

        def evaluate(rows):
            if array:
                chunks = [list(zip(split(operand, row), row[1])) for row in rows]
                results = [value for chunk in orders.scan_chunks(pair, chunks) for value in chunk]
            else:
                results = orders.scan(pair, [(row[0], row[1][0]) for row in rows])
            values = [value for value, _ in results]
            if method == "segmented_reduce":
                starts = [head for row in rows for head in row[1]]
                for at in range(len(values) - 2, -1, -1):
                    if not starts[at + 1]:
                        values[at] = values[at + 1]
            return [flat(values[i:i + count]) for i in range(0, len(values), count)]
        return Call(f"{{g}}.{method}({operator.text}, {{0}}, {{1}})", [operand, heads], operand.value_type, evaluate,
                    operator.moves, operator.declarations)
    return make_one


def make_reduce_by(make):
    element, operator = operators.random_operator(make.rng)
    label_type = Scalar(choose(make.rng, ("i32", "u8", "u64", "bool", "i16")))
    label = Operand(label_type, data.few(make.rng, label_type, make.total))

    def evaluate(rows):
        results = {}
        for key in {row[1] for row in rows}:
            results[key] = orders.reduce(operator.combine, [row[0] for row in rows if row[1] == key])
        return [results[row[1]] for row in rows]
    return Call(f"{{g}}.reduce_by({{1}}, {operator.text}, {{0}})", [make.loaded(element), label], element, evaluate,
                operator.moves, operator.declarations)


# Order -------------------------------------------------------------------------------------------------------------------------


def sort_key(kind):
    """-0 below +0, NaNs behind all numbers and equal to each other."""
    return lambda bits: (1, 0) if ar.is_nan(kind, bits) else (0, ar.total_key(kind, bits))


def sort_keys(make):
    key = Scalar(choose(make.rng, ar.SCALARS))
    count = choose(make.rng, (0, 0, 0, 1, 2, 4))
    value_type = Array(key, count) if count else key
    few = make.rng.randrange(2)
    return key, Operand(value_type, (data.few if few else data.values)(make.rng, value_type, make.total)), max(count, 1)


def make_sort(make):
    key, operand, count = sort_keys(make)

    def evaluate(rows):
        listed = sorted((bits for row in rows for bits in row[0]), key=sort_key(key.kind))
        return [tuple(listed[i:i + count]) for i in range(0, len(listed), count)]
    return Call("{g}.sort({0})", [operand], operand.value_type, evaluate)


def make_sort_by(make):
    key, operand, count = sort_keys(make)
    value_type = random_type(make.rng)
    while sum(ar.byte_size(kind) for kind in value_type.leaves) * count > 32:
        value_type = random_type(make.rng)
    array = isinstance(operand.value_type, Array)
    values = make.loaded(Array(value_type, count) if array else value_type)

    def evaluate(rows):
        keys = [bits for row in rows for bits in row[0]]
        moved = [value for row in rows for value in (values.value_type.split(row[1]) if array else [row[1]])]
        order = sorted(range(len(keys)), key=lambda at: sort_key(key.kind)(keys[at]))
        result = []
        for first in range(0, len(keys), count):
            places = order[first:first + count]
            result.append(tuple(keys[at] for at in places) + tuple(bits for at in places for bits in moved[at]))
        return result
    exact = [False] * len(operand.value_type.leaves) + [True] * len(values.value_type.leaves)
    return Call("{g}.sort_by({0}, {1})", [operand, values], Tuple(operand.value_type, values.value_type), evaluate, exact)


def make_top_k(make):
    """From the greatest down, NaNs last; among equals the lower rank first."""
    kind = choose(make.rng, ar.INTEGERS + ar.FLOATS)
    size = min(make.group.smallest(make.block_size, width) for width in (32, 64))
    count = 1 + make.rng.randrange(min(size, 5))
    key = Scalar(kind)
    values = (data.few if make.rng.randrange(2) else data.values)(make.rng, key, make.total)

    def falling(bits):
        return (1, 0) if ar.is_nan(kind, bits) else (0, -ar.total_key(kind, bits))

    def evaluate(rows):
        best = sorted(range(len(rows)), key=lambda at: falling(rows[at][0][0]))[:count]
        return [tuple(rows[at][0][0] for at in best) + tuple(i32(at)[0] for at in best)] * len(rows)
    return Call(f"{{g}}.top_k({{0}}, {count})", [Operand(key, values)], Tuple(Array(key, count), Array(I32, count)), evaluate)


# Places ------------------------------------------------------------------------------------------------------------------------


def make_exchange(make):
    """Each rank names where its value goes: the ranks, turned and maybe backward."""
    turn, backward = make.rng.randrange(1000), make.rng.randrange(2)
    value = make.loaded(random_type(make.rng))
    value_type = value.value_type
    while isinstance(value_type, Array):
        value = make.loaded(random_type(make.rng))
        value_type = value.value_type

    def place(rank, size):
        return (rank + turn) % size if not backward else size - 1 - (rank + turn) % size
    text = f"({{g}}.rank + {turn}) % {{g}}.size"
    to = Operand(I32, text=f"{{g}}.size - 1 - {text}" if backward else text, compute=lambda rank, size: i32(place(rank, size)))

    def evaluate(rows):
        result = [None] * len(rows)
        for row in rows:
            result[signed(row[1])] = row[0]
        return result
    return Call("{g}.exchange({0}, {1})", [value, to], value_type, evaluate, exact=True)


def make_transpose(make):
    """Blocked to striped: element i of the list is the (i / size)-th of rank i % size; `inverse` goes back."""
    element = Scalar(choose(make.rng, ar.SCALARS))
    count = 1 + make.rng.randrange(5)
    inverse = make.rng.randrange(2)

    def evaluate(rows):
        size = len(rows)
        if inverse:
            listed = [rows[i % size][0][i // size] for i in range(size * count)]
            return [tuple(listed[r * count:(r + 1) * count]) for r in range(size)]
        listed = [bits for row in rows for bits in row[0]]
        return [tuple(listed[k * size + r] for k in range(count)) for r in range(size)]
    value = make.loaded(Array(element, count))
    option = ", inverse = true" if inverse else ""
    return Call(f"{{g}}.transpose({{0}}{option})", [value], value.value_type, evaluate, exact=True)


def make_histogram(make):
    bins = choose(make.rng, (1, 2, 7, 32, 100, 256))
    counter = choose(make.rng, ("i32", "u32", "i64", "u64"))
    value_type = Scalar(choose(make.rng, ("u8", "i16", "i32", "u64")))
    values = [(make.rng.randrange(bins if make.rng.randrange(3) else min(bins, 2)),) for _ in range(make.total)]

    def evaluate(rows):
        counts = [5] * bins
        for row in rows:
            counts[row[0][0]] += 1
        return [(counts[rank % bins],) for rank in range(len(rows))]
    before = f"for b in block.strided({bins}) {{{{ {{s}}[b] = 5; }}}} block.sync(); {{g}}.histogram({{s}}, {{0}}); block.sync();"
    return Call(f"{{s}}[thread.rank % {bins}]", [Operand(value_type, values)], Scalar(counter), evaluate, before=before,
                after="block.sync();", shared=f"[{counter}; {bins}]", fixed=True)


def make_arrive(make):
    """A split barrier between a write and the reads of it."""
    value_type = Scalar(choose(make.rng, ar.SCALARS))
    step = 1 + make.rng.randrange(make.most)

    def evaluate(rows):
        return [rows[(rank + step) % len(rows)][0] for rank in range(len(rows))]
    before = "{s}[thread.rank] = {0}; let token = {g}.arrive(); {g}.wait(token);"
    return Call(f"{{s}}[thread.rank - {{g}}.rank + ({{g}}.rank + {step}) % {{g}}.size]", [make.loaded(value_type)], value_type,
                evaluate, exact=True, before=before, after="{g}.sync();", shared=f"[{value_type.text}; {make.block_size}]",
                fixed=True)
