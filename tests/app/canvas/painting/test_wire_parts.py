"""Wires taken apart into strips and bends lose nothing on the way."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter

from gradwire.app.canvas.painting.cache.wire_parts import BEND, LEVEL, UPRIGHT, wire_parts
from gradwire.app.canvas.painting.cache.wire_pictures import WirePictures
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.theme import theme
from gradwire.app.look.wire_pens import pen
from tests.app.canvas.pages import painted, pixels

pytestmark = pytest.mark.usefixtures("qapp")

EVERYWHERE = np.array([-1000, -1000, 1000, 1000])
STEP = np.array([[(0, 10), (60, 10), (60, 50), (100, 50), (100, 50), (100, 50)]])
HALVES = np.array([4])


def parts(points: np.ndarray, view: np.ndarray = EVERYWHERE) -> list[list[int]]:
    return wire_parts(points, 12, HALVES, view)[:, 1:].tolist()


def test_a_wire_is_its_straight_pieces_and_its_bends() -> None:
    assert parts(STEP) == [
        [LEVEL, 0, 10, 48, 0, 0],
        [UPRIGHT, 60, 22, 16, 0, 0],
        [LEVEL, 72, 50, 28, 0, 0],
        [BEND, 60, 10, 12, -1, 1],
        [BEND, 60, 50, 12, 1, -1],
    ]


def test_bends_of_a_short_jog_are_as_small_as_it_is() -> None:
    short = STEP.copy()
    short[0, 2:, 1] = 18
    assert [part[3] for part in parts(short) if part[0] == BEND] == [4, 4]


def test_what_lies_outside_the_view_is_left_out() -> None:
    found = parts(STEP, np.array([0, 0, 40, 20]))
    assert found == [[LEVEL, 0, 10, 44, 0, 0]]


def test_a_wire_put_together_has_no_gap() -> None:
    look = Look(theme("dark"))
    pictures = WirePictures((pen(look.theme.color("bg.canvas"), 8), pen(look.theme.color("error"), 4)), 1.0)

    def paint(painter: QPainter) -> None:
        pictures.copy(painter, wire_parts(STEP, 12, HALVES, EVERYWHERE).tolist())

    image = painted(QSize(120, 80), paint)
    color = look.theme.color("error")
    middle = pixels(image)[:, :, 2] == color.red()
    assert middle[9:11, :48].all() and middle[22:38, 59:61].all() and middle[49:51, 72:100].all()
    # Every column and row between the ends has some of the wire's colour.
    assert middle[:, :61].any(axis=0).all() and middle[10:50].any(axis=1).all()
