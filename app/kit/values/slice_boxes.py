"""Boxes that select a slice of a tensor: one index for each of its first axes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSpinBox, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.widgets import make_row, named

_BUTTON, _ARROW = 18, 10.0


class SliceBoxes(QWidget):
    """The boxes, hidden if there is nothing to select. A selection by the user emits `changed()`."""

    changed = Signal()

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self._name = name
        self._boxes: list[QSpinBox] = []
        self._rows = make_row(inside=self, margins=0, spacing=6)
        self.hide()

    @property
    def index(self) -> tuple[int, ...]:
        """The index along each of the axes."""
        return tuple(box.value() for box in self._boxes)

    def show_sizes(self, sizes: tuple[int, ...]) -> None:
        """Offers an index for each axis of these sizes; indices that remain valid stay."""
        while len(self._boxes) > len(sizes):
            dismiss(self._boxes.pop(), self._rows)
        while len(self._boxes) < len(sizes):
            self._boxes.append(self._made(len(self._boxes)))
        for box, size in zip(self._boxes, sizes, strict=True):
            box.blockSignals(True)
            box.setMaximum(max(0, size - 1))
            box.setToolTip(tr("0 to {last}", last=max(0, size - 1)))
            box.blockSignals(False)
        self.setVisible(bool(sizes))

    def _made(self, axis: int) -> QSpinBox:
        box = named(IndexBox(self), f"{self._name}_{axis}", says=tr("Index along axis {axis}", axis=axis), height=24)
        box.setPrefix(tr("axis {axis}: ", axis=axis))
        box.setMinimumWidth(48)
        box.lineEdit().setStyleSheet("border: none; padding: 0; background: transparent;")
        box.lineEdit().setTextMargins(6, 0, 0, 0)
        box.valueChanged.connect(self.changed)
        self._rows.addWidget(box)
        box.show()
        return box


class IndexBox(QSpinBox):
    """A box for an index, with the arrows that a style sheet removes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        bare = f"{{ width: {_BUTTON}px; border: none; background: transparent; }}"
        self.setStyleSheet(f"QSpinBox::up-button, QSpinBox::down-button {bare}")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the box, and at its right an arrow up above an arrow down."""
        super().paintEvent(event)
        color = self.palette().color(QPalette.ColorRole.Text)
        with QPainter(self) as painter:
            painter.translate(self.width() - _BUTTON / 2 - 2, self.height() / 2)
            for turn in (0, 180):
                painter.rotate(turn)
                draw_icon(painter, "chev-down", color, QRectF(-_ARROW / 2, 0, _ARROW, _ARROW))
