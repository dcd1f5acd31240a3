"""What is seen in a window: what can be read on its page, and how much there is to click, hidden, or hard to read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QColor, QImage
from PySide6.QtWidgets import QAbstractButton, QLabel, QStatusBar, QToolButton, QWidget

from gradwire.app.canvas.access.legibility import covering, painted_texts, read_window
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.kit.values.value_table import luminance
from gradwire.app.start.main_window import MainWindow

Role, ICON_ONLY = QAccessible.Role, Qt.ToolButtonStyle.ToolButtonIconOnly
CLICKED = {
    Role.Button, Role.ButtonMenu, Role.ButtonDropDown, Role.CheckBox, Role.RadioButton, Role.ComboBox,
    Role.EditableText, Role.SpinBox, Role.Slider, Role.PageTab, Role.ListItem, Role.TreeItem, Role.Cell, Role.Link,
}  # fmt: skip
# A sentence about NaN or infinity; numbers alone are what they are.
_TELLS_NAN = re.compile(r"\b(?:NaN|Inf|inf|infinite)\b|∞")
_WORDS = re.compile(r"[^\W\d_]{2,}")


def report_of(window: MainWindow, image: QImage) -> dict[str, object]:
    """Returns the report as the command prints it, but for the name of the file; `image` shows the window."""
    canvas, status = window.parts.canvas, window.parts.layout.status
    return read_window(window, canvas).as_json() | {
        "targets": sum(1 for _ in targets(window, canvas)),
        "outside": outside(canvas),
        "covered": covered(window, canvas),
        "nan_places": nan_places(window, canvas),
        "contrast": round(least_contrast(window, canvas, image), 2),
        "state": status.state,
        "sentence": status.sentence.text,
    }


def targets(window: QWidget, canvas: Canvas) -> Iterator[str]:
    """Yields the names of all that takes a click, as a screen reader finds it, but for what is on the page."""
    root = QAccessible.queryAccessibleInterface(window)
    for item in _nodes(root, canvas):
        if item.role() in CLICKED and not item.state().disabled:
            yield item.text(QAccessible.Text.Name)


def _nodes(thing: QAccessibleInterface, canvas: Canvas) -> Iterator[QAccessibleInterface]:
    yield thing
    for index in range(thing.childCount()):
        child = thing.child(index)
        # What stands on the canvas as a widget counts, what is painted there does not; nor does what is hidden.
        if child is None or not child.isValid() or child.state().invisible:
            continue
        if thing.object() is not canvas or child.object() is not None:
            yield from _nodes(child, canvas)


def outside(canvas: Canvas) -> int:
    """Returns how many blocks are not in view as a whole, and how many wires not at all."""
    mirror, seen = canvas.mirror, canvas.viewport.seen
    blocks = sum(not seen.contains(mirror.rect(name)) for name in mirror.ids)
    boxes = [(points.min(axis=0), points.max(axis=0)) for points in mirror.points]
    wires = sum(
        bool(high[0] < seen.left() or low[0] > seen.right() or high[1] < seen.top() or low[1] > seen.bottom())
        for low, high in boxes
    )
    return blocks + wires


def covered(window: QWidget, canvas: Canvas) -> list[dict[str, str]]:
    """Returns the blocks over whose part in view something lies, and what that is."""
    mirror, camera, found = canvas.mirror, canvas.camera, list[dict[str, str]]()
    for name in mirror.ids:
        box = camera.rect_to_view(mirror.rect(name)).toAlignedRect() & canvas.rect()
        for widget, region in covering(window, canvas):
            if region.intersects(box):
                found.append({"block": name, "by": widget.objectName() or type(widget).__name__})
    return found


def nan_places(window: QWidget, canvas: Canvas) -> int:
    """Returns how many places tell of NaN or infinity in words: widgets, and sentences on the page."""
    said = [widget for widget in _readers(window) if _tells_nan(_text_of(widget))]
    lines = {widget for widget in said if not any(other is not widget and other.isAncestorOf(widget) for other in said)}
    # All that stands in the status line is one place, and so is all in a panel beside the page.
    places = {_place_of(widget, window) for widget in lines}
    on_page = sum(
        _tells_nan(item.drawn.text) and len(_WORDS.findall(item.drawn.text)) > 1
        for item in painted_texts(canvas)
        if item.kind == "" and item.block >= 0
    )
    return len(places) + on_page


def _place_of(widget: QWidget, window: QWidget) -> QWidget:
    """Returns the part of the window in which a widget stands: what lies over the page, a panel, or the status line."""
    part: QWidget = widget
    while (around := part.parentWidget()) is not None and around is not window:
        if isinstance(part, QStatusBar) or part.objectName() == "inspector_overlay":
            break
        part = around
    return part


def _tells_nan(text: str) -> bool:
    return bool(_TELLS_NAN.search(text)) and bool(_WORDS.search(_TELLS_NAN.sub("", text)))


def least_contrast(window: QWidget, canvas: Canvas, image: QImage) -> float:
    """Returns the least contrast of a text with what is behind it, from 1 to 21, as WCAG 2 has it."""
    found, page = [21.0], canvas.rect().translated(canvas.mapTo(window, QPoint()))
    for item in painted_texts(canvas):
        box = item.drawn.rect.translated(page.topLeft().toPointF()).toAlignedRect()
        # A text that is cut at the edge lies in part behind something else.
        if (page & image.rect()).contains(box):
            found.append(contrast(item.drawn.color, _behind(image, box)))
    for widget in _readers(window):
        is_icon = isinstance(widget, QToolButton) and widget.toolButtonStyle() is ICON_ONLY
        if _text_of(widget) and widget.isEnabled() and not is_icon:
            box = widget.visibleRegion().boundingRect().translated(widget.mapTo(window, QPoint())) & image.rect()
            # One colour alone: the text is painted elsewhere, as a formula is.
            if len(_colors(image, box)) > 1:
                found.append(contrast(_ink(image, box), _behind(image, box)))
    return min(found)


def contrast(one: QColor, other: QColor) -> float:
    """Returns the contrast ratio of two colours, from 1 to 21.

    Source: WCAG 2.2, relative luminance and contrast ratio.
    """
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _readers(window: QWidget) -> Iterator[QWidget]:
    """Yields the labels and buttons that are seen."""
    for kind in (QLabel, QAbstractButton):
        yield from (item for item in window.findChildren(kind) if not item.visibleRegion().isEmpty())


def _text_of(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""


def _colors(image: QImage, box: QRect) -> Counter[int]:
    return Counter(
        image.pixel(x, y) for y in range(box.top(), box.bottom() + 1) for x in range(box.left(), box.right() + 1)
    )


def _behind(image: QImage, box: QRect) -> QColor:
    """Returns the colour that most of a text's box has, with a little around it."""
    return QColor(_colors(image, box.adjusted(-3, -3, 3, 3) & image.rect()).most_common(1)[0][0])


def _ink(image: QImage, box: QRect) -> QColor:
    """Returns the colour in a box that differs most from what is behind: the text where it covers a px as a whole."""
    behind = _behind(image, box)
    return max((QColor(value) for value in _colors(image, box)), key=lambda color: contrast(color, behind))
