from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF

from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.geometry.view.camera import Camera, fitted
from gradwire.app.canvas.overlays.cards.card_place import obstacles, place
from tests.app.canvas.pages import EXAMPLE_NAMES, example, mirror_of

CARD, VIEW = QSizeF(300, 120), QSizeF(1000, 640)


def placed(anchor: QPointF, taken: object) -> QRectF:
    return QRectF(QPointF(place(CARD, anchor, VIEW, taken)), CARD)


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_a_card_never_covers_its_own_wire(name: str) -> None:
    mirror = mirror_of(example(name))
    camera = fitted(mirror.bounds(), VIEW)
    for row, wire in enumerate(mirror.wires):
        taken = obstacles(mirror, Target(wire=wire), camera)
        for x, y in mirror.points[row]:
            box = placed(camera.to_view(QPointF(x, y)), taken)
            assert not any(
                box.intersects(QRectF(left, top, right - left, bottom - top)) for left, top, right, bottom in taken
            )


def test_a_card_stays_in_the_view() -> None:
    mirror = mirror_of(example(EXAMPLE_NAMES[0]))
    taken = obstacles(mirror, Target(block=mirror.ids[0]), Camera())
    for anchor in (QPointF(0, 0), QPointF(999, 639), QPointF(500, 0)):
        assert QRectF(QPointF(), VIEW).contains(placed(anchor, taken))


def test_a_card_keeps_off_other_cards() -> None:
    other = QRectF(500, 320, 300, 120)
    assert not placed(QPointF(490, 310), np.array([other.getCoords()])).intersects(other)


def test_a_card_does_not_lie_under_the_pointer() -> None:
    anchor = QPointF(500, 320)
    assert not placed(anchor, np.array([[0, 0, 1, 1]])).contains(anchor)
