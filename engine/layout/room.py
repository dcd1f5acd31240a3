"""Room for new blocks among others: these give way, or the new ones go to the next free place."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from gradwire.engine.layout.framed_layers import GRID, SCALAR_GAP, Corner
from gradwire.engine.layout.free_space import GAP, Rect, smallest_shift

# Blocks that a wire joins leave room for its labels; others keep half the usual gap.
APART = GAP / 2
# So often, for each block, a block may push others on; in a crowd so often in all.
PUSHES, PUSHES_AT_MOST = 8, 20_000
# Blocks are looked up by cells of this size, which is about that of a block with its gap. Units: px.
CELL = 240.0

Way = tuple[int, int]
RIGHT, LEFT, DOWN, UP = (1, 0), (-1, 0), (0, 1), (0, -1)


def given_way(
    rects: Mapping[str, Rect], placed: Collection[str], wires: Iterable[tuple[str, str]] = (), apart: float = APART
) -> dict[str, Corner]:
    """Returns the new corners of blocks that must give way to the `placed` ones, which stay.

    Readers go right, sources left, others the shortest way; whatever they meet goes on in the same direction.
    `wires` are pairs of a source and a reader, which leave room for labels; others are `apart`.
    Units: px; rectangles as left, top, width, height.
    """
    joined, now = set(wires), dict(rects)
    cells = _Cells(rects, max(SCALAR_GAP, apart))
    ways: dict[str, Way] = {}
    pending = deque(name for name in rects if name in placed)
    for _ in range(min(PUSHES * len(rects), PUSHES_AT_MOST)):
        if not pending:
            break
        pusher = pending.popleft()
        for name in cells.near(now[pusher]):
            if name == pusher or name in placed:
                continue
            wanted = _wanted_way(now, joined, pusher, name, apart)
            if wanted is not None:
                way = ways.setdefault(name, ways.get(pusher, wanted))
                gap = SCALAR_GAP if way in (RIGHT, LEFT) and _is_joined(joined, pusher, name) else apart
                now[name] = cells.moved(name, now[name], _past(now[pusher], now[name], way, gap))
                pending.append(name)
    return {name: (round(now[name][0]), round(now[name][1])) for name in ways}


class _Cells:
    """Rectangles by the cells of a grid, so that those near to another are found without looking at all.

    Units: `margin` in px.
    """

    def __init__(self, rects: Mapping[str, Rect], margin: float) -> None:
        self._margin = margin
        self._order = {name: number for number, name in enumerate(rects)}
        self._names: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
        for name, rect in rects.items():
            self._enter(name, rect)

    def near(self, rect: Rect) -> list[str]:
        """Returns the names of the rectangles that may be within the margin of another, in their first order."""
        left, top, width, height = rect
        wide = left - self._margin, top - self._margin, width + 2 * self._margin, height + 2 * self._margin
        return sorted(
            {name for cell in _cells(wide) for name in self._names.get(cell, ())}, key=self._order.__getitem__
        )

    def moved(self, name: str, before: Rect, now: Rect) -> Rect:
        """Takes a rectangle elsewhere, and returns where it is now."""
        for cell in _cells(before):
            self._names[cell].discard(name)
        self._enter(name, now)
        return now

    def _enter(self, name: str, rect: Rect) -> None:
        for cell in _cells(rect):
            self._names[cell].add(name)


def _cells(rect: Rect) -> Iterator[tuple[int, int]]:
    """Returns the cells of the grid that a rectangle touches."""
    left, top, width, height = rect
    across = range(math.floor(left / CELL), math.floor((left + width) / CELL) + 1)
    return itertools.product(across, range(math.floor(top / CELL), math.floor((top + height) / CELL) + 1))


def _is_joined(joined: Collection[tuple[str, str]], one: str, other: str) -> bool:
    return (one, other) in joined or (other, one) in joined


def _wanted_way(
    rects: Mapping[str, Rect], joined: Collection[tuple[str, str]], pusher: str, name: str, apart: float
) -> Way | None:
    """Returns the way in which a block has to give way to another, None if there is room enough."""
    one, other = rects[pusher], rects[name]
    is_behind = other[0] + other[2] / 2 >= one[0] + one[2] / 2
    if (pusher, name) in joined and is_behind and _near(one, other, SCALAR_GAP, 0):
        return RIGHT
    if (name, pusher) in joined and not is_behind and _near(one, other, SCALAR_GAP, 0):
        return LEFT
    if not _near(one, other, apart, apart):
        return None
    return min((DOWN, RIGHT, UP, LEFT), key=lambda way: _distance(one, other, way, apart))


def _near(one: Rect, other: Rect, across: float, down: float) -> bool:
    return (
        one[0] < other[0] + other[2] + across
        and other[0] < one[0] + one[2] + across
        and one[1] < other[1] + other[3] + down
        and other[1] < one[1] + one[3] + down
    )


def _distance(fixed: Rect, moving: Rect, way: Way, gap: float) -> float:
    """Returns how far a block has to move in a direction to leave a gap to another. Units: whole steps of the grid."""
    axis = 0 if way[0] else 1
    if way[axis] > 0:
        far = fixed[axis] + fixed[axis + 2] + gap - moving[axis]
    else:
        far = moving[axis] + moving[axis + 2] + gap - fixed[axis]
    return math.ceil(far / GRID) * GRID


def _past(fixed: Rect, moving: Rect, way: Way, gap: float) -> Rect:
    far = _distance(fixed, moving, way, gap)
    return moving[0] + way[0] * far, moving[1] + way[1] * far, moving[2], moving[3]


def free_shift(moving: Sequence[Rect], fixed: Sequence[Rect]) -> Corner:
    """Returns the shortest shift, level or upright, that leaves room between blocks and all others. Units: px."""
    return smallest_shift(moving, fixed, GRID, APART)


def free_below(rect: Rect, fixed: Sequence[Rect]) -> Corner:
    """Returns the first corner straight below a rectangle's where it is clear of others, its own if it is free."""
    left, top, width, height = rect
    for other in sorted(fixed, key=lambda other: other[1]):
        if _near((left, top, width, height), other, APART, GAP - 1):
            top = math.ceil((other[1] + other[3] + GAP) / GRID) * GRID
    return round(left), round(top)
