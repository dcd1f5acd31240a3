"""Convolutions, borders, products and losses of PyTorch beside loops and formulas of NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import DECLARED
from gradwire.interop.models.refusals import ModelRefusal
from tests.interop.aten.test_by_hand import called
from tests.interop.opset.test_windows_by_loops import CONVOLUTIONS, convolved, framed, numbers, windows_of


def check(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(wanted, float), rtol=1e-6, atol=1e-10)


# As many zeros before as behind, which is all that PyTorch takes.
ALIKE = [
    (shape, filters, strides, dilations, pads[: len(strides)], group)
    for shape, filters, strides, dilations, pads, group in CONVOLUTIONS
]


@pytest.mark.parametrize(("shape", "filters", "strides", "dilations", "around", "group"), ALIKE)
def test_a_convolution_adds_products_of_windows(
    shape: Any, filters: Any, strides: Any, dilations: Any, around: Any, group: int
) -> None:
    rank = len(strides)
    x, w, b = numbers(*shape), numbers(*filters), numbers(filters[0])
    wanted = convolved(x, w, strides, dilations, [*around, *around], group)
    bias = b.reshape(-1, *[1] * rank)
    how = {"stride": [*strides], "padding": [*around], "dilation": [*dilations], "groups": group}
    check(called(f"conv{rank}d.default", x, w, **how), wanted)
    check(called(f"conv{rank}d.default", x, w, b, **how), wanted + bias)
    plain = convolved(x, w, [1] * rank, [1] * rank, [0] * 2 * rank, group)
    check(called(f"conv{rank}d.default", x, w, b, groups=group), plain + bias)
    check(called(f"conv{rank}d.padding", x, w, padding="valid", groups=group), plain)
    reach = [d * (k - 1) for d, k in zip(dilations, filters[2:], strict=True)]
    same = [n // 2 for n in reach] + [n - n // 2 for n in reach]
    found = called(f"conv{rank}d.padding", x, w, padding="same", dilation=[*dilations], groups=group)
    check(found, convolved(x, w, [1] * rank, dilations, same, group))
    assert found.shape[2:] == tuple(shape[2:])


@pytest.mark.parametrize(
    ("shape", "filters", "strides", "dilations", "around", "group"), [case for case in ALIKE if len(case[0]) < 5]
)
def test_a_transposed_convolution_is_the_adjoint_of_one(
    shape: Any, filters: Any, strides: Any, dilations: Any, around: Any, group: int
) -> None:
    rank = len(strides)
    x, w, b = numbers(*shape), numbers(*filters), numbers(filters[1] * group)
    y = convolved(x, w, strides, dilations, [*around, *around], group)
    z = numbers(*y.shape)
    rows = zip(shape[2:], filters[2:], strides, dilations, around, strict=True)
    more = [(n + 2 * a - d * (k - 1) - 1) % s for n, k, s, d, a in rows]
    name = "conv_transpose2d.input" if rank == 2 else "conv_transpose1d.default"
    how = {"stride": [*strides], "padding": [*around], "dilation": [*dilations], "output_padding": more}
    found = called(name, z, w, groups=group, **how)
    assert found.shape == shape
    for _ in range(3):
        x = numbers(*shape)
        check((found * x).sum(), (convolved(x, w, strides, dilations, [*around, *around], group) * z).sum())
    check(called(name, z, w, b, groups=group, **how), found + b.reshape(-1, *[1] * rank))


@pytest.mark.parametrize(
    ("image", "kernel", "strides", "dilations", "around"),
    [((5, 6), (2, 3), (1, 1), (1, 1), (0, 0)), ((5, 6), (2, 3), (2, 1), (1, 2), (1, 0)), ((4, 5), (3, 1), (1, 2),
     (1, 1), (1, 2))],
)  # fmt: skip
def test_patches_are_windows_and_pictures_their_sums(
    image: Any, kernel: Any, strides: Any, dilations: Any, around: Any
) -> None:
    x = numbers(2, 3, *image)
    taken = windows_of(framed(x, [*around, *around]), kernel, strides, dilations)
    columns = taken.transpose(0, 1, 4, 5, 2, 3).reshape(2, 3 * math.prod(kernel), -1)
    how = [[*item] for item in (kernel, dilations, around, strides)]
    check(called("im2col.default", x, *how), columns)
    check(called("im2col.default", x[0], *how), columns[0])
    y = numbers(*columns.shape)
    found = called("col2im.default", y, [*image], *how)
    assert found.shape == x.shape
    check((found * x).sum(), (columns * y).sum())
    one = np.zeros_like(x)
    one[1, 2, 3, 4] = 1.0
    spread = windows_of(framed(one, [*around, *around]), kernel, strides, dilations)
    check(found[1, 2, 3, 4], (spread.transpose(0, 1, 4, 5, 2, 3).reshape(columns.shape) * y).sum())
    check(called("col2im.default", y[0], [*image], *how), found[0])


@pytest.mark.parametrize("step", [2, 3])
def test_pixels_move_to_channels_and_back(step: int) -> None:
    x = numbers(2, 2 * step**2, 3, 4)
    wide = np.zeros((2, 2, 3 * step, 4 * step))
    for c, i, j in np.ndindex(2, step, step):
        wide[:, c, i::step, j::step] = x[:, c * step**2 + i * step + j]
    check(called("pixel_shuffle.default", x, step), wide)
    check(called("pixel_unshuffle.default", wide, step), x)
    check(called("pixel_shuffle.default", x[0], step), wide[0])


@pytest.mark.parametrize(
    ("mode", "numpy"), [("constant", "constant"), ("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")]
)
def test_borders_are_those_of_numpy(mode: str, numpy: Any) -> None:
    x = numbers(2, 3, 4, 5)
    for pad, around in (([1, 2], [(1, 2)]), ([1, 0, 2, 3], [(2, 3), (1, 0)]), ([0, 0, 3, 1], [(3, 1), (0, 0)]),
                        ([2, 1, 0, 1, 1, 2], [(1, 2), (0, 1), (2, 1)])):  # fmt: skip
        wanted = np.pad(x, [(0, 0)] * (4 - len(around)) + around, mode=numpy)
        check(called("pad.default", x, pad, mode), wanted)
    filled = np.pad(x, [(0, 0)] * 3 + [(2, 1)], constant_values=7.0)
    check(called("constant_pad_nd.default", x, [2, 1], value=7.0), filled)
    for bad in ([-1, 0], [0, -1]):
        with pytest.raises(ModelRefusal, match="below 0 cuts off"):
            called("pad.default", x, bad, mode)
    with pytest.raises(ModelRefusal, match="padding by other has no block"):
        called("pad.default", x, [1, 1], "other")


@pytest.mark.parametrize(("size", "step"), [(2, 1), (3, 2), (7, 1), (1, 3)])
def test_an_axis_unfolds_into_windows(size: int, step: int) -> None:
    x = numbers(2, 7, 3)
    wanted = np.lib.stride_tricks.sliding_window_view(x, size, axis=1)[:, ::step]
    check(called("unfold.default", x, 1, size, step), wanted)
    check(called("unfold.default", x, -2, size, step), wanted)
    check(called("unfold.default", np.array(4.0), 0, 1, step), [4])


@pytest.mark.parametrize(
    ("a", "b"),
    [((3,), (3,)), ((2, 3), (3,)), ((4, 2, 3), (3,)), ((3,), (3, 5)), ((3,), (4, 3, 5)), ((2, 3), (3, 5)),
     ((4, 2, 3), (3, 5)), ((4, 2, 3), (4, 3, 5)), ((2, 3), (4, 3, 5)), ((6, 1, 2, 3), (4, 3, 5)),
     ((6, 4, 2, 3), (3, 5))],
)  # fmt: skip
def test_products_are_those_of_numpy(a: Any, b: Any) -> None:
    x, y = numbers(*a), numbers(*b)
    check(called("matmul.default", x, other=y), x @ y)


@pytest.mark.parametrize(("beta", "alpha"), [(1, 1), (2, 1), (1, 3), (0.5, -2)])
def test_a_product_is_added_with_factors(beta: float, alpha: float) -> None:
    c, a, b = numbers(4), numbers(2, 3), numbers(3, 4)
    check(called("addmm.default", c, mat1=a, mat2=b, beta=beta, alpha=alpha), beta * c + alpha * a @ b)


@pytest.mark.parametrize("p", [1, 2])
def test_margins_of_all_wrong_classes_are_counted(p: int) -> None:
    x, target, weight = numbers(4, 3), np.array([0, 2, 1, 2]), np.array([1.0, 2.0, 4.0])
    each = []
    for row, label in zip(x, target, strict=True):
        short = [max(0.0, 0.5 + row[other] - row[label]) ** p for other in range(3) if other != label]
        each.append(sum(short) / 3 * weight[label])
    for reduction, wanted in ((0, each), (1, np.mean(each)), (2, np.sum(each))):
        check(called("multi_margin_loss.default", x, target, p, 0.5, weight, reduction), wanted)
    check(called("multi_margin_loss.default", x[0], np.array(0), p, 0.5, weight), each[0])
    check(called("multi_margin_loss.default", x[0], np.array(0), p, 0.5, weight, 0), each[0])


@pytest.mark.parametrize("shape", [(4, 3), (2, 3, 5), (2, 3, 5, 2)])
def test_likelihoods_are_those_of_the_right_classes(shape: tuple[int, ...]) -> None:
    x = numbers(*shape)
    target = np.random.default_rng(0).integers(0, 3, (shape[0], *shape[2:]))
    weight = np.array([1.0, 2.0, 4.0])
    taken = -np.take_along_axis(x, target[:, None], axis=1)[:, 0]
    check(called("nll_loss_nd.default", x, target, None, 0), taken)
    check(called("nll_loss_nd.default", x, target), taken.mean())
    check(called("nll_loss_nd.default", x, target, weight), (taken * weight[target]).sum() / weight[target].sum())
    check(called("nll_loss_nd.default", x, target, weight, 2), (taken * weight[target]).sum())
    kept = target != 1
    check(called("nll_loss_nd.default", x, target, None, 1, 1), taken[kept].mean())


@pytest.mark.parametrize("alpha", [1.0, 0.5, 2.0])
def test_curves_below_zero(alpha: float) -> None:
    x = np.array([-2.0, -0.5, 0.0, 3.0])
    check(called("elu.default", x, alpha), np.where(x > 0, x, alpha * np.expm1(x)))
    check(called("celu.default", x, alpha), np.where(x > 0, x, alpha * np.expm1(x / alpha)))
    check(called("leaky_relu.default", x, alpha), np.where(x > 0, x, alpha * x))
    for how in ({"scale": 2}, {"input_scale": 2}):
        with pytest.raises(ModelRefusal, match="elu with a scale"):
            called("elu.default", x, alpha, **how)


@pytest.mark.parametrize(("shape", "slopes"), [((2, 3), 3), ((2, 3, 4), 3), ((2, 3), 1), ((4,), 1), ((2, 1, 3), 1)])
def test_learned_slopes_are_those_of_channels(shape: tuple[int, ...], slopes: int) -> None:
    x, weight = numbers(*shape), numbers(slopes)
    by_channel = weight.reshape(-1, *[1] * (len(shape) - 2)) if len(shape) > 1 else weight
    check(called("prelu.default", x, weight), np.where(x > 0, x, x * by_channel))


@pytest.mark.parametrize("dim", [-1, 0, 1, 2])
def test_directions_have_the_length_that_is_learned(dim: int) -> None:
    v = numbers(2, 3, 4)
    axes = tuple(axis for axis in range(3) if axis != dim) if dim >= 0 else None
    length = np.sqrt((v**2).sum(axis=axes, keepdims=dim >= 0))
    g = numbers(*length.shape)
    check(called("_weight_norm.default", v, g, dim), v * g / length)


@pytest.mark.parametrize(("size", "count"), [(1, 3), (2, 3), (5, 3), (6, 2), (7, 4), (3, 3)])
def test_rows_and_columns_are_mixed_between_their_ends(size: int, count: int) -> None:
    x = numbers(1, 2, count, 4)
    places: Array = np.linspace(0, count - 1, size) if size > 1 else np.zeros(1)
    rows = np.array([[np.interp(places, range(count), x[0, c, :, k]) for k in range(4)] for c in range(2)])
    found = called("upsample_bilinear2d.vec", x, [size, 4], True, None)
    check(found[0], rows.transpose(0, 2, 1))
    halves = np.clip((np.arange(size) + 0.5) * count / size - 0.5, 0, count - 1)
    rows = np.array([[np.interp(halves, range(count), x[0, c, :, k]) for k in range(4)] for c in range(2)])
    check(called("upsample_bilinear2d.vec", x, [size, 4], False, None)[0], rows.transpose(0, 2, 1))
    single = called("upsample_bilinear2d.vec", x.astype(np.float32), [size, 4], False, None)[0]
    np.testing.assert_allclose(single, rows.transpose(0, 2, 1), rtol=1e-5, atol=1e-6)
    near = np.minimum(np.floor(np.arange(size) * count / size), count - 1).astype(int)
    check(called("upsample_nearest2d.vec", x, [size, 4], scale_factors=None), x[:, :, near])
    wide = called("upsample_nearest2d.vec", x, None, scale_factors=[1.7, 1.0])
    assert wide.shape[2] == int(count * 1.7)
    check(wide, x[:, :, np.minimum(np.floor(np.arange(int(count * 1.7)) / 1.7), count - 1).astype(int)])


PLACES = [("int32", "int64", "int64"), ("int64", "int32", "int64"), ("float32", "int64", "float32"),
          ("bool", "int32", "int32"), ("float32", "float64", "float64"), ("uint8", "int8", "int16")]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "wanted"), PLACES)
def test_two_dtypes_meet_in_one(first: str, second: str, wanted: str) -> None:
    a, b = np.ones(2, first), np.ones(2, second)
    assert called("add.Tensor", a, b).dtype.name == wanted
    assert called("add.Tensor", b, a).dtype.name == wanted
    number = np.ones((), second)
    ranks = [{"b": 0, "i": 1, "u": 1, "f": 2}[np.dtype(item).kind] for item in (first, second)]
    assert called("add.Tensor", a, number).dtype.name == (second if ranks[1] > ranks[0] else first)


@pytest.mark.parametrize(
    ("target", "dtype"),
    [("abs", "int64"), ("neg", "int64"), ("square", "int64"), ("sign", "int64"), ("relu", "int64"), ("sin", "float32"),
     ("exp", "float32"), ("sqrt", "float32")],
)  # fmt: skip
def test_functions_of_whole_numbers_stay_whole_or_become_floats(target: str, dtype: str) -> None:
    assert called(f"{target}.default", np.array([1, 4])).dtype.name == dtype
    assert called(f"{target}.default", np.array([1.0, 4.0])).dtype.name == "float64"
    assert called(f"{target}.default", np.array([1.0, 4.0], np.float16)).dtype.name == "float16"


@pytest.mark.parametrize("alpha", [1, 2, -0.5])
def test_sums_and_differences_have_a_factor(alpha: float) -> None:
    a, b = np.array([1.0, 2.0]), np.array([3.0, 5.0])
    check(called("add.Tensor", a, b, alpha=alpha), a + alpha * b)
    check(called("sub.Tensor", a, b, alpha=alpha), a - alpha * b)


def test_bits_of_whole_numbers_have_no_blocks() -> None:
    mask, whole = np.array([True, False]), np.array([1, 2])
    check(called("bitwise_and.Tensor", mask, mask[::-1]), [0, 0])
    check(called("bitwise_not.default", mask), [0, 1])
    for target, args in (("bitwise_and.Tensor", (whole, whole)), ("bitwise_and.Tensor", (mask, whole)),
                         ("bitwise_and.Tensor", (whole, mask)), ("bitwise_not.default", (whole,))):  # fmt: skip
        with pytest.raises(ModelRefusal, match="bits of whole numbers"):
            called(target, *args)
    with pytest.raises(ModelRefusal, match="rounding to decimals"):
        called("round.default", np.array([1.25]), decimals=1)


def test_tensors_are_split_and_joined_as_by_numpy() -> None:
    x = numbers(7, 3)
    for sections in (1, 2, 3, 7):
        found = DECLARED["tensor_split.sections"](x, sections)
        for part, wanted in zip(found, np.array_split(x, sections), strict=True):
            check(part, wanted)
    for indices in ([2, 5], [0, 7], [-3], [5, 2], [9], [-9, 1]):
        found = DECLARED["tensor_split.indices"](x, indices)
        for part, wanted in zip(found, np.split(x, indices), strict=True):
            check(part, wanted)
    check(called("narrow.default", x, 0, 2, 3), x[2:5])
    whole, none = np.array([1, 2]), np.zeros(0)
    assert called("cat.default", [whole, np.array([0.5])]).tolist() == [1, 2, 0.5]
    assert called("cat.default", [none, x[0]]).tolist() == x[0].tolist()
    check(called("cat.default", [none, x, x], 1), np.concatenate([x, x], axis=1))
    assert called("cat.default", [none, none]).shape == (0,)
    check(called("stack.default", [x, x], 1), np.stack([x, x], axis=1))
