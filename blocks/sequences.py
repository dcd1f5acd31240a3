"""Sequences of different lengths in one tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.block_type import ANY, INDEX, block
from engine.errors import ParameterError, ShapeError, ValueProblem
from engine.parameters import Axis, DtypeName
from engine.spelling import Spelling, call, documented
from engine.tensor_spec import DTYPES, Array, TensorSpec, check_fits, normalize_axis


def _checked(x: TensorSpec, seq_lengths: TensorSpec, *, seq_axis: int, batch_axis: int) -> TensorSpec:
    along, batch = normalize_axis(seq_axis, x.ndim), normalize_axis(batch_axis, x.ndim)
    if along == batch:
        raise ParameterError(f"seq_axis and batch_axis must differ; both are {along}")
    if seq_lengths.shape != (x.shape[batch],):
        found, expected = list(seq_lengths.shape), x.shape[batch]
        raise ShapeError(f"seq_lengths has shape {found}, but there are {expected} sequences along axis {batch}")
    return x


@documented("tf.reverse_sequence({x}, {seq_lengths}, seq_axis={seq_axis}, batch_axis={batch_axis})")
def _in_tensorflow(x: str, seq_lengths: str, specs: Sequence[TensorSpec], **axes: int) -> str:
    """TensorFlow takes no negative axes here."""
    named = {name: normalize_axis(axis, specs[0].ndim) for name, axis in axes.items()}
    return call("tf.reverse_sequence", x, seq_lengths, **named)


@block(
    "Shape",
    infer=_checked,
    accepts={"x": ANY, "seq_lengths": INDEX},
    moves_elements=True,
    formula=r"y_{b i} = i < n_b \,?\, x_{b, n_b - 1 - i} : x_{b i}",
    gradient_formula=r"\bar x = \mathrm{ReverseSequence}(\bar y)",
    source="tf.reverse_sequence",
    spelling=Spelling(tensorflow=_in_tensorflow),
)
def ReverseSequence(x: Array, seq_lengths: Array, *, seq_axis: Axis, batch_axis: Axis = 0) -> Array:
    """The first elements of each sequence in opposite order, as many as its length says; the rest stays.

    `seq_axis` runs along the sequences, `batch_axis` from one to the next.
    """
    lines = np.moveaxis(x, (batch_axis, seq_axis), (0, 1))
    count = lines.shape[1]
    wrong = seq_lengths[(seq_lengths < 0) | (seq_lengths > count)]
    if wrong.size:
        raise ValueProblem(f"a sequence of length {wrong.flat[0]} does not fit into {count} elements")
    place = np.arange(count)
    ends = seq_lengths.astype(np.intp)[:, None]
    sources = np.where(place < ends, ends - 1 - place, place)
    turned = lines[np.arange(len(lines))[:, None], sources]
    return np.moveaxis(turned, (0, 1), (batch_axis, seq_axis))


@ReverseSequence.gradient
def reverse_sequence_gradient(g: Any, x: Any, seq_lengths: Any, y: Any, *, seq_axis: int, batch_axis: int) -> Any:
    return ReverseSequence(g, seq_lengths, seq_axis=seq_axis, batch_axis=batch_axis), None


@block(
    "Indexing",
    infer=None,
    accepts=INDEX,
    formula=r"y_{b i} = [i < n_b]",
    gradient_formula=r"\text{none: lengths have no gradient}",
    source="tf.sequence_mask",
    spelling=Spelling(tensorflow="tf.sequence_mask({lengths}, {maxlen}, tf.{dtype!s})"),
)
def SequenceMask(lengths: Array, *, maxlen: int | None = None, dtype: DtypeName = "bool") -> Array:
    """True for the first elements of each sequence, as many as its length says, along a new last axis.

    `maxlen` is the size of that axis; without it that is the greatest length.
    """
    if maxlen is not None and maxlen < 0:
        raise ParameterError(f"maxlen must be at least 0, not {maxlen}")
    size = max(int(lengths.max(initial=0)), 0) if maxlen is None else maxlen
    check_fits((*lengths.shape, size), DTYPES[dtype])
    return (np.arange(size) < lengths[..., None]).astype(DTYPES[dtype])
