"""Plug-ins in the window's process, where none of their code runs: tried elsewhere, described, and disabled."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from app.live.evaluator import Died, Spare
from app.live.readings import Results
from app.live.scheduler import DEATHS_ALLOWED, MakeEvaluator
from app.live.session import Session
from app.words import tr, tr_sentence
from engine.errors import UsageError
from engine.infer import infer_specs
from engine.library import Plugin, library
from engine.plugin_trial import tried
from engine.plugins import (
    Loaded,
    disable_plugin,
    enabled_names,
    fault_at,
    known_faults,
    plugin_named,
    set_enabled,
)

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.window_list import WindowList


class PluginDesk(QObject):
    """Enables and disables plug-ins for all windows, at once.

    One is tried in a process of its own before its block types are known here; one whose code fails in an evaluator is
    disabled. `changed()` says that anything is different now, `failed(str)` which plug-in was disabled and why.
    """

    changed = Signal()
    failed = Signal(str)
    _answered = Signal(object, str, object)
    _blamed = Signal(str, str)

    def __init__(self, windows: WindowList, make_evaluator: MakeEvaluator) -> None:
        super().__init__()
        self._windows, self._make_evaluator = windows, make_evaluator
        self._trials: dict[str, threading.Thread] = {}
        # Those that are not evaluated any more, for a plug-in ended one evaluator after the other.
        self._given_up: set[Session] = set()
        self._answered.connect(self._take)
        # Later: what has noticed the fault is still being told.
        self._blamed.connect(self._disable_faulty, Qt.ConnectionType.QueuedConnection)

    def is_tried(self, name: str) -> bool:
        """Whether a plug-in is being tried at this moment."""
        return name in self._trials

    def begin(self) -> None:
        """Has all plug-ins tried that are enabled."""
        for name in enabled_names():
            self._try(name)

    def wait(self, seconds: float) -> bool:
        """Waits at most so long for plug-ins that are tried; False if there are none."""
        for thread in list(self._trials.values()):
            thread.join(seconds)
        return bool(self._trials)

    def enable(self, name: str) -> None:
        """Enables a plug-in if it passes the trial, which ends later."""
        if name not in self._trials:
            self._try(name)
            self.changed.emit()

    def disable(self, name: str) -> None:
        """Disables a plug-in, also while it is being tried.

        Raises: UsageError if the list of the enabled ones cannot be written.
        """
        set_enabled(name, False)
        self._trials.pop(name, None)
        library.put_plugin(Plugin(name))
        self._start_anew()

    def look_again(self) -> None:
        """Takes in what another process has disabled."""
        enabled, faults = enabled_names(), known_faults()
        for plugin in list(library.plugins.values()):
            if plugin.types and plugin.name not in enabled and plugin.name in faults:
                self._disable(plugin.name, faults[plugin.name])

    def follow(self, session: Session) -> None:
        """Disables what fails in a document's evaluator."""
        session.results_changed.connect(self._take_results)
        session.scheduler.gave_up.connect(partial(self._take_end, session))

    def _try(self, name: str) -> None:
        def run() -> None:
            self._answered.emit(thread, name, tried(name))

        thread = self._trials[name] = threading.Thread(target=run, daemon=True)
        thread.start()

    def _take(self, thread: threading.Thread, name: str, found: Loaded) -> None:
        thread.join()
        if self._trials.get(name) is not thread:  # it was disabled meanwhile
            return
        del self._trials[name]
        is_new = name not in enabled_names()
        if not found.fault:
            found = _enabled(name, found)
        if found.fault:
            self._disable(name, found.fault)
            return
        library.put_plugin(plugin_named(name, found), found.types)
        # Evaluators that began with the program have imported it themselves.
        self._start_anew() if is_new else self._tell_windows()

    def _take_results(self, results: Results | None) -> None:
        for problem in results.problems if results is not None else ():
            if problem.plugin:
                self._blamed.emit(problem.plugin, fault_at(problem.at, problem.message))

    def _take_end(self, session: Session, died: Died) -> None:
        instance = session.inferred.expanded.instances.get(died.running)
        if instance is not None and instance.type is not None and instance.type.plugin:
            fault = f"it ended the evaluation {DEATHS_ALLOWED} times in a row (exit code {died.code})"
            self._given_up.add(session)
            self._blamed.emit(instance.type.plugin, fault_at(died.running, fault))

    def _disable_faulty(self, name: str, fault: str) -> None:
        # Of several faults, in several windows, the first disables it.
        if name in library.plugins and library.plugins[name].types:
            self._disable(name, fault)

    def _disable(self, name: str, fault: str) -> None:
        library.put_plugin(replace(disable_plugin(name, fault), is_enabled=True))
        self._start_anew()
        self.failed.emit(tr("The plug-in {name} is disabled: {fault}.", name=name, fault=tr_sentence(fault)))

    def _start_anew(self) -> None:
        """Lets new evaluators evaluate all graphs: the old ones have code that is not wanted any more."""
        if isinstance(self._make_evaluator, Spare):
            self._make_evaluator.close()
        self._tell_windows()
        for session in [window.session for window in self._windows.windows]:
            session.scheduler.restart()
            if session in self._given_up:
                session.set_live(True)
            elif session.is_live:
                session.evaluate()
        self._given_up.clear()

    def _tell_windows(self) -> None:
        for window in self._windows.windows:
            _learn(window)
        self.changed.emit()


def _enabled(name: str, found: Loaded) -> Loaded:
    try:
        set_enabled(name, True)
    except UsageError as error:
        return Loaded(fault=str(error))
    return found


def _learn(window: MainWindow) -> None:
    """Shows blocks as what they are now."""
    session, canvas, camera = window.session, window.canvas, window.canvas.camera
    session.inferred = infer_specs(session.graph)
    for part in (canvas, window.docking, window.tabs, window.status, window.live_region):
        part.set_session(session)
    canvas.look_with(camera)
    window.palette_panel.refresh()
