"""A painter that writes SVG in few letters: classes in place of attributes, icons as symbols, texts as texts."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any
from xml.sax.saxutils import escape

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QPainterPath,
    QPen,
    QPicture,
    QPolygonF,
    QTextLayout,
    QTextOption,
    QTransform,
)

from gradwire.app.look.drawing import text_flags
from gradwire.app.look.icons import IconPainter, icon_source
from gradwire.app.look.png import png
from gradwire.app.look.svg.embedded_fonts import NAMES, font_faces
from gradwire.app.look.svg.shared_shapes import PATH, with_shared_shapes
from gradwire.app.look.svg.svg_styles import Styles, coordinate
from gradwire.app.look.theme import load_fonts

_TAG, _NAME = re.compile(r"<[a-z][^<>]*>"), re.compile(r"(?:id|class)=\"|href=\"#|url\(#")
_QUOTE, _NO_PEN = {'"': "&quot;"}, QPen(Qt.PenStyle.NoPen)
_ICON = re.compile(r"<svg[^>]*?(viewBox=\"[^\"]*\")[^>]*>(.*)</svg>", re.S)
# Moves below so many calls of `save` are those of a page, a block or a label.
_OUTER = 1
# Texts of so few letters are about as wide in any font.
_FEW = 3
_LAST_ZEROS = re.compile(r"(?<=\.\d)0+(?!\d)|(?<=\.\d\d)0+(?!\d)|\.0+(?!\d)")
_ROOT_OF_ICON = re.compile(r"\s(fill|stroke|stroke-width|stroke-linecap|stroke-linejoin)=\"([^\"]*)\"")


class SvgPainter(IconPainter):
    """A painter whose shapes and texts become elements in `parts`; `symbols` are the icons that they use.

    With `has_groups`, what is drawn at one place of a page is a group that is moved there.
    The code that paints a page calls the methods of QPainter from Python, so this class sees every call.
    """

    def __init__(self, styles: Styles | None = None, has_groups: bool = True) -> None:
        self._device = QPicture()
        super().__init__(self._device)
        self.styles = Styles() if styles is None else styles
        self._has_groups = has_groups
        self.parts: list[str] = []
        self.symbols: dict[str, str] = {}
        self.clips: list[str] = []
        # The letters of texts, by the kind and the weight of their font.
        self.letters: dict[tuple[str, int], set[str]] = {}
        # Paths with their letters: an outline is drawn for its block and twice for its shadow.
        self._paths: dict[int, tuple[QPainterPath, str]] = {}
        # How many parts there were after the last lines.
        self._lines_end = -1
        # By how much the parts at the end are moved as one group, and where groups begin, for each `save`.
        self._moved = (0.0, 0.0)
        self._origins = [self._moved]
        # How many groups each `restore` closes.
        self._open = [0]

    def take(self) -> str:
        """Returns the elements since the last call."""
        self._move(0.0, 0.0)
        text = "".join(self.parts)
        self.parts.clear()
        self._lines_end = -1
        return text

    # Qt's names and overloads follow; Any: those of QPainter.

    def save(self) -> None:
        """Keeps the state until `restore`."""
        super().save()
        self._open.append(0)
        self._origins.append(self._origins[-1])

    def restore(self) -> None:
        """Brings the state of `save` back."""
        super().restore()
        self._origins.pop()
        count = self._open.pop()
        if count:
            self._move(0.0, 0.0)
            self.parts.append("</g>" * count)

    def translate(self, *arguments: Any) -> None:
        """Moves what is drawn from now on."""
        super().translate(*arguments)
        if self._has_groups and len(self._open) <= _OUTER + 1:
            to_page = self.worldTransform()
            self._origins[-1] = to_page.dx(), to_page.dy()

    def setClipRect(self, *arguments: Any) -> None:
        """Draws only inside of a rectangle until `restore`."""
        box = self.worldTransform().mapRect(QRectF(arguments[0]))
        self._move(0.0, 0.0)
        self.parts.append(f'<g clip-path="url(#clip{len(self.clips)})">')
        self.clips.append(f'<clipPath id="clip{len(self.clips)}"><rect {_box(box)}/></clipPath>')
        self._open[-1] += 1

    def drawPath(self, path: QPainterPath) -> None:
        """Draws a path with pen and brush."""
        self._path(path, self.pen(), self.brush())

    def fillPath(self, path: QPainterPath, brush: Any) -> None:
        """Fills a path."""
        self._path(path, _NO_PEN, QBrush(brush))

    def strokePath(self, path: QPainterPath, pen: Any) -> None:
        """Draws the line of a path."""
        self._path(path, QPen(pen), None)

    def fillRect(self, *arguments: Any) -> None:
        """Fills a rectangle."""
        self._rect(QRectF(*arguments[:-1]), _NO_PEN, QBrush(arguments[-1]))

    def drawRect(self, *arguments: Any) -> None:
        """Draws a rectangle."""
        self._rect(QRectF(*arguments), self.pen(), self.brush())

    def drawRects(self, *arguments: Any) -> None:
        """Draws several rectangles as one element."""
        path = QPainterPath()
        for item in arguments[0]:
            path.addRect(QRectF(item))
        if not path.isEmpty():
            self._path(path, self.pen(), self.brush())

    def drawRoundedRect(self, *arguments: Any) -> None:
        """Draws a rectangle with round corners."""
        self._rect(QRectF(*arguments[:-2]), self.pen(), self.brush(), float(arguments[-1]))

    def drawEllipse(self, *arguments: Any) -> None:
        """Draws an ellipse, by its middle and radii or by the rectangle around it."""
        if isinstance(arguments[0], QPointF):
            at, rx, ry = arguments
            box = QRectF(at.x() - rx, at.y() - ry, 2 * rx, 2 * ry)
        else:
            box = QRectF(*arguments)
        box = self._placed().mapRect(box)
        middle = f'cx="{coordinate(box.center().x())}" cy="{coordinate(box.center().y())}"'
        look, rx, ry = self._shape(self.pen(), self.brush()), coordinate(box.width() / 2), coordinate(box.height() / 2)
        name, radii = ("circle", f'r="{rx}"') if rx == ry else ("ellipse", f'rx="{rx}" ry="{ry}"')
        self.parts.append(f'<{name} class="{look}" {middle} {radii}/>')

    def drawLine(self, *arguments: Any) -> None:
        """Draws a line."""
        self.drawLines([QLineF(*arguments)])

    def drawLines(self, *arguments: Any) -> None:
        """Draws several lines as one element; those that follow lines of the same opaque look join them."""
        path = QPainterPath()
        for line in map(QLineF, arguments[0]):
            path.moveTo(line.p1())
            path.lineTo(line.p2())
        pen, before = self.pen(), self._lines_end
        self._path(path, pen, None)
        is_opaque = pen.color().alpha() == 255 and self.opacity() >= 1 and pen.style() is Qt.PenStyle.SolidLine
        if is_opaque and before == len(self.parts) - 1 > 0:
            joined = _joined(*self.parts[-2:])
            if joined:
                self.parts[-2:] = [joined]
        self._lines_end = len(self.parts) if is_opaque else -1

    def drawPolyline(self, *arguments: Any) -> None:
        """Draws a line through points."""
        path = QPainterPath()
        path.addPolygon(QPolygonF(arguments[0]))
        self._path(path, self.pen(), None)

    def drawPolygon(self, *arguments: Any) -> None:
        """Draws a closed line through points, filled."""
        path = QPainterPath()
        path.addPolygon(QPolygonF(arguments[0]))
        path.closeSubpath()
        self._path(path, self.pen(), self.brush())

    def drawImage(self, *arguments: Any) -> None:
        """Draws an image into a rectangle, or at a point."""
        place, image = arguments
        size = image.deviceIndependentSize()
        box = QRectF(place, size) if isinstance(place, QPointF) else QRectF(place)
        box = self._placed().mapRect(box)
        data = base64.b64encode(png(image)).decode()
        self.parts.append(f'<image {_box(box)} preserveAspectRatio="none" xlink:href="data:image/png;base64,{data}"/>')

    def drawText(self, *arguments: Any) -> Any:
        """Draws a text at a point, or in a rectangle with flags or options."""
        place, text = arguments[0], next(item for item in arguments if isinstance(item, str))
        if isinstance(place, QPointF):
            self._line(place.x(), place.y(), text)
            return None
        flags, wraps = text_flags(arguments)
        box, metrics = QRectF(place), QFontMetricsF(self.font())
        lines = self._wrapped(box.width(), text) if wraps else text.split("\n")
        height = metrics.height() + (len(lines) - 1) * metrics.lineSpacing()
        down = 0.5 if flags & Qt.AlignmentFlag.AlignVCenter else 1.0 if flags & Qt.AlignmentFlag.AlignBottom else 0.0
        top = box.top() + down * (box.height() - height)
        share = 0.5 if flags & Qt.AlignmentFlag.AlignHCenter else 1.0 if flags & Qt.AlignmentFlag.AlignRight else 0.0
        x = box.left() + share * box.width()
        for row, line in enumerate(lines):
            self._line(x, top + metrics.ascent() + row * metrics.lineSpacing(), line, share)
        return None

    def draw_icon(self, name: str, color: QColor, box: QRectF) -> None:
        """Draws an icon as a symbol."""
        if name not in self.symbols:
            self.symbols[name] = _symbol(name, self.styles)
        seen = self._placed().mapRect(box)
        look = self.styles.icon(color, self.opacity())
        self.parts.append(f'<use class="{look}" xlink:href="#i-{name}" {_box(seen)}/>')

    def _scale(self) -> float:
        return self.worldTransform().m11()

    def _shape(self, pen: QPen, brush: QBrush | None) -> str:
        return self.styles.shape(pen, brush, self._scale(), self.opacity())

    def _path(self, path: QPainterPath, pen: QPen, brush: QBrush | None) -> None:
        look, to_group = self._shape(pen, brush), self._placed()
        # What is only moved keeps its letters: a block and its shadow share their outline.
        is_moved = to_group.type() is QTransform.TransformationType.TxTranslate
        data = self._data(path if is_moved or to_group.isIdentity() else to_group.map(path))
        moved = f' transform="translate({coordinate(to_group.dx())} {coordinate(to_group.dy())})"' if is_moved else ""
        self.parts.append(f'<path class="{look}" d="{data}"{moved}/>')

    def _data(self, path: QPainterPath) -> str:
        known = self._paths.get(id(path))
        if known is None or known[0] != path:
            known = self._paths[id(path)] = QPainterPath(path), path_data(path)
        return known[1]

    def _placed(self) -> QTransform:
        """Returns how the next element is mapped: inside of a group that is moved, it keeps its letters.

        So blocks of one size share their outlines, shadows included.
        """
        x, y = self._origins[-1]
        if (x, y) != self._moved:
            self._move(x, y)
        return self.worldTransform() * QTransform.fromTranslate(-x, -y)

    def _move(self, x: float, y: float) -> None:
        """Ends the group of what is moved, and begins another one; of what is not moved there is none."""
        if self._moved != (0.0, 0.0):
            self.parts.append("</g>")
        self._moved = (x, y)
        if self._moved != (0.0, 0.0):
            self.parts.append(f'<g transform="translate({coordinate(x)} {coordinate(y)})">')

    def _rect(self, box: QRectF, pen: QPen, brush: QBrush, radius: float = 0.0) -> None:
        seen = self._placed().mapRect(box)
        round_by = min(radius, box.width() / 2, box.height() / 2) * self._scale()
        corner = f' rx="{coordinate(round_by)}"' if round_by else ""
        self.parts.append(f'<rect class="{self._shape(pen, brush)}" {_box(seen)}{corner}/>')

    def _line(self, x: float, y: float, text: str, share: float = 0.0) -> None:
        """Writes one line of text on its base line, as wide as the program's own font has it."""
        if not text.strip() or self.opacity() <= 0:
            return
        at, scale, font = self._placed().map(QPointF(x, y)), self._scale(), self.font()
        anchor = {0.0: "", 0.5: "middle", 1.0: "end"}[share]
        look = self.styles.text(self.pen().color(), font, scale, self.opacity(), anchor)
        place = f'x="{coordinate(at.x())}" y="{coordinate(at.y())}"'
        # Of fixed pitch, other fonts are as wide.
        is_mono = font.family() == load_fonts()["mono"]
        self.letters.setdefault(("mono" if is_mono else "ui", font.weight().value), set()).update(text)
        is_wide = not is_mono and len(text) > _FEW
        wide = f' textLength="{coordinate(QFontMetricsF(font).horizontalAdvance(text) * scale)}"' if is_wide else ""
        self.parts.append(f'<text class="{look}" {place}{wide}>{escape(text, _QUOTE)}</text>')

    def _wrapped(self, width: float, text: str) -> list[str]:
        """Returns the lines into which Qt breaks a text."""
        found = []
        for paragraph in text.split("\n"):
            layout = QTextLayout(paragraph, self.font())
            option = QTextOption()
            option.setWrapMode(QTextOption.WrapMode.WordWrap)
            layout.setTextOption(option)
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                line.setLineWidth(width)
                found.append(paragraph[line.textStart() : line.textStart() + line.textLength()].rstrip())
            layout.endLayout()
            if not paragraph:
                found.append("")
        return found


