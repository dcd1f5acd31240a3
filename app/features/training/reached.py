"""What a training had reached at each graph of a document's history, so that undo takes round and memory back too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gradwire.app.features.training.orders import Ended
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.training.state import State


@dataclass(frozen=True, eq=False)
class Reached:
    """All that belongs to the trained values of one graph.

    `round` is the number of rounds done, `numbers` are those with which the next one begins, `variables` those that the
    training has given, and `state` is what goes on from there; None where nothing has been trained, or too long ago.
    `initial` has the values before the first run. `is_begun` says whether anything has been trained since the document
    was opened, or since a reset. `overflow` is the sentence on the number that is not finite which has ended the newest
    run, empty where none has. `keeps_state` says whether the file is to keep the state.
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
