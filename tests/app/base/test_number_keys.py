"""Up and Down in a field of numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtCore import Qt

from gradwire.app.base.number_keys import key_steps, number_at, span_of, stepped_text, whole_steps
from gradwire.interop.typed.tensor_text import number_text

NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


@pytest.mark.parametrize(
    ("key", "keys", "steps"),
    [
        (Qt.Key.Key_Up, NONE, "1"),
        (Qt.Key.Key_Down, NONE, "-1"),
        (Qt.Key.Key_Up, SHIFT, "0.1"),
        (Qt.Key.Key_Down, CTRL, "-10"),
    ],
)
def test_shift_is_a_tenth_and_ctrl_ten_times(key: Qt.Key, keys: Qt.KeyboardModifier, steps: str) -> None:
    assert key_steps(key, keys) == Decimal(steps)
    assert key_steps(Qt.Key.Key_Left, keys) is None


@pytest.mark.parametrize(
    ("text", "caret", "expected"),
    [
        ("2", 0, "3"),
        ("[1, -2.5, 3]", 0, "[2, -2.5, 3]"),
        ("[1, -2.5, 3]", 6, "[1, -1.5, 3]"),
        ("[1, -2.5, 3]", 12, "[1, -2.5, 4]"),
        ("[[1e-5, 2]]", 3, "[[1.00001, 2]]"),
        ("-1", 2, "0"),
        ("[1, -2.5, 3]", 2, "[2, -2.5, 3]"),
        ("[1, -2.5, 3]", 3, "[1, -1.5, 3]"),
        ("[1, -2.5, 3]", 8, "[1, -1.5, 3]"),
        ("[1, -2.5, 3]", 9, "[1, -2.5, 4]"),
        ("0.5", 0, "1.5"),
        ("1.0", 0, "2"),
        # Whole numbers are those of 64 bits.
        ("9223372036854775806", 0, "9223372036854775807"),
        ("9223372036854775807", 0, number_text(2.0**63)),
        ("-9223372036854775809", 0, number_text(-(2.0**63))),
    ],
)
def test_the_number_at_the_caret_is_stepped(text: str, caret: int, expected: str) -> None:
    number = number_at(text, caret)
    assert number is not None
    assert stepped_text(text, number, Decimal(1)) == expected


@pytest.mark.parametrize(
    ("steps", "whole"),
    [("1", 1), ("-1", -1), ("0.1", 1), ("-0.1", -1), ("1.4", 1), ("1.6", 2), ("10", 10), ("-10", -10), ("-2.6", -3)],
)
def test_whole_numbers_step_by_whole_steps_of_at_least_one(steps: str, whole: int) -> None:
    assert whole_steps(Decimal(steps)) == whole


def test_a_text_without_numbers_has_none_at_the_caret() -> None:
    assert number_at("[]", 1) is None
    assert span_of("[10, 20]", 1) == (5, 7)
