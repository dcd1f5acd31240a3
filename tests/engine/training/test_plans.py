"""Plans of training: what is wrong in one is told with its place, and who trains whom is said."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.edits.edits import rename_block
from gradwire.engine.edits.page_edits import add_page
from gradwire.engine.edits.renames import rename_page
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.contract import contract, plan_problems
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.state import load_state
from gradwire.engine.training.trainer import Trainer, TrainingStopped


def graph(**plan: object) -> Graph:
    """Returns a graph with a critic and a generator, whose loss D is kept from the generator, and a plan."""
    a, w, c = gw.Variable(0.5, name="a"), gw.Variable(2.0, name="w"), gw.Variable(1.0, name="c")
    fake = a * gw.Input([1.0, 2.0], name="noise")
    kept = gw.StopGradient(fake, name="stop")
    d = gw.Loss(gw.Square(w * kept - c), name="D")
    g = gw.Loss(-(w * fake), name="G")
    return dataclasses.replace(gw.graph(d, g), training=plan or None)


STEP = {"loss": "main/D", "rule": {"type": "adam"}}
WRONG = {
    "an unknown key": ({"stepz": []}, ("training", "stepz"), "did you mean steps"),
    "no steps": ({"steps": []}, ("training", "steps"), "nothing would be trained"),
    "steps that are no list": ({"steps": {}}, ("training", "steps"), "must be a list"),
    "a step that is no object": ({"steps": [5]}, ("training", "steps", 0), "object in braces"),
    "gradients of no batch": (
        {"steps": [{**STEP, "accumulate": 0}]},
        ("training", "steps", 0, "accumulate"),
        "at least 1",
    ),
    "an unknown key of a step": ({"steps": [{**STEP, "tims": 2}]}, ("training", "steps", 0, "tims"), "mean times"),
    "a loss that is not there": ({"steps": [{"loss": "main/E"}]}, ("training", "steps", 0, "loss"), "no block"),
    "a loss that is none": ({"steps": [{"loss": "main/stop"}]}, ("training", "steps", 0, "loss"), "is no Loss"),
    "a loss that is no name": ({"steps": [{"loss": 5}]}, ("training", "steps", 0, "loss"), "must be a name"),
    "a variable that is none": (
        {"steps": [{**STEP, "variables": ["main/a", "main/noise"]}]},
        ("training", "steps", 0, "variables", 1),
        "is no Variable",
    ),
    "no variable": ({"steps": [{**STEP, "variables": []}]}, ("training", "steps", 0, "variables"), "at least"),
    "an unknown rule": ({"steps": [{"rule": {"type": "adma"}}]}, ("training", "steps", 0, "rule", "type"), " or adam"),
    "a rule without a type": ({"steps": [{"rule": {}}]}, ("training", "steps", 0, "rule"), "type is missing"),
    "an unknown parameter": (
        {"steps": [{"rule": {"type": "adam", "beta3": 1}}]},
        ("training", "steps", 0, "rule", "beta3"),
        "no key of the rule adam",
    ),
    "a parameter of another kind": (
        {"steps": [{"rule": {"type": "adam", "beta1": "much"}}]},
        ("training", "steps", 0, "rule", "beta1"),
        "beta1 must be a number",
    ),
    "a parameter out of range": (
        {"steps": [{"rule": {"type": "ftrl", "l1": -1}}]},
        ("training", "steps", 0, "rule", "l1"),
        "l1 is -1",
    ),
    "a share that fades nothing": (
        {"steps": [{"rule": {"type": "adam", "beta1": 2}}]},
        ("training", "steps", 0, "rule", "beta1"),
        "at least 0 and below 1, not 2",
    ),
    "a tensor for a rule": (
        {"steps": [{"rule": {"type": np.zeros(2)}}]},
        ("training", "steps", 0, "rule", "type"),
        "a tensor of shape [2] is no rule",
    ),
    "a tensor for variables": (
        {"steps": [{**STEP, "variables": np.zeros(2)}]},
        ("training", "steps", 0, "variables"),
        "must be a list, not a tensor of shape [2]",
    ),
    "a tensor for a number": (
        {"seed": np.zeros(3), "steps": [STEP]},
        ("training", "seed"),
        "not a tensor of shape [3]",
    ),
    "too many steps": ({"steps": [STEP] * 1000}, ("training", "steps"), "1,000 steps; at most 250"),
    "a check of a ragged list": (
        {"steps": [STEP], "checks": [{"after": 1, "at": "main/D.y", "value": [[1], [1, 2]]}]},
        ("training", "checks", 0, "value"),
        "lists of one length",
    ),
    "a check of an object": (
        {"steps": [STEP], "checks": [{"after": 1, "at": "main/D.y", "below": {"a": 1}}]},
        ("training", "checks", 0, "below"),
        "must be a number, not an object",
    ),
    "a check of a text": (
        {"steps": [STEP], "checks": [{"after": 1, "at": "main/D.y", "above": "much"}]},
        ("training", "checks", 0, "above"),
        'must be a number, not "much"',
    ),
    "a check of a tensor part": (
        {"steps": [STEP], "checks": [{"after": 1, "at": "main/D.y", "above": 1, "part": np.zeros(2)}]},
        ("training", "checks", 0, "part"),
        "must be one of train, test",
    ),
    "a rate that is missing": (
        {"steps": [{"rule": {"type": "proximal_descent"}}]},
        ("training", "steps", 0, "rule"),
        "rate is missing",
    ),
    "a negative rate": (
        {"steps": [{"rule": {"type": "descent", "rate": -1}}]},
        ("training", "steps", 0, "rule", "rate"),
        "at least 0",
    ),
    "an unknown schedule": (
        {"steps": [{"rule": {"type": "descent", "rate": {"cosin": [1, 0, 9]}}}]},
        ("training", "steps", 0, "rule", "rate", "cosin"),
        "did you mean cosine",
    ),
    "a schedule with too few numbers": (
        {"steps": [{"rule": {"type": "descent", "rate": {"cosine": [1, 0]}}}]},
        ("training", "steps", 0, "rule", "rate", "cosine"),
        "3 numbers",
    ),
    "a list that begins late": (
        {"steps": [{"rule": {"type": "descent", "rate": {"list": [[5, 0.1]]}}}]},
        ("training", "steps", 0, "rule", "rate", "list"),
        "begin with round 0",
    ),
    "a clip of 0": ({"clip": {"norm": 0}, "steps": [STEP]}, ("training", "clip", "norm"), "above 0"),
    "two clips": ({"clip": {"norm": 1, "value": 1}, "steps": [STEP]}, ("training", "clip"), "one of the keys"),
    "times of 0": ({"steps": [{**STEP, "times": 0}]}, ("training", "steps", 0, "times"), "at least 1"),
    "a step that never runs": (
        {"steps": [{**STEP, "when": {"from": 9, "to": 9}}]},
        ("training", "steps", 0, "when", "to"),
        "never run",
    ),
    "two steps of one name": ({"steps": [STEP, STEP]}, ("training", "steps", 1), "two steps are named"),
    "an assignment to no Variable": (
        {"steps": [{"assign": {"main/noise": "main/a.y"}}]},
        ("training", "steps", 0, "assign", "main/noise"),
        "is no Variable",
    ),
    "an assignment of no port": (
        {"steps": [{"assign": {"main/a": "main/w"}}]},
        ("training", "steps", 0, "assign", "main/a"),
        "must be a port",
    ),
    "a metric that is not there": ({"metrics": ["main/D.q"], "steps": [STEP]}, ("training", "metrics", 0), "output"),
    "an end that nothing logs": (
        {"until": {"below": {"main/x.y": 1}}, "steps": [STEP]},
        ("training", "until", "below", "main/x.y"),
        "is not logged",
    ),
    "a seed below 0": ({"seed": -1, "steps": [STEP]}, ("training", "seed"), "at least 0"),
    "a check of two kinds": (
        {"steps": [STEP], "checks": [{"after": 1, "at": "main/D.y", "value": 1, "below": 2}]},
        ("training", "checks", 0),
        "a check has one of",
    ),
    "a check of a step that is not there": (
        {"steps": [STEP], "checks": [{"step": "E", "trains": []}]},
        ("training", "checks", 0, "step"),
        "no step of the plan",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_plan_is_refused_at_its_place(wrong: str) -> None:
    plan, path, said = WRONG[wrong]
    with pytest.raises(JsonFault) as caught:
        TrainingRun(graph(**plan))
    assert caught.value.path == path
    assert said in caught.value.message


def test_who_trains_whom_tells_a_stop_from_a_list() -> None:
    steps = [
        {"name": "D", "loss": "main/D"},
        {"name": "G", "loss": "main/G", "variables": ["main/a"]},
        {"name": "slow", "assign": {"main/c": "main/w.y"}},
    ]
    made = graph(steps=steps)
    d, g, slow = contract(made, plan_of(made))
    assert set(d.trains) == {"main/c", "main/w"}
    assert d.others["main/a"].kind == "blocked"
    assert d.others["main/a"].by == ("main/stop",)
    assert g.trains == ("main/a",)
    assert {name: reason.kind for name, reason in g.others.items()} == {"main/c": "no_path", "main/w": "not_listed"}
    assert (slow.trains, slow.assigns) == ((), ("main/c",))
    unstopped = contract(made, plan_of(made), {"main/stop"})[0]
    assert set(unstopped.trains) == {"main/a", "main/c", "main/w"}


def test_what_the_contract_says_is_what_moves() -> None:
    made = graph(steps=[{"name": "D", "loss": "main/D"}, {"name": "G", "loss": "main/G", "variables": ["main/a"]}])
    for row, step in zip(contract(made, plan_of(made)), Trainer(made).steps, strict=True):
        assert set(row.trains) == set(step.trained)


def test_two_writers_and_a_variable_that_is_never_trained_are_problems() -> None:
    made = graph(steps=[{"loss": "main/D", "variables": ["main/a", "main/c"], "assign": {"main/c": "main/w.y"}}])
    plan = plan_of(made)
    found = plan_problems(contract(made, plan), plan, made)
    assert [(item.severity, item.at, item.code) for item in found] == [
        ("error", "main/c", "two_writers"),
        ("warning", "main/a", "never_trained"),
    ]
    with pytest.raises(GradwireError, match="trains main/c and assigns it"):
        TrainingRun(made)


def test_an_assignment_of_another_shape_is_refused() -> None:
    with pytest.raises(GradwireError, match="cannot be assigned"):
        Trainer(graph(steps=[{"assign": {"main/c": "main/noise.y"}}]))


def test_renaming_a_block_or_page_renames_it_in_the_plan() -> None:
    made = graph(
        steps=[{"name": "main/a", "loss": "main/D", "variables": ["main/w"]}, {"assign": {"main/c": "main/w.y"}}],
        metrics=["main/D.y"],
    )
    renamed = rename_page(rename_block(made, "main", "w", "critic"), "main", "net")
    assert renamed.training == {
        "steps": [
            {"name": "main/a", "loss": "net/D", "variables": ["net/critic"]},
            {"assign": {"net/c": "net/critic.y"}},
        ],
        "metrics": ["net/D.y"],
    }
    assert add_page(made)[0].training is made.training


def test_maximizing_climbs_and_does_not_turn_the_log() -> None:
    w = gw.Variable(0.0, name="w")
    plan = {"steps": [{"name": "up", "maximize": True, "rule": {"type": "descent", "rate": 0.5}}]}
    made = dataclasses.replace(gw.graph(gw.Loss(-gw.Square(w - 3.0), name="L")), training=plan)
    run = TrainingRun(made)
    assert [done.losses["up"] for done in run.rounds(2)] == [-9.0, 0.0]
    assert float(run.trainer.variables["main/w"]) == 3.0


def test_an_infinite_loss_stops_before_anything_is_written() -> None:
    w = gw.Variable(1e200, name="w")
    trainer = Trainer(gw.graph(gw.Loss(gw.Exp(w, name="e"), name="L")))
    with pytest.raises(TrainingStopped) as stopped:
        trainer.run_round()
    assert (stopped.value.n, stopped.value.step, stopped.value.at) == (0, "all", "main/e")
    assert float(trainer.variables["main/w"]) == 1e200


def test_a_new_value_that_is_not_finite_stops_too() -> None:
    w = gw.Variable(1e300, name="w")
    plan = {"steps": [{"name": "far", "rule": {"type": "descent", "rate": 1e308}}]}
    trainer = Trainer(dataclasses.replace(gw.graph(gw.Loss(w * 100.0, name="L")), training=plan))
    with pytest.raises(TrainingStopped, match="new value of main/w") as stopped:
        trainer.run_round()
    assert stopped.value.at == "main/w"
    assert float(trainer.variables["main/w"]) == 1e300


def test_a_rate_may_change_between_the_steps_of_a_script() -> None:
    training = gw.training(gw.Square(gw.Variable(1.0, name="w")), gw.descent(0.25))
    training.step()
    training.rate = 0.5
    training.step()
    assert float(training.graph.block("main/w").parameters["value"]) == 0.0
    called = gw.training(gw.Square(gw.Variable(1.0, name="w")), gw.descent(lambda n: 0.25 * (n + 1)))
    called.step()
    called.step()
    assert float(called.graph.block("main/w").parameters["value"]) == 0.0


def test_a_script_goes_on_with_the_memory_of_its_rule() -> None:
    loss = gw.Square(gw.Variable([3.0, -1.0], name="w"))
    whole, first = gw.training(loss, gw.adam(0.1)), gw.training(loss, gw.adam(0.1))
    for _ in range(5):
        whole.step()
        first.step()
    second = gw.training(first.graph, gw.adam(0.1))
    second.load_state(first.state())
    assert [float(second.step()) for _ in range(2)] == [float(whole.step()) for _ in range(2)]


def test_a_state_is_read_from_its_file_and_refused_by_another_graph(tmp_path) -> None:
    trainer = Trainer(graph())
    trainer.run_round()
    (tmp_path / "a.npz").write_bytes(trainer.state().to_bytes())
    again = Trainer(graph())
    again.load_state(load_state(tmp_path / "a.npz"))
    assert again.state().to_bytes() == trainer.state().to_bytes()
    other = Trainer(gw.graph(gw.Loss(gw.Variable(np.ones(3), name="a"))))
    with pytest.raises(GradwireError):
        other.load_state(load_state(tmp_path / "a.npz"))
    (tmp_path / "b.npz").write_bytes(b"PK no archive")
    with pytest.raises(GradwireError, match="no state of a training"):
        load_state(tmp_path / "b.npz")


def outcomes(checks: list[dict], rounds: int = 5) -> list[bool | None]:
    run = TrainingRun(graph(steps=[{"name": "D", "loss": "main/D", "rule": {"type": "descent"}}], checks=checks))
    list(run.rounds(rounds))
    return [outcome.is_met for outcome in run.outcomes()]


def test_checks_hold_and_fail() -> None:
    plain = TrainingRun(graph(steps=[{"loss": "main/D", "rule": {"type": "descent"}}]))
    loss = [done.losses["main/D"] for done in plain.rounds(4)][3]
    at, step = {"after": 3, "at": "main/D.y"}, {"step": "D"}
    assert outcomes([{**at, "value": loss}]) == [True]
    assert outcomes([{**at, "value": loss + 1e-3}]) == [False]
    assert outcomes([{**at, "below": loss + 1}, {**at, "above": 99}]) == [True, False]
    assert outcomes([{**at, "after": 9, "value": loss}]) == [None]
    assert outcomes([{**step, "trains": ["main/w", "main/c"]}, {**step, "trains": ["main/w"]}]) == [True, False]
    assert outcomes([{"until": 5, "monotone": "main/D.y"}]) == [False]
    without = {"run_without": "main/stop", "after": 2, "differs": True}
    assert outcomes([{**without, "at": "main/a.y"}, {**without, "at": "main/noise.y"}]) == [True, False]


def test_a_check_of_a_list_is_met_where_each_number_is() -> None:
    at = {"after": 0, "at": "main/pair.y"}
    run = TrainingRun(
        dataclasses.replace(
            gw.graph(gw.Loss(gw.Variable(np.array([1.0, 2.0]), name="pair"), name="L")),
            training={"checks": [{**at, "value": [1, 2]}, {**at, "value": [1, 3]}]},
        )
    )
    list(run.rounds(0))
    assert [outcome.is_met for outcome in run.outcomes()] == [True, False]


def test_a_training_that_runs_away_without_its_stop_differs_and_meets_no_limit() -> None:
    """With the stop w becomes 0; without it each round multiplies w by 100, and its square overflows in round 77."""
    w = gw.Variable(1.0, name="w")
    loss = gw.Loss(0.5 * w * w - gw.StopGradient(50.0 * w * w, name="stop"), name="L")
    at = {"run_without": "main/stop", "after": 90, "at": "main/w.y"}
    plan = {
        "steps": [{"rule": {"type": "descent", "rate": 1}}],
        "checks": [{**at, "differs": True}, {**at, "above": 0}, {**at, "after": 0, "differs": True}],
    }
    run = TrainingRun(dataclasses.replace(gw.graph(loss), training=plan))
    list(run.rounds(90))
    assert [outcome.is_met for outcome in run.outcomes()] == [True, False, False]


def test_a_training_without_a_stop_is_judged_by_the_checks_of_that_training_alone() -> None:
    """The derivative of 2 stop(w) w is 2 w, and without the stop 4 w: from 1, w moves to 0.8 or 0.6 at the rate 0.1."""
    w = gw.Variable(1.0, name="w")
    loss = gw.Loss(2.0 * gw.StopGradient(w, name="stop") * w + gw.StopGradient(w, name="other"), name="L")
    at = {"after": 1, "at": "main/w.y"}
    checks = [
        {**at, "value": 0.8},
        {"until": 1, "monotone": "main/w.y"},
        {"step": "main/L", "trains": ["main/w"]},
        {**at, "run_without": "main/stop", "value": 0.6},
        {**at, "run_without": "main/stop", "differs": True},
        {**at, "run_without": "main/other", "value": 0.8},
    ]
    plan = {"steps": [{"loss": "main/L", "rule": {"type": "descent", "rate": 0.1}}], "checks": checks}
    run = TrainingRun(dataclasses.replace(gw.graph(loss), training=plan), ignored_stops={"main/stop"})
    list(run.rounds(1))
    found = run.outcomes()
    assert [outcome.is_met for outcome in found] == [None, None, None, True, True, None]
    assert found[0].sentence == "it is of the training with every StopGradient"
    assert found[5].sentence == "it is of the training without main/other"


def test_a_check_without_a_stop_names_one() -> None:
    with pytest.raises(JsonFault, match="no StopGradient but a Variable"):
        outcomes([{"run_without": "main/a", "after": 1, "at": "main/D.y", "differs": True}])


def test_metrics_measured_apart_draw_by_the_seed_of_the_plan() -> None:
    noise = gw.RandomNormal(shape=[3], every="step", name="noise")
    loss = gw.Loss(gw.Variable(np.ones(3), name="w") * noise, name="L")
    # A step that skips rounds leaves the metrics to a graph of their own.
    step = {"name": "down", "rule": {"type": "descent", "rate": 0.0}, "every": 2}

    def metrics(seed: int, **more: object) -> list[float]:
        plan = {"seed": seed, "steps": [{**step, **more}], "metrics": ["main/L.y"]}
        run = TrainingRun(dataclasses.replace(gw.graph(loss), training=plan))
        return [done.metrics["main/L.y"] for done in run.rounds(4)]

    assert metrics(1) == metrics(1, every=1)
    assert metrics(1) != metrics(2)


def test_a_rule_moves_once_for_the_mean_of_accumulated_gradients() -> None:
    # The gradient stays the same until the rule moves, and so its mean is each of them.
    def valley(accumulate: int) -> Graph:
        step = {"rule": {"type": "adam", "rate": 0.1}, "accumulate": accumulate}
        return dataclasses.replace(
            gw.graph(gw.Loss(gw.Square(gw.Variable(1.0, name="w") - 3.0))), training={"steps": [step]}
        )

    plain, accumulating = Trainer(valley(1)), Trainer(valley(3))
    for _ in range(3):
        before = float(plain.variables["main/w"])
        for _ in range(3):
            assert float(accumulating.variables["main/w"]) == before
            accumulating.run_round()
        plain.run_round()
        assert float(accumulating.variables["main/w"]) == pytest.approx(float(plain.variables["main/w"]), rel=1e-15)


def test_a_file_says_that_it_accumulates_gradients_by_its_version() -> None:
    assert graph(steps=[STEP]).saved_version == (1, 1)
    assert graph(steps=[{**STEP, "accumulate": 2}]).saved_version == (1, 2)