def path_data(path: QPainterPath) -> str:
    """Returns a path in the notation of SVG."""
    parts: list[str] = []
    start: tuple[float, float] | None = None
    items = [path.elementAt(index) for index in range(path.elementCount())]
    for index, item in enumerate(items):
        if item.isMoveTo():
            start = item.x, item.y
            parts.append(f"M{_pair(item)}")
        elif item.isLineTo():
            is_end = index + 1 == len(items) or items[index + 1].isMoveTo()
            parts.append("Z" if is_end and (item.x, item.y) == start else f"L{_pair(item)}")
        elif item.isCurveTo():
            parts.append("C" + " ".join(map(_pair, items[index : index + 3])))
    return "".join(parts)


def document(painter: SvgPainter, width: int, height: int, title: str, description: str) -> str:
    """Returns all that was painted as a document of SVG with the letters of its fonts. Units: px."""
    (content, shared), text = with_shared_shapes(painter.take()), escape(title)
    name = _name_of(content)
    shapes = f"<defs>{''.join(painter.symbols.values())}{''.join(painter.clips)}{shared}</defs>\n{content}"
    # Several pictures in one page have their own shapes and looks. A rule that begins with the picture would not hold
    # for what is referred to.
    shapes = _TAG.sub(lambda tag: _NAME.sub(rf"\g<0>{name}", tag[0]), shapes)
    style = font_faces(painter.letters) + painter.styles.css(name)
    for family in NAMES.values():
        style = style.replace(family, f"{name}-{family}")
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" stroke-linecap="square" stroke-linejoin="bevel">\n'
        f"<title>{text}</title>\n<desc>{escape(description)}</desc>\n"
        f"<style>{escape(style)}</style>\n{shapes}\n</svg>\n"
    )


