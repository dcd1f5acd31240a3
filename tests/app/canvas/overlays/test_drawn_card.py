"""The parts of a hover card: where each stands, how large its letters are, and what is shortened. Units: px."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.overlays.cards.card import Card
from gradwire.app.canvas.overlays.cards.card_facts import CardFacts, Row
from gradwire.app.look.appearance import Appearance
from tests.app.drawn_shapes import recorded

ROWS = (
    Row("value", ("1", "2"), "value", (1.0, 2.0)),
    Row("∂L", ("+1", "−2"), "grad.text", (1.0, -2.0), is_part=True),
    Row("∂L", ("+3", "−2"), "grad.text", (3.0, -2.0), is_part=True),
    Row("∂L total", ("+4", "−4"), "grad.text", (4.0, -4.0), is_total=True),
)
FACTS = CardFacts("m.x → e.x", "[2] float64", ROWS, foot="size 1.414", sentences=("Why it is so.",))


@pytest.fixture
def card(qtbot: QtBot) -> Card:
    parent = QWidget()
    qtbot.addWidget(parent)
    return Card(Appearance("dark"), parent)


def lines(card: Card) -> list[str]:
    with recorded() as found:
        card.grab()
    return found


def test_a_card_has_head_numbers_bars_norm_and_sentences(card: Card) -> None:
    """12 px around all, 22 for the head, 18 a row, 5 more above the total, and bars of 7 with 4 between them.

    Numbers stand in columns as wide as the widest and 8 px; a unit of the bars is 262 / 8 px.
    """
    card.show_facts(FACTS)
    assert card.size().toTuple() == (286, 188)
    found = lines(card)
    bars = [line for line in found if line.startswith("fill") and "text.primary" not in line]
    assert [line.rpartition(" on ")[0] for line in bars] == [
        "fill 143 111 31.75 7", "fill 175.75 111 97.25 7", "fill 77.5 122 64.5 7", "fill 12 122 64.5 7",
    ]  # fmt: skip
    assert len({line.rpartition(" on ")[2] for line in bars}) == 4
    assert [line for line in found if line not in bars] == [
        "rect 0.5 0.5 285 187 round 10 1px border.default on bg.overlay",
        "text 12 8 262 22 right 11px text.tertiary “[2] float64”",
        "text 12 8 262 22 left 12px text.primary “m.x → e.x”",
        "text 12 30 262 18 left 11px text.secondary “value”",
        "text 252.81 30 21.19 18 right 11px value “2”",
        "text 231.62 30 21.19 18 right 11px value “1”",
        "text 12 48 262 18 left 11px grad.text “∂L”",
        "text 252.81 48 21.19 18 right 11px grad.text “−2”",
        "text 231.62 48 21.19 18 right 11px grad.text “+1”",
        "text 12 66 262 18 left 11px grad.text “∂L”",
        "text 252.81 66 21.19 18 right 11px grad.text “−2”",
        "text 231.62 66 21.19 18 right 11px grad.text “+3”",
        "line 12 86.5 274 86.5 1px border.default",
        "text 12 89 262 18 left 11px grad.text “∂L total”",
        "text 252.81 89 21.19 18 right 11px grad.text “−4”",
        "text 231.62 89 21.19 18 right 11px grad.text “+4”",
        "fill 273 109.5 2 10 on text.primary",
        "fill 11 120.5 2 10 on text.primary",
        "line 143 108 143 132 1px border.strong",
        "text 12 133 262 24 right 11px grad.text “size 1.414”",
        "text 12 161 262 19.31 left 11px text.secondary “Why it is so.”",
    ]


def test_a_pinned_card_has_a_button_in_its_head(card: Card) -> None:
    card.show_facts(FACTS)
    button = card.findChild(QToolButton, "hover_card_close")
    assert isinstance(button, QToolButton) and button.isHidden() and not card.is_pinned
    card.pin()
    assert card.is_pinned and button.geometry().getRect() == (258, 6, 22, 22)
    found = lines(card)
    assert found[0] == "rect 0.5 0.5 285 187 round 10 1px border.strong on bg.overlay"
    assert found[1:3] == [
        "text 12 8 244 22 right 11px text.tertiary “[2] float64”",
        "text 12 8 244 22 left 12px text.primary “m.x → e.x”",
    ]


def test_a_card_without_facts_is_a_head(card: Card) -> None:
    card.show_facts(CardFacts("a", ""))
    assert card.size().toTuple() == (286, 42)
    assert lines(card)[1:] == [
        "text 12 8 262 22 right 11px text.tertiary “”",
        "text 12 8 262 22 left 12px text.primary “a”",
    ]


def test_a_card_is_330_px_wide_at_most_and_shortens_what_is_longer(card: Card) -> None:
    """Titles and labels lose their middle, numbers their end; a card does not become narrower again."""
    row = Row("a label that is much too long " * 3, ("a text that is much too long " * 4,))
    card.show_facts(CardFacts("a title that is much too long for a card of this width " * 3, "[2] float64", (row,)))
    assert card.size().toTuple() == (330, 60)
    assert lines(card)[1:] == [
        "text 12 8 306 22 right 11px text.tertiary “[2] float64”",
        "text 12 8 306 22 left 12px text.primary “a title that is muc…card of this width ”",
        "text 12 30 306 18 left 11px text.secondary “a label …oo long ”",
        "text 108 30 210 18 right 11px text.secondary “a text that is much too long a…”",
    ]
    card.show_facts(CardFacts("a", ""))
    assert card.size().toTuple() == (330, 42)
    card.resize(500, 42)
    card.show_facts(CardFacts("b", ""))
    assert card.width() == 286
