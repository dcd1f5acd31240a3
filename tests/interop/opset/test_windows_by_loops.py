"""Convolutions, pools and resizing beside plain loops over the elements, with sizes that all differ."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.opset.convolutions import windows
from tests.interop.opset.test_worked_by_hand import check, results

RANDOM = np.random.default_rng(11)


def numbers(*shape: int) -> Array:
    return RANDOM.normal(size=shape)


@pytest.mark.parametrize(
    ("size", "kernel", "stride", "dilation", "pads", "auto_pad", "ceil", "around"),
    [
        (7, 3, 2, 1, (1, 2), "NOTSET", 0, (1, 2)),
        (7, 3, 2, 1, (1, 2), "VALID", 0, (0, 0)),
        (7, 3, 1, 1, None, "NOTSET", 0, (0, 0)),
        (7, 3, 2, 1, None, "SAME_UPPER", 0, (1, 1)),
        (8, 3, 2, 1, None, "SAME_UPPER", 0, (0, 1)),
        (8, 3, 2, 1, None, "SAME_LOWER", 0, (1, 0)),
        (8, 2, 3, 1, None, "SAME_UPPER", 0, (0, 0)),
        (7, 3, 1, 2, None, "SAME_UPPER", 0, (2, 2)),
        (7, 4, 1, 1, None, "SAME_LOWER", 0, (2, 1)),
        (7, 4, 1, 1, None, "SAME_UPPER", 0, (1, 2)),
        (9, 1, 4, 1, None, "SAME_UPPER", 0, (0, 0)),
        (7, 2, 2, 1, None, "NOTSET", 1, (0, 1)),
        (8, 2, 2, 1, None, "NOTSET", 1, (0, 0)),
        (7, 2, 2, 1, (1, 0), "NOTSET", 1, (1, 0)),
        (7, 2, 2, 1, (1, 1), "NOTSET", 1, (1, 1)),
        (6, 3, 4, 1, (0, 1), "NOTSET", 1, (0, 1)),
        (8, 3, 4, 1, (0, 1), "NOTSET", 1, (0, 1)),
        (8, 3, 4, 1, (1, 1), "NOTSET", 1, (1, 2)),
        (4, 1, 3, 1, (0, 2), "NOTSET", 1, (0, 2)),
        (4, 1, 4, 1, (0, 2), "NOTSET", 1, (0, 2)),
        (5, 1, 4, 1, (0, 2), "NOTSET", 1, (0, 2)),
        (7, 2, 3, 2, (0, 0), "NOTSET", 1, (0, 2)),
    ],
)
def test_windows_have_their_padding_before_and_behind(
    size: int, kernel: int, stride: int, dilation: int, pads: Any, auto_pad: str, ceil: int, around: tuple[int, int]
) -> None:
    x = np.zeros((1, 1, size))
    found = windows(x, [kernel], [stride], [dilation], None if pads is None else [*pads], auto_pad, ceil)
    assert found.around == [around]
    assert found.reach == [dilation * (kernel - 1) + 1] and found.is_dilated == (dilation > 1)
    twice = windows(np.zeros((1, 1, 5, size)), [1, kernel], [1, stride], [1, dilation], [0, (pads or (0, 0))[0],
                    0, (pads or (0, 0))[1]], auto_pad, ceil)  # fmt: skip
    assert twice.around == [(0, 0), around] and twice.is_dilated == (dilation > 1)


@pytest.mark.parametrize(
    ("shape", "sizes", "strides", "dilations"),
    [((2, 3), [2], None, None), ((2, 3, 4), [2, 2], None, None), ((2, 3, 4), [0], None, None),
     ((2, 3, 4), [2], [0], None), ((2, 3, 4), [2], None, [0])],
)  # fmt: skip
def test_windows_that_do_not_fit_are_refused(shape: Any, sizes: list[int], strides: Any, dilations: Any) -> None:
    with pytest.raises(ModelRefusal):
        windows(np.zeros(shape), sizes, strides, dilations, None, "NOTSET")


def framed(x: Array, pads: Sequence[int], fill: float = 0.0) -> Array:
    rank = x.ndim - 2
    return np.pad(x, [(0, 0), (0, 0), *((pads[i], pads[i + rank]) for i in range(rank))], constant_values=fill)


def windows_of(x: Array, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> Array:
    """Returns the elements of each window. Shape: (batch, channels, *counts, *kernel)."""
    sizes = x.shape[2:]
    counts = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(sizes, kernel, strides, dilations, strict=True)]
    found = np.zeros((*x.shape[:2], *counts, *kernel))
    for at in itertools.product(*map(range, counts)):
        for tap in itertools.product(*map(range, kernel)):
            place = tuple(a * s + t * d for a, s, t, d in zip(at, strides, tap, dilations, strict=True))
            found[(slice(None), slice(None), *at, *tap)] = x[(slice(None), slice(None), *place)]
    return found


def convolved(x: Array, w: Array, strides: Any, dilations: Any, pads: Any, group: int) -> Array:
    rank = x.ndim - 2
    taken = windows_of(framed(x, pads), w.shape[2:], strides, dilations)
    inside, outside = w.shape[1], w.shape[0] // group
    letters = "xyzuvw"[: 2 * rank]
    parts = [
        np.einsum(f"bc{letters},oc{letters[rank:]}->bo{letters[:rank]}",
                  taken[:, g * inside : (g + 1) * inside], w[g * outside : (g + 1) * outside])
        for g in range(group)
    ]  # fmt: skip
    return np.concatenate(parts, axis=1)


CONVOLUTIONS: list[tuple[Any, Any, Any, Any, Any, int]] = [
    ((2, 3, 8), (4, 3, 3), (2,), (1,), (1, 2), 1),
    ((2, 4, 9), (6, 2, 3), (1,), (2,), (0, 1), 2),
    ((2, 3, 6, 7), (4, 3, 2, 3), (2, 1), (1, 1), (0, 1, 2, 3), 1),
    ((1, 4, 6, 7), (6, 2, 2, 3), (1, 2), (2, 1), (1, 0, 0, 2), 2),
    ((1, 3, 5, 4), (6, 1, 2, 2), (1, 1), (1, 1), (0, 0, 0, 0), 3),
    ((1, 2, 4, 5, 6), (3, 2, 2, 3, 1), (1, 2, 3), (1, 1, 1), (1, 0, 0, 0, 1, 2), 1),
    ((1, 4, 4, 5, 3), (4, 2, 2, 2, 2), (1, 1, 1), (1, 1, 1), (0, 0, 0, 0, 0, 0), 2),
]


@pytest.mark.parametrize(("shape", "filters", "strides", "dilations", "pads", "group"), CONVOLUTIONS)
def test_a_convolution_adds_products_of_windows(
    shape: Any, filters: Any, strides: Any, dilations: Any, pads: Any, group: int
) -> None:
    x, w, b = numbers(*shape), numbers(*filters), numbers(filters[0])
    how = {"strides": [*strides], "dilations": [*dilations], "pads": [*pads], "group": group}
    wanted = convolved(x, w, strides, dilations, pads, group)
    check(results("Conv", x, w, **how)[0], wanted)
    check(results("Conv", x, w, b, **how)[0], wanted + b.reshape(-1, *[1] * (len(shape) - 2)))
    with pytest.raises(ModelRefusal, match="do not fit"):
        results("Conv", x, w, **how | {"group": group + 1})


@pytest.mark.parametrize(("shape", "filters", "strides", "dilations", "pads", "group"), CONVOLUTIONS)
def test_a_transposed_convolution_is_the_adjoint_of_one(
    shape: Any, filters: Any, strides: Any, dilations: Any, pads: Any, group: int
) -> None:
    """<conv(x), y> is <x, transposed(y)>, and what no window reaches is zero; the padding out says how much that is."""
    x, w = numbers(*shape), numbers(*filters)
    y = numbers(*convolved(x, w, strides, dilations, pads, group).shape)
    how = {"strides": [*strides], "dilations": [*dilations], "pads": [*pads], "group": group}
    rank = len(shape) - 2
    rows = zip(shape[2:], filters[2:], strides, dilations, pads[:rank], pads[rank:], strict=True)
    more = [(n + a + b - d * (k - 1) - 1) % s for n, k, s, d, a, b in rows]
    (found,) = results("ConvTranspose", y, w, output_padding=more, **how)
    assert found.shape == shape
    for _ in range(3):
        check((found * x).sum(), (convolved(x, w, strides, dilations, pads, group) * y).sum())
        x = numbers(*shape)
    (wished,) = results("ConvTranspose", y, w, output_shape=[*shape[2:]], **how | {"pads": None})
    assert wished.shape == shape


def test_a_transposed_convolution_has_the_size_that_is_asked_for() -> None:
    x, w = np.ones((1, 1, 3)), np.array([[[1.0, 2.0, 4.0]]])
    whole = [1, 2, 5, 2, 5, 2, 4]
    check(results("ConvTranspose", x, w, strides=[2])[0].ravel(), whole)
    check(results("ConvTranspose", x, w, strides=[2], auto_pad="SAME_UPPER")[0].ravel(), whole[:6])
    check(results("ConvTranspose", x, w, strides=[2], auto_pad="SAME_LOWER")[0].ravel(), whole[1:])
    check(results("ConvTranspose", x, w, strides=[2], output_shape=[4])[0].ravel(), whole[2:6])
    check(results("ConvTranspose", x, w, strides=[2], output_shape=[4], auto_pad="SAME_UPPER")[0].ravel(), whole[1:5])
    check(results("ConvTranspose", x, w, strides=[2], output_shape=[1, 1, 5])[0].ravel(), whole[1:6])
    check(results("ConvTranspose", x, w, strides=[2], output_shape=[9])[0].ravel(), [*whole, 0, 0])
    check(results("ConvTranspose", x, w, strides=[2], output_padding=[1])[0].ravel(), [*whole, 0])
    check(results("ConvTranspose", x, w, strides=[2], pads=[1, 2])[0].ravel(), whole[1:5])
    check(results("ConvTranspose", x, w, strides=[2], pads=[0, 1], output_padding=[1])[0].ravel(), whole)


@pytest.mark.parametrize(
    ("shape", "kernel", "strides", "dilations", "pads"),
    [
        ((2, 3, 9), (3,), (2,), (1,), (1, 0)),
        ((2, 2, 9), (3,), (2,), (2,), (1, 2)),
        ((1, 2, 6, 7), (2, 3), (2, 1), (1, 1), (0, 1, 1, 2)),
        ((1, 2, 6, 7), (2, 3), (1, 2), (2, 1), (1, 0, 0, 1)),
        ((1, 2, 4, 5, 6), (2, 1, 3), (1, 2, 3), (1, 1, 1), (0, 0, 1, 1, 0, 0)),
    ],
)
def test_pools_take_the_largest_the_mean_and_the_length_of_windows(
    shape: Any, kernel: Any, strides: Any, dilations: Any, pads: Any
) -> None:
    x, rank = numbers(*shape), len(kernel)
    how: dict[str, Any] = {"kernel_shape": [*kernel], "strides": [*strides], "dilations": [*dilations], "pads": [*pads]}
    inside = tuple(range(-rank, 0))
    largest = windows_of(framed(x, pads, -np.inf), kernel, strides, dilations).max(axis=inside)
    check(results("MaxPool", x, **how)[0], largest)
    sums = windows_of(framed(x, pads), kernel, strides, dilations)
    counts = windows_of(framed(np.ones_like(x), pads), kernel, strides, dilations).sum(axis=inside)
    check(results("AveragePool", x, **how)[0], sums.sum(axis=inside) / counts)
    check(results("AveragePool", x, count_include_pad=1, **how)[0], sums.sum(axis=inside) / math.prod(kernel))
    check(results("LpPool", x, p=3, **how)[0], (np.abs(sums) ** 3).sum(axis=inside) ** (1 / 3))
    check(results("LpPool", x, **how)[0], np.sqrt((sums**2).sum(axis=inside)))
    for order in (0, 1):
        values, places = results("MaxPool", x, count=2, storage_order=order, **how)
        check(values, largest)
        rows = [item.ravel(order="F" if order else "C") for item in x.reshape(-1, *shape[2:])]
        flat = np.concatenate(rows)
        check(flat[places.astype(int)], largest)


def test_a_mean_with_whole_windows_counts_the_padding_that_was_given_alone() -> None:
    x = np.arange(1.0, 7.0).reshape(1, 1, 6)
    how: dict[str, Any] = {"kernel_shape": [3], "strides": [2], "ceil_mode": 1}
    check(results("AveragePool", x, **how)[0].ravel(), [2, 4, 5.5])
    check(results("AveragePool", x, count_include_pad=1, **how)[0].ravel(), [2, 4, 5.5])
    check(results("AveragePool", x, pads=[1, 0], **how)[0].ravel(), [1.5, 3, 5, 6][:3])
    check(results("AveragePool", x, pads=[1, 0], count_include_pad=1, **how)[0].ravel(), [1, 3, 5])
    check(results("AveragePool", x, pads=[2, 0], count_include_pad=1, **how)[0].ravel(), [1 / 3, 2, 4, 5.5])
    check(results("MaxPool", x, **how)[0].ravel(), [3, 5, 6])


def test_the_largest_go_back_to_their_places() -> None:
    x = np.array([[5.0, 6.0], [7.0, 8.0]]).reshape(1, 1, 2, 2)
    places = np.array([1, 7, 8, 14]).reshape(1, 1, 2, 2)
    how: dict[str, Any] = {"kernel_shape": [2, 3], "strides": [2, 3]}
    flat = np.zeros(24)
    flat[[1, 7, 8, 14]] = [5, 6, 7, 8]
    check(results("MaxUnpool", x, places, **how)[0], flat.reshape(1, 1, 4, 6))
    larger = np.zeros((1, 1, 5, 8))
    larger[:, :, :4, :6] = flat.reshape(4, 6)
    check(results("MaxUnpool", x, places, np.array([1, 1, 5, 8]), **how)[0], larger)
    assert results("MaxUnpool", x, places, pads=[1, 0, 0, 1], **how)[0].shape == (1, 1, 3, 5)


@pytest.mark.parametrize(
    ("image", "block", "strides", "dilations", "pads"),
    [((5, 6), (2, 3), (1, 1), (1, 1), (0, 0, 0, 0)), ((5, 6), (2, 3), (2, 1), (1, 2), (0, 1, 1, 0)), ((7,), (3,),
     (2,), (1,), (1, 0))],
)  # fmt: skip
def test_columns_add_up_to_an_image(image: Any, block: Any, strides: Any, dilations: Any, pads: Any) -> None:
    """Col2Im is the adjoint of taking windows."""
    x = numbers(2, 3, *image)
    taken = windows_of(framed(x, pads), block, strides, dilations)
    rank = len(image)
    order = (0, 1, *range(2 + rank, 2 + 2 * rank), *range(2, 2 + rank))
    columns = taken.transpose(order).reshape(2, 3 * math.prod(block), -1)
    y = numbers(*columns.shape)
    how = {"strides": [*strides], "dilations": [*dilations], "pads": [*pads]}
    (found,) = results("Col2Im", y, np.array(image), np.array(block), **how)
    assert found.shape == x.shape
    check((found * x).sum(), (columns * y).sum())
    counts = results("Col2Im", np.ones_like(y), np.array(image), np.array(block), **how)[0]
    for place in ((0, 0), (1, 2)):
        for at in np.ndindex(*image):
            one = np.zeros(x.shape)
            one[(*place, *at)] = 1
            check(counts[(*place, *at)], windows_of(framed(one, pads), block, strides, dilations).sum())
    with pytest.raises(ModelRefusal, match="blocks fit its image"):
        results("Col2Im", y[:, :, :-1], np.array(image), np.array(block), **how)


def bilinear(x: Array, row: float, column: float) -> Any:
    """Returns the numbers of all channels between pixels; outside of the picture is zero."""
    total = np.zeros(x.shape[0])
    for i, j in itertools.product((math.floor(row), math.floor(row) + 1), (math.floor(column), math.floor(column) + 1)):
        if 0 <= i < x.shape[1] and 0 <= j < x.shape[2]:
            total += x[:, i, j] * (1 - abs(row - i)) * (1 - abs(column - j))
    return total


@pytest.mark.parametrize(("group", "offset_group"), [(1, 1), (2, 1), (1, 2), (2, 2)])
def test_a_deformed_convolution_reads_between_pixels(group: int, offset_group: int) -> None:
    x, w, b = numbers(2, 4, 5, 6), numbers(6, 4 // group, 2, 3), numbers(6)
    strides, dilations, pads = (2, 1), (1, 2), (1, 0, 0, 1)
    rows, columns = (5 + 1 - 2) // 2 + 1, (6 + 1 - 5) // 1 + 1
    offset = numbers(2, offset_group * 2 * 6, rows, columns)
    mask = numbers(2, offset_group * 6, rows, columns)
    taken = np.zeros((2, 4, rows, columns, 2, 3))
    for n, r, c, i, j, part in np.ndindex(2, rows, columns, 2, 3, offset_group):
        tap = (part * 2 * 3 + i * 3 + j) * 2
        y, z = offset[n, tap, r, c], offset[n, tap + 1, r, c]
        own = slice(part * 4 // offset_group, (part + 1) * 4 // offset_group)
        place = (r * 2 - 1 + i + y, c - 0 + 2 * j + z)
        taken[n, own, r, c, i, j] = bilinear(x[n, own], *place) * mask[n, part * 6 + i * 3 + j, r, c]
    inside, outside = 4 // group, 6 // group
    wanted = np.concatenate(
        [np.einsum("bcxyuv,ocuv->boxy", taken[:, g * inside : (g + 1) * inside], w[g * outside : (g + 1) * outside])
         for g in range(group)], axis=1)  # fmt: skip
    how = {"strides": [*strides], "dilations": [*dilations], "pads": [*pads], "group": group}
    (found,) = results("DeformConv", x, w, offset, b, mask, offset_group=offset_group, **how)
    check(found, wanted + b.reshape(-1, 1, 1))
    with pytest.raises(ModelRefusal):
        results("DeformConv", x, w, offset[:, :, :-1], b, mask, offset_group=offset_group, **how)


X = np.array([3.0, 5.0, 4.0, 8.0])


def resized(x: Array, **settings: Any) -> Array:
    sizes = settings.pop("sizes", None)
    scales = settings.pop("scales", None)
    roi = settings.pop("roi", None)
    (found,) = results("Resize", x, roi, scales, sizes, **settings)
    return found


def places(name: str, size: int, length: int, scale: float, roi: tuple[float, float]) -> list[float]:
    """Returns where the new elements lie, by the table of ONNX's operators."""
    found = []
    for x in range(size):
        match name:
            case "half_pixel":
                place = (x + 0.5) / scale - 0.5
            case "half_pixel_symmetric":
                center = length / 2
                place = center * (1 - size / (scale * length)) + (x + 0.5) / scale - 0.5
            case "pytorch_half_pixel":
                place = (x + 0.5) / scale - 0.5 if size > 1 else 0
            case "align_corners":
                place = 0 if size == 1 else x * (length - 1) / (size - 1)
            case "asymmetric":
                place = x / scale
            case "tf_half_pixel_for_nn":
                place = (x + 0.5) / scale
            case _:
                begin, end = roi
                if size > 1:
                    place = begin * (length - 1) + x * (end - begin) * (length - 1) / (size - 1)
                else:
                    place = 0.5 * (begin + end) * (length - 1)
        found.append(place)
    return found


