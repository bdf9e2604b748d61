"""Calls of collectives: their text, their operands, and what they give."""

import arithmetic as ar
import data
from value_types import BOOL, I32, I64


class Operand:
    """An operand that threads load, `values` listing one for each, or a constant, or text with its meaning.

    `compute(rank, size)` gives the value of an operand that is an expression over `{g}`, the group."""

    def __init__(self, value_type, values=None, constant=None, text=None, compute=None):
        self.value_type = value_type
        self.values = values
        self.constant = constant
        self.text = text
        self.compute = compute


class Call:
    """One call of a collective. `evaluate(rows)` takes the operands of each rank and gives each rank's result.

    `exact` says that NaNs of the result, or of each of its scalars, keep their bits. `text` has `{g}` for the group and `{0}`,
    `{1}`, … for operands, `before` and `after` are statements around it. They may use `{n}`, a number of their own, and `{s}`, a
    `shared` array of the type `shared` or, where `scratch` names a scalar type, global memory with a place for each thread. A
    `fixed` call works with its own operands alone. `operator` is that of reduce and the scans, `functions` stand beside the
    kernel."""

    def __init__(self, text, operands, result, evaluate, exact=False, operator=None, before=None, after=None, shared=None,
                 scratch=None, fixed=False, functions=()):
        self.text = text
        self.operands = operands
        self.result = result
        self.evaluate = evaluate
        self.exact = exact
        used = [operand.value_type for operand in operands] + [result]
        below = [line for value_type in used for line in value_type.declarations]
        self.operator = operator
        self.declarations = below + list(operator.declarations if operator else ()) + list(functions)
        self.before = before
        self.after = after
        self.shared = shared
        self.scratch = scratch
        self.fixed = fixed


class Maker:
    """What a maker may ask of the program it makes a call for."""

    def __init__(self, rng, group, shape):
        self.rng = rng
        self.group = group
        self.shape = shape
        self.total = shape.total
        self.most = group.most_ranks(shape)
        # The ranks of a block, for orders.py.
        self.span = shape.threads if group.has_several_blocks() else None
        self.rank_type = I64 if group.kind == "grid" else I32

    def loaded(self, value_type):
        return Operand(value_type, data.values(self.rng, value_type, self.total))

    def constant(self, value_type):
        return Operand(value_type, constant=data.values(self.rng, value_type, 1)[0])

    def flags(self):
        return Operand(BOOL, data.flags(self.rng, self.total))

    def either(self, value_type):
        return self.constant(value_type) if self.rng.randrange(2) else self.loaded(value_type)


def i32(value):
    return (ar.from_int("i32", value),)


def signed(value):
    return ar.to_int("i32", value[0])
