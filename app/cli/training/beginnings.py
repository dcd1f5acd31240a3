"""Where a training of the command begins: the state that the user names, the newest one, or that of the graph."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from gradwire.app.base.terminal import say
from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.files.files import load
from gradwire.engine.files.outputs import GRAPH
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.kept_state import has_state, path_beside, state_of
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.state import State, load_state


def begin(options: argparse.Namespace, graph: Graph, run: TrainingRun) -> None:
    """Lets a training go on from a state, if there is one; `graph` is that of the file.

    Raises: GradwireError if a state that the user names cannot be read or belongs to another graph.
    """
    if isinstance(options.resume, Path):
        run.trainer.load_state(_state_in(options.resume))
    elif options.resume and _has_newest(options, run):
        return
    elif has_state(graph):
        _go_on(options, graph, run)
    elif options.resume:
        _say("There is no state to go on from. The training begins at its first round.")


def _state_in(path: Path) -> State:
    """Returns the state in a file of its own, or that of a graph.

    Raises: FileError if there is none, or it cannot be read.
    """
    if path.suffix.lower() not in GRAPH.endings:
        return load_state(path)
    graph = load(path).graph
    if not has_state(graph):
        raise FileError(f'"{path}" keeps no state of a training.')
    return state_of(graph, path)


def _has_newest(options: argparse.Namespace, run: TrainingRun) -> bool:
    """Goes on from the newest state among the outputs of the command that fits; tells of those that do not."""
    for path in sorted(_written_before(options), key=_written_at, reverse=True):
        try:
            run.trainer.load_state(_state_in(path))
        except GradwireError as error:
            _say(f"{error} It is passed over.")
        else:
            _say(f'The training goes on from "{path}", round {run.trainer.round:,}.')
            return True
    return False


def _written_before(options: argparse.Namespace) -> Iterator[Path]:
    """Yields the outputs that exist, and may hold a state."""
    for output in (options.state, options.output):
        if output is not None and not output.is_stream and output.path.exists():
            yield output.path


def _written_at(path: Path) -> int:
    """Returns when a state was written: that of a graph may lie beside it."""
    times = [os.stat(name).st_mtime_ns for name in (path, path_beside(path)) if os.path.exists(name)]
    return max(times, default=0)


def _go_on(options: argparse.Namespace, graph: Graph, run: TrainingRun) -> None:
    """Goes on from the state that the file keeps; tells of one that is lost, and begins with the trained values."""
    given = {item.partition("=")[0] for item in options.set}
    try:
        state = state_of(graph, None if options.file == "-" else options.file)
    except FileError as error:
        _say(f"{error} The training begins anew from the trained values.")
        return
    run.trainer.load_state(state.fitted_to(run.trainer.state(), lambda name: name not in given))


def _say(sentence: str) -> None:
    say(sentence, sys.stderr)
