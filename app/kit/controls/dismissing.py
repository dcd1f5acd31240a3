"""Widgets that leave their layout for good."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout, QWidget


def dismiss(widget: QWidget, layout: QLayout | None = None) -> None:
    """Takes a widget out of its layout and from sight; Qt deletes it later, as its own click may be under way."""
    if layout is not None:
        layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()


def empty(layout: QLayout) -> None:
    """Takes all widgets, and the gaps between them, out of a layout."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            dismiss(widget)
