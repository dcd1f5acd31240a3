"""Finding the places of numbers among sorted or competing ones."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.blocks.support.spelled_for import as_one_of, spelled_for
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec
from gradwire.engine.blocktypes.block_type import FLOAT, INDEX, NUMBER, block
from gradwire.engine.blocktypes.parameters import NumberList
from gradwire.engine.blocktypes.spelling import Spelling

IndexDtype = Literal["int32", "int64"]


def _found_spec(sorted_sequence: TensorSpec, values: TensorSpec, *, side: str, out_type: str) -> TensorSpec:
    if not sorted_sequence.ndim or not values.ndim:
        raise ShapeError("sorted_sequence and values must have at least one axis")
    if math.prod(sorted_sequence.shape[:-1]) != math.prod(values.shape[:-1]):
        raise ShapeError(
            f"sorted_sequence {list(sorted_sequence.shape)} and values {list(values.shape)} must have equally many rows"
        )
    return TensorSpec(values.shape, DTYPES[out_type])


def _has_one_row(sorted_sequence: TensorSpec, values: TensorSpec) -> bool:
    return sorted_sequence.ndim == 1


def _has_same_rows(sorted_sequence: TensorSpec, values: TensorSpec) -> bool:
    return sorted_sequence.shape[:-1] == values.shape[:-1]


@block(
    "Scan and sort",
    differentiable="never",
    infer=_found_spec,
    accepts=NUMBER,
    formula=r"y_i = \textstyle\sum_j [x_j < v_i] \text{ or } \textstyle\sum_j [x_j \le v_i]",
    gradient_formula=NO_GRADIENT,
    source="tf.searchsorted",
    spelling=Spelling(
        spelled_for("np.searchsorted({sorted_sequence}, {values}, {side!r}).astype('{out_type}')", _has_one_row),
        "tf.searchsorted({sorted_sequence}, {values}, {side}, tf.{out_type!s})",
        spelled_for("torch.searchsorted({sorted_sequence}, {values}, side={side!r})", _has_same_rows),
        spelled_for("jnp.searchsorted({sorted_sequence}, {values}, {side!r})", _has_one_row),
    ),
)
def SearchSorted(
    sorted_sequence: Array,
    values: Array,
    *,
    side: Literal["left", "right"] = "left",
    out_type: IndexDtype = "int32",
) -> Array:
    """The place of each value in the sorted sequence: `left` or `right` of numbers that equal it.

    Each row of values is looked for in its own row of the sequence. Nothing checks that the rows are sorted. NaN goes
    to the very left or right.
    """
    size = sorted_sequence.shape[-1]
    rows = sorted_sequence.reshape(math.prod(sorted_sequence.shape[:-1]), size)
    wanted = values.reshape(len(rows), values.shape[-1])
    start, left = np.zeros(wanted.shape, np.intp), np.full(wanted.shape, size)
    # TensorFlow's own steps, so that the numbers agree even where NaN spoils the order.
    while np.any(left > 0):
        half = left // 2
        middle = np.take_along_axis(rows, np.minimum(start + half, size - 1), 1)
        goes_on = (left > 0) & (middle < wanted if side == "left" else ~(wanted < middle))
        start = np.where(goes_on, start + half + 1, start)
        left = np.where(goes_on, left - half - 1, half)
    return start.reshape(values.shape).astype(out_type)


def _bucket_spec(x: TensorSpec, *, boundaries: tuple[float, ...]) -> TensorSpec:
    if any(low > high for low, high in itertools.pairwise(boundaries)):
        raise ParameterError("parameter boundaries must be sorted: none may be below the one before it")
    return TensorSpec(x.shape, DTYPES["int32"])


def _bucketize_in_tensorflow(x: str, boundaries: tuple[float, ...], specs: Sequence[TensorSpec]) -> str:
    """tf.raw_ops.Bucketize(input={x}, boundaries={boundaries})"""
    narrow = "float32" if specs[0].is_differentiable else "int32"
    source = as_one_of((narrow, "float64", "int64"), x, specs[0])
    return f"tf.raw_ops.Bucketize(input={source}, boundaries={list(boundaries)})"


@block(
    "Scan and sort",
    differentiable="never",
    infer=_bucket_spec,
    accepts=NUMBER,
    formula=r"y = \textstyle\sum_j [b_j \le x]",
    gradient_formula=NO_GRADIENT,
    source="tf.raw_ops.Bucketize, which keeps boundaries in float32",
    spelling=Spelling(
        "np.digitize({x}, np.array({boundaries}, 'float32')).astype('int32')",
        _bucketize_in_tensorflow,
        spelled_for(
            "torch.bucketize({x}, torch.tensor({boundaries}, dtype=torch.float32).to({x}.dtype), right=True)",
            lambda x: x.is_differentiable,
        ),
        "jnp.digitize({x}, jnp.array({boundaries}, 'float32'))",
    ),
)
def Bucketize(x: Array, *, boundaries: NumberList) -> Array:
    """The number of the bucket in which each element lies: how many boundaries are not above it.

    A boundary belongs to the bucket above it. Boundaries are rounded to float32, as in TensorFlow: 0.1 as float64 lies
    below the boundary 0.1. NaN goes to the last bucket. float16 and narrow integers are taken as well, which
    TensorFlow does not take here.
    """
    bounds = np.array(boundaries, np.float64).astype(np.float32)
    numbers = x if x.dtype.kind == "f" else x.astype(np.float32)
    return np.searchsorted(bounds, numbers, "right").astype(np.int32)


def _in_top_spec(targets: TensorSpec, predictions: TensorSpec, *, k: int) -> TensorSpec:
    if predictions.ndim != 2 or targets.shape != predictions.shape[:1]:
        raise ShapeError(
            f"predictions {list(predictions.shape)} must have two axes, and targets {list(targets.shape)} one number "
            f"for each row"
        )
    return TensorSpec(targets.shape, DTYPES["bool"])


def _in_top_in_tensorflow(targets: str, predictions: str, k: int, specs: Sequence[TensorSpec]) -> str:
    """tf.math.in_top_k({targets}, {predictions}, {k})"""
    places = as_one_of(("int32", "int64"), targets, specs[0])
    return f"tf.math.in_top_k({places}, {as_one_of(('float32',), predictions, specs[1])}, {k})"


@block(
    "Scan and sort",
    differentiable="never",
    infer=_in_top_spec,
    accepts={"targets": INDEX, "predictions": FLOAT},
    formula=r"y_i = [\textstyle\sum_j [x_{i j} > x_{i t_i}] < k]",
    gradient_formula=NO_GRADIENT,
    source="tf.math.in_top_k, which takes float32 only",
    spelling=Spelling("", _in_top_in_tensorflow, "", ""),
)
def InTopK(targets: Array, predictions: Array, *, k: int) -> Array:
    """A test of each row: its prediction for the target class is among the `k` largest.

    Predictions equal to the k-th largest are all in. False where the target is no class, or where any prediction of the
    row is NaN or infinite.
    """
    count = predictions.shape[1]
    is_class = (targets >= 0) & (targets < count)
    if not count:
        return is_class
    places = np.where(is_class, targets, 0).astype(np.intp)
    own = np.take_along_axis(predictions, places[:, None], 1)
    return is_class & np.isfinite(predictions).all(axis=1) & (np.count_nonzero(predictions > own, axis=1) < k)
