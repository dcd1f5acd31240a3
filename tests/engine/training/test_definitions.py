"""Random plans of training: the same losses and variables as the definitions in plain NumPy, and as after a pause."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradwire as gw
from gradwire.engine.blocktypes.update_rule import RULES
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.trainer import TrainingStopped
from tests.engine.training.definitions import DEFAULTS, Tensors, carried_out

ROUNDS = 9
X = np.array([[1.0, -0.5, 0.25], [0.5, 1.5, -1.0], [-1.25, 0.75, 0.5], [0.25, -1.0, 1.75]])
Y = np.array([0.5, -1.0, 0.75, 1.25])
START: Tensors = {
    "main/w": np.array([0.8, -0.4, 0.3]),
    "main/b": np.array(0.2),
    "main/slow": np.array([-0.6, 0.9, 0.1]),
}


def between(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_subnormal=False)


# Far from divisions by almost 0, where the last digit of one round is the first of a later one.
CHOICES: dict[str, st.SearchStrategy[Any]] = {
    "momentum": between(0.0, 0.9),
    "use_nesterov": st.booleans(),
    "beta1": between(0.5, 0.95),
    "beta2": between(0.8, 0.999),
    "epsilon": between(1e-3, 1e-1),
    "weight_decay": between(0.0, 0.1),
    "initial_accumulator_value": between(0.05, 1.0),
    "rho": between(0.5, 0.95),
    "l1": between(0.0, 0.1),
    "l2": between(0.0, 0.1),
    "l2_shrinkage": between(0.0, 0.1),
    "lr_power": between(-0.7, -0.3),
}
RATES = between(0.01, 0.1)
NUMBERS = st.one_of(
    RATES,
    st.builds(lambda r, k, f: {"step": [r, k, f]}, RATES, st.integers(1, 5), between(0.3, 0.9)),
    st.builds(lambda r, k, f: {"exponential": [r, k, f]}, RATES, st.integers(1, 5), between(0.3, 0.9)),
    st.builds(lambda a, b, k: {"cosine": [a, b, k]}, RATES, between(0.001, 0.01), st.integers(1, 12)),
    st.builds(lambda r, n, s: {"list": [[0, r], [n, s]]}, RATES, st.integers(1, 8), RATES),
    st.builds(lambda r, k: {"one_cycle": [r, k]}, RATES, st.integers(6, 12)),
)
SCHEDULES = NUMBERS | st.builds(
    lambda a, k, then: {"warmup": [a, k, then]}, between(0.001, 0.01), st.integers(1, 6), NUMBERS
)
CLIPS = st.sampled_from(("value", "norm", "global_norm")).flatmap(
    lambda kind: st.builds(lambda c: {kind: c}, between(0.05, 1))
)
DECAYS = st.sampled_from(("coupled", "decoupled")).flatmap(
    lambda kind: st.builds(lambda d: {kind: d}, between(0.0, 0.1))
)


@st.composite
def rules(draw: st.DrawFn, kind: str | None = None) -> dict[str, Any]:
    kind = kind or draw(st.sampled_from(sorted(DEFAULTS)))
    given_ones = {name: draw(CHOICES[name]) for name in DEFAULTS[kind] if draw(st.booleans())}
    # The defaults of these rules divide by almost 0 where a gradient ends.
    given_ones |= {name: draw(CHOICES[name]) for name in ("epsilon",) if name in DEFAULTS[kind]}
    decay = {} if kind == "adamw" or draw(st.booleans()) else {"decay": draw(DECAYS)}
    return {"type": kind, "rate": draw(SCHEDULES), **given_ones, **decay}


@st.composite
def steps(draw: st.DrawFn, kind: str | None = None) -> dict[str, Any]:
    optional = {
        "variables": st.sampled_from(("*", ["main/w"], ["main/b", "main/w"], ["main/slow"])),
        "when": st.fixed_dictionaries({}, optional={"from": st.integers(0, 4), "to": st.integers(5, 9)}),
        "every": st.integers(1, 4),
        "times": st.integers(1, 3),
        "accumulate": st.integers(1, 3),
        "maximize": st.booleans(),
        "clip": CLIPS | st.none(),
    }
    losses = st.sampled_from(("main/fit", "main/lag", None))
    return draw(st.fixed_dictionaries({"loss": losses, "rule": rules(kind)}, optional=optional))


def graph(is_trained: bool) -> Graph:
    """Returns the mean square of a fit, and the distance of slow weights from it behind a stop."""
    w, b = gw.Variable(START["main/w"], name="w"), gw.Variable(START["main/b"], name="b")
    slow = gw.Variable(START["main/slow"], name="slow", trainable=is_trained)
    error = gw.ReduceSum(gw.Constant(X) * w, axis=1) + b - gw.Constant(Y)
    fit = gw.Loss(gw.ReduceMean(gw.Square(error)), name="fit")
    lag = gw.Loss(gw.ReduceSum(gw.Square(slow - gw.StopGradient(w))), name="lag")
    return gw.graph(fit, lag, gw.Add(0.9 * slow, 0.1 * w, name="mean"))


def evaluate(variables: Tensors) -> tuple[dict[str, float], dict[str, Tensors], Tensors]:
    w, b, slow = variables["main/w"], variables["main/b"], variables["main/slow"]
    error = X @ w + b - Y
    fit, lag = float(np.mean(error**2)), float(np.sum((slow - w) ** 2))
    of_fit = {"main/w": 2 / Y.size * X.T @ error, "main/b": np.array(2 * np.mean(error))}
    of_lag = {"main/slow": 2 * (slow - w)}
    by_loss = {"main/fit": of_fit, "main/lag": of_lag, "": {**of_fit, **of_lag}}
    return {"main/fit": fit, "main/lag": lag, "": fit + lag}, by_loss, {"main/mean.z": 0.9 * slow + 0.1 * w}


def values(run: TrainingRun) -> Tensors:
    return {name: np.array(run.trainer.graph.block(name).parameters["value"]) for name in START}


def agree(plan: dict[str, Any], is_trained: bool) -> None:
    """Carries a plan out here and by the definitions, and once more with a pause."""
    named = {**plan, "steps": tuple({"name": f"s{row}", **step} for row, step in enumerate(plan["steps"]))}
    whole = dataclasses.replace(graph(is_trained), training=named)
    trainable = START.keys() if is_trained else START.keys() - {"main/slow"}
    names = [step["name"] for step in named["steps"]]
    losses, wanted = carried_out(named, names, ROUNDS, START, set(trainable), evaluate)
    run = TrainingRun(whole)
    done = list(run.rounds(ROUNDS))
    for name in names:
        got = [round_.losses[name] for round_ in done if name in round_.losses]
        np.testing.assert_allclose(got, losses[name], rtol=1e-9, atol=1e-12)
    for name, value in values(run).items():
        np.testing.assert_allclose(value, wanted[name], rtol=1e-8, atol=1e-11)
    first, second = TrainingRun(whole), TrainingRun(whole)
    list(first.rounds(4))
    second.trainer.load_state(first.trainer.state())
    list(second.rounds(ROUNDS - 4))
    assert all(np.array_equal(value, values(run)[name]) for name, value in values(second).items())


def test_every_rule_has_a_definition_with_its_defaults() -> None:
    # What no definition reads (update_slots of Adagrad, multiply_linear_by_lr of Ftrl) is for the blocks.
    ours = {
        name: {key: item for key, item in kind.defaults.items() if key in DEFAULTS.get(name, {})}
        for name, kind in RULES.items()
    }
    assert ours == DEFAULTS


@pytest.mark.parametrize("kind", sorted(DEFAULTS))
@settings(max_examples=3)
@given(data=st.data())
def test_every_rule_moves_variables_as_its_formula_says(kind: str, data: st.DataObject) -> None:
    agree({"steps": (data.draw(steps(kind)),)}, data.draw(st.booleans()))


def test_ftrl_stops_before_it_divides_by_a_rate_of_0() -> None:
    # TensorFlow's ApplyFtrl gives NaN there.
    rule = {"type": "ftrl", "rate": {"list": [[0, 0.05], [3, 0.0]]}}
    plan = {"steps": ({"name": "fit", "loss": "main/fit", "rule": rule},)}
    run = TrainingRun(dataclasses.replace(graph(False), training=plan))
    with pytest.raises(TrainingStopped, match="Round 3, step fit: The new value of main/w would not be finite"):
        list(run.rounds(ROUNDS))
    assert all(np.all(np.isfinite(value)) and np.any(value != 0) for value in values(run).values())


@settings(max_examples=10)
@given(
    st.lists(steps(), min_size=2, max_size=3),
    st.fixed_dictionaries({}, optional={"clip": CLIPS}),
    st.booleans(),
    st.booleans(),
)
def test_steps_follow_each_other_as_the_definitions_say(
    listed: list[dict[str, Any]], whole: dict[str, Any], is_trained: bool, is_assigned: bool
) -> None:
    if is_assigned and not is_trained:
        listed[0] = {**listed[0], "assign": {"main/slow": "main/mean.z"}}
    agree({"steps": tuple(listed), **whole}, is_trained)
