"""What many blocks have in common, painted once for a zoom and then copied."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap

PAD = 8.0
AT_MOST = 400


class Sprites:
    """Pixmaps by key, all for one zoom; another zoom empties the store. Only for screens: files get real shapes."""

    def __init__(self, ratio: float) -> None:
        self._ratio, self._scale = ratio, 0.0
        self._size = QSizeF()
        self._found: dict[Hashable, QPixmap] = {}

    @property
    def ratio(self) -> float:
        """Device pixels a px."""
        return self._ratio

    def find(self, key: Hashable, size: QSizeF, scale: float) -> QPixmap | None:
        """The pixmap of a key, None if it has to be drawn. Units: `size` in px at 100 %."""
        if scale != self._scale or len(self._found) > AT_MOST:
            self._scale = scale
            self._found.clear()
        self._size = size
        return self._found.get(key)

    def draw(self, key: Hashable, paint: Callable[[QPainter], None]) -> QPixmap:
        """Draws and keeps the pixmap that `find` did not have; `paint` draws with its corner at 0, 0."""
        grain = self._scale * self._ratio
        box = self.box(self._size)
        pixmap = QPixmap(max(round(box.width() * grain), 1), max(round(box.height() * grain), 1))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.scale(pixmap.width() / box.width(), pixmap.height() / box.height())
        painter.translate(PAD, PAD)
        paint(painter)
        painter.end()
        self._found[key] = pixmap
        return pixmap

    def box(self, size: QSizeF) -> QRectF:
        """Where a pixmap belongs, seen from the block's corner: a little larger than the block, for its shadow."""
        return QRectF(-PAD, -PAD, size.width() + 2 * PAD, size.height() + 2 * PAD)
