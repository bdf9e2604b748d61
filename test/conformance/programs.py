"""Programs by number: each is one call of a collective in some context, for one block shape; batches of them share a kernel."""

import random

import arithmetic as ar
import calls
import collectives
import contexts
import groups
import shapes
import sites
from value_types import choose

BATCH = 12
GUARD = 5


def guard_byte(at):
    return (at * 73 + 41) & 0xFF


class Buffers:
    """The arrays of a kernel, one of each scalar type for inputs and for outputs."""

    def __init__(self):
        self.inputs = {}
        self.outputs = {}
        self.scratch = {}

    def add_input(self, kind, bits):
        array = self.inputs.setdefault(kind, [])
        array += bits
        return len(array) - len(bits)

    def add_output(self, kind, count):
        """With guard words on both sides."""
        begin = self.outputs.get(kind, GUARD)
        self.outputs[kind] = begin + count + GUARD
        return begin

    def add_scratch(self, kind, count):
        """Memory that threads share while they run; nobody looks at it afterwards."""
        begin = self.scratch.get(kind, 0)
        self.scratch[kind] = begin + count
        return begin

    def input_bytes(self, kind):
        size = ar.byte_size(kind)
        return b"".join(bits.to_bytes(size, "little") for bits in self.inputs[kind])

    def guard_bytes(self, kind):
        return bytes(guard_byte(at) for at in range(self.outputs[kind] * ar.byte_size(kind)))


class Program:
    """One call in one context. `emit` must come before `expected`."""

    def __init__(self, seed, number, shape):
        rng = random.Random(f"{seed}/{number}")
        self.number = number
        self.shape = shape
        self.total = shape.total
        collective = collectives.of_program(number)
        self.name = collective.name
        self.group = groups.random_group(rng, shape)
        while self.group.kind not in collective.groups:
            self.group = groups.random_group(rng, shape)
        self.call = collective.maker(calls.Maker(rng, self.group, shape))
        context = choose(rng, contexts.contexts_of(self.call, self.group))
        self.context = context.__name__
        self.site = sites.Site(rng, number, self.call, self.group, shape)
        self.lines, self.results, self.evaluate = context(self.site)
        # Whether those who execute the call do it in a function, so that its returns lead back to the others.
        self.in_function = self.group.kind == "members" and rng.randrange(2) == 1
        self.regions = []  # (kind, first element, result, leaf, exact)
        self.cache = {}

    def describe(self):
        types = ", ".join(operand.value_type.text for operand in self.call.operands)
        text = self.call.text.format(*[f"{k}" for k in range(len(self.call.operands))], g=self.group.text, s="s", n="")
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
                if index == 0 and self.site.kept_leaf not in (None, leaf):
                    continue
                # Any byte can guard a u8; a bool's must be 0 or 1.
                stored, cast = ("u8", " as u8") if kind == "bool" else (kind, "")
                first = buffers.add_output(stored, self.total)
                self.regions.append((stored, first, index, leaf, exact if isinstance(exact, bool) else exact[leaf]))
                parts.append(f"out_{stored}[i + {first}] = r{index}{path}{cast};")
        return " ".join(parts)

    def emit(self, buffers):
        """The lines of functions that the program needs, and of its body. Views and scalar parameters are handed on to functions
        as `@parameters@` and `@arguments@`."""
        loaded = [self.loads(buffers, f"o{k}", operand) for k, operand in enumerate(self.call.operands) if operand.values]
        loaded += [self.loads(buffers, f"x{k}", operand) for k, operand in enumerate(self.site.extras)]
        if self.call.shared:
            loaded.insert(0, f"shared s: {self.call.shared};")
        if self.call.scratch:
            first = buffers.add_scratch(self.call.scratch, self.total)
            loaded.insert(0, f"let s = scratch_{self.call.scratch}[{first}..{first + self.total}];")
        labels = [self.loads(buffers, f"l{k}", label) for k, label in enumerate(self.group.labels())]
        stores = self.stores(buffers)
        lines = [f"let g = {self.group.text};"] + [self.group.spell(line.replace("{store}", stores)) for line in self.lines]
        if not self.group.around():
            return [], labels + loaded + lines
        before, after = self.group.around()
        if not self.in_function:
            return [], labels + loaded + [before] + ["  " + line for line in lines] + [after]
        name = f"some_{self.number}"
        function = [f"fn {name}(@parameters@, i: i64) {{"] + ["  " + line for line in labels + loaded + lines] + ["}"]
        return function, labels + [before, f"  {name}(@arguments@, i);", after]

    def features(self):
        """What the compiler must know: the collective, maybe kinds of groups."""
        return {self.name} | self.group.features()

    def fits(self, width, has_clusters):
        return self.group.fits(self.shape, width, has_clusters)

    @staticmethod
    def rows_of(operands, threads):
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
                    row.append(operand.values[thread])
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
        for threads in self.group.partition(self.shape, width):
            rows = self.rows_of(self.call.operands, threads)
            extras = self.rows_of(self.site.extras, threads)
            block, rank = divmod(threads[0], self.shape.threads)
            where = sites.Where(block // self.shape.cluster, block, rank // width, width)
            for thread, value in zip(threads, self.evaluate(rows, extras, where)):
                results[thread] = value
        return results


class Batch:
    """Programs that share a kernel. `programs` may be fewer than its numbers say, to run one alone."""

    def __init__(self, seed, index, numbers=None):
        self.shape = shapes.random_shape(random.Random(f"{seed}/shape/{index}"))
        self.seed = seed
        self.index = index
        if numbers is None:
            numbers = range(index * BATCH, (index + 1) * BATCH)
        self.programs = [Program(seed, number, self.shape) for number in numbers]

    def alone(self, program):
        return Batch(self.seed, self.index, [program.number])

    def emit(self, programs):
        """The text and the buffers of a kernel with these of the programs. Each is a function but for the last one, which is the
        end of the kernel, so that its returns leave that."""
        buffers = Buffers()
        functions, bodies = [], []
        for program in programs:
            program.regions = []
            function, body = program.emit(buffers)
            functions.append(function)
            bodies.append(body)
        views = [f"in_{kind}: [n_{kind}]{kind}" for kind in buffers.inputs]
        views += [f"out_{kind}: mut [m_{kind}]{kind}" for kind in buffers.outputs]
        views += [f"scratch_{kind}: mut [k_{kind}]{kind}" for kind in buffers.scratch]
        arguments = ", ".join([view.split(":")[0] for view in views] + ["p1", "p3"])
        parameters = ", ".join(views + ["p1: i32", "p3: i32"])
        lines = []
        for program in programs:
            declared = dict.fromkeys(program.call.declarations + program.site.functions + program.group.declarations())
            lines += [line for line in declared if line not in lines]
        for program, function, body in zip(programs[:-1], functions, bodies):
            lines += [f"// {program.describe()}", *function, f"fn case_{program.number}(@parameters@, i: i64) {{"]
            lines += ["  " + line for line in body] + ["}", ""]
        lines += [f"// {programs[-1].describe()}", *functions[-1], "kernel batch(@parameters@)", f"    {self.shape.clauses()} {{"]
        lines += [f"  case_{program.number}(@arguments@, grid.rank);" for program in programs[:-1]]
        lines += ["  let i = grid.rank;"] + ["  " + line for line in bodies[-1]]
        text = "\n".join(lines) + "\n}\n"
        return text.replace("@parameters@", parameters).replace("@arguments@", arguments), buffers
