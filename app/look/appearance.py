"""The appearance of the whole program: its theme, its contrast, its text size, and the shape of wires."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gradwire.app.look.style import style_sheet
from gradwire.app.look.system import wants_contrast
from gradwire.app.look.theme import Theme, font, theme

_WORN = "gradwire_worn"
Choice = Literal["system", "dark", "light"]
Contrast = Literal["system", "on", "off"]


class Appearance(QObject):
    """The theme in use, and whether wires are curves.

    `changed(Theme)` is emitted after the application has applied it; widgets that paint then repaint. `texts_changed()`
    is emitted when texts have another size.
    """

    changed = Signal(object)
    texts_changed = Signal()

    def __init__(self, choice: Choice = "system", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice: Choice = choice
        self._contrast: Contrast = "system"
        self._text_scale = 1.0
        self._has_curves = False
        self._theme = self._chosen()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._update)
        if hasattr(hints, "accessibility"):
            hints.accessibility().contrastPreferenceChanged.connect(self._update)
        self._put_on()

    @property
    def theme(self) -> Theme:
        """The theme in use."""
        return self._theme

    @property
    def choice(self) -> Choice:
        """The user's choice of a theme."""
        return self._choice

    def choose(self, choice: Choice) -> None:
        """Chooses a theme, or the system's."""
        self._choice = choice
        self._update()

    @property
    def contrast(self) -> Contrast:
        """The user's choice of contrast: high, normal, or the system's."""
        return self._contrast

    def choose_contrast(self, contrast: Contrast) -> None:
        """Chooses high contrast, normal contrast, or the system's."""
        self._contrast = contrast
        self._update()

    @property
    def text_scale(self) -> float:
        """The scale of all texts; 1 is the default size. Those on the canvas are never smaller than that."""
        return self._text_scale

    def set_text_scale(self, scale: float) -> None:
        """Sets the scale of all texts."""
        if scale != self._text_scale:
            self._text_scale = scale
            self._put_on_texts()
            self.texts_changed.emit()

    @property
    def has_curves(self) -> bool:
        """True if wires are curves, False if they have corners."""
        return self._has_curves

    def choose_curves(self, has_curves: bool) -> None:
        """Chooses curves or corners for wires."""
        if has_curves != self._has_curves:
            self._has_curves = has_curves
            self.changed.emit(self._theme)

    def toggle(self) -> None:
        """Chooses the other theme."""
        self.choose("light" if self._theme.name == "dark" else "dark")

    def _update(self) -> None:
        chosen = self._chosen()
        if chosen is not self._theme:
            self._theme = chosen
            self._put_on()
            self.changed.emit(chosen)

    def _chosen(self) -> Theme:
        is_strong = self._contrast == "on" or (self._contrast == "system" and wants_contrast())
        if self._choice != "system":
            return theme(self._choice, is_strong)
        is_light = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Light
        return theme("light" if is_light else "dark", is_strong)

    def _put_on(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication) and application.property(_WORN) != self._worn:
            if application.property(_WORN) is None:
                application.setStyle("Fusion")
            application.setPalette(self._theme.palette())
            self._put_on_texts()

    def _put_on_texts(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setFont(font("ui", 12 * self._text_scale))
            application.setStyleSheet(style_sheet(self._theme, self._text_scale))
            application.setProperty(_WORN, self._worn)

    @property
    def _worn(self) -> str:
        """A key of the applied style, because Qt visits every widget even to apply the same style again."""
        return f"{self._theme.name} {self._theme.is_strong} {self._text_scale}"
