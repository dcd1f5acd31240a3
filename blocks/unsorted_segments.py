"""Reductions of rows by the number of the segment that each belongs to, in any order; and the rules of all segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Cast, Equal, Greater, Where
from gradwire.blocks.elementwise import Sqrt
from gradwire.blocks.indexing import check_indices
from gradwire.blocks.selection import Maximum
from gradwire.blocks.shape import Reshape
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.blocks.support.tensorflow_kernels import has_segments
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec
from gradwire.engine.blocktypes.block_type import FLOAT, INDEX, NUMBER, Declaration, Dtypes, Observation, block
from gradwire.engine.blocktypes.spelling import Spelling


def _reduced(data: TensorSpec, segment_ids: TensorSpec, *, num_segments: int) -> TensorSpec:
    if num_segments < 0:
        raise ParameterError(f"num_segments must be at least 0, not {num_segments}")
    lead = segment_ids.ndim
    if data.shape[:lead] != segment_ids.shape:
        raise ShapeError(f"data {list(data.shape)} must start with the shape of segment_ids {list(segment_ids.shape)}")
    return TensorSpec((num_segments, *data.shape[lead:]), data.dtype)


def combine_rows(ufunc: np.ufunc, data: Array, segment_ids: Array, num_segments: int, initial: Any) -> Array:
    """Returns the rows of each segment combined in order, starting from `initial`; a negative id drops its row.

    Raises: ValueProblem for an id that is not below `num_segments`.
    """
    whole = np.full((num_segments, *data.shape[segment_ids.ndim :]), initial, data.dtype)
    is_kept = segment_ids >= 0
    ufunc.at(whole, check_indices(segment_ids[is_kept], num_segments, "segment id"), data[is_kept])
    return whole


def add_rows(data: Array, segment_ids: Array, num_segments: int) -> Array:
    """Returns the sum of each segment; float16 is too narrow for it, so it comes as float32."""
    wide = np.promote_types(data.dtype, np.float32) if data.dtype.kind == "f" else data.dtype
    return combine_rows(np.add, data.astype(wide), segment_ids, num_segments, 0)


def count_rows(segment_ids: Array, sums: Array) -> Array:
    """Returns each segment's number of rows, 1 for empty ones, in a shape that broadcasts against the sums."""
    counts = np.bincount(segment_ids[segment_ids >= 0], minlength=len(sums))
    return np.maximum(counts, 1).reshape(-1, *[1] * (sums.ndim - 1))


def unsorted(
    formula: str, gradient_formula: str, name: str, jax: str = "", accepts: Dtypes = NUMBER, **declaration: Any
) -> Declaration:
    """Returns the declaration of reductions over unsorted segments; `jax` is JAX's name where it means the same."""
    arguments = "({data}, {segment_ids}, {num_segments})"
    return block(
        "Segments",
        **{"infer": _reduced, **declaration},
        accepts={"data": accepts, "segment_ids": INDEX},
        formula=formula,
        gradient_formula=gradient_formula,
        source=f"tf.math.unsorted_segment_{name}",
        spelling=Spelling(
            "",
            f"tf.math.unsorted_segment_{name}{arguments}",
            "",
            jax and spelled_for(f"jax.ops.segment_{jax}{arguments}", lambda _, segment_ids: segment_ids.ndim == 1),
        )
        .only_where("tensorflow", has_segments)
        .only_where("jax", has_segments),
    )


@unsorted(r"y_s = \textstyle\sum_{i : k_i = s} x_i", r"\bar x_i = \bar y_{k_i}", "sum", "sum", sums_products=True)
def UnsortedSegmentSum(data: Array, segment_ids: Array, *, num_segments: int) -> Array:
    """The sum of the rows of each segment; `segment_ids` names the segment of each row, in any order.

    An empty segment gives 0. A row with a negative id is dropped, and its gradient is 0; an id that is not below
    `num_segments` is an error. Ids of several axes stand for as many leading axes of the data.
    """
    return add_rows(data, segment_ids, num_segments).astype(data.dtype)


def _picked(params: TensorSpec, segment_ids: TensorSpec) -> TensorSpec:
    if params.ndim == 0:
        raise ShapeError("params must have at least one axis")
    return TensorSpec(segment_ids.shape + params.shape[1:], params.dtype)


@block(
    "Gradient parts",
    infer=_picked,
    accepts={"params": NUMBER, "segment_ids": INDEX},
    formula=r"y_i = x_{k_i}, \text{ or } 0 \text{ if } k_i < 0",
    gradient_formula=r"\bar x_s = \textstyle\sum_{i : k_i = s} \bar y_i",
)
def GatherSegments(params: Array, segment_ids: Array) -> Array:
    """For each id the row of its segment, and zeros for a negative one: it undoes UnsortedSegmentSum."""
    found = np.zeros(segment_ids.shape + params.shape[1:], params.dtype)
    is_kept = segment_ids >= 0
    found[is_kept] = params[check_indices(segment_ids[is_kept], params.shape[0], "segment id")]
    return found


