"""Operations of PyTorch at places and over windows, beside NumPy's own assignments and loops over the definition."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import find
from gradwire.interop.models.refusals import ModelRefusal
from tests.interop.aten.test_by_hand import called

X = np.arange(24.0).reshape(2, 3, 4)
M = np.arange(12.0).reshape(3, 4)
EACH = np.array([[0, 2, 1, 1], [2, 0, 0, 1]])
FIRST, SECOND = np.array([0, -1, 1]), np.array([[1], [-3]])


def put(x: Array, places: Any, values: Any, is_added: bool = False) -> Array:
    found = x.copy()
    if is_added:
        np.add.at(found, places, values)
    else:
        found[places] = values
    return found


@pytest.mark.parametrize(
    ("target", "args", "keywords", "wanted"),
    [
        ("index.Tensor", (X, [FIRST]), {}, X[FIRST]),
        ("index.Tensor", (X, [None, FIRST]), {}, X[:, FIRST]),
        ("index.Tensor", (X, [FIRST, SECOND]), {}, X[FIRST, SECOND]),
        ("index.Tensor", (X, [None, FIRST, SECOND]), {}, X[:, FIRST, SECOND]),
        ("index.Tensor", (X, [FIRST, SECOND, FIRST]), {}, X[FIRST, SECOND, FIRST]),
        ("index_put.default", (X, [FIRST[:2]], 5 * np.ones((2, 3, 4))), {}, put(X, (FIRST[:2],), 5)),
        ("index_put.default", (X, [FIRST, SECOND], np.float64(5)), {}, put(X, (FIRST, SECOND), 5)),
        ("index_put.default", (X, [FIRST, SECOND], np.arange(4.0), True), {},
         put(X, (FIRST, SECOND), np.arange(4.0), True)),
        ("index_put.default", (M, [M > 5], np.array([7.0])), {}, np.where(M > 5, 7, M)),
        ("index_put.default", (M, [M > 5], np.float64(7), True), {}, np.where(M > 5, M + 7, M)),
        ("index_put.default", (X, [X[:, :, 0] > 5], np.array(7.0)), {}, put(X, X[:, :, 0] > 5, 7)),
        ("index_select.default", (X, 1, np.array([2, 0])), {}, X[:, [2, 0]]),
        ("index_select.default", (X, -1, np.array([3])), {}, X[:, :, [3]]),
        ("gather.default", (M,), {"dim": 0, "index": EACH}, np.take_along_axis(M, EACH, 0)),
        ("gather.default", (M,), {"dim": -1, "index": EACH}, np.take_along_axis(M[:2], EACH, 1)),
        ("gather.default", (M,), {"dim": 0, "index": EACH[:, :3]}, np.take_along_axis(M[:, :3], EACH[:, :3], 0)),
        ("take_along_dim.default", (M,), {"dim": 1, "indices": np.array([[3], [0], [1]])}, [[3], [4], [9]]),
        ("index_add.default", (M, 0, np.array([0, 0, 2]), M), {}, put(M, [0, 0, 2], M, True)),
        ("index_add.default", (M, -2, np.array([1]), M[:1]), {"alpha": 3}, put(M, [1], 3 * M[:1], True)),
        ("scatter_add.default", (M, 0, EACH, M), {},
         put(M, (EACH, np.arange(4)), M[:2], True)),
        ("scatter.src", (M, -1, np.array([[1, 3]]), M + 50), {}, put(M, (0, [1, 3]), [50, 51])),
        ("scatter.value", (M, 1, np.array([[1], [3]])), {"value": 9}, put(M, ([0, 1], [1, 3]), 9)),
        ("embedding.default", (M, np.array([[2, 0]])), {}, M[[[2, 0]]]),
        ("embedding.default", (M, np.array([0, 2]), 0), {}, M[[0, 2]]),
    ],
)  # fmt: skip
def test_elements_are_those_at_their_places(
    target: str, args: Sequence[Any], keywords: dict[str, Any], wanted: Array
) -> None:
    np.testing.assert_array_equal(called(target, *args, **keywords), wanted)


@pytest.mark.parametrize("padding", [-1, 0, 2])
def test_the_row_of_padding_alone_has_no_gradient(padding: int) -> None:
    rows = gw.Variable(M, name="rows")
    embedded = find("aten.embedding.default")
    assert embedded is not None
    read = embedded(weight=rows, indices=np.array([0, 2, 2, 1]), padding_idx=padding)
    found = gw.evaluate(gw.Loss(gw.ReduceSum(read))).gradient("rows")
    np.testing.assert_array_equal(found[:, 0], [0 if row == padding else row // 2 + 1 for row in range(3)])


@pytest.mark.parametrize(
    ("target", "args", "said"),
    [
        ("index_put.default", (X, [None, FIRST], np.ones(1)), "behind a whole axis"),
        ("index_put.default", (M, [M > 5], np.ones(2)), "a mask of more than one number"),
        ("index_put.default", (M, [M[:, 0] > 5, FIRST], np.ones(1)), "a mask of more than one number"),
        ("index.Tensor", (M, [M > 5]), "a selection by a mask"),
        ("index.Tensor", (X, [FIRST, None, FIRST]), "not side by side"),
        ("index_add.default", (M, 1, FIRST, M), "along another axis than the first"),
        ("adaptive_max_pool2d.default", (X, [1, 2]), "to another size than 1"),
        ("adaptive_avg_pool3d.default", (X[None], [3, 2, 2]), "to several planes"),
        ("nonzero.default", (), "depends on values"),
    ],
)
def test_what_has_no_block_is_refused(target: str, args: Sequence[Any], said: str) -> None:
    with pytest.raises(ModelRefusal, match=said):
        called(target, *args)


VOLUME = np.random.default_rng(3).standard_normal((2, 2, 4, 5, 6))


def largest(x: Array, size: Sequence[int], step: Sequence[int], more: Sequence[int], gap: Sequence[int]) -> Array:
    """Returns the largest numbers of windows over the last axes, whose elements lie so far apart."""
    count = len(size)
    wide = np.pad(x, [(0, 0)] * (x.ndim - count) + [(item, item) for item in more], constant_values=-np.inf)
    starts = [
        range(0, whole - apart * (length - 1), pace)
        for whole, length, pace, apart in zip(wide.shape[-count:], size, step, gap, strict=True)
    ]
    found = np.zeros((*x.shape[:-count], *map(len, starts)))
    for place in itertools.product(*(enumerate(items) for items in starts)):
        window = tuple(
            slice(start, start + apart * (length - 1) + 1, apart)
            for (_, start), length, apart in zip(place, size, gap, strict=True)
        )
        axes = tuple(range(-count, 0))
        found[(..., *(number for number, _ in place))] = wide[(..., *window)].max(axis=axes)
    return found


@pytest.mark.parametrize(
    ("size", "step", "more", "gap"),
    [((2, 2, 2), (2, 2, 2), (0, 0, 0), (1, 1, 1)), ((2, 3, 2), (1, 2, 3), (1, 1, 0), (1, 1, 1)),
     ((2, 2, 3), (2, 1, 1), (0, 1, 1), (1, 2, 2)), ((2, 1, 2), (1, 3, 2), (1, 0, 1), (3, 1, 2))],
)  # fmt: skip
def test_largest_numbers_in_three_two_and_one_dimension(
    size: tuple[int, ...], step: tuple[int, ...], more: tuple[int, ...], gap: tuple[int, ...]
) -> None:
    for axes, x in (
        (3, VOLUME),
        (3, VOLUME[0]),
        (2, VOLUME[0]),
        (2, VOLUME[0, 0]),
        (1, VOLUME[0, 0]),
        (1, VOLUME[0, 0, :, 0]),
    ):
        how = [list(item[-axes:]) for item in (size, step, more, gap)]
        found = called(f"max_pool{axes}d.default", x, *how)
        np.testing.assert_array_equal(found, largest(x, *how))
    if step == size:
        np.testing.assert_array_equal(called("max_pool3d.default", VOLUME, [2]), largest(VOLUME, size, step, more, gap))
        np.testing.assert_array_equal(
            called("max_pool1d.default", VOLUME[0, 0], [2]), largest(VOLUME[0, 0], [2], [2], [0], [1])
        )


def test_means_of_lines_with_and_without_an_axis_of_examples() -> None:
    line = np.array([[1.0, 2, 3, 4, 5, 6], [2.0, 0, 2, 0, 2, 0], [5.0, 5, 5, 5, 5, 5]])
    for x in (line, line[None]):
        found = called("avg_pool1d.default", x, [2], [3], [1])
        np.testing.assert_allclose(found.reshape(3, 3), [[0.5, 3.5, 3], [1, 1, 0], [2.5, 5, 2.5]])
        found = called("avg_pool1d.default", x, [2], [3], [1], False, False)
        np.testing.assert_allclose(found.reshape(3, 3)[:, 0], [1, 2, 5])
    cubes = called("avg_pool3d.default", VOLUME, [2, 2, 3])
    np.testing.assert_allclose(cubes[0, 0, 1, 0, 1], VOLUME[0, 0, 2:4, 0:2, 3:6].mean())
    kept = called("adaptive_avg_pool3d.default", VOLUME, [4, 1, 2])
    np.testing.assert_allclose(kept[..., 0, 1], VOLUME[..., 3:].mean(axis=(-2, -1)))
    flat = called("adaptive_avg_pool3d.default", VOLUME, [1, 5, 2])
    np.testing.assert_allclose(flat[:, :, 0, :, 0], VOLUME[..., :3].mean(axis=(2, 4)))
    np.testing.assert_array_equal(called("adaptive_max_pool2d.default", X, [1, 1]), X.max(axis=(1, 2), keepdims=True))


def test_an_operation_is_found_by_its_name_alone() -> None:
    relu = find("aten.relu_.default")
    assert relu is not None
    np.testing.assert_array_equal(relu(self=np.array([-1.0, 2.0])), [0, 2])
    for target in ("aten.relu", "aten.relu.default.more", "prims.relu.default", "aten.frobnicate.default", "relu"):
        assert find(target) is None, target
    # Names that the table knows, but has no block for.
    for name in ("median", "stft"):
        assert find(f"aten.{name}.default") is None, name
