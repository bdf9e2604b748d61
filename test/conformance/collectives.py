"""The table of collectives: a row of the report each."""

import arithmetic as ar
import combining
import contexts
import moves
import rearranging
import structured
import votes
from calls import signed
from value_types import BOOL

# Groups whose ranks fit in a mask.
SMALL = ("warp", "tile", "members", "thread")
STATIC = ("block", "block.tile", "warp", "tile")
WIDE = STATIC + ("block.warps",)
ANY = WIDE + ("members", "thread")
# Those that several blocks have too.
ALL = ANY + ("cluster", "grid")


# Classes of the first operand's types, as coverage.py counts them.
COMBINED = ar.SCALARS + ("vector", "tuple", "struct", "array")
MOVED = COMBINED + ("enum",)
KEYS = ar.SCALARS + ("array", "enum")
NUMBERS = ar.INTEGERS + ar.FLOATS
BOOLS = ("bool",)


class Collective:
    """`groups` are the kinds of groups that have it, `types` the classes of its operand's types. `operand` says that contexts may
    give it another operand, `loops` that its result may be its next operand."""

    def __init__(self, name, maker, types, groups=ANY, operand=True, loops=True):
        self.name = name
        self.maker = maker
        self.types = types
        self.groups = groups
        self.operand = operand
        self.loops = loops

    def places(self):
        return contexts.places(self.operand, self.operand and self.loops, any(kind in contexts.OF_BLOCKS for kind in self.groups))


COLLECTIVES = [
    Collective("reduce", combining.make_reduce, COMBINED, ALL),
    Collective("scan", combining.make_scans("scan"), COMBINED, ALL),
    Collective("exclusive_scan", combining.make_scans("exclusive_scan"), COMBINED, ALL),
    Collective("scan_total", combining.make_scans("scan_total"), COMBINED, ALL, loops=False),
    Collective("segmented_scan", rearranging.make_segmented("segmented_scan"), COMBINED, ALL),
    Collective("segmented_reduce", rearranging.make_segmented("segmented_reduce"), COMBINED),
    Collective("reduce_by", rearranging.make_reduce_by, COMBINED, ("warp", "tile", "members")),
    Collective("arg_min", combining.make_extreme("arg_min"), NUMBERS, ALL, loops=False),
    Collective("arg_max", combining.make_extreme("arg_max"), NUMBERS, ALL, loops=False),
    Collective("broadcast", moves.make_broadcast, MOVED, ALL),
    Collective("shuffle", moves.make_shuffles("shuffle", lambda row, rank, size: signed(row[1])), MOVED),
    Collective("shuffle_up", moves.make_shuffles("shuffle_up", lambda row, rank, size: rank - signed(row[1])), MOVED),
    Collective("shuffle_down", moves.make_shuffles("shuffle_down", lambda row, rank, size: rank + signed(row[1])), MOVED),
    Collective("shuffle_xor", moves.make_shuffles("shuffle_xor", lambda row, rank, size: rank ^ signed(row[1])), MOVED),
    Collective("rotate", moves.make_rotate, MOVED),
    Collective("any", votes.make_vote("any", BOOL, lambda flags, rank: int(any(flags))), BOOLS, ALL),
    Collective("all", votes.make_vote("all", BOOL, lambda flags, rank: int(all(flags))), BOOLS, ALL),
    Collective("none", votes.make_vote("none", BOOL, lambda flags, rank: int(not any(flags))), BOOLS, ALL),
    Collective("count", votes.make_vote("count", None, lambda flags, rank: sum(flags)), BOOLS, ALL, loops=False),
    Collective("rank_among", votes.make_vote("rank_among", None, lambda flags, rank: sum(flags[:rank])), BOOLS, ALL, loops=False),
    Collective("ballot", votes.make_ballot, BOOLS, SMALL, loops=False),
    Collective("match", votes.make_match, MOVED, SMALL, loops=False),
    Collective("uniform", votes.make_uniform, MOVED, ALL, loops=False),
    Collective("elect", votes.make_elect, (), ALL, operand=False),
    Collective("sync", moves.make_sync, ar.SCALARS, ALL),
    Collective("atomic", moves.make_atomic, ("i32", "u32", "i64", "u64"), ALL),
    Collective("arrive", rearranging.make_arrive, ar.SCALARS),
    Collective("sort", rearranging.make_sort, KEYS, STATIC + ("thread",)),
    Collective("sort_by", rearranging.make_sort_by, KEYS, STATIC + ("thread",), loops=False),
    Collective("exchange", rearranging.make_exchange, MOVED, STATIC + ("thread",)),
    Collective("transpose", rearranging.make_transpose, MOVED, STATIC + ("thread",)),
    Collective("top_k", rearranging.make_top_k, NUMBERS + ("array",), STATIC + ("thread",), loops=False),
    Collective("(ways)", structured.make_way, ("i32",), ANY),
    Collective("histogram", rearranging.make_histogram, ar.INTEGERS + ("array",), WIDE + ("thread",), operand=False),
]

# Which collectives programs have in turn: those with operators, whose orders and plans are many, twice as often.
TURNS = COLLECTIVES + [each for each in COLLECTIVES if each.types == COMBINED]


def of_program(number):
    return TURNS[number % len(TURNS)]


# Statements that compile where a collective or a kind of group is there; what is not listed here always is.
PROBES = {
    "segmented_scan": "let r = block.segmented_scan(add, thread.rank, thread.rank % 2 == 0);",
    "segmented_reduce": "let r = block.segmented_reduce(add, thread.rank, thread.rank % 2 == 0);",
    "reduce_by": "let r = warp.reduce_by(thread.rank % 3, add, 1);",
    "arrive": "let token = block.arrive(); block.wait(token);",
    "sort": "let r = block.sort(thread.rank);",
    "sort_by": "let r = block.sort_by(thread.rank, 1);",
    "exchange": "let r = block.exchange(thread.rank, thread.rank);",
    "transpose": "let r = block.transpose([1, 2]);",
    "top_k": "let r = block.top_k(thread.rank, 1);",
    "histogram": "shared s: [i32; 64]; s[thread.rank] = 0; block.sync(); block.histogram(s, thread.rank);",
    "grid": "let r = grid.count(true);",
    "block.tile": "let g = block.tile(64); let r = g.count(true);",
    "block.warps": "let g = block.warps(0..1); if warp.index == 0 { let r = g.count(true); }",
    "warp.active()": "let g = warp.active(); let r = g.count(true);",
    "partition": "let g = warp.partition(thread.rank % 2 == 0); let r = g.count(true);",
    "partition_by": "let g = warp.partition_by(thread.rank % 3); let r = g.count(true);",
}
