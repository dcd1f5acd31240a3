"""The appearance of the whole program: its theme, its contrast, its text size, and the shape of wires."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gradwire.app.base.signals import call_on
from gradwire.app.look.style import style_sheet
from gradwire.app.look.system import wants_contrast
from gradwire.app.look.theme import Theme, font, theme

_WORN = "gradwire_worn"
Choice = Literal["system", "dark", "light"]
Contrast = Literal["system", "on", "off"]


class Appearance(QObject):
    """The `theme` in use, and whether wires are curves (`has_curves`) or have corners.

    `choice` of a theme and `contrast` are the user's, or the system's. `text_scale` is that of all texts, 1 by default;
    those on the canvas are never smaller than at 1. `changed(Theme)` is emitted after the application has applied it;
    widgets that paint then repaint. `texts_changed()` is emitted when texts have another size, `restyled()` after
    either.
    """

    changed = Signal(object)
    texts_changed = Signal()
    restyled = Signal()

    def __init__(self, choice: Choice = "system", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choice: Choice = choice
        self.contrast: Contrast = "system"
        self.text_scale = 1.0
        self.has_curves = False
        self.theme = self._chosen()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._update)
        if hasattr(hints, "accessibility"):
            hints.accessibility().contrastPreferenceChanged.connect(self._update)
        self._put_on()
        call_on(self.restyled, self.changed, self.texts_changed)

    def choose(self, choice: Choice) -> None:
        """Chooses a theme, or the system's."""
        self.choice = choice
        self._update()

    def choose_contrast(self, contrast: Contrast) -> None:
        """Chooses high contrast, normal contrast, or the system's."""
        self.contrast = contrast
        self._update()

    def set_text_scale(self, scale: float) -> None:
        """Sets the scale of all texts."""
        if scale != self.text_scale:
            self.text_scale = scale
            self._put_on_texts()
            self.texts_changed.emit()

    def choose_curves(self, has_curves: bool) -> None:
        """Chooses curves or corners for wires."""
        if has_curves != self.has_curves:
            self.has_curves = has_curves
            self.changed.emit(self.theme)

    def _update(self) -> None:
        chosen = self._chosen()
        if chosen is not self.theme:
            self.theme = chosen
            self._put_on()
            self.changed.emit(chosen)

    def _chosen(self) -> Theme:
        is_strong = self.contrast == "on" or (self.contrast == "system" and wants_contrast())
        if self.choice != "system":
            return theme(self.choice, is_strong)
        is_light = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Light
        return theme("light" if is_light else "dark", is_strong)

    def _put_on(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication) and application.property(_WORN) != self._worn:
            if application.property(_WORN) is None:
                application.setStyle("Fusion")
            application.setPalette(self.theme.palette())
            self._put_on_texts()

    def _put_on_texts(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setFont(font("ui", 12 * self.text_scale))
            application.setStyleSheet(style_sheet(self.theme, self.text_scale))
            application.setProperty(_WORN, self._worn)

    @property
    def _worn(self) -> str:
        """A key of the applied style, because Qt visits every widget even to apply the same style again."""
        return f"{self.theme.name} {self.theme.is_strong} {self.text_scale}"
