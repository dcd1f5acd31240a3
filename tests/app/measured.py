"""The sizes that widgets have by design, one line for each: what is fixed or bounded, fonts, icons, and room inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QLayout, QLineEdit, QWidget

from tests.app.drawn_shapes import room_of

_LARGEST = 16777215


def measures(widget: QWidget) -> dict[str, list[str]]:
    """Returns the sizes of a widget and of all named ones in it, by name. Units: px.

    A size is `24` if fixed, `≥56` or `≤56` if bounded; then come hint, font, icon, margins of a text, and rooms.
    """
    inside = [widget, *widget.findChildren(QWidget)]
    return {item.objectName() or type(item).__name__: [*_measures(item)] for item in inside if _is_ours(item)}


def lacking(found: Mapping[str, list[str]], wanted: Mapping[str, str]) -> dict[str, str]:
    """Returns those of the wanted sizes that are not found, and what is there in their place."""
    return {
        name: f"{text} is {found.get(name)}"
        for name, text in wanted.items()
        if not set(text.split(", ")) <= set(found.get(name, ()))
    }


def _is_ours(widget: QWidget) -> bool:
    is_named = bool(widget.objectName()) and not widget.objectName().startswith("qt_")
    return is_named or type(widget).__module__.startswith("gradwire.")


def _measures(widget: QWidget) -> Iterator[str]:
    least, most = widget.minimumSize(), widget.maximumSize()
    for side, low, high in (("w", least.width(), most.width()), ("h", least.height(), most.height())):
        if low == high:
            yield f"{side}{low}"
        else:
            yield from [f"{side}≥{low}"] * (low > 0) + [f"{side}≤{high}"] * (high < _LARGEST)
    if "sizeHint" in vars(type(widget)) and type(widget).__module__.startswith("gradwire."):
        yield f"hint {widget.sizeHint().width()}×{widget.sizeHint().height()}"
    parent = widget.parentWidget()
    if widget.font().pixelSize() > 0 and (parent is None or parent.font() != widget.font()):
        yield f"{widget.font().pixelSize()}px/{widget.font().weight()}"
    if isinstance(widget, QAbstractButton) and not widget.icon().isNull():
        yield f"icon {widget.iconSize().width()}"
    if isinstance(widget, QLineEdit) and not widget.textMargins().isNull():
        yield f"text {widget.textMargins().left()} {widget.textMargins().right()}"
    if not widget.contentsMargins().isNull():
        around = widget.contentsMargins()
        yield f"inside {around.left()} {around.top()} {around.right()} {around.bottom()}"
    for layout in widget.findChildren(QLayout):
        if layout.parentWidget() is widget:
            yield f"[{room_of(layout)}{''.join(_items(layout))}]"


def _items(layout: QLayout) -> Iterator[str]:
    """Yields the gaps, and the stretches, of a row or column."""
    for place in range(layout.count()):
        gap, item = layout.itemAt(place).spacerItem(), layout.itemAt(place)
        if gap is not None and item is not None:
            size = max(gap.sizeHint().width(), gap.sizeHint().height())
            yield f" {size}" if size else ""
        if isinstance(layout, QBoxLayout) and layout.stretch(place):
            yield f" {place}:{layout.stretch(place)}"
