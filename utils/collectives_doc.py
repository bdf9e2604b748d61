#!/usr/bin/env python3
"""Makes the tables of docs/collectives.md from what the compiler does.

Each cell of a table is a kernel with one collective. All are compiled at once, for every chip of CHIPS; the strategies come from
--remarks=json, the rest from the assembly: instructions are those that the kernel has more than the same one without its
collective (waits and hints, as s_nop and s_waitcnt, do not count), barriers are those in its text, shared bytes those that it
reserves. A table stands between '<!-- table NAME -->' and '<!-- end -->'. The tables of strategies are written by hand; what
lacks or is too much in them is an error.

usage: collectives_doc.py [--collc=collc] (--check | --write) docs/collectives.md
"""

import argparse
import collections
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile

CHIPS = ["sm_80", "sm_90", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1100:64", "gfx1201"]
OPERATOR = "|a, b| a * 3 + b"  # neither commutative nor associative

# A case: the text at the head of its column, the type of input and output, what the kernel stores, what it stores without the
# collective, statements before it, and the condition under which it stores. x is the thread's element.
Case = collections.namedtuple("Case", "title type result base before reader", defaults=("x", "", ""))


def cases(*rows):
    return [Case(*row) for row in rows]


def over(group, method, *types):
    """The same call for several types: 'reduce(add, x)' for i32, f32, ..."""
    return cases(*((f"{name} {type}", type, f"{group}.{method.replace('OP', operator)}")
                   for name, operator, type in types))


def read_by(reader, rows):
    """The same cases, whose results are read under a condition."""
    return [row._replace(reader=reader) for row in rows]


ADD = [("add", "add", "i32"), ("add", "add", "i64"), ("add", "add", "f32"), ("add", "add", "f64")]

# Name of the table: threads of the block, whether it is about a block, cases.
TABLES = {
    "warp-reduce": (64, over("warp", "reduce(OP, x)", *ADD, ("max", "max", "i32"), ("max", "max", "f32"),
                             ("lambda", OPERATOR, "i32"))),
    "tile-reduce": (64, over("warp.tile(8)", "reduce(OP, x)", *ADD, ("max", "max", "f32"), ("lambda", OPERATOR, "i32"))),
    "short-reduce": (45, over("warp", "reduce(OP, x)", *ADD, ("max", "max", "f32"), ("lambda", OPERATOR, "i32"))),
    "warp-reader": (64, read_by("warp.rank == 0", over("warp", "reduce(OP, x)", *ADD, ("lambda", OPERATOR, "i32")))),
    "short-reader": (13, read_by("warp.rank == 0", over("warp", "reduce(OP, x)", *ADD, ("max", "max", "f32"),
                                                        ("lambda", OPERATOR, "i32")))),
    "uniform": (64, cases(*((title, type, result, f"n as {type}") for title, type, result in (
        ("reduce add i32", "i32", "warp.reduce(add, n as i32)"), ("reduce add f32", "f32", "warp.reduce(add, n as f32)"),
        ("reduce max f32", "f32", "warp.reduce(max, n as f32)"), ("reduce lambda i32", "i32", f"warp.reduce({OPERATOR}, n as i32)"),
        ("scan add i32", "i32", "warp.scan(add, n as i32)"), ("block.reduce add f32", "f32", "block.reduce(add, n as f32)"),
        ("block.reduce lambda i32", "i32", f"block.reduce({OPERATOR}, n as i32)"))))),
    "warp-scan": (64, over("warp", "scan(OP, x)", *ADD, ("max", "max", "f32"), ("lambda", OPERATOR, "i32"))),
    "warp-exclusive": (64, over("warp", "exclusive_scan(OP, x)", *ADD)
                       + cases(("init, add f32", "f32", "warp.exclusive_scan(add, x, init = 1.0)"),
                               ("scan_total, add f32", "f32", "r.0 + r.1", "x + x", "let r = warp.scan_total(add, x);"))),
    "warp-moves": (64, cases(*((title, "i32", f"warp.{call}") for title, call in (
        ("broadcast", "broadcast(x, from = 3)"), ("up by 1", "shuffle_up(x, 1)"), ("up by 1, fill", "shuffle_up(x, 1, fill = 7)"),
        ("down by 1", "shuffle_down(x, 1)"), ("xor 1", "shuffle_xor(x, 1)"), ("xor 16", "shuffle_xor(x, 16)"),
        ("rotate by 1", "rotate(x, 1)"), ("shuffle by a variable", "shuffle(x, x & 15)"))))),
    "warp-votes": (64, cases(*((vote, "i32", f"warp.{vote}(x > 0) ? 1 : 0") for vote in ("any", "all", "none")),
                             ("count", "i32", "warp.count(x > 0)"), ("rank_among", "i32", "warp.rank_among(x > 0)"),
                             ("ballot", "u64", "warp.ballot(x > 0) as u64"), ("uniform", "i32", "warp.uniform(x) ? 1 : 0"),
                             ("elect", "i32", "warp.elect() ? x : 0"))),
    "warp-match": (64, cases(("match i32", "i32", "warp.match(x).count()"), ("match u64", "u64", "warp.match(x).count() as u64"))),
    "warp-arg": (64, cases(*((f"arg_min {type}", type, f"r.0 + r.1 as {type}", "x", f"let r = warp.arg_min(x);")
                             for type in ("i32", "f32", "i64")),
                           ("segmented_scan, add f32", "f32", "warp.segmented_scan(add, x, x > 2.0)", "x > 2.0 ? x : 1.0"),
                           ("segmented_reduce, add f32", "f32", "warp.segmented_reduce(add, x, x > 2.0)", "x > 2.0 ? x : 1.0"),
                           )),
    "warp-order": (64, cases(("exchange i32", "i32", "warp.exchange(x, warp.size - 1 - warp.rank)"), ("sort i32", "i32", "warp.sort(x)"),
                             ("sort_by i32, i32", "i32", "r.0 + r.1", "x", "let r = warp.sort_by(x, x * 3);"),
                             ("top_k i32, 2", "i32", "r.0[1] + r.1[1]", "x", "let r = warp.top_k(x, 2);"),
                             ("histogram i32", "i32", "h[x & 63]", "x", "shared h: [i32; 64]; warp.histogram(h, x & 63);"),
                             ("sync", "i32", "x", "x", "warp.sync();"))),
    "members": (64, cases(("active, reduce add i32", "i32", "r", "x", "var r = x; if x > 3 { r = warp.active().reduce(add, x); }"),
                          ("partition, reduce add i32", "i32", "warp.partition(x > 3).reduce(add, x)"),
                          ("reduce_by, add i32", "i32", "warp.reduce_by(x & 3, add, x)"))),
    "block-256": (256, over("block", "reduce(OP, x)", ("reduce add", "add", "i32"), ("reduce add", "add", "f32"),
                            ("reduce lambda", OPERATOR, "i32"))
                  + over("block", "scan(OP, x)", ("scan add", "add", "i32"), ("scan add", "add", "f32"))
                  + cases(("exclusive_scan add f32", "f32", "block.exclusive_scan(add, x)"),
                          ("tile(128), reduce add f32", "f32", "block.tile(128).reduce(add, x)"))),
    "block-moves": (256, cases(*((title, "i32", f"block.{call}") for title, call in (
        ("broadcast", "broadcast(x)"), ("up by 1", "shuffle_up(x, 1)"), ("xor 1", "shuffle_xor(x, 1)"), ("rotate by 1", "rotate(x, 1)"),
        ("shuffle by a variable", "shuffle(x, x & 255)"), ("exchange", "exchange(x, 255 - thread.rank)"))))),
    "block-1024": (1024, over("block", "reduce(OP, x)", ("reduce add", "add", "i32"), ("reduce add", "add", "f32"),
                              ("reduce lambda", OPERATOR, "i32"))
                   + over("block", "scan(OP, x)", ("scan add", "add", "i32"), ("scan add", "add", "f32"))
                   + cases(("exclusive_scan add f32", "f32", "block.exclusive_scan(add, x)"))),
    "block-reader": (256, read_by("block.rank == 0", over("block", "reduce(OP, x)", ("reduce add", "add", "i32"),
                                                          ("reduce add", "add", "f32"), ("reduce lambda", OPERATOR, "i32"))
                                  + cases(("arg_min f32", "f32", "r.0 + r.1 as f32", "x", "let r = block.arg_min(x);"),
                                          ("scan_total's total, add f32", "f32", "r.1", "x", "let r = block.scan_total(add, x);")))),
    "block-votes": (256, cases(("any", "i32", "block.any(x > 0) ? 1 : 0"), ("count", "i32", "block.count(x > 0)"),
                               ("rank_among", "i32", "block.rank_among(x > 0)"), ("uniform", "i32", "block.uniform(x) ? 1 : 0"),
                               ("sync", "i32", "x", "x", "block.sync();"),
                               ("arrive, wait", "i32", "x", "x", "let t = block.arrive(); block.wait(t);"))),
    "block-order": (256, cases(("arg_min f32", "f32", "r.0 + r.1 as f32", "x", "let r = block.arg_min(x);"),
                               ("segmented_scan add f32", "f32", "block.segmented_scan(add, x, x > 2.0)", "x > 2.0 ? x : 1.0"),
                               ("sort i32", "i32", "block.sort(x)"),
                               ("sort_by i32, i32", "i32", "r.0 + r.1", "x", "let r = block.sort_by(x, x * 3);"),
                               ("top_k i32, 2", "i32", "r.0[1] + r.1[1]", "x", "let r = block.top_k(x, 2);"),
                               ("histogram i32", "i32", "h[x & 63]", "x", "shared h: [i32; 64]; block.histogram(h, x & 63);"))),
}

IGNORED = re.compile(r"s_(nop|waitcnt\w*|wait_\w+|delay_alu|clause|code_end|endpgm)\b")
AMD_INSTRUCTION = re.compile(r"(v|s|ds|global|flat|buffer|scratch)_\w+")
AMD_BARRIER = re.compile(r"s_barrier(_signal)?\s*(-?\d*)$")
PTX_BARRIER = re.compile(r"(bar|barrier)(\.cta)?\.(sync|red|arrive)\b")


class Kernel:
    """What the text of a kernel has in it."""

    def __init__(self):
        self.instructions = self.barriers = self.shared = 0


def write_kernel(name, threads, case, isBase):
    before = "" if isBase else case.before
    store = f"q[thread.rank] = {case.base if isBase else case.result};"
    if case.reader and not isBase:
        store = f"let v = {case.result}; if {case.reader} {{ q[thread.rank] = v; }}"
    return (f"kernel {name}(p: [n]{case.type}, q: mut [n]{case.type}) workgroup({threads}) grid(1) {{\n"
            f"  let x = p[thread.rank]; {before}\n  {store}\n}}\n")


def write_program():
    text = ""
    for table, (threads, rows) in TABLES.items():
        for number, case in enumerate(rows):
            for isBase in (False, True):
                text += write_kernel(get_name(table, number, isBase), threads, case, isBase)
    return text


def get_name(table, number, isBase=False):
    return table.replace("-", "_") + f"_{number}" + ("_base" if isBase else "")


def compile_program(collc, folder):
    """The assembly of each chip by name, and the remarks."""
    source, output = os.path.join(folder, "tables.coll"), os.path.join(folder, "tables.s")
    with open(source, "w", encoding="utf-8") as file:
        file.write(write_program())
    command = [collc, "compile", source, "--target=" + ",".join(CHIPS), "--remarks=json", "-o", output]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"collectives_doc: {result.stderr}")
    texts = {}
    for chip in CHIPS:
        with open(os.path.join(folder, f"tables.{chip.replace(':', '-')}.s"), encoding="utf-8") as file:
            texts[chip] = file.read()
    return texts, [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]


