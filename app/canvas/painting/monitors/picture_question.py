"""The question for what a block shows of tensors, which runs a part of the graph again where the picture needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradwire.app.canvas.painting.monitors.contours import zero_lines
from gradwire.app.canvas.painting.monitors.pictures import Boundary, Curves, Picture, Said
from gradwire.app.canvas.painting.monitors.tensor_pictures import (
    MOST_LINES,
    MOST_POINTS,
    columns_of,
    evenly,
    finite_range,
    picture_of,
    some_points,
)
from gradwire.app.live.questions.questions import OwnTopic
from gradwire.engine.autodiff.expand import Instance, PortName
from gradwire.engine.base.errors import BlockError, MissingInputError, ShapeError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, topological_order
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.fed_values import FedValues

# A boundary has so many places along each axis, a line so many points; beyond the data lies this share of its range.
GRID, PLACES, ROOM = 64, 200, 0.08
# Sets whose rows are the pixels of images.
SETS_OF_IMAGES = ("digits", "glyphs")


@dataclass(frozen=True)
class PictureOf(OwnTopic):
    """The question for the picture on a block, by its path."""

    path: str
    # Pictures show values.
    reveals = ()

    def answer(self, run: Evaluation) -> Picture | None:
        """Returns the picture; None if what it shows is not known."""
        try:
            return _picture(run, self.path)
        except BlockError as error:
            return Said(error.sentence)


def _picture(run: Evaluation, path: str) -> Picture | None:
    """Returns the picture on a block.

    Raises: BlockError if the kind does not suit the tensors, or the blocks cannot take what they are fed.
    """
    instance = run.lowered.inferred.expanded.instances.get(path)
    parameters = run.lowered.inferred.parameters.get(path)
    if instance is None or parameters is None:
        return None
    if shows_rows(instance):
        return _rows(run, path, parameters)
    if "y" not in instance.inputs:
        return None
    sources = {port: run.lowered.ports.get(name) for port, name in instance.inputs.items()}
    y = sources["y"]
    return None if y is None else _monitored(run, y, sources.get("x"), sources.get("target"), parameters)


def shows_rows(instance: Instance) -> bool:
    """Returns whether a block shows the rows of its own data."""
    draw = None if instance.type is None else instance.type.draw
    return draw is not None and draw.is_of_rows and not instance.is_muted


# Any: parameters are as their kinds decide.
def _rows(run: Evaluation, path: str, parameters: Mapping[str, Any]) -> Picture | None:
    """Returns the picture of the rows of a Data block: points by class, a number over another, or images."""
    x, y = (run.tensor(PortName(path, port), is_gradient=False) for port in ("x", "y"))
    if x is None or y is None:
        return None
    if x.ndim == 2 and x.shape[1] == 1:
        return picture_of(y, x, None, "points")
    return picture_of(x, None, y, "image" if parameters.get("set") in SETS_OF_IMAGES else "auto")


def _monitored(
    run: Evaluation, y: Expression, x: Expression | None, target: Expression | None, parameters: Mapping[str, Any]
) -> Picture | None:
    if parameters["kind"] == "histogram":
        # The labels of a Data block are nothing to compare samples with.
        counted = [None if item is None else run.results[item] for item in (y, target)]
        return None if counted[0] is None else picture_of(counted[0], None, counted[1], "histogram")
    data = _data_before(y)
    if x is None and data is not None:
        x, target = data[0], data[1] if target is None else target
    values = [None if item is None else run.results[item] for item in (y, x, target)]
    if values[0] is None:
        return None
    if parameters["kind"] not in ("fit", "boundary"):
        return picture_of(values[0], values[1], values[2], parameters["kind"])
    if x is None or values[1] is None:
        raise MissingInputError("y depends on no Data block; connect x with the tensor that it is a function of")
    fed = FedValues(run, x, y)
    if not fed.is_dependent:
        raise MissingInputError("y does not depend on x")
    if parameters["kind"] == "fit":
        return fit_of(fed, values[1], values[2])
    return boundary_of(fed, values[1], values[2], parameters["threshold"])


def _data_before(y: Expression) -> tuple[Expression, Expression] | None:
    """Returns the outputs of the only Data block before a tensor; None if there is none, or several."""
    found = [item for item in topological_order([y]) if item.type.draw is not None and item.type.draw.is_of_rows]
    if len(found) != 1 or len(found[0].outputs) != 2:
        return None
    x, target = found[0].outputs
    return x, target


def fit_of(fed: FedValues, x: Array, target: Array | None) -> Picture:
    """Returns the target over one column x as dots, and what the network makes of the range of x as a line.

    Raises: BlockError if x has not one column, or the network cannot take the numbers.
    """
    column = columns_of(x)
    if column.shape[1] != 1:
        raise ShapeError(f"a fit needs x with one column, not {column.shape[1]:,}")
    low, high = _range(column[:, 0])
    places = np.linspace(low, high, PLACES)
    line = columns_of(fed.at(places.reshape(-1, *x.shape[1:])))[:, :MOST_LINES]
    dots = None
    if target is not None and len(target) == len(column):
        chosen = evenly(len(column), MOST_POINTS)
        dots = np.concatenate([column[chosen], columns_of(target)[chosen, :1]], axis=1)
    return Curves(places, line, dots)


def boundary_of(fed: FedValues, x: Array, target: Array | None, threshold: float) -> Picture:
    """Returns the classes that the network chooses over the plane of x.

    Raises: BlockError if x has not two columns, or the network cannot take the grid.
    """
    if x.ndim != 2 or x.shape[1] != 2:
        raise ShapeError("a boundary needs x with two columns")
    at = columns_of(x)
    (left, right), (bottom, top) = (_widened(*_range(at[:, axis])) for axis in (0, 1))
    columns, rows = _middles(left, right), _middles(bottom, top)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    chosen, leads = _choices(columns_of(fed.at(grid)), threshold)
    leads = leads.reshape(GRID, GRID, -1)
    contour = np.concatenate([zero_lines(columns, rows, leads[..., index]) for index in range(leads.shape[2])])
    margin = leads.max(axis=2) if leads.shape[2] > 1 else np.abs(leads[..., 0])
    most = margin[np.isfinite(margin)].max(initial=0.0) or 1.0
    margins, points = np.nan_to_num(np.clip(margin / most, 0, 1)), some_points(at, target)
    return Boundary((left, bottom), (right, top), chosen.reshape(GRID, GRID), margins, contour, points)


def _choices(outputs: Array, threshold: float) -> tuple[Array, Array]:
    """Returns the class chosen at each place, and by how much each class leads the best of the others.

    One column chooses between the classes below and above the threshold; it has one lead, that of the class above.
    """
    if outputs.shape[1] == 1:
        leads = outputs - threshold
        return (leads[:, 0] > 0).astype(np.int64), leads
    order = np.sort(outputs, axis=1)
    best, second = order[:, -1:], order[:, -2:-1]
    leads = np.where(outputs == best, outputs - second, outputs - best)
    if outputs.shape[1] == 2:
        # Both classes share one line.
        leads = leads[:, 1:]
    return outputs.argmax(axis=1), leads


def _middles(low: float, high: float) -> Array:
    """Returns the middles of the cells between two numbers."""
    return low + (np.arange(GRID) + 0.5) * (high - low) / GRID


def _range(numbers: Array) -> tuple[float, float]:
    """Returns the range of the finite numbers; never an empty one."""
    low, high = finite_range(numbers, (-1.0, 1.0))
    return (low, high) if high > low else (low - 1.0, high + 1.0)


def _widened(low: float, high: float) -> tuple[float, float]:
    room = ROOM * (high - low)
    return low - room, high + room
