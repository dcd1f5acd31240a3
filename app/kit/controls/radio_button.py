"""Buttons in a row of which exactly one is on, and what screen readers are told of them: radio buttons in a group."""

from __future__ import annotations

import functools

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QToolButton, QWidget

Role = QAccessible.Role


class RadioButton(QToolButton):
    """One of several buttons in the same box; the arrow keys go from one to the next.

    `chosen_again()` comes with a click on the one that is on, of which Qt tells no action.
    """

    chosen_again = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        install()
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self._was_on = False
        self.pressed.connect(lambda: setattr(self, "_was_on", self.isChecked()))
        self.clicked.connect(self._tell)

    def _tell(self) -> None:
        if self._was_on:
            self.chosen_again.emit()


class RadioGroup(QWidget):
    """The box around radio buttons, with the name of what they choose."""

    def __init__(self, name: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        install()
        self.setAccessibleName(name)


class RadioAccessible(QAccessibleWidget):
    """A radio button; Qt tells of any tool button that can be on as a check box."""

    def __init__(self, button: RadioButton) -> None:
        super().__init__(button, Role.RadioButton)
        self._button = button

    def text(self, kind: QAccessible.Text) -> str:
        """Returns what is said of the button; without a name of its own it is called by its text."""
        text = super().text(kind)
        is_name = kind is QAccessible.Text.Name and shiboken6.isValid(self._button)
        return self._button.text() if is_name and not text else text

    def state(self) -> QAccessible.State:
        """Returns the state of the widget, and whether it is on."""
        state = super().state()
        if shiboken6.isValid(self._button):
            state.checkable, state.checked = True, self._button.isChecked()
        return state

    def actionNames(self) -> list[str]:
        """Returns the names of the actions."""
        return [QAccessibleActionInterface.pressAction(), QAccessibleActionInterface.setFocusAction()]

    def doAction(self, name: str) -> None:
        """Carries out an action."""
        if name == QAccessibleActionInterface.pressAction() and self._button.isEnabled():
            self._button.click()
        elif name == QAccessibleActionInterface.setFocusAction():
            self._button.setFocus()


@functools.cache
def install() -> None:
    """Lets Qt ask here for radio buttons and their groups from now on."""
    QAccessible.installFactory(_made)


def _made(_: str, thing: QObject) -> QAccessibleInterface | None:
    if isinstance(thing, RadioButton):
        return _kept(thing, RadioAccessible(thing))
    return _kept(thing, QAccessibleWidget(thing, Role.Grouping)) if isinstance(thing, RadioGroup) else None


def _kept(widget: QWidget, made: QAccessibleInterface) -> QAccessibleInterface:
    """Returns what Qt keeps a bare pointer to; it lives as long as its widget."""
    widget.__dict__["accessible"] = made
    return made
