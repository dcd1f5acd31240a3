"""The window: an empty frame that is painted first, then furnished with parts, to which it hands Qt's events on.

Until it is furnished it is a frame in the colours of the theme, which is painted before NumPy is imported: what the
parts need is named here for the type checker alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from PySide6.QtCore import QEvent, QPoint, QRect, QSize
from PySide6.QtGui import QCloseEvent, QResizeEvent

from gradwire.app.base.settings import Settings
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.documents.window_list import OpenWindow, WindowList
from gradwire.app.shell.window import accessibility
from gradwire.app.start.backdrop import Backdrop

if TYPE_CHECKING:
    from gradwire.app.live.process.scheduler import MakeEvaluator
    from gradwire.app.shell.commands.window_bars import WindowBars
    from gradwire.app.shell.commands.window_parts import WindowParts
    from gradwire.app.shell.documents.recovery_files import Copy
    from gradwire.engine.graph.graph import Graph

# How far a further window lies from the one beside which it opens. Units: px.
STEP = QPoint(32, 32)


class MainWindow(OpenWindow):
    """A window, which shows the welcome page where it has no document; once furnished it has `parts` and `bars`."""

    parts: WindowParts
    bars: WindowBars

    def __init__(
        self,
        settings: Settings,
        appearance: Appearance,
        make_evaluator: MakeEvaluator | None = None,
        windows: WindowList | None = None,
    ) -> None:
        """Without `make_evaluator` the window stays empty until it is furnished."""
        super().__init__(settings, appearance, windows or WindowList())
        self.setObjectName("main_window")
        self.setWindowTitle("Gradwire")
        self.setMinimumSize(1024, 640)
        accessibility.wear(settings, appearance)
        self.backdrop = Backdrop(appearance)
        self.setCentralWidget(self.backdrop)
        self.resize(QSize(1600, 1000))
        self.restoreGeometry(settings.state("window"))
        if make_evaluator is not None:
            self.fill(make_evaluator)

    def fill(self, make_evaluator: MakeEvaluator) -> None:
        """Makes all parts of the window and shows the welcome page."""
        from gradwire.app.start.build_window import fill  # loads the engine and all panels

        self.parts, self.bars = fill(self, make_evaluator)
        self.document, self.is_filled = self.parts.document, True
        self.parts.layout.show_welcome()

    def start(self, path: Path | None = None, is_first: bool = False) -> None:
        """Shows what comes first: a file, the welcome page, or an empty graph where that is not wanted.

        The first start of all shows a broken gradient, which the user mends.
        """
        if path is not None:
            self.parts.documents.opening.open_or_begin(path)
        elif is_first:
            self.parts.help.first_steps.begin()
        elif not self.parts.layout.welcome.is_wanted:
            self.parts.documents.opening.new()

    def may_leave(self) -> bool:
        """Whether the graph may go: it is saved, or the user saves it, or does not want to."""
        return not self.is_filled or self.parts.documents.saving.may_leave()

    def keep_unsaved(self) -> None:
        """Writes the copy of what is not saved at once."""
        if self.is_filled:
            self.parts.documents.recovery.write_now()

    def show_copy(self, graph: Graph, title: str, origin: Copy, file: Path | None = None) -> None:
        """Shows a graph that no file of the user holds; `file` is the copy that was kept of it, if there is one."""
        self.parts.documents.show_copy(graph, title, origin, file)

    def learn_blocks(self) -> None:
        """Shows blocks as what they are now."""
        parts, session, camera = self.parts, self.session, self.parts.canvas.camera
        session.infer_anew()
        parts.document.current.begin_anew()
        parts.canvas.viewport.look_with(camera)

    def open_beside(self) -> Self:
        """Opens one more window, a little beside this one, with the same settings and theme."""
        made = type(self)(self.settings, self.appearance, self.parts.document.make_evaluator, self.windows)
        if not (self.isMaximized() or self.isFullScreen()):
            own, frame = self.geometry(), self.frameGeometry()
            edges = own.topLeft() - frame.topLeft(), own.bottomRight() - frame.bottomRight()
            room = self.screen().availableGeometry()
            made.setGeometry(place_beside(own, QRect(room.topLeft() + edges[0], room.bottomRight() + edges[1])))
        made.show()
        made.start()
        made.come_forward()
        return made

    # The window itself

    def event(self, event: QEvent) -> bool:
        """Shows what is possible before a key is looked up: a command that is shown as impossible gets no key."""
        if event.type() is QEvent.Type.ShortcutOverride and self.is_filled:
            self.parts.layout.refreshing.flush()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Lets the bottom take its share of the height."""
        super().resizeEvent(event)
        if self.is_filled:
            self.parts.panels.bottom.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Refreshes the commands when the window becomes active."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.is_filled:
            self.parts.layout.refreshing.soon()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about unsaved changes; then ends the evaluator."""
        if self.is_filled:
            if not (self.is_unasked or self.may_leave()):
                event.ignore()
                return
            self.session.close()
            self.parts.documents.end()
        self.settings.set_state("window", self.saveGeometry())
        self.settings.sync()
        self.windows.remove(self)
        event.accept()


def place_beside(window: QRect, room: QRect) -> QRect:
    """Returns a place a little below and right of a window; where the room ends before, in its upper left corner."""
    place = QRect(window.topLeft() + STEP, window.size().boundedTo(room.size()))
    return place if room.contains(place) else QRect(room.topLeft(), place.size())
