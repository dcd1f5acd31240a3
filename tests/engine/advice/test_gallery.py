"""Rules on examples and recorded graphs: they fire only where the graph shows the mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradwire import HOME
from gradwire.engine.advice.linter import lint
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import load
from tests.gallery import example_names, run_of_example
from tests.recorded import recorded_graphs, run_of_recording
from tests.sweeps import a_third_of

EXAMPLES = {
    "clip_then_square": {"clip_then_square"},
    "gan_nostop": {"fake_not_stopped"},
    "lse_forgot_nosg_bug": {"max_not_stopped"},
    "lse_half_bug": {"half_stopped"},
    "pg_nostop": {"baseline_not_stopped"},
    "scan_1_recurrence": {"vanishing_chain"},
    "sigmoid_chain_10": {"vanishing_chain"},
    "sigmoid_chain_20": {"vanishing_chain"},
    "sigmoid_chain_5": {"vanishing_chain"},
    "sigmoid_chain_50": {"vanishing_chain"},
    "sigmoid_chain_80": {"vanishing_chain"},
    "softmax_stable_big_nosg": {"max_not_stopped"},
    "softmax_stable_nostop": {"max_not_stopped"},
    "softmax_stable_nostop_ties": {"max_not_stopped"},
    "softmax_stable_plain_nosg": {"max_not_stopped"},
    "softmax_stable_tie_nosg": {"max_not_stopped"},
    "td_residual": {"target_not_stopped"},
    "where_bad": {"guarded_by_where"},
    "xor_zero_init": {"equal_weights"},
}
# Random graphs stop stopped tensors again, and those of `stop_gradients` stop tensors on one path.
RANDOM = ("random_", "tfstop_")
RECORDED = {
    "cd1_a_threshold_chain": {"stop_redundant"},
    "cd1_c_threshold_chain": {"stop_redundant"},
    "cd1_d_threshold_chain": {"stop_redundant"},
    "softmax_stable_nostop_alltied": {"max_not_stopped"},
    "softmax_stable_nostop_batch": {"max_not_stopped"},
    "softmax_stable_nostop_neginf": {"max_not_stopped"},
    "softmax_stable_nostop_ties": {"max_not_stopped"},
    "softmax_stable_nostop_underflow": {"max_not_stopped"},
    "td_residual_b": {"target_not_stopped"},
    "xor_mlp_b": {"log_of_sigmoid"},
    "xor_mlp_c": {"log_of_sigmoid"},
}


@pytest.mark.parametrize("name", example_names())
def test_an_example_shows_the_mistakes_it_is_about_and_no_others(name: str) -> None:
    run = run_of_example(name)
    assert {finding.rule for finding in lint(run)} == EXAMPLES.get(name, set())


@pytest.mark.long
def test_recorded_graphs_give_no_false_alarm() -> None:
    found = {name: rules for name in recorded_graphs() if (rules := rules_of(name))}
    assert {name: rules for name, rules in found.items() if not name.startswith(RANDOM)} == RECORDED
    drawn = [rules for name, rules in found.items() if name.startswith(RANDOM)]
    assert all(rules == {"stop_redundant"} for rules in drawn)


def rules_of(name: str) -> set[str]:
    return {finding.rule for finding in lint(run_of_recording(name))}


@pytest.mark.parametrize("path", a_third_of(sorted((HOME / "assets" / "trainings").glob("*.graph"))))
def test_a_training_that_works_has_no_variable_that_cannot_learn(path: Path) -> None:
    rules = {finding.rule for finding in lint(run_graph(load(path).graph))}
    assert not rules & {"never_learns", "exploding_chain", "statistics_stopped", "clipped_loss", "guarded_by_where"}
