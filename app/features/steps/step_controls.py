"""The buttons of step mode: first, back, play, next, last; speed, direction, and leave."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from gradwire.app.base.translation import decimal, tr
from gradwire.app.features.steps.step_mode import SPEEDS, StepMode
from gradwire.app.kit.controls.radio_button import RadioButton
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.widgets import STRETCH, Does, make_row, named

_GO = ("first", "back", "play", "next", "last")
# In the backward pass the next step lies to the left.
_BACKWARD = {"first": "last", "back": "step-fwd", "next": "step-back", "last": "first"}
_FORWARD = {"first": "first", "back": "step-back", "next": "step-fwd", "last": "last"}


class StepControls(SessionView, QWidget):
    """The controls for the step mode of the current session."""

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__()
        self.current, self._appearance = current, appearance
        # The stack of all lenses' controls shows and hides this widget itself.
        self._box = QWidget(self)
        whole = make_row(inside=self, margins=0)
        whole.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        whole.addWidget(self._box)
        self._row = make_row(STRETCH, inside=self._box, margins=(0, 0, 2, 0), spacing=1)
        names = (tr("First step"), tr("Previous step"), tr("Play"), tr("Next step"), tr("Last step"))
        pairs = zip(_GO, names, strict=True)
        self._go = {name: self._button(f"step_{name}", text, partial(self._move, name)) for name, text in pairs}
        self._row.addSpacing(4)
        self._speeds = {speed: self._speed(index, speed) for index, speed in enumerate(SPEEDS)}
        self._row.addSpacing(4)
        self._way = self._button("step_way", "", lambda: self._steps.enter(not self._steps.is_forward))
        self._leave = self._button("step_leave", tr("Leave step mode (Esc)"), lambda: self._steps.leave())
        ends = [self._go["first"], self._go["last"]]
        self._spare = ([self._way], [*self._speeds.values()], ends)
        self._all = [*self._go.values(), *self._speeds.values(), self._way, self._leave]
        spared = [button for group in self._spare for button in group]
        self._needed = [button for button in self._all if button not in spared]

    def sizeHint(self) -> QSize:  # Qt's name
        """Returns the size of all buttons."""
        return QSize(self._width_of(self._all), 24)

    def minimumSizeHint(self) -> QSize:
        """Returns the size of the indispensable buttons."""
        return QSize(self._width_of(self._needed), 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hides buttons that do not fit: direction, speed, then the ends, which menu and columns offer too."""
        super().resizeEvent(event)
        shown = list(self._all)
        for group in self._spare:
            if self._width_of(shown) > self.width():
                shown = [button for button in shown if button not in group]
        for button in self._all:
            button.setVisible(button in shown)

    def _width_of(self, buttons: Sequence[QToolButton]) -> int:
        return sum(max(button.sizeHint().width(), button.minimumWidth()) + 1 for button in buttons) + 12

    @property
    def _steps(self) -> StepMode:
        return self.session.part(StepMode)

    def show_state(self) -> None:
        """Enables and checks the buttons according to the state of step mode."""
        steps = self._steps
        self._box.setVisible(steps.is_on)
        for name in ("first", "back"):
            self._go[name].setEnabled(steps.at > 1)
        for name in ("next", "last"):
            self._go[name].setEnabled(steps.at < steps.count)
        self._go["play"].setEnabled(steps.count > 1)
        says, tip = (tr("Pause"), tr("Pause (Space)")) if steps.is_playing else (tr("Play"), tr("Play (Space)"))
        named(self._go["play"], says=says, tip=tip)
        for speed, button in self._speeds.items():
            button.setChecked(speed == steps.speed)
        ways = tr("Go forward: values from the inputs"), tr("Go backward: gradients from the loss")
        named(self._way, words=ways[steps.is_forward])
        theme, picture = self._appearance.theme, "pause" if steps.is_playing else "play"
        icons = (_FORWARD if steps.is_forward else _BACKWARD) | {"play": picture}
        for name, button in self._go.items():
            button.setIcon(icon(theme, icons[name], "text.primary"))
        self._leave.setIcon(icon(theme, "stop-square", "text.primary"))
        self._way.setIcon(icon(theme, *(("arrow-l", "grad.text") if steps.is_forward else ("arrow-r", "value"))))

    def _move(self, name: str) -> None:
        steps = self._steps
        if name == "play":
            steps.turn()
        else:
            steps.go({"first": 1, "back": steps.at - 1, "next": steps.at + 1, "last": steps.count}[name])

    def _button(self, name: str, text: str, does: Does, kind: type[QToolButton] = QToolButton) -> QToolButton:
        button = named(kind(self._box), name, words=text, height=24, focus=Qt.FocusPolicy.TabFocus)
        button.clicked.connect(does)
        button.setMinimumWidth(22)
        button.setIconSize(QSize(14, 14))
        button.setStyleSheet("padding: 0 2px")
        self._row.addWidget(button)
        return button

    def _speed(self, index: int, speed: float) -> QToolButton:
        text = decimal(f"{speed:g}×")
        words = tr("Speed {factor}", factor=text)
        button = self._button(f"step_speed_{index}", words, lambda: self._steps.set_speed(speed), RadioButton)
        named(button, look=("first", "middle", "last")[index]).setText(text)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setMinimumWidth(button.fontMetrics().horizontalAdvance(text) + 10)
        return button
