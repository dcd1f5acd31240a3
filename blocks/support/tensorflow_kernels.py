"""Calls for which TensorFlow has kernels on every processor; it ends programs with an error for the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import TensorSpec, broadcast_shapes

# Any: the kinds of parameters decide.
Parameters = Mapping[str, Any]
Specs = Sequence[TensorSpec | None]


def channels_are_last(parameters: Parameters, specs: Specs) -> bool:
    """Returns whether images have their channels last."""
    return not (parameters["data_format"] or "").startswith("NC")


def is_plain_convolution(parameters: Parameters, specs: Specs) -> bool:
    """Returns whether a convolution has its channels last, no dilation and one group: others have no gradient."""
    dilations, (image, filters, *_) = parameters["dilations"], specs
    assert image is not None and filters is not None
    is_dense = not np.any(np.not_equal(dilations or 1, 1))
    return channels_are_last(parameters, specs) and is_dense and image.shape[-1] == filters.shape[-2]


def is_plain_transposed(parameters: Parameters, specs: Specs) -> bool:
    """Returns whether a transposed convolution has its channels last, no dilation and one group."""
    shape, (_, filters, *_) = parameters["output_shape"], specs
    assert filters is not None
    is_dense = not np.any(np.not_equal(parameters["dilations"] or 1, 1))
    return channels_are_last(parameters, specs) and is_dense and shape[-1] == filters.shape[2]


def is_narrow(parameters: Parameters, specs: Specs) -> bool:
    """Returns whether no tensor is wider than float32."""
    return all(item is None or item.dtype != np.float64 for item in specs)


def is_narrow_with_channels_last(parameters: Parameters, specs: Specs) -> bool:
    """Returns whether no tensor is wider than float32, and images have their channels last."""
    return is_narrow(parameters, specs) and channels_are_last(parameters, specs)


def has_segments(parameters: Parameters, specs: Specs) -> bool:
    """Returns whether there is a segment at all: a gradient looks at the first."""
    return bool(parameters["num_segments"] > 0)


def has_elements(parameters: Parameters, specs: Specs) -> bool:
    """Returns whether no tensor is empty: TensorFlow has no gradient for what indices without numbers choose."""
    return all(item is None or 0 not in item.shape for item in specs)


def is_of_whole_shape(place: int) -> Callable[[Parameters, Specs], bool]:
    """Returns a check of the tensor at a place for the shape of the result: its gradient is not summed."""

    def check(parameters: Parameters, specs: Specs) -> bool:
        shapes = [item.shape for item in specs if item is not None]
        return broadcast_shapes(shapes) == shapes[place]

    return check


def are_of_one_shape(parameters: Parameters, specs: Specs) -> bool:
    """Returns whether all tensors have one shape: gradients of broadcast ones are not summed."""
    return len({item.shape for item in specs if item is not None}) == 1
