"""One window for many tests: after each it is brought back to how it opens, and used again only if nothing differs."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.start.main_window import MainWindow
from tests.app.window.finding import let_paint
from tests.app.window.graphs import chain
from tests.app.window.state import State, differences, state_of
from tests.app.windows import Make, let_go, open_windows

Windows = Callable[[], AbstractContextManager[Make]]
SIZE = QSize(1600, 1000)
_STANDARD: State = {}


class SharedWindow:
    """The window of many tests, made when it is first asked for, and again after one that could not be brought back."""

    def __init__(self, windows: Windows) -> None:
        self._windows = windows
        self._context: AbstractContextManager[Make] | None = None
        self._window: MainWindow | None = None
        self._home: str | None = None

    def get(self) -> MainWindow:
        """Returns a window as it opens, which keeps copies and versions where the test wants them.

        It is painted once the test begins: the graph of a fixture is all that anybody sees.
        """
        if self._home != (home := os.environ.get("XDG_STATE_HOME")):
            if self._window is not None:
                self._window.windows.run_folder.leave()
            self._home = home
        if self._window is None:
            self._context = self._windows()
            self._window = self._context.__enter__()(InlineEvaluator)
            begin(self._window)
            _STANDARD or _note_standard(self._window)
        return self._window

    def paint(self) -> None:
        """Lets the window be painted from now on."""
        if self._window is not None and isValid(self._window):
            let_paint(self._window)

    def bring_back(self) -> None:
        """Brings the window back to how it opens, unpainted until it is used, or closes it if something differs."""
        if self._window is None:
            return
        if is_open(self._window):
            close_others(self._window)
            self._window.setUpdatesEnabled(False)
            if not left_over(self._window):
                return
        self.close()

    def close(self) -> None:
        """Closes the window and checks that nothing of it remains."""
        context, self._context, self._window = self._context, None, None
        if context is not None:
            context.__exit__(None, None, None)


def standard(windows: Windows) -> State:
    """The state of a window that has shown one graph and was brought back."""
    if not _STANDARD:
        with windows() as make:
            window = make(InlineEvaluator)
            begin(window)
            _note_standard(window)
    return _STANDARD


def begin(window: MainWindow) -> None:
    """Shows one graph and brings the window back: much is made with the first document, and stays."""
    window.parts.document.show(chain())
    window.session.select(Selection(frozenset("e")))
    let_go()
    bring_back(window)


def _note_standard(window: MainWindow) -> None:
    _STANDARD.update(state_of(window))


def is_open(window: MainWindow) -> bool:
    """Whether a window has not been closed."""
    return isValid(window) and window in open_windows(window)


def close_others(window: MainWindow) -> None:
    """Closes the windows that were opened from a window."""
    for other in open_windows(window):
        if other is not window:
            other.close_unasked()
            other.deleteLater()


def left_over(window: MainWindow) -> dict[str, tuple[object, object]]:
    """Brings a window back to how it opens, and returns what still differs, by path: before and now."""
    scale = window.appearance.text_scale
    bring_back(window)
    found = differences(_STANDARD, state_of(window))
    # Hidden widgets keep the heights for texts of another size until they are shown.
    return found if scale == 1 else {"text scale": (1.0, scale), **found}


def bring_back(window: MainWindow) -> None:
    """Closes what a test has opened, the document too, and forgets its settings."""
    for widget in QApplication.topLevelWidgets():
        if widget is not window and widget.isVisible():
            widget.close()
    parts, settings = window.parts, window.settings
    window.session.document.mark_saved()
    parts.document.leave()
    unmake(parts.dialogs, "wires")
    unmake(parts.editor.tensors, "_dialog")
    parts.panels.bottom.forget()
    parts.panels.overlay.close_by_user()
    parts.canvas.page_look.is_by_block = False
    parts.canvas.page_look.set_overlay(Overlay.MAGNITUDE)
    parts.canvas.keyboard.go(None)
    parts.canvas.keyboard.show(False)
    QApplication.sendEvent(parts.canvas, QEvent(QEvent.Type.Leave))
    # Puts out at once what goes out a moment after the pointer has gone.
    parts.viewing.partners._later.stop()
    parts.viewing.partners._follow()
    # A screen reader may have been there; nobody waits for the names any more.
    names = parts.viewing.live_region._name_changes
    names._pause.stop()
    names._slice.stop()
    # The next tap is the first one.
    parts.canvas._touch._is_tap, parts.canvas._touch._last_tap = False, None
    # What was refused stands there for some seconds, in place of the sentence.
    parts.layout.status.clearMessage()
    window.resize(SIZE)
    let_go()
    # Now, because panels that close tell the settings, and before the welcome page shows the files opened last.
    keys = settings._store.allKeys()
    settings._store.clear()
    for key in keys:
        settings.changed.emit(key)
    # Switches that went back have noted it.
    settings._store.clear()
    parts.layout.welcome.refresh()
    window.activateWindow()
    parts.layout.welcome.field.setFocus()
    let_go()


def unmake(holder: object, name: str) -> None:
    """Deletes a dialog that was made when it was first needed, so that it is made again."""
    made = vars(holder).pop(name, None)
    if isinstance(made, QWidget):
        made.deleteLater()
