"""A call and what its context adds, and what contexts share."""

import collections

import data
from calls import Operand
from value_types import BOOL, literal

# Which group it is: the index of its cluster, of its first block, of the warp of its first thread, and the warps' width.
Where = collections.namedtuple("Where", ("cluster", "block", "warp", "width"))


class Site:
    """A call and what its context adds: more loaded values, functions beside it."""

    def __init__(self, rng, number, call, group, shape):
        self.rng = rng
        self.number = number
        self.call = call
        self.group = group
        self.shape = shape
        self.total = shape.total
        self.calls = 0
        self.extras = []
        self.functions = []
        # The only scalar of the first result that is stored, or None.
        self.kept_leaf = None

    def load(self, value_type, values):
        """The name and the index among `extras` of one more value that each thread loads."""
        self.extras.append(Operand(value_type, values))
        return f"x{len(self.extras) - 1}", len(self.extras) - 1

    def load_other(self):
        """Another value of the first operand's type."""
        value_type = self.call.operands[0].value_type
        return self.load(value_type, data.values(self.rng, value_type, self.total))

    def names(self):
        result = []
        for k, operand in enumerate(self.call.operands):
            text = f"o{k}"
            if operand.constant is not None:
                text = literal(operand.value_type, operand.constant)
            elif operand.text:
                text = operand.text.format(g="g")
            result.append(text)
        return result

    def do(self, target, first=None):
        """The statements that give the call's result to `target` ('let r0', 'r0'), with another first operand perhaps."""
        names = self.names()
        if first is not None:
            names[0] = first
        parts = [self.call.before or "", f"{target} = {self.call.text};", self.call.after or ""]
        self.calls += 1
        return " ".join(part.format(*names, g="g", s="s", n=self.calls) for part in parts if part)

    def expression(self):
        """The call alone; of one with nothing around it."""
        return self.call.text.format(*self.names(), g="g")

    def result(self, index=0):
        return index, self.call.result, self.call.exact

    def condition(self):
        """A condition that is the same in the whole group, and its meaning."""
        pick = self.rng.randrange(6)
        if pick == 0 and self.group.kind == "cluster":
            return "cluster.index % 2 == 0", lambda extras, where: where.cluster % 2 == 0
        if pick == 0 and self.group.kind != "grid":
            return "block.index % 2 == 0", lambda extras, where: where.block % 2 == 0
        if pick == 1:
            return "p3 == 3", lambda extras, where: True
        if pick == 2:
            return "p3 == 4", lambda extras, where: False
        if pick == 3 and self.group.kind in ("warp", "tile"):
            return "warp.index % 2 == 1", lambda extras, where: where.warp % 2 == 1
        name, at = self.load(BOOL, data.flags(self.rng, self.total))
        if pick == 4:
            return f"g.any({name})", lambda extras, where: any(extra[at][0] for extra in extras)
        return f"g.count({name}) * 2 > g.size", lambda extras, where: 2 * sum(extra[at][0] for extra in extras) > len(extras)


def once(values):
    return [(value,) for value in values]


def with_first(rows, firsts):
    return [[first] + row[1:] for row, first in zip(rows, firsts)]


def pick_extra(extras, at):
    return [extra[at] for extra in extras]


def plain(site):
    """The simplest context."""
    return [site.do("let r0"), "{store}"], [site.result()], lambda rows, extras, where: once(site.call.evaluate(rows))
