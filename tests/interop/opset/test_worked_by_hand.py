"""Operators of ONNX with few numbers, so that each result can be checked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import topological_order
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.opset.operators import find

ROW = np.array([3.0, 1.0, 2.0])
TABLE = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def results(name: str, *inputs: Any, opset: int = 20, count: int = 1, **settings: Any) -> list[Array]:
    found = find(name)
    assert found is not None
    made = found([*inputs], settings, opset, count)
    return [np.asarray(item) for item in (made if isinstance(made, tuple | list) else [made])]


def check(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(wanted, float), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.float32, np.float64])
@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_places_beyond_the_depth_have_none(dtype: Any, axis: int) -> None:
    # -1 is the last one; -4 and 3 are beyond a depth of 3.
    places = np.array([0, 2, -1, -3, 3, -4]).astype(dtype)
    wanted = np.zeros((6, 3))
    wanted[[0, 1, 2, 3], [0, 2, 2, 0]] = 1
    (found,) = results("OneHot", places, np.array([3]), np.array([-5.0, 7.0]), axis=axis)
    check(found, np.where(wanted.T if axis == 0 else wanted, 7.0, -5.0))


def test_what_is_put_at_a_place_twice_is_reduced_in_turn() -> None:
    places, parts = np.array([[0], [2], [0]]), np.array([2.0, 3.0, 5.0])
    for reduction, wanted in (("add", [10, 1, 5]), ("mul", [30, 1, 6]), ("max", [5, 1, 3]), ("min", [2, 1, 2])):
        check(results("ScatterND", ROW, places, parts, reduction=reduction)[0], wanted)
        check(results("ScatterElements", ROW, places[:, 0], parts, reduction=reduction)[0], wanted)
    check(results("ScatterND", ROW, np.array([[-1]]), np.array([9.0]))[0], [3, 1, 9])
    check(results("ScatterElements", TABLE, np.array([[1], [0], [-1]]), np.array([[7.0], [8], [9]]), axis=1)[0],
          [[1, 7], [8, 4], [5, 9]])  # fmt: skip
    with pytest.raises(ModelRefusal, match="its reduction mean has no block"):
        results("ScatterND", ROW, places, parts, reduction="mean")


def test_elements_are_taken_along_an_axis_and_from_the_end() -> None:
    check(results("Gather", TABLE, np.array([-1, 0]))[0], TABLE[[-1, 0]])
    check(results("Gather", TABLE, np.array([-1, 0]), axis=-1)[0], TABLE[:, [1, 0]])
    check(results("GatherND", TABLE, np.array([[-1, 0], [0, -1]]))[0], [5, 2])
    check(results("GatherND", TABLE, np.array([[-1], [0], [0]]), batch_dims=1)[0], [2, 3, 5])
    # Fewer rows than the table has.
    check(results("GatherElements", TABLE, np.array([[1, 0], [-1, 1]]), axis=1)[0], [[2, 1], [4, 4]])
    check(results("Compress", TABLE, np.array([True, False, True]), axis=0)[0], TABLE[[0, 2]])
    check(results("Compress", TABLE, np.array([False, True, True]))[0], [2, 3])


def test_different_elements_stand_sorted_or_as_they_come() -> None:
    row = np.array([5, 2, 5, 9, 2])
    sorted_ = [[2, 5, 9], [1, 0, 3], [1, 0, 1, 2, 0], [2, 2, 1]]
    as_they_come = [[5, 2, 9], [0, 1, 3], [0, 1, 0, 2, 1], [2, 2, 1]]
    for flag, wanted in ((1, sorted_), (0, as_they_come)):
        for found, numbers in zip(results("Unique", row, sorted=flag, count=4), wanted, strict=True):
            check(found, numbers)
    columns = np.array([[3, 1, 3], [4, 1, 4]])
    check(results("Unique", columns, axis=1, sorted=0, count=4)[0], [[3, 1], [4, 1]])
    check(results("NonZero", np.array([[0, 1], [2, 0]]))[0], [[0, 1], [1, 0]])
    assert results("NonZero", np.array(5.0))[0].shape == (0, 1) and results("NonZero", np.array(0.0))[0].shape == (0, 0)


def test_a_cache_is_filled_from_its_place_on_and_around() -> None:
    cache, parts = np.zeros((2, 4, 1)), np.array([[[1.0], [2.0]], [[3.0], [4.0]]])
    check(results("TensorScatter", cache, parts)[0][..., 0], [[1, 2, 0, 0], [3, 4, 0, 0]])
    starts = np.array([1, 3])
    found = results("TensorScatter", cache, parts, starts, mode="circular")[0]
    check(found[..., 0], [[0, 1, 2, 0], [4, 0, 0, 3]])


def test_shares_before_version_13_are_of_all_axes_from_one_on() -> None:
    x = np.log(np.array([[[1.0, 2.0], [3.0, 4.0]]]))
    of_all, of_rows = [[[0.1, 0.2], [0.3, 0.4]]], [[[1 / 3, 2 / 3], [3 / 7, 4 / 7]]]
    check(results("Softmax", x, opset=12)[0], of_all)
    check(np.exp(results("LogSoftmax", x, opset=12, axis=1)[0]), of_all)
    check(results("Hardmax", x, opset=12, axis=1)[0], [[[0, 0], [0, 1]]])
    check(results("Softmax", x, opset=12, axis=2)[0], of_rows)
    check(results("Softmax", x, opset=13)[0], of_rows)
    check(results("Softmax", x, opset=13, axis=1)[0], [[[1 / 4, 1 / 3], [3 / 4, 2 / 3]]])
    check(results("Hardmax", x, opset=13)[0], [[[0, 1], [0, 1]]])


def test_the_largest_and_the_smallest_come_with_their_places() -> None:
    for axis in (0, 1, -1):
        order = np.argsort(TABLE, axis=axis)
        up = np.take(order, range(2), axis=axis)
        down = np.flip(np.take(order, range(order.shape[axis] - 2, order.shape[axis]), axis=axis), axis=axis)
        for flag, places in ((0, up), (1, down)):
            values, found = results("TopK", TABLE, np.array([2]), axis=axis, largest=flag, count=2)
            np.testing.assert_array_equal(found, places)
            check(values, np.take_along_axis(TABLE, places, axis=axis))
    check(results("TopK", ROW, k=1, count=2, opset=1)[0], [3])
    # Along the last axis nothing has to be turned.
    operator = find("TopK")
    assert operator is not None
    made = operator([gw.Input(TABLE), np.array([1])], {}, 20, 2)
    assert "Transpose" not in {item.type.name for item in topological_order([made[0]])}
    turned = operator([gw.Input(TABLE), np.array([1])], {"axis": 0}, 20, 2)
    assert "Transpose" in {item.type.name for item in topological_order([turned[0]])}


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [({}, [3, 4, 6]), ({"exclusive": 1}, [0, 3, 4]), ({"reverse": 1}, [6, 3, 2]),
     ({"exclusive": 1, "reverse": 1}, [3, 2, 0])],
)  # fmt: skip
def test_sums_so_far(settings: dict[str, int], wanted: list[float]) -> None:
    for axis in (np.array(0), np.array([-1])):
        check(results("CumSum", ROW, axis, **settings)[0], wanted)


def test_extremes_are_the_first_or_the_last_place() -> None:
    row = np.array([[2.0, 7.0, 7.0, 2.0]])
    for name, first, last in (("ArgMax", 1, 2), ("ArgMin", 0, 3)):
        check(results(name, row, axis=1)[0], [[first]])
        check(results(name, row, axis=-1, keepdims=0, select_last_index=1)[0], [last])
        check(results(name, row, axis=1, select_last_index=1)[0], [[last]])
        assert results(name, row, axis=1)[0].dtype == np.int64


def test_neighbouring_channels_bound_a_number() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0]).reshape(1, 4, 1, 1)
    # Channels c - 1 to c + 1, and for an even size one more behind.
    for size, sums in ((3, [5, 14, 29, 25]), (2, [5, 13, 25, 16]), (4, [14, 30, 29, 25]), (1, [1, 4, 9, 16])):
        wanted = x.ravel() / (2 + 0.4 / size * np.array(sums)) ** 0.5
        found = results("LRN", x, size=size, alpha=0.4, beta=0.5, bias=2.0)[0]
        check(found.ravel(), wanted)
        lines = results("LRN", x[..., 0], size=size, alpha=0.4, beta=0.5, bias=2.0)[0]
        check(lines.ravel(), wanted)


def test_lengths_of_order_1_and_2_become_1() -> None:
    x = np.array([[3.0, -4.0], [0.0, 0.0]])
    check(results("LpNormalization", x)[0], [[0.6, -0.8], [0, 0]])
    check(results("LpNormalization", x, p=1)[0], [[3 / 7, -4 / 7], [0, 0]])
    check(results("LpNormalization", x, axis=0)[0], [[1, -1], [0, 0]])


def test_groups_of_channels_are_normalized_and_scaled_by_channel_or_by_group() -> None:
    x = np.array([1.0, 3.0, 5.0, 9.0]).reshape(1, 4, 1)
    plain = np.array([-1.0, 1, -1, 1])
    for scale, wanted in (([1.0, 2, 3, 4], [1, 2, 3, 4]), ([2.0, 5], [2, 2, 5, 5])):
        shift = np.array(scale) * 10
        found = results("GroupNormalization", x, np.array(scale), shift, num_groups=2, epsilon=0.0)[0]
        check(found.ravel(), plain * wanted + 10 * np.array(wanted))


def test_running_statistics_move_towards_those_of_the_batch() -> None:
    x = np.array([[1.0], [3.0]])
    one, old = np.array([1.0]), np.array([10.0])
    y, mean, variance = results(
        "BatchNormalization", x, one, 0 * one, old, old, epsilon=0.0, momentum=0.75, training_mode=1, count=3
    )
    check(y, [[-1], [1]])
    # Mean and variance of the batch are 2 and 1.
    check(mean, [0.75 * 10 + 0.25 * 2])
    check(variance, [0.75 * 10 + 0.25 * 1])
    (still,) = results("BatchNormalization", x, one, one, old, 4 * one, epsilon=0.0)
    check(still, [[1 + (1 - 10) / 2], [1 + (3 - 10) / 2]])


def test_a_picture_is_resized_by_sizes_or_by_scales() -> None:
    x = np.array([[1.0, 2.0]])
    none, sizes, scales = np.array([]), np.array([1, 4]), np.array([1.0, 2.0])
    for given in ((None, None, sizes), (none, none, sizes), (None, scales), (none, scales, none)):
        check(results("Resize", x, *given)[0], [[1, 1, 2, 2]])
    check(results("Resize", x, None, np.array([2.0]), axes=[-1])[0], [[1, 1, 2, 2]])
    check(results("Resize", x, None, None, np.array([3, 3]), keep_aspect_ratio_policy="not_larger")[0].shape, (2, 3))
    check(results("Resize", x, None, None, np.array([3, 3]), keep_aspect_ratio_policy="not_smaller")[0].shape, (3, 6))
    for nothing in ((), (None,), (None, none, none)):
        with pytest.raises(ModelRefusal, match="neither its scales nor its sizes are known"):
            results("Resize", x, *nothing)
    check(results("Upsample", x, np.array([2.0, 2.0]))[0], [[1, 1, 2, 2]] * 2)
    check(results("Upsample", x, scales=[1.0, 2.0])[0], [[1, 1, 2, 2]])
    picture = x.reshape(1, 1, 1, 2)
    check(results("Upsample", picture, height_scale=2.0, width_scale=1.0)[0], [[[[1, 2]] * 2]])


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0.0, 6.0, [0, 3, 6]),
        (0.0, 5.0, [0, 3, 5]),
        (1.0, 6.0, [1, 3, 6]),
        (None, 6.0, [-2, 3, 6]),
        (0.0, None, [0, 3, 9]),
        (None, None, [-2, 3, 9]),
        (5.0, 1.0, [1, 1, 1]),
        (4.0, 4.0, [4, 4, 4]),
    ],
)
def test_numbers_are_clipped_from_both_sides(low: float | None, high: float | None, wanted: list[float]) -> None:
    x = np.array([-2.0, 3.0, 9.0])
    bounds = [None if item is None else np.array(item) for item in (low, high)]
    check(results("Clip", x, *bounds)[0], wanted)
    check(results("Clip", x, min=low, max=high, opset=6)[0], wanted)
    whole = [None if item is None else np.array(int(item)) for item in (low, high)]
    check(results("Clip", x.astype(np.int64), *whole)[0], wanted)


@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.0), (2.0, 1.0), (1.0, 3.0), (0.5, -1.0)])
def test_a_product_and_a_sum_have_their_factors(alpha: float, beta: float) -> None:
    a, b, c = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4), np.arange(4.0)
    check(results("Gemm", a, b, c, alpha=alpha, beta=beta)[0], alpha * a @ b + beta * c)
    check(results("Gemm", a, b, alpha=alpha)[0], alpha * a @ b)
    check(results("Gemm", a.T, b.T, c, alpha=alpha, beta=beta, transA=1, transB=1)[0], alpha * a @ b + beta * c)


@pytest.mark.parametrize("k", [None, -2, -1, 0, 1, 3])
def test_triangles_are_those_of_numpy(k: int | None) -> None:
    x = np.arange(1.0, 25.0).reshape(2, 3, 4)
    given = [] if k is None else [np.array(k)]
    check(results("Trilu", x, *given)[0], np.triu(x, k or 0))
    check(results("Trilu", x, *given, upper=0)[0], np.tril(x, k or 0))


@pytest.mark.parametrize(
    ("shape", "slope", "wanted"),
    [
        ((1, 2, 3), (2,), (2, 1)),
        ((1, 3, 3), (3,), (1, 3)),
        ((2, 3), (3,), (3,)),
        ((1, 2, 3), (3,), (1, 3)),
        ((1, 2, 3), (1,), (1,)),
        ((1, 2, 3, 4), (2,), (2, 1, 1)),
    ],
)
def test_slopes_below_zero_are_those_of_channels_or_of_the_last_axis(shape: Any, slope: Any, wanted: Any) -> None:
    x = -np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
    given = np.arange(2.0, 2 + slope[0])
    check(results("PRelu", x, given)[0], x * given.reshape(wanted))
    check(results("PRelu", -x, given)[0], -x)


@pytest.mark.parametrize(("size", "begin"), [(5, 0), (4, 0), (3, 1), (2, 1), (1, 2)])
def test_what_is_cropped_in_the_centre_loses_one_more_behind(size: int, begin: int) -> None:
    x = np.arange(10.0).reshape(2, 5)
    check(results("CenterCropPad", x, np.array([size]), axes=[1])[0], x[:, begin : begin + size])
    check(results("CenterCropPad", x.T, np.array([size]), axes=[-2])[0], x[:, begin : begin + size].T)
    check(results("CenterCropPad", x, np.array([2, 5 + size]))[0], np.pad(x, [(0, 0), (size // 2, size - size // 2)]))


@pytest.mark.parametrize(("name", "a", "b"), [("HannWindow", 0.5, 0.5), ("HammingWindow", 25 / 46, 21 / 46)])
def test_windows_of_cosines(name: str, a: float, b: float) -> None:
    for size in (1, 4, 5):
        for periodic, count in ((1, size), (0, max(1, size - 1))):
            wanted = a - b * np.cos(2 * np.pi * np.arange(size) / count)
            check(results(name, np.array(size), periodic=periodic)[0], wanted)
    turns = 2 * np.pi * np.arange(6) / 6
    check(results("BlackmanWindow", np.array(6))[0], 0.42 - 0.5 * np.cos(turns) + 0.08 * np.cos(2 * turns))


def test_statistics_of_each_place_alone_have_no_block() -> None:
    one = np.ones(2)
    check(
        results("BatchNormalization", np.ones((3, 2)), one, one, one, one, spatial=0, epsilon=0.0)[0], np.ones((3, 2))
    )
    with pytest.raises(ModelRefusal, match="spatial 0"):
        results("BatchNormalization", np.ones((3, 2, 1)), one, one, one, one, spatial=0)
