"""Trials of fixes: what they compare, and which fixes are not offered."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice import fixes
from gradwire.engine.advice.advice import advise
from gradwire.engine.advice.finding import Fix
from gradwire.engine.advice.offers import Complaint, Offers
from gradwire.engine.advice.trials import Trial
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import EditError
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph
from tests.engine.advice.mistakes import dead_layer


def guarded_root() -> Graph:
    """Returns Where(0 < x, x^0.5, 0) at x = 0, 1, 4: the loss is 3, and 0 times an infinite slope is NaN."""
    x = gw.Variable(np.array([0.0, 1.0, 4.0]), name="x")
    root = gw.Pow(x, gw.Constant(0.5), name="root")
    return gw.graph(gw.Loss(gw.Where(gw.Less(gw.Constant(0.0), x), root, gw.Constant(0.0))))


def offered(graph: Graph, rule: str) -> Fix | None:
    (found,) = [finding.fix for finding in advise(run_graph(graph)).findings if finding.rule == rule]
    return found


def tried(graph: Graph, rule: str) -> Trial:
    fix = offered(graph, rule)
    assert fix is not None and fix.trial is not None
    return fix.trial


def test_a_trial_compares_loss_gradient_and_broken_wires() -> None:
    trial = tried(guarded_root(), "guarded_by_where")
    assert trial.before.loss is not None and trial.after.loss is not None
    assert (trial.before.loss.elements, trial.after.loss.elements) == ((3.0,), (3.0,))
    assert (trial.before.broken_wires, trial.after.broken_wires) == (1, 0)
    assert trial.helps
    pair = trial.gradients[0]
    assert str(pair.port) == "main/x.y" and pair.before is not None and pair.after is not None
    # d x^0.5 / dx = 1 / (2 sqrt(x)), and 0 for the element that is not chosen.
    assert np.isnan(pair.before.elements[0]) and pair.before.elements[1:] == (0.5, 0.25)
    assert pair.before.broken == 1
    assert pair.after.elements == (0.0, 0.5, 0.25)


def test_a_fix_that_blows_up_a_harmless_zero_is_not_offered() -> None:
    # Relu passes 0 at 0. With 1e-12 under the root it would pass 1, times the slope 1 / (2 sqrt(1e-12)) = 5e5.
    x = gw.Variable(np.array([0.0, 4.0]), name="x")
    graph = gw.graph(gw.Loss(gw.Relu(gw.Sqrt(x, name="root"))))
    np.testing.assert_array_equal(run_graph(graph).tensor(PortName("main/x", "y"), True), [0.0, 0.25])
    assert offered(graph, "root_at_zero") is None


def test_a_fix_of_an_infinite_gradient_may_leave_a_large_one() -> None:
    graph = gw.graph(gw.Loss(gw.Sqrt(gw.Variable(np.array([0.0, 4.0]), name="x"), name="root")))
    trial = tried(graph, "root_at_zero")
    (pair,) = trial.gradients
    assert pair.before is not None and pair.after is not None
    assert pair.before.elements == (np.inf, 0.25)
    assert pair.after.elements == pytest.approx((5e5, 0.25))


def test_a_fix_that_makes_the_loss_infinite_does_not_help() -> None:
    x = gw.Variable(np.array(0.0), name="x")
    graph = gw.graph(gw.Loss(gw.Exp(x, name="power")))
    to_log = Fix("Log", _into_log)
    trial = Offers(run_graph(graph)).trial(Complaint("main/power"), to_log.edit)
    assert trial is not None and not trial.helps


def _into_log(graph: Graph) -> Graph:
    block = graph.page("main").blocks["power"]
    (target,) = [target for target in graph.page("main").wires if target.block == block.id]
    return fixes.insert(graph, "main", target, "Log", {})


def _impossible(_: Graph) -> Graph:
    raise EditError("There is no such block any more.")


def test_an_impossible_edit_has_no_trial() -> None:
    assert Offers(run_graph(guarded_root())).trial(Complaint(), _impossible) is None


def test_a_loss_that_did_not_exist_is_no_reason_against_a_fix() -> None:
    graph = gw.graph(gw.Log(gw.Variable(np.array(0.0), name="x")))
    found = [fix for problem, fix in advise(run_graph(graph)).remedies.items() if problem.code == "no_loss"]
    assert [fix.text for fix in found] == ["Add a Loss"]


def test_a_trial_travels_between_processes() -> None:
    trial = tried(guarded_root(), "guarded_by_where")
    assert repr(pickle.loads(pickle.dumps(trial))) == repr(trial)


def test_a_square_before_a_where_needs_no_guard() -> None:
    x = gw.Variable(np.array([0.0, 1.0]), name="x")
    graph = gw.graph(gw.Loss(gw.Where(gw.Less(gw.Constant(0.0), x), gw.Pow(x, gw.Constant(2.0)), gw.Constant(0.0))))
    assert not advise(run_graph(graph)).findings


def test_a_fix_whose_block_is_gone_is_refused() -> None:
    graph = gw.graph(dead_layer())
    (finding,) = [item for item in advise(run_graph(graph)).findings if item.rule == "dead_units"]
    block = finding.at.removeprefix("main/")
    assert finding.fix is not None
    mended = finding.fix.edit(graph)
    assert block in graph.page("main").blocks and block not in mended.page("main").blocks
    with pytest.raises(EditError):
        finding.fix.edit(mended)
    with pytest.raises(EditError):
        fixes.with_random_values(mended, "main", block, 2, 3)
