"""A card of the tour without a window: its side of the target to the pixel, its beak, its buttons and its name."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.help.tour_card import Answer, TourCard, _beak
from gradwire.app.look.appearance import Appearance


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """A window of 800 x 600."""
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 600)
    return made


def said(window: QWidget, count: int, **options: bool) -> tuple[TourCard, list[str]]:
    """A card with so many buttons, and the names of those that were clicked."""
    card, clicked = TourCard(Appearance("dark"), window, **options), list[str]()

    def note(name: str) -> None:
        clicked.append(name)

    answers: list[Answer] = [(f"&Answer {n}", f"answer_{n}", partial(note, f"{n}")) for n in range(count)]
    card.say("2 of 6", "A sentence.", answers)
    return card, clicked


@pytest.mark.parametrize(
    ("target", "corner"),
    [
        # Below it where the card ends above the last line of the window, else above it.
        ((300, 459, 40, 20), (159, 486)),
        ((300, 460, 40, 20), (159, 340)),
        ((300, 121, 40, 479), (159, 1)),
        # Where neither has room, at its right, else at its left, else over its lower edge.
        ((300, 120, 40, 480), (347, 303)),
        ((300, 120, 171, 480), (478, 303)),
        ((300, 120, 172, 480), (225, 479)),
        ((329, 120, 300, 480), (1, 303)),
        ((328, 120, 300, 480), (317, 479)),
        ((300, 0, 172, 110), (225, 117)),
        ((0, 0, 800, 100), (239, 107)),
        # An empty target has it over its middle, at least 8 px from the edges.
        ((400, 300, 0, 0), (239, 243)),
        ((0, 0, 0, 0), (8, 8)),
        ((799, 599, 0, 0), (471, 479)),
    ],
)
def test_a_card_stands_where_it_has_room(
    window: QWidget, target: tuple[int, int, int, int], corner: tuple[int, int]
) -> None:
    card = TourCard(Appearance("dark"), window)
    card.resize(320, 112)
    assert card._corner(QRect(*target), window.rect()).toTuple() == corner


def test_it_stays_in_a_window_that_is_hardly_larger_than_itself(window: QWidget) -> None:
    card = TourCard(Appearance("dark"), window)
    card.resize(320, 112)
    assert card._corner(QRect(0, 0, 336, 120), QRect(0, 0, 336, 120)).toTuple() == (7, 8)


BOX = QRectF(0, 0, 100, 80)


@pytest.mark.parametrize(
    ("target", "corners"),
    [
        ((50, -10), ((42, 1), (50, -8), (58, 1))),
        ((50, 90), ((42, 79), (50, 88), (58, 79))),
        ((-10, 40), ((1, 32), (-8, 40), (1, 48))),
        ((110, 40), ((99, 32), (108, 40), (99, 48))),
        # It keeps off the round corners.
        ((0, 90), ((16, 79), (24, 88), (32, 79))),
        ((100, 90), ((68, 79), (76, 88), (84, 79))),
        ((-10, 0), ((1, 12), (-8, 20), (1, 28))),
        ((110, 80), ((99, 52), (108, 60), (99, 68))),
        ((50, 40), None),
        # Its edge belongs to the box.
        ((50, 0), None),
        ((50, 80), None),
        ((0, 40), None),
        ((100, 40), None),
    ],
)
def test_a_beak_leads_from_the_nearest_side(
    target: tuple[float, float], corners: tuple[tuple[float, float], ...] | None
) -> None:
    found = _beak(BOX, QPointF(*target))
    assert (None if found is None else tuple(point.toTuple() for point in found.toList())) == corners


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_last_button_is_the_default_and_the_first_stands_apart(window: QWidget, count: int, qtbot: QtBot) -> None:
    card, clicked = said(window, count)
    card.point_at(QRect(400, 300, 10, 10))
    window.show()
    buttons = [card.findChild(QPushButton, f"answer_{n}") for n in range(count)]
    assert [button.property("look") or "" for button in buttons] == [""] * (count - 1) + ["primary"]
    for button in buttons:
        button.click()
    assert clicked == [str(n) for n in range(count)]
    card.take_focus()
    assert window.focusWidget() is buttons[-1]
    lefts = [button.x() for button in buttons]
    assert lefts == sorted(lefts) and lefts[0] == 25
    # One alone begins at the left and has the whole row; of several the first begins there and the last ends it.
    assert buttons[-1].geometry().right() == card.width() - 26
    gaps = [right.x() - left.geometry().right() - 1 for left, right in pairwise(buttons)]
    assert gaps[1:] == [6] * len(gaps[1:]) and all(gap > 6 for gap in gaps[:1])


def test_other_words_take_the_place_of_the_old_ones(window: QWidget) -> None:
    card, _ = said(window, 3)
    place = card.findChild(QLabel, "tour_place")
    assert isinstance(place, QLabel)
    assert (card.accessibleName(), place.isHidden()) == ("2 of 6: A sentence.", False)
    card.say("", "Another one.", [("&Done", "done", card.hide)])
    QApplication.sendPostedEvents(None, 52)
    assert (card.accessibleName(), place.isHidden()) == ("Another one.", True)
    assert [button.objectName() for button in card.findChildren(QPushButton)] == ["done"]


def test_without_buttons_nothing_takes_the_keyboard(window: QWidget) -> None:
    card, _ = said(window, 0)
    card.take_focus()
    assert window.focusWidget() is None


def test_a_bubble_has_one_line_in_bold_and_no_ring(window: QWidget) -> None:
    bubble, _ = said(window, 1, is_bubble=True)
    sentence = bubble.findChild(QLabel, "tour_sentence")
    assert isinstance(sentence, QLabel)
    assert (sentence.wordWrap(), sentence.property("look")) == (False, "strong")
    bubble.point_at(QRect(400, 300, 10, 10))
    assert window.findChild(QWidget, "tour_ring") is None
    assert sentence.height() == sentence.sizeHint().height()
    assert bubble.size() == bubble.layout().totalSizeHint()
    bubble.hide()
    card, _ = said(window, 1)
    assert [card.findChild(QLabel, "tour_sentence").wordWrap(), card.minimumWidth()] == [True, 0]  # type: ignore[union-attr]
    card.point_at(QRect(400, 300, 10, 10))
    assert card.width() == 270 + 50
    ring = window.findChild(QWidget, "tour_ring")
    assert isinstance(ring, QWidget) and not ring.isHidden()
    card.hide()
    card.hideEvent(None)
    assert ring.isHidden()
