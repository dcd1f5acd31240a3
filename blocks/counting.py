"""Counting how often numbers occur."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from gradwire.blocks.support.spelled_for import as_one_of
from gradwire.engine.base.errors import ParameterError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec, check_fits
from gradwire.engine.blocktypes.block_type import ANY, UNSHARED, Dtypes, block
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.spelling import Spelling, call, documented

# Weights may have another dtype than x.
WEIGHT = Dtypes("a number", "fiu", shared=False)


def _check(x: Array, weights: Array | None, axis: int | None, binary_output: bool) -> None:
    if axis not in (None, 0, -1):
        raise ParameterError(f"axis must be 0, -1 or nothing, not {axis}")
    if axis == -1 and x.ndim > 2:
        raise ShapeError(f"x may have at most two axes if the last one is counted along, not {x.ndim}")
    if weights is None:
        return
    if binary_output:
        raise ParameterError("binary_output leaves no room for weights")
    fits = x.shape == weights.shape if axis == -1 else x.size == weights.size
    if weights.size and not fits:
        raise ShapeError(f"weights {list(weights.shape)} must have the shape of x {list(x.shape)}")


def _length(numbers: Array, minlength: int | None, maxlength: int | None) -> int:
    """Returns the count of numbers: all up to the largest, but within the limits."""
    if maxlength is not None and maxlength < 0:
        raise ParameterError(f"maxlength must be at least 0, not {maxlength}")
    if numbers.min(initial=0) < 0:
        raise ValueProblem(f"x holds {numbers.min()}, but only numbers from 0 on can be counted")
    length = max(int(numbers.max()) + 1 if numbers.size else 0, minlength or 0)
    return length if maxlength is None else min(length, maxlength)


def _bincount(module: str, cast: str) -> Callable[..., str]:
    """Spells what all of them can: counting everything without an upper limit."""

    @documented(f"{module}.bincount({{x}}.ravel(), {{weights}}.ravel(), minlength={{minlength}})")
    def write(
        x: str,
        weights: str | None,
        minlength: int | None,
        maxlength: int | None,
        dtype: str,
        axis: int | None,
        binary_output: bool,
        specs: Sequence[TensorSpec | None],
    ) -> str:
        numbers, weight = (*specs, None)[:2]
        is_plain = axis != -1 and maxlength is None and not binary_output
        if not is_plain or numbers is None or numbers.dtype.kind not in "iu" or (weight and not weight.size):
            return ""
        ports = [f"{x}.ravel()", *([f"{weights}.ravel()"] if weights else [])]
        counts = call(f"{module}.bincount", *ports, minlength=max(minlength or 0, 0) or None)
        return counts + cast.format(weight.dtype.name if weight else dtype)

    return write


def _bincount_in_tensorflow(
    x: str,
    weights: str | None,
    minlength: int | None,
    maxlength: int | None,
    dtype: str,
    axis: int | None,
    binary_output: bool,
    specs: Sequence[TensorSpec | None],
) -> str:
    """tf.math.bincount({x}, {weights}, {minlength}, {maxlength}, axis={axis}, binary_output={binary_output})"""
    numbers, weight = (*specs, None)[:2]
    ports = [as_one_of(("int32", "int64"), x, numbers) if numbers else x]
    if weights and weight:
        ports.append(as_one_of(("float64", "float32", "int64", "int32"), weights, weight))
    ports += [] if dtype == "int32" else [f"dtype=tf.{dtype}"]
    limits = {"minlength": minlength, "maxlength": maxlength}
    return call("tf.math.bincount", *ports, **limits, axis=axis, binary_output=binary_output)


@block(
    "Scan and sort",
    differentiable="cut",
    infer=None,
    accepts={"x": UNSHARED, "weights": WEIGHT},
    sums_products=True,
    formula=r"y_k = \textstyle\sum_{i : x_i = k} w_i",
    gradient_formula=r"\text{none, as in TensorFlow: not even to the weights}",
    source="tf.math.bincount",
    spelling=Spelling(
        _bincount("np", ".astype('{}')"),
        _bincount_in_tensorflow,
        _bincount("torch", ".to(torch.{})"),
        _bincount("jnp", ".astype('{}')"),
    ),
)
def Bincount(
    x: Array,
    weights: Array | None = None,
    *,
    minlength: int | None = None,
    maxlength: int | None = None,
    dtype: Literal["int32", "int64", "float32", "float64"] = "int32",
    axis: Axis | None = None,
    binary_output: bool = False,
) -> Array:
    """The count of each of the numbers 0, 1, 2 ... in x, or the sum of the weights at its places.

    The result is as long as the largest number demands, at least `minlength`, and at most `maxlength`: larger numbers
    are left out. With axis -1 each row of x is counted for itself. With `binary_output` 1 stands for any number of
    times. Integers of every width are taken (TensorFlow takes int32 and int64); fractions of x are dropped. Without
    weights, or with none at all, each number counts 1.

    Also known as histogram.
    """
    _check(x, weights, axis, binary_output)
    numbers = x if x.dtype.kind in "iu" else x.astype(np.int32)
    kind = DTYPES[dtype] if weights is None else weights.dtype
    lead, length = x.shape[:1] if axis == -1 and x.ndim == 2 else (), _length(numbers, minlength, maxlength)
    count = math.prod(lead)
    check_fits((count, length), kind)
    y = np.zeros((count, length), kind)
    rows = numbers.reshape(count, x.size // max(count, 1))
    kept = rows < length
    parts = weights.reshape(rows.shape)[kept] if weights is not None and weights.size else 1
    np.add.at(y, (np.nonzero(kept)[0], rows[kept].astype(np.intp)), parts)
    return (np.minimum(y, 1) if binary_output else y).reshape(*lead, length)


@block(
    "Scan and sort",
    differentiable="cut",
    infer=None,
    outputs=("y", "idx", "count"),
    accepts=ANY,
    formula=r"x_i = y_{k_i}",
    gradient_formula=r"\text{none, as in TensorFlow}",
    source="tf.unique and tf.unique_with_counts",
    spelling=Spelling("", "tf.unique_with_counts({x}, tf.{out_idx!s})", "", ""),
)
def Unique(x: Array, *, out_idx: Literal["int32", "int64"] = "int32") -> tuple[Array, Array, Array]:
    """The different elements of a vector in the order in which they first occur.

    `idx` says for each element of x which of them it is, and `count` how often each occurs. NaN equals nothing, so each
    one is an element of its own.
    """
    if x.ndim != 1:
        raise ShapeError(f"x must have one axis, not {x.ndim}")
    _, first, which, count = np.unique(x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    order = np.argsort(first)
    rank = np.argsort(order)
    return x[first[order]], rank[which].astype(out_idx), count[order].astype(out_idx)
