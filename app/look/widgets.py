"""Widgets and layouts with their names, words and room in one call."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

W = TypeVar("W", bound=QWidget)
B = TypeVar("B", bound=QBoxLayout)
Margins = tuple[int, int, int, int]
NO_MARGINS: Margins = (0, 0, 0, 0)


def named(widget: W, name: str, *, says: str = "", tip: str = "", look: str = "") -> W:
    """Returns a widget with its object name, its words for screen readers, its tip, and its look in the style sheet."""
    widget.setObjectName(name)
    if says:
        widget.setAccessibleName(says)
    if tip:
        widget.setToolTip(tip)
    if look:
        widget.setProperty("look", look)
    return widget


def make_label(
    text: str = "", parent: QWidget | None = None, *, name: str = "", look: str = "", wraps: bool = False
) -> QLabel:
    """Returns a label that shows texts as they are: without a format Qt would guess at HTML."""
    made = QLabel(text, parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wraps)
    return named(made, name, look=look)


def make_row(inside: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None) -> QHBoxLayout:
    """Returns a layout from left to right. Units: pixels; without numbers it has the room of the style."""
    return _spaced(QHBoxLayout() if inside is None else QHBoxLayout(inside), margins, spacing)


def make_column(
    inside: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Returns a layout from top to bottom. Units: pixels; without numbers it has the room of the style."""
    return _spaced(QVBoxLayout() if inside is None else QVBoxLayout(inside), margins, spacing)


def _spaced(layout: B, margins: Margins | None, spacing: int | None) -> B:
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    return layout
