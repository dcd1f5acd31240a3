"""Files with mistakes of users, and a hundred sane graphs: each mistake is named at its blocks, the others in peace."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.advice import advise
from gradwire.engine.advice.linter import lint
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.graph.graph import Graph
from tests.engine.advice.cases import FIELD, LINT, case
from tests.engine.advice.sane_methods import SANE_HEADS
from tests.engine.advice.sane_variants import VARIANTS

HEALTHY = SANE_HEADS | VARIANTS
# Rule or code that names each mistake, and a block of it.
NAMED = {
    "m01_trainable_target_network": ("lint_target_not_stopped", "Subtract"),
    "m03_gan_generator_on_detached_fake": ("lint_never_learns", "StopGradient"),
    "m05_vae_sample_detached": ("lint_nothing_learns", "StopGradient"),
    "m07_exploding_linear_recurrence": ("lint_exploding_chain", "MatMul_39"),
    "m09_triplet_norm_at_zero": ("lint_root_at_zero", "ReduceEuclideanNorm"),
    "m11_ste_without_stop": ("lint_straight_through_sign", "Add"),
    "m13_probabilities_by_relu_log_zero": ("lint_guarded_by_where", "Log"),
    "m15_bn_statistics_detached": ("lint_statistics_stopped", "StopGradient"),
    "m17_attention_row_all_minus_inf": ("nonfinite", "Softmax"),
    "m19_clipped_loss": ("lint_clipped_loss", "ClipByValue"),
    "m21_mae_broadcast": ("lint_crossed_shapes", "Subtract"),
    "m23_advantage_normalised_not_stopped": ("lint_baseline_not_stopped", "Multiply_1"),
    "m25_checkpoint_input_detached": ("lint_never_learns", "StopGradient"),
    "m27_saturated_sigmoid_mse": ("lint_never_learns", "Sigmoid"),
    "m29_entropy_by_hand_saturated": ("lint_log_of_softmax", "Log"),
    "m31_float16_gradient_underflow": ("lint_never_learns", "MatVec"),
    "06_softmax_of_one": ("lint_never_learns", "Softmax"),
    "16_nan_label_masked_after": ("lint_guarded_by_where", "Square"),
    "18_guarded_exp": ("lint_guarded_by_where", "Exp"),
    "20_guarded_atan2": ("lint_guarded_by_where", "Atan2"),
    "22_guarded_acos": ("lint_guarded_by_where", "Acos"),
    "24_mean_of_nothing": ("nonfinite", "Divide"),
    "26_kl_with_zero_probability": ("lint_guarded_by_where", "Log"),
    "32_separate_target_net": ("lint_target_not_stopped", "Subtract"),
}
# Gradients of the graphs when the selection comes first, worked out by hand; the loss where the gradient stays.
MENDED = {
    "16_nan_label_masked_after": ("w", [[0.0, -2.5]]),
    "18_guarded_exp": ("x", 1.0),
    "20_guarded_atan2": ("a", [0.0, 0.0, 0.0]),
    "22_guarded_acos": ("x", [0.0, -1 / np.sqrt(1 - 0.4**2)]),
}


def said(run: Evaluation) -> list[Problem]:
    return [*run.snapshot.problems, *(finding.problem for finding in lint(run))]


def test_every_mistake_has_its_name() -> None:
    assert NAMED.keys() >= {name for name, mistake in LINT.items() if mistake != "none"}
    assert NAMED.keys() <= {*LINT, *FIELD}


@pytest.mark.parametrize("name", NAMED)
def test_a_mistake_is_named_at_its_block(name: str) -> None:
    run, (code, block) = run_graph(case(name)), NAMED[name]
    places = {place for item in lint(run) if item.code == code for place in (item.at, *item.also)}
    places |= {item.at for item in run.snapshot.problems if item.code == code and item.severity == "warning"}
    assert f"main/{block}" in places


@pytest.mark.parametrize("name", [name for name, mistake in LINT.items() if mistake == "none"])
def test_a_sane_file_is_left_in_peace(name: str) -> None:
    assert [item for item in said(run_graph(case(name))) if item.severity != "info"] == []
    assert lint(run_graph(case(name))) == []


@pytest.mark.parametrize("name", MENDED)
def test_the_fix_of_a_late_selection_gives_the_right_gradient(name: str) -> None:
    run, (variable, gradient) = run_graph(case(name)), MENDED[name]
    (fix,) = [item.fix for item in advise(run).findings if item.rule == "guarded_by_where"]
    assert fix is not None
    found = gw.evaluate(fix.edit(run.graph)).gradient(f"{variable}.y")
    # The bound is that of a few roundings.
    np.testing.assert_allclose(found, gradient, rtol=1e-14)


@pytest.mark.parametrize(("name", "loss"), [("24_mean_of_nothing", 0.0), ("26_kl_with_zero_probability", 0.4427921)])
def test_the_fix_of_a_nan_gives_the_right_loss(name: str, loss: float) -> None:
    run = run_graph(case(name))
    advice = advise(run)
    fixes = [item.fix for item in advice.findings] + list(advice.remedies.values())
    found = [gw.evaluate(fix.edit(run.graph)).loss for fix in fixes if fix is not None]
    # The loss is noted with seven digits.
    assert found and np.allclose(found, loss, atol=5e-8)


def test_a_divergence_with_a_zero_probability_is_mended_without_a_change_of_its_gradient() -> None:
    """The divergence of p from softmax(q) is the sum of p log(p / softmax(q)), its gradient softmax(q) - p."""
    run = run_graph(case("26_kl_with_zero_probability"))
    p, q = (run.snapshot.port(f"main/{name}.y").value for name in ("Constant", "q"))
    softmax = np.exp(q) / np.exp(q).sum()
    expected = sum(share * np.log(share / other) for share, other in zip(p, softmax, strict=True) if share)
    advice = advise(run)
    fixes = [item.fix for item in advice.findings] + list(advice.remedies.values())
    mended = [gw.evaluate(fix.edit(run.graph)) for fix in fixes if fix is not None]
    assert any("0 × (-inf) = NaN" in problem.message for problem in run.snapshot.problems) and mended
    for found in mended:
        assert found.loss == pytest.approx(expected, rel=1e-14)
        np.testing.assert_allclose(found.gradient("q.y"), softmax - p, rtol=1e-14)


def test_there_are_a_hundred_sane_graphs() -> None:
    assert len(HEALTHY) >= 100


@pytest.mark.parametrize("name", HEALTHY)
def test_a_sane_graph_is_left_in_peace(name: str) -> None:
    run = run_graph(graph := gw.graph(HEALTHY[name]()))
    assert isinstance(graph, Graph) and not run.snapshot.has_errors
    assert [item.message for item in said(run) if item.severity != "info" or item.code.startswith("lint_")] == []
