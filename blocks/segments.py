"""Reductions of rows by the number of their segment, the rows of a segment side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradwire.blocks.support.nan_order import FORGOTTEN, with_nan
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.blocks.unsorted_segments import (
    add_rows,
    combine_rows,
    count_rows,
    extreme_rows,
    gradient_of_extreme,
    gradient_of_mean,
    gradient_of_product,
    gradient_of_sum,
    observe_ties,
)
from gradwire.engine.base.errors import ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import Array, TensorSpec, check_fits
from gradwire.engine.blocktypes.block_type import INDEX, NUMBER, Declaration, Observation, block
from gradwire.engine.blocktypes.spelling import Spelling


def check_room(count: int, rows: Array, lead: int = 1) -> int:
    """Returns the count, if that many rows fit into a tensor; `rows` holds some of them behind `lead` axes.

    Raises: OutOfMemoryError if they do not.
    """
    check_fits((count, *rows.shape[lead:]), rows.dtype)
    return count


def sorted_segments(data: Array, segment_ids: Array) -> int:
    """Returns the number of segments: the last id plus one.

    Raises: ShapeError if there is not one id for each row; ValueProblem if an id is negative or below the one before;
        OutOfMemoryError if the last one is too large.
    """
    if segment_ids.ndim != 1 or data.shape[:1] != segment_ids.shape:
        raise ShapeError(
            f"segment_ids {list(segment_ids.shape)} must hold one id for each row of data {list(data.shape)}"
        )
    if np.any(segment_ids[1:] < segment_ids[:-1]):
        raise ValueProblem("segment_ids must be sorted: none may be below the one before it")
    if np.any(segment_ids[:1] < 0):
        raise ValueProblem(f"segment id {segment_ids[0]} must be at least 0")
    return check_room(int(segment_ids[-1]) + 1, data) if segment_ids.size else 0


def has_segments(*specs: TensorSpec) -> bool:
    """Returns whether there is a last segment id, which JAX needs to count the segments."""
    return specs[-1].size > 0


def segments(formula: str, gradient_formula: str, name: str, jax: str = "", **declaration: Any) -> Declaration:
    """Returns the declaration of reductions over sorted segments; `jax` is JAX's name where it means the same."""
    return block(
        "Segments",
        infer=None,
        accepts={"data": NUMBER, "segment_ids": INDEX},
        formula=formula,
        gradient_formula=gradient_formula,
        source=f"tf.math.segment_{name}",
        spelling=Spelling(
            "",
            f"tf.math.segment_{name}({{data}}, {{segment_ids}})",
            "",
            jax and spelled_for(f"jax.ops.segment_{jax}({{data}}, {{segment_ids}})", has_segments),
        ),
        **declaration,
    )


@segments(r"y_s = \textstyle\sum_{i : k_i = s} x_i", r"\bar x_i = \bar y_{k_i}", "sum", "sum", sums_products=True)
def SegmentSum(data: Array, segment_ids: Array) -> Array:
    """The sum of the rows of each segment; `segment_ids` names the segment of each row, and must be sorted.

    There are as many segments as the last id says; one without rows gives 0.
    """
    return add_rows(data, segment_ids, sorted_segments(data, segment_ids)).astype(data.dtype)


@segments(r"y_s = \tfrac{1}{n_s} \textstyle\sum_{i : k_i = s} x_i", r"\bar x_i = \bar y_{k_i} / n_{k_i}", "mean")
def SegmentMean(data: Array, segment_ids: Array) -> Array:
    """The mean of the rows of each segment; `segment_ids` names the segment of each row, and must be sorted.

    There are as many segments as the last id says; one without rows gives 0. The mean of integers is cut to an integer.
    """
    sums = add_rows(data, segment_ids, sorted_segments(data, segment_ids))
    counts = count_rows(segment_ids, sums)
    mean: Array = sums / counts if data.dtype.kind == "f" else (sums - np.fmod(sums, counts)) // counts
    return mean.astype(data.dtype)


def _extreme(name: str) -> Declaration:
    return segments(
        rf"y_s = \{name}_{{i : k_i = s}} x_i",
        r"\bar x_i = [x_i = y_{k_i}]\,\bar y_{k_i} / \textstyle\sum_{j : k_j = k_i} [x_j = y_{k_i}]",
        name,
    )


def _extremes(ufunc: np.ufunc, data: Array, segment_ids: Array) -> Array:
    """Returns the least or the greatest of each segment; 0 where there is none."""
    whole = np.zeros((sorted_segments(data, segment_ids), *data.shape[1:]), data.dtype)
    filled, starts, numbers = np.unique(segment_ids, return_index=True, return_inverse=True)
    if np.isnan(data).any():
        least = np.inf if ufunc is np.minimum else -np.inf
        whole[filled] = extreme_rows(ufunc, data, numbers, len(filled), least)
    else:
        whole[filled] = ufunc.reduceat(data, starts, axis=0)
    return whole


@_extreme("min")
def SegmentMin(data: Array, segment_ids: Array) -> Array:
    """The smallest element of each segment; `segment_ids` names the segment of each row, and must be sorted.

    Equal minima share the gradient evenly. There are as many segments as the last id says; one without rows gives 0.
    NaN forgets the rows before it, and the next row forgets NaN, which receives no gradient (wide rows skip NaN in
    TensorFlow).
    """
    return _extremes(np.minimum, data, segment_ids)


@_extreme("max")
def SegmentMax(data: Array, segment_ids: Array) -> Array:
    """The largest element of each segment; `segment_ids` names the segment of each row, and must be sorted.

    Equal maxima share the gradient evenly. There are as many segments as the last id says; one without rows gives 0.
    NaN forgets the rows before it, and the next row forgets NaN, which receives no gradient (wide rows skip NaN in
    TensorFlow).
    """
    return _extremes(np.maximum, data, segment_ids)


@segments(
    r"y_s = \textstyle\prod_{i : k_i = s} x_i",
    r"\bar x_i = \bar y_{k_i} \textstyle\prod_{j \ne i : k_j = k_i} x_j",
    "prod",
)
def SegmentProd(data: Array, segment_ids: Array) -> Array:
    """The product of the rows of each segment; `segment_ids` names the segment of each row, and must be sorted.

    There are as many segments as the last id says; one without rows gives 1. A single zero in a segment receives the
    product of the others as its gradient; where there are several, all gradients are 0.
    """
    return combine_rows(np.multiply, data, segment_ids, sorted_segments(data, segment_ids), 1)


SegmentSum.gradient(gradient_of_sum)
SegmentMean.gradient(gradient_of_mean)
SegmentMin.gradient(gradient_of_extreme)
SegmentMax.gradient(gradient_of_extreme)
SegmentProd.gradient(gradient_of_product)


def _observe(what: str) -> Callable[..., Observation | None]:
    observe_equals = observe_ties(what)

    def observe(data: Array, segment_ids: Array, y: Array) -> Observation | None:
        return with_nan(data, FORGOTTEN) or observe_equals(data, segment_ids, y)

    return observe


SegmentMin.observe(_observe("minima"))
SegmentMax.observe(_observe("maxima"))
