"""Ends of a training: conditions on the numbers of a round, in the plan and as texts."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

import gradwire as gw
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.round import Round, Sizes
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.statuses import Statuses
from gradwire.engine.training.trainer import Trainer
from gradwire.engine.training.until import GRADIENT, STATUS, VALUE, Condition, Until


def parabola(**until: object) -> Graph:
    """Returns L = (w - 3)^2 from w = 1, by descent of 0.1: w - 3 is -2 x 0.8^n before round n."""
    w = gw.Variable(1.0, name="w")
    graph = gw.graph(gw.Loss(gw.Square(gw.Relu(w, name="r") - 3.0), name="L"))
    plan = {"steps": ({"name": "down", "rule": {"type": "descent", "rate": 0.1}},), "until": {"steps": 200, **until}}
    return dataclasses.replace(graph, training=plan)


# The loss is 4 x 0.64^n, the norm of the gradient 4 x 0.8^n, and w after round n 3 - 2 x 0.8^(n + 1).
ENDS = [
    ({"below": {"down": 0.5}}, "down < 0.5", 5, "down is below 0.5"),
    ({"below": {"main/L": 0.5}}, "main/L < 0.5", 5, "main/L is below 0.5"),
    ({"above": {"down": 3.9}}, "down > 3.9", 0, "down is above 3.9"),
    ({"gradient_below": {"main/w": 1}}, "gradient main/w < 1", 7, "the gradient of main/w is below 1"),
    ({"gradient_above": {"main/w": 3}}, "gradient main/w>3", 0, "the gradient of main/w is above 3"),
    ({"outside": {"main/w": [-1, 2]}}, "main/w outside -1..2", 3, "main/w leaves the range from -1 to 2"),
]


@pytest.mark.parametrize(("record", "text", "n", "reason"), ENDS)
def test_plan_and_text_end_at_the_same_round(record: dict[str, object], text: str, n: int, reason: str) -> None:
    for run in (TrainingRun(parabola(**record)), TrainingRun(parabola(), until=[text])):
        assert [done.n for done in run.rounds()] == list(range(n + 1))
        assert run.ended_by == (n, reason)
    condition = plan_of(parabola(**record)).until.conditions[0]
    assert TrainingRun(parabola(), until=[condition.text]).plan.until.conditions == (condition,)


def test_a_status_that_changes_ends_the_training() -> None:
    # A step of 10 lands at w = 1 - 10 x 2 x (1 - 3) = 41, then the next one left of 0, where Relu passes nothing.
    graph = parabola(changes=["main/r.y", "main/w.y"])
    plan = {**graph.training, "steps": ({"name": "down", "rule": {"type": "descent", "rate": 10.0}},)}  # type: ignore[dict-item]
    run = TrainingRun(dataclasses.replace(graph, training=plan))
    assert [done.n for done in run.rounds()] == [0, 1, 2]
    assert run.ended_by == (2, "the status of main/w.y changes from flow to zero")


def test_a_number_of_rounds_goes_before_the_plan_but_not_before_the_command() -> None:
    assert len(list(TrainingRun(parabola(below={"down": 0.5})).rounds(9))) == 9
    assert len(list(TrainingRun(parabola(), until=["down < 0.5"]).rounds(9))) == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("down << 3", "is no condition; write for example"),
        ("", "is no condition"),
        ("down =< 3", "is no condition"),
        ("down < low", '"low" is no number'),
        ("down < 1_000", '"1_000" is no number'),
        ("gradient main/w > nan", '"nan" is no number'),
        ("main/l < 1", "is not logged: name a step, its loss or a metric; did you mean main/L?"),
        ("gradient main/L < 1", '"main/L" is no Variable'),
        ("main/w outside 3..1", "its first number has to be the smaller one"),
        ("main/w outside 1..1", "its first number has to be the smaller one"),
        ("status main/w changes", "must be a port"),
    ],
)
def test_a_wrong_text_is_a_sentence(text: str, said: str) -> None:
    with pytest.raises(JsonFault, match="^.*" + said.replace("?", "\\?").replace("(", "\\(")):
        TrainingRun(parabola(), until=[text])


@pytest.mark.parametrize(
    ("until", "path"),
    [
        ({"under": {"down": 1}}, ("under",)),
        ({"outside": {"main/w": [1]}}, ("outside", "main/w")),
        ({"outside": {"main/w": [2, 1]}}, ("outside", "main/w")),
        ({"changes": ["main/q.y"]}, ("changes", 0)),
        ({"gradient_above": {"main/q": 1}}, ("gradient_above", "main/q")),
        ({"below": {"down": "low"}}, ("below", "down")),
    ],
)
def test_a_wrong_end_in_the_plan_is_refused_with_its_place(until: dict[str, object], path: tuple[object, ...]) -> None:
    with pytest.raises(JsonFault) as caught:
        plan_of(parabola(**until))
    assert caught.value.path == ("training", "until", *path)


def test_an_end_that_waits_for_a_variable_that_nothing_trains_is_told() -> None:
    loss = gw.Square(gw.Variable(1.0, name="w", trainable=False) - gw.Variable(2.0, name="v"))
    graph = dataclasses.replace(
        gw.graph(gw.Loss(loss, name="L")), training={"until": {"gradient_below": {"main/w": 1}}}
    )
    sentences = [problem.message for problem in TrainingRun(graph).problems]
    assert sentences == ["The end waits for the gradient of main/w, which no step trains."]


def test_statuses_that_follow_the_batches_are_those_of_an_evaluation() -> None:
    # Relu lets pass what is above 2: with y = 2 x + 1 and batches of one row, only now and then anything.
    x, y = gw.Data(set="line", n=8, batch=1, name="data")
    h = gw.Relu(y * gw.Variable(1.0, name="w") - 2.0, name="h")
    graph = gw.graph(gw.Loss(gw.ReduceSum(h, name="s") + gw.ReduceSum(x * 0.0), name="L"))
    graph = dataclasses.replace(graph, training={"steps": ({"rule": {"type": "descent", "rate": 1e-3}},)})
    trainer, statuses, seen = Trainer(graph), Statuses(["main/w.y"], None), list[str]()
    for _ in range(8):
        seen.append(statuses.of(trainer.shown_graph)["main/w.y"][1])
        assert seen[-1] == evaluate(trainer.shown_graph).port("main/w.y").status.value
        trainer.run_round()
    assert {*seen} == {"flow", "zero"}


WHOLE = {
    "steps": 200, "below": {"down": 0.5}, "above": {"main/L": 9}, "gradient_below": {"main/w": 0.1},
    "gradient_above": {"main/w": 7}, "outside": {"main/w": (-1, 2)}, "changes": ("main/r.y", "main/w.y"),
}  # fmt: skip


def test_an_end_comes_back_from_its_record_and_its_texts() -> None:
    until = plan_of(parabola(**WHOLE)).until
    assert until.record == WHOLE
    texts = [condition.text for condition in until.conditions]
    assert texts == [
        "down < 0.5", "main/L > 9", "gradient main/w < 0.1", "gradient main/w > 7", "main/w outside -1..2",
        "status main/r.y changes", "status main/w.y changes",
    ]  # fmt: skip
    TrainingRun(parabola(), until=texts)
    assert Until().record == {} and Until(3).record == {"steps": 3}
    assert until.places(STATUS) == ("main/r.y", "main/w.y") and until.places(VALUE) == ("main/w",)


@pytest.mark.parametrize(
    ("steps", "n", "usual", "end"),
    [(None, 0, 100, 100), (None, 100, 100, 100), (None, 101, 100, 200), (7, 0, 100, 7), (7, 7, 100, 7), (7, 8, 100, 14),
     (0, 5, 100, 0)],
)  # fmt: skip
def test_a_training_pauses_after_as_many_rounds_again(steps: int | None, n: int, usual: int, end: int) -> None:
    assert Until(steps).end_of(n, usual) == end


def test_a_condition_has_at_most_a_thousand_letters() -> None:
    TrainingRun(parabola(), until=[" " * 990 + "down < 0.5"])
    with pytest.raises(JsonFault, match="at most 1,000 letters"):
        TrainingRun(parabola(), until=[" " * 991 + "down < 0.5"])


@pytest.mark.parametrize(
    ("condition", "numbers", "ends"),
    [
        (Condition("number", "L", low=1.0, logged="a"), {"losses": {"a": 1.0}}, ""),
        (Condition("number", "L", low=1.0, logged="a"), {"losses": {"a": 0.9}}, "L is below 1"),
        (Condition("number", "L", high=1.0, logged="a"), {"losses": {"a": 1.0}}, ""),
        (Condition("number", "L", high=1.0, logged="a"), {"metrics": {"a": 1.1}}, "L is above 1"),
        (Condition("number", "L", high=1.0, logged="a"), {"losses": {"a": 0.5}, "metrics": {"a": 3.0}}, ""),
        (Condition("number", "L", high=1.0, logged="a"), {}, ""),
        (Condition("number", "L", high=1.0, logged="a"), {"losses": {"a": math.nan}}, ""),
        (Condition(GRADIENT, "w", low=2.0), {"sizes": {"w": Sizes(1.0, 9.0)}}, "the gradient of w is below 2"),
        (Condition(GRADIENT, "w", high=2.0), {"sizes": {"w": Sizes(1.0, 9.0)}}, ""),
        (Condition(GRADIENT, "w", high=2.0), {}, ""),
        (Condition(VALUE, "w", -1.0, 2.0), {"ranges": {"w": (-1.0, 2.0)}}, ""),
        (Condition(VALUE, "w", -1.0, 2.0), {"ranges": {"w": (-1.1, 2.0)}}, "w leaves the range from -1 to 2"),
        (Condition(VALUE, "w", -1.0, 2.0), {"ranges": {"w": (-1.0, 2.1)}}, "w leaves the range from -1 to 2"),
        (Condition(VALUE, "w", -1.0, 2.0), {"ranges": {"w": (math.nan, 1.0)}}, "w leaves the range from -1 to 2"),
        (Condition(VALUE, "w", -1.0, 2.0), {}, ""),
        (Condition(STATUS, "p.y"), {"statuses": {"p.y": ("flow", "flow")}}, ""), (Condition(STATUS, "p.y"), {}, ""),
        (Condition(STATUS, "p.y"), {"statuses": {"p.y": ("flow", "zero")}},
         "the status of p.y changes from flow to zero"),
    ],
)  # fmt: skip
def test_a_condition_holds_beyond_its_limit(condition: Condition, numbers: dict[str, Any], ends: str) -> None:
    done = Round(**{"n": 3, "losses": {}, **numbers})
    assert condition.reason(done) == (ends or None)
    assert Until(None, (Condition(STATUS, "other"), condition)).reason(done) == (ends or None)
