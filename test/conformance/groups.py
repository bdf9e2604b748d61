"""Groups: their Coll text, and which threads of a block form each."""

import re

import data
from calls import Operand
from value_types import BOOL, Scalar, choose


# How `warp.active()` comes to be the threads with a true l0: what stands before and behind the statements that use it.
ACTIVE_FORMS = [
    ("if l0 {", "}"),
    ("if l0 { } else { return; }", ""),
    ("switch l0 { true: {", "} false: { } }"),
    ("for once in 0..(l0 ? 1 : 0) {", "}"),
    ("var turn = 0; while turn < 1 { turn += 1; if !l0 { continue; }", "}"),
    ("while true { if !l0 { break; }", "break; }"),
]


class Group:
    """`size` is a tile's, or the most ranks that a group of the kind has where that is known, else None.

    Groups of the kind `members` are parts of `base`: those with an equal `label`, which each thread loads, or for
    `warp.active()` those for which the label is true, because of the `form` around the call. One of the kind `block.warps` has
    the warps of `span`, (first, end, threads of the block)."""

    def __init__(self, kind, text, size=None, base=None, label=None, feature=None, form=None, span=None):
        self.kind = kind
        self.text = text
        self.size = size
        self.base = base
        self.label = label
        self.feature = feature
        self.form = form
        self.span = span

    def labels(self):
        """The operands l0, l1, … that its text names."""
        return (self.base.labels() if self.base else []) + ([self.label] if self.label else [])

    def features(self):
        return (self.base.features() if self.base else set()) | ({self.feature} if self.feature else set())

    def root(self):
        return self.base.root() if self.base else self

    def around(self):
        """What stands before and behind the statements that use it, if anything."""
        return self.form or (self.base.around() if self.base else None)

    def partition(self, threads, width, block=0):
        """The threads of each group, in the order of ranks, in a block that is executed in warps of `width`."""
        if self.kind == "members":
            return self.split(threads, width, block)
        if self.kind == "block":
            return [list(range(threads))]
        if self.kind == "block.warps":
            first, end, _ = self.span
            return [list(range(first * width, min(end * width, threads)))]
        if self.kind == "thread":
            return [[t] for t in range(threads)]
        if self.kind == "block.tile":
            return [list(range(t, t + self.size)) for t in range(0, threads, self.size)]
        warps = [list(range(t, min(t + width, threads))) for t in range(0, threads, width)]
        if self.kind == "warp":
            return warps
        return [warp[i:i + self.size] for warp in warps for i in range(0, len(warp), self.size)]

    def split(self, threads, width, block):
        groups = []
        for whole in self.base.partition(threads, width, block):
            labels = {t: self.label.values[block * threads + t] for t in whole}
            for label in dict.fromkeys(labels.values()):
                if label == (1,) or not self.form:
                    groups.append([t for t in whole if labels[t] == label])
        return groups

    def spell(self, line):
        """A line with `g` for the group: the rank of `thread` is that in its block, so its rank in itself is written out."""
        if self.kind != "thread":
            return line
        return re.sub(r"\bg\.size\b", "1", re.sub(r"\bg\.rank\b", "0", line))

    def fits(self, width):
        tile = self.root()
        if tile.kind == "block.tile":
            return tile.size % width == 0
        if tile.kind == "block.warps":
            return tile.span[1] <= -(-tile.span[2] // width)
        return tile.kind != "tile" or tile.size <= width

    def depends_on_width(self):
        return self.root().kind in ("warp", "block.warps")

    def most_ranks(self, threads):
        """What a constant rank may be below on every target."""
        if self.kind == "block":
            return threads
        if self.kind == "block.warps":
            return min(self.smallest(threads, width) for width in (32, 64) if self.fits(width))
        return 32 if self.kind in ("warp", "members") else self.size

    def smallest(self, threads, width):
        """The ranks of the smallest of the groups."""
        return min(len(group) for group in self.partition(threads, width))


def make_part(rng, base, total):
    """A part of a warp-level group."""
    name = f"l{len(base.labels())}"
    if rng.randrange(2):
        flags = Operand(BOOL, data.flags(rng, total))
        return Group("members", f"{base.text}.partition({name})", base=base, label=flags, feature="partition")
    label_type = Scalar(choose(rng, ("i32", "u8", "u64", "i16")))
    label = Operand(label_type, data.few(rng, label_type, total))
    return Group("members", f"{base.text}.partition_by({name})", base=base, label=label, feature="partition_by")


def make_members(rng, total):
    base = Group("warp", "warp")
    pick = rng.randrange(8)
    if pick < 4:
        base = Group("members", "warp.active()", base=base, label=Operand(BOOL, data.flags(rng, total)), feature="warp.active()",
                     form=choose(rng, ACTIVE_FORMS))
    elif pick == 4:
        base = Group("tile", "warp.tile(8)", 8)
    elif pick == 5:
        base = make_part(rng, base, total)
    return base if pick < 3 else make_part(rng, base, total)


def make_warps(rng, threads):
    """Some warps of the block, as there are where warps have 32 threads; half of the time where they have 64 too."""
    count = -(-threads // choose(rng, (32, 64)))
    first = rng.randrange(count)
    end = first + 1 + rng.randrange(count - first)
    return Group("block.warps", f"block.warps({first}..{end})", feature="block.warps",
                 form=(f"if warp.index >= {first} && warp.index < {end} {{", "}"), span=(first, end, threads))


def random_group(rng, threads, total):
    roll = rng.randrange(100)
    if roll >= 94 and threads > 32:
        return make_warps(rng, threads)
    if roll < 6:
        sizes = [size for size in (32, 64, 128, 256, 512) if threads % size == 0]
        if sizes:
            size = choose(rng, sizes)
            return Group("block.tile", f"block.tile({size})", size, feature="block.tile")
    if roll < 36:
        return Group("block", "block")
    if roll < 56:
        return Group("warp", "warp")
    if roll < 58:
        return Group("thread", "thread", 1)
    if roll < 70:
        return make_members(rng, total)
    size = choose(rng, (1, 2, 4, 8, 16, 32, 64))
    return Group("tile", f"warp.tile({size})", size)
