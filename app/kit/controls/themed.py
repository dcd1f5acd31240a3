"""Icons of buttons that follow the theme by themselves."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractButton

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import set_icon
from gradwire.app.look.theme import Theme

Button = TypeVar("Button", bound=QAbstractButton)


def themed(button: Button, appearance: Appearance, name: str, token: str = "text.secondary", px: int = 16) -> Button:
    """Returns a button that has an icon in the colour of the theme, whichever theme is in use."""
    _ThemedIcon(button, appearance, name, token, px)
    return button


class _ThemedIcon(QObject):
    """An icon of a button; it lives as long as the button does."""

    def __init__(self, button: QAbstractButton, appearance: Appearance, name: str, token: str, px: int) -> None:
        super().__init__(button)
        self._button, self._look = button, (name, token, px)
        appearance.changed.connect(self._put_on)
        self._put_on(appearance.theme)

    def _put_on(self, theme: Theme) -> None:
        set_icon(self._button, theme, *self._look)
