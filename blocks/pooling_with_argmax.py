"""Max pooling that also says where in the image each maximum stands."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gradwire.blocks.pooling import first_maxima, max_pool_gradient, max_pool_ties, pooled_spec
from gradwire.blocks.support.layouts import layout_of
from gradwire.blocks.support.tensorflow_kernels import is_narrow
from gradwire.blocks.support.windows import Windows, lay_windows
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec
from gradwire.engine.blocktypes.block_type import NUMBER, Observation, block
from gradwire.engine.blocktypes.parameters import Sizes
from gradwire.engine.blocktypes.spelling import Spelling


def _pooled_with_places(
    input: TensorSpec, *, output_dtype: str, include_batch_in_index: bool, **how: Any
) -> tuple[TensorSpec, TensorSpec]:
    output = pooled_spec(2, input, **how)
    return output, TensorSpec(output.shape, DTYPES[output_dtype])


def _flat_indices(places: Array, windows: Windows, channels: int) -> Array:
    """Returns the index of each place in the flat image (rows, columns, channels)."""
    flat: Any = 0
    for axis, step in enumerate(np.unravel_index(places, windows.size)):
        before, _ = windows.padding[axis]
        starts = np.arange(windows.counts[axis]) * windows.strides[axis] - before
        flat = flat * windows.space[axis] + step + starts.reshape((-1, *(1,) * (2 - axis)))
    return flat * channels + np.arange(channels)


@block(
    "Pooling",
    infer=_pooled_with_places,
    outputs=("output", "argmax"),
    accepts=NUMBER,
    formula=r"y = \max_{\text{window}} x,\quad i = \mathrm{argmax}_{\text{window}}\, x",
    gradient_formula=r"\bar x = \bar y \text{ at } i",
    source="tf.nn.max_pool_with_argmax",
    spelling=Spelling(
        "",
        "tf.nn.max_pool_with_argmax({input}, {ksize}, {strides}, {padding}, output_dtype=tf.{output_dtype!s}, "
        "include_batch_in_index={include_batch_in_index})",
    ).only_where("tensorflow", is_narrow),
)
def MaxPoolWithArgmax(
    input: Array,
    *,
    ksize: Sizes,
    strides: Sizes,
    padding: Literal["SAME", "VALID"],
    data_format: Literal["NHWC"] = "NHWC",
    output_dtype: Literal["int64", "int32"] = "int64",
    include_batch_in_index: bool = False,
) -> tuple[Array, Array]:
    """The largest element of each window over rows and columns, and its index in the flat image.

    The index is ((row * columns) + column) * channels + channel, with `include_batch_in_index` counted through the
    whole batch; no gradient passes it. Of equal maxima the first counts. Unlike in MaxPool2D, NaN counts only where it
    comes first in its window, as in TensorFlow.
    """
    how = layout_of(2, data_format).plain(ksize=ksize, strides=strides, padding=padding)
    windows = lay_windows(input.shape[1:3], how["ksize"], how["strides"], how["padding"])
    output, places = first_maxima(zip(windows.parts(input), windows.are_inside(), strict=True))
    argmax = _flat_indices(places, windows, input.shape[3])
    if include_batch_in_index:
        argmax = argmax + (np.arange(input.shape[0]) * (input.size // max(input.shape[0], 1))).reshape(-1, 1, 1, 1)
    return output, argmax.astype(output_dtype)


@MaxPoolWithArgmax.gradient
def max_pool_with_argmax_gradient(
    g: Any, input: Any, output: Any, argmax: Any, *, output_dtype: str, include_batch_in_index: bool, **how: Any
) -> Any:
    return max_pool_gradient(g[0], input, output, **how)


@MaxPoolWithArgmax.observe
def max_pool_with_argmax_ties(
    input: Array, output: Array, argmax: Array, *, output_dtype: str, include_batch_in_index: bool, **how: Any
) -> Observation | None:
    """Windows whose maximum stands in several places."""
    return max_pool_ties(input, output, **how)
