"""Pictures of parts of wires: straight strips and bends with all strokes, copied at whole device pixels."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPen, QPixmap

from gradwire.app.canvas.painting.cache.wire_parts import BEND, LEVEL
from gradwire.app.canvas.painting.wires.wire_painter import with_width
from gradwire.app.look.drawing import clear_pixmap, smooth

LONGEST = 1024


class WirePictures:
    """The parts of wires with the same strokes, the lowest first; of dashed ones nothing can be put together.

    Units: device pixels, `grain` of them a px. `half` is as far as the strokes reach from the middle of a wire.
    """

    def __init__(self, pens: tuple[QPen, ...], grain: float) -> None:
        widths = [pen.widthF() * grain for pen in pens]
        self.half = math.ceil(max(widths) / 2)
        self.is_dashed = any(pen.style() is not Qt.PenStyle.SolidLine for pen in pens)
        # The outermost stroke is made as wide as the picture: nothing of it has to be blended.
        self._strokes = [(pens[0], 2.0 * self.half), *zip(pens[1:], widths[1:], strict=True)]
        self._bends: dict[tuple[int, int, int], QPixmap] = {}

    def copy(self, painter: QPainter, parts: Iterable[Sequence[int]]) -> None:
        """Draws the parts of one wire, as `wire_parts` gives them; the painter draws device pixels."""
        half, thick = self.half, 2 * self.half
        for _, kind, x, y, size, right, down in parts:
            if kind == BEND:
                reach = self.reach(size)
                painter.drawPixmap(x - reach, y - reach, self.bend(size, right, down))
                continue
            for start in range(0, size, LONGEST):
                length = min(LONGEST, size - start)
                if kind == LEVEL:
                    painter.drawPixmap(x + start, y - half, self.level, 0, 0, length, thick)
                else:
                    painter.drawPixmap(x - half, y + start, self.upright, 0, 0, thick, length)

    @functools.cached_property
    def level(self) -> QPixmap:
        """A level piece, its middle `half` below its upper edge."""
        return self._strip(is_level=True)

    @functools.cached_property
    def upright(self) -> QPixmap:
        """An upright piece, its middle `half` right of its left edge."""
        return self._strip(is_level=False)

    def bend(self, radius: int, right: int, down: int) -> QPixmap:
        """Returns a bend around the middle of a picture; `right` and `down` are 1 or -1 for the sides of its arms."""
        key = radius, right, down
        if key not in self._bends:
            self._bends[key] = self._bend(*key)
        return self._bends[key]

    def _strip(self, is_level: bool) -> QPixmap:
        thick = 2 * self.half
        # Without an alpha channel: copied, not blended.
        image = QImage(*((LONGEST, thick) if is_level else (thick, LONGEST)), QImage.Format.Format_RGB32)
        with smooth(image) as painter:
            for pen, width in self._strokes:
                edge = self.half - width / 2
                box = QRectF(0, edge, LONGEST, width) if is_level else QRectF(edge, 0, width, LONGEST)
                painter.fillRect(box, pen.color())
        return QPixmap.fromImage(image)

    def _bend(self, radius: int, right: int, down: int) -> QPixmap:
        reach = self.reach(radius)
        pixmap = clear_pixmap(QSize(2 * reach, 2 * reach))
        with smooth(pixmap) as painter:
            painter.translate(reach, reach)
            way = QPainterPath()
            way.moveTo(right * radius, 0)
            way.quadTo(0, 0, 0, down * radius)
            for pen, width in self._strokes:
                painter.strokePath(way, with_width(pen, width))
        return pixmap

    def reach(self, radius: int) -> int:
        """Returns how far the picture of a bend reaches from its middle."""
        return max(radius, self.half) + 1
