"""Two trainings in lockstep: their losses and values are those of each alone, and the first difference is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits
from gradwire.engine.edits.training_edits import set_in_plan, set_in_step, set_rounds
from gradwire.engine.explain.compare_graphs import first_difference
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.lockstep import FirstDifference, Lockstep, Variant
from gradwire.engine.training.trainer import Trainer

DESCENT: Mapping[str, Any] = {"type": "descent", "rate": 0.1}


def residual() -> Graph:
    """Half the square of w a − (r + stop(w b)), trained by steps of 0.1."""
    w = gw.Variable(np.array(2.0), name="w")
    here = gw.Multiply(w, gw.Constant(3.0, name="a"), name="here")
    there = gw.Multiply(w, gw.Constant(0.5, name="b"), name="there")
    target = gw.Add(gw.Constant(1.0, name="r"), gw.StopGradient(there, name="stop"), name="target")
    loss = gw.Multiply(gw.Square(gw.Subtract(here, target, name="error"), name="square"), gw.Constant(0.5, name="half"))
    return set_rounds(set_in_step(gw.graph(gw.Loss(loss, name="loss")), 0, "rule", DESCENT), 40)


def link(source: str, target: str) -> Link:
    ends = [PortName(*f"main/{name}".rsplit(".", 1)) for name in (source, target)]
    return Link(ends[0], ends[1])


STOP = Variant(frozenset(["main/stop"]))
RATE = Variant(edit=set_in_step, args=(0, "rule", {**DESCENT, "rate": 0.2}))
RULE = Variant(edit=set_in_step, args=(0, "rule", {"type": "momentum", "rate": 0.1}))
WEIGHT = Variant(edit=edits.set_parameter, args=("main", "w", "value", np.array(2.5)))
CONSTANT = Variant(edit=edits.set_parameter, args=("main", "r", "value", np.array(1.5)))


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        # The stop changes no value, and of gradients first that of the wire into it.
        (STOP, FirstDifference(0, link("there.z", "stop.x"), True)),
        # One step later the weight is another one, which the first block reads.
        (RATE, FirstDifference(1, link("w.y", "here.x"), False)),
        # The first step of momentum is that of plain descent.
        (RULE, FirstDifference(2, link("w.y", "here.x"), False)),
        (WEIGHT, FirstDifference(0, link("w.y", "here.x"), False)),
        (CONSTANT, FirstDifference(0, link("r.y", "target.x"), False)),
        (Variant(), None),
    ],
)
def test_the_first_difference_is_named_with_its_round(variant: Variant, expected: FirstDifference | None) -> None:
    both = Lockstep(residual(), variant, first_difference)
    both.go_to(5)
    assert both.reached().first == expected


def test_another_seed_shows_where_noise_comes_in() -> None:
    x = gw.Variable(np.ones(3), name="x")
    graph = gw.graph(gw.Loss(gw.Multiply(x, gw.RandomNormal(shape=[3], every="step", name="noise"), name="m")))
    both = Lockstep(graph, Variant(edit=set_in_plan, args=("seed", 7)), first_difference)
    both.go_to(2)
    first = both.reached().first
    assert first is not None and first.round == 1


@pytest.mark.parametrize("n", [0, 1, 7])
def test_losses_and_values_are_those_of_each_training_alone(n: int) -> None:
    graph = residual()
    both = Lockstep(graph, STOP, first_difference)
    both.go_to(n)
    found = both.reached()
    assert (found.round, found.end, found.fault) == (n, 40, "")
    for ignored, losses, values in zip((frozenset[str](), STOP.ignored), found.losses, found.values, strict=True):
        alone = Trainer(graph, ignored_stops=ignored)
        assert list(losses) == [next(iter(alone.run_round().losses.values())) for _ in range(n)]
        assert values["main/w"] == alone.variables["main/w"]


def test_the_numbers_are_those_of_the_formula() -> None:
    """The error is 2.5 w − 1 = 4. With the stop its slope in w is 3, without it 2.5."""
    both = Lockstep(residual(), STOP, first_difference)
    both.go_to(1)
    a, b = (float(values["main/w"]) for values in both.reached().values)
    assert a == pytest.approx(2 - 0.1 * 4 * 3) and b == pytest.approx(2 - 0.1 * 4 * 2.5)
    assert both.reached().losses == ((8.0,), (8.0,))


def test_neither_goes_beyond_the_end_nor_back() -> None:
    both = Lockstep(residual(), STOP, first_difference)
    both.go_to(99)
    assert both.round == 40
    both.go_to(3)
    assert both.round == 40 and len(both.reached().losses[0]) == 40


def test_no_more_rounds_are_trained_than_the_time_allows_but_one() -> None:
    both = Lockstep(residual(), STOP, first_difference)
    for n in (1, 2):
        both.go_to(40, seconds=0.0)
        assert both.round == n
    both.go_to(40, seconds=60.0)
    assert both.round == 40


def test_what_breaks_off_says_why_and_keeps_its_rounds() -> None:
    both = Lockstep(
        residual(), Variant(edit=set_in_step, args=(0, "rule", {**DESCENT, "rate": 1e200})), first_difference
    )
    both.go_to(40)
    found = both.reached()
    assert 0 < found.round < 40 and found.fault
    assert len(found.losses[0]) == len(found.losses[1]) == found.round


def test_a_graph_without_anything_to_train_is_compared_as_it_is() -> None:
    x = gw.Input(np.array([1.0, 2.0]), name="x")
    graph = gw.graph(gw.Loss(gw.Multiply(x, gw.StopGradient(x, name="s"), name="m")))
    both = Lockstep(graph, Variant(frozenset(["main/s"])), first_difference)
    both.go_to(3)
    found = both.reached()
    assert found.round in (0, 3) and found.first == FirstDifference(0, link("x.y", "s.x"), True)
