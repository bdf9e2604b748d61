"""The table of collectives: a row of the report each."""

import combining
import moves
import rearranging
import votes
from calls import signed
from value_types import BOOL, I32

# Groups whose ranks fit in a mask.
SMALL = ("warp", "tile", "members", "thread")
STATIC = ("block", "block.tile", "warp", "tile")
WIDE = STATIC + ("block.warps",)
ANY = WIDE + ("members", "thread")


class Collective:
    """`groups` are the kinds of groups that have it."""

    def __init__(self, name, maker, groups=ANY):
        self.name = name
        self.maker = maker
        self.groups = groups


COLLECTIVES = [
    Collective("reduce", combining.make_reduce),
    Collective("scan", combining.make_scans("scan")),
    Collective("exclusive_scan", combining.make_scans("exclusive_scan")),
    Collective("scan_total", combining.make_scans("scan_total")),
    Collective("segmented_scan", rearranging.make_segmented("segmented_scan"), WIDE),
    Collective("segmented_reduce", rearranging.make_segmented("segmented_reduce"), WIDE),
    Collective("reduce_by", rearranging.make_reduce_by, ("warp", "tile")),
    Collective("arg_min", combining.make_extreme("arg_min")),
    Collective("arg_max", combining.make_extreme("arg_max")),
    Collective("broadcast", moves.make_broadcast),
    Collective("shuffle", moves.make_shuffles("shuffle", lambda row, rank, size: signed(row[1]))),
    Collective("shuffle_up", moves.make_shuffles("shuffle_up", lambda row, rank, size: rank - signed(row[1]))),
    Collective("shuffle_down", moves.make_shuffles("shuffle_down", lambda row, rank, size: rank + signed(row[1]))),
    Collective("shuffle_xor", moves.make_shuffles("shuffle_xor", lambda row, rank, size: rank ^ signed(row[1]))),
    Collective("rotate", moves.make_rotate),
    Collective("any", votes.make_vote("any", BOOL, lambda flags, rank: int(any(flags)))),
    Collective("all", votes.make_vote("all", BOOL, lambda flags, rank: int(all(flags)))),
    Collective("none", votes.make_vote("none", BOOL, lambda flags, rank: int(not any(flags)))),
    Collective("count", votes.make_vote("count", I32, lambda flags, rank: sum(flags))),
    Collective("rank_among", votes.make_vote("rank_among", I32, lambda flags, rank: sum(flags[:rank]))),
    Collective("ballot", votes.make_ballot, SMALL),
    Collective("match", votes.make_match, SMALL),
    Collective("uniform", votes.make_uniform),
    Collective("elect", votes.make_elect),
    Collective("sync", moves.make_sync, WIDE + ("thread",)),
    Collective("arrive", rearranging.make_arrive, WIDE),
    Collective("sort", rearranging.make_sort, STATIC),
    Collective("sort_by", rearranging.make_sort_by, STATIC),
    Collective("exchange", rearranging.make_exchange, STATIC),
    Collective("transpose", rearranging.make_transpose, STATIC),
    Collective("top_k", rearranging.make_top_k, STATIC),
    Collective("histogram", rearranging.make_histogram, ("block",)),
]

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
    "block.tile": "let g = block.tile(64); let r = g.count(true);",
    "block.warps": "let g = block.warps(0..1); if warp.index == 0 { let r = g.count(true); }",
    "warp.active()": "let g = warp.active(); let r = g.count(true);",
    "partition": "let g = warp.partition(thread.rank % 2 == 0); let r = g.count(true);",
    "partition_by": "let g = warp.partition_by(thread.rank % 3); let r = g.count(true);",
}
