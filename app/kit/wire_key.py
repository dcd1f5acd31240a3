"""The key to the wires: a drawn sample of each pattern with its meaning."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.themed import ThemedWidget
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked, smooth
from gradwire.app.look.status_texts import status_name
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import make_grid, make_label, make_row, named
from gradwire.app.look.wire_pens import flow_pens, status_pens
from gradwire.engine.autodiff.status import Status

_BESIDE, _BELOW, _TEXT_GAP = 28, 6, 13


# The patterns of the welcome page; the help has all.
SHOWN = (Status.FLOW, Status.ZERO, Status.BLOCKED, Status.NO_PATH, Status.NONFINITE, Status.UNKNOWN)


class WireKey(QWidget):
    """The six patterns of wires with their meanings, in a given number of columns."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "wire_key", says=tr("Wires: {patterns}", patterns=", ".join(map(status_name, SHOWN))))
        self._entries = [_entry(status, appearance) for status in SHOWN]
        self._grid = make_grid(self, margins=0, spacing=(_BESIDE, _BELOW))
        self.arrange(3)

    def arrange(self, columns: int) -> None:
        """Arranges the patterns in columns."""
        for number, entry in enumerate(self._entries):
            self._grid.addWidget(entry, *divmod(number, columns), Qt.AlignmentFlag.AlignLeft)

    def width_of(self, columns: int) -> int:
        """Returns the width of so many columns."""
        widths = [entry.sizeHint().width() for entry in self._entries]
        return sum(max(widths[column::columns]) for column in range(columns)) + (columns - 1) * _BESIDE


class WirePattern(ThemedWidget):
    """A drawn sample of a wire."""

    def __init__(self, status: Status, appearance: Appearance, room: QSize) -> None:
        super().__init__(appearance, size=room.toTuple())
        self._status = status

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the wire as the canvas does, with space for its ends."""
        theme, middle = self._appearance.theme, self.height() / 2
        is_flow = self._status is Status.FLOW
        with smooth(self) as painter:
            for stroke in flow_pens(theme, 0.75, None, True) if is_flow else status_pens(theme, self._status):
                inked(painter, stroke).drawLine(QLineF(4, middle, self.width() - 4, middle))


def _entry(status: Status, appearance: Appearance) -> QWidget:
    entry, label = QWidget(), make_label(status_name(status), font=font("ui", 11))
    make_row(WirePattern(status, appearance, QSize(46, 20)), label, inside=entry, margins=0, spacing=_TEXT_GAP)
    return entry
