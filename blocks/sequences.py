"""Sequences of different lengths in one tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.blocks.segments import check_room
from gradwire.engine.base.errors import ParameterError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, INDEX, block
from gradwire.engine.blocktypes.parameters import Axis, DtypeName
from gradwire.engine.blocktypes.spelling import Spelling, call, documented


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
    """Returns TensorFlow's line, which takes no negative axes."""
    named = {name: normalize_axis(axis, specs[0].ndim) for name, axis in axes.items()}
    return call("tf.reverse_sequence", x, seq_lengths, **named)


@block(
    "Shape",
    infer=_checked,
    accepts={"x": ANY, "seq_lengths": INDEX},
    only_moves_data=True,
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


def _spelled_mask(arange: str, largest: str, compared: str, converted: str) -> Callable[..., str]:
    """Returns the spelling of a mask; `largest` gives the longest length, where there is one."""

    @documented(compared.replace("{places}", f"{arange}({{maxlen}})"))
    def write(*, lengths: str, maxlen: int | None, dtype: str, specs: Sequence[TensorSpec | None] = ()) -> str:
        if maxlen is None and (not largest or any(spec is not None and not spec.size for spec in specs)):
            return ""
        count = largest.format(lengths=lengths) if maxlen is None else maxlen
        mask = compared.format(lengths=lengths, places=f"{arange}({count})")
        return mask if dtype == "bool" else f"({mask}){converted.format(dtype=dtype)}"

    return write


@documented("tf.sequence_mask({lengths}, {maxlen}, tf.{dtype})")
def _mask_in_tensorflow(
    *, lengths: str, maxlen: int | None, dtype: str, specs: Sequence[TensorSpec | None] = ()
) -> str:
    """Returns TensorFlow's line, which counts up to the longest length only in 32 or 64 bits."""
    is_narrow = any(spec is not None and spec.dtype.itemsize < 4 for spec in specs)
    return "" if maxlen is None and is_narrow else f"tf.sequence_mask({lengths}, {maxlen}, tf.{dtype})"


@block(
    "Indexing",
    differentiable="never",
    infer=None,
    accepts=INDEX,
    formula=r"y_{i j} = [j < n_i]",
    gradient_formula=NO_GRADIENT,
    source="tf.sequence_mask",
    spelling=Spelling(
        _spelled_mask(
            "np.arange",
            "np.max({lengths}, initial=0)",
            "{places} < np.expand_dims({lengths}, -1)",
            ".astype('{dtype}')",
        ),
        _mask_in_tensorflow,
        _spelled_mask(
            "torch.arange", "max(int({lengths}.max()), 0)", "{places} < {lengths}.unsqueeze(-1)", ".to(torch.{dtype})"
        ),
        _spelled_mask("jnp.arange", "", "{places} < jnp.expand_dims({lengths}, -1)", ".astype('{dtype}')"),
    ),
)
def SequenceMask(lengths: Array, *, maxlen: int | None = None, dtype: DtypeName = "bool") -> Array:
    """For each length a vector along a new last axis: true, or 1, at as many places as the length says, then false.

    The vectors have `maxlen` places; without it the longest length decides. A negative length counts as 0.
    """
    if maxlen is not None and maxlen < 0:
        raise ParameterError(f"maxlen must be at least 0, not {maxlen}")
    count = int(np.max(lengths, initial=0)) if maxlen is None else maxlen
    places = np.arange(check_room(count, lengths.astype(np.int64), 0))
    mask: Array = places < np.expand_dims(lengths, -1)
    return mask.astype(DTYPES[dtype])
