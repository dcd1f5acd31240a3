"""Training as scripts ask for it in one line, and what it has logged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from types import MappingProxyType

import numpy as np

from gradwire.engine.autodiff.expand import expand
from gradwire.engine.base.errors import BlockError, GradwireError, NameUnknownError
from gradwire.engine.base.nearest import nearest
from gradwire.engine.base.starts import VALUE
from gradwire.engine.base.tensor_spec import Array, as_array, spec_of
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits.training_edits import set_values
from gradwire.engine.files.given_files import with_files
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.files.wanted_files import FILE
from gradwire.engine.graph.block_parameters import value_of, with_parameters
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.kept_state import array_of, has_state, initial_of, save_kept, state_of, without_state
from gradwire.engine.training.round import Round
from gradwire.engine.training.run import TrainingRun, plan_fault
from gradwire.engine.training.state import State, load_state


class TrainedRun:
    """Training that has been run. Series have one number for each round, NaN where none was logged."""

    def __init__(self, graph: Graph, run: TrainingRun, rounds: Iterable[Round], notes: Sequence[str] = ()) -> None:
        self._graph, self._run, self._notes = graph, run, tuple(notes)
        self._initial = initial_of(graph)
        for name in run.trainer.variables:
            if name not in self._initial and (value := array_of(graph, name)) is not None:
                self._initial[name] = value
        done = list(rounds)
        self._losses = _series([item.losses for item in done])
        self._metrics = _series([item.metrics for item in done])
        self._test = _series([item.test for item in done])

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines about the files of data: how each was read, and whether it has changed."""
        return self._notes

    @property
    def losses(self) -> Mapping[str, Array]:
        """Losses by the name of their step, each before the update of its round."""
        return self._losses

    @property
    def metrics(self) -> Mapping[str, Array]:
        """Metrics of the plan by their port, at the beginning of each round."""
        return self._metrics

    @property
    def test(self) -> Mapping[str, Array]:
        """Losses and metrics of the rows that are held back, by name."""
        return self._test

    @property
    def rounds(self) -> int:
        """Number of rounds that the training has done, those before it was resumed too."""
        return self._run.trainer.round

    @property
    def trained(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the Variables that each step trains."""
        return {row.step: row.trains for row in self._run.rows}

    @property
    def checks(self) -> list[str]:
        """Outcome of each check of the plan, as a sentence."""
        return [f"{item.title}: {_WORDS[item.is_met]}; {item.sentence}" for item in self._run.outcomes()]

    @property
    def graph(self) -> Graph:
        """Graph with its trained values, without the data that it was fed."""
        return set_values(without_state(self._graph), self._run.trainer.variables)

    def state(self) -> State:
        """Returns the Variables, what the rules remember, and the number of rounds."""
        return self._run.trainer.state()

    def save(self, path: str | PathLike[str], *, state: bool = False) -> None:
        """Writes the trained graph to a `.graph` file; with its `state` it goes on from there when it is trained again.

        Raises: FileError if it cannot be written.
        """
        save_kept(self.graph, path, self.state() if state else None, self._initial)

    def __repr__(self) -> str:
        ends = ", ".join(f"{name} {series[0]:.6g} → {series[-1]:.6g}" for name, series in self.losses.items())
        text = f"{self.rounds:,} rounds: {ends}" if ends else f"{self.rounds:,} rounds"
        return "\n".join([text, *self._notes])


def train(
    graph: Graph,
    steps: int | None = None,
    *,
    data: Mapping[str, object] | None = None,
    until: Mapping[str, object] | None = None,
    without: str | Iterable[str] = (),
    seed: int | None = None,
    threads: int = 1,
    folder: str | PathLike[str] | None = None,
    resume: State | str | PathLike[str] | bool = True,
) -> TrainedRun:
    """Trains a graph by its plan; see `gradwire.face.train`.

    Raises: GradwireError if anything of that is wrong, TrainingStopped if a number is not finite.
    """
    if steps is not None and (type(steps) is not int or steps < 0):
        raise GradwireError(f"steps must be a whole number of at least 0, not {steps!r}.")
    fed, notes = (graph, []) if folder is None else with_files(graph, folder)
    for name, value in (data or {}).items():
        fed = _fed(fed, _full(graph, name), value)
    if until is not None:
        rounds = {} if steps is None else {"steps": steps}
        fed = replace(fed, training={**(fed.training or {}), "until": {**rounds, **until}})
    ignored = frozenset(_stops(graph, [without] if isinstance(without, str) else without))
    try:
        run = TrainingRun(fed, seed=seed, threads=threads, ignored_stops=ignored)
    except JsonFault as fault:
        raise GradwireError(plan_fault(fault)) from None
    if isinstance(resume, State):
        run.trainer.load_state(resume)
    elif not isinstance(resume, bool):
        run.trainer.load_state(load_state(resume))
    elif resume and has_state(graph):
        run.trainer.load_state(state_of(graph, None).fitted_to(run.trainer.state()))
    return TrainedRun(graph, run, run.rounds(steps if until is None else None), notes)


def _full(graph: Graph, name: str) -> str:
    return name if "/" in name else f"{graph.pages[0].name}/{name}"


def _stops(graph: Graph, names: Iterable[str]) -> Iterator[str]:
    instances = expand(graph).instances
    stops = [path for path, item in instances.items() if item.role is Role.STOP]
    for name in names:
        path = name if name in stops else f"{graph.pages[0].name}/{name}"
        if path not in stops:
            raise NameUnknownError(f"There is no StopGradient {path}{_near(path, stops)}.")
        yield path


def _fed(graph: Graph, name: str, value: object) -> Graph:
    """Returns a graph whose source has another value, or whose Data block has other rows.

    Raises: GradwireError if there is no such source, or the value does not fit.
    """
    page_name, _, block_id = name.partition("/")
    block = graph.page(page_name).blocks.get(block_id) if graph.has_page(page_name) else None
    block_type = None if block is None else library.get(block.type)
    if block is None or block_type is None:
        known = [f"{page.name}/{item}" for page in graph.pages for item in page.blocks]
        raise NameUnknownError(f"data {name}: There is no such block{_near(name, known)}.")
    try:
        if block_type.draw is not None and block_type.draw.is_of_rows:
            return with_parameters(graph, name, _rows(name, value))
        if VALUE not in block_type.parameters:
            raise GradwireError(f"data {name}: {block.type} takes no value; name an Input, a Constant or a Data block.")
        return with_parameters(graph, name, {VALUE: _as_value(value, value_of(block))})
    except BlockError as error:
        raise GradwireError(f"data {name}: {error.sentence}") from error


def _rows(name: str, value: object) -> dict[str, object]:
    """Returns the parameters of a Data block for rows and their labels."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise GradwireError(f"data {name}: A Data block takes two arrays (x, y), the rows and their labels.")
    x, y = (as_array(item) for item in value)
    if x.ndim < 1 or y.ndim not in (1, 2) or len(x) != len(y):
        raise GradwireError(f"data {name}: x is {spec_of(x)} and y {spec_of(y)}; they need as many rows as labels.")
    x = x.reshape(len(x), 1) if x.ndim == 1 else x
    return {"set": FILE, "inputs": x, "targets": y, "n": None, "held": 0}


def _as_value(value: object, now: Array | None) -> Array:
    """Returns a value as an array, in the dtype of the one before where that loses nothing but digits."""
    given = as_array(value)
    if now is None:
        return given
    found = given.astype(now.dtype)
    return found if now.dtype.kind == "f" or (found == given).all() else given


def _near(name: str, known: Iterable[str]) -> str:
    found = nearest(name, known)
    return f"; did you mean {found[0]}?" if found else ""


def _series(logged: list[Mapping[str, float]]) -> Mapping[str, Array]:
    names = dict.fromkeys(name for numbers in logged for name in numbers)
    found = {name: np.array([numbers.get(name, np.nan) for numbers in logged]) for name in names}
    for series in found.values():
        series.setflags(write=False)
    return MappingProxyType(found)


_WORDS = {True: "ok", False: "failed", None: "not judged"}
