"""Calls of what orders and rearranges: segments, sort, top_k, exchange, transpose, histogram, split barriers, reduce_by."""

import arithmetic as ar
import data
import operators
import orders
from calls import Call, Operand
from combining import combined, flat, split
from moves import other_place
from value_types import BOOL, I32, Array, Enum, Scalar, Tuple, choose, random_type


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
                results = [value for chunk in orders.scan_chunks(pair, chunks, make.span) for value in chunk]
            else:
                results = orders.scan(pair, [(row[0], row[1][0]) for row in rows], make.span)
            values = [value for value, _ in results]
            if method == "segmented_reduce":
                starts = [head for row in rows for head in row[1]]
                for at in range(len(values) - 2, -1, -1):
                    if not starts[at + 1]:
                        values[at] = values[at + 1]
            return [flat(values[i:i + count]) for i in range(0, len(values), count)]
        return Call(f"{{g}}.{method}({operator.text}, {{0}}, {{1}})", [operand, heads], operand.value_type, evaluate,
                    operator.moves, operator)
    return make_one


def make_reduce_by(make):
    element, operator, operand = combined(make)
    order = orders.reduce_chunks if isinstance(operand.value_type, Array) else orders.reduce
    label_type = Scalar(choose(make.rng, ("i32", "u8", "u64", "bool", "i16"))) if make.rng.randrange(2) else random_type(make.rng)
    label = Operand(label_type, data.few(make.rng, label_type, make.total))

    def evaluate(rows):
        results = {}
        for key in {row[1] for row in rows}:
            results[key] = order(operator.combine, [split(operand, row) for row in rows if row[1] == key])
        return [results[row[1]] for row in rows]
    return Call(f"{{g}}.reduce_by({{1}}, {operator.text}, {{0}})", [operand, label], element, evaluate, operator.moves, operator)


# Order -------------------------------------------------------------------------------------------------------------------------


def sort_key(kind):
    """-0 below +0, NaNs behind all numbers and equal to each other."""
    return lambda bits: (1, 0) if ar.is_nan(kind, bits) else (0, ar.total_key(kind, bits))


def sort_keys(make):
    key = Enum(choose(make.rng, ar.INTEGERS)) if make.rng.randrange(8) == 0 else Scalar(choose(make.rng, ar.SCALARS))
    count = choose(make.rng, (0, 0, 0, 1, 2, 3, 4, 7))
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
    """From the greatest down, NaNs last; among equals the lower place first. Where elements are missing: the least value, -1."""
    kind = choose(make.rng, ar.INTEGERS + ar.FLOATS)
    held = choose(make.rng, (0, 0, 0, 1, 2, 3))
    value_type = Array(Scalar(kind), held) if held else Scalar(kind)
    count = 1 + make.rng.randrange(choose(make.rng, (1, 5, 8)))
    values = (data.few if make.rng.randrange(2) else data.values)(make.rng, value_type, make.total)

    def falling(bits):
        return (1, 0) if ar.is_nan(kind, bits) else (0, -ar.total_key(kind, bits))

    def evaluate(rows):
        listed = [bits for row in rows for bits in row[0]]
        best = sorted(range(len(listed)), key=lambda at: falling(listed[at]))[:count]
        lacking = count - len(best)
        found = [listed[at] for at in best] + [operators.smallest(kind)] * lacking
        return [tuple(found + best + [ar.from_int("i32", -1)] * lacking)] * len(rows)
    result = Tuple(Array(Scalar(kind), count), Array(I32, count))
    return Call(f"{{g}}.top_k({{0}}, {count})", [Operand(value_type, values)], result, evaluate)


# Places ------------------------------------------------------------------------------------------------------------------------


def shuffled_places(make, count):
    """A permutation of the places of each group's elements, as one operand of each thread."""
    to = [None] * make.total
    for threads in make.group.partition(make.shape, 64):
        places = make.rng.sample(range(len(threads) * count), len(threads) * count)
        for rank, thread in enumerate(threads):
            to[thread] = tuple(places[rank * count:(rank + 1) * count])
    return to


