"""What a training leaves: its state and its graph, written every half a minute, at a signal, and at the end."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType

from gradwire.app.base.terminal import say
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import save_output, size_of
from gradwire.engine.files.wanted_files import wanted_files, without_files
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.kept_state import Kept, array_of, has_state, initial_of, with_state, write_kept
from gradwire.engine.training.run import TrainingRun

# Units: seconds.
PACE = 30.0
# Signals that end a training after its round: Ctrl C, the end that systems ask for, a terminal that closes.
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class TrainingOutputs:
    """State and graph of a training, those of both that are asked for."""

    def __init__(self, options: argparse.Namespace, graph: Graph, run: TrainingRun) -> None:
        self._state, self._output, self._graph, self._run = options.state, options.output, graph, run
        self._keeps = options.keep_state or has_state(graph)
        before = {name: value for name in run.trainer.variables if (value := array_of(graph, name)) is not None}
        self._initial = {**(before if self._keeps else {}), **initial_of(graph)}
        self._due = time.monotonic() + PACE
        self._has_failed = False

    @property
    def names(self) -> str:
        """Names of the files, for a sentence; empty without any."""
        return " and ".join(f'"{output.path}"' for output in (self._output, self._state) if output is not None)

    def check_room(self) -> None:
        """Raises: FileError if the disk has no room for what is to be written."""
        if self._state is not None:
            self._state.check_room(len(self._run.trainer.state().to_bytes()))
        if self._output is not None:
            kept = self._kept()
            self._output.check_room(size_of(kept.graph, self._output))
            if kept.beside is not None and self._output.is_stream:
                raise FileError(f'"{self._output.path}" takes no state of this size; use --state, or an ordinary file.')

    def write(self) -> None:
        """Writes state and graph as they are after the newest round.

        Raises: FileError if one cannot be written; the other is written all the same.
        """
        fault: FileError | None = None
        for write in (self._write_state, self._write_graph):
            try:
                write()
            except FileError as error:
                fault = error
        if fault is not None:
            raise fault

    def write_if_due(self) -> None:
        """Writes both if that was long ago; a disk that fails is reported once, and does not end the training."""
        if time.monotonic() < self._due:
            return
        is_ordinary = [not output.is_stream for output in (self._state, self._output) if output is not None]
        try:
            if is_ordinary and all(is_ordinary):
                self.write()
        except FileError as error:
            if not self._has_failed:
                say(f"gradwire: {error} The training goes on.", sys.stderr)
            self._has_failed = True
        self._due = time.monotonic() + PACE

    def _write_state(self) -> None:
        if self._state is not None:
            self._state.write(self._run.trainer.state().to_bytes())

    def _write_graph(self) -> None:
        if self._output is not None:
            kept, output = self._kept(), self._output
            write_kept(kept.beside, output.path, lambda: save_output(kept.graph, output))

    def _kept(self) -> Kept:
        """Returns the trained graph; with its state if that is asked for, or the file had one."""
        trained = without_files(self._run.trainer.graph, wanted_files(self._graph))
        return with_state(trained, self._run.trainer.state() if self._keeps else None, self._initial)


class Ending:
    """Whether a signal has asked for the end; `signal` is its number, 0 before."""

    def __init__(self) -> None:
        self.signal = 0

    @property
    def name(self) -> str:
        """Name of the signal."""
        return signal.Signals(self.signal).name

    def take(self, number: int, _: FrameType | None) -> None:
        """Notes a signal; the second one ends the program at once."""
        if self.signal:
            raise KeyboardInterrupt
        self.signal = number


@contextlib.contextmanager
def gentle_ending() -> Iterator[Ending]:
    """Yields whether a signal asks for the end, which then comes after a round; one that is ignored stays so."""
    ending = Ending()
    if threading.current_thread() is not threading.main_thread():
        yield ending
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, ending.take)
    try:
        yield ending
    finally:
        for number in heard:
            signal.signal(number, before[number] or signal.SIG_DFL)
