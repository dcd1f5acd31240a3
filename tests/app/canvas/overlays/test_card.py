"""The columns of a card: no number of a sum is cut off."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.canvas.overlays.cards.card import NARROWEST, PAD, WIDEST, Card, columns
from gradwire.app.canvas.overlays.cards.card_facts import CardFacts, Row
from gradwire.app.look.appearance import Appearance
from tests.app.strokes import Stroke, strokes

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("count", "number", "width"), [(3, "+0.0331", NARROWEST), (4, "−2.1e−16", WIDEST), (2, "−0.00312", NARROWEST)]
)
def test_numbers_stand_whole_beside_a_long_label(count: int, number: str, width: int) -> None:
    rows = [Row("→ Gradients.xs_1", ("no path",)), Row("inside Gradients", (number,) * count)]
    label, cell = columns(rows, width - 2 * PAD)
    assert cell > text_width("mono", 11, 400, number)
    assert label + count * cell <= width - 2 * PAD
    assert label > text_width("ui", 11, 400, "in…ts")


@pytest.fixture
def card(qtbot: QtBot) -> Card:
    parent = QWidget()
    qtbot.addWidget(parent)
    return Card(Appearance("dark"), parent)


def parts(card: Card) -> list[list[Stroke]]:
    """What each part of a card draws, from top to bottom."""
    top, found = PAD - 4, []
    for part in card._parts(card.width()):
        box = QRectF(PAD, top, card.width() - 2 * PAD, part.height)
        found.append(strokes(lambda painter: part.draw(painter, box)))  # noqa: B023  # drawn at once
        top += part.height
    return found


ROWS = (Row("value", ("1", "2"), "value"), Row("∂L total", ("+3",), "grad.text", is_total=True))


def test_the_parts_of_a_card_stand_below_each_other(card: Card) -> None:
    card.show_facts(CardFacts("x.y", "[2] float64", ROWS, foot="size 3", sentences=("It is said.",)))
    assert card.width() == NARROWEST
    head, value, total, foot, sentence = parts(card)
    # 8 px from the top; the head is 22 high, a row 18, a total 5 more; 6 are below the foot.
    assert [(item.text, item.at) for item in head] == [
        ("[2] float64", (12, 8, 262, 22)),
        ("x.y", (12, 8, 262, 22)),
    ]
    label, second, first = value
    assert label.at == (12, 30, 262, 18)
    cell = columns(ROWS, 262)[1]
    assert (second.text, second.at[0] + second.at[2]) == ("2", 274) and second.at[2] == pytest.approx(cell, abs=0.01)
    assert (first.text, first.at[0]) == ("1", pytest.approx(274 - 2 * cell, abs=0.01))
    line, name, number = total
    assert line.at == (12, 50.5, 274, 50.5) and name.at == (12, 53, 262, 18)
    assert number.text == "+3" and number.at[0] + number.at[2] == 274
    assert [(item.text, item.at) for item in foot] == [("size 3", (12, 71, 262, 24))]
    assert [item.text for item in sentence] == ["It is said."] and sentence[0].at[1] == 99
    theme = card._appearance.theme
    assert (label.pen, name.pen) == (theme.css("text.secondary"), theme.css("grad.text"))
    assert card.height() == round(sum(part.height for part in card._parts(NARROWEST)) + 20)


def test_a_card_grows_with_its_texts_never_beyond_its_bounds_and_never_shrinks(card: Card) -> None:
    card.show_facts(CardFacts("a" * 30, "[2] float64"))
    wide = card.width()
    assert NARROWEST < wide < WIDEST
    head = text_width("ui", 12, 600, "a" * 30) + 16 + text_width("mono", 11, 400, "[2] float64")
    assert wide == pytest.approx(head + 24, abs=1)
    card.show_facts(CardFacts("a", ""))
    assert card.width() == wide
    card.show_facts(CardFacts("a" * 99, ""))
    assert card.width() == WIDEST
    assert (card.accessibleName(), card.accessibleDescription()) == ("a" * 99, card.facts.text)


def test_a_pinned_card_has_room_for_its_button(card: Card) -> None:
    pinned: list[bool] = []
    card.pinned.connect(lambda: pinned.append(True))
    card.show_facts(CardFacts("x.y", "[2]"))
    assert not card.is_pinned
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    QTest.mouseClick(card, Qt.MouseButton.RightButton)
    assert card.is_pinned and pinned == [True]
    button = card._button
    assert (button.x(), button.y(), button.width()) == (card.width() - 28, 6, 22)
    assert parts(card)[0][0].at == (12, 8, 262 - 18, 22)
