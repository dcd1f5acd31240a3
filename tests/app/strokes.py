"""A painter that notes what is drawn, so that tests can say where everything stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPolygonF


class Stroke(NamedTuple):
    """Something drawn: its kind, its box as left, top, width and height, the colours of pen and brush, and its text.

    A line has its two ends in place of a box. Units: px of the device.
    """

    kind: str
    at: tuple[float, ...]
    pen: str
    brush: str
    text: str = ""


class Strokes(QPainter):
    """A painter that draws as any other, and notes each stroke. What paints in C++ alone, as icons do, is not seen."""

    def __init__(self, device: QImage) -> None:
        super().__init__(device)
        self._image = device  # Qt does not keep it alive
        self.found: list[Stroke] = []

    def drawLine(self, *given: Any) -> None:
        line = given[0] if len(given) == 1 else QLineF(*given)
        self._note("line", (*self._place(line.p1()), *self._place(line.p2())))
        super().drawLine(*given)

    def drawLines(self, *given: Any) -> None:
        for line in given[0]:
            self._note("line", (*self._place(line.p1()), *self._place(line.p2())))
        super().drawLines(*given)

    def drawRect(self, *given: Any) -> None:
        self._note("rect", self._box(_rect(given)))
        super().drawRect(*given)

    def drawRects(self, *given: Any) -> None:
        for rect in given[0]:
            self._note("rect", self._box(rect))
        super().drawRects(*given)

    def drawRoundedRect(self, *given: Any) -> None:
        self._note("rounded", self._box(_rect(given)))
        super().drawRoundedRect(*given)

    def drawEllipse(self, *given: Any) -> None:
        if len(given) == 3:
            middle, across, down = given
            box = QRectF(middle.x() - across, middle.y() - down, 2 * across, 2 * down)
        else:
            box = _rect(given)
        self._note("ellipse", self._box(box))
        super().drawEllipse(*given)

    def drawPath(self, path: QPainterPath) -> None:
        self._note("path", self._box(path.boundingRect()))
        super().drawPath(path)

    def drawPolygon(self, *given: Any) -> None:
        self._note("polygon", self._box(QPolygonF(given[0]).boundingRect()))
        super().drawPolygon(*given)

    def drawPolyline(self, *given: Any) -> None:
        points = [self._place(point) for point in QPolygonF(given[0])]
        self._note("polyline", tuple(number for point in points for number in point))
        super().drawPolyline(*given)

    def fillRect(self, *given: Any) -> None:
        self.found.append(Stroke("fill", self._box(QRectF(given[0])), "", _name(given[1])))
        super().fillRect(*given)

    def drawImage(self, *given: Any) -> None:
        place, image = given[0], given[1]
        box = QRectF(place) if hasattr(place, "width") else QRectF(place, image.deviceIndependentSize())
        self._note("image", self._box(box))
        super().drawImage(*given)

    def drawText(self, *given: Any) -> Any:
        text = next(item for item in given if isinstance(item, str))
        place = given[0]
        at = self._place(place) if isinstance(place, QPointF) else self._box(QRectF(place))
        self._note("text", at, text)
        return super().drawText(*given)

    def _note(self, kind: str, at: tuple[float, ...], text: str = "") -> None:
        pen = "" if self.pen().style().value == 0 else _name(self.pen().color())
        brush = "" if self.brush().style().value == 0 else _name(self.brush().color())
        self.found.append(Stroke(kind, at, pen, brush, text))

    def _place(self, point: Any) -> tuple[float, float]:
        mapped = self.combinedTransform().map(QPointF(point))
        return round(mapped.x(), 2), round(mapped.y(), 2)

    def _box(self, rect: QRectF) -> tuple[float, ...]:
        mapped = self.combinedTransform().mapRect(rect)
        return tuple(round(number, 2) for number in mapped.getRect())


def _rect(given: tuple[Any, ...]) -> QRectF:
    return QRectF(given[0]) if hasattr(given[0], "width") else QRectF(*given[:4])


def _name(color: Any) -> str:
    found = color.color() if hasattr(color, "color") else color
    return str(found.name())


def strokes(paint: Callable[[QPainter], object]) -> list[Stroke]:
    """Returns what a function draws."""
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = Strokes(image)
    try:
        paint(painter)
    finally:
        painter.end()
    return painter.found


def placed(found: list[Stroke], kind: str) -> list[tuple[float, ...]]:
    """Returns where the strokes of a kind are."""
    return [item.at for item in found if item.kind == kind]


def texts(found: list[Stroke]) -> list[str]:
    """Returns what is written, in the order of the strokes."""
    return [item.text for item in found if item.kind == "text"]
