"""Losses for moved values beside the formula, and what differences tell of kinks and jumps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.plan import Plan, Step, run_step
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.executors.arena import Arena
from gradwire.engine.explain.checks import nudged_loss
from gradwire.engine.explain.checks.differences import (
    Differences,
    Quotients,
    is_smooth,
    jumps,
    mirrored,
    nudged,
    quotients,
)
from gradwire.engine.explain.checks.nudged_loss import NudgedLoss

X, W = np.array([0.5, -1.0, 2.0]), np.array([1.5, 2.0, -0.5])


def nudge() -> tuple[NudgedLoss, dict[str, object]]:
    """Returns the losses sum(exp(x) * w + x) and sum(w), with all places by name; log(x) leads to no loss."""
    x, w = gw.Input(X, name="x"), gw.Variable(W, name="w")
    e = gw.Exp(x, name="e")
    whole = gw.Add(gw.Multiply(e, w, name="m"), x, name="a")
    run = run_graph(gw.graph(gw.Loss(whole, name="l"), gw.Loss(w, name="k"), gw.Log(x, name="idle")))
    places: dict[str, object] = {str(name): item for name, item in run.lowered.ports.items()}
    places |= {f"{link.source} > {link.target}": run.lowered.edges.get(link.target) for link in run.snapshot.wires}
    return NudgedLoss(run.lowered), places


MOVED = np.array([0.25, 3.0, -1.0])
EXPECTED: dict[str, tuple[np.ndarray, float]] = {
    "main/x.y": (X, float(np.sum(np.exp(MOVED) * W + MOVED) + W.sum())),
    "main/w.y": (W, float(np.sum(np.exp(X) * MOVED + X) + MOVED.sum())),
    "main/e.y": (np.exp(X), float(np.sum(MOVED * W + X) + W.sum())),
    "main/m.z": (np.exp(X) * W, float(np.sum(MOVED + X) + W.sum())),
    "main/x.y > main/e.x": (X, float(np.sum(np.exp(MOVED) * W + X) + W.sum())),
    "main/x.y > main/a.y": (X, float(np.sum(np.exp(X) * W + MOVED) + W.sum())),
    "main/w.y > main/k.x": (W, float(np.sum(np.exp(X) * W + X) + MOVED.sum())),
}


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("runs", [1, 1_000_000])
def test_a_value_that_is_moved_gives_the_loss_of_the_formula(name: str, runs: int) -> None:
    found, places = nudge()
    place, (value, loss) = places[name], EXPECTED[name]
    now = found.value(place)  # type: ignore[arg-type]  # a port or an edge
    assert now is not None
    np.testing.assert_array_equal(now, value)
    usual = float(np.sum(np.exp(X) * W + X) + W.sum())
    assert found.unmoved(place, now) == pytest.approx(usual)  # type: ignore[arg-type]
    compiled = found.compile(place, now, runs)  # type: ignore[arg-type]
    for _ in range(2):
        assert found.loss(place, MOVED) == compiled(MOVED) == pytest.approx(loss, rel=1e-13)  # type: ignore[arg-type]
        assert found.loss(place, now) == compiled(now) == pytest.approx(usual, rel=1e-13)  # type: ignore[arg-type]


def test_values_behind_a_place_are_those_of_the_formula_and_others_are_none() -> None:
    found, places = nudge()
    later = list(found.later_values(places["main/e.y"], [np.exp(X), MOVED]))  # type: ignore[arg-type]
    np.testing.assert_allclose(later[0], [np.exp(X) * W, MOVED * W])  # type: ignore[arg-type]
    assert [item.type.name for item in found.applications_after(places["main/e.y"])][:2] == ["Multiply", "Add"]  # type: ignore[arg-type]
    assert found.value(places["main/idle.y"]) is None  # type: ignore[arg-type]
    edge = places["main/x.y > main/idle.x"]
    assert edge is None or (isinstance(edge, Edge) and found.value(edge) is None)
    assert found.steps_after(places["main/x.y"]) > found.steps_after(places["main/e.y"]) > 0  # type: ignore[arg-type]


FUNCTIONS: dict[str, tuple[Callable[[float], float], bool, bool]] = {
    "a line": (lambda x: 3 * x + 1, True, False),
    "a square": (lambda x: x * x, True, False),
    "a steep sine": (lambda x: math.sin(20 * x), True, False),
    "a kink": (abs, False, False),
    "half a kink": (lambda x: max(x, 0), False, False),
    "a small kink on a slope": (lambda x: 5 * x + 0.1 * abs(x), False, False),
    "a jump": (lambda x: 1.0 if x > 0 else 0.0, False, True),
    "a jump on a slope": (lambda x: x + (0.5 if x >= 0 else 0), False, True),
    "a pole": (lambda x: math.inf if x > 0 else 0.0, False, False),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_kink_keeps_its_bend_and_a_jump_its_height_as_the_step_shrinks(name: str) -> None:
    function, smooth, jumping = FUNCTIONS[name]

    wide, narrow = (Differences.around(function, function(0.0), step) for step in (1e-4, 1e-4 / 8))
    assert is_smooth(wide, narrow, narrow.slope if math.isfinite(narrow.slope) else 0.0, 1e-7) is smooth
    assert jumps(wide, narrow, 1e-7) is jumping or not math.isfinite(wide.slope)
    # Rounding of this size would hide all of it.
    assert math.isinf(wide.slope) or (is_smooth(wide, narrow, 0.0, 1e9) and not jumps(wide, narrow, 1e9))


@pytest.mark.parametrize(
    ("function", "slope", "gradient", "confirmed"),
    [
        (lambda x: math.exp(3 * x), 3, 3, True), (lambda x: math.exp(3 * x), 3, 3.1, False),
        (lambda x: x**3 + 2 * x, 2, 2, True), (abs, 0, 0, False), (lambda x: math.sin(1e4 * x), 1e4, 1e4, True),
    ],
)  # fmt: skip
def test_quotients_confirm_a_gradient_that_is_the_slope(
    function: Callable[[float], float], slope: float, gradient: float, confirmed: bool
) -> None:
    found = quotients(function, function(0.0), 1e-3, gradient)
    assert found.confirm(gradient) is confirmed
    assert found.narrow.step == pytest.approx(found.wide.step / 8)
    assert (
        found.gap(slope) == min(abs(item.slope - slope) for item in (found.wide, found.narrow)) < 1e-3 * max(slope, 1)
    )
    assert found.agree


def test_one_element_or_two_are_nudged_and_mirror_images_belong_to_symmetric_matrices() -> None:
    value = np.arange(6.0).reshape(2, 3)
    assert (nudged(value, 4, 0.5) - value).ravel().tolist() == [0, 0, 0, 0, 0.5, 0]
    assert (nudged(value, (0, 5), 2.0) - value).ravel().tolist() == [2, 0, 0, 0, 0, 2]
    batch = np.stack([np.eye(3), np.arange(9.0).reshape(3, 3)])
    assert [mirrored(batch, index) for index in (0, 1, 5, 8, 9 + 1)] == [None, (1, 3), (5, 7), None, None]
    assert mirrored(value, 1) is mirrored(np.ones(3), 1) is None


SMOOTH = Differences(1.0, 1e-9, 1e-4), Differences(1.0, 1e-9, 1.25e-5)


@pytest.mark.parametrize(
    ("wide", "narrow", "gradient", "smooth"),
    [
        # The bend must vanish to a third, or be below a thousandth of the slopes.
        ((1.0, 0.30), (1.0, 0.09), 1.0, True),
        ((1.0, 0.30), (1.0, 0.11), 1.0, False),
        ((1.0, 9e-4), (1.0, 9e-4), 1.0, True),
        ((1.0, 2e-3), (1.0, 2e-3), 1.0, False),
        ((1.0, 2e-3), (1.0, 2e-3), 3.0, True),
        # The slopes must agree within a hundredth.
        ((1.0, 0.0), (1.009, 0.0), 1.0, True),
        ((1.0, 0.0), (1.02, 0.0), 1.0, False),
        ((1.0, 0.0), (1.02, 0.0), 3.0, True),
        ((math.inf, 0.0), (1.0, 0.0), 1.0, False),
        ((1.0, 0.0), (1.0, math.nan), 1.0, False),
    ],
)
def test_a_smooth_function_bends_less_and_less_and_keeps_its_slope(
    wide: tuple[float, float], narrow: tuple[float, float], gradient: float, smooth: bool
) -> None:
    pair = Differences(*wide, 1e-4), Differences(*narrow, 1.25e-5)
    assert is_smooth(*pair, gradient, 1e-7) is smooth
    finite = all(map(math.isfinite, (*wide, *narrow)))
    assert is_smooth(*pair, gradient, 1.0) is finite


@pytest.mark.parametrize(
    ("before", "after", "noise", "is_jump"),
    [(1.0, 3.9, 0.0, False), (1.0, 4.1, 0.0, True), (1.0, 4.1, 5.0, False), (-1.0, -8.0, 0.0, True), (0, 0, 0, False)],
)
def test_a_jump_makes_quotients_more_than_four_times_as_large(
    before: float, after: float, noise: float, is_jump: bool
) -> None:
    for pair in ((before, 0.0), (after, 0.0)), ((0.0, abs(before)), (0.0, abs(after))):
        assert jumps(Differences(*pair[0], 1e-4), Differences(*pair[1], 1.25e-5), noise) is is_jump


@pytest.mark.parametrize(
    ("gradient", "noise", "confirmed"),
    [(1 + 0.9e-5, 0, True), (1 + 1.1e-5, 0, False), (1 - 1.1e-5, 0, False), (1.5, 0.5, True), (1.6, 0.5, False)],
)
def test_a_gradient_is_confirmed_within_a_hundred_thousandth_and_the_noise(
    gradient: float, noise: float, confirmed: bool
) -> None:
    assert Quotients(*SMOOTH, noise).confirm(gradient) is confirmed


def test_quotients_agree_or_are_sure_up_to_rounding() -> None:
    first, second = Differences(1.0, 0, 1e-4), Differences(1 + 0.9e-5, 0, 1e-5)
    assert Quotients(first, second, 0).agree
    further = Differences(1 + 1.2e-5, 0, 1e-5)
    assert not Quotients(first, further, 0).agree and Quotients(first, further, 1e-5).agree
    assert Quotients(*SMOOTH, 0.9e-3).is_sure and not Quotients(*SMOOTH, 1.1e-3).is_sure
    assert Quotients(first, further, 0).gap(1 + 1.0e-5) == pytest.approx(0.2e-5)


def test_the_weight_of_a_loss_is_all_that_its_steps_read_and_write() -> None:
    x = gw.Input(X, name="x")
    found = NudgedLoss(run_graph(gw.graph(gw.Loss(gw.Exp(x), name="l"))).lowered)
    # The source writes three numbers, the exponential reads and writes them, the loss reads them and writes one.
    assert (found.weight, found.steps) == (8 * (3 + 6 + 4), 3)


def test_a_loss_that_fails_is_compiled_to_one_that_is_unknown() -> None:
    x = gw.Input(np.zeros((2, 2)), name="x")
    run = run_graph(gw.graph(gw.Loss(gw.MatrixInverse(gw.Exp(x, name="e"), name="i"), name="l")))
    found, edges = NudgedLoss(run.lowered), {str(name): edge for name, edge in run.lowered.edges.items()}
    place = edges["main/e.x"]
    for runs in (1, 1_000_000):
        assert math.isnan(found.compile(place, np.zeros((2, 2)), runs)(np.zeros((2, 2))))
        # Other numbers have an inverse: that of [[2, 1], [1, 2]] sums to 2/3.
        moved = np.log([[2.0, 1.0], [1.0, 2.0]])
        assert found.compile(place, np.zeros((2, 2)), runs)(moved) == pytest.approx(2 / 3)


@pytest.fixture
def arenas(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """The plans that are laid out in an arena for a place."""
    made: list[Plan] = []

    def arena(plan: Plan, **given: Any) -> Arena:
        made.append(plan)
        return Arena(plan, **given)

    monkeypatch.setattr(nudged_loss, "Arena", arena)
    return made


@pytest.mark.parametrize(("runs", "count"), [(1, 0), (15, 0), (16, 1), (17, 1)])
def test_an_arena_is_laid_out_for_sixteen_losses_or_more(runs: int, count: int, arenas: list[Plan]) -> None:
    found, places = nudge()
    found.compile(places["main/e.y"], np.exp(X), runs)  # type: ignore[arg-type]
    assert len(arenas) == count


@pytest.mark.parametrize(("room", "count"), [(0, 1), (-1, 0)])
def test_no_arena_is_laid_out_for_heavy_steps(
    room: int, count: int, arenas: list[Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_graph(gw.graph(gw.Loss(gw.Exp(gw.Input(X, name="x"), name="e"), name="l")))
    place = run.lowered.ports[PortName("main/x", "y")]
    # The exponential reads and writes three numbers, the loss reads these and writes one.
    monkeypatch.setattr(nudged_loss, "_HEAVIEST", 8 * (6 + 4) + room)
    assert NudgedLoss(run.lowered).compile(place, X, 99)(X) == pytest.approx(np.exp(X).sum())
    assert len(arenas) == count


def test_no_arena_is_laid_out_for_numbers_in_another_order(arenas: list[Plan]) -> None:
    x, w = gw.Input(np.ones((3, 2)), name="x"), gw.Transpose(gw.Variable(np.arange(6.0).reshape(2, 3)), name="t")
    run = run_graph(gw.graph(gw.Loss(gw.Multiply(x, w, name="m"), name="l")))
    found = NudgedLoss(run.lowered)
    assert found.compile(run.lowered.ports[PortName("main/x", "y")], np.ones((3, 2)), 99)(2 * np.ones((3, 2))) == 30
    assert arenas == []


def test_what_leads_to_no_loss_changes_none() -> None:
    found, places = nudge()
    usual = float(np.sum(np.exp(X) * W + X) + W.sum())
    for runs in (1, 99):
        assert found.loss(places["main/idle.y"], MOVED) == pytest.approx(usual)  # type: ignore[arg-type]
        compiled = found.compile(places["main/idle.y"], MOVED, runs)  # type: ignore[arg-type]
        assert compiled(MOVED) == pytest.approx(usual)
    assert found.steps_after(places["main/idle.y"]) == 0  # type: ignore[arg-type]


def test_no_more_arrays_are_held_than_later_steps_need(monkeypatch: pytest.MonkeyPatch) -> None:
    made, held = list[int](), list[int]()

    def run(step: Step, values: Any, failures: Any) -> None:
        run_step(step, values, failures)
        made.extend(step.outputs)
        held.append(sum(values[slot] is not None for slot in made))

    x = gw.Input(X, name="x")
    last: gw.Expression = x
    for _ in range(6):
        last = gw.Sin(last)
    run_ = run_graph(gw.graph(gw.Loss(last, name="l")))
    place = run_.lowered.ports[PortName("main/x", "y")]
    found = NudgedLoss(run_.lowered)
    monkeypatch.setattr(nudged_loss, "run_step", run)
    found.loss(place, MOVED)
    # A step holds what it reads and what it writes; the first one reads the place itself.
    assert held == [1, *[2] * 6]
