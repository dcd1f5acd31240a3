"""Bands: a part that is long and low goes on below, as a text in lines, so that it can be read larger.

All bands share their columns: the gaps between these lead through the whole part, with room for wires that return.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gradwire.engine.layout.framed_layers import (
    BLOCK_MARGIN,
    FRAME_BOTTOM,
    FRAME_TOP,
    PAGE,
    Arrangement,
    Column,
    Corner,
    Part,
    Size,
    lefts,
    up,
)

# Room between two bands, and for each output that returns there.
BAND_GAP, RETURN_GAP = 40, 44
# Each output that returns costs a share of the zoom; one more band has to gain so much.
RETURN_COST, GAIN = 0.985, 1.06
# Small parts try so many divisions, none that is estimated to be so much worse; for the others the estimate decides.
TRIED, SMALL, HOPEFUL = 5, 40, 0.7
# Numbers of bands among which a part chooses.
BANDS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64)
# Below this zoom a wire shows one number; with that much room between columns it fits.
NUMBER_ZOOM, NUMBER_GAP, NARROW_GAIN = 0.7, 126.0, 1.04


class _Layer(NamedTuple):
    """Width and gap of a layer, its height as estimated, and whether a band may end behind it."""

    width: float
    gap: float
    height: float
    is_last: bool


def zoom(size: Size, room: Size) -> float:
    """Returns the zoom, at most 1, at which a size fits into a room."""
    return min(1.0, room[0] / max(size[0], 1.0), room[1] / max(size[1], 1.0))


def part_corners(part: Part, room: Size | None) -> list[Corner]:
    """Returns the top-left corners of the blocks of one part, from 0, 0 on; without a room in one band."""
    whole = Arrangement(part)
    if room is None:
        return _Bands(whole, [max(whole.rank) + 1]).corners()
    tried = [_Bands(whole, ends) for ends in _divisions(whole, room)]
    for bands in tried:
        bands.narrow(room)
    return max(tried, key=lambda bands: _worth(bands.size(), bands.returning, room)).corners()


def _worth(size: Size, returning: int, room: Size) -> float:
    return zoom(size, room) * max(0.5, RETURN_COST**returning)


# Where bands end


def _divisions(whole: Arrangement, room: Size) -> list[list[int]]:
    """Returns the most promising divisions, each as the layers behind which its bands end."""
    layers, returning = _layers(whole), _returning(whole)
    found: dict[tuple[int, ...], float] = {}
    count, most = len(layers), 0.0
    for columns in sorted({-(-count // bands) for bands in BANDS}):
        if zoom((_least_width(layers, columns), 0.0), room) < most * HOPEFUL:
            break
        ends, height = _division(layers, returning, columns)
        if ends:
            across = max(_width(layers[start:end]) for start, end in itertools.pairwise([0, *ends]))
            worth = _worth((across, height), sum(returning[end] for end in ends[:-1]), room)
            found[tuple(ends)] = worth / GAIN ** (len(ends) > 1)
            most = max(most, found[tuple(ends)])
    ranked = sorted(found, key=lambda ends: (-found[ends], len(ends)))
    hopeful = [list(ends) for ends in ranked if found[ends] >= most * HOPEFUL]
    return hopeful[: TRIED if len(whole.rank) <= SMALL else 1] or [[count]]


def _least_width(layers: Sequence[_Layer], columns: int) -> float:
    return columns * min(layer.width + layer.gap for layer in layers) - max(layer.gap for layer in layers)


def _layers(whole: Arrangement) -> list[_Layer]:
    """Returns the layers of a part as they count for its division; no frame may be divided."""
    heights = [float(RETURN_GAP * count) for count in _returning(whole, past=1)[:-1]]
    for node, (_, height) in enumerate(whole.part.boxes):
        heights[whole.rank[node]] += height + 2 * BLOCK_MARGIN
    within = [False] * len(heights)
    for first, last in whole.span.values():
        for rank in range(first, last + 1):
            heights[rank] += FRAME_TOP + FRAME_BOTTOM
            within[rank] = within[rank] or rank < last
    return [
        _Layer(column.width, column.gap, height, not is_within)
        for column, height, is_within in zip(whole.columns(), heights, within, strict=True)
    ]


def _returning(whole: Arrangement, past: int = 0) -> list[int]:
    """Returns how many outputs of layers before each are read there or later, or only `past` that; and a last 0."""
    count = max(whole.rank) + 1
    last: dict[tuple[int, float], int] = {}
    for source, target, leaves, *_ in whole.wires:
        last[source, leaves] = max(last.get((source, leaves), 0), whole.rank[target])
    change = [0] * (count + 1)
    for (source, _), rank in last.items():
        change[whole.rank[source] + 1] += 1
        change[max(rank + 1 - past, whole.rank[source] + 1)] -= 1
    return list(itertools.accumulate(change))


def _width(layers: Sequence[_Layer]) -> float:
    return sum(layer.width + layer.gap for layer in layers) - layers[-1].gap


def _division(layers: Sequence[_Layer], returning: Sequence[int], columns: int) -> tuple[list[int], float]:
    """Returns the ends of bands of so many columns at most that are lowest together, and their height.

    No ends if a frame is wider. Source: dynamic programming over the last band. Cost: O(layers * columns), of which
    the columns are looked at together.
    """
    count = len(layers)
    heights = np.array([layer.height for layer in layers])
    best, start_of = np.full(count + 1, np.inf), [0] * (count + 1)
    best[0] = 0.0
    for end in range(1, count + 1):
        if layers[end - 1].is_last:
            first = max(end - columns, 0)
            gap = BAND_GAP + RETURN_GAP * returning[end] if end < count else 0.0
            tallest = np.maximum.accumulate(heights[first:end][::-1])[::-1]
            whole = best[first:end] + tallest + gap
            start = int(whole.argmin())
            best[end], start_of[end] = whole[start], first + start
    if np.isinf(best[count]):
        return [], 0.0
    ends = [count]
    while start_of[ends[-1]]:
        ends.append(start_of[ends[-1]])
    return ends[::-1], float(best[count])


# The bands below each other


class _Bands:
    """Bands below each other; `ends` are the layers behind which they end, `returning` counts outputs that return."""

    def __init__(self, whole: Arrangement, ends: Sequence[int]) -> None:
        self._boxes = whole.part.boxes
        spans = list(itertools.pairwise([0, *ends]))
        band_of_rank = [band for band, (start, end) in enumerate(spans) for _ in range(start, end)]
        band_of = [band_of_rank[rank] for rank in whole.rank]
        self._column = [rank - spans[band][0] for rank, band in zip(whole.rank, band_of, strict=True)]
        nodes: list[list[int]] = [[] for _ in ends]
        for node, band in enumerate(band_of):
            nodes[band].append(node)
        entering: list[set[tuple[int, float]]] = [set() for _ in ends]
        for source, target, leaves, *_ in whole.wires:
            if band_of[source] != band_of[target]:
                entering[band_of[target]].add((source, leaves))
        self.returning = sum(map(len, entering))
        self._columns: list[Column] = []
        self._tops = [0] * len(band_of)
        self._place(whole, nodes, [len(outputs) for outputs in entering])

    def _place(self, whole: Arrangement, nodes: Sequence[Sequence[int]], entering: Sequence[int]) -> None:
        top = bottom = 0.0
        for band, own in enumerate(nodes):
            top = up(bottom + BAND_GAP + RETURN_GAP * entering[band]) if band else 0.0
            inner = _band(whole, own, self._column)
            tops, height = inner.tops_in_part()
            for node, at in zip(own, tops, strict=True):
                self._tops[node] = int(top) + at
            bottom = top + height
            pairs = itertools.zip_longest(self._columns, inner.columns(), fillvalue=Column())
            self._columns = [one.widened(other) for one, other in pairs]
        self._height = bottom

    def size(self) -> Size:
        """Returns the size of all bands, with frames above and below."""
        left = lefts(self._columns)
        across = max(left[at] + width for at, (width, _) in zip(self._column, self._boxes, strict=True))
        return across, self._height

    def narrow(self, room: Size) -> None:
        """Brings the columns nearer where all is seen so small that one number a wire fits, if it then is larger."""
        wide, columns = zoom(self.size(), room), self._columns
        if wide < NUMBER_ZOOM and len(self._column) <= SMALL:
            self._columns = [column._replace(gap=min(column.gap, NUMBER_GAP)) for column in columns]
            if zoom(self.size(), room) < NARROW_GAIN * wide:
                self._columns = columns

    def corners(self) -> list[Corner]:
        """Returns the corner of each block; the uppermost has 0."""
        left, highest = lefts(self._columns), min(self._tops)
        return [(left[at], top - highest) for at, top in zip(self._column, self._tops, strict=True)]


def _band(whole: Arrangement, nodes: Sequence[int], column: Sequence[int]) -> Arrangement:
    """Returns the blocks of one band, with the wires between them, still to be arranged."""
    number = {node: index for index, node in enumerate(nodes)}
    part = whole.part
    wires = [
        edge._replace(source=number[edge.source], target=number[edge.target])
        for edge in whole.wires
        if edge.source in number and edge.target in number
    ]
    framed = [part.frame[node] for node in nodes]
    around: dict[int, int] = {}
    for innermost in framed:
        frame = innermost
        while frame != PAGE and frame not in around:
            around[frame] = part.parent.get(frame, PAGE)
            frame = around[frame]
    own = Part([part.boxes[node] for node in nodes], wires, framed, around, [part.gaps[node] for node in nodes])
    return Arrangement(own, [column[node] for node in nodes])
