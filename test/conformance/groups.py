"""Groups: their Coll text, and which threads of a block form each."""

import re

import data
from calls import Operand
from value_types import BOOL, I32, Scalar, choose, random_type


# How `warp.active()` comes to be the threads with a true l0: what stands before and behind the statements that use it.
ACTIVE_FORMS = [
    ("if l0 {", "}"),
    ("if l0 { } else { return; }", ""),
    ("switch l0 { true: {", "} false: { } }"),
    ("for once in 0..(l0 ? 1 : 0) {", "}"),
    ("var turn = 0; while turn < 1 { turn += 1; if !l0 { continue; }", "}"),
    ("while true { if !l0 { break; }", "break; }"),
    ("if !l0 { return; } var turn = 0; while true { turn += 1; if turn > 1 { return; }", "}"),
]
# The same where the threads with each value of l0 have a turn of their own.
TURN_FORMS = [
    ("while true { let leader = warp.active().broadcast(l0); if l0 == leader {", "break; } }"),
    ("for value in 0..5 { if l0 == value {", "} }"),
    ("for value in (0..5).rev() { if l0 != value { continue; }", "}"),
    ("var value = 0; while value < 5 { if l0 == value {", "break; } value += 1; }"),
]
# How the threads of some warps alone come to the statements that use them; what is before and behind.
WARPS_FORMS = [
    ("if warp.index >= {0} && warp.index < {1} {{", "}}"),
    ("if warp.index < {0} || warp.index >= {1} {{ return; }}", ""),
    ("if thread.rank >= {0} * target.warp_size && thread.rank < {1} * target.warp_size {{", "}}"),
    ("if warp.index < {1} {{ if warp.index >= {0} {{", "}} }}"),
]


