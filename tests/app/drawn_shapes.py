"""The shapes that are drawn, one line each: kind, place, then pen, brush and text, with the tokens of dark colours.

Of an image that is its size, and its first and its last pixel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPolygonF
from PySide6.QtWidgets import QGridLayout, QLayout, QWidget

from gradwire.app.look import icons
from gradwire.app.look.drawing import text_flags
from gradwire.app.look.theme import tokens

_TOKENS: dict[str, str] = {}
for _token, _color in tokens()["themes"]["dark"]["color"].items():
    if isinstance(_color, str):
        _TOKENS.setdefault(_color.lower(), _token)
_SIDES = {Qt.AlignmentFlag.AlignRight: "right", Qt.AlignmentFlag.AlignHCenter: "middle"}


def drawn(widget: QWidget, width: int, height: int) -> list[str]:
    """Returns the shapes that a widget of a size draws. Units: px."""
    widget.setFixedSize(QSize(width, height))
    with recorded() as lines:
        widget.grab()
    return lines


@contextmanager
def recorded(has_paths: bool = False) -> Iterator[list[str]]:
    """Gives a list that grows with every shape that code in Python draws meanwhile, of paths their boxes."""
    lines: list[str] = []

    def noting(name: str, tell: Callable[..., str]) -> Callable[..., Any]:
        draw = getattr(QPainter, name)

        def note(painter: QPainter, *arguments: Any) -> Any:
            lines.append(" ".join(tell(painter, *arguments).split()))
            return draw(painter, *arguments)

        return note

    renderer = icons._renderer

    class Noted:
        """An icon that is noted wherever it is drawn."""

        def __init__(self, name: str, color: str) -> None:
            self._said, self._icon = f"{_name(QColor(color))} {name}", renderer(name, color)

        def render(self, painter: QPainter, box: QRectF) -> None:
            lines.append(f"icon {_box(painter, box)} {self._said}")
            self._icon.render(painter, box)

    with pytest.MonkeyPatch.context() as patch:
        for name, tell in (_TELLERS | (_PATHS if has_paths else {})).items():
            patch.setattr(QPainter, name, noting(name, tell))
        patch.setattr(icons, "_renderer", Noted)
        yield lines


# Any: the overloads of QPainter.


def _filled(painter: QPainter, *arguments: Any) -> str:
    box, brush = QRectF(*arguments[:-1]), QBrush(arguments[-1])
    return f"fill {_box(painter, box)} on {_name(brush.color())}"


def _rect(painter: QPainter, *arguments: Any) -> str:
    return f"rect {_box(painter, QRectF(*arguments))} {_look(painter)}"


def _rounded(painter: QPainter, *arguments: Any) -> str:
    radii = " by ".join(dict.fromkeys(map(_number, arguments[-2:])))
    return f"rect {_box(painter, QRectF(*arguments[:-2]))} round {radii} {_look(painter)}"


def _ellipse(painter: QPainter, *arguments: Any) -> str:
    box = QRectF(*arguments) if not isinstance(arguments[0], QPointF) else _around(*arguments)
    return f"ellipse {_box(painter, box)} {_look(painter)}"


def _around(at: QPointF, width: float, height: float) -> QRectF:
    return QRectF(at.x() - width, at.y() - height, 2 * width, 2 * height)


def _line(painter: QPainter, *arguments: Any) -> str:
    line = QLineF(*arguments)
    return f"line {_points(painter, line.p1(), line.p2())} {_pen(painter)}"


def _lines(painter: QPainter, lines: Any) -> str:
    places = [_points(painter, line.p1(), line.p2()) for line in lines]
    return f"lines {', '.join(places)} {_pen(painter)}"


def _polyline(painter: QPainter, *arguments: Any) -> str:
    return f"line {_points(painter, *QPolygonF(arguments[0]).toList())} {_pen(painter)}"


def _polygon(painter: QPainter, *arguments: Any) -> str:
    return f"polygon {_points(painter, *QPolygonF(arguments[0]).toList())} {_look(painter)}"


def _image(painter: QPainter, *arguments: Any) -> str:
    place, image = arguments[:2]
    box = QRectF(place, image.deviceIndependentSize()) if isinstance(place, QPointF) else QRectF(place)
    is_smooth = QPainter.RenderHint.SmoothPixmapTransform in painter.renderHints()
    first, last = (_name(image.pixelColor(*at)) for at in ((0, 0), (image.width() - 1, image.height() - 1)))
    size = f"{image.width()}×{image.height()}"
    return f"image {_box(painter, box)} of {size} {first} to {last} {'smooth' if is_smooth else ''}"


def _text(painter: QPainter, *arguments: Any) -> str:
    text = next(item for item in arguments if isinstance(item, str))
    said = f"{painter.font().pixelSize()}px {_name(painter.pen().color())} “{text}”"
    if isinstance(arguments[0], int | float | QPointF):
        return f"text {_points(painter, QPointF(*arguments[:-1]))} {said}"
    flags, _ = text_flags(arguments)
    side = next((name for flag, name in _SIDES.items() if flags & flag), "left")
    return f"text {_box(painter, QRectF(arguments[0]))} {side} {said}"


def _path(painter: QPainter, *arguments: Any) -> str:
    return f"path {_box(painter, arguments[0].boundingRect())} {_look(painter)}"


def _rects(painter: QPainter, *arguments: Any) -> str:
    return f"rects {', '.join(_box(painter, QRectF(box)) for box in arguments[0])} {_look(painter)}"


_PATHS: dict[str, Callable[..., str]] = {"drawPath": _path, "drawRects": _rects}
_TELLERS: dict[str, Callable[..., str]] = {
    "fillRect": _filled,
    "drawRect": _rect,
    "drawRoundedRect": _rounded,
    "drawEllipse": _ellipse,
    "drawLine": _line,
    "drawLines": _lines,
    "drawPolyline": _polyline,
    "drawPolygon": _polygon,
    "drawImage": _image,
    "drawText": _text,
}


def _box(painter: QPainter, box: QRectF) -> str:
    return " ".join(map(_number, painter.worldTransform().mapRect(box).getRect()))


def _points(painter: QPainter, *points: QPointF) -> str:
    return " ".join(_number(number) for at in points for number in painter.worldTransform().map(at).toTuple())


def _look(painter: QPainter) -> str:
    brush = painter.brush()
    return f"{_pen(painter)} {'' if brush.style() is Qt.BrushStyle.NoBrush else f'on {_name(brush.color())}'}"


def _pen(painter: QPainter) -> str:
    pen = painter.pen()
    if pen.style() is Qt.PenStyle.NoPen:
        return ""
    dashes = "dashed" if pen.style() is Qt.PenStyle.DashLine else ""
    return f"{_number(pen.widthF())}px {dashes} {_name(pen.color())}"


def _name(color: QColor) -> str:
    return _TOKENS.get(color.name(), color.name())


def _number(number: float) -> str:
    return f"{round(number, 2) + 0.0:g}"


def rooms(widget: QWidget) -> list[str]:
    """Returns the margins and gaps of the layouts in a widget, the outer ones first. Units: px."""
    return [room_of(layout) for layout in widget.findChildren(QLayout) if layout.parentWidget() is widget]


def room_of(layout: QLayout) -> str:
    """Returns the margins of a layout, and its gaps. Units: px."""
    around = layout.contentsMargins()
    sides = dict.fromkeys((around.left(), around.top(), around.right(), around.bottom()))
    margins = [*sides] if len(sides) == 1 else [around.left(), around.top(), around.right(), around.bottom()]
    gaps = [layout.spacing()]
    if isinstance(layout, QGridLayout):
        gaps = [layout.horizontalSpacing(), layout.verticalSpacing()]
    return f"{' '.join(map(str, margins))} · {' '.join(map(str, gaps))}"
