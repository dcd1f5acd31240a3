"""The smallest zoom at which names and numbers of a page have room; texts keep their size on the screen."""

from __future__ import annotations

import statistics

import numpy as np

from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.routing import Points

# Blocks are small but readable from the first of these zooms on; at the second each has room for all that it needs.
LEAST, ENOUGH = 0.4, 0.6
# A page of so few blocks is shown whole from a lower zoom on: its texts find room around it and on leaders.
FEW_BLOCKS, LEAST_OF_FEW = 40, 0.27

# The shortest form of a label is a lone number; a name of eight letters, and a line of text. Units: px of the screen.
NUMBER, NAME, LINE = 42.0, 62.0, 18.0
# Blocks of nearly the same left edge stand in one column. Units: px at 100 %.
COLUMN = 32.0


def least_zoom(page: PageArrays) -> float:
    """Returns the zoom at which a page is seen from farthest away: no block is drawn without its name."""
    return LEAST_OF_FEW if len(page.ids) <= FEW_BLOCKS else LEAST


def least_whole_zoom(page: PageArrays) -> float:
    """Returns the smallest zoom at which a page is shown whole, as names and numbers still find room."""
    return LEAST_OF_FEW if len(page.ids) <= FEW_BLOCKS else readable_zoom(page)


def readable_zoom(page: PageArrays) -> float:
    """Returns the smallest zoom at which most gaps hold a number, and most columns the names below their blocks.

    The rest of the labels find room on leaders. Cost: O(n log n).
    """
    needed = [LEAST]
    for room, text in ((_gaps(page), NUMBER), (_pitches(page), NAME), (_rows(page.rects), LINE)):
        if len(room):
            # Not np.median, which would import a package of NumPy's that nothing else needs.
            needed.append(text / statistics.median(room.tolist()))
    return min(max(needed), ENOUGH)


def _gaps(page: PageArrays) -> Points:
    """Returns the level way from block to block along the wires that run to the right. Shapes: (n,)."""
    source, target = _joined(page)
    gaps: Points = target[:, 0] - source[:, 0] - source[:, 2]
    return gaps[gaps > 0]


def _pitches(page: PageArrays) -> Points:
    """Returns the distances between the middles of blocks that wires join, of those beside each other. Shapes: (n,)."""
    source, target = _joined(page)
    ways = np.abs(target[:, :2] + target[:, 2:] / 2 - source[:, :2] - source[:, 2:] / 2)
    beside: Points = ways[ways[:, 1] < source[:, 3] / 2, 0]
    return beside[beside > 0]


def _joined(page: PageArrays) -> tuple[Points, Points]:
    joins = page.joins[(page.joins >= 0).all(axis=1)]
    return page.rects[joins[:, 0]], page.rects[joins[:, 1]]


def _rows(rects: Points) -> Points:
    """Returns the gaps between blocks that stand above each other. Shapes: (n,)."""
    order = np.lexsort((rects[:, 1], np.round(rects[:, 0] / COLUMN)))
    above, below = rects[order[:-1]], rects[order[1:]]
    gaps: Points = (below[:, 1] - above[:, 1] - above[:, 3])[np.abs(below[:, 0] - above[:, 0]) < COLUMN]
    return gaps[gaps > 0]
