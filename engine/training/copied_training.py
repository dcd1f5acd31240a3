"""What a copy of an unsaved graph keeps of its training: where it stands, with the memory of its rules."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import MIB
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.kept_state import has_state, state_of, with_state
from gradwire.engine.training.state import State

# A larger state stays out of copies: as text it would not leave room for the graph in one file. Units: bytes.
MOST = 24 * MIB


@dataclass(frozen=True)
class CopiedTraining:
    """Training of a document at one moment.

    `state` is None where none has begun here, `initial` has the values of before; beside the file `original` lies the
    state that is too large for a graph's file.
    """

    state: State | None = None
    initial: Mapping[str, Array] = field(default_factory=dict)
    original: Path | None = None


def with_training(graph: Graph, training: CopiedTraining) -> Graph:
    """Returns a graph that keeps where its training stands, if its state is not too large.

    The state decides the values of its Variables: those on the canvas may be of another round.
    """
    state = training.state
    if state is None and has_state(graph):
        with contextlib.suppress(FileError):
            state = state_of(graph, training.original)
    if state is None:
        return graph
    size = sum(array.nbytes for array in (*state.variables.values(), *state.memory.values()))
    return graph if size > MOST else with_state(graph, state, training.initial, MOST).graph
