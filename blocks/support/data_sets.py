"""Sets of examples, shipped or by formula: row i follows from the seed and i, so that more rows move none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gradwire.blocks.support.glyphs import glyphs
from gradwire.blocks.support.recent import Recent
from gradwire.blocks.support.shipped_sets import SIZES, shipped
from gradwire.engine.base.counter_random import cosine, nearly_normal, sine, uniforms
from gradwire.engine.base.tensor_spec import Array


class Given:
    """Examples that a block holds; equal only to itself, since arrays cannot be compared fast.

    The last `held` of its rows are a test part of their own.
    """

    def __init__(self, x: Array, y: Array, held: int = 0) -> None:
        self.x, self.y, self.held = x, y, held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Given) and self.x is other.x and self.y is other.y and self.held == other.held

    def __hash__(self) -> int:
        return hash((id(self.x), id(self.y), self.held))


class Request(NamedTuple):
    """Parameters that decide about the rows."""

    set: str
    n: int
    noise: float
    turns: float
    classes: int
    seed: int
    test: float
    given: Given | None = None


@dataclass(frozen=True)
class Rows:
    """Examples: inputs [n, ...], and classes [n] in int64, or numbers [n] where `classes` is 0.

    The features of an image are scaled together.
    """

    x: Array
    y: Array
    classes: int
    is_image: bool = False


class _Draws:
    """Named random numbers of a request, one for each row."""

    def __init__(self, request: Request) -> None:
        self._names, self._n = ("data", request.set, request.seed), request.n

    def uniforms(self, name: str, columns: int) -> Array:
        return uniforms((self._n, columns), *self._names, name)

    def noise(self, columns: int, size: float) -> Array:
        return size * nearly_normal((self._n, columns), *self._names, "noise") if size else np.zeros((1, columns))


def _points(request: Request, x: Array, y: Array, classes: int) -> Rows:
    """Returns points, moved by noise."""
    return Rows(x + _Draws(request).noise(x.shape[1], request.noise), y, classes)


def _numbers(request: Request, function: Callable[[Array], Array]) -> Rows:
    """Returns places from -1 to 1 and a function of them, with noise on it."""
    draws = _Draws(request)
    x = 2 * draws.uniforms("place", 1) - 1
    return Rows(x, (function(x) + draws.noise(1, request.noise))[:, 0], 0)


def _in_turn(n: int, classes: int) -> Array:
    return np.arange(n, dtype=np.int64) % classes


def _on_circle(radius: Array | float, turns: Array) -> Array:
    return np.stack([radius * cosine(turns), radius * sine(turns)], axis=1)


def _xor(request: Request) -> Rows:
    corner = _in_turn(request.n, 4)
    a, b = corner // 2, corner % 2
    return _points(request, np.stack([a, b], axis=1).astype(np.float64), a ^ b, 2)


def _circles(request: Request) -> Rows:
    y = _in_turn(request.n, request.classes)
    turns = _Draws(request).uniforms("turn", 1)[:, 0]
    return _points(request, _on_circle((y + 1.0) / request.classes, turns), y, request.classes)


def _moons(request: Request) -> Rows:
    y = _in_turn(request.n, 2)
    half = _on_circle(1.0, _Draws(request).uniforms("turn", 1)[:, 0] / 2)
    other = np.array([1.0, 0.5]) - half
    return _points(request, np.where(y[:, None] == 0, half, other), y, 2)


def _spirals(request: Request) -> Rows:
    y = _in_turn(request.n, request.classes)
    radius = _Draws(request).uniforms("radius", 1)[:, 0]
    return _points(request, _on_circle(radius, request.turns * radius + y / request.classes), y, request.classes)


def _blobs(request: Request) -> Rows:
    y = _in_turn(request.n, request.classes)
    return _points(request, _on_circle(1.0, y / request.classes), y, request.classes)


def _checkerboard(request: Request) -> Rows:
    x = 2 * _Draws(request).uniforms("place", 2) - 1
    field = np.floor(2 * (x + 1)).astype(np.int64)
    return _points(request, x, (field[:, 0] + field[:, 1]) % request.classes, request.classes)


FORMULAS: dict[str, Callable[[Request], Rows]] = {
    "xor": _xor,
    "circles": _circles,
    "moons": _moons,
    "spirals": _spirals,
    "blobs": _blobs,
    "checkerboard": _checkerboard,
    "line": lambda request: _numbers(request, lambda x: 2 * x + 1),
    "sine": lambda request: _numbers(request, lambda x: sine(request.turns * x)),
    "step": lambda request: _numbers(request, lambda x: (x > 0).astype(np.float64)),
    "glyphs": lambda request: _glyphs(request),
}


def _shipped(request: Request) -> Rows:
    x, y, classes = shipped(request.set)
    return Rows(x[: request.n], y[: request.n], classes, request.set == "digits")


def _given(given: Given, n: int) -> Rows:
    """Returns the first n rows, and below them those of the test part."""
    classes, rows = classes_of(given.y), len(given.y) - given.held
    x, y = given.x, given.y[:, 0] if classes and given.y.ndim == 2 else given.y
    if n < rows:
        x, y = (np.concatenate([item[:n], item[rows:]]) for item in (x, y))
    return Rows(x, y.astype(np.int64) if classes else y, classes, given.x.ndim > 2)


def classes_of(y: Array) -> int:
    """Returns the number of classes of given labels in one column, 0 if they are numbers."""
    return int(y.max()) + 1 if y.dtype.kind in "iu" and y.shape[1:] in ((), (1,)) else 0


def _glyphs(request: Request) -> Rows:
    is_test = np.zeros(request.n, bool)
    is_test[split(request.seed, request.n, request.test)[1]] = True
    x, y = glyphs(is_test, request.noise, "data", "glyphs", request.seed)
    return Rows(x, y, 10, is_image=True)


@lru_cache(maxsize=32)
def split(seed: int, n: int, test: float) -> tuple[Array, Array]:
    """Returns the numbers of the rows for training and for the test; more rows move none to the other part."""
    is_test = uniforms((n,), "test", seed) < test
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


def parts_of(request: Request) -> tuple[Array, Array]:
    """Returns the numbers of the rows for training and for the test: a share of all, else the test part of a file."""
    held = 0 if request.given is None else request.given.held
    train, test = split(request.seed, request.n, request.test)
    return (train, np.arange(request.n, request.n + held)) if held and not request.test else (train, test)


def _rows_of(request: Request) -> Rows:
    if request.given is not None:
        return _given(request.given, request.n)
    found = _shipped(request) if request.set in SIZES else FORMULAS[request.set](request)
    for array in (found.x, found.y):
        array.setflags(write=False)
    return found


# Gives the rows of a request; the arrays are read-only.
rows_of = Recent(_rows_of, lambda rows: rows.x.nbytes + rows.y.nbytes)
