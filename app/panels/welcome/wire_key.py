"""The key to the wires: a drawn sample of each pattern with its meaning."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import Theme, font

_BESIDE, _BELOW, _TEXT_GAP = 28, 6, 13
_ROUND, _FLAT = Qt.PenCapStyle.RoundCap, Qt.PenCapStyle.FlatCap


def wire_patterns() -> tuple[tuple[str, str], ...]:
    """Returns the patterns of wires with their names."""
    return (
        ("flow", tr("gradient flows")),
        ("zero", tr("sums to zero")),
        ("blocked", tr("blocked by StopGradient")),
        ("no path", tr("no path to the loss")),
        ("nonfinite", tr("NaN or Inf")),
        ("unknown", tr("not evaluated yet")),
    )


class WireKey(QWidget):
    """The six patterns of wires with their meanings, in a given number of columns."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wire_key")
        patterns = wire_patterns()
        self.setAccessibleName(tr("Wires: {patterns}", patterns=", ".join(text for _, text in patterns)))
        self._entries = [_entry(pattern, text, appearance) for pattern, text in patterns]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_BESIDE)
        self._grid.setVerticalSpacing(_BELOW)
        self.arrange(3)

    def arrange(self, columns: int) -> None:
        """Arranges the patterns in columns."""
        for number, entry in enumerate(self._entries):
            self._grid.addWidget(entry, *divmod(number, columns), Qt.AlignmentFlag.AlignLeft)

    def width_of(self, columns: int) -> int:
        """Returns the width of so many columns."""
        widths = [entry.sizeHint().width() for entry in self._entries]
        return sum(max(widths[column::columns]) for column in range(columns)) + (columns - 1) * _BESIDE


class WirePattern(QWidget):
    """A drawn sample of a wire."""

    def __init__(self, pattern: str, appearance: Appearance, room: QSize) -> None:
        super().__init__()
        self._pattern, self._appearance = pattern, appearance
        self.setFixedSize(room)
        appearance.changed.connect(self.update)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the wire, with space for its ends."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _draw_pattern(painter, self._appearance.theme, self._pattern, 4, self.width() - 4, self.height() / 2)


def _entry(pattern: str, text: str, appearance: Appearance) -> QWidget:
    entry, label = QWidget(), QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(font("ui", 11))
    layout = QHBoxLayout(entry)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(_TEXT_GAP)
    layout.addWidget(WirePattern(pattern, appearance, QSize(46, 20)))
    layout.addWidget(label)
    return entry


def _draw_pattern(painter: QPainter, theme: Theme, pattern: str, left: float, right: float, middle: float) -> None:
    """Draws a sample of a wire from left to right in one of the patterns."""
    start, end = QPointF(left, middle), QPointF(right, middle)

    def line(width: float, color: QColor, dashes: tuple[float, ...] = (), cap: Qt.PenCapStyle = _ROUND) -> None:
        pen = QPen(color, width)
        pen.setCapStyle(cap)
        if dashes:
            pen.setDashPattern([length / width for length in dashes])
        painter.setPen(pen)
        painter.drawLine(start, end)

    if pattern == "flow":
        line(7, theme.ramp(0.75))
        line(1.3, theme.color("bg.canvas"))
    elif pattern == "zero":
        painter.setPen(QPen(theme.color("wire.zero"), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(left - 3, middle - 3.2, right - left + 6, 6.4), 3.2, 3.2)
    elif pattern == "blocked":
        line(2, theme.color("wire.zero"), (7, 5), _FLAT)
    elif pattern == "no path":
        line(1.6, theme.color("wire.nopath"), (1.6, 3.4), _FLAT)
    elif pattern == "nonfinite":
        line(9, theme.color("alarm"))
        line(7, theme.color("bg.canvas"), (5, 5), _FLAT)
    else:
        line(1.8, theme.color("wire.value"))
