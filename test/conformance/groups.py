"""Groups: their Coll text, and which threads of a block form each."""

import re

from value_types import choose


class Group:
    """`size` is a tile's, or the most ranks that a group of the kind has where that is known, else None."""

    def __init__(self, kind, text, size=None):
        self.kind = kind
        self.text = text
        self.size = size

    def partition(self, threads, width):
        """The threads of each group, in the order of ranks, in a block that is executed in warps of `width`."""
        if self.kind == "block":
            return [list(range(threads))]
        if self.kind == "thread":
            return [[t] for t in range(threads)]
        warps = [list(range(t, min(t + width, threads))) for t in range(0, threads, width)]
        if self.kind == "warp":
            return warps
        return [warp[i:i + self.size] for warp in warps for i in range(0, len(warp), self.size)]

    def spell(self, line):
        """A line with `g` for the group: the rank of `thread` is that in its block, so its rank in itself is written out."""
        if self.kind != "thread":
            return line
        return re.sub(r"\bg\.size\b", "1", re.sub(r"\bg\.rank\b", "0", line))

    def fits(self, width):
        return self.kind != "tile" or self.size <= width

    def depends_on_width(self):
        return self.kind == "warp"

    def most_ranks(self, threads):
        """What a constant rank may be below on every target."""
        if self.kind == "block":
            return threads
        return 32 if self.kind == "warp" else self.size


def random_group(rng):
    roll = rng.randrange(100)
    if roll < 40:
        return Group("block", "block")
    if roll < 63:
        return Group("warp", "warp")
    if roll < 65:
        return Group("thread", "thread", 1)
    size = choose(rng, (1, 2, 4, 8, 16, 32, 64))
    return Group("tile", f"warp.tile({size})", size)
