"""Images of digits: their masters, the place of each pixel, and what the test part shows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.blocks.support.glyphs import masters
from tests.blocks.data.test_data import drawn
from tests.engine.base.philox import uniform_numbers


def interpolated(master: np.ndarray, row: float, column: float) -> float:
    """The value between the pixels of an image, 0 outside."""
    top, left = math.floor(row), math.floor(column)
    found = 0.0
    for i in (top, top + 1):
        for j in (left, left + 1):
            if 0 <= i < 32 and 0 <= j < 32:
                found += float(master[i, j]) * (1 - abs(row - i)) * (1 - abs(column - j))
    return found


def test_each_pixel_is_a_place_in_a_master() -> None:
    x, y = drawn(set="glyphs", n=12, noise=0, seed=2, labels="index")
    changes = np.array(uniform_numbers(12 * 7, "data", "glyphs", 2, "change")).reshape(12, 7)
    for i in (0, 7, 11):
        picked, turn, scale, width, shear, right, down = changes[i]
        drawings = masters("x")[i % 10, :, 1:-1, 1:-1]
        master = drawings[int(picked * len(drawings))]
        angle = 2 * math.pi * (2 * turn - 1) / 24
        size = 1.25 / (0.85 + 0.3 * scale)
        for row, column in ((0, 0), (13, 14), (9, 18), (20, 10), (14, 14), (27, 5)):
            right_of, below = column - 13.5 - (6 * right - 3), row - 13.5 - (6 * down - 3)
            v = (math.cos(angle) * below - math.sin(angle) * right_of) * size
            u = (math.cos(angle) * right_of + math.sin(angle) * below) * size / (0.85 + 0.3 * width)
            u += (0.4 * shear - 0.2) * v
            expected = interpolated(master, v + 15.5, u + 15.5)
            assert x[i, row, column, 0] == pytest.approx(expected, abs=1e-6)
    assert y.tolist() == [*range(10), 0, 1]


def test_the_test_part_has_masters_of_its_own() -> None:
    train, held = (
        drawn(set="glyphs", n=600, noise=0, test=0.5),
        drawn(set="glyphs", n=600, noise=0, test=0.5, part="test"),
    )
    assert len(train[0]) + len(held[0]) == 600
    whole = drawn(set="glyphs", n=600, noise=0)[0]
    is_same = [bool((whole == image).all(axis=(1, 2, 3)).any()) for image in (*train[0], *held[0])]
    assert all(is_same[: len(train[0])])
    assert not any(is_same[len(train[0]) :])


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 300), st.integers(1, 300), st.floats(0, 0.3))
def test_more_images_change_none(n: int, more: int, noise: float) -> None:
    few, many = (drawn(set="glyphs", n=count, noise=noise)[0] for count in (n, n + more))
    assert (many[:n] == few).all()
    assert 0 <= many.min() <= many.max() <= 1


def test_noise_has_the_given_deviation() -> None:
    plain, noisy = (drawn(set="glyphs", n=300, noise=noise)[0] for noise in (0.0, 0.1))
    grey = (plain > 0.2) & (plain < 0.8)
    # Some 14,000 pixels: four standard errors.
    assert np.std((noisy - plain)[grey]) == pytest.approx(0.1, rel=4 * 0.45 / math.sqrt(grey.sum()))


def test_a_digit_looks_most_like_its_own_mean() -> None:
    """A nearest mean, drawn from other images, knows 40 % of the test part; chance is 10 %."""
    x, y = drawn(set="glyphs", n=2000, test=0.2, labels="index")
    held, digits = drawn(set="glyphs", n=2000, test=0.2, labels="index", part="test")
    means = np.stack([x[y == digit].mean(axis=0).ravel() for digit in range(10)])
    far = ((held.reshape(len(held), 1, -1) - means) ** 2).sum(axis=2)
    assert (far.argmin(axis=1) == digits).mean() > 0.4
