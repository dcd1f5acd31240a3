"""Orders to the process that trains, and its news."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gradwire.app.live.process import orders as process
from gradwire.app.live.readings.series import Chunk
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.contract import Row
from gradwire.engine.training.state import State
from gradwire.engine.training.until import Until


class TrainingOrder(process.Order):
    """Order to the process that trains; a new one ends a run of rounds."""

    server = f"{__package__}.training_service:TrainingService"


@dataclass(frozen=True)
class Look(TrainingOrder):
    """Read the plan of a graph and say who trains whom."""

    graph: Graph


@dataclass(frozen=True)
class Begin(TrainingOrder):
    """Prepare the training of a graph.

    With `goes_on` it takes over what fits of the training before: memory, the number of rounds, and all variables but
    those that are `given`; `state` is what a training in an earlier process had reached. Else it goes on from the state
    that the graph keeps, beside the file `path` if it is large. `ignores_stops` lets gradients pass every StopGradient.
    `tracked` names the wires, by their targets, whose gradients are logged.
    """

    graph: Graph
    goes_on: bool = False
    given: frozenset[str] = frozenset()
    state: State | None = None
    ignores_stops: bool = False
    path: Path | None = None
    tracked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Go(TrainingOrder):
    """Run rounds: so many, or until the plan ends; at most `pace` a second, None as fast as possible.

    Where the rounds of the plan are over, `again` runs as many again.
    """

    rounds: int | None = None
    pace: float | None = None
    again: bool = False


@dataclass(frozen=True)
class Halt(TrainingOrder):
    """Stop running; the news of the end are those of the rounds."""


@dataclass(frozen=True)
class Planned(process.News):
    """Answer to `Look`: a row for each step, the end of the plan, batches in an epoch; or what is wrong in it."""

    rows: tuple[Row, ...] = ()
    problems: tuple[str, ...] = ()
    until: Until = field(default_factory=Until)
    batches: int | None = None
    fault: str = ""


@dataclass(frozen=True)
class Ended:
    """End by a condition of the plan: its round, and the reason without a full stop."""

    round: int
    reason: str


@dataclass(frozen=True)
class News(process.News):
    """What a training has reached: rounds done, numbers logged in them, and the variables behind them.

    `numbers` are those with which the next round begins: the loss of these variables, for example. Where a state is
    large, `state` comes now and then, for going on after the process has ended. `is_ready` answers `Begin`. `fault`
    says why nothing can be trained, `note` why it begins anew, `overflow` which number was not finite and ended it.
    """

    round: int = 0
    chunk: Chunk = field(default_factory=Chunk)
    variables: Mapping[str, Array] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)
    is_running: bool = False
    is_ready: bool = False
    overflow: str = ""
    ended: Ended | None = None
    fault: str = ""
    state: State | None = None
    note: str = ""
