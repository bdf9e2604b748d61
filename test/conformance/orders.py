"""The orders in which reduce and the scans combine, as semantics.md defines them.

`op(left, right)` combines two elements. Elements are listed in the order of the group's ranks.
"""

ROW = 16
SEGMENT = 32


def reduce(op, elements):
    """Level by level, neighbours combine; what has no neighbour stays as it is."""
    while len(elements) > 1:
        pairs = [op(elements[i], elements[i + 1]) for i in range(0, len(elements) - 1, 2)]
        elements = pairs + elements[len(pairs) * 2:]
    return elements[0]


def scan_row(op, row):
    distance = 1
    while distance < len(row):
        row = row[:distance] + [op(row[i - distance], row[i]) for i in range(distance, len(row))]
        distance *= 2
    return row


def scan_segment(op, segment):
    first, second = scan_row(op, segment[:ROW]), scan_row(op, segment[ROW:])
    return first + [op(first[-1], element) for element in second]


def scan_segments(op, elements):
    """The scans inside the segments, and P of each segment."""
    segments = [scan_segment(op, elements[i:i + SEGMENT]) for i in range(0, len(elements), SEGMENT)]
    totals = [segment[-1] for segment in segments]
    return segments, scan(op, totals) if len(totals) > 1 else totals


def scan(op, elements):
    """The inclusive scan."""
    segments, totals = scan_segments(op, elements)
    result = list(segments[0])
    for j, segment in enumerate(segments[1:]):
        result += [op(totals[j], element) for element in segment]
    return result


def scan_total(op, elements):
    return scan_segments(op, elements)[1][-1]


def exclusive_scan(op, elements, identity, init=None):
    """`init` lists a value for each rank, or is None."""
    segments, totals = scan_segments(op, elements)
    result = [identity] + segments[0][:-1]
    for j, segment in enumerate(segments[1:]):
        result += [totals[j]] + [op(totals[j], element) for element in segment[:-1]]
    if init is None:
        return result
    return [init[0]] + [op(init[rank], result[rank]) for rank in range(1, len(result))]


def serial(op, chunk):
    """The prefixes of one thread's elements."""
    prefixes = [chunk[0]]
    for element in chunk[1:]:
        prefixes.append(op(prefixes[-1], element))
    return prefixes


def reduce_chunks(op, chunks):
    return reduce(op, [serial(op, chunk)[-1] for chunk in chunks])


def scan_chunks(op, chunks):
    """The inclusive scan of what all threads hold, K elements each."""
    prefixes = [serial(op, chunk) for chunk in chunks]
    before = exclusive_scan(op, [chunk[-1] for chunk in prefixes], None)
    return [prefixes[0]] + [[op(before[rank], element) for element in prefixes[rank]] for rank in range(1, len(chunks))]


def exclusive_scan_chunks(op, chunks, identity, init=None):
    prefixes = [serial(op, chunk) for chunk in chunks]
    before = exclusive_scan(op, [chunk[-1] for chunk in prefixes], identity, init)
    result = []
    for rank, chunk in enumerate(prefixes):
        first = rank == 0 and init is None
        result.append([before[rank]] + [element if first else op(before[rank], element) for element in chunk[:-1]])
    return result


def scan_total_chunks(op, chunks):
    return scan_total(op, [serial(op, chunk)[-1] for chunk in chunks])


def backward(elements):
    """Ranks in reverse; of chunks, with the elements of each in reverse too."""
    return [element[::-1] if isinstance(element, list) else element for element in elements[::-1]]
