"""Pictures read at places and by boxes: a ramp is read as what it is, and has its slopes as gradients."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.boxes import shares
from gradwire.interop.aten.grids import affine_grid, sampled

SLOPES = np.array([0.5, -2.0, 3.0])


def ramp(sizes: list[int]) -> Array:
    """Returns a picture that rises evenly along each axis, from -1 to 1 by its slope."""
    lines = np.meshgrid(*(np.linspace(-1, 1, size) for size in sizes), indexing="ij")
    return np.einsum("a,a...->...", SLOPES[: len(sizes)], np.stack(lines))[None, None]


@pytest.mark.parametrize("sizes", [[5, 4], [3, 5, 4]])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_inside_a_ramp_is_read_as_a_line_with_its_slopes(sizes: list[int], padding: str) -> None:
    places = np.random.default_rng(0).uniform(-0.95, 0.95, (1, 7, *[1] * (len(sizes) - 1), len(sizes)))
    grid = gw.Variable(places, name="grid")
    read = sampled(gw.Input(ramp(sizes)), grid, "linear", padding, True)
    run = gw.evaluate(gw.Loss(gw.ReduceSum(read), name="loss"))
    # The grid has the last axis first.
    slopes = SLOPES[: len(sizes)][::-1]
    assert run.loss == pytest.approx((places @ slopes).sum())
    np.testing.assert_allclose(run.gradient("grid"), np.broadcast_to(slopes, places.shape), atol=1e-12)


@pytest.mark.parametrize("mode", ["linear", "nearest", "cubic"])
def test_outside_are_zeros_or_the_outermost_elements(mode: str) -> None:
    picture, far = ramp([5, 4]), np.array([[[[3.0, 3.0], [-3.0, 3.0]]]])
    zeros, border = (sampled(picture, far, mode, padding, False) for padding in ("zeros", "border"))
    assert not np.any(zeros)
    np.testing.assert_allclose(border, [[[[picture[0, 0, -1, -1], picture[0, 0, -1, 0]]]]], atol=1e-12)


@pytest.mark.parametrize("sizes", [[5, 4], [3, 5, 4]])
def test_a_matrix_that_turns_nothing_gives_the_places_of_the_elements(sizes: list[int]) -> None:
    turn = np.eye(len(sizes), len(sizes) + 1)[None]
    lines = [np.linspace(-1, 1, size) for size in sizes]
    expected = np.stack(np.meshgrid(*lines, indexing="ij")[::-1], axis=-1)[None]
    np.testing.assert_allclose(affine_grid(turn, sizes, True), expected, atol=1e-12)


@pytest.mark.parametrize("ratio", [1, 2, 5])
def test_bins_of_a_box_inside_read_a_ramp_at_their_middles(ratio: int) -> None:
    begin, end = np.array([1.25, 0.0]), np.array([7.25, 4.5])
    found = np.asarray(shares(begin, end, 3, ratio, 10, True))
    middles = begin[:, None] + (end - begin)[:, None] * (np.arange(3) + 0.5) / 3
    np.testing.assert_allclose(found.sum(-1), np.ones((2, 3)), atol=1e-12)
    np.testing.assert_allclose(found @ np.arange(10.0), middles, atol=1e-12)
