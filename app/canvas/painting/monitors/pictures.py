"""Pictures as values: what a block shows of tensors, small enough to travel between processes at each run."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.engine.base.tensor_spec import Array


class Picture:
    """What a block shows of tensors."""


@dataclass(frozen=True, eq=False)
class Said(Picture):
    """A sentence in place of a picture."""

    sentence: str


@dataclass(frozen=True, eq=False)
class Points(Picture):
    """Points of the plane; `classes` has the index of each one's class, None where they have none.

    Shapes: `at` (n, 2), `classes` (n,).
    """

    at: Array
    classes: Array | None = None


@dataclass(frozen=True, eq=False)
class Curves(Picture):
    """Lines over one axis, and dots beside them. Shapes: `x` (n,), `y` (n, lines), `dots` (m, 2)."""

    x: Array
    y: Array
    dots: Array | None = None


@dataclass(frozen=True, eq=False)
class Histogram(Picture):
    """Shares of elements in bins, and those of others to compare with. Shapes: `edges` (bins + 1,), others (bins,)."""

    edges: Array
    shares: Array
    others: Array | None = None


@dataclass(frozen=True, eq=False)
class Heat(Picture):
    """Cells of a matrix, or their means, and its true size. Shapes: `cells` (rows, columns)."""

    cells: Array
    rows: int
    columns: int


@dataclass(frozen=True, eq=False)
class Images(Picture):
    """Images with what is written below each, from 0 to 1. Shapes: `pixels` (n, height, width, 1 or 3)."""

    pixels: Array
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Boundary(Picture):
    """Classes over a grid of places, and the points of the data there.

    `low` and `high` are the corners of the grid, whose places are the middles of its cells. `margins` says how clearly
    a class is chosen, from 0 to 1; `contour` has pieces of the lines between classes.
    Shapes: `classes` and `margins` (rows, columns), the first row lowest; `contour` (n, 4) as x, y, x, y.
    """

    low: tuple[float, float]
    high: tuple[float, float]
    classes: Array
    margins: Array
    contour: Array
    points: Points


@dataclass(frozen=True, eq=False)
class Rounds(Picture):
    """A number over the rounds of a training, those measured without a gap joined. Shapes: all (n,)."""

    rounds: Array
    numbers: Array
    is_log: bool = True
    is_gradient: bool = False
    joined: Array | None = None
