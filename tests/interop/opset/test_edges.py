"""Operators of ONNX at their edges: backward slices, whole windows, sizes of one, and the words of refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.opset.operators import find
from tests.interop.opset.test_bits import called

X = np.random.default_rng(6).normal(size=(2, 3, 5))
FAR = np.iinfo(np.int64).max


def called_all(name: str, *inputs: Array | None, **settings: Any) -> Any:
    """Returns all outputs of an operator of two."""
    found = find(name)
    assert found is not None
    return found([*inputs], settings, 20, 2)


@pytest.mark.parametrize(
    ("starts", "ends", "axes", "steps", "wanted"),
    [
        ([-1], [-FAR], [2], [-1], X[:, :, ::-1]),
        ([3], [0], [2], [-1], X[:, :, 3:0:-1]),
        ([3], [-FAR], [-1], [-2], X[:, :, 3::-2]),
        ([0], [-FAR], [2], [-1], X[:, :, :1]),
        ([-1, 2], [-FAR, -FAR], [0, 1], [-1, -1], X[::-1, ::-1]),
        ([-1, 1], [-FAR, 3], [0, 2], [-1, 1], X[::-1, :, 1:3]),
        ([1], [FAR], [2], [3], X[:, :, 1::3]),
        ([4], [2], [2], [1], X[:, :, :0]),
        ([1, 0], [2, 2], None, None, X[1:2, 0:2]),
        ([0], [2], [0], [1], X),
        ([0, 1], [1, 3], [0, 1], [2, 1], X[:1, 1:3]),
    ],
)
def test_a_slice_is_that_of_numpy(
    starts: list[int], ends: list[int], axes: list[int] | None, steps: list[int] | None, wanted: Array
) -> None:
    given = [None if item is None else np.array(item) for item in (starts, ends, axes, steps)]
    found = find("Slice")
    assert found is not None
    np.testing.assert_array_equal(np.asarray(found([X, *given], {}, 13, 1)), wanted)
    if steps is None:
        np.testing.assert_array_equal(called("Slice", X, starts=starts, ends=ends), wanted)


PARTS = "the last axis of its input holds real and imaginary parts, so it has a length of 1 or 2"
ACTIVE = "dropout is active; export the model for inference, with model.eval()"
ROW = np.arange(1.0, 6.0).reshape(1, 1, 5)


@pytest.mark.parametrize(
    ("how", "means", "largest"),
    [
        ({}, [1.5, 2.5, 3.5, 4.5], [2, 3, 4, 5]),
        ({"strides": [2]}, [1.5, 3.5], [2, 4]),
        ({"strides": [2], "ceil_mode": 1}, [1.5, 3.5, 5], [2, 4, 5]),
        ({"strides": [2], "pads": [1, 0]}, [1, 2.5, 4.5], [1, 3, 5]),
        ({"pads": [1, 1]}, [1, 1.5, 2.5, 3.5, 4.5, 5], [1, 2, 3, 4, 5, 5]),
        ({"auto_pad": "SAME_UPPER"}, [1.5, 2.5, 3.5, 4.5, 5], [2, 3, 4, 5, 5]),
        ({"auto_pad": "SAME_LOWER"}, [1, 1.5, 2.5, 3.5, 4.5], [1, 2, 3, 4, 5]),
        ({"auto_pad": "SAME_UPPER", "strides": [3]}, [1.5, 4.5], [2, 5]),
        ({"auto_pad": "VALID", "strides": [3]}, [1.5, 4.5], [2, 5]),
        ({"dilations": [2]}, [2, 3, 4], [3, 4, 5]),
        ({"dilations": [3], "pads": [1, 0]}, [3, 2.5, 3.5], [3, 4, 5]),
        # A window that would begin beyond what is there is none.
        ({"strides": [4], "ceil_mode": 1}, [1.5, 5], [2, 5]),
        ({"strides": [5], "ceil_mode": 1}, [1.5], [2]),
    ],
)
def test_windows_move_over_a_row(how: dict[str, Any], means: list[float], largest: list[float]) -> None:
    size = {"kernel_shape": [2]}
    np.testing.assert_allclose(called("AveragePool", ROW, **size, **how)[0, 0], means)
    np.testing.assert_array_equal(called("MaxPool", ROW, **size, **how)[0, 0], largest)
    found, places = (np.asarray(item)[0, 0] for item in called_all("MaxPool", ROW, **size, **how))
    np.testing.assert_array_equal(found, largest)
    np.testing.assert_array_equal(places, np.array(largest) - 1)


@pytest.mark.parametrize(
    ("how", "means"),
    [
        ({"kernel_shape": [2], "pads": [1, 1]}, [0.5, 1.5, 2.5, 3.5, 4.5, 2.5]),
        ({"kernel_shape": [2], "strides": [2], "ceil_mode": 1}, [1.5, 3.5, 5]),
        # The last window has a 0 of the padding, and then places that lie beyond it.
        ({"kernel_shape": [4], "strides": [4], "pads": [0, 1], "ceil_mode": 1}, [2.5, 2.5]),
        ({"kernel_shape": [3], "strides": [3], "pads": [1, 1], "ceil_mode": 1}, [1, 4]),
        ({"kernel_shape": [3], "strides": [3], "auto_pad": "SAME_UPPER"}, [2, 3]),
    ],
)
def test_padding_that_counts_is_zeros(how: dict[str, Any], means: list[float]) -> None:
    np.testing.assert_allclose(called("AveragePool", ROW, count_include_pad=1, **how)[0, 0], means)


def test_places_of_the_largest_count_through_the_whole_tensor() -> None:
    x = np.random.default_rng(1).normal(size=(2, 2, 3, 4))
    largest, places = map(np.asarray, called_all("MaxPool", x, kernel_shape=[2, 2]))
    np.testing.assert_array_equal(x.reshape(-1)[places], largest)
    by_columns = np.asarray(called_all("MaxPool", x, kernel_shape=[2, 2], storage_order=1)[1])
    rest, column, row = by_columns // 12, by_columns % 12 // 3, by_columns % 3
    np.testing.assert_array_equal(rest * 12 + row * 4 + column, places)
    back = called("MaxUnpool", largest[:1, :1, :1, ::2], places[:1, :1, :1, ::2], kernel_shape=[2, 2], strides=[2, 2])
    wanted = np.zeros((1, 1, 2, 4))
    wanted.reshape(-1)[places[0, 0, 0, ::2]] = largest[0, 0, 0, ::2]
    np.testing.assert_array_equal(back, wanted)


@pytest.mark.parametrize(("step", "width"), [(1, 1), (1, 5), (4, 1), (3, 2), (9, 5)])
def test_frames_may_be_as_short_as_one_and_as_long_as_the_signal(step: int, width: int) -> None:
    x = np.arange(5.0).reshape(1, 5, 1)
    found = called("STFT", x, np.array(step), None, np.array(width))
    frames = np.stack([x[:, at : at + width, 0] for at in range(0, 6 - width, step)], axis=1)
    wanted = np.fft.rfft(frames)
    np.testing.assert_allclose(found, np.stack([wanted.real, wanted.imag], axis=-1), atol=1e-12)


@pytest.mark.parametrize(
    ("name", "inputs", "settings", "said"),
    [
        ("DFT", [np.ones((2, 2)), None, np.array(1)], {}, PARTS),
        ("DFT", [np.ones((2, 3))], {}, PARTS),
        ("DFT", [np.ones((2, 1)), np.array(0)], {}, "a transform of length 0 has no frequencies"),
        ("STFT", [np.ones((1, 4, 1)), np.array(0), np.ones(2)], {}, "frames of length 2 at steps of 0 do not fit 4 "
         "numbers"),
        ("STFT", [np.ones((1, 4, 1)), np.array(1), np.ones(0)], {}, "frames of length 0 at steps of 1 do not fit 4 "
         "numbers"),
        ("MaxPool", [np.ones((1, 1, 4))], {"kernel_shape": [0]}, "a window has a stride, a dilation or a size below 1"),
        ("MaxPool", [np.ones((1, 1, 4))], {"kernel_shape": [2], "strides": [0]}, "a window has a stride, a dilation or "
         "a size below 1"),
        ("MaxPool", [np.ones((1, 1, 4))], {"kernel_shape": [2, 2]}, "windows of 2 axes do not fit a tensor of 3 axes"),
        ("MaxPool", [np.ones((1, 1))], {"kernel_shape": []}, "windows of 0 axes do not fit a tensor of 2 axes"),
        ("MaxPool", [np.ones((1, 1, 1, 1, 1, 1))], {"kernel_shape": [1] * 4}, "pooling over 4 axes has no block"),
        ("Conv", [np.ones((1, 3, 4)), np.ones((2, 2, 1))], {"group": 2},
         "2 groups of 2 channels do not fit 3 channels"),
        ("Conv", [np.ones([1] * 6), np.ones([1] * 6)], {}, "a convolution over 4 axes has no block"),
        ("Range", [np.array(0), np.array(3), np.array(0)], {}, "a range with step 0 has no end"),
        ("Range", [np.array(0.0), np.array(np.inf), np.array(1.0)], {}, "a range without end is no tensor"),
        ("ConstantOfShape", [np.array([2, -1])], {}, "the shape [2, -1] has a negative size"),
        ("Dropout", [np.ones(2), np.array(0.5), np.array(True)], {}, ACTIVE),
        ("Dropout", [np.ones(2)], {"is_test": 0}, ACTIVE),
        ("Unsqueeze", [np.ones([1] * 31), np.array([0, 1])], {}, "a tensor of 33 axes is not read"),
        ("Pad", [np.ones(3), np.array([1, 1])], {"mode": "mirror"}, "padding by mirror has no block"),
        ("ScatterND", [np.ones(3), np.array([[0]]), np.ones(1)], {"reduction": "or"}, "its reduction or has no block"),
        ("Resize", [np.ones((1, 1, 2)), None, np.ones(3)], {"mode": "area"}, "resizing by area has no block"),
        ("Resize", [np.ones((1, 1, 2)), None, None], {}, "neither its scales nor its sizes are known"),
        ("Resize", [np.ones((1, 1, 2), np.int64), None, np.array([1.0, 1, 2])], {"mode": "linear"},
         "whole numbers are resized by nearest alone"),
        ("Resize", [np.ones((1, 1, 2)), None, np.array([1.0, 1, 2])], {"coordinate_transformation_mode": "own"},
         "coordinates by own have no block"),
        ("GridSample", [np.ones((1, 1, 2, 2)), np.ones((1, 1, 1, 2))], {"mode": "area"},
         "reading by area with zeros around has no block"),
        ("Relu", [np.ones(2)], {"slope": 1}, "its setting slope is not read"),
        ("Constant", [], {}, "its value is no tensor of numbers"),
        ("OptionalGetElement", [], {}, "its optional input is empty"),
    ],
)  # fmt: skip
def test_what_has_no_block_is_refused_in_a_sentence(
    name: str, inputs: list[Array | None], settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(ModelRefusal) as found:
        called(name, *inputs, **settings)
    assert str(found.value) == said


def test_what_is_no_dropout_passes() -> None:
    for inputs, settings in [
        ([np.ones(2)], {}),
        ([np.ones(2), np.array(0.0), np.array(True)], {}),
        ([np.ones(2), np.array(0.5), np.array(False)], {}),
        ([np.ones(2), np.array(0.5)], {}),
        ([np.ones(2)], {"is_test": 0, "ratio": 0.0}),
    ]:
        assert called_all("Dropout", *inputs, **settings)[0].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("name", "inputs", "settings", "wanted"),
    [
        ("Squeeze", [np.ones((2, 1, 3, 1))], {}, (2, 3)),
        ("Squeeze", [np.ones((2, 3))], {}, (2, 3)),
        ("Squeeze", [np.ones((2, 1))], {"axes": []}, (2, 1)),
        ("Squeeze", [np.ones((1, 2, 1))], {"axes": [-1]}, (1, 2)),
        ("Unsqueeze", [np.ones([1] * 30), np.array([0, 1])], {}, (1,) * 32),
        ("Unsqueeze", [np.ones(3)], {"axes": [0, -1]}, (1, 3, 1)),
        ("Unsqueeze", [np.ones(3)], {"axes": [-1]}, (3, 1)),
        ("Flatten", [np.ones((2, 3, 4))], {"axis": -1}, (6, 4)),
        ("Flatten", [np.ones((2, 3, 4))], {"axis": -3}, (1, 24)),
        ("Flatten", [np.ones((2, 3, 4))], {"axis": 3}, (24, 1)),
        ("Reshape", [np.ones((2, 0, 3)), np.array([0, 0, 3])], {}, (2, 0, 3)),
        ("Reshape", [np.ones((2, 0)), np.array([0, 5])], {"allowzero": 1}, (0, 5)),
        ("Reshape", [np.ones((2, 3))], {"shape": [-1]}, (6,)),
        ("Tile", [np.ones((2, 3)), np.array([2]), np.array(1)], {}, (2, 6)),
        ("Tile", [np.ones((2, 3)), np.array([1, 1])], {}, (2, 3)),
        ("CenterCropPad", [np.ones((4, 3)), np.array([2, 6])], {}, (2, 6)),
        ("Shape", [np.ones((2, 3, 4))], {"start": -2}, (2,)),
        ("ConstantOfShape", [np.array([2, 0])], {}, (2, 0)),
        ("Range", [np.array(0), np.array(5), np.array(2)], {}, (3,)),
        ("Range", [np.array(5), np.array(0), np.array(1)], {}, (0,)),
    ],
)
def test_a_result_has_its_shape(
    name: str, inputs: list[Array], settings: dict[str, Any], wanted: tuple[int, ...]
) -> None:
    assert called(name, *inputs, **settings).shape == wanted


@pytest.mark.parametrize("group", [1, 2])
@pytest.mark.parametrize(
    ("strides", "dilations", "pads"),
    [([1, 1], [1, 1], [0, 0, 0, 0]), ([2, 3], [1, 1], [1, 0, 0, 2]),
     ([1, 1], [2, 1], [0, 1, 1, 0]), ([2, 1], [1, 3], [0] * 4)],
)  # fmt: skip
def test_a_transposed_convolution_spreads_each_element(
    strides: list[int], dilations: list[int], pads: list[int], group: int
) -> None:
    draw = np.random.default_rng(3)
    x, w = draw.normal(size=(1, 4, 3, 4)), draw.normal(size=(4, 6 // group, 2, 3))
    sizes = [(size - 1) * step + far * (taps - 1) + 1
             for size, step, far, taps in zip((3, 4), strides, dilations, (2, 3), strict=True)]  # fmt: skip
    whole = np.zeros((1, 6, *sizes))
    for channel, row, column, tap, other in np.ndindex(4, 3, 4, 2, 3):
        own = channel * group // 4 * (6 // group)
        at = row * strides[0] + tap * dilations[0], column * strides[1] + other * dilations[1]
        whole[0, own : own + 6 // group, at[0], at[1]] += x[0, channel, row, column] * w[channel, :, tap, other]
    wanted = whole[:, :, pads[0] : sizes[0] - pads[2], pads[1] : sizes[1] - pads[3]]
    how: dict[str, Any] = {"strides": strides, "dilations": dilations, "group": group}
    np.testing.assert_allclose(called("ConvTranspose", x, w, pads=pads, **how), wanted, rtol=1e-9, atol=1e-12)


def test_counts_without_weights_are_counts() -> None:
    settings: dict[str, Any] = {"min_gram_length": 1, "max_gram_length": 1, "max_skip_count": 0, "ngram_counts": [0],
                                "ngram_indexes": [0, 1], "pool_int64s": [1, 3]}  # fmt: skip
    for mode, wanted in (("TF", [2, 1]), ("IDF", [1, 1]), ("TFIDF", [2, 1])):
        assert called("TfIdfVectorizer", np.array([1, 3, 1]), mode=mode, **settings).tolist() == wanted


@pytest.mark.parametrize(("size", "wanted"), [(2, [1, 2]), (3, [1, 2, 3]), (6, [0, 1, 2, 3, 0, 0]), (1, [2])])
def test_a_middle_part_is_taken_or_set_into_zeros(size: int, wanted: list[float]) -> None:
    found = called("CenterCropPad", np.array([1.0, 2, 3]), np.array([size]))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("how", "wanted"),
    [({"num_outputs": 2}, [[1, 2, 3], [4, 5]]), ({"split": [1, 4]}, [[1], [2, 3, 4, 5]]), ({}, [[1, 2, 3], [4, 5]])],
)
def test_a_split_has_equal_parts_but_for_the_last(how: dict[str, Any], wanted: list[list[float]]) -> None:
    found = find("Split")
    assert found is not None
    parts = found([ROW[0, 0]], how, 18, 2)
    assert [np.asarray(part).tolist() for part in parts] == wanted
    assert len(found([ROW[0, 0]], {}, 18, 1)) == 1


@pytest.mark.parametrize(("opset", "axes"), [(12, (1, 2)), (13, (2,))])
def test_shares_before_version_13_are_of_all_axes_from_one_on(opset: int, axes: tuple[int, ...]) -> None:
    wanted = np.exp(X) / np.exp(X).sum(axis=axes, keepdims=True)
    for name, numbers in (("Softmax", wanted), ("LogSoftmax", np.log(wanted))):
        found = find(name)
        assert found is not None
        np.testing.assert_allclose(np.asarray(found([X], {}, opset, 1)), numbers, rtol=1e-12)
    hard = find("Hardmax")
    assert hard is not None
    np.testing.assert_array_equal(np.asarray(hard([X], {}, opset, 1)), X.max(axis=axes, keepdims=True) == X)
    last = find("Softmax")
    assert last is not None
    rows = np.exp(X) / np.exp(X).sum(axis=2, keepdims=True)
    np.testing.assert_allclose(np.asarray(last([X], {"axis": 2}, opset, 1)), rows, rtol=1e-12)


G = np.random.default_rng(8).normal(size=(2, 4, 3))
BY_GROUP = G.reshape(2, 2, 6)
DEVIATION = np.sqrt(BY_GROUP.var(-1, keepdims=True) + 0.1)
GROUPED = ((BY_GROUP - BY_GROUP.mean(-1, keepdims=True)) / DEVIATION).reshape(G.shape)
AROUND = sum(np.pad(G**2, ((0, 0), (1, 1), (0, 0)))[:, k : k + 4] for k in range(3))
FOUR = np.array([[[1.0, 2, 4, 8]]])
LABELS = np.array([[2, 0, 1, 1, 2], [0, 0, 2, 1, 1]])
LOGS = X - np.log(np.exp(X).sum(axis=1, keepdims=True))
PICKED = -np.take_along_axis(LOGS, LABELS[:, None], axis=1)[:, 0]
WEIGHTS = np.array([1.0, 2, 4])


@pytest.mark.parametrize(
    ("name", "inputs", "settings", "wanted"),
    [
        # The first version has a factor for each group, the second one for each channel.
        ("GroupNormalization", [G, np.array([2.0, 3]), np.array([1.0, 5])], {"num_groups": 2, "epsilon": 0.1},
         GROUPED * np.array([2, 2, 3, 3])[:, None] + np.array([1, 1, 5, 5])[:, None]),
        ("GroupNormalization", [G, np.arange(1.0, 5), np.zeros(4)], {"num_groups": 2, "epsilon": 0.1},
         GROUPED * np.arange(1, 5)[:, None]),
        ("LRN", [G], {"size": 2, "alpha": 0.5, "bias": 2.0},
         G / (2 + 0.25 * (G**2 + np.pad(G**2, ((0, 0), (0, 1), (0, 0)))[:, 1:])) ** 0.75),
        ("LRN", [G[..., None]], {"size": 3, "alpha": 0.6, "beta": 0.5},
         (G / np.sqrt(1 + 0.2 * AROUND))[..., None]),
        ("MeanVarianceNormalization", [G], {"axes": [-1]}, (G - G.mean(-1, keepdims=True)) / G.std(-1, keepdims=True)),
        # Triangles twice as wide, and what lies outside counts nothing.
        ("Resize", [FOUR, None, np.array([1, 1, 0.5])], {"mode": "linear", "antialias": 1, "exclude_outside": 1},
         [[[(0.75 * 1 + 0.75 * 2 + 0.25 * 4) / 1.75, (0.25 * 2 + 0.75 * 4 + 0.75 * 8) / 1.75]]]),
        ("Resize", [FOUR, None, np.array([1, 1, 0.5])], {"mode": "linear"}, [[[1.5, 6]]]),
        ("Resize", [FOUR, None, None, np.array([1, 1, 7])],
         {"mode": "linear", "coordinate_transformation_mode": "align_corners"}, [[[1, 1.5, 2, 3, 4, 6, 8]]]),
        ("Resize", [FOUR, None, np.array([1.0, 1, 2])], {}, [[[1, 1, 2, 2, 4, 4, 8, 8]]]),
        ("Resize", [FOUR, None, None, np.array([8])], {"axes": [-1], "mode": "linear"},
         [[[1, 1.25, 1.75, 2.5, 3.5, 5, 7, 8]]]),
        ("Resize", [FOUR, np.array([0, 0, 0.5, 1, 1, 1.5]), None, np.array([1, 1, 4])],
         {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": -1.0},
         [[[3, 6, -1, -1]]]),
        *[("Resize", [np.ones((2, 4)), None, None, np.array([6, 6])], {"keep_aspect_ratio_policy": policy},
           np.ones(shape))
          for policy, shape in (("stretch", (6, 6)), ("not_larger", (3, 6)), ("not_smaller", (6, 12)))],
        # The size stays, but the places do not.
        ("Resize", [FOUR, None, np.array([1, 1, 1.2])], {"coordinate_transformation_mode": "asymmetric",
         "nearest_mode": "floor"}, [[[1, 1, 2, 4]]]),
        ("Resize", [FOUR, None, np.array([1.0, 1, 1])], {}, FOUR),
        ("Upsample", [FOUR], {"scales": [1.0, 1.0, 1.5]}, [[[1, 1, 2, 4, 4, 8]]]),
        ("Upsample", [FOUR, np.array([1.0, 1, 2])], {"mode": "linear"}, [[[1, 1.5, 2, 3, 4, 6, 8, 8]]]),
        ("Upsample", [FOUR[None]], {"height_scale": 2.0, "width_scale": 1.0}, [np.repeat(FOUR, 2, axis=1)]),
        ("NegativeLogLikelihoodLoss", [LOGS, LABELS], {}, PICKED.mean()),
        ("NegativeLogLikelihoodLoss", [LOGS, LABELS], {"reduction": "sum"}, PICKED.sum()),
        ("NegativeLogLikelihoodLoss", [LOGS, LABELS], {"reduction": "none", "ignore_index": 1}, PICKED * (LABELS != 1)),
        ("NegativeLogLikelihoodLoss", [LOGS, LABELS, WEIGHTS], {},
         np.sum(PICKED * WEIGHTS[LABELS]) / WEIGHTS[LABELS].sum()),
        ("NegativeLogLikelihoodLoss", [LOGS, LABELS, WEIGHTS], {"ignore_index": 0},
         np.sum((PICKED * WEIGHTS[LABELS])[LABELS != 0]) / WEIGHTS[LABELS][LABELS != 0].sum()),
        ("SoftmaxCrossEntropyLoss", [X, LABELS], {}, PICKED.mean()),
        ("Einsum", [X, X], {"equation": " bij , bkj -> bik "}, np.einsum("bij,bkj->bik", X, X)),
        ("Pow", [np.array([2, 3]), np.array(0.5)], {}, [1, 1]),
        ("Selu", [X], {"alpha": 2.0, "gamma": 3.0}, 3 * np.where(X < 0, 2 * np.expm1(X), X)),
        ("IsInf", [np.array([np.inf, 1])], {"detect_negative": 0, "detect_positive": 0}, [0, 0]),
        ("CumProd", [X, np.array(1)], {"exclusive": 1}, np.cumprod(X, axis=1) / X),
        ("Unique", [np.array([3, 1, 3, 2])], {"sorted": 0}, [3, 1, 2]),
        ("Compress", [X, np.array([True, False, True])], {"axis": 1}, X[:, [0, 2]]),
        ("Compress", [X, np.array([False, True])], {}, X.reshape(-1)[[1]]),
        ("ScatterND", [np.array([1.0, 2, 3]), np.array([[1], [1]]), np.array([4.0, 5])], {"reduction": "mul"},
         [1, 40, 3]),
        ("ScatterND", [np.array([1.0, 2, 3]), np.array([[-1]]), np.array([4.0])], {"reduction": "add"}, [1, 2, 7]),
        ("GatherND", [X, np.array([[0], [-1]])], {"batch_dims": 1}, X[[0, 1], [0, 2]]),
        ("OneHot", [np.array([-1, 3, 0]), np.array(3), np.array([0, 1])], {}, [[0, 0, 1], [0, 0, 0], [1, 0, 0]]),
        ("HannWindow", [np.array(1)], {"periodic": 0}, [0]),
    ],
)  # fmt: skip
def test_an_operator_is_its_formula_in_every_form(
    name: str, inputs: list[Array | None], settings: dict[str, Any], wanted: Any
) -> None:
    operator = find(name)
    assert operator is not None
    result = operator(inputs, settings, 20, 1)
    found = np.asarray(result[0] if isinstance(result, tuple | list) else result)
    assert found.shape == np.shape(wanted)
    np.testing.assert_allclose(found, np.asarray(wanted), rtol=2e-6, atol=1e-6)


def test_a_clip_from_0_to_6_is_a_block_of_its_own() -> None:
    found = find("Clip")
    assert found is not None
    for low, high, block in [(0, 6, "Relu6"), (0, 7, "ClipByValue"), (1, 6, "ClipByValue"), (0, 54, "ClipByValue")]:
        made = found([gw.Input(X), np.array(float(low)), np.array(float(high))], {}, 13, 1)
        assert made.application.type.name == block


@pytest.mark.parametrize(
    ("settings", "activation"),
    [
        ({}, np.tanh),
        ({"activations": ["Relu"]}, lambda x: np.maximum(x, 0)),
        ({"activations": ["leakyrelu"]}, lambda x: np.where(x > 0, x, 0.01 * x)),
        ({"activations": ["LeakyRelu"], "activation_alpha": [0.3]}, lambda x: np.where(x > 0, x, 0.3 * x)),
        ({"activations": ["Affine"], "activation_alpha": [2.0], "activation_beta": [0.5]}, lambda x: 2 * x + 0.5),
        ({"activations": ["ScaledTanh"], "activation_alpha": [2.0], "activation_beta": [0.5]},
         lambda x: 2 * np.tanh(0.5 * x)),
        ({"activations": ["HardSigmoid"]}, lambda x: np.clip(0.2 * x + 0.5, 0, 1)),
        ({"clip": 0.1}, lambda x: np.tanh(np.clip(x, -0.1, 0.1))),
    ],
)  # fmt: skip
def test_a_recurrence_has_its_activation(settings: dict[str, Any], activation: Callable[[Array], Array]) -> None:
    draw = np.random.default_rng(5)
    x, w, r, b = (draw.normal(size=size) for size in ((3, 2, 4), (1, 5, 4), (1, 5, 5), (1, 10)))
    outputs, last = called_all("RNN", x, w, r, b, **settings)
    state, rows = np.zeros((2, 5)), []
    for row in x:
        state = activation(row @ w[0].T + b[0, :5] + state @ r[0].T + b[0, 5:])
        rows.append(state)
    np.testing.assert_allclose(np.asarray(outputs)[:, 0], rows, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(np.asarray(last)[0], state, rtol=1e-6, atol=1e-9)
    back, _ = called_all("RNN", x[::-1], w, r, b, direction="reverse", **settings)
    np.testing.assert_allclose(np.asarray(back)[::-1, 0], rows, rtol=1e-6, atol=1e-9)