def make_exchange(make):
    """Each rank names where its value goes: the ranks turned and maybe backward, or any permutation; elements of an array each to
    a place of their own, or all to one rank."""
    turn, backward = make.rng.randrange(1000), make.rng.randrange(2)
    value = make.loaded(random_type(make.rng))
    array = isinstance(value.value_type, Array)
    apart = array and make.rng.randrange(3)
    count = value.value_type.count if apart else 1
    to_type = Array(I32, count) if apart else I32

    def place(at, size):
        return (at + turn) % size if not backward else size - 1 - (at + turn) % size

    def places(rank, size):
        return tuple(place(rank * count + k, size * count) for k in range(count))
    if not make.group.depends_on_width() and make.rng.randrange(3):
        to = Operand(to_type, shuffled_places(make, count))
    else:
        texts = [f"({{g}}.rank * {count} + {k} + {turn}) % ({{g}}.size * {count})" for k in range(count)]
        if backward:
            texts = [f"{{g}}.size * {count} - 1 - {text}" for text in texts]
        to = Operand(to_type, text=to_type.build(texts), compute=places)

    def evaluate(rows):
        result = [None] * (len(rows) * count)
        for row in rows:
            for at, part in zip(row[1], value.value_type.split(row[0]) if apart else [row[0]]):
                result[at] = part
        return [flat(result[i:i + count]) for i in range(0, len(result), count)]
    return Call("{g}.exchange({0}, {1})", [value, to], value.value_type, evaluate, exact=True)


def make_transpose(make):
    """Blocked to striped: element i of the list is the (i / size)-th of rank i % size; `inverse` goes back."""
    element = random_type(make.rng)
    count = 1 + make.rng.randrange(max(1, min(5, 64 // sum(ar.byte_size(kind) for kind in element.leaves))))
    inverse = make.rng.randrange(2)
    value = make.loaded(Array(element, count))

    def evaluate(rows):
        size = len(rows)
        held = [value.value_type.split(row[0]) for row in rows]
        if inverse:
            listed = [held[i % size][i // size] for i in range(size * count)]
            return [flat(listed[r * count:(r + 1) * count]) for r in range(size)]
        listed = [part for parts in held for part in parts]
        return [flat([listed[k * size + r] for k in range(count)]) for r in range(size)]
    option = ", inverse = true" if inverse else ""
    return Call(f"{{g}}.transpose({{0}}{option})", [value], value.value_type, evaluate, exact=True)


def make_histogram(make):
    """Counts from 5 on; of groups that a block has several of, each has its own."""
    counter = choose(make.rng, ("i32", "u32", "i64", "u64"))
    block = make.group.kind == "block"
    most = 100 if block else 8192 // ar.byte_size(counter) // make.shape.threads
    bins = choose(make.rng, [count for count in (1, 2, 5, 7, 32, 100) if count <= max(1, most)])
    held = choose(make.rng, (0, 0, 1, 3))
    bin_type = Scalar(choose(make.rng, ar.INTEGERS))
    value_type = Array(bin_type, held) if held else bin_type
    most_bin = bins if make.rng.randrange(3) else min(bins, 2)
    values = [tuple(make.rng.randrange(most_bin) for _ in value_type.leaves) for _ in range(make.total)]

    def evaluate(rows):
        counts = [5] * bins
        for row in rows:
            for at in row[0]:
                counts[at] += 1
        return [(counts[rank % bins],) for rank in range(len(rows))]
    own = "{s}" if block else "{s}[thread.rank - {g}.rank]"
    share = f"0..{bins}" if make.group.kind == "thread" else f"{{g}}.strided({bins})"
    before = f"for b in {share} {{{{ {own}[b] = 5; }}}} {{g}}.sync(); {{g}}.histogram({own}, {{0}}); {{g}}.sync();"
    array = f"[{counter}; {bins}]"
    return Call(f"{own}[{{g}}.rank % {bins}]", [Operand(value_type, values)], Scalar(counter), evaluate, before=before,
                after="{g}.sync();", shared=array if block else f"[{array}; {make.shape.threads}]", fixed=True)


def make_arrive(make):
    """A split barrier between a write and the reads of it."""
    value_type = Scalar(choose(make.rng, ar.SCALARS))
    step = 1 + make.rng.randrange(make.most)

    def evaluate(rows):
        return [rows[(rank + step) % len(rows)][0] for rank in range(len(rows))]
    before = "{s}[thread.rank] = {0}; let token{n} = {g}.arrive(); {g}.wait(token{n});"
    return Call(f"{{s}}[{other_place(make, 'thread.rank', step)}]", [make.loaded(value_type)], value_type, evaluate, exact=True,
                before=before, after="{g}.sync();", shared=f"[{value_type.text}; {make.shape.threads}]")
