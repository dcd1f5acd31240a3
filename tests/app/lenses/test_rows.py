"""Columns and rows where there is little room."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics

from app.lenses.column_fit import fitted
from app.lenses.stop_rows import two_lines
from app.look.theme import font

pytestmark = pytest.mark.usefixtures("qapp")


def test_columns_are_as_wide_as_they_want_to_be_and_the_last_fills_the_room() -> None:
    assert fitted((100, 50, 50), (20, 20, 20), 300) == [100, 50, 150]


def test_where_room_lacks_each_column_gives_of_what_it_has_to_spare() -> None:
    assert fitted((100, 60, 40), (20, 20, 40), 140) == [60, 40, 40]


def test_no_column_is_narrower_than_its_least() -> None:
    assert fitted((100, 60, 40), (50, 50, 40), 10) == [50, 50, 40]


@pytest.mark.parametrize("room", range(150, 260, 7))
def test_the_columns_are_never_wider_than_a_room_that_holds_their_leasts(room: int) -> None:
    assert sum(fitted((97, 83, 71), (50, 50, 50), room)) == room


def test_a_text_with_room_is_one_line() -> None:
    assert two_lines("Changes nothing", font("ui", 12), 400) == ["Changes nothing"]


def test_a_text_without_room_has_two_lines_and_an_ellipsis() -> None:
    used, text = font("ui", 12), "one two three four five six seven eight nine ten eleven twelve thirteen"
    first, second = two_lines(text, used, 160)
    assert text.startswith(f"{first} {second[:-1].strip()}") and second.endswith("…")
    assert max(QFontMetrics(used).horizontalAdvance(line) for line in (first, second)) <= 160


def test_a_single_word_that_is_too_long_ends_in_an_ellipsis() -> None:
    used = font("ui", 12)
    for line in two_lines("x" * 80, used, 100):
        assert QFontMetrics(used).horizontalAdvance(line) <= 100
