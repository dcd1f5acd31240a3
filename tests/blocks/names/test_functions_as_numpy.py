"""Functions and indices beside NumPy's at fixed places: bounds, both signs, and what is refused."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import CallError, PlaceError
from tests.blocks.names.test_more_names import called, value
from tests.blocks.names.test_operators_as_numpy import value as computed

CUBE = np.arange(120.0).reshape(2, 3, 4, 5)
ENTRIES: list[Any] = [
    1, -1, 0, slice(None), slice(1, None), slice(None, 2), slice(None, None, -1), slice(1, 9, 2), None, Ellipsis,
    np.array([1, 0, -1]), [[1], [0]],
]  # fmt: skip
KEYS = [*((item,) for item in ENTRIES), *itertools.product(ENTRIES, repeat=2)]
KEYS += [(np.array([0, 1]), slice(1, 3), np.array([2, 3])), (slice(None), np.array([0, 1]), np.array([2, 3]), 1)]
KEYS += [(1, slice(None), [0, 2]), (slice(None), 1, [0, 2]), (None, [0, 1], Ellipsis, [3, 4]), (0, [1], 2, [3])]
KEYS += [(slice(None), [0, 2], slice(None), [1, 3]), (Ellipsis, [[0], [1]], [2, 3, 4]), (1, 2, 3, 4), (0, None, 1)]


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_an_index_picks_what_numpy_picks(key: tuple[Any, ...]) -> None:
    try:
        expected = CUBE[key]
    except IndexError:
        with pytest.raises((CallError, PlaceError)):
            computed(gw.Input(CUBE)[key])
        return
    np.testing.assert_array_equal(computed(gw.Input(CUBE)[key]), expected, strict=True)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ((0, 0, 0, 0, 0), "5 indices are too many for a tensor of 4 axes"),
        ((Ellipsis, Ellipsis), "at most one"),
        (slice(0, 1, 0), "step of 0"),
        (slice(0.0, 1), "whole numbers as bounds"),
        (slice(0, True), "whole numbers as bounds"),
        (slice(0, 1, 1.0), "whole numbers as bounds"),
        (True, "a truth is no index"),
        (np.True_, "a truth is no index"),
        (np.array([True, False]), "a mask as an index"),
        ([0.0], "an index is a whole number, not float64"),
        ("a", "an index is a whole number, a slice"),
        (1.0, "an index is a whole number, a slice"),
    ],
)
def test_what_is_no_index_is_refused_in_a_sentence(key: Any, message: str) -> None:
    with pytest.raises(CallError, match=message):
        gw.Input(CUBE)[key]


@pytest.mark.parametrize(("place", "fits"), [(1, True), (2, False), (-2, True), (-3, False)])
def test_places_lie_on_their_axis(place: int, fits: bool) -> None:
    for key in (place, (place, 0), ([place], 0)):
        if fits:
            np.testing.assert_array_equal(computed(gw.Input(CUBE)[key]), CUBE[key])
        else:
            with pytest.raises((PlaceError, gw.GradwireError)):
                computed(gw.Input(CUBE)[key])


@pytest.mark.parametrize("decimals", [-2, -1, 0, 1, 2])
def test_numbers_are_rounded_before_or_behind_the_point(decimals: int) -> None:
    x = np.array([1234.5678, -15.25, 0.125, 25.0, 35.0])
    np.testing.assert_allclose(value("np.round", x, decimals), np.round(x, decimals), rtol=1e-15)
    whole = np.array([15, -25, 149, 151])
    found = value("np.round", whole, decimals)
    assert found.dtype == whole.dtype
    np.testing.assert_array_equal(found, np.round(whole, decimals))
    with pytest.raises(CallError, match="not for masks"):
        called("np.round", np.array([True]), decimals)


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 2.0), (None, 2.0), (0.0, None), (2.0, 2.0), (2.0, 0.0), (np.array([0.0, 3.0, 1.0]), 2.5)]
)
def test_numbers_are_clipped_to_the_upper_bound_last(low: Any, high: Any) -> None:
    x = np.array([-1.0, 1.0, 5.0])
    np.testing.assert_array_equal(value("np.clip", x, low, high), np.clip(x, low, high))
    assert value("np.clip", x.astype(np.float32), 0.0, 2.0).dtype == np.float32


def test_clipping_takes_a_bound() -> None:
    with pytest.raises(CallError, match="lower bound, an upper bound or both"):
        called("np.clip", np.zeros(2))


@pytest.mark.parametrize(
    "given", [(5,), (0,), (2, 7), (7, 2, -2), (0, 10, 3), (1, 10, 3), (1.5,), (0.5, 2.5), (1, 2, 0.25),
              (2.0, 0, -0.5), (0, 9, 9)]
)  # fmt: skip
def test_a_range_ends_before_its_end(given: tuple[Any, ...]) -> None:
    expected = np.arange(*given)
    found = computed(called("np.arange", *given))
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == expected.dtype
    assert computed(called("np.arange", *given, dtype="float32")).dtype == np.float32


@pytest.mark.parametrize("given", [(0, 5, 0), ("a",), (True,), (0, np.zeros(2))])
def test_a_range_takes_numbers_and_a_step(given: tuple[Any, ...]) -> None:
    with pytest.raises(CallError, match="arange takes numbers"):
        called("np.arange", *given)


@pytest.mark.parametrize(("n", "m"), [(2, None), (2, 3), (3, 2), (0, 1)])
def test_a_diagonal_of_ones(n: int, m: int | None) -> None:
    np.testing.assert_array_equal(computed(called("np.eye", n, m)), np.eye(n, m))
    assert computed(called("np.eye", n, m, dtype="float32")).dtype == np.float32


@pytest.mark.parametrize("given", [(-3,), (7, 2), (2, 7, -1)])
def test_steps_lead_to_the_end(given: tuple[int, ...]) -> None:
    with pytest.raises(gw.GradwireError, match="do not lead"):
        called("np.arange", *given)


A, B = np.arange(6.0).reshape(2, 3), np.arange(6.0, 12.0).reshape(2, 3)


def test_tensors_stand_behind_each_other_along_an_axis() -> None:
    for axis in (0, 1, -1):
        np.testing.assert_array_equal(value("np.concatenate", [A, B], axis), np.concatenate([A, B], axis))
        np.testing.assert_array_equal(value("np.stack", (A, B), axis), np.stack([A, B], axis))
    for bad, message in ((A, "takes a list of tensors"), ([], "takes a list of tensors")):
        with pytest.raises(CallError, match=message):
            called("np.concatenate", bad)
    with pytest.raises(CallError, match="and an axis"):
        called("np.concatenate", [A, B], B)


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), [1], np.int64(1)])
@pytest.mark.parametrize("keepdims", [False, True, np.True_])
def test_sums_take_axes(axis: Any, keepdims: Any) -> None:
    given = tuple(axis) if isinstance(axis, list) else axis
    np.testing.assert_array_equal(value("np.sum", A, axis, keepdims=keepdims), A.sum(given, keepdims=bool(keepdims)))


@pytest.mark.parametrize("axis", [True, 0.0, "0", [0, True], (0, 1.0)])
def test_what_is_no_axis_is_refused(axis: Any) -> None:
    with pytest.raises(CallError, match="an axis is a whole number"):
        called("np.sum", A, axis)
    with pytest.raises(CallError, match="is True or False, not 1"):
        called("np.sum", A, 0, keepdims=1)


def test_a_softmax_without_its_axis_has_at_most_two_axes() -> None:
    for x in (A[0], A):
        np.testing.assert_allclose(value("softmax", x), np.exp(x) / np.exp(x).sum(-1, keepdims=True))
    with pytest.raises(CallError, match="softmax of 3 axes needs its axis"):
        called("softmax", A[None])
    np.testing.assert_allclose(value("softmax", A[None], 0), np.ones((1, 2, 3)))


def test_a_reciprocal_is_for_fractions() -> None:
    np.testing.assert_array_equal(value("np.reciprocal", np.array([2.0, -4.0])), [0.5, -0.25])
    for whole in (np.array([2]), np.array([True])):
        with pytest.raises(CallError, match="reciprocal of integers"):
            called("np.reciprocal", whole)
