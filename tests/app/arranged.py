"""The arrangement of widgets as text: the room of each layout, then its items in their order, with gaps and shares."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QGridLayout, QLayout, QScrollArea, QScrollBar, QWidget

from tests.app.drawn_shapes import room_of

_SIDES = {1: "left", 2: "right", 4: "middle", 32: "top", 64: "bottom", 128: "centre", 132: "centred"}


def arranged(widget: QWidget) -> dict[str, str]:
    """Returns the arrangement in a widget and in all those inside, by name; one without a name is `in` what holds it.

    `[8 4 8 0 · 6] a:1 4 b^top (…)` is a row or column with margins of 8, 4, 8 and 0, gaps of 6, an item that takes the
    room that is left, a gap of 4, an item at the top, and a layout. Items of a grid tell row, column and spans.
    A button tells the size of its icon. Units: px.
    """
    inside = [widget, *widget.findChildren(QWidget)]
    found = [(item, item.layout()) for item in inside if not isinstance(item.parentWidget(), QScrollArea)]
    return {_key(item): _told(layout) for item, layout in found if layout is not None and not _holds_a_bar(layout)}


def _holds_a_bar(layout: QLayout) -> bool:
    return any(isinstance(layout.itemAt(place).widget(), QScrollBar) for place in range(layout.count()))  # type: ignore[union-attr]


def _key(widget: QWidget) -> str:
    if _has_name(widget) or type(widget).__module__.startswith("gradwire."):
        return _name(widget)
    around = widget.parentWidget()
    while around is not None and not _has_name(around):
        around = around.parentWidget()
    return f"in {_name(around)}" if around is not None else _name(widget)


def _has_name(widget: QWidget) -> bool:
    return bool(widget.objectName()) and not widget.objectName().startswith("qt_")


def _name(widget: QWidget) -> str:
    return widget.objectName() if _has_name(widget) else type(widget).__name__


def _told(layout: QLayout) -> str:
    return " ".join([f"[{room_of(layout)}]", *_items(layout)])


def _items(layout: QLayout) -> Iterator[str]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        assert item is not None, "a layout has as many items as it counts"
        gap, widget, inner = item.spacerItem(), item.widget(), item.layout()
        if gap is not None:
            text = str(max(gap.sizeHint().toTuple()))
        else:
            text = _with_icon(widget) if inner is None else f"({_told(inner)})"
        if isinstance(layout, QGridLayout):
            text += f"@{','.join(map(str, layout.getItemPosition(place)))}"  # type: ignore[arg-type]
        if item.alignment():
            text += f"^{_SIDES[item.alignment().value]}"
        if isinstance(layout, QBoxLayout) and layout.stretch(place):
            text += f":{layout.stretch(place)}"
        yield text


def _with_icon(widget: QWidget) -> str:
    """A name, and after a stroke the size of the picture of a button."""
    sizes = widget.icon().availableSizes() if isinstance(widget, QAbstractButton) else []
    return "/".join([_name(widget), *(str(size.width()) for size in sizes[:1])])
