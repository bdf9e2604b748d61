"""Programs by number: each is one call of a collective in some context, for one block shape; batches of them share a kernel."""

import random

import arithmetic as ar
import calls
import collectives
import contexts
import groups
import sites
from value_types import choose

BATCH = 12
GUARD = 5
# The largest number of threads of all blocks of a kernel.
SIZES = (1, 2, 3, 11, 12, 15, 16, 17, 31, 32, 33, 45, 48, 63, 64, 65, 96, 127, 128, 180, 256, 257, 500, 1000, 1023, 1024)
SHAPES = ((8, 8, 1), (4, 4, 4), (3, 5, 7), (5, 1, 13), (1, 37, 1), (2, 3, 40), (16, 8, 1), (33, 2, 2), (10, 10, 10), (1, 1, 64))


def guard_byte(at):
    return (at * 73 + 41) & 0xFF


class Buffers:
    """The arrays of a kernel, one of each scalar type for inputs and for outputs."""

    def __init__(self):
        self.inputs = {}
        self.outputs = {}

    def add_input(self, kind, bits):
        array = self.inputs.setdefault(kind, [])
        array += bits
        return len(array) - len(bits)

    def add_output(self, kind, count):
        """With guard words on both sides."""
        begin = self.outputs.get(kind, GUARD)
        self.outputs[kind] = begin + count + GUARD
        return begin

    def input_bytes(self, kind):
        size = ar.byte_size(kind)
        return b"".join(bits.to_bytes(size, "little") for bits in self.inputs[kind])

    def guard_bytes(self, kind):
        return bytes(guard_byte(at) for at in range(self.outputs[kind] * ar.byte_size(kind)))


