"""Reading a line at any place beside the formulas of PyTorch's grid_sample: inside and outside, in each mode."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.aten.grids import affine_grid, sampled
from gradwire.interop.aten.tensors import number, together

LINE = np.array([1.0, -2.0, 4.0, 0.5, 3.0])


def mirrored(place: float, low: float, high: float) -> float:
    """Returns a place between two mirrors that face each other."""
    while not low <= place <= high:
        place = 2 * low - place if place < low else 2 * high - place
    return place


def cubic(distance: float) -> float:
    """Keys' kernel with a = -0.75."""
    x, a = abs(distance), -0.75
    if x <= 1:
        return (a + 2) * x**3 - (a + 3) * x**2 + 1
    return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a if x < 2 else 0.0


def read(at: float, mode: str, padding: str, is_aligned: bool) -> float:
    last = len(LINE) - 1
    place = (at + 1) / 2 * last if is_aligned else ((at + 1) * (last + 1) - 1) / 2
    low, high = (0.0, float(last)) if is_aligned else (-0.5, last + 0.5)

    def inside(position: float) -> float:
        position = mirrored(position, low, high) if padding == "reflection" else position
        return position if padding == "zeros" else min(max(position, 0.0), float(last))

    def element(index: int) -> float:
        index = int(inside(index)) if mode == "cubic" else index
        return float(LINE[index]) if 0 <= index <= last else 0.0

    place = place if mode == "cubic" else inside(place)
    if mode == "nearest":
        return element(round(place))
    below = math.floor(place)
    taps = range(below - 1, below + 3) if mode == "cubic" else (below, below + 1)
    weights = [cubic(place - tap) if mode == "cubic" else 1 - abs(place - tap) for tap in taps]
    return sum(weight * element(tap) for weight, tap in zip(weights, taps, strict=True))


@pytest.mark.parametrize("is_aligned", [False, True])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["linear", "nearest", "cubic"])
def test_a_line_is_read_as_pytorch_reads_it(mode: str, padding: str, is_aligned: bool) -> None:
    places = np.concatenate([np.linspace(-3.3, 3.3, 60), [-1.0, 1.0, 0.0, -0.5, 0.5]]) + 1e-4
    grid = np.stack([places, np.zeros_like(places)], axis=-1)[None, None]
    picture = np.broadcast_to(LINE, (1, 1, 3, len(LINE)))
    found = np.asarray(sampled(picture, grid, mode, padding, is_aligned)).ravel()
    np.testing.assert_allclose(found, [read(at, mode, padding, is_aligned) for at in places], atol=1e-9)


@pytest.mark.parametrize("padding", ["border", "reflection"])
def test_a_picture_of_one_element_is_that_everywhere(padding: str) -> None:
    grid = np.array([[[[-5.0, 0.3], [0.0, 0.0], [1.7, 9.0]]]])
    for is_aligned in (False, True):
        found = np.asarray(sampled(np.full((1, 1, 1, 1), 7.0), grid, "linear", padding, is_aligned))
        np.testing.assert_allclose(found, np.full((1, 1, 1, 3), 7.0))


@pytest.mark.parametrize(("is_aligned", "middles"), [(True, [-1, -0.5, 0, 0.5, 1]), (False, [-0.8, -0.4, 0, 0.4, 0.8])])
def test_elements_lie_from_end_to_end_or_in_their_middles(is_aligned: bool, middles: list[float]) -> None:
    grid = np.asarray(affine_grid(np.eye(2, 3)[None], [1, 5], is_aligned))
    np.testing.assert_allclose(grid[0, 0, :, 0], middles)
    np.testing.assert_allclose(grid[0, 0, :, 1], np.zeros(5))
    shifted = np.asarray(affine_grid(np.array([[[2.0, 0, 1], [0, 1, -3]]]), [1, 5], is_aligned))
    np.testing.assert_allclose(shifted[0, 0, :, 0], 2 * np.array(middles) + 1)
    np.testing.assert_allclose(shifted[0, 0, :, 1], np.full(5, -3.0))


@pytest.mark.parametrize(
    ("value", "beside", "dtype"),
    [(2, "float64", "float64"), (0.5, "float32", "float32"), (0.5, "int64", "float32"), (2, "int8", "int8"),
     (True, "bool", "bool"), (0.5, "bool", "float32")],
)  # fmt: skip
def test_a_number_beside_a_tensor_has_its_dtype_unless_it_is_no_integer(value: float, beside: str, dtype: str) -> None:
    found = number(value, np.ones(2, beside))
    assert (found.dtype, found.shape) == (np.dtype(dtype), ())
    tensor = gw.Input(np.ones(2))
    assert number(tensor, np.ones(1, np.int8)) is tensor


@pytest.mark.parametrize(
    ("a", "b", "dtype"),
    [
        (np.ones(2, np.float32), np.float64(2), "float32"), (np.ones(2, np.float32), np.ones(2), "float64"),
        (np.ones(2, np.int64), np.float32(0.5), "float32"), (np.ones(2, np.int32), np.ones(2, np.int64), "int64"),
        (np.ones(2, np.int32), np.int64(2), "int32"), (np.ones(2, bool), np.int64(2), "int64"),
        (np.ones(2, np.float32), 3, "float32"), (2.5, np.ones(2, np.int64), "float32"),
    ],
)  # fmt: skip
def test_operands_meet_in_the_dtype_of_pytorch(a: object, b: object, dtype: str) -> None:
    first, second = (np.asarray(item) if isinstance(item, np.generic) else item for item in (a, b))
    found = together(first, second)
    assert {str(item.dtype) for item in found} == {dtype}
    assert {str(item.dtype) for item in together(second, first)} == {dtype}
