"""Runs from Python: what succeeded, what is missing and why, values fed in, stops left out."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw


def softmax_loss() -> gw.Expression:
    x = gw.Input([1.0, 3.0, 3.0], name="x")
    z = x - gw.StopGradient(gw.ReduceMax(x, name="m"), name="stop")
    p = gw.exp(z) / gw.exp(z).sum()
    return gw.Loss(p, gw.Constant([1.0, 2.0, 3.0]), name="loss")


def broken() -> tuple[gw.Expression, gw.Expression]:
    """Returns a loss behind a place beyond the axis, which only the run can find, and a tensor before it."""
    x = gw.Input([1.0, 2.0], name="x")
    k = gw.Input(np.array([1]), name="k") + 4
    return gw.Loss(x[k].sum(), name="loss"), x


def test_a_run_without_errors_is_ok_and_its_loss_is_an_array() -> None:
    run = gw.evaluate(softmax_loss())
    assert run.ok
    np.testing.assert_allclose(run.loss, 2.4049315925, rtol=1e-9)


def test_an_error_that_hides_the_loss_is_raised_as_the_sentence_of_its_block() -> None:
    loss, x = broken()
    with pytest.raises(gw.GradwireError, match=r"main/Gather: Index 5 must be from 0 to 1"):
        gw.evaluate(loss)
    run = gw.evaluate(loss, strict=False)
    assert (run.ok, run.loss) == (False, None)
    np.testing.assert_array_equal(run.value(x), [1.0, 2.0])
    assert "main/Gather" in run.why("x")


def test_a_target_before_the_error_does_not_hide_it() -> None:
    loss, x = broken()
    with pytest.raises(gw.GradwireError, match="main/Gather"):
        gw.evaluate(loss, x)


def test_without_a_loss_nothing_is_raised_before_the_loss_is_asked_for() -> None:
    k = gw.Input(np.array([1, 2]), name="k")
    run = gw.evaluate(k + 1)
    assert run.ok
    with pytest.raises(gw.GradwireError, match="no Loss"):
        _ = run.loss
    with pytest.raises(gw.GradwireError, match=r"main/k\.y"):
        run.gradient("k")


def test_values_are_fed_in_by_name_or_expression_for_one_run() -> None:
    loss = softmax_loss()
    whole = gw.graph(loss)
    fed = gw.evaluate(whole, feed={"x": [1.0, 2.0, 3.0]})
    np.testing.assert_allclose(fed.loss, 2.5752103826, rtol=1e-9)
    np.testing.assert_allclose(gw.evaluate(whole, feed={"main/x": np.array([1.0, 2.0, 3.0])}).loss, fed.loss)
    np.testing.assert_allclose(gw.evaluate(whole).loss, 2.4049315925, rtol=1e-9)
    w = gw.Variable([2.0])
    assert gw.evaluate(w * w, feed={w: [3.0]}).loss == 9


@pytest.mark.parametrize(
    ("feed", "says"),
    [({"y": 1.0}, "There is no block y"), ({"m": 1.0}, "only an Input"), ({"xx": [1.0]}, "the nearest are .*x")],
)
def test_what_cannot_be_fed_is_a_sentence(feed: dict[str, object], says: str) -> None:
    with pytest.raises(gw.GradwireError, match=says):
        gw.evaluate(gw.graph(softmax_loss()), feed=feed)


def test_stops_are_left_out_by_name() -> None:
    whole = gw.graph(softmax_loss())
    assert gw.evaluate(whole).status("m") == "blocked"
    for without in ("stop", "main/stop", ["stop"]):
        run = gw.evaluate(whole, without=without)
        assert run.status("m") == "zero"
    with pytest.raises(gw.GradwireError, match="no StopGradient m; there are: main/stop"):
        gw.evaluate(whole, without="m")


def test_a_block_with_one_output_is_its_port_and_a_wrong_name_has_neighbours() -> None:
    mean, _ = gw.Moments(gw.Input([1.0, 3.0], name="data"), axes=0, name="moments")
    run = gw.evaluate(mean)
    np.testing.assert_array_equal(run.gradient("data"), run.gradient("main/data.y"))
    with pytest.raises(gw.GradwireError, match=r"several outputs: main/moments.mean, main/moments.variance"):
        run.value("moments")
    with pytest.raises(gw.GradwireError, match=r"the nearest are .*data"):
        run.value("dat")
    with pytest.raises(gw.GradwireError, match=r"its wires lead to main/moments.x"):
        run.wire("data", "moments.y")


@pytest.mark.parametrize(
    ("port", "target", "says"),
    [
        ("m", None, "main/m.y: Every path to the loss is blocked by main/stop."),
        ("m", "stop.x", "main/m.y -> main/stop.x: Every path to the loss is blocked by main/stop."),
        ("r", None, "main/r.y: The gradient is numerically zero: not selected by main/relu."),
        ("k", None, "main/k.y: Only floating point numbers have a gradient."),
        ("u", None, "main/u.y: The loss does not depend on it."),
        ("f", None, "main/f.y: The gradient flows; its length is 1."),
    ],
)
def test_why_says_the_cause_in_a_sentence(port: str, target: str | None, says: str) -> None:
    x, r = gw.Input([1.0], name="f"), gw.Input([-1.0], name="r")
    m = gw.ReduceMax(gw.Input([2.0], name="w"), name="m")
    k, u = gw.Input(np.array([1]), name="k"), gw.Input([1.0], name="u")
    loss = gw.Loss(x + gw.StopGradient(m, name="stop") + gw.Relu(r, name="relu") + k)
    assert gw.evaluate(loss, u * 2.0).why(port, target) == says


def test_why_says_where_a_number_stops_being_finite() -> None:
    x = gw.Input([0.0], name="x")
    assert "makes -inf" in gw.evaluate(gw.Loss(gw.Log(x, name="log"))).why("log").replace("\u2212", "-")


def test_wires_are_rows() -> None:
    rows = gw.evaluate(softmax_loss()).wires
    row = next(row for row in rows if row["target"] == "main/stop.x")
    assert (row["source"], row["shape"], row["dtype"], row["status"]) == ("main/m.y", (), "float64", "blocked")
    assert (row["value"], row["gradient"], row["length"]) == (3, 0, 0)