def read_ptx(text):
    kernels, current, shared = {}, None, {}
    for line in text.splitlines():
        entry = re.match(r"\.visible \.entry (\w+)\(", line)
        array = re.match(r"\.shared .*\.[busf](\d+) ([\w$]+)(?:\[(\d+)\])?;", line.strip())
        line = line.strip()
        if entry:
            current = kernels.setdefault(entry[1], Kernel())
        elif array:
            shared[array[2]] = int(array[1]) // 8 * int(array[3] or 1)
        elif line == "}":
            current = None
        elif current and line.endswith(";") and not line.startswith("."):
            current.instructions += 1
            current.barriers += bool(PTX_BARRIER.search(line))
            for name in set(re.findall(r"[\w$]+", line)) & set(shared):
                current.shared += shared.pop(name)
    return kernels


def read_amd(text):
    kernels, current, described = {}, None, None
    for line in text.splitlines():
        label = re.match(r"([A-Za-z_]\w*):", line)
        line = line.split(";")[0].strip()
        if label:
            current = kernels.setdefault(label[1], Kernel())
        elif line.startswith(".amdhsa_kernel"):
            described = kernels[line.split()[1]]
        elif line.startswith(".amdhsa_group_segment_fixed_size"):
            described.shared = int(line.split()[1])
        elif current and AMD_INSTRUCTION.match(line) and not IGNORED.match(line):
            current.instructions += 1
            current.barriers += bool(AMD_BARRIER.match(line))
    return kernels