@GatherSegments.gradient
def gather_segments_gradient(g: Any, params: Any, segment_ids: Any, y: Any) -> Any:
    return UnsortedSegmentSum(g, segment_ids, num_segments=params.shape[0]), None


@UnsortedSegmentSum.gradient
def gradient_of_sum(g: Any, data: Any, segment_ids: Any, y: Any, **_: int) -> tuple[Any, None]:
    """Returns the gradient of any sum of segments."""
    return GatherSegments(g, segment_ids), None


def _counts(segment_ids: Any, y: Any) -> Any:
    """Returns the number of rows of each segment as `count_rows` gives it, for expressions too."""
    ones = np.ones(segment_ids.shape, y.dtype)
    counts = Maximum(UnsortedSegmentSum(ones, segment_ids, num_segments=y.shape[0]), 1)
    return Reshape(counts, shape=(y.shape[0], *[1] * (y.ndim - 1)))


def _averaged(data: TensorSpec, segment_ids: TensorSpec, *, num_segments: int) -> TensorSpec:
    spec = _reduced(data, segment_ids, num_segments=num_segments)
    return TensorSpec(spec.shape, _quotient_dtype(data.dtype))


def _quotient_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns TensorFlow's dtype of a quotient: narrow integers give float32."""
    return dtype if dtype.kind == "f" else DTYPES["float32" if dtype.itemsize < 4 else "float64"]


@unsorted(
    r"y_s = \tfrac{1}{n_s} \textstyle\sum_{i : k_i = s} x_i",
    r"\bar x_i = \bar y_{k_i} / n_{k_i}",
    "mean",
    infer=_averaged,
)
def UnsortedSegmentMean(data: Array, segment_ids: Array, *, num_segments: int) -> Array:
    """The mean of the rows of each segment; `segment_ids` names the segment of each row, in any order.

    An empty segment gives 0. A row with a negative id is dropped, and its gradient is 0; an id that is not below
    `num_segments` is an error. Integers give floating point, as in TensorFlow, unlike in SegmentMean.
    """
    sums = add_rows(data, segment_ids, num_segments)
    mean: Array = (sums / count_rows(segment_ids, sums)).astype(_quotient_dtype(data.dtype))
    return mean


@unsorted(
    r"y_s = \tfrac{1}{\sqrt{n_s}} \textstyle\sum_{i : k_i = s} x_i",
    r"\bar x_i = \bar y_{k_i} / \sqrt{n_{k_i}}",
    "sqrt_n",
    accepts=FLOAT,
)
def UnsortedSegmentSqrtN(data: Array, segment_ids: Array, *, num_segments: int) -> Array:
    """The sum of the rows of each segment, divided by the square root of their number.

    `segment_ids` names the segment of each row, in any order. An empty segment gives 0. A row with a negative id is
    dropped, and its gradient is 0; an id that is not below `num_segments` is an error.
    """
    sums = add_rows(data, segment_ids, num_segments)
    scaled: Array = (sums / np.sqrt(count_rows(segment_ids, sums))).astype(data.dtype)
    return scaled


@UnsortedSegmentMean.gradient
def gradient_of_mean(g: Any, data: Any, segment_ids: Any, y: Any, **_: int) -> tuple[Any, None]:
    """Returns the gradient of any mean of segments."""
    return GatherSegments(g / _counts(segment_ids, y), segment_ids), None


@UnsortedSegmentSqrtN.gradient
def gradient_of_sqrt_n(g: Any, data: Any, segment_ids: Any, y: Any, **_: int) -> tuple[Any, None]:
    """Returns the gradient of any sum of segments that are divided by the square root of the number of rows."""
    return GatherSegments(g / Sqrt(_counts(segment_ids, y)), segment_ids), None


def _extreme(name: str) -> Declaration:
    return unsorted(
        rf"y_s = \{name}_{{i : k_i = s}} x_i",
        r"\bar x_i = [x_i = y_{k_i}]\,\bar y_{k_i} / \textstyle\sum_{j : k_j = k_i} [x_j = y_{k_i}]",
        name,
    )


def _limits(dtype: np.dtype[Any]) -> Any:
    return np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)


