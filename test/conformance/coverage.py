"""How often the programs of a range reach each cell of the matrix: collectives, groups, types, operators, places."""

import collections

import arithmetic as ar
import collectives
import contexts
import operators
import programs
from value_types import Array, Enum, Scalar, Struct, Tuple, Vector

TILES = tuple(f"tile({1 << k})" for k in range(7))
SCOPES = ("thread",) + TILES + ("warp", "active()", "partition", "partition_by", "part of a part", "block.tile", "block.warps",
                                "block", "cluster", "grid")
TYPES = ar.SCALARS + ("vector", "tuple", "struct", "array", "enum")
OPERATORS = tuple(operators.BUILTINS) + ("lambda", "fn", "op", "op with identity")
STRUCTURED = {Vector: "vector", Tuple: "tuple", Struct: "struct", Array: "array", Enum: "enum"}


def scope_of(group):
    if group.kind == "tile":
        return f"tile({group.size})"
    if group.kind != "members":
        return group.kind
    if group.feature == "warp.active()":
        return "active()"
    return "part of a part" if group.base.kind == "members" and group.base.feature != "warp.active()" else group.feature


def scopes_of(kinds):
    """The scopes of these kinds of groups."""
    members = ("active()", "partition", "partition_by", "part of a part")
    listed = [TILES if kind == "tile" else members if kind == "members" else (kind,) for kind in kinds]
    return tuple(scope for scope in SCOPES if any(scope in some for some in listed))


def types_of(value_type):
    """The type's class, and of an array that of its elements too."""
    if isinstance(value_type, Scalar):
        return [value_type.kind]
    elements = types_of(value_type.element) if isinstance(value_type, Array) else []
    return [STRUCTURED[type(value_type)]] + elements


def operator_of(operator):
    if operator.text in operators.BUILTINS:
        return operator.text
    if operator.text.startswith("|"):
        return "lambda"
    if operator.declarations[-1].startswith("fn"):
        return "fn"
    return "op with identity" if operator.identity else "op"


def dimensions(extents):
    return max([k + 1 for k, extent in enumerate(extents) if extent > 1], default=1)


class Coverage:
    """Counts of pairs: `counts[row dimension, column dimension][row, column]`, and of `shapes` of launches."""

    def __init__(self, seed, indices):
        self.counts = collections.defaultdict(collections.Counter)
        self.sizes = set()
        self.shapes = collections.Counter()
        for index in indices:
            batch = programs.Batch(seed, index)
            self.add_shape(batch.shape)
            for program in batch.programs:
                self.add(program)

    def add_shape(self, shape):
        self.sizes.add(shape.threads)
        self.shapes[f"a block of {dimensions(shape.block)} dimensions"] += 1
        self.shapes[f"a grid of {dimensions(shape.grid)} dimensions"] += 1
        self.shapes["several blocks"] += shape.blocks > 1
        self.shapes["clusters"] += shape.cluster > 1
        self.shapes["a short last warp of 32"] += shape.threads % 32 > 0
        self.shapes["a short last warp of 64"] += shape.threads % 64 > 0

    def add(self, program):
        scope = scope_of(program.group)
        self.count("collective", program.name, "group", [scope])
        self.count("collective", program.name, "place", [program.context])
        self.count("group", scope, "place", [program.context])
        if not program.call.operands:
            return
        types = types_of(program.call.operands[0].value_type)
        self.count("collective", program.name, "type", types)
        self.count("group", scope, "type", types)
        if program.call.operator:
            operator = operator_of(program.call.operator)
            self.count("collective", program.name, "operator", [operator])
            self.count("group", scope, "operator", [operator])
            self.count("operator", operator, "type", types)

    def count(self, rows, row, columns, listed):
        for column in listed:
            self.counts[rows, columns][row, column] += 1


def kinds_of(operator):
    """The scalars that an operator of this kind combines."""
    if operator in operators.BUILTINS:
        return operators.BUILTINS[operator][0]
    return ar.SCALARS if operator == "lambda" else operators.NUMBERS


def expected_cells():
    """The cells that programs can reach, a table each: (rows, columns): {row: columns}."""
    listed = collectives.COLLECTIVES

    def places_of(scope):
        return contexts.places(whole_blocks=scope in contexts.OF_BLOCKS)
    return {
        ("collective", "group"): {each.name: scopes_of(each.groups) for each in listed},
        ("collective", "type"): {each.name: each.types for each in listed if each.types},
        ("collective", "operator"): {each.name: OPERATORS for each in listed if each.types == collectives.COMBINED},
        ("collective", "place"): {each.name: each.places() for each in listed},
        ("group", "type"): {scope: TYPES for scope in SCOPES},
        ("group", "operator"): {scope: OPERATORS for scope in SCOPES},
        ("group", "place"): {scope: places_of(scope) for scope in SCOPES},
        ("operator", "type"): {operator: kinds_of(operator) for operator in OPERATORS},
    }


def format_table(title, cells, counts):
    """Rows and columns of counts; '-' where there is nothing to reach."""
    columns = list(dict.fromkeys(column for row in cells.values() for column in row))
    if len(columns) > 20:
        # As many columns as places have: a line for each place.
        cells = {column: [row for row, listed in cells.items() if column in listed] for column in columns}
        counts = {(column, row): count for (row, column), count in counts.items()}
        columns = list(dict.fromkeys(column for row in cells.values() for column in row))
        title = " and ".join(reversed(title.split(" and ")))
    rows = [[title, *columns]]
    for row, listed in cells.items():
        rows.append([row, *(str(counts.get((row, column), 0)) if column in listed else "-" for column in columns)])
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def report_plans(plans, strategies):
    """Prints how often each strategy carried out each collective: `plans` counts (collective, strategy). What none used."""
    cells = {strategy: sorted({collective for collective, _ in plans}) for strategy in strategies}
    counts = {(strategy, collective): count for (collective, strategy), count in plans.items()}
    print(format_table("strategy and collective", cells, counts) + "\n")
    return [f"a plan of {strategy}" for strategy in strategies if not any(strategy == taken for _, taken in plans)]


def report(coverage):
    """Prints the tables and a line for each; the cells that no program reaches, in words."""
    missed, lines = [], []
    for (rows, columns), cells in expected_cells().items():
        counts = coverage.counts[rows, columns]
        print(format_table(f"{rows} and {columns}", cells, counts) + "\n")
        listed = [(row, column) for row, columns_of_row in cells.items() for column in columns_of_row]
        missed += [f"{row} with {column}" for row, column in listed if not counts[row, column]]
        rarest = min(listed, key=lambda cell: counts[cell])
        lines.append(f"{rows} and {columns}: {len(listed)} cells, each reached by {counts[rarest]} programs or more")
    print("\n".join(lines))
    print(f"{len(coverage.sizes)} sizes of blocks from {min(coverage.sizes)} to {max(coverage.sizes)}; kernels with")
    print("\n".join(f"  {what}: {count}" for what, count in sorted(coverage.shapes.items())))
    return missed
