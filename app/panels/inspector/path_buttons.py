"""What can be done next with a gradient that is explained: to see its way, or to step to it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.look.appearance import Appearance
from app.look.icons import icon
from app.words import tr


class WayButtons(QWidget):
    """Two buttons; `chosen(str)` carries the id of the command that one stands for."""

    chosen = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 0, 6, 0)
        layout.setSpacing(8)
        self._path = self._button("ways", tr("Path to L"), "route")
        self._step = self._button("step_here", tr("Step here"), "step-back")
        self._path.clicked.connect(self._choose_path)
        self._step.clicked.connect(self._choose_step)
        for button in self.stops():
            layout.addWidget(button)
        layout.addStretch(1)

    def stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self._path, self._step]

    def offer(self, has_path: bool) -> None:
        """Shows both where a gradient has a way to come along; without one there is nothing to see."""
        self.setVisible(has_path)

    def _button(self, command: str, text: str, picture: str) -> QPushButton:
        button = QPushButton(icon(self._appearance.theme, picture, "text.secondary", 14), text, self)
        button.setObjectName(f"why_{command}")
        return button

    def _choose_path(self) -> None:
        self.chosen.emit("ways")

    def _choose_step(self) -> None:
        self.chosen.emit("step_here")
