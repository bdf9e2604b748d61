"""The table of collectives: a row of the report each."""

import combining
import moves
import votes
from calls import signed
from value_types import BOOL, I32


class Collective:
    def __init__(self, name, maker, groups=("block", "warp", "tile", "thread")):
        self.name = name
        self.maker = maker
        self.groups = groups


MASKED = ("warp", "tile", "thread")
COLLECTIVES = [
    Collective("reduce", combining.make_reduce),
    Collective("scan", combining.make_scans("scan")),
    Collective("exclusive_scan", combining.make_scans("exclusive_scan")),
    Collective("scan_total", combining.make_scans("scan_total")),
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
    Collective("ballot", votes.make_ballot, MASKED),
    Collective("match", votes.make_match, MASKED),
    Collective("uniform", votes.make_uniform),
    Collective("elect", votes.make_elect),
    Collective("sync", moves.make_sync),
]
