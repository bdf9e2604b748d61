"""The programs of arithmetic_check: many rows of arithmetic without control flow, of the kind that optimisers and assemblers rewrite.

A row reads what its lane has of some inputs, computes a value and stores it. A program is a kernel of one block with many rows;
its text and its data follow from its kind and its number alone. Nothing here says what is right: the reference device does.
"""

import itertools
import random
import re
import typing

INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
SCALARS = INTEGERS + FLOATS
# The bits of exponent and mantissa.
LAYOUTS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
LANES = 64
# The rows of a program of random chains, and of one of bounds.
ROWS = 60
BOUND_ROWS = 120
BOUND_TYPES = [*FLOATS, "f16x2", "bf16x2", "f32x2"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
FLOAT_CONSTANTS = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "2.0", "-2.0", "255.0", "0.25", "4.0", "inf", "-inf", "65504.0"]
INTEGER_CONSTANTS = [0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF, 0x10000,
                     0xFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]  # fmt: skip


def width_of(scalar):
    return int(scalar.lstrip("iubf"))


def element_of(value_type):
    return value_type.partition("x")[0]


class Row(typing.NamedTuple):
    """Statements that end in a value, and its type."""

    statements: list
    value: str
    type: str


class Program:
    """A kernel, and for each of its inputs the bits of the elements."""

    def __init__(self, name, rows):
        self.name = name
        self.lines = {}  # By the type of the result and the index among those of that type.
        counts = {}
        for row in rows:
            index = counts[row.type] = counts.get(row.type, -1) + 1
            store = f"y_{row.type}[{index * LANES} + t] = {row.value};"
            self.lines[row.type, index] = f"{{ {' '.join([*row.statements, store])} }}"
        body = "".join(f"  {line}\n" for line in self.lines.values())
        inputs = sorted(set(re.findall(r"\bx_(\w+)\[", body)), key=SCALARS.index)
        parameters = [f"x_{scalar}: [{LANES}]{scalar}" for scalar in inputs]
        parameters += [f"y_{result}: mut [{(last + 1) * LANES}]{result}" for result, last in counts.items()]
        self.text = f"kernel k({', '.join(parameters)}) workgroup({LANES}) grid(1) {{\n  let t = thread.rank;\n{body}}}\n"
        self.inputs = {scalar: make_data(random.Random(f"{name} {scalar}"), scalar) for scalar in inputs}

    def line_of(self, result, element):
        """The text of the row that wrote an element of a result, and the lane."""
        return self.lines[result, element // LANES], element % LANES


# Data.


def special_floats(scalar):
    """Zeros, ones, infinities, NaNs of both kinds, the ends of the range, values next to integers and the limits of integers."""
    exponent, mantissa = LAYOUTS[scalar]
    step = 1 << mantissa
    one = ((1 << (exponent - 1)) - 1) * step
    infinity = ((1 << exponent) - 1) * step
    near_one = [one, one - step, one + step, one + step // 2, one + step + step // 4, one - 2 * step + step // 3]
    powers = [one + power * step for power in (7, 8, 15, 16, 31, 32, 63, 64) if one + power * step < infinity]
    ends = [infinity, infinity | step // 2, infinity | 1, 1, step, infinity - 1]
    magnitudes = [0, *near_one, *ends, one + 7 * step + 127 * (step >> 7), *powers]
    return [magnitude | sign for magnitude in magnitudes for sign in (0, 1 << (exponent + mantissa))]


def random_float(rng, scalar):
    """Any bits, or a value of moderate size."""
    exponent, mantissa = LAYOUTS[scalar]
    if rng.random() < 0.5:
        return rng.getrandbits(1 + exponent + mantissa)
    biased = (1 << (exponent - 1)) - 1 + rng.randint(-4, 8)
    return rng.getrandbits(1) << (exponent + mantissa) | biased << mantissa | rng.getrandbits(mantissa)


def special_integers(width):
    wanted = [0, 1, 2, 3, -1, 1 << (width - 1), (1 << (width - 1)) - 1, (1 << (width - 1)) + 1, -2, 7, 8, 100, 127, 128, 255]
    return [value & ((1 << width) - 1) for value in wanted]


def random_integer(rng, width):
    """Any bits, or a small value."""
    return rng.getrandbits(width if rng.random() < 0.5 else min(width, rng.choice([4, 8, 16, 24])))


def make_data(rng, scalar):
    """The bits of an input: special values first, random ones behind them."""
    if scalar in FLOATS:
        bits = special_floats(scalar)
        return bits + [random_float(rng, scalar) for _ in range(LANES - len(bits))]
    bits = special_integers(width_of(scalar))
    return bits + [random_integer(rng, width_of(scalar)) for _ in range(LANES - len(bits))]


# Constants and results of random rows.


def bare_constant(rng, scalar):
    if scalar in FLOATS:
        return f"{rng.choice(FLOAT_CONSTANTS)} as {scalar}"
    width = width_of(scalar)
    value = rng.choice(INTEGER_CONSTANTS) & ((1 << width) - 1)
    if scalar[0] == "i":
        value -= (value >> (width - 1)) << width
        value = -value if rng.random() < 0.3 and value != -1 << (width - 1) else value
    # 2^63 is no literal of i64, also behind a minus in a cast.
    return "1 as i64 << 63" if scalar == "i64" and value == -1 << 63 else f"{value} as {scalar}"


def constant(rng, scalar):
    return f"({bare_constant(rng, scalar)})"


def bits_of(scalar, value):
    """A float's bits, and always the same ones of a NaN."""
    unsigned = f"u{width_of(scalar)}"
    return f"{value} == {value} ? bitcast<{unsigned}>({value}) : ({(1 << width_of(scalar)) - 1} as {unsigned})"


def finish(rng, statements, value, scalar):
    """The row that stores a scalar: as it is, an integer widened, or a float as bits."""
    if rng.random() < 0.5:
        return Row(statements, value, scalar)
    if scalar in FLOATS:
        return Row(statements, bits_of(scalar, value), f"u{width_of(scalar)}")
    return Row(statements, f"{value} as u64", "u64")


# Chains with bounds.


def bound_operations(value_type):
    """What may stand anywhere in a chain: texts with a place for the operand."""
    found = ["(-{0})", "abs({0})", "({0} * {0})", "({0} + 1.0)"]
    for bound in ("0.0", "-0.0", "1.0", "-1.0"):
        operand = f"{value_type}({bound})" if "x" in value_type else f"({bound} as {value_type})"
        functions = ["min", "max"] if bound == "-1.0" else ["min", "max", "minimum", "maximum"]
        found += [f"{function}({{0}}, {operand})" for function in functions]
    return found


def bound_comparisons(value_type):
    """What else may end a chain; there are no such comparisons of vectors."""
    if "x" in value_type:
        return []
    return [f"({{0}} {comparison} ({bound} as {value_type}) ? 1.0 as {value_type} : 2.0 as {value_type})"
            for comparison in COMPARISONS for bound in ("0.0", "-0.0", "-1.0", "1.0")]


def list_bound_chains():
    """All of them, (type, three operations), in a random order: a program has chains of every type."""
    chains = []
    for value_type in BOUND_TYPES:
        anywhere = bound_operations(value_type)
        last = anywhere + bound_comparisons(value_type)
        chains += [(value_type, *operations) for operations in itertools.product(anywhere, anywhere, last)]
    random.Random("bounds").shuffle(chains)
    return chains


BOUND_CHAINS = list_bound_chains()
BOUND_PROGRAMS = -(-len(BOUND_CHAINS) // BOUND_ROWS)


def bound_row(value_type, *operations):
    element = element_of(value_type)
    if value_type == element:
        load = f"x_{element}[t]"
    else:
        load = f"{value_type}(x_{element}[t], x_{element}[(t + 7) % {LANES}])"
    value = "a"
    for operation in operations:
        value = operation.format(value)
    return Row([f"let a = {load};"], value, value_type)


def make_bounds(number):
    """Chains of three of: min and max with 0, -0, 1 and -1, minimum and maximum with 0, -0 and 1, negation, abs, squaring, adding 1; of
    scalars a comparison with one of the four may be the last. The programs together have all these chains for all of BOUND_TYPES.

    For compilers that take minima and maxima for clamps or for modifiers of an instruction, and lose NaNs or the sign of zero."""
    return [bound_row(*chain) for chain in BOUND_CHAINS[number::BOUND_PROGRAMS]]


# Random chains of scalars.


class Chain:
    """Statements each of which computes a value from the last one, constants and earlier values."""

    def __init__(self, rng, scalar):
        self.rng = rng
        self.statements = [f"let v0 = x_{scalar}[t];"]
        self.value, self.type = "v0", scalar
        self.values = {scalar: ["v0"]}

    def constant(self):
        return constant(self.rng, self.type)

    def operand(self):
        return self.rng.choice(self.values[self.type]) if self.rng.random() < 0.35 else self.constant()

    def add(self, text, scalar):
        word = "let" if self.rng.random() < 0.85 else "var"
        self.value, self.type = f"v{len(self.statements)}", scalar
        self.statements.append(f"{word} {self.value}: {scalar} = {text};")
        self.values.setdefault(scalar, []).append(self.value)

    def step(self):
        kind = self.rng.random()
        if kind < 0.14:
            other = self.rng.choice([scalar for scalar in SCALARS if scalar != self.type])
            self.add(f"{self.value} as {other}", other)
        elif kind < 0.24:
            self.add(self.select(), self.type)
        else:
            texts = self.float_texts() if self.type in FLOATS else self.integer_texts()
            self.add(self.rng.choice(texts), self.type)

    def select(self):
        value, old, comparison = self.value, self.rng.choice(self.values[self.type]), self.rng.choice(COMPARISONS)
        compared = self.constant() if self.rng.random() < 0.7 else old
        arms = [self.rng.choice([value, old, self.constant()]) for _ in range(2)]
        return f"{value} {comparison} {compared} ? {arms[0]} : {arms[1]}"

    def float_texts(self):
        """Operations on the last value; those that are here twice are taken twice as often."""
        v, o = self.value, self.operand()
        texts = [f"{name}({v}, {o})" for name in ("min", "max", "min", "max", "minimum", "maximum")]
        texts += [f"{v} + {o}", f"{v} - {o}", f"{v} * {o}", f"{v} * {o}", f"{o} - {v}", f"{o} / {v}", f"{v} / {o}"]
        texts += [f"-{v}", f"abs({v})", f"abs({v}) + {o}", f"sqrt({v})", f"sqrt({v})"]
        texts.append(f"{self.rng.choice(['floor', 'ceil', 'trunc', 'round'])}({v})")
        if self.type != "bf16":
            texts += [f"fma({v}, {o}, {self.constant()})"] * 2
        return texts

    def integer_texts(self):
        v, o, t, width = self.value, self.operand(), self.type, width_of(self.type)
        count = self.rng.choice([0, 1, 2, 3, 4, 7, 8, width // 2, width - 1])
        divisor = self.rng.choice([f"({o} | 1)", *[f"({value} as {t})" for value in (1, 2, 3, 5, 7, 10, 16, 100, 127)]])
        texts = [f"{v} {operator} {o}" for operator in "+-*&|^+-*"]
        texts += [f"{v} {operator} ({count} as {t})" for operator in ("<<", ">>", "<<", ">>")]
        texts += [f"{v} {operator} {divisor}" for operator in "/%"]
        texts += [f"min({v}, {o})", f"max({v}, {o})", f"(0 as {t}) - {v}", f"~{v}", f"reverse({v})"]
        texts.append(f"{self.rng.choice(['popcount', 'clz', 'ctz'])}({v}) as {t}")
        return texts + [f"abs({v})"] * (t[0] == "i")


def chain_row(rng):
    chain = Chain(rng, rng.choice(SCALARS))
    for _ in range(rng.randint(2, 6)):
        chain.step()
    return finish(rng, chain.statements, chain.value, chain.type)


def never_negative(rng, scalar, depth):
    """An expression of a and b that is not below zero, but may be a NaN."""
    if depth == 0:
        return f"abs({rng.choice('ab')})" if rng.random() < 0.8 else f"({rng.choice(['0.0', '0.5', '1.0', '-0.0'])} as {scalar})"
    x, y = (never_negative(rng, scalar, depth - 1) for _ in range(2))
    a, b = rng.choice("ab"), rng.choice("ab")
    return rng.choice([f"({x} + {y})", f"({x} * {y})", f"({x} / {y})", f"min({x}, {y})", f"max({x}, {y})", f"maximum({x}, {y})",
                       f"sqrt({x})", f"({a} * {a})", f"({a} > {b} ? {x} : {y})"])  # fmt: skip


def never_negative_row(rng):
    """Something that a compiler may do with such an expression because of its sign."""
    scalar = rng.choice(FLOATS)
    value = never_negative(rng, scalar, rng.randint(0, 3))
    bound, integer = rng.choice(["0.0", "-0.0", "-1.0", "-2.0", "1.0"]), rng.choice(INTEGERS)
    value, result = rng.choice([
        (f"{value} {rng.choice(COMPARISONS)} ({bound} as {scalar}) ? {rng.choice(['5', 'a > b ? 7 : 8'])} : 6", "i32"),
        (f"abs({value}) == abs({value}) ? abs({value}) : (3.0 as {scalar})", scalar),
        (f"{value} as {integer}", integer),
        (f"max({value}, (-1.0 as {scalar})) as {integer}", integer),
        (f"max(min({value}, (1.0 as {scalar})), (0.0 as {scalar}))", scalar),
    ])  # fmt: skip
    distance = rng.choice([1, 3, 7, 20])
    loads = [f"let a = x_{scalar}[t];", f"let b = x_{scalar}[(t + {distance}) % {LANES}];", f"let c: {result} = {value};"]
    return finish(rng, loads, "c", result)


def make_scalars(number):
    """Random chains of arithmetic, comparisons and selects of one type with casts between all types, and expressions of floats that
    are never negative.

    For compilers that narrow, widen or combine operations, fold casts, or conclude too much from the sign of a value."""
    rng = random.Random(f"scalars {number}")
    return [never_negative_row(rng) if rng.random() < 0.2 else chain_row(rng) for _ in range(ROWS)]


# Random chains of vectors.


def vector_constant(rng, scalar, size):
    elements = [bare_constant(rng, scalar) for _ in range(1 if rng.random() < 0.4 else size)]
    return f"{scalar}x{size}({', '.join(elements)})"


def vector_texts(rng, scalar, size, value, values):
    """Operations on a vector, as Chain's."""
    v, o = value, rng.choice(values) if rng.random() < 0.45 else vector_constant(rng, scalar, size)
    texts = [f"min({v}, {o})", f"max({v}, {o})"] * 2 + [f"{v} {operator} {o}" for operator in "+-*+-*"] + [f"{o} - {v}"]
    texts += [f"{v}.x {rng.choice(COMPARISONS)} {constant(rng, scalar)} ? {v} : {o}"] * 2
    if scalar in FLOATS:
        return texts + [f"minimum({v}, {o})", f"maximum({v}, {o})", f"-{v}", f"abs({v})"]
    count = f"{scalar}x{size}({rng.choice([0, 1, 3, 4, 7])} as {scalar})"
    texts += [f"{v} {operator} {o}" for operator in "&|^"] + [f"{v} << {count}", f"{v} >> {count}"]
    return texts + [f"abs({v})"] * (scalar[0] == "i")


def vector_row(rng):
    scalar, size = rng.choice(SCALARS), rng.choice([2, 2, 4])
    vector = f"{scalar}x{size}"
    values = ["v", "w"]
    statements = []
    for name in values:
        elements = [f"x_{scalar}[(t + {distance}) % {LANES}]" for distance in rng.sample(range(LANES), size)]
        statements.append(f"let {name} = {vector}({', '.join(elements)});")
    value = "v"
    for step in range(rng.randint(2, 5)):
        statements.append(f"let v{step}: {vector} = {rng.choice(vector_texts(rng, scalar, size, value, values))};")
        value = f"v{step}"
        values.append(value)
    if rng.random() < 0.5:
        return Row(statements, value, vector)
    return finish(rng, statements, f"{value}.{'xyzw'[rng.randrange(size)]}", scalar)


def make_vectors(number):
    """Random chains of arithmetic on vectors of 2 and 4, of which one component may be all that is used.

    For compilers that pack elements into registers and take them apart again."""
    rng = random.Random(f"vectors {number}")
    return [vector_row(rng) for _ in range(ROWS)]


# The makers of a program's rows by its number.
KINDS = {"bounds": make_bounds, "scalars": make_scalars, "vectors": make_vectors}


def has_program(kind, number):
    return number >= 0 and (kind != "bounds" or number < BOUND_PROGRAMS)


def make_program(kind, number):
    return Program(f"{kind}-{number}", KINDS[kind](number))
