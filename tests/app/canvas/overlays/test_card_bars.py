from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.overlays.cards.card_bars import BAR, SPACE, bars_height, draw_bars, stack
from gradwire.app.canvas.overlays.cards.card_facts import CardFacts, Row
from gradwire.app.look.theme import theme
from tests.app.strokes import placed, strokes


def test_parts_of_each_sign_stand_on_each_other() -> None:
    assert stack([2.0, -1.0, 3.0, 0.0, -0.5]) == [(0, 0, 2), (1, 0, -1), (2, 2, 5), (4, -1, -1.5)]


@given(st.lists(st.integers(-100, 100), max_size=6))
def test_segments_are_as_long_as_their_parts_and_never_overlap(parts: list[int]) -> None:
    segments = stack([float(part) for part in parts])
    assert [segment.end - segment.start for segment in segments] == [part for part in parts if part]
    assert max((item.end for item in segments), default=0) <= sum(part for part in parts if part > 0)


def test_a_port_with_one_wire_needs_no_bars() -> None:
    facts = CardFacts("x", "", (Row("→ a", ("1",), amounts=(1.0,), is_part=True),))
    assert facts.stacks == () and bars_height(facts.stacks) == 0


def test_each_number_of_a_total_has_its_parts() -> None:
    rows = [Row("→", ("",), amounts=amounts, is_part=True) for amounts in ((1.0, 2.0), (-3.0, 4.0))]
    assert CardFacts("x", "", tuple(rows)).stacks == ((1.0, -3.0), (2.0, 4.0))


@pytest.mark.parametrize("broken", [float("nan"), float("inf")])
def test_numbers_that_are_not_finite_have_no_bars(broken: float) -> None:
    rows = [Row("→", ("",), amounts=(amount,), is_part=True) for amount in (1.0, broken)]
    assert CardFacts("x", "", tuple(rows)).stacks == ()


def test_the_mark_stands_where_the_parts_add_up_to(qtbot: QtBot) -> None:
    """3 and -1 of a range from -1 to 3 over 400 px: zero at 100, their sum 2 at 300."""
    image = QImage(400, 20, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    draw_bars(painter, theme("dark"), QRectF(0, 0, 400, 20), [(3.0, -1.0)])
    painter.end()
    middle = round(SPACE + BAR / 2)
    colors = np.array([image.pixel(x, middle) for x in range(400)])
    mark = np.flatnonzero(colors == theme("dark").color("text.primary").rgb())
    assert mark.min() == 299 and mark.max() == 300
    assert len(set(colors[101:298])) == 1 and colors[50] != colors[200]


def test_bars_of_several_numbers_have_one_scale() -> None:
    """Two rows over 90 px from -1 to 5: 15 px a unit, zero at 25; a px is free behind each part."""
    found = strokes(
        lambda painter: draw_bars(painter, theme("dark"), QRectF(10, 20, 90, 40), [(2.0, 3.0), (-1.0, 4.0)])
    )
    rows = [20 + SPACE, 20 + 2 * SPACE + BAR]
    expected = [
        (25, rows[0], 29, BAR), (55, rows[0], 44, BAR), (99, rows[0] - 1.5, 2, BAR + 3),
        (10, rows[1], 14, BAR), (25, rows[1], 59, BAR), (69, rows[1] - 1.5, 2, BAR + 3),
    ]  # fmt: skip
    assert placed(found, "fill") == [pytest.approx(box) for box in expected]
    height = bars_height([(2.0, 3.0), (-1.0, 4.0)])
    assert height == 2 * (BAR + SPACE) + SPACE
    assert placed(found, "line") == [(25, 21, 25, 20 + height - 1)]
    assert found[2].brush == theme("dark").css("text.primary") and found[-1].pen == theme("dark").css("border.strong")
    assert bars_height([(0.0, 0.0)]) == 0
