"""Operators of ONNX beside NumPy: reductions over some, all or no axes, and convolutions in groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.opset.operators import find
from tests.interop.opset.test_bits import called

X = np.random.default_rng(2).uniform(0.5, 2.0, (2, 3, 4))

REDUCTIONS: dict[str, Callable[..., Array]] = {
    "ReduceSum": np.sum,
    "ReduceMean": np.mean,
    "ReduceMax": np.max,
    "ReduceMin": np.min,
    "ReduceProd": np.prod,
    "ReduceL1": lambda x, **how: np.sum(np.abs(x), **how),
    "ReduceL2": lambda x, **how: np.sqrt(np.sum(x * x, **how)),
    "ReduceLogSum": lambda x, **how: np.log(np.sum(x, **how)),
    "ReduceLogSumExp": lambda x, **how: np.log(np.sum(np.exp(x), **how)),
    "ReduceSumSquare": lambda x, **how: np.sum(x * x, **how),
}


@pytest.mark.parametrize("keepdims", [0, 1])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_a_reduction_is_that_of_numpy(name: str, keepdims: int) -> None:
    for axes in (None, [], [1], [0, -1], [0, 1, 2]):
        for noop in (0, 1):
            given = {} if axes is None else {"axes": axes}
            wanted = tuple(axes) if axes else () if noop else None
            found = called(name, X, keepdims=keepdims, noop_with_empty_axes=noop, **given)
            np.testing.assert_allclose(found, REDUCTIONS[name](X, axis=wanted, keepdims=bool(keepdims)), rtol=1e-12)
            if axes is not None:
                by_input = called(name, X, np.array(axes, np.int64), keepdims=keepdims, noop_with_empty_axes=noop)
                np.testing.assert_array_equal(by_input, found)


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("group", [1, 2])
def test_a_convolution_is_the_sum_of_its_products_group_by_group(rank: int, group: int) -> None:
    draw = np.random.default_rng(rank)
    x, w = draw.normal(size=(2, 4, *[5] * rank)), draw.normal(size=(6, 4 // group, *[3] * rank))
    bias = draw.normal(size=6)
    wanted = np.zeros((2, 6, *[3] * rank)) + bias.reshape(1, 6, *[1] * rank)
    for start in np.ndindex(*[3] * rank):
        part = x[(slice(None), slice(None), *(slice(at, at + 3) for at in start))]
        for number in range(group):
            own = part[:, number * 4 // group : (number + 1) * 4 // group].reshape(2, -1)
            rows = slice(number * 6 // group, (number + 1) * 6 // group)
            wanted[(slice(None), rows, *start)] += own @ w[rows].reshape(6 // group, -1).T
    how: dict[str, Any] = {"group": group}
    np.testing.assert_allclose(called("Conv", x, w, bias, **how), wanted, rtol=1e-10)


def test_windows_that_do_not_fit_are_refused() -> None:
    x = np.ones((1, 1, 4, 4))
    for how in ({"kernel_shape": [2]}, {"kernel_shape": [2, 2, 2]}, {"kernel_shape": [2, 0]}):
        with pytest.raises(ModelRefusal):
            called("MaxPool", x, **how)
    with pytest.raises(ModelRefusal):
        called("MaxPool", np.ones((1, 4)), kernel_shape=[])


@pytest.mark.parametrize(("opset", "axis"), [(17, 1), (19, 1), (20, -2), (21, -2)])
def test_a_fourier_transform_is_that_of_numpy_along_its_axis(opset: int, axis: int) -> None:
    x = np.random.default_rng(5).normal(size=(1, 6, 3, 1))
    found = find("DFT")
    assert found is not None
    y = np.asarray(found([x], {}, opset, 1))
    wanted = np.fft.fft(x[..., 0], axis=1 if axis == 1 else -1)
    np.testing.assert_allclose(y, np.stack([wanted.real, wanted.imag], axis=-1), atol=1e-12)
