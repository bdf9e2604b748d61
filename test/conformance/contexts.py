"""Where a call stands in its program: straight-line code, branches, loops, returns. Each is built to mislead a compiler.

A context is a function of a Site. It returns the statements, the results that `{store}` stores in them, and
`evaluate(rows, extras, where)`, which gives for each rank of a group the values of the results, or None if it stores nothing.
"""

import arithmetic as ar
import data
from sites import once, pick_extra, with_first
from value_types import BOOL, I32, Scalar, choose, literal


def plain(site):
    return [site.do("let r0"), "{store}"], [site.result()], lambda rows, extras, where: once(site.call.evaluate(rows))


def constant_operand(site):
    value_type = site.call.operands[0].value_type
    value = data.values(site.rng, value_type, 1)[0]
    lines = [site.do("let r0", literal(value_type, value)), "{store}"]
    return lines, [site.result()], lambda rows, extras, where: once(site.call.evaluate(with_first(rows, [value] * len(rows))))


def uniform_operand(site):
    """The same in all threads, known at run time alone."""
    value_type = site.call.operands[0].value_type
    value = tuple(ar.from_float(kind, 3.0) if kind in ar.FLOATS else 1 if kind == "bool" else 3 for kind in value_type.leaves)
    text = value_type.build([f"(p3 as {kind})" if kind != "bool" else "(p3 == 3)" for kind in value_type.leaves])
    lines = [site.do("let r0", text), "{store}"]
    return lines, [site.result()], lambda rows, extras, where: once(site.call.evaluate(with_first(rows, [value] * len(rows))))


def converted(kind, source, a, b):
    """What `computed_operand` makes of two scalars of another type."""
    if kind == "bool":
        return int(ar.less(source, a, b))
    if kind in ar.FLOATS:
        return ar.from_float(kind, ar.to_float(source, a))
    return ar.from_int(kind, ar.to_int(source, ar.add(source, a, ar.mul(source, a, b))))


# Methods that tell two NaNs apart.
COMPARING_BITS = ("match", "uniform", "_by")


def computed_operand(site):
    """Widened, narrowed, or compared: a register may hold more than the value's bits."""
    kind = site.call.operands[0].value_type.text
    if kind not in ar.SCALARS:
        return plain(site)
    sources = {"bool": ar.INTEGERS, "bf16": ("f16", "f32")}.get(kind, ar.FLOATS if kind in ar.FLOATS else ar.INTEGERS)
    source = Scalar(choose(site.rng, sources))
    firsts = data.values(site.rng, source, site.total)
    if kind in ar.FLOATS and any(word in site.call.text for word in COMPARING_BITS):
        # Which NaN a conversion gives is not promised.
        firsts = [(0,) if ar.is_nan(source.kind, value[0]) else value for value in firsts]
    first, at = site.load(source, firsts)
    second, at_second = site.load(source, data.values(site.rng, source, site.total))
    text = {"bool": f"({first} < {second})"}.get(kind, f"({first} as {kind})")
    if kind in ar.INTEGERS:
        text = f"(({first} + {first} * {second}) as {kind})"
    index, result, _ = site.result()

    def evaluate(rows, extras, where):
        firsts = [(converted(kind, source.kind, extra[at][0], extra[at_second][0]),) for extra in extras]
        return once(site.call.evaluate(with_first(rows, firsts)))
    return [site.do("let r0", text), "{store}"], [(index, result, False)], evaluate


def twice(site):
    """Back to back, through the same scratch memory."""
    other, at = site.load_other()
    lines = [site.do("let r0"), site.do("let r1", other), site.do("let r2"), "{store}"]

    def evaluate(rows, extras, where):
        first = site.call.evaluate(rows)
        return list(zip(first, site.call.evaluate(with_first(rows, pick_extra(extras, at))), first))
    return lines, [site.result(0), site.result(1), site.result(2)], evaluate


def same_call_in_both_arms(site):
    text, meaning = site.condition()
    other, at = site.load_other()
    second = site.rng.randrange(2)
    lines = [f"var r0: {site.call.result.text};", f"if {text} {{ {site.do('r0')} }} else {{",
             f"  {site.do('r0', other if second else None)}", "}", "{store}"]

    def evaluate(rows, extras, where):
        if meaning(extras, where) or not second:
            return once(site.call.evaluate(rows))
        return once(site.call.evaluate(with_first(rows, pick_extra(extras, at))))
    return lines, [site.result()], evaluate


def in_one_arm(site):
    text, meaning = site.condition()
    lines = [f"if {text} {{", f"  {site.do('let r0')}", "  {store}", "}"]
    return lines, [site.result()], lambda rows, extras, where: (
        once(site.call.evaluate(rows)) if meaning(extras, where) else [None] * len(rows))


