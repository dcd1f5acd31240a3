"""Plug-ins in the window's process, which runs none of their code: it has them tried, describes and disables them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal

from gradwire.app.base.log import logger
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.live.process.evaluator import Died, Spare
from gradwire.app.live.process.scheduler import DEATHS_ALLOWED, MakeEvaluator
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.session import Session
from gradwire.engine.base.errors import UsageError
from gradwire.engine.blocktypes.library import Plugin, library
from gradwire.engine.plugins.plugin_trial import tried
from gradwire.engine.plugins.plugins import (
    Loaded,
    disable_plugin,
    enabled_names,
    fault_at,
    known_faults,
    plugin_named,
    set_enabled,
)

_LOG = logger(__name__)


class PluginDesk(QObject):
    """The switch of plug-ins for all windows.

    It tries each plug-in in a separate process before it registers its block types. It disables a plug-in whose code
    fails in an evaluator. `changed()` is emitted after any change, `failed(str)` with the plug-in that was disabled and
    the reason.
    """

    changed = Signal()
    failed = Signal(str)
    _answered = Signal(object, str, object)
    _blamed = Signal(str, str)

    def __init__(
        self, make_evaluator: MakeEvaluator, sessions: Callable[[], Sequence[Session]], learn: Callable[[], None]
    ) -> None:
        """`sessions` gives those of all windows, which `learn` lets show blocks as what they are now."""
        super().__init__()
        self._make_evaluator, self._sessions, self._learn = make_evaluator, sessions, learn
        self._trials: dict[str, threading.Thread] = {}
        # Sessions without evaluation, because a plug-in ended one evaluator after the other.
        self._given_up: set[Session] = set()
        self._answered.connect(self._take)
        # Queued: the signal that carried the fault is still being delivered.
        self._blamed.connect(self._disable_faulty, Qt.ConnectionType.QueuedConnection)

    def is_tried(self, name: str) -> bool:
        """Returns whether a plug-in is being tried at the moment."""
        return name in self._trials

    def begin(self) -> None:
        """Tries all enabled plug-ins."""
        for name in enabled_names():
            self._try(name)

    def wait(self, seconds: float) -> bool:
        """Waits for this long at most for plug-ins that are being tried; returns False if there are none."""
        for thread in list(self._trials.values()):
            thread.join(seconds)
        return bool(self._trials)

    def enable(self, name: str) -> None:
        """Enables a plug-in if it passes the trial, which ends later."""
        if name not in self._trials:
            self._try(name)
            self.changed.emit()

    def disable(self, name: str) -> None:
        """Disables a plug-in, even while it is being tried.

        Raises: UsageError if the list of the enabled ones cannot be written.
        """
        set_enabled(name, False)
        self._trials.pop(name, None)
        library.put_plugin(Plugin(name))
        self._start_anew()

    def look_again(self) -> None:
        """Applies the changes of another process that has disabled plug-ins."""
        enabled, faults = enabled_names(), known_faults()
        for plugin in list(library.plugins.values()):
            if plugin.types and plugin.name not in enabled and plugin.name in faults:
                self._disable(plugin.name, faults[plugin.name])

    def attach(self, session: Session) -> None:
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
        # The first of several faults, in several windows, disables it.
        if name in library.plugins and library.plugins[name].types:
            self._disable(name, fault)

    def _disable(self, name: str, fault: str) -> None:
        _LOG.warning("The plug-in %s is disabled: %s", name, fault)
        library.put_plugin(disable_plugin(name, fault)._replace(is_enabled=True))
        self._start_anew()
        self.failed.emit(tr("The plug-in {name} is disabled: {fault}.", name=name, fault=tr_sentence(fault)))

    def _start_anew(self) -> None:
        """Restarts the evaluation of all graphs: the old evaluators hold unwanted code."""
        if isinstance(self._make_evaluator, Spare):
            self._make_evaluator.close()
        self._tell_windows()
        for session in self._sessions():
            session.scheduler.restart()
            if session in self._given_up:
                session.runs.set_live(True)
            elif session.runs.is_live:
                session.evaluate()
        self._given_up.clear()

    def _tell_windows(self) -> None:
        self._learn()
        self.changed.emit()


def _enabled(name: str, found: Loaded) -> Loaded:
    try:
        set_enabled(name, True)
    except UsageError as error:
        return Loaded(fault=str(error))
    return found
