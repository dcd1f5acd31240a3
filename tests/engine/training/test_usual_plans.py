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
from gradwire.engine.training.lowered_step import LoweredStep
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


def test_a_loss_of_null_is_the_sum_of_all_and_none_at_all_is_the_active_one() -> None:
    w = gw.Variable(1.0, name="w")
    both = gw.graph(gw.Loss(gw.Square(w), name="A"), gw.Loss(w * 3.0, name="B"))
    for loss in (None, "main/B"):
        graph = dataclasses.replace(both, loss=loss, training={"steps": ({}, {"loss": None, "name": "b"})})
        named, of_all = plan_of(graph).steps
        assert (named.loss, of_all.loss) == (loss, None)
        assert (named.name, of_all.name) == (loss or "all", "b")
        assert plan_of(dataclasses.replace(graph, training=None)).steps[0].loss == loss


@pytest.mark.parametrize(
    ("when", "every", "rounds"),
    [
        ({}, 1, [0, 1, 2, 3, 4, 5, 6, 7]), ({"from": 2}, 1, [2, 3, 4, 5, 6, 7]), ({"to": 3}, 1, [0, 1, 2]),
        ({"from": 2, "to": 3}, 1, [2]), ({}, 2, [1, 3, 5, 7]), ({}, 3, [2, 5]), ({"from": 3, "to": 6}, 3, [5]),
        ({"from": None, "to": None}, 8, [7]), (None, None, [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)  # fmt: skip
def test_a_step_runs_in_some_rounds(when: object, every: object, rounds: list[int]) -> None:
    step = first(when=when, every=every)
    assert [n for n in range(8) if step.runs_in(n)] == rounds
    assert step.runs_always == (rounds == list(range(8)))


@pytest.mark.parametrize(
    ("step", "path"),
    [
        ({"when": {"from": 3, "to": 3}}, ("when", "to")), ({"when": {"from": 4, "to": 3}}, ("when", "to")),
        ({"when": {"to": 0}}, ("when", "to")), ({"every": 0}, ("every",)), ({"times": 0}, ("times",)),
        ({"clip": {"norm": 0}}, ("clip", "norm")), ({"clip": {}}, ("clip",)), ({"variables": []}, ("variables",)),
        ({"clip": {"norm": 1, "value": 1}}, ("clip",)), ({"assign": {}}, ("assign",)), ({"maximize": 1}, ("maximize",)),
        ({"assign": {"main/weight": "main/none.y"}}, ("assign", "main/weight")),
        ({"rule": {"type": 5}}, ("rule", "type")),
        ({"rule": {"type": "adam", "decay": {"coupled": -1}}}, ("rule", "decay", "coupled")),
        ({"rule": {"type": "adam", "beta1": 2}}, ("rule", "beta1")),
        ({"rule": {"type": "adam", "x": 2}}, ("rule", "x")),
        ({"rule": {"type": "adam", "rate": {"warmup": [0, 1, {"step": [1]}]}}}, ("rule", "rate", "warmup", 2, "step")),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_step_has_its_place(step: dict[str, object], path: tuple[object, ...]) -> None:
    with pytest.raises(JsonFault) as caught:
        plan_of(planned(step))
    assert caught.value.path == ("training", "steps", 0, *path)


@pytest.mark.parametrize(
    ("decay", "coupled", "decoupled"),
    [(None, 0, 0), ({"coupled": 0.5}, 0.5, 0), ({"decoupled": 0.25}, 0, 0.25), ({"coupled": 0}, 0, 0)],
)
def test_decay_is_of_one_kind(decay: object, coupled: float, decoupled: float) -> None:
    rule = first(rule={"type": "descent", "rate": 1, "decay": decay}).rule
    assert rule is not None and (rule.coupled, rule.decoupled) == (coupled, decoupled)


@pytest.mark.parametrize("names", [["a", "b", "a"], ["a", "b", "b"], ["a", "a", "b"]])
def test_steps_of_one_name_are_refused_at_the_second(names: list[str]) -> None:
    twice = next(place for place, name in enumerate(names) if name in names[:place])
    with pytest.raises(JsonFault, match="two steps are named") as caught:
        plan_of(planned(*({"name": name} for name in names)))
    assert caught.value.path == ("training", "steps", twice)


@pytest.mark.parametrize(
    ("updates", "accumulate", "shrink", "moves"),
    [(0, 1, 0.1, 1.0), (5, 1, 0.1, 1.0), (0, 2, 0.1, 0.0), (1, 2, 0.1, 1.0), (2, 3, 0.1, 1.0), (3, 3, 0.1, 0.0)],
)
def test_numbers_of_a_step_at_a_rate(updates: int, accumulate: int, shrink: float, moves: float) -> None:
    rule = {"type": "adam", "decay": {"decoupled": 0.5}}
    graph = planned({"rule": rule, "accumulate": accumulate})
    step = plan_of(graph).steps[0]
    found = LoweredStep(graph, step).coefficients(0.2, updates)
    assert (found["shrink"], found["moves"]) == (shrink, moves)
    assert step.rule is not None
    usual = step.rule.update.coefficients(0.2, updates // accumulate + 1)
    assert {key: found[key] for key in usual} == usual and len(found) == len(usual) + 2
    assigned = planned({"assign": {"main/v": "main/weight.y"}})
    assert LoweredStep(assigned, plan_of(assigned).steps[0]).coefficients(0.2, updates) == {}
