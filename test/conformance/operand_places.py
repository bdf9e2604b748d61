"""Places where a call gets an operand that the compiler may know more of, or less, than of a loaded value.

contexts.py lists them.
"""

import arithmetic as ar
import data
from sites import once, plain, with_first
from value_types import BOOL, I32, Scalar, choose, literal


def constant_operand(site):
    value_type = site.call.operands[0].value_type
    value = data.values(site.rng, value_type, 1)[0]
    lines = [site.do("let r0", literal(value_type, value)), "{store}"]
    return lines, [site.result()], lambda rows, extras, where: once(site.call.evaluate(with_first(rows, [value] * len(rows))))


def uniform_operand(site):
    """The same in all threads, known at run time alone."""
    value_type = site.call.operands[0].value_type
    value = tuple(ar.from_float(kind, 3.0) if kind in ar.FLOATS else 1 if kind == "bool" else 3 for kind in value_type.leaves)
    text = value_type.build([f"(p3 as {kind})" if kind != "bool" else "(p3 == 3)" for kind in value_type.leaves])
    lines = [site.do("let r0", text), "{store}"]
    return lines, [site.result()], lambda rows, extras, where: once(site.call.evaluate(with_first(rows, [value] * len(rows))))


def converted(kind, source, a, b):
    """What `computed_operand` makes of two scalars of another type."""
    if kind == "bool":
        return int(ar.less(source, a, b))
    if kind in ar.FLOATS:
        return ar.from_float(kind, ar.to_float(source, a))
    return ar.from_int(kind, ar.to_int(source, ar.add(source, a, ar.mul(source, a, b))))


# Methods that tell two NaNs apart.
COMPARING_BITS = ("match", "uniform", "_by")


def computed_operand(site):
    """Widened, narrowed, or compared: a register may hold more than the value's bits."""
    kind = site.call.operands[0].value_type.text
    if kind not in ar.SCALARS:
        return plain(site)
    sources = {"bool": ar.INTEGERS, "bf16": ("f16", "f32")}.get(kind, ar.FLOATS if kind in ar.FLOATS else ar.INTEGERS)
    source = Scalar(choose(site.rng, sources))
    firsts = data.values(site.rng, source, site.total)
    if kind in ar.FLOATS and any(word in site.call.text for word in COMPARING_BITS):
        # Which NaN a conversion gives is not promised.
        firsts = [(0,) if ar.is_nan(source.kind, value[0]) else value for value in firsts]
    first, at = site.load(source, firsts)
    second, at_second = site.load(source, data.values(site.rng, source, site.total))
    text = {"bool": f"({first} < {second})"}.get(kind, f"({first} as {kind})")
    if kind in ar.INTEGERS:
        text = f"(({first} + {first} * {second}) as {kind})"
    index, result, _ = site.result()

    def evaluate(rows, extras, where):
        firsts = [(converted(kind, source.kind, extra[at][0], extra[at_second][0]),) for extra in extras]
        return once(site.call.evaluate(with_first(rows, firsts)))
    return [site.do("let r0", text), "{store}"], [(index, result, False)], evaluate


def same_in_warps_operand(site):
    """The same in all threads of a warp, and maybe another in each warp."""
    value_type = site.call.operands[0].value_type
    text = value_type.build([f"(warp.index as {kind})" if kind != "bool" else "(warp.index == 1)" for kind in value_type.leaves])
    lines = [site.do("let r0", text), "{store}"]

    def scalar(kind, index):
        return ar.from_float(kind, float(index)) if kind in ar.FLOATS else int(index == 1) if kind == "bool" else index

    def evaluate(rows, extras, where):
        warps = [rank % site.shape.threads // where.width for rank in range(len(rows))]
        return once(site.call.evaluate(with_first(rows, [tuple(scalar(kind, w) for kind in value_type.leaves) for w in warps])))
    return lines, [site.result()], evaluate


def broadcast_operand(site):
    """The same in all threads because a collective gave it."""
    rank = site.rng.randrange(site.group.most_ranks(site.shape))
    lines = [f"let same = g.broadcast(o0, min({rank}, g.size - 1));", site.do("let r0", "same"), "{store}"]

    def evaluate(rows, extras, where):
        return once(site.call.evaluate(with_first(rows, [rows[min(rank, len(rows) - 1)][0]] * len(rows))))
    return lines, [site.result()], evaluate


def return_before(site):
    """Some threads of the group return early from a function; all meet again behind it."""
    flag, at = site.load(BOOL, data.flags(site.rng, site.total))
    other, other_at = site.load_other()
    text = site.call.operands[0].value_type.text
    name = f"early_{site.number}"
    site.functions.append(f"fn {name}(leave: bool, a: {text}, b: {text}) -> {text} {{ if leave {{ return a; }} return b; }}")
    lines = [site.do("let r0", f"{name}({flag}, o0, {other})"), "{store}"]

    def evaluate(rows, extras, where):
        firsts = [row[0] if extra[at][0] else extra[other_at] for row, extra in zip(rows, extras)]
        return once(site.call.evaluate(with_first(rows, firsts)))
    return lines, [site.result()], evaluate


def after_divergent_loop(site):
    other, other_at = site.load_other()
    trips, at = site.load(I32, data.numbers(site.rng, 0, 7, site.total))
    lines = ["var a = o0;", f"var b = {other};", f"for trip in 0..{trips} {{ let t = a; a = b; b = t; }}",
             site.do("let r0", "a"), "{store}"]

    def evaluate(rows, extras, where):
        firsts = [extra[other_at] if extra[at][0] % 2 else row[0] for row, extra in zip(rows, extras)]
        return once(site.call.evaluate(with_first(rows, firsts)))
    return lines, [site.result()], evaluate