ROI = (0.1, 0.8)
COORDINATES = ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric"]
COORDINATES += ["tf_half_pixel_for_nn", "tf_crop_and_resize"]


@pytest.mark.parametrize("name", COORDINATES)
@pytest.mark.parametrize(("size", "scale"), [(7, None), (3, None), (1, None), (2, None), (9, 2.4), (3, 0.8), (1, 0.3)])
def test_new_elements_lie_where_the_operator_says(name: str, size: int, scale: float | None) -> None:
    given: dict[str, Any] = {"sizes": np.array([size])} if scale is None else {"scales": np.array([scale])}
    wanted = places(name, size, 4, size / 4 if scale is None else scale, ROI)
    how: dict[str, Any] = {"coordinate_transformation_mode": name, "roi": np.array(ROI), "opset": 13}
    near = [X[min(max(math.floor(place), 0), 3)] for place in wanted]
    found = resized(X, mode="nearest", nearest_mode="floor", **given, **how)
    check(found, near)
    between = np.interp(wanted, range(4), X)
    check(resized(X[None].repeat(2, axis=0), mode="linear", axes=[1], **given, **how), [between] * 2)
    check(resized(X[:, None].repeat(2, axis=1), mode="linear", axes=[0], **given, **how), np.array([between] * 2).T)
    cube = np.multiply.outer(X, np.ones((2, 3)))
    check(resized(cube, mode="linear", axes=[0], **given, **how), np.multiply.outer(between, np.ones((2, 3))))


