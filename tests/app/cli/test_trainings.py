"""Trainings of the gallery: each file's own checks hold, and its lesson in Python gives the same graph.

Numbers in these checks come from outside. Losses to ten digits are TensorFlow's, in float64 by its raw update
operations on the same batches. Others are closed forms, sums over all states, or limits: each lesson says which.
"""

from __future__ import annotations

import dataclasses

import pytest

from gradwire.app.base.examples import TRAININGS, example_names, example_path, example_topic
from gradwire.engine.files.files import dumps, load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.run import TrainingRun
from scripts.make_trainings import LESSONS
from tests.sweeps import a_third_of

# Trainings of which the suite runs so many rounds; the benchmark runs all of them.
BEGUN = {"glyphs_cnn": 60}
NAMES = [name for name in example_names() if example_topic(name) == "training"]
# Each training with each of its StopGradients that a check ignores.
PAIRS = sorted(
    {
        (name, check["run_without"])
        for name in NAMES
        for check in load(example_path(name)).graph.training["checks"]
        if "run_without" in check
    }
)


@pytest.mark.parametrize("name", a_third_of(NAMES))
def test_its_checks_hold(name: str) -> None:
    run = TrainingRun(load(example_path(name)).graph)
    for _ in run.rounds(BEGUN.get(name)):
        pass
    outcomes = [item for item in run.outcomes() if item.is_met is not None or name not in BEGUN]
    assert outcomes and not [f"{item.title}: {item.sentence}" for item in outcomes if not item.is_met]


@pytest.mark.parametrize(("name", "stop"), a_third_of(PAIRS))
def test_without_a_stop_only_the_checks_of_that_training_are_judged(name: str, stop: str) -> None:
    """One round tells who is judged: each check is asked for after it, whatever its number then is."""
    graph = load(example_path(name)).graph
    asked = [{**check, "after": 1} if "after" in check else check for check in graph.training["checks"]]
    run = TrainingRun(dataclasses.replace(graph, training={**graph.training, "checks": asked}), ignored_stops={stop})
    list(run.rounds(1))
    judged = [outcome.is_met is not None for outcome in run.outcomes()]
    assert judged == [check.get("run_without") == stop for check in asked]


@pytest.mark.parametrize("make", LESSONS, ids=lambda make: make.__name__)
def test_its_lesson_makes_the_same_graph(make) -> None:
    lesson = make()
    assert dumps(unplaced(load(TRAININGS / f"{lesson.name}.graph").graph)) == dumps(unplaced(lesson.drawn))


def test_each_training_has_a_lesson() -> None:
    assert sorted(NAMES) == sorted(make().name for make in LESSONS)


def unplaced(graph: Graph) -> Graph:
    """Returns the graph without the places of its blocks and notes."""

    def bare(items, **other):
        return {key: dataclasses.replace(item, at=None, **other) for key, item in items}

    pages = (
        dataclasses.replace(
            page,
            blocks=bare(page.blocks.items()),
            notes=tuple(bare(((note.id, note) for note in page.notes), size=None).values()),
        )
        for page in graph.pages
    )
    return dataclasses.replace(graph, pages=tuple(pages))