class Program:
    """One call in one context. `emit` must come before `expected`."""

    def __init__(self, seed, number, block, blocks):
        rng = random.Random(f"{seed}/{number}")
        self.number = number
        self.blocks = blocks
        self.threads = block[0] * block[1] * block[2]
        self.total = self.threads * blocks
        collective = collectives.COLLECTIVES[number % len(collectives.COLLECTIVES)]
        self.name = collective.name
        self.group = groups.random_group(rng, self.threads, self.total)
        while self.group.kind not in collective.groups:
            self.group = groups.random_group(rng, self.threads, self.total)
        self.call = collective.maker(calls.Maker(rng, self.group, self.threads, self.total))
        context = contexts.random_context(rng, self.call)
        self.context = context.__name__
        self.site = sites.Site(rng, number, self.call, self.group, self.total)
        self.lines, self.results, self.evaluate = context(self.site)
        self.regions = []  # (kind, first element, result, leaf, exact)
        self.cache = {}

    def describe(self):
        types = ", ".join(operand.value_type.text for operand in self.call.operands)
        text = self.call.text.format(*[f"{k}" for k in range(len(self.call.operands))], g=self.group.text, s="shared")
        return f"program {self.number}: {text} of ({types}) in {self.context}"

    def loads(self, buffers, name, operand):
        leaves = []
        for k, kind in enumerate(operand.value_type.leaves):
            first = buffers.add_input(kind, [value[k] for value in operand.values])
            leaves.append(f"in_{kind}[i + {first}]")
        return f"let {name} = {operand.value_type.build(leaves)};"

    def stores(self, buffers):
        parts = []
        for index, value_type, exact in self.results:
            for leaf, (kind, path) in enumerate(zip(value_type.leaves, value_type.paths())):
                # Any byte can guard a u8; a bool's must be 0 or 1.
                stored, cast = ("u8", " as u8") if kind == "bool" else (kind, "")
                first = buffers.add_output(stored, self.total)
                self.regions.append((stored, first, index, leaf, exact if isinstance(exact, bool) else exact[leaf]))
                parts.append(f"out_{stored}[i + {first}] = r{index}{path}{cast};")
        return " ".join(parts)

    def emit(self, buffers):
        """The body of the program's function, whose parameters come with `signature`."""
        body = [self.loads(buffers, f"o{k}", operand) for k, operand in enumerate(self.call.operands) if operand.values]
        body += [self.loads(buffers, f"x{k}", operand) for k, operand in enumerate(self.site.extras)]
        if self.call.shared:
            body.insert(0, f"shared s: {self.call.shared};")
        body += [self.loads(buffers, f"l{k}", label) for k, label in enumerate(self.group.labels())]
        stores = self.stores(buffers)
        lines = [f"let g = {self.group.text};"] + [self.group.spell(line.replace("{store}", stores)) for line in self.lines]
        if self.group.around():
            before, after = self.group.around()
            lines = [before] + ["  " + line for line in lines] + [after]
        return body + lines

    def features(self):
        """What the compiler must know: the collective, maybe kinds of groups."""
        return {self.name} | self.group.features()

    def rows_of(self, operands, block, threads):
        """The operands' values in the ranks of a group."""
        rows = []
        for rank, thread in enumerate(threads):
            row = []
            for operand in operands:
                if operand.compute:
                    row.append(operand.compute(rank, len(threads)))
                elif operand.constant is not None:
                    row.append(operand.constant)
                else:
                    row.append(operand.values[block * self.threads + thread])
            rows.append(row)
        return rows

    def expected(self, width):
        """The results of each thread, or None, where warps have `width` threads."""
        key = width if self.group.depends_on_width() or "warp." in "".join(self.lines) else 0
        if key not in self.cache:
            self.cache[key] = self.compute(width)
        return self.cache[key]

    def compute(self, width):
        results = [None] * self.total
        for block in range(self.blocks):
            for threads in self.group.partition(self.threads, width, block):
                rows = self.rows_of(self.call.operands, block, threads)
                extras = self.rows_of(self.site.extras, block, threads)
                where = sites.Where(block, threads[0] // width)
                for thread, value in zip(threads, self.evaluate(rows, extras, where)):
                    results[block * self.threads + thread] = value
        return results


class Batch:
    """Programs that share a kernel. `programs` may be fewer than its numbers say, to run one alone."""

    def __init__(self, seed, index, numbers=None):
        rng = random.Random(f"{seed}/shape/{index}")
        self.block = choose(rng, SHAPES) if rng.randrange(3) == 0 else (choose(rng, SIZES), 1, 1)
        threads = self.block[0] * self.block[1] * self.block[2]
        self.blocks = 1 if threads > 256 else 1 + rng.randrange(3)
        self.seed = seed
        self.index = index
        if numbers is None:
            numbers = range(index * BATCH, (index + 1) * BATCH)
        self.programs = [Program(seed, number, self.block, self.blocks) for number in numbers]

    def alone(self, program):
        return Batch(self.seed, self.index, [program.number])

    def emit(self, programs):
        """The text and the buffers of a kernel with these of the programs."""
        buffers = Buffers()
        bodies = []
        for program in programs:
            program.regions = []
            bodies.append(program.emit(buffers))
        views = [f"in_{kind}: [n_{kind}]{kind}" for kind in buffers.inputs]
        outputs = [f"out_{kind}: mut [m_{kind}]{kind}" for kind in buffers.outputs]
        arguments = [view.split(":")[0] for view in views + outputs]
        lines = []
        for program, body in zip(programs, bodies):
            declared = dict.fromkeys(program.call.declarations + program.site.functions)
            lines += [line for line in declared if line not in lines]
            parameters = ", ".join(views + outputs + ["i: i64", "p1: i32", "p3: i32"])
            lines += [f"// {program.describe()}", f"fn case_{program.number}({parameters}) {{"]
            lines += ["  " + line for line in body] + ["}", ""]
        x, y, z = self.block
        lines.append(f"kernel batch({', '.join(views + outputs + ['p1: i32', 'p3: i32'])})")
        lines.append(f"    workgroup({x}, {y}, {z}) grid({self.blocks}) {{")
        for program in programs:
            lines.append(f"  case_{program.number}({', '.join(arguments)}, grid.rank, p1, p3);")
        return "\n".join(lines) + "\n}\n", buffers
