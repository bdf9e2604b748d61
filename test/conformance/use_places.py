"""Places where some ranks, or some scalars, of a result alone are read. contexts.py lists them."""

import data
from sites import plain
from value_types import BOOL, choose


def one_rank_uses(site):
    """Nobody but one rank reads the result."""
    pick = site.rng.randrange(3)
    text = ("g.rank == 0", "g.rank == g.size - 1", "g.rank == p3")[pick]
    lines = [site.do("let r0"), f"if {text} {{ {{store}} }}"]

    def evaluate(rows, extras, where):
        at = (0, len(rows) - 1, 3)[pick]
        return [(value,) if rank == at else None for rank, value in enumerate(site.call.evaluate(rows))]
    return lines, [site.result()], evaluate


def some_ranks_use(site):
    flag, at = site.load(BOOL, data.flags(site.rng, site.total))
    lines = [site.do("let r0"), f"if {flag} {{ {{store}} }}"]
    return lines, [site.result()], lambda rows, extras, where: [
        (value,) if extra[at][0] else None for value, extra in zip(site.call.evaluate(rows), extras)]


def elected_uses(site):
    lines = [site.do("let r0"), "if g.elect() { {store} }"]
    return lines, [site.result()], lambda rows, extras, where: [
        (value,) if rank == 0 else None for rank, value in enumerate(site.call.evaluate(rows))]


def some_warps_use(site):
    """One warp, or all but the first, of a group of whole blocks."""
    pick = site.rng.randrange(2)
    lines = [site.do("let r0"), f"if warp.index {('==', '>')[pick]} 0 {{ {{store}} }}"]

    def evaluate(rows, extras, where):
        first = [rank % site.shape.threads < where.width for rank in range(len(rows))]
        return [(value,) if first[rank] != pick else None for rank, value in enumerate(site.call.evaluate(rows))]
    return lines, [site.result()], evaluate


def low_ranks_use(site):
    """Those below a constant, behind a branch or because the others have left."""
    below = 1 + site.rng.randrange(site.group.most_ranks(site.shape) + 1)
    form = choose(site.rng, ("if g.rank < {0} {{ {{store}} }}", "if g.rank >= {0} {{ return; }} {{store}}"))
    return [site.do("let r0"), form.format(below)], [site.result()], lambda rows, extras, where: [
        (value,) if rank < below else None for rank, value in enumerate(site.call.evaluate(rows))]


def one_leaf_used(site):
    """Of a result of several scalars one alone is read."""
    site.kept_leaf = site.rng.randrange(len(site.call.result.leaves))
    return plain(site)


def folded_vote(site):
    """Votes on constants beside the call must not be folded into each other."""
    last = "let r1 = all_here == g.size && g.all(true) && !g.any(false);"
    lines = ["let all_here = g.count(true);", site.do("let r0"), last, "{store}"]
    return lines, [site.result(0), (1, BOOL, True)], lambda rows, extras, where: [
        (value, (1,)) for value in site.call.evaluate(rows)]


def return_after(site):
    flag, at = site.load(BOOL, data.flags(site.rng, site.total))
    lines = [site.do("let r0"), f"if {flag} {{ return; }}", "{store}"]
    return lines, [site.result()], lambda rows, extras, where: [
        None if extra[at][0] else (value,) for value, extra in zip(site.call.evaluate(rows), extras)]
