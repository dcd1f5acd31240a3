"""Questions and complaints in dialogs of a window that the user has to answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QMessageBox, QWidget

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon_pixmap
from gradwire.app.look.widgets import named
from gradwire.engine.base.untrusted_text import plain_lines


class Messages:
    """Makes the message boxes of one window."""

    def __init__(self, parent: QWidget, appearance: Appearance) -> None:
        self._parent, self._appearance = parent, appearance

    def question(self, name: str, title: str, sentence: str) -> QMessageBox:
        """Returns a question to the user, without its buttons."""
        box = named(QMessageBox(self._parent), name)
        box.setIconPixmap(self._icon("save", "accent"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Gradwire")
        box.setText(title)
        box.setInformativeText(plain_lines(sentence))
        return box

    def error(self, title: str, sentence: str) -> QMessageBox:
        """Returns a box that says what went wrong, without its buttons."""
        box = self.question("error_dialog", title, sentence)
        box.setIconPixmap(self._icon("error", "error"))
        return box

    def inform(self, title: str, sentence: str) -> None:
        """Says in a dialog something that the user should know."""
        ok = QMessageBox.StandardButton.Ok
        ask_buttons(self.question("info_dialog", title, sentence), ok, ok)

    def notify(self, title: str, sentence: str, offer: str = "", do: Callable[[], None] = lambda: None) -> None:
        """Says something in a dialog that waits for nobody, with a button that does something more."""
        box = self.question("notice_dialog", title, sentence)
        box.setStandardButtons(QMessageBox.StandardButton.Ok)
        if offer:
            button = box.addButton(offer, QMessageBox.ButtonRole.ActionRole)
            button.setObjectName("notice_offer")
            button.clicked.connect(do)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def complain(self, title: str, sentence: str, offer: str = "") -> bool:
        """Says in a dialog what went wrong; whether a button was pressed that offers something."""
        box = self.error(title, sentence)
        box.setStandardButtons(QMessageBox.StandardButton.Ok)
        button = box.addButton(offer, QMessageBox.ButtonRole.ActionRole) if offer else None
        box.exec()
        is_wanted = button is not None and box.clickedButton() is button
        box.deleteLater()
        return is_wanted

    def _icon(self, name: str, token: str) -> QPixmap:
        return icon_pixmap(name, self._appearance.theme.css(token), 32, self._parent.devicePixelRatioF())


def ask(
    box: QMessageBox, answers: Mapping[str, str], role: QMessageBox.ButtonRole = QMessageBox.ButtonRole.ActionRole
) -> str:
    """Shows a question with a button for each answer, the first the default, and Cancel; gives the key, or ""."""
    buttons = {}
    for key, text in answers.items():
        button = buttons[key] = box.addButton(text, role)
        button.setObjectName(f"answer_{key}")
    box.setStandardButtons(box.standardButtons() | QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(next(iter(buttons.values())))
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    return next((key for key, button in buttons.items() if button is clicked), "")


def ask_buttons(
    box: QMessageBox, buttons: QMessageBox.StandardButton, default: QMessageBox.StandardButton
) -> QMessageBox.StandardButton:
    """Shows a question with standard buttons; gives the one that was pressed."""
    box.setStandardButtons(buttons)
    box.setDefaultButton(default)
    answer = QMessageBox.StandardButton(box.exec())
    box.deleteLater()
    return answer