def nested_arms(site):
    first, first_meaning = site.condition()
    second, second_meaning = site.condition()
    other, at = site.load_other()
    lines = [f"var r0: {site.call.result.text};", f"if {first} {{",
             f"  if {second} {{ {site.do('r0')} }} else {{ {site.do('r0', other)} }}", "} else {",
             f"  {site.do('r0', other)}", "}", "{store}"]

    def evaluate(rows, extras, where):
        if first_meaning(extras, where) and second_meaning(extras, where):
            return once(site.call.evaluate(rows))
        return once(site.call.evaluate(with_first(rows, pick_extra(extras, at))))
    return lines, [site.result()], evaluate


def loop_with_data_exit(site):
    """The group goes on while one of its threads wants to."""
    trips, at = site.load(I32, data.numbers(site.rng, 0, 4, site.total))
    lines = ["var r0 = o0;", "var trip = 0;", f"while g.any(trip < {trips}) {{", f"  {site.do('r0', 'r0')}", "  trip += 1;",
             "}", "{store}"]

    def evaluate(rows, extras, where):
        values = [row[0] for row in rows]
        for _ in range(max(extra[at][0] for extra in extras)):
            values = site.call.evaluate(with_first(rows, values))
        return once(values)
    return lines, [site.result()], evaluate


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


def return_after(site):
    flag, at = site.load(BOOL, data.flags(site.rng, site.total))
    lines = [site.do("let r0"), f"if {flag} {{ return; }}", "{store}"]
    return lines, [site.result()], lambda rows, extras, where: [
        None if extra[at][0] else (value,) for value, extra in zip(site.call.evaluate(rows), extras)]


def return_before(site):
    """Some threads of the group return early from a function; all meet again behind it."""
    flag, at = site.load(BOOL, data.flags(site.rng, site.total))
    other, other_at = site.load_other()
    text = site.call.operands[0].value_type.text
    name = f"early_{site.number}"
    site.functions.append(f"fn {name}(leave: bool, a: {text}, b: {text}) -> {text} {{ if leave {{ return a; }} return b; }}")
    lines = [site.do("let r0", f"{name}({flag}, o0, {other})"), "{store}"]

    def evaluate(rows, extras, where):
        firsts = [row[0] if extra[at][0] else extra[other_at] for row, extra in zip(rows, extras)]
        return once(site.call.evaluate(with_first(rows, firsts)))
    return lines, [site.result()], evaluate


def group_returns_before(site):
    text, meaning = site.condition()
    lines = [f"if {text} {{ return; }}", site.do("let r0"), "{store}"]
    return lines, [site.result()], lambda rows, extras, where: (
        [None] * len(rows) if meaning(extras, where) else once(site.call.evaluate(rows)))


def after_divergent_loop(site):
    other, other_at = site.load_other()
    trips, at = site.load(I32, data.numbers(site.rng, 0, 7, site.total))
    lines = ["var a = o0;", f"var b = {other};", f"for trip in 0..{trips} {{ let t = a; a = b; b = t; }}",
             site.do("let r0", "a"), "{store}"]

    def evaluate(rows, extras, where):
        firsts = [extra[other_at] if extra[at][0] % 2 else row[0] for row, extra in zip(rows, extras)]
        return once(site.call.evaluate(with_first(rows, firsts)))
    return lines, [site.result()], evaluate


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


def called_twice(site):
    """A function that holds the call, expanded in both arms of a branch and behind it."""
    text, meaning = site.condition()
    other, at = site.load_other()
    lines = [f"var r0: {site.call.result.text};", site.do("let before", other), f"if {text} {{", f"  {site.do('r0')}",
             "} else {", "  r0 = before;", "}", site.do("let r1"), "{store}"]

    def evaluate(rows, extras, where):
        last = site.call.evaluate(rows)
        first = last if meaning(extras, where) else site.call.evaluate(with_first(rows, pick_extra(extras, at)))
        return list(zip(first, last))
    return lines, [site.result(0), site.result(1)], evaluate


def folded_vote(site):
    """Votes on constants beside the call must not be folded into each other."""
    last = "let r1 = all_here == g.size && g.all(true) && !g.any(false);"
    lines = ["let all_here = g.count(true);", site.do("let r0"), last, "{store}"]
    return lines, [site.result(0), (1, BOOL, True)], lambda rows, extras, where: [
        (value, (1,)) for value in site.call.evaluate(rows)]


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


