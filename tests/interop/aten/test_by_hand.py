"""Norms and pools of PyTorch beside loops over their definitions, with windows that reach beyond the borders."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import DECLARED, find

X = np.array([[3.0, -4.0, 0.0], [1.0, 2.0, -2.0]])


def called(target: str, *args: Any, **keywords: Any) -> Array:
    assert find(f"aten.{target}") is not None
    found = DECLARED[target](*args, **keywords)
    return np.asarray(found[0] if isinstance(found, tuple) else found)


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (2, [5, 3]),
        (1, [7, 5]),
        (math.inf, [4, 2]),
        (-math.inf, [0, 1]),
        (0, [2, 3]),
        (3, [91 ** (1 / 3), 17 ** (1 / 3)]),
        (0.5, [(3**0.5 + 2) ** 2, (1 + 2 * 2**0.5) ** 2]),
    ],
)
def test_a_norm_is_that_of_its_order(order: float, wanted: list[float]) -> None:
    np.testing.assert_allclose(called("linalg_vector_norm.default", X, order, dim=[1]), wanted)
    kept = called("linalg_vector_norm.default", X, order, dim=[1], keepdim=True)
    np.testing.assert_allclose(kept, np.array(wanted)[:, None])


def test_a_norm_of_all_elements_is_one_number() -> None:
    assert called("linalg_vector_norm.default", X).shape == ()
    np.testing.assert_allclose(called("linalg_vector_norm.default", X), np.sqrt(34))


def windows(length: int, size: int, step: int, more: int, is_up: bool) -> list[range]:
    """Returns the places of each window: the last may reach beyond, but has to begin inside or in the first border."""
    room = length + 2 * more - size
    count = (math.ceil(room / step) if is_up else math.floor(room / step)) + 1
    found = [range(at * step - more, at * step - more + size) for at in range(count)]
    return [item for item in found if not is_up or item.start < length]


CASES = [
    {"size": (2, 2), "step": (2, 2), "more": (0, 0), "is_up": False},
    {"size": (2, 3), "step": (1, 2), "more": (0, 1), "is_up": False},
    {"size": (3, 2), "step": (2, 3), "more": (1, 0), "is_up": True},
    {"size": (2, 2), "step": (2, 2), "more": (1, 1), "is_up": True},
    {"size": (3, 3), "step": (3, 3), "more": (1, 1), "is_up": True},
    {"size": (2, 2), "step": (3, 3), "more": (0, 0), "is_up": True},
    {"size": (2, 2), "step": (3, 3), "more": (1, 1), "is_up": True},
]
PICTURE = np.random.default_rng(0).standard_normal((2, 3, 5, 6))


def pooled(
    x: Array, size: Any, step: Any, more: Any, is_up: bool, counts_border: bool | None, divisor: int = 0
) -> Array:
    """Returns largest numbers, or means: `counts_border` says whether what a border adds counts there."""
    rows, columns = (windows(*item, is_up) for item in zip(x.shape[2:], size, step, more, strict=True))
    found = np.zeros((*x.shape[:2], len(rows), len(columns)))
    for (i, row), (j, column) in itertools.product(enumerate(rows), enumerate(columns)):
        inside = [(a, b) for a in row for b in column if 0 <= a < x.shape[2] and 0 <= b < x.shape[3]]
        around = [(a, b) for a in row for b in column if a < x.shape[2] + more[0] and b < x.shape[3] + more[1]]
        values = np.stack([x[:, :, a, b] for a, b in inside])
        count = divisor or len(around if counts_border else inside)
        found[:, :, i, j] = values.max(axis=0) if counts_border is None else values.sum(axis=0) / count
    return found


@pytest.mark.parametrize("case", CASES)
def test_pools_are_largest_numbers_and_means_of_windows(case: dict[str, Any]) -> None:
    size, step, more, is_up = case["size"], case["step"], case["more"], case["is_up"]
    found = called("max_pool2d.default", PICTURE, list(size), list(step), list(more), [1, 1], is_up)
    np.testing.assert_allclose(found, pooled(PICTURE, **case, counts_border=None))
    for counts in (True, False):
        found = called("avg_pool2d.default", PICTURE, list(size), list(step), list(more), is_up, counts)
        np.testing.assert_allclose(found, pooled(PICTURE, **case, counts_border=counts))
    found = called("avg_pool2d.default", PICTURE, list(size), list(step), list(more), is_up, True, 7)
    np.testing.assert_allclose(found, pooled(PICTURE, **case, counts_border=True, divisor=7))
    # Without the axis of examples, and with one size for both.
    alone = called("avg_pool2d.default", PICTURE[0], list(size), list(step), list(more), is_up)
    np.testing.assert_allclose(alone, pooled(PICTURE[:1], **case, counts_border=True)[0])


def test_a_pool_without_steps_takes_those_of_its_windows() -> None:
    wanted = pooled(PICTURE, (2, 2), (2, 2), (0, 0), False, True)
    np.testing.assert_allclose(called("avg_pool2d.default", PICTURE, [2, 2]), wanted)
    np.testing.assert_allclose(called("avg_pool2d.default", PICTURE, [2]), wanted)
    largest = pooled(PICTURE, (2, 2), (2, 2), (0, 0), False, None)
    for size in ([2, 2], [2]):
        np.testing.assert_allclose(called("max_pool2d.default", PICTURE, size), largest)
    np.testing.assert_allclose(called("max_pool2d.default", PICTURE[0], [2, 2]), largest[0])
    lines = PICTURE[:, :, :1]
    for is_up in (False, True):
        found = called("avg_pool1d.default", lines[:, :, 0], [4], [], [1], is_up, False)
        np.testing.assert_allclose(found, pooled(lines, (1, 4), (1, 4), (0, 1), is_up, False)[:, :, 0])


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (5, 6), (3, 4), (1, 2)])
def test_adaptive_pools_are_means_of_parts_that_cover_all(sizes: tuple[int, int]) -> None:
    wanted = np.zeros((2, 3, *sizes))
    for i, j in np.ndindex(sizes):
        rows = slice(i * 5 // sizes[0], math.ceil((i + 1) * 5 / sizes[0]))
        columns = slice(j * 6 // sizes[1], math.ceil((j + 1) * 6 / sizes[1]))
        wanted[:, :, i, j] = PICTURE[:, :, rows, columns].mean(axis=(2, 3))
    np.testing.assert_allclose(called("adaptive_avg_pool2d.default", PICTURE, list(sizes)), wanted)
