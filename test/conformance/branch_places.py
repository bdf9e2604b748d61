"""Places in arms of branches that the whole group takes together. contexts.py lists them."""

import data
from sites import once, pick_extra, plain, with_first
from value_types import BOOL, I32


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


def group_returns_before(site):
    text, meaning = site.condition()
    lines = [f"if {text} {{ return; }}", site.do("let r0"), "{store}"]
    return lines, [site.result()], lambda rows, extras, where: (
        [None] * len(rows) if meaning(extras, where) else once(site.call.evaluate(rows)))


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
