"""Places in loops, and one call after another. contexts.py lists them."""

import arithmetic as ar
import data
from sites import once, pick_extra, with_first
from value_types import BOOL, I32, choose


def twice(site):
    """Back to back, through the same scratch memory."""
    other, at = site.load_other()
    lines = [site.do("let r0"), site.do("let r1", other), site.do("let r2"), "{store}"]

    def evaluate(rows, extras, where):
        first = site.call.evaluate(rows)
        return list(zip(first, site.call.evaluate(with_first(rows, pick_extra(extras, at))), first))
    return lines, [site.result(0), site.result(1), site.result(2)], evaluate


def repeat_most(site, at):
    """As often as the thread that wants it most often."""
    def evaluate(rows, extras, where):
        values = [row[0] for row in rows]
        for _ in range(max(extra[at][0] for extra in extras)):
            values = site.call.evaluate(with_first(rows, values))
        return once(values)
    return evaluate


def loop_with_data_exit(site):
    """The group goes on while one of its threads wants to."""
    trips, at = site.load(I32, data.numbers(site.rng, 0, 4, site.total))
    lines = ["var r0 = o0;", "var trip = 0;", f"while g.any(trip < {trips}) {{", f"  {site.do('r0', 'r0')}", "  trip += 1;",
             "}", "{store}"]
    return lines, [site.result()], repeat_most(site, at)


def counted_loop(site):
    """A trip count that is known at run time, and a break that the group takes together."""
    leave, at = site.load(BOOL, data.flags(site.rng, site.total))
    lines = ["var r0 = o0;", "for trip in 0..p3 {", f"  if trip == 2 && g.all({leave}) {{ break; }}", f"  {site.do('r0', 'r0')}",
             "}", "{store}"]

    def evaluate(rows, extras, where):
        values = [row[0] for row in rows]
        for _ in range(2 if all(extra[at][0] for extra in extras) else 3):
            values = site.call.evaluate(with_first(rows, values))
        return once(values)
    return lines, [site.result()], evaluate


def waterfall(site):
    """One trip for each different key, in which the threads with that key take part with their value."""
    other, at = site.load_other()
    key, key_at = site.load(I32, [(choose(site.rng, (7, 9, 1 << 31)),) for _ in range(site.total)])
    lines = [site.do("var r0", other), "var done = false;", "while g.any(!done) {",
             "  let leader = g.reduce(min, done ? g.size : g.rank);", f"  let now = g.broadcast({key}, leader);",
             f"  let mine = !done && {key} == now;", f"  {site.do('let part', f'(mine ? o0 : {other})')}",
             "  if mine { r0 = part; done = true; }", "}", "{store}"]

    def evaluate(rows, extras, where):
        keys = [extra[key_at] for extra in extras]
        result = [None] * len(rows)
        for now in set(keys):
            firsts = [row[0] if k == now else extra[at] for row, extra, k in zip(rows, extras, keys)]
            part = site.call.evaluate(with_first(rows, firsts))
            result = [p if k == now else r for p, k, r in zip(part, keys, result)]
        return once(result)
    return lines, [site.result()], evaluate


def between_others(site):
    """In a loop, with other collectives through the same scratch memory before and behind."""
    flag, at = site.load(BOOL, data.flags(site.rng, site.total))
    lines = ["var r0 = o0;", "var r1 = 0;", "for trip in 0..p3 {", f"  let before = g.count({flag}) as i32;",
             f"  {site.do('r0', 'r0')}", f"  r1 += before * 2 + g.reduce(add, {flag} ? trip : 1);", "}", "{store}"]

    def evaluate(rows, extras, where):
        values = [row[0] for row in rows]
        for _ in range(3):
            values = site.call.evaluate(with_first(rows, values))
        set_flags = sum(extra[at][0] for extra in extras)
        last = ar.from_int("i32", 6 * set_flags + (0 + 1 + 2) * set_flags + 3 * (len(rows) - set_flags))
        return [(value, (last,)) for value in values]
    return lines, [site.result(0), (1, I32, True)], evaluate


def unrolled_loop(site):
    count = 2 + site.rng.randrange(2)
    lines = ["var r0 = o0;", f"static for k in 0..{count} {{", f"  {site.do('r0', 'r0')}", "}", "{store}"]

    def evaluate(rows, extras, where):
        values = [row[0] for row in rows]
        for _ in range(count):
            values = site.call.evaluate(with_first(rows, values))
        return once(values)
    return lines, [site.result()], evaluate


def nested_loops(site):
    """The inner loop's trips depend on data, and the outer one's trip is left out by all together."""
    trips, at = site.load(I32, data.numbers(site.rng, 0, 3, site.total))
    skip, skip_at = site.load(I32, data.numbers(site.rng, 0, 3, site.total))
    lines = ["var r0 = o0;", "for turn in 0..p3 {", f"  if g.any({skip} == turn && turn > 0) {{ continue; }}", "  var trip = 0;",
             "  while true {", f"    {site.do('r0', 'r0')}", "    trip += 1;", f"    if g.all(trip > {trips}) {{ break; }}",
             "  }", "}", "{store}"]

    def evaluate(rows, extras, where):
        values = [row[0] for row in rows]
        most = max(extra[at][0] for extra in extras)
        for turn in range(3):
            if turn > 0 and any(extra[skip_at][0] == turn for extra in extras):
                continue
            for _ in range(most + 1):
                values = site.call.evaluate(with_first(rows, values))
        return once(values)
    return lines, [site.result()], evaluate


def loop_with_return(site):
    """The whole group returns from the middle of a loop of a function."""
    trips, at = site.load(I32, data.numbers(site.rng, 0, 4, site.total))
    lines = ["var r0 = o0;", "for trip in 0..7 {", f"  if g.all({trips} <= trip) {{ {{store}} return; }}",
             f"  {site.do('r0', 'r0')}", "}"]
    return lines, [site.result()], repeat_most(site, at)
