"""Presenting: the page alone on the whole screen, with larger texts, and back to what was there, to the pixel."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from gradwire.app.base.timers import make_timer
from gradwire.app.canvas.geometry.view.camera import fitted_into
from gradwire.app.canvas.geometry.view.refit import Refit
from gradwire.app.look.widgets import named
from gradwire.app.shell.window.accessibility import text_size
from gradwire.app.shell.window.caption import CaptionLine
from gradwire.app.shell.window.context import WindowContext

# The least size of texts, for the back rows. Units: %.
TEXTS = 150
# What stays free below, for the names of blocks at texts of 100 %. Units: px.
NAMES = 16


class Presenting(QObject):
    """What begins and ends with a page that is presented; `fills_screen` asks for the whole screen next time."""

    def __init__(self, context: WindowContext, refit: Refit, caption: CaptionLine) -> None:
        frame, canvas = context.frame, context.canvas
        super().__init__(frame)
        self._frame, self._canvas, self._refit, self.caption = frame, canvas, refit, caption
        self._appearance, self._settings = context.appearance, context.settings
        self.fills_screen = False
        self._state: Qt.WindowState | None = None
        self._before = refit.home
        self._black = named(QWidget(frame), "black")
        self._black.setStyleSheet("background: black")
        self._black.hide()
        # The canvas takes its size in several steps.
        self._later = make_timer(self, self._settle)
        canvas.resized.connect(self._later.start)
        canvas.keys.key_takers.insert(0, self._press)

    def turn(self, is_on: bool) -> None:
        """Begins or ends."""
        frame = self._frame
        if is_on:
            self._before = self._refit.note()
            if self.fills_screen and frame.isVisible():
                self._state = frame.windowState()
                frame.setWindowState(self._state | Qt.WindowState.WindowFullScreen)
        else:
            # The page goes back as the canvas takes its size again.
            self._canvas.viewport.placed, self._refit.home = self._canvas.viewport.destination, self._before
            if self._state is not None:
                frame.setWindowState(self._state)
                self._state = None
        self._black.hide()
        size = text_size(self._settings)
        self._appearance.set_text_scale((max(size, TEXTS) if is_on else size) / 100)
        self.caption.show_line(is_on)
        self._canvas.page_look.set_notes(not is_on)
        self._canvas.keys.holds_letters = is_on
        self._later.start()

    def _settle(self) -> None:
        """Fits the blocks into the whole screen."""
        viewport, mirror = self._canvas.viewport, self._canvas.mirror
        if self.caption.is_on:
            area, below = mirror.block_bounds() | mirror.wire_bounds(), NAMES * self._appearance.text_scale
            room = QRectF(self._canvas.rect()).adjusted(0, 0, 0, -below)
            camera = fitted_into(area, room, self._appearance.text_scale)
            # A page that would be too small begins where it is best read.
            viewport.look_with(camera) if camera.scale >= viewport.page_camera().scale else viewport.fit_page()

    def _press(self, event: QKeyEvent) -> bool:
        """Turns the screen black and back by B, and gives other keys to the caption."""
        if not self.caption.is_on:
            return False
        if event.key() == Qt.Key.Key_B and not event.modifiers():
            self._black.setGeometry(self._frame.rect())
            self._black.setVisible(self._black.isHidden())
            self._black.raise_()
            return True
        return self.caption.press(event)
