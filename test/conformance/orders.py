"""The orders in which reduce and the scans combine, as semantics.md defines them.

`op(left, right)` combines two elements. Elements are listed in the order of the group's ranks. `span` is the ranks of a block
where the group has several, else None.
"""

ROW = 16
SEGMENT = 32


def cut(elements, size):
    return [elements[i:i + size] for i in range(0, len(elements), size)]


def tree(op, elements):
    """Level by level, neighbours combine; what has no neighbour stays as it is."""
    while len(elements) > 1:
        pairs = [op(elements[i], elements[i + 1]) for i in range(0, len(elements) - 1, 2)]
        elements = pairs + elements[len(pairs) * 2:]
    return elements[0]


def reduce(op, elements, span=None):
    if span:
        elements = [tree(op, block) for block in cut(elements, span)]
    return tree(op, elements)


def scan_row(op, row):
    distance = 1
    while distance < len(row):
        row = row[:distance] + [op(row[i - distance], row[i]) for i in range(distance, len(row))]
        distance *= 2
    return row


def scan_segment(op, segment):
    first, second = scan_row(op, segment[:ROW]), scan_row(op, segment[ROW:])
    return first + [op(first[-1], element) for element in second]


def serial(op, chunk):
    """The prefixes of one thread's elements."""
    prefixes = [chunk[0]]
    for element in chunk[1:]:
        prefixes.append(op(prefixes[-1], element))
    return prefixes


def scan_parts(op, elements, span):
    """The scans inside the parts (segments of a block, or blocks), and what all parts up to each one combine to."""
    if span:
        parts = [scan(op, block) for block in cut(elements, span)]
        return parts, serial(op, [scan_total(op, block) for block in cut(elements, span)])
    parts = [scan_segment(op, segment) for segment in cut(elements, SEGMENT)]
    totals = [part[-1] for part in parts]
    return parts, scan(op, totals) if len(totals) > 1 else totals


def scan(op, elements, span=None):
    """The inclusive scan."""
    parts, totals = scan_parts(op, elements, span)
    result = list(parts[0])
    for j, part in enumerate(parts[1:]):
        result += [op(totals[j], element) for element in part]
    return result


def scan_total(op, elements, span=None):
    return scan_parts(op, elements, span)[1][-1]


def exclusive_scan(op, elements, identity, init=None, span=None):
    """`init` lists a value for each rank, or is None."""
    parts, totals = scan_parts(op, elements, span)
    if span:
        parts = [exclusive_scan(op, block, None) for block in cut(elements, span)]
    else:
        parts = [[None] + part[:-1] for part in parts]
    result = [identity] + parts[0][1:]
    for j, part in enumerate(parts[1:]):
        result += [totals[j]] + [op(totals[j], element) for element in part[1:]]
    if init is None:
        return result
    return [init[0]] + [op(init[rank], result[rank]) for rank in range(1, len(result))]


def reduce_chunks(op, chunks, span=None):
    return reduce(op, [serial(op, chunk)[-1] for chunk in chunks], span)


def scan_chunks(op, chunks, span=None):
    """The inclusive scan of what all threads hold, K elements each."""
    prefixes = [serial(op, chunk) for chunk in chunks]
    before = exclusive_scan(op, [chunk[-1] for chunk in prefixes], None, span=span)
    return [prefixes[0]] + [[op(before[rank], element) for element in prefixes[rank]] for rank in range(1, len(chunks))]


def exclusive_scan_chunks(op, chunks, identity, init=None, span=None):
    prefixes = [serial(op, chunk) for chunk in chunks]
    before = exclusive_scan(op, [chunk[-1] for chunk in prefixes], identity, init, span)
    result = []
    for rank, chunk in enumerate(prefixes):
        first = rank == 0 and init is None
        result.append([before[rank]] + [element if first else op(before[rank], element) for element in chunk[:-1]])
    return result


def scan_total_chunks(op, chunks, span=None):
    return scan_total(op, [serial(op, chunk)[-1] for chunk in chunks], span)


def backward(elements):
    """Ranks in reverse; of chunks, with the elements of each in reverse too."""
    return [element[::-1] if isinstance(element, list) else element for element in elements[::-1]]