class Group:
    """`size` is a tile's, or the most ranks that a group of the kind has where that is known, else None.

    Groups of the kind `members` are parts of `base`: those with an equal `label`, which each thread loads; with `only_true`, as
    for `warp.active()`, those for which the label is true. `form` is what is around the call. One of the kind `block.warps` has
    the warps from `warps[0]` up to `warps[1]`."""

    def __init__(self, kind, text, size=None, base=None, label=None, feature=None, form=None, only_true=False, warps=None):
        self.kind = kind
        self.text = text
        self.size = size
        self.base = base
        self.label = label
        self.feature = feature
        self.form = form
        self.only_true = only_true
        self.warps = warps

    def labels(self):
        """The operands l0, l1, … that its text names."""
        return (self.base.labels() if self.base else []) + ([self.label] if self.label else [])

    def declarations(self):
        """What the types of labels need."""
        return [line for label in self.labels() for line in label.value_type.declarations]

    def features(self):
        return (self.base.features() if self.base else set()) | ({self.feature} if self.feature else set())

    def root(self):
        return self.base.root() if self.base else self

    def around(self):
        """What stands before and behind the statements that use it, if anything."""
        return self.form or (self.base.around() if self.base else None)

    def partition(self, shape, width):
        """The threads of each group, in the order of ranks, in a launch that is executed in warps of `width`. Threads are
        numbered through all blocks."""
        if self.kind == "members":
            return self.split(shape, width)
        if self.kind in ("grid", "cluster"):
            size = shape.total if self.kind == "grid" else shape.threads * shape.cluster
            return [list(range(t, t + size)) for t in range(0, shape.total, size)]
        return [[first + t for t in group] for first in range(0, shape.total, shape.threads)
                for group in self.cut_block(shape.threads, width)]

    def cut_block(self, threads, width):
        """The ranks in their block of each group's threads."""
        if self.kind == "block":
            return [list(range(threads))]
        if self.kind == "block.warps":
            return [list(range(self.warps[0] * width, min(self.warps[1] * width, threads)))]
        if self.kind == "thread":
            return [[t] for t in range(threads)]
        if self.kind == "block.tile":
            return [list(range(t, t + self.size)) for t in range(0, threads, self.size)]
        warps = [list(range(t, min(t + width, threads))) for t in range(0, threads, width)]
        if self.kind == "warp":
            return warps
        return [warp[i:i + self.size] for warp in warps for i in range(0, len(warp), self.size)]

    def split(self, shape, width):
        groups = []
        for whole in self.base.partition(shape, width):
            labels = {t: self.label.values[t] for t in whole}
            for label in dict.fromkeys(labels.values()):
                if label == (1,) or not self.only_true:
                    groups.append([t for t in whole if labels[t] == label])
        return groups

    def spell(self, line):
        """A line with `g` for the group: the rank of `thread` is that in its block, so its rank in itself is written out."""
        if self.kind != "thread":
            return line
        return re.sub(r"\bg\.size\b", "1", re.sub(r"\bg\.rank\b", "0", line))

    def has_several_blocks(self):
        return self.kind in ("grid", "cluster")

    def fits(self, shape, width, has_clusters):
        """Whether a device has such groups whose warps have `width` threads."""
        root = self.root()
        if root.kind == "cluster":
            return has_clusters or shape.cluster == 1
        if root.kind == "block.tile":
            return root.size % width == 0
        if root.kind == "block.warps":
            return root.warps[1] <= -(-shape.threads // width)
        return root.kind != "tile" or root.size <= width

    def depends_on_width(self):
        return self.root().kind in ("warp", "block.warps")

    def most_ranks(self, shape):
        """What a constant rank may be below on every target."""
        if self.kind in ("block", "cluster", "grid"):
            return len(self.partition(shape, 32)[0])
        if self.kind == "block.warps":
            return min(self.smallest(shape, width) for width in (32, 64) if self.fits(shape, width, True))
        return 32 if self.kind in ("warp", "members") else self.size

    def smallest(self, shape, width):
        """The ranks of the smallest of the groups."""
        return min(len(group) for group in self.partition(shape, width))


def make_part(rng, base, total):
    """A part of a warp-level group."""
    name = f"l{len(base.labels())}"
    if rng.randrange(2):
        flags = Operand(BOOL, data.flags(rng, total))
        return Group("members", f"{base.text}.partition({name})", base=base, label=flags, feature="partition")
    label_type = Scalar(choose(rng, ("i32", "u8", "u64", "i16"))) if rng.randrange(2) else random_type(rng)
    label = Operand(label_type, data.few(rng, label_type, total))
    return Group("members", f"{base.text}.partition_by({name})", base=base, label=label, feature="partition_by")


def make_active(rng, total):
    base = Group("warp", "warp")
    if rng.randrange(3):
        return Group("members", "warp.active()", base=base, label=Operand(BOOL, data.flags(rng, total)), feature="warp.active()",
                     form=choose(rng, ACTIVE_FORMS), only_true=True)
    label = Operand(I32, data.numbers(rng, 0, 2 + rng.randrange(4), total))
    return Group("members", "warp.active()", base=base, label=label, feature="warp.active()", form=choose(rng, TURN_FORMS))


def make_members(rng, total):
    pick = rng.randrange(8)
    if pick < 4:
        active = make_active(rng, total)
        return active if pick < 3 else make_part(rng, active, total)
    base = Group("warp", "warp")
    if pick == 4:
        size = choose(rng, (2, 8, 16, 32))
        base = Group("tile", f"warp.tile({size})", size)
    elif pick < 7:
        base = make_part(rng, base, total)
    return make_part(rng, base, total)


def make_warps(rng, threads):
    """Some warps of the block, as there are where warps have 32 threads; half of the time where they have 64 too."""
    count = -(-threads // choose(rng, (32, 64)))
    first = rng.randrange(count)
    end = first + 1 + rng.randrange(count - first)
    before, behind = choose(rng, WARPS_FORMS)
    return Group("block.warps", f"block.warps({first}..{end})", feature="block.warps",
                 form=(before.format(first, end), behind.format()), warps=(first, end))


def random_group(rng, shape):
    if shape.together and rng.randrange(2):
        return Group("cluster", "cluster") if shape.cluster > 1 and rng.randrange(3) else Group("grid", "grid", feature="grid")
    roll = rng.randrange(100)
    if roll >= 94 and shape.threads > 32:
        return make_warps(rng, shape.threads)
    if roll < 12:
        sizes = [size for size in (32, 64, 128, 256, 512) if shape.threads % size == 0]
        if sizes:
            size = choose(rng, sizes)
            return Group("block.tile", f"block.tile({size})", size, feature="block.tile")
    if roll < 14 and shape.cluster == 1:
        return Group("cluster", "cluster")
    if roll < 33:
        return Group("block", "block")
    if roll < 48:
        return Group("warp", "warp")
    if roll < 51:
        return Group("thread", "thread", 1)
    if roll < 68:
        return make_members(rng, shape.total)
    size = choose(rng, (1, 2, 4, 8, 16, 32, 64))
    return Group("tile", f"warp.tile({size})", size)
