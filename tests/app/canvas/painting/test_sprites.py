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


def test_pictures_stay_for_one_look_and_zoom_until_they_are_too_many(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture of 20 by 12 px has 960 bytes; at twice the zoom it has four times as many."""
    monkeypatch.setattr("gradwire.app.canvas.painting.cache.sprites.BYTES_AT_MOST", 2 * 960)
    sprites = Sprites(1.0)

    def known_after(common: str, scale: float, *slots: str) -> list[bool]:
        sprites.begin(common, scale)
        for slot in slots:
            sprites.get(slot, 1, BOX, nothing)
        sprites.begin(common, scale)
        return [sprites.known(slot, 1) is not None for slot in ("a", "b", "c")]

    assert known_after("look", 1.0, "a") == [True, False, False]
    assert known_after("look", 1.0, "b", "a") == [True, True, False]
    assert known_after("other", 1.0) == [False, False, False]
    assert known_after("other", 1.0, "b") == [False, True, False]
    # The third one is too many: all are forgotten with the next picture of the page.
    assert known_after("other", 1.0, "a", "b", "c") == [False, False, False]
    assert known_after("other", 0.9, "b") == [False, True, False]
    assert known_after("other", 2.0, "b") == [False, False, False]


def test_a_slot_shows_only_what_it_was_painted_for(qtbot: QtBot) -> None:
    sprites = Sprites(1.0)
    sprites.begin("look", 1.0)
    first = sprites.get("slot", 1, BOX, filling("red", BOX))
    assert sprites.get("slot", 1, BOX, filling("blue", BOX)) is first
    assert sprites.known("slot", 2) is None and sprites.known("other", 1) is None and sprites.known("slot", 1) is first
