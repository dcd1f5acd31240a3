"""Fourier transforms: the numbers of NumPy's, and gradients that are the adjoint transform."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx.from_onnx import from_onnx
from gradwire.interop.opset.operators import find
from tests.interop.onnx.test_from_onnx import gradient
from tests.interop.onnx.written import graph, model, node, value
from tests.interop.opset.test_bits import called

LENGTHS = st.integers(1, 9)
RANDOM = np.random.default_rng(0)


def parts(x: Array) -> Array:
    return np.stack([x.real, x.imag], axis=-1)


def transformed(x: Array, axis: int, length: int, **settings: Any) -> Array:
    """Returns the transform by the operator's form before version 20, whose axis is a setting."""
    found = find("DFT")
    assert found is not None
    return np.asarray(found([x, np.array(length)], {"axis": axis, **settings}, 19, 1))


@given(size=LENGTHS, length=LENGTHS, axis=st.integers(0, 1))
def test_transforms_of_any_length_are_those_of_numpy(size: int, length: int, axis: int) -> None:
    shape = (size, 2) if axis == 0 else (2, size)
    z = RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)
    both = {
        "forward": (np.fft.fft(z, length, axis), transformed(parts(z), axis, length)),
        "inverse": (np.fft.ifft(z, length, axis), transformed(parts(z), axis, length, inverse=1)),
        "one side": (np.fft.rfft(z.real, length, axis), transformed(z.real[..., None], axis, length, onesided=1)),
    }
    for name, (wanted, got) in both.items():
        np.testing.assert_allclose(got, parts(wanted), atol=1e-12, err_msg=name)
    real = transformed(parts(z), axis, length, inverse=1, onesided=1)
    np.testing.assert_allclose(real[..., 0], np.fft.irfft(z, length, axis), atol=1e-12)


def test_the_gradient_is_the_adjoint_transform() -> None:
    x, weights = RANDOM.normal(size=(3, 7, 1)), RANDOM.normal(size=(3, 7, 2))
    nodes = [
        node("DFT", ["x"], ["y"]), node("Mul", ["y", "w"], ["z"]), node("ReduceSum", ["z"], ["total"], keepdims=0),
    ]  # fmt: skip
    whole = model(graph(nodes, [value("x", [3, 7, 1], "float64")], ["total"], {"w": weights}))
    wanted = 7 * np.fft.ifft(weights[..., 0] + 1j * weights[..., 1], axis=1).real
    np.testing.assert_allclose(gradient(from_onnx(whole, {"x": x}), "x")[..., 0], wanted, atol=1e-12)


def test_short_time_transforms_are_those_of_frames() -> None:
    x, window = RANDOM.normal(size=(2, 20, 1)), np.hanning(6)
    frames = np.stack([x[:, begin : begin + 6, 0] * window for begin in range(0, 15, 4)], axis=1)
    got = called("STFT", x, np.array(4), window)
    np.testing.assert_allclose(got, parts(np.fft.rfft(frames)), atol=1e-12)
    np.testing.assert_array_equal(called("STFT", x[..., 0], np.array(4), window), got)


def test_one_side_of_complex_numbers_is_refused() -> None:
    with pytest.raises(ModelRefusal, match="for real numbers only"):
        transformed(np.ones((1, 4, 2)), 1, 4, onesided=1)
    with pytest.raises(ModelRefusal, match="frames of length 9 at steps of 1 do not fit 4 numbers"):
        called("STFT", np.ones((1, 4, 1)), np.array(1), np.ones(9))
    with pytest.raises(ModelRefusal, match="a signal with 2 or 3 axes, and this one has 1"):
        called("STFT", np.ones(4), np.array(1), np.ones(2))