def get_strategies(remarks, chip, kernel):
    """'dpp-tree', or 'dpp-tree + dpp-scan' of several; empty where nothing has a plan."""
    names = []
    for record in remarks:
        if record["target"] == chip and record["kernel"] == kernel and record["strategy"] not in names + [None]:
            names.append(record["strategy"])
    return " + ".join(names)


def make_cell(kernels, remarks, chip, table, number):
    name = get_name(table, number)
    kernel, base = kernels[name], kernels[get_name(table, number, isBase=True)]
    parts = [str(kernel.instructions - base.instructions)]
    if table.startswith("block"):
        parts += [f"{kernel.barriers} bar", f"{kernel.shared} B"]
    strategies = get_strategies(remarks, chip, name)
    if strategies:
        parts.append(strategies)
    return ", ".join(parts)


def make_table(kernels, remarks, table):
    rows = TABLES[table][1]
    lines = ["| chip | " + " | ".join(case.title for case in rows) + " |", "| --- |" + " --- |" * len(rows)]
    for chip in CHIPS:
        cells = [make_cell(kernels[chip], remarks, chip, table, number) for number in range(len(rows))]
        lines.append(f"| {chip} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def fill(document, tables):
    """The document with all its tables made anew, and what is wrong with it."""
    problems, missing = [], set(tables)

    def replace(match):
        name = match[1]
        if name not in tables:
            problems.append(f"there is no table '{name}'")
            return match[0]
        missing.discard(name)
        return f"<!-- table {name} -->\n{tables[name]}\n<!-- end -->"

    result = re.sub(r"<!-- table ([\w-]+) -->\n.*?<!-- end -->", replace, document, flags=re.DOTALL)
    if missing:
        problems.append(f"the document lacks the tables {', '.join(sorted(missing))}")
    return result, problems


def check_strategies(document, remarks):
    """What is wrong: every strategy of a vendor has a row under its heading, and no other has."""
    problems = []
    for vendor, prefix in (("NVIDIA", "sm_"), ("AMD", "gfx")):
        known = set()
        for record in remarks:
            if record["strategy"] and record["target"].startswith(prefix):
                known |= {record["strategy"]} | {other["strategy"] for other in record["others"]}
        section = re.search(rf"^### {vendor}$(.*?)(?=^#|\Z)", document, re.MULTILINE | re.DOTALL)
        described = set(re.findall(r"^\| `([\w-]+)` \|", section[1], re.MULTILINE)) if section else set()
        if known != described:
            problems.append(f"the strategies of {vendor} are {', '.join(sorted(known))}; "
                            f"the document describes {', '.join(sorted(described))}")
    return problems


def handle(path, options, tables, remarks):
    """Checks or writes one document; the number of problems."""
    with open(path, encoding="utf-8") as file:
        document = file.read()
    filled, problems = fill(document, tables)
    problems += check_strategies(document, remarks)
    if options.write and not problems:
        with open(path, "w", encoding="utf-8") as file:
            file.write(filled)
    elif options.check and filled != document:
        print(*difflib.unified_diff(document.splitlines(), filled.splitlines(), "committed", "made now", n=0, lineterm=""), sep="\n")
        problems.append("the tables are not what the compiler does; if that is meant, run utils/collectives_doc.py --write")
    for problem in problems:
        print(f"{path}: {problem}")
    return len(problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--collc", default="collc")
    parser.add_argument("files", nargs="+", metavar="FILE")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true", help="say where the tables are not what the compiler does")
    mode.add_argument("--write", action="store_true", help="put the tables into the documents")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        texts, remarks = compile_program(options.collc, folder)
    kernels = {chip: (read_ptx if chip.startswith("sm_") else read_amd)(text) for chip, text in texts.items()}
    tables = {table: make_table(kernels, remarks, table) for table in TABLES}
    return 1 if sum(handle(path, options, tables, remarks) for path in options.files) else 0


if __name__ == "__main__":
    sys.exit(main())