def extreme_rows(ufunc: np.ufunc, data: Array, segment_ids: Array, num_segments: int, initial: Any) -> Array:
    """Returns the least or the greatest row of each segment, from `initial` on; a negative id drops its row.

    As in TensorFlow's kernel NaN forgets the rows before it, and the next row forgets NaN.
    Raises: ValueProblem for an id that is not below `num_segments`.
    """
    is_nan = np.isnan(data)
    if num_segments == 0 or not is_nan.any():
        return combine_rows(ufunc, data, segment_ids, num_segments, initial)
    numbers = np.arange(segment_ids.size).reshape(segment_ids.shape + (1,) * (data.ndim - segment_ids.ndim))
    last_nan = combine_rows(np.maximum, np.where(is_nan, numbers, -1), segment_ids, num_segments, -1)
    last = combine_rows(np.maximum, np.broadcast_to(numbers, data.shape), segment_ids, num_segments, -1)
    # Rows with a negative id are dropped, so any segment will do for them.
    is_after = numbers > last_nan[np.maximum(segment_ids, 0)]
    infinity = data.dtype.type(np.inf if ufunc is np.minimum else -np.inf)
    whole = combine_rows(ufunc, np.where(is_after, data, infinity), segment_ids, num_segments, infinity)
    whole = np.where(last_nan < 0, ufunc(whole, data.dtype.type(initial)), whole)
    return np.where((last >= 0) & (last_nan == last), data.dtype.type(np.nan), whole)


@_extreme("min")
def UnsortedSegmentMin(data: Array, segment_ids: Array, *, num_segments: int) -> Array:
    """The smallest element of each segment; `segment_ids` names the segment of each row, in any order.

    Equal minima share the gradient evenly. A segment without anything smaller, an empty one too, gives the greatest
    finite number. NaN forgets the rows before it, and the next row forgets NaN, which receives no gradient. A row with
    a negative id is dropped, and its gradient is 0; an id that is not below `num_segments` is an error.
    """
    return extreme_rows(np.minimum, data, segment_ids, num_segments, _limits(data.dtype).max)


@_extreme("max")
def UnsortedSegmentMax(data: Array, segment_ids: Array, *, num_segments: int) -> Array:
    """The largest element of each segment; `segment_ids` names the segment of each row, in any order.

    Equal maxima share the gradient evenly. A segment without anything greater, an empty one too, gives the lowest
    finite number. NaN forgets the rows before it, and the next row forgets NaN, which receives no gradient. A row with
    a negative id is dropped, and its gradient is 0; an id that is not below `num_segments` is an error.
    """
    return extreme_rows(np.maximum, data, segment_ids, num_segments, _limits(data.dtype).min)


@UnsortedSegmentMin.gradient
@UnsortedSegmentMax.gradient
def gradient_of_extreme(g: Any, data: Any, segment_ids: Any, y: Any, **_: int) -> tuple[Any, None]:
    """Returns the gradient of any minimum or maximum of segments: elements that equal it share it evenly."""
    is_hit = Equal(data, GatherSegments(y, segment_ids))
    hits = UnsortedSegmentSum(Cast(is_hit, dtype=g.dtype.name), segment_ids, num_segments=y.shape[0])
    return Where(is_hit, GatherSegments(g / Maximum(hits, 1), segment_ids), 0), None


def observe_ties(what: str) -> Callable[..., Observation | None]:
    """Returns a note about equal elements at a minimum or maximum of segments."""

    def observe(data: Array, segment_ids: Array, y: Array, **_: int) -> Observation | None:
        is_hit = data == GatherSegments.function(y, segment_ids)
        hits = combine_rows(np.add, is_hit.astype(np.intp), segment_ids, len(y), 0)
        tied = int(hits[hits > 1].sum()) if y.dtype.kind == "f" else 0
        return Observation("tie", f"{tied} equal {what} share the gradient.", tied) if tied else None

    return observe


UnsortedSegmentMin.observe(observe_ties("minima"))
UnsortedSegmentMax.observe(observe_ties("maxima"))


@unsorted(
    r"y_s = \textstyle\prod_{i : k_i = s} x_i",
    r"\bar x_i = \bar y_{k_i} \textstyle\prod_{j \ne i : k_j = k_i} x_j",
    "prod",
)
def UnsortedSegmentProd(data: Array, segment_ids: Array, *, num_segments: int) -> Array:
    """The product of the rows of each segment; `segment_ids` names the segment of each row, in any order.

    An empty segment gives 1. A single zero in a segment receives the product of the others as its gradient; where there
    are several, all gradients are 0. A row with a negative id is dropped, and its gradient is 0; an id that is not
    below `num_segments` is an error.
    """
    return combine_rows(np.multiply, data, segment_ids, num_segments, 1)


@UnsortedSegmentProd.gradient
def gradient_of_product(g: Any, data: Any, segment_ids: Any, y: Any, **_: int) -> tuple[Any, None]:
    """Returns the gradient of any product of segments: a single zero of a segment receives the product of all
    others."""
    is_zero = Equal(data, 0)
    zeros = UnsortedSegmentSum(Cast(is_zero, dtype=g.dtype.name), segment_ids, num_segments=y.shape[0])
    safe = Where(is_zero, 1, data)
    nonzero = UnsortedSegmentProd(safe, segment_ids, num_segments=y.shape[0])
    others = Where(is_zero, GatherSegments(nonzero, segment_ids), GatherSegments(y, segment_ids) / safe)
    return GatherSegments(Where(Greater(zeros, 1), 0, g), segment_ids) * others, None
