"""Types of Coll values. A value is a tuple of the bits of its scalars, in the order of `leaves`."""

import math
import zlib

import arithmetic as ar


class Scalar:
    def __init__(self, kind):
        self.kind = kind
        self.text = kind
        self.leaves = (kind,)
        self.declarations = ()

    def build(self, leaves):
        """The expression that makes a value of expressions of its leaves."""
        return leaves[0]

    def paths(self):
        """What picks each leaf from an expression of this type."""
        return [""]


class Vector:
    def __init__(self, kind, count):
        self.kind = kind
        self.text = f"{kind}x{count}"
        self.leaves = (kind,) * count
        self.declarations = ()

    def build(self, leaves):
        return f"{self.text}({', '.join(leaves)})"

    def paths(self):
        return [f"[{k}]" for k in range(len(self.leaves))]


class Enum:
    """An enum of two names, whose values may be any of its integer type."""

    def __init__(self, kind):
        self.kind = kind
        self.text = f"E_{kind}"
        self.leaves = (kind,)
        self.declarations = (f"enum {self.text}: {kind} {{ low = 3, high }}",)

    def build(self, leaves):
        return f"({leaves[0]} as {self.text})"

    def paths(self):
        return [f" as {self.kind}"]


class Members:
    """What tuples, structs and arrays share: members one after another."""

    def __init__(self, text, members, declarations=()):
        self.text = text
        self.members = members
        self.leaves = tuple(leaf for member in members for leaf in member.leaves)
        below = tuple(line for member in members for line in member.declarations)
        self.declarations = tuple(dict.fromkeys(below + tuple(declarations)))

    def member_texts(self, leaves):
        texts, at = [], 0
        for member in self.members:
            texts.append(member.build(leaves[at:at + len(member.leaves)]))
            at += len(member.leaves)
        return texts

    def paths(self):
        return [self.selector(k) + path for k, member in enumerate(self.members) for path in member.paths()]


class Tuple(Members):
    def __init__(self, *members):
        super().__init__("(" + ", ".join(member.text for member in members) + ")", members)

    def build(self, leaves):
        return "(" + ", ".join(self.member_texts(leaves)) + ")"

    @staticmethod
    def selector(k):
        return f".{k}"


class Array(Members):
    def __init__(self, element, count):
        super().__init__(f"[{element.text}; {count}]", (element,) * count)
        self.element = element
        self.count = count

    def build(self, leaves):
        return "[" + ", ".join(self.member_texts(leaves)) + "]"

    @staticmethod
    def selector(k):
        return f"[{k}]"

    def split(self, value):
        """The elements of a value."""
        size = len(self.element.leaves)
        return [value[k * size:(k + 1) * size] for k in range(self.count)]


class Struct(Members):
    """A struct whose name depends on what it holds, so that equal ones are declared once."""

    def __init__(self, **fields):
        listed = ", ".join(f"{field}: {kind.text}" for field, kind in fields.items())
        name = f"S{zlib.crc32(listed.encode()):08x}"
        super().__init__(name, tuple(fields.values()), (f"struct {name} {{ {listed} }}",))
        self.names = tuple(fields)

    def build(self, leaves):
        parts = (f"{name}: {text}" for name, text in zip(self.names, self.member_texts(leaves)))
        return f"{self.text} {{ {', '.join(parts)} }}"

    def selector(self, k):
        return f".{self.names[k]}"


def scalar_literal(kind, bits):
    """An expression of this very type and these very bits."""
    if kind == "bool":
        return "true" if bits else "false"
    value = ar.to_float(kind, bits) if kind in ar.FLOATS else ar.to_int(kind, bits)
    if kind == "f32" and math.isfinite(value) and value:
        return f"({value.hex()} as f32)"
    if kind in ar.INTEGERS and abs(value) < 1 << 31:
        return f"({value} as {kind})"
    return f"bitcast<{kind}>({bits:#x} as u{ar.BITS[kind]})"


def literal(value_type, value):
    return value_type.build([scalar_literal(kind, bits) for kind, bits in zip(value_type.leaves, value)])


I32 = Scalar("i32")
I64 = Scalar("i64")
BOOL = Scalar("bool")
U64 = Scalar("u64")
SCALAR_TYPES = [Scalar(kind) for kind in ar.SCALARS]


def choose(rng, choices):
    return choices[rng.randrange(len(choices))]


def random_struct(rng, depth=0):
    """A struct with members of several sizes, so with padding at times."""
    return Struct(**{"abcd"[k]: random_type(rng, depth + 1) for k in range(2 + rng.randrange(3))})


def random_type(rng, depth=0):
    """Any type that threads can exchange, of at most 64 bytes."""
    while True:
        made = pick_type(rng, depth)
        if sum(ar.byte_size(kind) for kind in made.leaves) <= 64 and len(made.leaves) <= 16:
            return made


def pick_type(rng, depth):
    roll = rng.randrange(100)
    if roll < 55 or depth >= 2:
        return choose(rng, SCALAR_TYPES)
    if roll < 60:
        return Enum(choose(rng, ar.INTEGERS))
    if roll < 72:
        return Vector(choose(rng, ar.INTEGERS + ar.FLOATS), choose(rng, (2, 4, 8, 16)))
    if roll < 82:
        return Tuple(*(random_type(rng, depth + 1) for _ in range(2 + rng.randrange(2))))
    if roll < 92:
        return random_struct(rng, depth)
    return Array(random_type(rng, depth + 1), 1 + rng.randrange(5))
