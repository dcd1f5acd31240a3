"""What a plan leaves out has its usual value: steps, rules, rates, and names that are nearly right."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.schema import JsonFault
from gradwire.engine.blocktypes.update_rule import RULES
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training import side_by_side
from gradwire.engine.training.kept_state import with_state
from gradwire.engine.training.origin import origin_of
from gradwire.engine.training.plan import Step
from gradwire.engine.training.plan_reading import plan_of


def planned(*steps: dict[str, object], **plan: object) -> Graph:
    w, v = gw.Variable(1.0, name="weight"), gw.Variable(2.0, name="v")
    graph = gw.graph(gw.Loss(gw.Square(w) + v, name="L"))
    return dataclasses.replace(graph, training={**({"steps": steps} if steps else {}), **plan})


def first(**step: object) -> Step:
    return plan_of(planned(step)).steps[0]


def test_a_step_that_says_nothing_trains_all_by_adam() -> None:
    for step in (first(), first(name="a"), first(times=2), plan_of(planned()).steps[0]):
        assert step.rule is not None and (step.rule.type, step.rule.rate.at(7)) == ("adam", 0.01)
        assert (step.variables, step.assign, step.maximize, step.accumulate) == (("*",), {}, False, 1)
        assert (step.every, step.begin, step.end, step.clip) == (1, 0, None, None)
    assert (first(name="a").name, first(times=2).times, first().times) == ("a", 2, 1)
    assert first(loss="main/L").name == "main/L" == first(loss="main/L").loss


def test_a_step_that_assigns_trains_only_where_it_says_so() -> None:
    assign = {"main/v": "main/weight.y"}
    step = first(assign=assign)
    assert (step.name, step.rule, step.loss, dict(step.assign)) == ("main/v", None, None, assign)
    for more in (
        {"loss": "main/L"},
        {"rule": {"type": "descent", "rate": 1}},
        {"variables": ["main/weight"]},
        {"maximize": True},
    ):
        both = first(assign=assign, **more)
        assert both.rule is not None and dict(both.assign) == assign


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_has_its_usual_rate_or_needs_one(name: str) -> None:
    usual = RULES[name].rate
    if usual is None:
        with pytest.raises(JsonFault, match=f"rate is missing; {name} has no usual one"):
            first(rule={"type": name})
    else:
        rule = first(rule={"type": name}).rule
        assert rule is not None and rule.rate.at(0) == usual > 0
    given = first(rule={"type": name, "rate": 0.5}).rule
    assert given is not None and given.rate.at(3) == 0.5 and given.parameters == RULES[name].defaults


def test_a_clip_of_the_plan_is_that_of_each_step_without_its_own() -> None:
    plan = plan_of(planned({}, {"name": "b", "clip": {"value": 2.0}}, {"name": "c", "clip": None}, clip={"norm": 1.0}))
    assert [step.clip is None for step in plan.steps] == [False, False, True]
    assert plan.steps[0].clip != plan.steps[1].clip


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"variables": ["main/weigh"]}, "did you mean main/weight?"),
        ({"variables": ["main/zzzzzz"]}, '"main/zzzzzz"$'),
        ({"variables": ["man/weight"]}, "did you mean main/weight?"),
        ({"loss": "main/weight"}, "main/weight"),
        ({"rule": {"type": "adm"}}, "did you mean adam"),
    ],
)
def test_a_name_that_is_nearly_right_is_guessed(step: dict[str, object], said: str) -> None:
    with pytest.raises(JsonFault, match=said):
        plan_of(planned(step))


def test_of_several_losses_only_the_active_one_is_asked_for_what_is_not_finite() -> None:
    fine, odd = (
        gw.Loss(gw.Variable(1.0, name="w"), name="L"),
        gw.Loss(gw.Log(gw.Constant(-1.0), name="log"), name="other"),
    )
    graph = gw.graph(fine, odd)
    for active, at in (("main/L", "main/L"), ("main/other", "main/log"), (None, "main/log")):
        assert origin_of(dataclasses.replace(graph, loss=active), (), (), frozenset())[0] == at


@pytest.mark.parametrize(("calls", "rounds"), [(1, None), (2, None), (3, 1), (5, 3)])
def test_two_trainings_stop_when_their_time_is_over(
    calls: int, rounds: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is asked once before all rounds and once before each; the first round only shows how it begins."""
    clock = iter([0.0] * calls + [9.0] * 9)
    monkeypatch.setattr(side_by_side.time, "perf_counter", lambda: next(clock))
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable(3.0, name="w")), name="L"))
    found = side_by_side.train_both(graph, graph, 1.0)
    assert (None if found is None else found.rounds) == rounds


def test_who_has_no_value_is_not_kept(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """What is saved of a run has the values of before for each Variable that moved."""
    graph = planned({"rule": {"type": "descent", "rate": 0.1}})
    run = gw.train(graph, 2)
    run.save(tmp_path / "a.graph", state=True)
    initial = gw.load(tmp_path / "a.graph").training["initial"]  # type: ignore[index]
    assert {name: float(np.asarray(value)) for name, value in initial.items()} == {"main/weight": 1.0, "main/v": 2.0}  # type: ignore[union-attr, attr-defined]


def test_a_step_runs_at_the_end_of_each_so_many_rounds_within_its_own() -> None:
    step = Step("a", every=3, begin=4, end=11)
    assert [n for n in range(20) if step.runs_in(n)] == [5, 8]
    assert [n for n in range(5) if Step("a").runs_in(n)] == [0, 1, 2, 3, 4]
    assert Step("a").runs_always
    for more in ({"every": 2}, {"begin": 1}, {"end": 9}):
        assert not Step("a", **more).runs_always


def test_a_loss_stands_for_the_step_that_it_alone_is_the_loss_of() -> None:
    one, two = (gw.Loss(gw.Square(gw.Variable(1.0, name=name)), name=f"L{name}") for name in ("a", "b"))
    both = gw.graph(one, two)
    until = {"below": {"main/La": 0.1}}
    for steps, is_known in (([{"loss": "main/La"}], True), ([{"loss": "main/Lb"}], False), ([{"loss": None}], False)):
        graph = dataclasses.replace(both, loss=None, training={"steps": steps, "until": until})
        if is_known:
            assert plan_of(graph).until.conditions[0].logged == "main/La"
        else:
            with pytest.raises(JsonFault, match="is not logged"):
                plan_of(graph)


def test_only_values_that_differ_from_those_of_now_are_kept_beside_a_graph() -> None:
    graph = planned({"name": "a"})
    now = {"main/weight": np.array(1.0), "main/v": np.array(2.0)}
    assert with_state(graph, None, now).graph.training == graph.training
    assert with_state(graph, None, {}).graph.training == graph.training
    bare = dataclasses.replace(graph, training=None)
    assert with_state(bare, None, now).graph.training is None
    kept = with_state(bare, None, {**now, "main/v": np.array(5.0)}).graph.training
    assert kept is not None and set(kept) == {"initial"} and set(kept["initial"]) == {"main/v"}  # type: ignore[call-overload]
