"""Operators of reduce and the scans: Coll text, and what they compute on bits."""

import arithmetic as ar
from value_types import SCALAR_TYPES, Array, Scalar, Struct, Tuple, Vector, choose, literal


class Operator:
    """`combine(left, right)` works on values. `moves` says that results are bits of operands, NaNs included. `text` is what
    stands in the call: a builtin's name, that of one of the `declarations`, or a lambda."""

    def __init__(self, text, combine, identity=None, declarations=(), moves=False):
        self.text = text
        self.combine = combine
        self.identity = identity
        self.declarations = tuple(declarations)
        self.moves = moves


def one(kind):
    return ar.from_float(kind, 1.0) if kind in ar.FLOATS else 1


def smallest(kind):
    if kind in ar.FLOATS:
        return ar.infinity_bits(kind) | ar.sign_bit(kind)
    return ar.sign_bit(kind) if kind in ar.SIGNED else 0


def largest(kind):
    if kind in ar.FLOATS:
        return ar.infinity_bits(kind)
    return ar.mask(kind) >> (kind in ar.SIGNED)


# Name: which scalars, the operation on two, the identity.
NUMBERS = ar.INTEGERS + ar.FLOATS
BITWISE = ("bool",) + ar.INTEGERS
BUILTINS = {
    "add": (NUMBERS, ar.add, lambda kind: 0),
    "mul": (NUMBERS, ar.mul, one),
    "min": (NUMBERS, ar.minimum_number, largest),
    "max": (NUMBERS, ar.maximum_number, smallest),
    "minimum": (ar.FLOATS, ar.minimum, largest),
    "maximum": (ar.FLOATS, ar.maximum, smallest),
    "and": (BITWISE, lambda kind, a, b: a & b, ar.mask),
    "or": (BITWISE, lambda kind, a, b: a | b, lambda kind: 0),
    "xor": (BITWISE, lambda kind, a, b: a ^ b, lambda kind: 0),
}


def memberwise(function, leaves):
    def combine(a, b):
        return tuple(function(kind, x, y) for kind, x, y in zip(leaves, a, b))
    return combine


def builtin(name, value_type):
    _, function, identity = BUILTINS[name]
    return Operator(name, memberwise(function, value_type.leaves), tuple(identity(kind) for kind in value_type.leaves))


def builtins_of(value_type):
    return [name for name, (kinds, _, _) in BUILTINS.items() if all(kind in kinds for kind in value_type.leaves)]


def declared(kind_of_item, name, value_type, body, tail=""):
    return f"{kind_of_item} {name}(a: {value_type.text}, b: {value_type.text}) -> {value_type.text}{tail} {{ return {body}; }}"


def right(value_type):
    return Operator("|a, b| b", lambda a, b: b, moves=True)


def left(value_type):
    return Operator("|a, b| a", lambda a, b: a, moves=True)


def difference(value_type):
    return Operator("|x, y| x - y", memberwise(ar.sub, value_type.leaves))


def weighted(value_type):
    """Neither commutative nor associative, so its result shows the tree."""
    kind = value_type.kind
    factor = ar.from_float(kind, 0.75) if kind in ar.FLOATS else 3
    text = "0.75" if kind in ar.FLOATS else "3"
    name = f"weighted_{kind}"
    return Operator(name, lambda a, b: (ar.mul_add(kind, a[0], factor, b[0]),),
                    declarations=[declared("fn", name, value_type, f"a * {text} + b")])


def last_other(value_type):
    """The last value that is not zero; a NaN is none, too."""
    kind = value_type.kind
    name = f"last_{kind}"
    zero = (0,)
    return Operator(name, lambda a, b: a if ar.equal(kind, b[0], 0) else b, zero,
                    [declared("op", name, value_type, "b != 0 ? b : a", f" identity {literal(value_type, zero)}")], moves=True)


def select_less(value_type):
    kind = value_type.kind
    return Operator("|a, b| b < a ? b : a", lambda a, b: b if ar.less(kind, b[0], a[0]) else a, moves=True)


def plus(value_type):
    """An op that is `add` but for its name."""
    kind = value_type.kind
    name = f"plus_{kind}"
    return Operator(name, memberwise(ar.add, value_type.leaves), (0,),
                    [declared("op", name, value_type, "a + b", f" identity {literal(value_type, (0,))} commutative")])


def captured(value_type):
    """A lambda that works with a parameter of the kernel."""
    kind = value_type.kind
    three = ar.from_float(kind, 3.0) if kind in ar.FLOATS else 3
    return Operator(f"|a, b| a * (p3 as {kind}) + b", lambda a, b: (ar.mul_add(kind, a[0], three, b[0]),))


def quotient(value_type):
    """Division is total, and takes many instructions."""
    kind = value_type.kind

    def combine(a, b):
        x, y = ar.to_int(kind, a[0]), ar.to_int(kind, b[0] | 1)
        size = abs(x) // abs(y)
        return (ar.from_int(kind, (size if (x < 0) == (y < 0) else -size) + ar.to_int(kind, b[0])),)
    return Operator("|a, b| a / (b | 1) + b", combine)


