"""Calls of reduce, the scans, arg_min and arg_max."""

import arithmetic as ar
import data
import operators
import orders
from calls import Call, Operand
from value_types import Array, Scalar, Tuple, choose


def combined(make):
    """An element type, an operator, and an operand of elements or of arrays of them."""
    element, operator = operators.random_operator(make.rng)
    small = sum(ar.byte_size(kind) for kind in element.leaves) <= 16
    count = choose(make.rng, (0, 0, 0, 1, 2, 3, 4, 5)) if small or make.group.kind == "thread" else 0
    operand = make.loaded(Array(element, count) if count else element)
    return element, operator, operand


def split(operand, row):
    return operand.value_type.split(row[0]) if isinstance(operand.value_type, Array) else row[0]


def flat(value):
    """A value of an array that is listed by elements."""
    return tuple(bits for element in value for bits in element) if isinstance(value, list) else value


def make_reduce(make):
    element, operator, operand = combined(make)
    order = orders.reduce_chunks if isinstance(operand.value_type, Array) else orders.reduce

    def evaluate(rows):
        result = order(operator.combine, [split(operand, row) for row in rows], make.span)
        return [result] * len(rows)
    return Call(f"{{g}}.reduce({operator.text}, {{0}})", [operand], element, evaluate, operator.moves, operator)


def make_scans(method):
    def make_scan(make):
        element, operator, operand = combined(make)
        rng = make.rng
        reverse = rng.randrange(3) == 0
        operands, options, with_init = [operand], "", False
        if method != "scan" and (operator.identity is None or rng.randrange(2)):
            operands.append(make.either(element))
            options, with_init = ", init = {1}", True
        if reverse:
            options += ", reverse = true"
        chunks = isinstance(operand.value_type, Array)
        inclusive = orders.scan_chunks if chunks else orders.scan
        exclusive = orders.exclusive_scan_chunks if chunks else orders.exclusive_scan
        total_of = orders.scan_total_chunks if chunks else orders.scan_total

        def evaluate(rows):
            turn = orders.backward if reverse else list
            elements = turn([split(operand, row) for row in rows])
            inits = turn([row[1] for row in rows]) if with_init else None
            if method == "scan":
                return [flat(value) for value in turn(inclusive(operator.combine, elements, make.span))]
            before = turn(exclusive(operator.combine, elements, operator.identity, inits, make.span))
            before = [flat(value) for value in before]
            if method == "exclusive_scan":
                return before
            total = total_of(operator.combine, elements, make.span)
            return [value + total for value in before]
        result = Tuple(operand.value_type, element) if method == "scan_total" else operand.value_type
        return Call(f"{{g}}.{method}({operator.text}, {{0}}{options})", operands, result, evaluate, operator.moves,
                    operator)
    return make_scan


def make_extreme(method):
    def make_arg(make):
        value_type = Scalar(choose(make.rng, ar.INTEGERS + ar.FLOATS))
        kind = value_type.kind
        few = make.rng.randrange(2)
        operand = Operand(value_type, (data.few if few else data.values)(make.rng, value_type, make.total))

        def better(a, b):
            if ar.is_nan(kind, b):
                return False
            return ar.is_nan(kind, a) or (ar.less(kind, b, a) if method == "arg_min" else ar.less(kind, a, b))

        def evaluate(rows):
            best = 0
            for rank, row in enumerate(rows):
                if better(rows[best][0][0], row[0][0]):
                    best = rank
            return [(rows[best][0][0], best)] * len(rows)
        return Call(f"{{g}}.{method}({{0}})", [operand], Tuple(value_type, make.rank_type), evaluate)
    return make_arg