@pytest.mark.parametrize(
    ("mode", "wanted"),
    [("round_prefer_floor", [0, 0, 1, 2]), ("round_prefer_ceil", [0, 1, 2, 2]), ("floor", [0, 0, 1, 2]),
     ("ceil", [0, 1, 2, 2])],
)  # fmt: skip
def test_halves_are_rounded_as_it_is_said(mode: str, wanted: list[int]) -> None:
    """Four places 0, 0.5, 1.5 and 2."""
    found = resized(np.arange(3.0), sizes=np.array([5]), nearest_mode=mode,
                    coordinate_transformation_mode="align_corners")  # fmt: skip
    check(found[[0, 1, 3, 4]], wanted)


def test_what_lies_outside_of_the_crop_has_the_number_that_is_given() -> None:
    how: dict[str, Any] = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 9.0}
    how |= {"roi": np.array([-0.5, 1.5]), "mode": "linear", "sizes": np.array([7])}
    check(resized(X, **how), [9, 9, 4.0, 4.5, 6.0, 9, 9])
    check(resized(X, **how | {"roi": np.array([0.0, 1.0]), "sizes": np.array([4])}), X)
    two = resized(
        np.array([[1.0, 3.0], [5.0, 7.0]]), **how | {"roi": np.array([0, 0, 1, 2.0]), "sizes": np.array([2, 3])}
    )
    check(two, [[1, 3, 9], [5, 7, 9]])