def in_loop(value_type):
    """An operator with a loop, whose trips depend on its operand, and an early return."""
    kind = value_type.kind
    name = f"loop_{kind}"
    body = "if b == a { return b; } var r = a; for k in 0..(b < 0 ? 1 : 3) { r = r - b; if r == 7 { break; } } return r;"
    text = f"op {name}(a: {kind}, b: {kind}) -> {kind} {{ {body} }}"
    seven = ar.from_float(kind, 7.0) if kind in ar.FLOATS else 7

    def combine(a, b):
        if ar.equal(kind, a[0], b[0]):
            return b
        result = a[0]
        for _ in range(1 if ar.less(kind, b[0], 0) else 3):
            result = ar.sub(kind, result, b[0])
            if ar.equal(kind, result, seven):
                break
        return (result,)
    return Operator(name, combine, None, [text])


def implies(value_type):
    return Operator("|a, b| !a || b", lambda a, b: (1 - a[0] | b[0],))


def unequal(value_type):
    return Operator("|a, b| a != b", lambda a, b: (a[0] ^ b[0],))


def affine(kind):
    """Maps h -> f * h + x, composed: the earlier one is the left operand."""
    value_type = Struct(f=Scalar(kind), x=Scalar(kind))
    name = f"then_{kind}"
    identity = (one(kind), 0)

    def combine(a, b):
        return ar.mul(kind, a[0], b[0]), ar.mul_add(kind, a[1], b[0], b[1])
    body = f"{value_type.text} {{ f: a.f * b.f, x: a.x * b.f + b.x }}"
    return value_type, Operator(name, combine, identity, [
        declared("op", name, value_type, body, f" identity {literal(value_type, identity)}")])


def matrix(kind):
    """Products of 2 by 2 matrices, of which only the first row is kept whole."""
    value_type = Struct(a=Vector(kind, 4))

    def combine(x, y):
        rows = []
        for i in (0, 2):
            for j in (0, 1):
                rows.append(ar.mul_add(kind, x[i], y[j], ar.mul(kind, x[i + 1], y[j + 2])))
        return tuple(rows)
    terms = [f"a.a[{i}] * b.a[{j}] + a.a[{i + 1}] * b.a[{j + 2}]" for i in (0, 2) for j in (0, 1)]
    name = f"matrix_{kind}"
    body = f"{value_type.text} {{ a: {kind}x4({', '.join(terms)}) }}"
    return value_type, Operator(name, combine, None, [declared("fn", name, value_type, body)])


def best_pair(kind):
    """The pair with the larger key; among equals the left one."""
    value_type = Tuple(Scalar(kind), Scalar("i32"))
    return value_type, Operator("|a, b| b.0 > a.0 ? b : a", lambda a, b: b if ar.less(kind, a[0], b[0]) else a, moves=True)


def statistics(kind):
    """Leaves of several sizes, each combined in a way of its own."""
    value_type = Struct(count=Scalar("u16"), low=Scalar(kind), last=Array(Scalar("u8"), 3), all=Scalar("bool"))
    name = f"statistics_{kind}"

    def combine(a, b):
        return (ar.add("u16", a[0], b[0]), ar.minimum_number(kind, a[1], b[1]), *b[2:5], a[5] & b[5])
    body = f"{value_type.text} {{ count: a.count + b.count, low: min(a.low, b.low), last: b.last, all: a.all && b.all }}"
    return value_type, Operator(name, combine, None, [declared("op", name, value_type, body)])


def mixed_builtin(rng):
    """A vector, tuple or struct combined member by member, maybe of several kinds."""
    name = choose(rng, list(BUILTINS))
    kinds = BUILTINS[name][0]
    some = [Scalar(choose(rng, kinds)) for _ in range(4)]
    numeric = [kind for kind in kinds if kind != "bool"]
    pick = rng.randrange(4)
    if pick == 0:
        value_type = Vector(choose(rng, numeric), choose(rng, (2, 4, 8, 16)))
    elif pick == 1:
        value_type = Tuple(*some[:2 + rng.randrange(2)])
    elif pick == 2:
        value_type = Tuple(some[0], Tuple(some[1], Vector(choose(rng, numeric), 2)))
    else:
        value_type = Struct(a=some[0], b=some[1], c=Tuple(some[2], some[3]))
    return value_type, builtin(name, value_type)


# Operators of one scalar that is no bool: those whose results show the order of combinations, and others.
IN_ORDER = (difference, captured, weighted, in_loop)
OF_NUMBERS = IN_ORDER * 2 + (right, left, last_other, select_less, plus)


def random_operator(rng):
    """An element type and an operator of it."""
    roll = rng.randrange(100)
    if roll < 38:
        # Floats have operators of their own.
        value_type = choose(rng, SCALAR_TYPES + [Scalar(kind) for kind in ar.FLOATS])
        return value_type, builtin(choose(rng, builtins_of(value_type)), value_type)
    if roll < 48:
        return mixed_builtin(rng)
    if roll < 78:
        value_type = choose(rng, SCALAR_TYPES)
        if value_type.kind == "bool":
            return value_type, choose(rng, (right, left, implies, unequal))(value_type)
        return value_type, choose(rng, OF_NUMBERS + ((quotient,) if value_type.kind in ar.INTEGERS else ()))(value_type)
    if roll < 84:
        value_type = Vector(choose(rng, NUMBERS), choose(rng, (2, 4)))
        return value_type, choose(rng, (right, left, difference, difference))(value_type)
    return choose(rng, (affine, affine, matrix, best_pair, statistics))(choose(rng, NUMBERS))
