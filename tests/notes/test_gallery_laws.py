"""Promises in the notes of the examples: the effects of removing a stop or moving an input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.examples import example_path
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph, Port

MAIN = "main"
RECORDED = json.loads((Path(__file__).parent.parent / "golden" / "gallery.json").read_text())
# Files with stops, and the same files without them.
PAIRS = {
    "td_semi": "td_residual",
    "pg_stop": "pg_nostop",
    "gan_stop": "gan_nostop",
    "rnn20_tbptt5": "rnn20",
    "em_Q_stop": "em_Q_nostop",
    "cd1_stop": "cd1_nostop",
    "adv_raw_stop": "adv_raw_nostop",
}


def example(name: str) -> Graph:
    return load(example_path(name)).graph


def with_values(graph: Graph, values: Mapping[str, object]) -> Graph:
    for name, value in values.items():
        graph = edits.set_parameter(graph, MAIN, name, "value", np.asarray(value, float))
    return graph


def gradient(snapshot: Snapshot, name: str) -> np.ndarray:
    found = snapshot.port(f"main/{name}.y").gradient
    assert found is not None
    return found


@pytest.mark.parametrize("stopped", PAIRS)
def test_with_its_stops_switched_off_it_is_the_other_example(stopped: str) -> None:
    snapshot = evaluate(example(stopped), None)
    for name, expected in RECORDED[PAIRS[stopped]]["grads"].items():
        np.testing.assert_allclose(gradient(snapshot, name), expected, rtol=1e-11)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("sg_x_sgx", 6), ("sg_x_minus_sgx", 0), ("sg_grad_reversal", 1), ("sg_grad_scale_0.1", 1), ("sg_x_over_sgx", 0)],
)
def test_without_its_stop_an_identity_has_its_true_slope(name: str, expected: float) -> None:
    np.testing.assert_allclose(gradient(evaluate(example(name), None), "x"), expected, atol=1e-15)


@pytest.mark.parametrize("x", [-2.0, 0.5, 4.0])
def test_the_identities_hold_for_every_x(x: float) -> None:
    expected = {"sg_x_sgx": x, "sg_x_minus_sgx": 1, "sg_grad_reversal": -1, "sg_x_over_sgx": 1 / x}
    for name, slope in expected.items():
        found = gradient(evaluate(with_values(example(name), {"x": x})), "x")
        np.testing.assert_allclose(found, slope, rtol=1e-14)


@pytest.mark.parametrize("baseline", [-2.0, 0.0, 3.0])
def test_the_policy_gradient_is_that_of_the_expected_reward_for_every_baseline(baseline: float) -> None:
    graph = edits.set_loss(with_values(example("pg_exact"), {"b": baseline}), "main/surrogate")
    np.testing.assert_allclose(gradient(evaluate(graph), "th"), RECORDED["pg_exact"]["grads"]["th"], rtol=1e-12)


def test_simsiam_rests_at_its_fixed_point_only_with_the_stop() -> None:
    end = RECORDED["simsiam_scalar"]["w_star"]
    graph = with_values(example("simsiam_scalar"), {"w": end, "p": end})
    assert abs(gradient(evaluate(graph), "w")) < 1e-15 and abs(gradient(evaluate(graph), "p")) < 1e-15
    assert gradient(evaluate(graph, None), "w") > 0.1


def test_rows_of_the_gradient_of_attention_scores_sum_to_zero() -> None:
    found = evaluate(example("attention")).port("main/S.z").gradient
    assert found is not None and abs(found).max() > 0.01
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-15)


def test_eighty_sigmoids_underflow_behind_a_cast_to_float32() -> None:
    graph, cast = edits.add_block(example("sigmoid_chain_80"), MAIN, "Cast", parameters={"dtype": "float32"})
    graph = edits.connect(graph, MAIN, Port("x", "y"), Port(cast, "x"))
    port = evaluate(edits.connect(graph, MAIN, Port(cast, "y"), Port("s1", "x"))).port("main/x.y")
    assert port.gradient == 0
    assert port.zero is not None and port.zero.cause is Cause.UNDERFLOW


def test_a_second_step_of_newton_goes_up_the_wall() -> None:
    """Newton from the usual start: f is 24.2, 4.7318843, 1411.845, 0.0559655, 0.3131891."""
    graph, found = example("newton"), []
    for _ in range(4):
        snapshot = evaluate(graph)
        found.append(float(snapshot.port("main/loss2.y").value))
        graph = with_values(graph, {"v": snapshot.port("main/next.z").value})
    np.testing.assert_allclose(found, [4.7318843, 1411.845, 0.0559655, 0.3131891], rtol=1e-6)


def test_the_variance_of_the_policy_gradient_falls_with_a_baseline() -> None:
    """Traces of the covariance: 0.94593 without a baseline, 0.17873 with 0.8, as the note says."""
    logits, rewards = np.array(RECORDED["pg_exact"]["inputs"]["th"]), np.array([1, 2, 0.5])
    shares = np.exp(logits) / np.exp(logits).sum()
    for baseline, expected in ((0.0, 0.94593), (0.8, 0.17873)):
        samples = (np.eye(3) - shares) * (rewards - baseline)[:, None]
        spread = shares @ (samples**2).sum(axis=1) - ((shares @ samples) ** 2).sum()
        assert spread == pytest.approx(expected, abs=1e-5)


def test_of_equal_maxima_reduce_max_shares_where_max_pool_takes_the_first() -> None:
    graph = example("cnn_micro")
    first = evaluate(graph).port("main/relu.y").gradient
    shared = evaluate(edits.set_loss(graph, "main/even")).port("main/relu.y").gradient
    assert first is not None and first.ravel().tolist() == [1, 0, 0, 0]
    assert shared is not None and shared.ravel().tolist() == [0.25] * 4