def _joined(first: str, second: str) -> str:
    """Returns two paths of one look as one; "" if they are none."""
    one, two = PATH.fullmatch(first), PATH.fullmatch(second)
    if one is None or two is None or one.group(1, 3) != two.group(1, 3):
        return ""
    return f'<path class="{one[1]}" d="{one[2]}{two[2]}"{one[3] or ""}/>'


def _name_of(content: str) -> str:
    """Returns a short name that other contents do not have."""
    found = hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()
    return f"g{base64.b32encode(found)[:5].decode().lower()}"


def _symbol(name: str, styles: Styles) -> str:
    """Returns an icon as a symbol with the looks of its root."""
    source = icon_source(name)
    found = _ICON.search(source)
    assert found is not None
    root = source[: source.index(">")]
    look = styles.name(";".join(f"{item[1]}:{item[2]}" for item in _ROOT_OF_ICON.finditer(root)))
    drawn = _LAST_ZEROS.sub("", found[2])
    return f'<symbol id="i-{name}" class="{look}" {found[1]}>{drawn}</symbol>'


def _box(box: QRectF) -> str:
    sides = zip(("x", "y", "width", "height"), (box.left(), box.top(), box.width(), box.height()), strict=True)
    return " ".join(f'{name}="{coordinate(value)}"' for name, value in sides)


def _pair(item: Any) -> str:  # Any: an element of a path
    return f"{coordinate(item.x)} {coordinate(item.y)}"