def same_in_warps_operand(site):
    """The same in all threads of a warp, and maybe another in each warp."""
    value_type = site.call.operands[0].value_type
    text = value_type.build([f"(warp.index as {kind})" if kind != "bool" else "(warp.index == 1)" for kind in value_type.leaves])
    lines = [site.do("let r0", text), "{store}"]

    def scalar(kind, index):
        return ar.from_float(kind, float(index)) if kind in ar.FLOATS else int(index == 1) if kind == "bool" else index

    def evaluate(rows, extras, where):
        warps = [rank % site.shape.threads // where.width for rank in range(len(rows))]
        return once(site.call.evaluate(with_first(rows, [tuple(scalar(kind, w) for kind in value_type.leaves) for w in warps])))
    return lines, [site.result()], evaluate


def broadcast_operand(site):
    """The same in all threads because a collective gave it."""
    rank = site.rng.randrange(site.group.most_ranks(site.shape))
    lines = [f"let same = g.broadcast(o0, min({rank}, g.size - 1));", site.do("let r0", "same"), "{store}"]

    def evaluate(rows, extras, where):
        return once(site.call.evaluate(with_first(rows, [rows[min(rank, len(rows) - 1)][0]] * len(rows))))
    return lines, [site.result()], evaluate


def switch_arms(site):
    other, at = site.load_other()
    third, third_at = site.load_other()
    chosen, chosen_at = site.load(I32, data.numbers(site.rng, 0, 4, site.total))
    lines = [f"let arm = g.reduce(max, {chosen});", f"var r0: {site.call.result.text};", "switch arm {",
             f"  0: {{ {site.do('r0', other)} }}", f"  1, 2: {{ {site.do('r0')} }}", f"  else: {{ {site.do('r0', third)} }}",
             "}", "{store}"]

    def evaluate(rows, extras, where):
        arm = max(extra[chosen_at][0] for extra in extras)
        if arm in (1, 2):
            return once(site.call.evaluate(rows))
        return once(site.call.evaluate(with_first(rows, pick_extra(extras, at if arm == 0 else third_at))))
    return lines, [site.result()], evaluate


def conditional_expression(site):
    """Behind `?:`, whose condition is the same in the group."""
    text, meaning = site.condition()
    other, at = site.load(site.call.result, data.values(site.rng, site.call.result, site.total))
    if site.call.before:
        return plain(site)
    lines = [f"let here = {text};", f"let r0 = here ? {site.expression()} : {other};", "{store}"]
    return lines, [site.result()], lambda rows, extras, where: once(
        site.call.evaluate(rows) if meaning(extras, where) else pick_extra(extras, at))


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

    def evaluate(rows, extras, where):
        values = [row[0] for row in rows]
        for _ in range(max(extra[at][0] for extra in extras)):
            values = site.call.evaluate(with_first(rows, values))
        return once(values)
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


def other_collective_in_other_arm(site):
    text, meaning = site.condition()
    other, at = site.load(site.call.result, data.values(site.rng, site.call.result, site.total))
    flag, flag_at = site.load(BOOL, data.flags(site.rng, site.total))
    lines = [f"var r0 = {other};", "var r1 = false;", f"if {text} {{ {site.do('r0')} }} else {{",
             f"  r1 = g.exclusive_scan(xor, {flag}) != g.any({flag});", "}", "{store}"]

    def evaluate(rows, extras, where):
        if meaning(extras, where):
            return [(value, (0,)) for value in site.call.evaluate(rows)]
        flags = [extra[flag_at][0] for extra in extras]
        before = [sum(flags[:rank]) % 2 for rank in range(len(flags))]
        return [(extra[at], (before[rank] ^ int(any(flags)),)) for rank, extra in enumerate(extras)]
    index, result, exact = site.result()
    return lines, [(index, result, exact), (1, BOOL, True)], evaluate


ANY_CALL = [plain, plain, plain, in_one_arm, return_after, group_returns_before, one_rank_uses, some_ranks_use, elected_uses,
            low_ranks_use, one_leaf_used, other_collective_in_other_arm, folded_vote]
WITH_OPERAND = ANY_CALL + [constant_operand, uniform_operand, broadcast_operand, computed_operand, computed_operand, twice,
                           same_call_in_both_arms, nested_arms, switch_arms, conditional_expression, waterfall, return_before,
                           after_divergent_loop, called_twice]
WITH_LOOPS = WITH_OPERAND + [loop_with_data_exit, loop_with_data_exit, counted_loop, between_others, unrolled_loop, nested_loops,
                             loop_with_return]
WITH_WHOLE_BLOCKS = [some_warps_use, same_in_warps_operand]
# The groups that have all threads of a block.
OF_BLOCKS = ("block", "cluster", "grid")


def places(operand=True, loops=True, whole_blocks=True):
    """The names of the contexts that calls have which take an operand, whose result may be the next one's operand."""
    listed = WITH_LOOPS if loops else WITH_OPERAND if operand else ANY_CALL
    listed = listed + (WITH_WHOLE_BLOCKS if operand else WITH_WHOLE_BLOCKS[:1]) * whole_blocks
    return tuple(dict.fromkeys(context.__name__ for context in listed))


def contexts_of(call, group):
    """The contexts that a call can stand in, the likelier ones more than once."""
    whole = group.kind in OF_BLOCKS
    if call.fixed or not call.operands:
        return ANY_CALL + WITH_WHOLE_BLOCKS[:1] * 2 * whole
    loops = call.result.text == call.operands[0].value_type.text
    return (WITH_LOOPS if loops else WITH_OPERAND) + WITH_WHOLE_BLOCKS * 2 * whole
