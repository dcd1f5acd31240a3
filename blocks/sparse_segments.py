"""Reductions over segments of picked rows: the gathering of the rows is part of the block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradwire.blocks.indexing import check_indices
from gradwire.blocks.segments import check_room, has_segments, sorted_segments
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.blocks.unsorted_segments import (
    UnsortedSegmentSum,
    add_rows,
    count_rows,
    gradient_of_mean,
    gradient_of_sqrt_n,
    gradient_of_sum,
)
from gradwire.engine.base.errors import ParameterError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import FLOAT, INDEX, NUMBER, BlockType, Declaration, Dtypes, block
from gradwire.engine.blocktypes.spelling import Spelling


def _sums(data: Array, indices: Array, segment_ids: Array, num_segments: int | None) -> Array:
    """Returns the sum of the picked rows of each segment, at least in float32."""
    if data.ndim == 0 or indices.ndim != 1:
        raise ShapeError(
            f"data {list(data.shape)} must have at least one axis, and indices {list(indices.shape)} exactly one"
        )
    rows = data[check_indices(indices, data.shape[0], "index")]
    found = sorted_segments(rows, segment_ids)
    if num_segments is not None and num_segments < 0:
        raise ParameterError(f"num_segments must be at least 0, not {num_segments}")
    if num_segments is not None and found > num_segments:
        raise ValueProblem(f"segment id {found - 1} must be below num_segments, {num_segments}")
    return add_rows(rows, segment_ids, found if num_segments is None else check_room(num_segments, rows))


def sparse(
    name: str, divisor: str, gradient: Callable[..., tuple[Any, None]], jax: str = "", accepts: Dtypes = FLOAT
) -> Declaration:
    """Returns the declaration that all of them share, and their rule: `gradient` is that of the picked rows."""
    declare = block(
        "Segments",
        infer=None,
        accepts={"data": accepts, "indices": INDEX, "segment_ids": INDEX},
        formula=rf"y_s = {divisor.format('s')} \textstyle\sum_{{i : k_i = s}} x_{{j_i}}",
        gradient_formula=rf"\bar x_j = \textstyle\sum_{{i : j_i = j}} {divisor.format('{k_i}')} \bar y_{{k_i}}",
        source=f"tf.sparse.segment_{name}",
        spelling=Spelling(
            "",
            # Without any row TensorFlow leaves segments as the memory happens to be.
            spelled_for(
                f"tf.sparse.segment_{name}({{data}}, {{indices}}, {{segment_ids}}, {{num_segments}})", has_segments
            ),
            "",
            jax and spelled_for(jax, has_segments),
        ),
    )

    def rule(g: Any, data: Any, indices: Any, segment_ids: Any, y: Any, *, num_segments: int | None) -> Any:
        rows, _ = gradient(g, data, segment_ids, y)
        return UnsortedSegmentSum(rows, indices, num_segments=data.shape[0]), None, None

    def declared(function: Callable[..., Array]) -> BlockType:
        block_type = declare(function)
        block_type.gradient(rule)
        return block_type

    return declared


@sparse(
    "sum",
    "",
    gradient_of_sum,
    "jax.ops.segment_sum({data}[{indices}], {segment_ids}, {num_segments})",
    NUMBER,
)
def SparseSegmentSum(data: Array, indices: Array, segment_ids: Array, *, num_segments: int | None = None) -> Array:
    """The sum of the picked rows of each segment: `indices` picks rows of the data, `segment_ids` says where to.

    The segment ids must be sorted; without `num_segments` the last one says how many segments there are. A segment
    without rows gives 0. A row may be picked several times. An index out of range is an error.
    """
    return _sums(data, indices, segment_ids, num_segments).astype(data.dtype)


@sparse("mean", r"\tfrac{{1}}{{n_{}}}", gradient_of_mean)
def SparseSegmentMean(data: Array, indices: Array, segment_ids: Array, *, num_segments: int | None = None) -> Array:
    """The mean of the picked rows of each segment: `indices` picks rows of the data, `segment_ids` says where to.

    The segment ids must be sorted; without `num_segments` the last one says how many segments there are. A segment
    without rows gives 0. A row may be picked several times. An index out of range is an error.
    """
    sums = _sums(data, indices, segment_ids, num_segments)
    mean: Array = (sums / count_rows(segment_ids, sums)).astype(data.dtype)
    return mean


@sparse("sqrt_n", r"\tfrac{{1}}{{\sqrt{{n_{}}}}}", gradient_of_sqrt_n)
def SparseSegmentSqrtN(data: Array, indices: Array, segment_ids: Array, *, num_segments: int | None = None) -> Array:
    """The sum of the picked rows of each segment, divided by the square root of their number.

    `indices` picks rows of the data, `segment_ids` says where to. The segment ids must be sorted; without
    `num_segments` the last one says how many segments there are. A segment without rows gives 0. A row may be picked
    several times. An index out of range is an error.
    """
    sums = _sums(data, indices, segment_ids, num_segments)
    scaled: Array = (sums / np.sqrt(count_rows(segment_ids, sums))).astype(data.dtype)
    return scaled
