"""Calls of what moves values between threads: broadcast, the shuffles, rotate, and sync with shared memory."""

import arithmetic as ar
import data
from calls import Call, Operand, i32, signed
from operators import BUILTINS
from value_types import I32, Scalar, choose, literal, random_type


def moved(make, method, operands, source, fill=None):
    """`source(row, rank, size)` is the rank whose value moves, maybe one outside the group."""
    operands = list(operands)
    text = f"{{g}}.{method}({{0}}" + (", {1}" if len(operands) > 1 else "")
    if fill:
        operands.append(fill)
        text += f", fill = {{{len(operands) - 1}}}"

    def evaluate(rows):
        size = len(rows)
        result = []
        for rank, row in enumerate(rows):
            at = source(row, rank, size)
            result.append(rows[at][0] if 0 <= at < size else row[-1] if fill else row[0])
        return result
    return Call(text + ")", operands, operands[0].value_type, evaluate, exact=True)


def make_broadcast(make):
    value = make.loaded(random_type(make.rng))
    at = make.rng.randrange(make.most)
    choices = [
        Operand(I32, text="{g}.size - 1", compute=lambda rank, size: i32(size - 1)),
        Operand(I32, text=f"min({at}, {{g}}.size - 1)", compute=lambda rank, size: i32(min(at, size - 1))),
        Operand(I32, text="min(p3, {g}.size - 1)", compute=lambda rank, size: i32(min(3, size - 1))),
        Operand(I32, text="p3 % {g}.size", compute=lambda rank, size: i32(3 % size)),
    ]
    if make.rng.randrange(5) == 0:
        return moved(make, "broadcast", [value], lambda row, rank, size: 0)
    return moved(make, "broadcast", [value, choose(make.rng, choices)], lambda row, rank, size: signed(row[1]))


def source_operand(make, low, high):
    """A rank or distance: loaded, maybe far outside, or an expression."""
    rng = make.rng
    pick = rng.randrange(6)
    if pick == 0:
        extremes = (-(1 << 31), (1 << 31) - 1, -1, 0, make.most, make.most - 1)
        return Operand(I32, [i32(choose(rng, extremes)) for _ in range(make.total)])
    if pick < 3:
        return Operand(I32, data.numbers(rng, low, high, make.total))
    if pick == 3:
        at = rng.randrange(make.most)
        return Operand(I32, text=str(at), compute=lambda rank, size: i32(at))
    if pick == 4:
        return Operand(I32, text="p3", compute=lambda rank, size: i32(3))
    step = rng.randrange(1, 8)
    return Operand(I32, text=f"({{g}}.rank * {step} + p1) % {{g}}.size", compute=lambda rank, size: i32((rank * step + 1) % size))


def make_shuffles(method, source):
    def make_shuffle(make):
        value = make.loaded(random_type(make.rng))
        at = source_operand(make, -3, make.most + 4)
        fill = make.either(value.value_type) if make.rng.randrange(2) else None
        return moved(make, method, [value, at], source, fill)
    return make_shuffle


def make_rotate(make):
    value = make.loaded(random_type(make.rng))
    by = source_operand(make, -2 * make.most - 1, 2 * make.most + 1)
    return moved(make, "rotate", [value, by], lambda row, rank, size: (rank + signed(row[1])) % size)


def other_place(make, own, step):
    """The place of the thread some ranks further, around the group's end, where each thread's is `own`."""
    rank = f"({{g}}.rank + {step}) % {{g}}.size"
    return f"{{g}}.shuffle({own}, {rank})" if make.group.kind == "members" else f"{own} - {{g}}.rank + {rank}"


def make_sync(make):
    """Each thread reads what another thread of its group wrote before the barrier, to shared or global memory."""
    shared = not make.group.has_several_blocks() and make.rng.randrange(3)
    value_type = random_type(make.rng)
    while sum(ar.byte_size(kind) for kind in value_type.leaves) > 8 or not (shared or isinstance(value_type, Scalar)):
        value_type = random_type(make.rng)
    step = 1 + make.rng.randrange(make.most)
    own = "thread.rank" if shared else "grid.rank"

    def evaluate(rows):
        return [rows[(rank + step) % len(rows)][0] for rank in range(len(rows))]
    return Call(f"{{s}}[{other_place(make, own, step)}]", [make.loaded(value_type)], value_type,
                evaluate, exact=True, before=f"{{s}}[{own}] = {{0}}; {{g}}.sync();", after="{g}.sync();",
                shared=f"[{value_type.text}; {make.shape.threads}]" if shared else None,
                scratch=None if shared else value_type.text)


def make_atomic(make):
    """The threads of each group change one place by atomics, which meet there in any order."""
    value_type = Scalar(choose(make.rng, ("i32", "u32", "i64", "u64")))
    kind = value_type.kind
    name = choose(make.rng, ("add", "sub", "min", "max", "and", "or", "xor"))
    combine = ar.sub if name == "sub" else BUILTINS[name][1]
    first = data.values(make.rng, value_type, 1)[0]
    shared = not make.group.has_several_blocks() and make.rng.randrange(3)
    own = "thread.rank" if shared else "grid.rank"
    some = make.rng.randrange(2)
    operands = [make.loaded(value_type)] + ([make.flags()] if some else [])

    def evaluate(rows):
        result = first[0]
        for row in rows:
            if not some or row[1][0]:
                result = combine(kind, result, row[0][0])
        return [(result,)] * len(rows)
    change = f"atomic.{name}({{s}}[place{{n}}], {{0}});"
    if some:
        change = f"if {{1}} {{{{ {change} }}}}"
    start = f"if {{g}}.elect() {{{{ {{s}}[place{{n}}] = {literal(value_type, first)}; }}}}"
    before = f"let place{{n}} = {{g}}.broadcast({own}); {start} {{g}}.sync(); {change} {{g}}.sync();"
    return Call("{s}[place{n}]", operands, value_type, evaluate, exact=True, before=before, after="{g}.sync();",
                shared=f"[{kind}; {make.shape.threads}]" if shared else None, scratch=None if shared else kind)