def cubic(x: Array, place: float, a: float, excludes: bool) -> float:
    total = weight = 0.0
    for i in range(math.floor(place) - 1, math.floor(place) + 3):
        d = abs(place - i)
        w = (
            (a + 2) * d**3 - (a + 3) * d**2 + 1
            if d <= 1
            else a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a
            if d < 2
            else 0.0
        )
        if excludes and not 0 <= i < len(x):
            continue
        total, weight = total + w * x[min(max(i, 0), len(x) - 1)], weight + w
    return total / weight if excludes else total


@pytest.mark.parametrize("a", [-0.75, -0.5])
@pytest.mark.parametrize("excludes", [False, True])
def test_cubes_run_through_four_neighbours(a: float, excludes: bool) -> None:
    wanted = [cubic(X, place, a, excludes) for place in places("half_pixel", 7, 4, 7 / 4, ROI)]
    found = resized(X, mode="cubic", sizes=np.array([7]), cubic_coeff_a=a, exclude_outside=int(excludes))
    check(found, wanted)


@pytest.mark.parametrize(("size", "length"), [(2, 5), (3, 8), (5, 5), (8, 5)])
def test_smoothing_weighs_all_that_a_smaller_element_covers(size: int, length: int) -> None:
    x, scale = np.arange(float(length)) ** 2, min(size / length, 1.0)
    wanted = []
    for place in places("half_pixel", size, length, size / length, ROI):
        weights = [max(0.0, 1 - abs(place - i) * scale) for i in range(-9, length + 9)]
        around = [x[min(max(i, 0), length - 1)] for i in range(-9, length + 9)]
        wanted.append(np.dot(weights, around) / sum(weights))
    check(resized(x, mode="linear", sizes=np.array([size]), antialias=1), wanted)


