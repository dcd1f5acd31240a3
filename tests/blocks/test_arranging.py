"""Axes, masks and windows at the edge of what makes sense, as in TensorFlow."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.library import library


@pytest.mark.parametrize(("axis", "shape"), [((0, 0), (3, 1)), ((-1, 2), (1, 3)), ((), (3,)), (0, (3, 1))])
def test_an_axis_may_be_squeezed_twice_and_none_means_all(axis: int | tuple[int, ...], shape: tuple[int, ...]) -> None:
    x = np.arange(3.0).reshape(1, 3, 1)
    assert library["Squeeze"](x, axis=axis).shape == shape
    assert gw.Squeeze(gw.Constant(x), axis=axis).spec.shape == shape


@pytest.mark.parametrize("axis", [None, 0, -1])
def test_a_scalar_is_repeated_as_a_vector(axis: int | None) -> None:
    x = gw.Variable(2.0)
    y = gw.Repeat(x, repeats=3, axis=axis)
    run = gw.evaluate(gw.Loss(y, [1.0, 10.0, 100.0]))
    np.testing.assert_array_equal(run.value(y), [2.0, 2.0, 2.0])
    assert run.gradient(x) == 111.0


def test_a_scalar_has_no_second_axis_to_repeat_along() -> None:
    with pytest.raises(BlockError, match="axis 1"):
        gw.Repeat(gw.Constant(2.0), repeats=3, axis=1)


def test_two_ellipses_are_refused_even_where_no_entry_is_named() -> None:
    with pytest.raises(BlockError, match="ellipsis"):
        gw.StridedSlice(gw.Constant([1.0, 2.0]), begin=(0,), end=(1,), ellipsis_mask=6)


def test_a_picked_element_has_no_backward_stride() -> None:
    with pytest.raises(BlockError, match="stride -1"):
        gw.StridedSlice(gw.Constant([1.0, 2.0]), begin=(1,), end=(0,), strides=(-1,), shrink_axis_mask=1)


@pytest.mark.parametrize(("mode", "is_refused"), [("REFLECT", True), ("SYMMETRIC", False), ("CONSTANT", False)])
def test_an_empty_axis_cannot_be_reflected_even_without_a_border(mode: str, is_refused: bool) -> None:
    x = gw.Constant(np.zeros((2, 0)))
    if is_refused:
        with pytest.raises(BlockError, match="reflect"):
            gw.Pad(x, paddings=((1, 1), (0, 0)), mode=mode)
    else:
        assert gw.Pad(x, paddings=((1, 1), (0, 0)), mode=mode).spec.shape == (4, 0)


def patches_of(length: int, size: int, stride: int) -> gw.Expression:
    """Patches of a square image without a border."""
    how = {"sizes": (1, size, size, 1), "strides": (1, stride, stride, 1), "rates": (1, 1, 1, 1), "padding": "VALID"}
    patches: gw.Expression = gw.ExtractPatches(gw.Variable(np.ones((1, length, length, 1))), **how)
    return patches


@pytest.mark.parametrize(("length", "size", "stride"), [(2, 3, 1), (2, 3, 2), (1, 5, 3)])
def test_a_window_that_does_not_fit_leaves_no_patches(length: int, size: int, stride: int) -> None:
    patches = patches_of(length, size, stride)
    run = gw.evaluate(gw.Loss(patches))
    assert run.value(patches).shape == (1, 0, 0, size * size)
    (image,) = patches.application.inputs
    np.testing.assert_array_equal(run.gradient(image), np.zeros((1, length, length, 1)))


@pytest.mark.parametrize(("length", "size", "stride"), [(1, 3, 1), (1, 5, 2), (1, 7, 3)])
def test_a_window_too_large_by_two_strides_is_refused(length: int, size: int, stride: int) -> None:
    with pytest.raises(BlockError, match="does not fit"):
        patches_of(length, size, stride)
