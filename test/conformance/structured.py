"""Functions of random structured control flow in which each thread goes its own way, with collectives of `warp.active()`.

A function is written together with its meaning. Statements are pairs of lines and `run(frame, lanes)`, which executes them for
the lanes of a group that come there, and gives those that go on behind them: this is how semantics.md defines `warp.active()`.
"""

import zlib

import arithmetic as ar
import orders
from calls import Call
from value_types import I32, choose

DEPTH = 3
MOST_TRIPS = 3


def wrap(value, bits=32):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class Frame:
    """A call of a function: variables of each lane, what has been returned, and sets of lanes that left the loops around."""

    def __init__(self, variables):
        self.variables = variables
        self.results = {}
        self.loops = []


BINARY = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
}
COMPARISONS = {"<": lambda a, b: a < b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b}


def mix(a, b):
    return wrap(a * 3 + b)


# Collectives of the active threads: text of `{0}`, and what each gets of a list of values in rank order.
ACTIVE = [
    ("warp.active().reduce(add, {0})", lambda values: [wrap(sum(values))] * len(values)),
    ("warp.active().reduce(max, {0})", lambda values: [max(values)] * len(values)),
    ("warp.active().reduce(|a, b| a * 3 + b, {0})", lambda values: [orders.reduce(mix, values)] * len(values)),
    ("warp.active().scan(|a, b| a * 3 + b, {0})", lambda values: orders.scan(mix, values)),
    ("warp.active().exclusive_scan(add, {0})", lambda values: [wrap(sum(values[:k])) for k in range(len(values))]),
    ("warp.active().count({0} > 3)", lambda values: [sum(value > 3 for value in values)] * len(values)),
    ("warp.active().rank_among({0} < 9)", lambda values: [sum(value < 9 for value in values[:k]) for k in range(len(values))]),
    ("warp.active().broadcast({0}, warp.active().size - 1)", lambda values: [values[-1]] * len(values)),
    ("warp.active().shuffle_down({0}, 1)", lambda values: values[1:] + values[-1:]),
    ("warp.active().rotate({0}, 1)", lambda values: values[1:] + values[:1]),
    ("(warp.active().elect() ? {0} : 5)", lambda values: values[:1] + [5] * (len(values) - 1)),
    ("warp.active().rank * 7 + warp.active().size", lambda values: [k * 7 + len(values) for k in range(len(values))]),
    ("warp.active().partition({0} % 2 == 0).count(true)",
     lambda values: [sum(other % 2 == value % 2 for other in values) for value in values]),
]


