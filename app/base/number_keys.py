"""Stepping of numbers in a field with Up and Down: Shift a tenth as far, Ctrl ten times."""

from __future__ import annotations

import re
from decimal import Decimal

from PySide6.QtCore import Qt

from gradwire.interop.typed.tensor_text import number_text

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def key_steps(key: int, modifiers: Qt.KeyboardModifier) -> Decimal | None:
    """Returns the number of steps of a key; None if it does not step."""
    if key not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
        return None
    steps = Decimal(1 if key == Qt.Key.Key_Up else -1)
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return steps / 10
    return steps * 10 if modifiers & Qt.KeyboardModifier.ControlModifier else steps


def whole_steps(steps: Decimal) -> int:
    """Returns the number of steps for whole numbers, which have no fractions."""
    return max(1, round(abs(steps))) * (1 if steps > 0 else -1)


def number_at(text: str, caret: int) -> int | None:
    """Returns the index of the number at or after a caret position, or of the last one."""
    ends = [match.end() for match in _NUMBER.finditer(text)]
    if not ends:
        return None
    return next((place for place, end in enumerate(ends) if end >= caret), len(ends) - 1)


def span_of(text: str, number: int) -> tuple[int, int]:
    """Returns the start and end of one of the numbers in a text."""
    return list(_NUMBER.finditer(text))[number].span()


def stepped_text(text: str, number: int, step: Decimal) -> str:
    """Returns the text with one of its numbers stepped; a whole step keeps a whole number whole."""
    start, end = span_of(text, number)
    moved = Decimal(text[start:end]) + step
    is_whole = moved == moved.to_integral_value() and abs(moved) < 2**63
    return f"{text[:start]}{int(moved) if is_whole else number_text(float(moved))}{text[end:]}"
