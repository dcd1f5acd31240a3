"""Pictures that are painted again on the memory of those before."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.painting.cache.sprites import Sprites
from tests.app.canvas.pages import pixels

BOX = QRectF(-4, -3, 20, 12)


def filling(color: str, box: QRectF) -> Callable[[QPainter], None]:
    return lambda painter: painter.fillRect(box, QColor(color))


def nothing(painter: QPainter) -> None:
    """Leaves all as it is."""


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_nothing_is_left_of_the_picture_before(qtbot: QtBot, ratio: float) -> None:
    sprites = Sprites(ratio)
    sprites.begin("look", 1.0)
    ground = sprites.get("ground", None, BOX, filling("#80402010", QRectF(0, 0, 9, 5))).pixmap
    for below in (ground, None):
        sprites.get("slot", "before", BOX, filling("red", BOX), below)
        found = sprites.get("slot", "after", BOX, nothing, below).pixmap
        expected = np.zeros_like(pixels(found.toImage())) if below is None else pixels(ground.toImage())
        assert np.array_equal(pixels(found.toImage()), expected)


def test_a_picture_that_becomes_larger_shows_all_of_it(qtbot: QtBot) -> None:
    sprites = Sprites(1.0)
    sprites.begin("look", 1.0)
    sprites.get("slot", 1, BOX, nothing)
    wide = QRectF(0, 0, 60, 8)
    found = pixels(sprites.get("slot", 2, wide, filling("red", wide)).pixmap.toImage())
    assert found.shape[:2] == (8, 60) and (found == found[0, 0]).all() and found[0, 0].any()


def test_another_document_takes_over_only_the_pictures_without_a_key(qtbot: QtBot) -> None:
    sprites = Sprites(1.0)
    sprites.begin("look", 1.0)
    ground = sprites.get("ground", None, BOX, filling("red", BOX))
    sprites.get("block", 1, BOX, nothing)
    sprites.begin_document()
    assert sprites.known("ground", None) is ground
    assert sprites.known("block", 1) is None