@pytest.mark.parametrize(
    ("policy", "sizes", "shape"),
    [("stretch", [6, 5], (6, 5)), ("not_larger", [6, 5], (3, 5)), ("not_smaller", [6, 5], (6, 12)),
     ("not_larger", [3, 3], (2, 3)), ("not_smaller", [1, 2], (1, 2))],
)  # fmt: skip
def test_one_scale_keeps_the_ratio_of_sides(policy: str, sizes: list[int], shape: tuple[int, int]) -> None:
    """Of 2 × 4; halves are rounded up."""
    found = resized(np.zeros((2, 4)), sizes=np.array(sizes), keep_aspect_ratio_policy=policy)
    assert found.shape == shape


def test_before_version_11_places_are_scaled_and_cut_down() -> None:
    check(results("Resize", np.arange(5.0), np.array([0.6]), opset=10)[0], [0, 1, 3])
    check(results("Resize", np.arange(5.0), None, np.array([0.6]), opset=11)[0], [0, 2, 4])
    with pytest.raises(ModelRefusal, match="resizing by lanczos has no block"):
        resized(X, mode="lanczos", sizes=np.array([2]))
    with pytest.raises(ModelRefusal, match="coordinates by other have no block"):
        resized(X, coordinate_transformation_mode="other", sizes=np.array([2]))
    with pytest.raises(ModelRefusal, match="whole numbers"):
        resized(np.arange(4), mode="linear", sizes=np.array([2]))
