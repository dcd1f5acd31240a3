"""From an empty window to one with all its parts: in steps, between which the window answers."""

from __future__ import annotations

import contextlib
import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gradwire.app.base.gc_schedule import without_collection
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr
from gradwire.app.live.process.process import Started, Starter, end
from gradwire.app.start.application import Application
from gradwire.app.start.mistakes import note_start
from gradwire.app.start.safe_start import Start, aside_sentence

if TYPE_CHECKING:
    from gradwire.app.start.main_window import MainWindow

# Where a window is never painted, as one that is minimized, the steps begin all the same. Units: ms.
LONGEST_WAIT = 500
# How long after one was taken the next evaluator is started ahead, for another document or after a death. Units: ms.
REST = 1000
# How long a window stands before its start has succeeded. Units: ms.
SETTLED = 1000
# How long a graph that is to be shown waits for plug-ins, and the window for each look at them. Units: seconds.
LONGEST_TRIAL, LOOK = 3.0, 0.02
# What features have done in the evaluator's process, and takes long to import there.
TRAINING = "gradwire.app.features.training.training_service"
# What takes longest to import, in parts of about the same time.
ENGINE = "gradwire.engine.evaluation.evaluate"
PARTS = (
    "numpy",
    ENGINE,
    "gradwire.blocks",
    "gradwire.app.live.session",
    "gradwire.app.canvas.canvas",
    "gradwire.app.features.inspector.inspector",
    "gradwire.app.shell.window.bottom",
    "gradwire.app.start.build_window",
)


class DeferredStartup(QObject):
    """Furnishes a window once it has been painted, then lets it show a file or what it shows first.

    Each of `others`, and each file that the system asks for later, has a window of its own.
    """

    def __init__(self, window: MainWindow, path: Path | None, start: Start, others: Sequence[Path] = ()) -> None:
        super().__init__(window)
        self._window, self._path, self._others, self._start = window, path, others, start
        self._starter = Starter(TRAINING)
        self._started: Started | None = None
        self._close_spare: Callable[[], None] | None = None
        self._is_reported = False
        self._steps = self._made_steps()
        self._timer = make_timer(self, self._step, repeats=True)
        self._timer.start(LONGEST_WAIT)
        window.backdrop.painted.connect(self._begin)
        self._rest = QTimer(self, singleShot=True, interval=REST)

    def close(self) -> None:
        """Ends the evaluator that nobody has taken."""
        if self._close_spare is not None:
            self._close_spare()
        elif self._started is not None:
            end(self._started.process)

    def _begin(self) -> None:
        self._timer.start(0)

    def _step(self) -> None:
        # A step may ask something, and must not be begun again meanwhile.
        self._timer.stop()
        is_done = True
        try:
            with without_collection():
                is_done = next(self._steps, True)
        except BaseException:
            QApplication.exit(1)
            raise
        finally:
            if not is_done:
                self._timer.start(0)

    def _made_steps(self) -> Iterator[bool]:
        # It imports NumPy and the engine too, at the same time on another processor.
        # Where the system cannot start one, the first document tries again, and says why it is impossible.
        with contextlib.suppress(OSError):
            self._started = self._starter.start()
        yield False
        note_start(self._start.is_safe)
        for name in PARTS:
            importlib.import_module(name)
            if name == ENGINE:
                from gradwire.engine.blocktypes.library import library  # imported by now

                # Elsewhere `blocks`, which comes next, imports plug-ins.
                library.keeps_code_out = True
            yield False
        from gradwire.app.live.process.evaluator import Spare  # imported by now
        from gradwire.engine.blocktypes.library import library

        # The search shows all types.
        library.load()
        yield False

        spare = Spare(self._starter, self._started, self._rest.start)
        self._close_spare = spare.close
        # Layouts within layouts settle in two turns of the event loop; until then nothing of the parts is to be seen.
        self._window.setUpdatesEnabled(False)
        self._window.fill(spare)
        odd_lists = () if self._start.is_safe else self._begin_plugins()
        yield False
        yield False
        yield from self._wait_for_plugins()
        self._let_paint()
        self._show_first()
        self._show_others()
        self._report_plugins()
        self._window.windows.plugins.changed.connect(self._report_plugins)
        yield False
        self._offer_copies(odd_lists)
        self._rest.timeout.connect(spare.prepare)
        QTimer.singleShot(SETTLED, self, self._start.succeed)

    def _begin_plugins(self) -> tuple[Path, ...]:
        """Has plug-ins tried; returns the lists of them that were put aside."""
        from gradwire.engine.plugins.plugins import put_odd_lists_aside  # imported by now

        moved = put_odd_lists_aside()
        self._window.windows.plugins.begin()
        return moved

    def _offer_copies(self, odd_lists: tuple[Path, ...]) -> None:
        """Offers what programs that ended have left, and tells which records of ours were put aside or skipped."""
        from gradwire.app.shell.documents.recovery_dialog import offer_copies  # imported by now
        from gradwire.app.shell.documents.recovery_files import put_odd_aside

        context, sentence = self._window.parts.documents.context, self._start.sentence()
        if not self._start.is_safe:
            moved = put_odd_aside(self._window.windows.run_folder)
            sentence = aside_sentence((*self._window.settings.aside, *odd_lists, *moved))
            offer_copies(context)
        if sentence:
            context.messages.notify(tr("Gradwire has started"), sentence)

    def _let_paint(self) -> None:
        """Lets the window be painted, and its popups: with their parent Qt enables no widgets that are windows."""
        for widget in (self._window, *self._window.findChildren(QWidget)):
            if widget.isWindow():
                widget.setUpdatesEnabled(True)

    def _show_first(self) -> None:
        """Shows the file, or what comes first; a file at which the program fails is left out, with a sentence."""
        if self._path is None and (asked := _asked_files()):
            # macOS names no file of a double click on the command line.
            self._path, *self._others = asked
        try:
            self._window.start(self._path, self._window.settings.are_new and not self._start.is_safe)
        except Exception as error:  # No file may keep the window from opening.
            if self._path is None:
                raise
            self._window.parts.documents.opening.tell_failed(self._path, error)
            self._window.start()

    def _show_others(self) -> None:
        from gradwire.app.start.file_windows import open_in_a_window  # imported by now

        windows = self._window.windows

        def open_all(paths: Sequence[Path]) -> None:
            for path in paths:
                open_in_a_window(windows, path)

        open_all([*self._others, *_asked_files()])
        application = QApplication.instance()
        if isinstance(application, Application):
            # The first window may close before the others, and this object with it.
            application.file_asked.connect(lambda: open_all(_asked_files()))

    def _wait_for_plugins(self) -> Iterator[bool]:
        """Lets blocks of plug-ins be known before a graph is shown; one that takes long is waited for by nobody."""
        end = time.monotonic() + LONGEST_TRIAL
        while self._window.windows.plugins.wait(LOOK) and time.monotonic() < end:
            yield False

    def _report_plugins(self) -> None:
        """Shows what has become of plug-ins, once all are tried that were enabled when the program started."""
        if not self._is_reported and not self._window.windows.plugins.wait(0):
            self._is_reported = True
            self._window.parts.dialogs.report_plugins()


def _asked_files() -> list[Path]:
    """Takes the files that the system has asked for."""
    application = QApplication.instance()
    return application.take_files() if isinstance(application, Application) else []
