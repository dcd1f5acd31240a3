"""Training and test part of a set of examples, their scale, and the batches of each round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradwire.blocks.support.data_sets import Request, Rows, parts_of, rows_of
from gradwire.blocks.support.recent import Recent
from gradwire.engine.base.counter_random import permutation
from gradwire.engine.base.tensor_spec import DTYPES, Array


class View(NamedTuple):
    """Parameters that decide what is made of the rows of a request."""

    request: Request
    scale: str
    labels: str
    dtype: str
    is_test: bool


def _arrays_of(view: View) -> tuple[Array, Array]:
    rows = rows_of(view.request)
    parts = parts_of(view.request)
    x = rows.x
    if view.scale != "none":
        offset, width, exponents = _fitted(x[parts[0]], view.scale, rows.is_image)
        x = (np.ldexp(x.astype(np.float64), -exponents) - offset) / width
    part = parts[1 if view.is_test else 0]
    kind = DTYPES[view.dtype]
    arrays = np.ascontiguousarray(x[part], kind), _labels(rows, rows.y[part], view.labels, kind)
    for array in arrays:
        array.setflags(write=False)
    return arrays


def _labels(rows: Rows, y: Array, labels: str, kind: np.dtype[np.generic]) -> Array:
    if rows.classes and labels == "one_hot":
        return np.asarray(y[:, None] == np.arange(rows.classes), kind)
    if rows.classes and labels == "index":
        return np.array(y)
    return np.asarray(y if y.ndim == 2 else y[:, None], kind)


def _fitted(x: Array, scale: str, is_image: bool) -> tuple[Array, Array, Array]:
    """Returns what to subtract, and what to divide by, of each feature divided by a power of two, and its exponent.

    Of an image, they are the same for all pixels. The power keeps squares from overflow, and changes no digit.
    """
    x = (x.reshape(-1, 1) if is_image else x).astype(np.float64)
    exponents = np.frexp(np.abs(x).max(axis=0))[1]
    x = np.ldexp(x, -exponents)
    if scale == "unit":
        low, width = x.min(axis=0), x.max(axis=0) - x.min(axis=0)
    else:
        low = _sums(x) / len(x)
        width = np.sqrt(_sums((x - low) ** 2) / len(x))
    return low, np.where(width == 0, 1.0, width), exponents


def _sums(x: Array) -> Array:
    # One row after the other, whatever order a sum would take on this machine.
    return np.asarray(np.add.accumulate(x, axis=0)[-1])


# Gives x and y of a part, in the dtypes of a block's outputs; the scale is fitted on the training part.
arrays_of = Recent(_arrays_of, lambda arrays: sum(array.nbytes for array in arrays))


class Batches:
    """Batches of `size` of `count` rows: epochs of whole batches, each in its own order, or all in theirs."""

    def __init__(self, count: int, size: int, is_shuffled: bool, seed: int) -> None:
        self._count, self._size, self._is_shuffled, self._seed = count, size, is_shuffled, seed
        self._epoch, self._order = -1, np.arange(count)

    @property
    def dropped(self) -> int:
        """Number of rows that each epoch leaves out."""
        return self._count % self._size

    @property
    def in_epoch(self) -> int:
        """Number of batches of an epoch."""
        return self._count // self._size

    def at(self, round_number: int) -> Array:
        """Returns the numbers of the rows of a round."""
        epoch, batch = divmod(round_number, self.in_epoch)
        if self._is_shuffled and epoch != self._epoch:
            self._epoch, self._order = epoch, permutation(self._count, "order", self._seed, epoch)
        return self._order[batch * self._size : (batch + 1) * self._size]
