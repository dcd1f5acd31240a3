"""Colour ramps: they begin and end with their stops, and are even for the eye."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from gradwire.app.look.ramps import ramp_table

STOPS = ["#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff", "#010203", "#7f3355"]


@pytest.mark.parametrize("first", STOPS)
@pytest.mark.parametrize("second", STOPS)
def test_a_ramp_goes_through_its_stops(first: str, second: str) -> None:
    found = [color.name() for color in ramp_table([QColor(first), QColor(second), QColor(first)], 5)]
    assert (found[0], found[2], found[4]) == (first, second, first)
    # There and back is the same way.
    assert found[1] == found[3]
    if first == second:
        assert set(found) == {first}


def test_half_of_the_lightness_is_an_eighth_of_the_light() -> None:
    """Lightness is the cube root of light: a half is 0.125, which sRGB writes as 1.055 x 0.125^(1/2.4) - 0.055."""
    grey = round(255 * (1.055 * 0.125 ** (1 / 2.4) - 0.055))
    (_, middle, _) = ramp_table([QColor("#000000"), QColor("#ffffff")], 3)
    assert middle.getRgb()[:3] == (grey, grey, grey)
    # An eighth of the lightness is light of 1 / 512, which is on the straight part of the curve.
    dark = round(255 * 12.92 / 512)
    assert ramp_table([QColor("#000000"), QColor("#ffffff")], 9)[1].getRgb()[:3] == (dark, dark, dark)


def test_steps_are_evenly_spaced() -> None:
    found = ramp_table([QColor("#000000"), QColor("#ffffff")], 11)
    lightness = [(((item.redF() + 0.055) / 1.055) ** 2.4) ** (1 / 3) for item in found[2:]]
    assert lightness == pytest.approx([step / 10 for step in range(2, 11)], abs=0.005)


def test_what_lies_between_two_colours_is_known_from_the_paper() -> None:
    """Red is (0.628, 0.225, 0.126) and blue (0.452, -0.032, -0.312) in OKLab: halfway lies a violet."""
    (_, middle, _) = ramp_table([QColor("#ff0000"), QColor("#0000ff")], 3)
    red, green, blue = middle.getRgb()[:3]
    assert (red, green, blue) == pytest.approx((140, 83, 162), abs=1)
