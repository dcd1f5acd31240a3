"""What a training had reached at each graph of a document's history, so that undo takes round and memory back too."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field

from gradwire.app.features.training.orders import Ended
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.state import State


@dataclass(frozen=True, eq=False)
class Reached:
    """All that belongs to the trained values of one graph.

    `round` is the number of rounds done, `numbers` are those with which the next one begins, `variables` those that the
    training has given, and `state` is what goes on from there; None where nothing has been trained, or too long ago.
    `initial` has the values before the first run. `keeps_state` says whether the file is to keep the state.
    """

    round: int = 0
    numbers: Mapping[str, float] = field(default_factory=dict)
    variables: Mapping[str, Array] = field(default_factory=dict)
    state: State | None = None
    initial: Mapping[str, Array] = field(default_factory=dict)
    is_begun: bool = False
    keeps_state: bool = False
    overflow: str = ""
    ended: Ended | None = None


class ReachedAt:
    """What had been reached, by graph; it goes with the graph, so with the history that holds it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Graph], Reached]] = {}

    def get(self, graph: Graph) -> Reached | None:
        """Returns what had been reached at a graph, None if that is not known."""
        found = self._known.get(id(graph))
        return found[1] if found is not None and found[0]() is graph else None

    def note(self, graph: Graph, reached: Reached) -> None:
        """Notes what has been reached at a graph."""
        key, known = id(graph), self._known
        self._known[key] = weakref.ref(graph, lambda ref: _forget(known, key, ref)), reached


def _forget(known: dict[int, tuple[weakref.ref[Graph], Reached]], key: int, ref: weakref.ref[Graph]) -> None:
    # Another graph may have the number of one that has gone.
    if known.get(key, (None,))[0] is ref:
        del known[key]
