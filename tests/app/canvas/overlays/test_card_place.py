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


@pytest.mark.parametrize("more", range(12))
def test_a_card_is_8_px_from_the_edges_and_where_it_covers_least(more: int) -> None:
    """All but the right edge is taken, then all but the lower one."""
    view = QSizeF(800 + more, 500 + more)
    for taken in ([0, 0, 500 + more, 600], [0, 0, 900, 380 + more]):
        at = place(CARD, QPointF(100, 100), view, np.array([taken], float))
        box = QRectF(QPointF(at), CARD)
        assert box.left() >= 8 and box.right() <= view.width() - 8
        assert box.top() >= 8 and box.bottom() <= view.height() - 8
        # Corners lie on a grid of 12 px.
        if taken[2] < 900:
            assert box.left() == 8 + (484 + more) // 12 * 12
        else:
            assert box.top() == 8 + (364 + more) // 12 * 12


@pytest.mark.parametrize(
    ("taken", "corner"),
    [
        # The nearest corners on the grid with the pointer in the middle: heights count twice.
        ([0, 0, 1, 1], (344, 188)),
        ([0, 325, 1000, 640], (344, 188)),
        ([0, 0, 1000, 310], (344, 332)),
        ([[0, 325, 1000, 640], [400, 0, 600, 316]], None),
    ],
)
def test_a_card_stands_below_the_pointer_or_above_it(taken: object, corner: tuple[int, int] | None) -> None:
    found = placed(QPointF(500, 320), np.atleast_2d(np.array(taken, float)))
    if corner is not None:
        assert found.topLeft().toTuple() == corner
    else:
        assert not found.intersects(QRectF(496, 316, 8, 8)) and found.bottom() <= 325


def test_obstacles_are_in_px_of_the_view_with_6_px_of_the_page_around() -> None:
    mirror = mirror_of(example(EXAMPLE_NAMES[0]))
    name = mirror.ids[0]
    rect = mirror.rect(name).adjusted(-6, -6, 6, 6)
    (box,) = obstacles(mirror, Target(block=name), Camera(2.0, 10, 20)).tolist()
    assert box == [2 * rect.left() + 10, 2 * rect.top() + 20, 2 * rect.right() + 10, 2 * rect.bottom() + 20]
    assert len(obstacles(mirror, Target(), Camera())) == len(obstacles(mirror, Target(block="gone"), Camera())) == 0
    wire = mirror.wires[0]
    of_wire = obstacles(mirror, Target(wire=wire), Camera())
    assert len(of_wire) == 5
    readers = [other for other in mirror.wires if other.source == wire.source]
    assert len(obstacles(mirror, Target(port=(wire.source, False)), Camera())) == 5 * len(readers) + 1
    assert len(obstacles(mirror, Target(port=(wire.target, True)), Camera())) == 6
