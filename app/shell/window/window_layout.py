"""The arrangement of a window: the welcome page or the document, with panels around it or without any."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.canvas.geometry.view.refit import Refit
from gradwire.app.canvas.painting.picture import file_thumbnail
from gradwire.app.features.pages.page_tabs import PageTabs
from gradwire.app.features.pages.round_bar import RoundBar
from gradwire.app.features.welcome.welcome import WelcomePage
from gradwire.app.look.widgets import make_column
from gradwire.app.shell.status.status_bar import StatusBar
from gradwire.app.shell.window.caption import CaptionLine
from gradwire.app.shell.window.context import WindowContext
from gradwire.app.shell.window.panels import Panels
from gradwire.app.shell.window.presenting import Presenting
from gradwire.app.shell.window.refreshing import Refreshing
from gradwire.app.shell.window.sayings import Sayings


class WindowLayout(QObject):
    """Shows and hides what surrounds the canvas of one window; `refreshing` tells when it shows the state anew.

    `turned()` comes with the welcome page and with a document, `presented(bool)` with the page alone and its end.
    """

    turned = Signal()
    presented = Signal(bool)

    def __init__(self, context: WindowContext, rounds: RoundBar, panels: Panels) -> None:
        frame, editor_page, canvas, appearance, settings = context
        super().__init__(frame)
        self._frame, self._editor_page = frame, editor_page
        self._canvas, self._panels, current = canvas, panels, canvas.current
        self.tabs, self.rounds = PageTabs(current, appearance), rounds
        self.welcome = WelcomePage(settings, appearance, file_thumbnail)
        self.status = StatusBar(current, appearance)
        self.sayings = Sayings(canvas, self.status)
        self.refreshing = Refreshing(current, frame)
        # What surrounds canvas and panels; there is no bar before it is put here.
        self._bar: QWidget | None = None
        self.shows_only_canvas = False
        caption = CaptionLine(current, appearance, editor_page)
        below = panels.bottom, caption
        layout = make_column(self.tabs, rounds, canvas, *below, inside=editor_page, margins=0, spacing=0)
        layout.setStretchFactor(canvas, 1)
        self._refit, self._is_turning = Refit(canvas.viewport, canvas.page), False
        call_on(self._make_room, canvas.resized, panels.overlay.moved)
        rounds.wanted.connect(self._show_rounds)
        self.presenting = Presenting(context, self._refit, caption)
        self.presented.connect(self.presenting.turn)
        self._stack = QStackedWidget(frame)
        self._stack.addWidget(self.welcome)
        self._stack.addWidget(editor_page)

    def put_bar(self, bar: QWidget) -> None:
        """Puts the bar, the status line and the pages into the window."""
        self._bar = bar
        self._frame.setStatusBar(self.status)
        self._frame.setMenuWidget(bar)
        self._frame.setCentralWidget(self._stack)

    @property
    def shows_welcome(self) -> bool:
        """Whether the welcome page is shown."""
        return self._stack.currentWidget() is self.welcome

    def show_welcome(self) -> None:
        """Shows the welcome page; the document stays open behind it."""
        self.welcome.refresh()
        self._stack.setCurrentWidget(self.welcome)
        self._show_panels(False)
        self.turned.emit()

    def show_document(self) -> None:
        """Shows the document, its page fitted to the window, with the keyboard on the canvas."""
        self._stack.setCurrentWidget(self._editor_page)
        self._show_panels(not self.shows_only_canvas)
        self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, self._canvas, self._canvas.viewport.fit_page)
        self.turned.emit()

    def toggle_only_canvas(self) -> None:
        """Hides everything but the canvas, or shows it again."""
        self.shows_only_canvas = not self.shows_only_canvas
        self._show_panels(not self.shows_only_canvas)
        if self._bar is not None:
            self._bar.setVisible(not self.shows_only_canvas)
        self.presented.emit(self.shows_only_canvas)

    def present(self) -> None:
        """Shows the page alone on the whole screen, or all again."""
        self.presenting.fills_screen = True
        self.toggle_only_canvas()

    def leave_only_canvas(self) -> bool:
        """Shows again what surrounds the canvas; returns whether it was hidden."""
        was_hidden = self.shows_only_canvas
        if was_hidden:
            self.toggle_only_canvas()
        return was_hidden

    def _make_room(self) -> None:
        """Lets the page give way to what opens beside the canvas or over it, and return when that closes."""
        canvas = self._canvas
        origin = canvas.mapTo(self._frame, QPoint())
        room = canvas.rect().marginsRemoved(canvas.viewport.beside).translated(origin)
        self._refit.take(origin.toPointF(), room.toRectF(), self._is_turning)

    def _show_rounds(self, are_shown: bool) -> None:
        """Shows or hides the bar of a loop at once: the canvas fits the page that comes into the room that is left."""
        self._is_turning = True
        self.rounds.setVisible(are_shown)
        layout = self._editor_page.layout()
        if layout is not None and self._editor_page.isVisible():
            layout.activate()
        self._is_turning = False

    def _show_panels(self, are_shown: bool) -> None:
        self._panels.show(are_shown)
        self.status.setVisible(not self.shows_welcome and not self.shows_only_canvas)
        self.tabs.set_wanted(not self.shows_only_canvas)