class Writer:
    """Writes one function; `helper` is one that it may call, (name, call)."""

    def __init__(self, rng, asks_active, helper=None):
        self.rng = rng
        self.asks_active = asks_active
        self.helper = helper
        self.numbers = ["v0", "v1", "v2"]
        self.count = 0
        self.budget = 24

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def expression(self, depth=2):
        """Text and meaning: `value(variables)` of one lane."""
        pick = self.rng.randrange(10)
        if depth == 0 or pick < 3:
            name = choose(self.rng, self.numbers)
            return name, lambda variables: variables[name]
        if pick == 3:
            number = self.rng.randrange(100)
            return str(number), lambda variables: number
        if pick == 4:
            return "(w as i32)", lambda variables: wrap(variables["w"])
        if pick == 5:
            return "((w >> 32) as i32)", lambda variables: wrap(variables["w"] >> 32)
        inner, value = self.expression(depth - 1)
        if pick == 6:
            return f"(({inner}) as i8 as i32)", lambda variables: wrap(value(variables), 8)
        if pick == 7:
            return f"m[({inner}) & 3]", lambda variables: variables["m"][value(variables) & 3]
        right, other = self.expression(depth - 1)
        sign = choose(self.rng, list(BINARY))
        return f"({inner} {sign} {right})", lambda variables: wrap(BINARY[sign](value(variables), other(variables)))

    def condition(self):
        left, first = self.expression(1)
        right, second = self.expression(1)
        sign = choose(self.rng, list(COMPARISONS))
        text = f"({left} & 15) {sign} ({right} & 15)"
        return text, lambda variables: COMPARISONS[sign](first(variables) & 15, second(variables) & 15)

    def assignment(self):
        text, value = self.expression()
        pick = self.rng.randrange(6)
        if pick == 0:
            place, at = self.expression(1)

            def store(frame, lanes):
                for lane in lanes:
                    variables = frame.variables[lane]
                    variables["m"][at(variables) & 3] = value(variables)
                return lanes
            # The value comes first, as its own reads of the array are those of before.
            return [f"m[({place}) & 3] = {text};"], store
        name, line = choose(self.rng, self.numbers[:3]), None
        if pick == 1:
            name, line = "w", f"w = w * 5 + ({text}) as i64;"

        def assign(frame, lanes):
            for lane in lanes:
                variables = frame.variables[lane]
                result = value(variables)
                variables[name] = wrap(variables["w"] * 5 + result, 64) if name == "w" else result
            return lanes
        return [line or f"{name} = {text};"], assign

    def active(self):
        text, meaning = choose(self.rng, ACTIVE)
        operand, value = self.expression(1)
        name = choose(self.rng, self.numbers[:3])

        def run(frame, lanes):
            listed = sorted(lanes)
            for lane, result in zip(listed, meaning([value(frame.variables[lane]) for lane in listed]) if listed else []):
                frame.variables[lane][name] = wrap(frame.variables[lane][name] ^ result)
            return lanes
        return [f"{name} = {name} ^ ({text.format(operand)});"], run

    def call(self):
        name, callee = self.helper
        first, a = self.expression(1)
        second, b = self.expression(1)

        def run(frame, lanes):
            results = callee({lane: (a(frame.variables[lane]), b(frame.variables[lane])) for lane in lanes})
            for lane in lanes:
                frame.variables[lane]["v2"] = results[lane]
            return lanes
        return [f"v2 = {name}({first}, {second});"], run

    def leave(self, in_loop):
        """Some lanes break, continue or return."""
        text, holds = self.condition()
        word = choose(self.rng, ("return", "break", "continue") if in_loop else ("return",))
        result, value = self.expression(1)

        def run(frame, lanes):
            leaving = {lane for lane in lanes if holds(frame.variables[lane])}
            if word == "return":
                frame.results.update((lane, value(frame.variables[lane])) for lane in leaving)
            else:
                frame.loops[-1][word] |= leaving
            return lanes - leaving
        return [f"if {text} {{ {word}{f' {result}' if word == 'return' else ''}; }}"], run

    def branch(self, depth, in_loop):
        text, holds = self.condition()
        (then, run_then), (other, run_other) = self.block(depth, in_loop), self.block(depth, in_loop)

        def run(frame, lanes):
            yes = {lane for lane in lanes if holds(frame.variables[lane])}
            return run_then(frame, yes) | run_other(frame, lanes - yes)
        return [f"if {text} {{", *then, "} else {", *other, "}"], run

    def switch(self, depth, in_loop):
        text, value = self.expression(1)
        arms = [self.block(depth, in_loop) for _ in range(3)]

        def run(frame, lanes):
            parts = [set(), set(), set()]
            for lane in lanes:
                parts[{0: 0, 1: 1, 2: 1}.get(value(frame.variables[lane]) % 8, 2)].add(lane)
            return set().union(*(arm[1](frame, part) for arm, part in zip(arms, parts)))
        zero, few, other = (lines for lines, _ in arms)
        return [f"switch ({text}) & 7 {{", "0: {", *zero, "}", "1, 2: {", *few, "}", "else: {", *other, "}", "}"], run

    def loop(self, depth):
        """Counted, with a bound of each lane's own, or with an exit behind a condition."""
        counter = self.name("k")
        counted = self.rng.randrange(2)
        text, value = self.expression(1)
        stop, stops = self.condition()
        if counted:
            self.numbers.append(counter)
        body, run_body = self.block(depth, True)
        if counted:
            self.numbers.remove(counter)

        def run(frame, lanes):
            bounds = {lane: value(frame.variables[lane]) & MOST_TRIPS for lane in lanes}
            left, out, trip = lanes, set(), 0
            while left:
                for lane in left:
                    frame.variables[lane][counter] = trip
                if counted:
                    now = {lane for lane in left if trip < bounds[lane]}
                else:
                    now = {lane for lane in left if trip < MOST_TRIPS and not stops(frame.variables[lane])}
                out |= left - now
                frame.loops.append({"break": set(), "continue": set()})
                left = run_body(frame, now) if now else set()
                left |= frame.loops[-1]["continue"]
                out |= frame.loops.pop()["break"]
                trip += 1
            return out
        if counted:
            return [f"for {counter} in 0..(({text}) & {MOST_TRIPS}) {{", *body, "}"], run
        return [f"var {counter} = 0;", "while true {", f"{counter} += 1;",
                f"if {counter} > {MOST_TRIPS} || {stop} {{ break; }}", *body, "}"], run

    def statement(self, depth, in_loop):
        self.budget -= 1
        pick = self.rng.randrange(12)
        if depth and self.budget > 0 and pick < 5:
            return (self.branch, self.switch)[pick % 2](depth - 1, in_loop) if pick < 3 else self.loop(depth - 1)
        if pick < 7 and self.asks_active:
            return self.active()
        if pick == 7:
            return self.leave(in_loop)
        if pick == 8 and self.helper:
            return self.call()
        return self.assignment()

    def block(self, depth, in_loop):
        count = (3 if depth == DEPTH else 1) + self.rng.randrange(3)
        statements = [self.statement(depth, in_loop) for _ in range(count)]

        def run(frame, lanes):
            for _, step in statements:
                lanes = step(frame, lanes)
            return lanes
        return ["  " + line for lines, _ in statements for line in lines], run

    def function(self):
        """Name, lines, and `call(arguments)`, which maps lanes and their arguments to lanes and results."""
        body, run = self.block(DEPTH, False)
        lines = ["var v0 = a;", "var v1 = b;", "var v2 = a ^ b;", "var w = (a as i64) * 4294967311 + b as i64;",
                 "var m = [a, b, 7, 9];", *body, "return v0 ^ v1 ^ v2 ^ (w as i32) ^ m[v0 & 3];"]
        name = f"way_{zlib.crc32(''.join(lines).encode()):08x}"

        def call(arguments):
            frame = Frame({})
            for lane, (a, b) in arguments.items():
                frame.variables[lane] = {"v0": a, "v1": b, "v2": wrap(a ^ b), "w": wrap(a * 4294967311 + b, 64),
                                         "m": [a, b, 7, 9]}
            for lane in run(frame, set(arguments)):
                variables = frame.variables[lane]
                last = variables["v0"] ^ variables["v1"] ^ variables["v2"] ^ wrap(variables["w"])
                frame.results[lane] = wrap(last ^ variables["m"][variables["v0"] & 3])
            return frame.results
        return name, [f"fn {name}(a: i32, b: i32) -> i32 {{", *("  " + line for line in lines), "}"], call


def make_way(make):
    """The threads of a group go through a function; those of a warp meet in it."""
    asks_active = make.group.kind == "warp"
    helper, helper_lines, call_helper = Writer(make.rng, asks_active).function()
    name, lines, call = Writer(make.rng, asks_active, (helper, call_helper)).function()

    def evaluate(rows):
        results = call({rank: tuple(ar.to_int("i32", operand[0]) for operand in row) for rank, row in enumerate(rows)})
        return [(ar.from_int("i32", results[rank]),) for rank in range(len(rows))]
    operands = [make.loaded(I32), make.loaded(I32)]
    return Call(f"{name}({{0}}, {{1}})", operands, I32, evaluate, functions=["\n".join(helper_lines), "\n".join(lines)])
