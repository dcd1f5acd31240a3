"""Trainings that come with the program, run to the rounds of which their notes speak."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from gradwire import HOME
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.run import TrainingRun
from tests.notes.facts import Moment, with_values

FOLDER = HOME / "assets" / "trainings"


class Training:
    """Training as its file has it, or with other values; rounds are run when they are asked for."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._moments: dict[tuple[str, ...], dict[int, Moment]] = {}
        self._runs: dict[tuple[str, ...], TrainingRun] = {}

    def at(self, rounds: int, *without: str) -> Moment:
        """Returns the results after some rounds, with some stops ignored."""
        known, ignored = self._moments.setdefault(without, {}), frozenset(f"main/{stop}" for stop in without)
        if rounds not in known:
            if without not in self._runs or self._runs[without].trainer.round > rounds:
                self._runs[without] = TrainingRun(self.graph, ignored_stops=ignored)
            run = self._runs[without]
            while run.trainer.round < rounds:
                run.trainer.run_round()
            known[rounds] = Moment(evaluate(run.trainer.shown_graph, ignored))
        return known[rounds]

    def end(self, *without: str) -> Moment:
        return self.at(self.steps, *without)

    @property
    def steps(self) -> int:
        """The number of rounds."""
        return int(self.graph.training["until"]["steps"])

    def block(self, name: str) -> Mapping[str, Any]:
        """Returns the parameters of a block of the main page."""
        return self.graph.pages[0].blocks[name].parameters

    def kept(self, part: str | None, port: str, *without: str) -> float:
        """Returns the number that a check of the file holds the last round to."""
        stop = f"main/{without[0]}" if without else None
        (check,) = (
            item
            for item in self.graph.training["checks"]
            if (item.get("at"), item.get("part"), item.get("run_without")) == (f"main/{port}", part, stop)
        )
        return float(np.mean([check[key] for key in ("value", "above") if key in check]))

    def rule(self, name: str) -> Any:
        """Returns a setting of the rule of the first step."""
        return self.graph.training["steps"][0]["rule"][name]

    def given(self, **values: object) -> Training:
        """Returns the training with other values of blocks, and without the checks of its file."""
        graph = with_values(self.graph, values)
        return Training(dataclasses.replace(graph, training={**graph.training, "checks": []}))

    def at_rate(self, rate: float) -> Training:
        """Returns the training with another rate, and without the checks of its file."""
        plan = self.graph.training
        steps = [{**step, "rule": {**step["rule"], "rate": rate}} for step in plan["steps"]]
        return Training(dataclasses.replace(self.graph, training={**plan, "steps": steps, "checks": []}))


def training_names() -> list[str]:
    found = sorted(path.stem for path in FOLDER.glob("*.graph"))
    assert len(found) > 30, "the trainings are not where this module looks"
    return found


@cache
def training(name: str) -> Training:
    return Training(load(FOLDER / f"{name}.graph").graph)
