"""Checks in a file: which hold, which fail and why, and which are unintelligible."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.explain.contracts import CheckResult, run_checks
from gradwire.engine.graph.graph import Block
from tests.recorded import make_graph


def outcome(**check: Any) -> CheckResult:
    """Returns one check of x -> Exp -> loss and x -> stop -> other, x = [0, 1]."""
    blocks = [
        Block("x", "Input", parameters={"value": np.array([0.0, 1.0])}),
        Block("e", "Exp"),
        Block("stop", "StopGradient"),
    ]
    blocks += [Block("loss", "Loss"), Block("other", "Loss", parameters={"reduction": "mean"})]
    wires = [("x.y", "e.x"), ("e.y", "loss.x"), ("x.y", "stop.x"), ("stop.y", "other.x")]
    graph = dataclasses.replace(make_graph(blocks, wires), checks=(check,))
    (result,) = run_checks(graph, evaluate(graph))
    return result


@pytest.mark.parametrize(
    "check",
    [
        {"at": "main/x.y", "gradient": np.exp([0.0, 1.0])},
        {"at": "main/e.y", "value": np.exp([0.0, 1.0])},
        {"at": "main/e.y", "value": np.array([1.0, 2.7]), "rtol": 0.01},
        {"wire": ("main/x.y", "main/stop.x"), "status": "blocked"},
        {"at": "main/x.y", "status": "flow"},
        {"at": "main/x.y", "finite": True},
        {"at": "main/x.y", "norm": [2.8, 2.9]},
        {"at": "main/x.y", "value": np.array([1e300, 1e300]), "rtol": 1e300},
        {"at": "main/stop.y", "gradient_equals": "main/stop.y", "loss": "main/other", "other_loss": "main/other"},
    ],
)
def test_a_check_that_holds(check: dict[str, Any]) -> None:
    assert outcome(**check).holds


@pytest.mark.parametrize(
    ("check", "result"),
    [
        ({"at": "main/x.y", "finite": True}, CheckResult("finite of main/x.y", True, "", "main/x.y")),
        (
            {"wire": ("main/x.y", "main/e.x"), "status": "zero"},
            CheckResult(
                "status of main/x.y -> main/e.x", False, "The status is flow, not zero.", "main/x.y -> main/e.x"
            ),
        ),
        (
            {"at": "main/x.y", "value": np.array([0.0, 1.0]), "title": "x"}, CheckResult("x", True, "", "main/x.y"),
        ),
        (
            {"at": "main/loss.y", "value": np.array(1.0)},
            CheckResult("value of main/loss.y", False, f"The value is {1 + np.e}, not 1.0.", "main/loss.y"),
        ),
        ({"status": "flow"}, CheckResult("status of check", False, "at must name a port such as main/x.y, not null.")),
        (
            {},
            CheckResult(
                "check", False, "It says nothing to check; use one of "
                "gradient_equals, gradient, value, status, finite, norm."
            ),
        ),
        (
            {"at": "main/x.y", "norm": [3, 4]},
            CheckResult(
                "norm of main/x.y", False, "The norm of the gradient is 2.89639, not between 3 and 4.", "main/x.y"
            ),
        ),
    ],
)  # fmt: skip
def test_a_result_has_its_title_and_its_place(check: dict[str, Any], result: CheckResult) -> None:
    assert outcome(**check) == result


@pytest.mark.parametrize(("gap", "tolerances", "holds"), [
    (0.9e-9, {}, True), (1.1e-9, {}, False), (0.009, {"rtol": 0.01}, True), (0.011, {"rtol": 0.01}, False),
    (0.09, {"atol": 0.1}, True), (0.11, {"atol": 0.1, "rtol": 0}, False),
])  # fmt: skip
def test_numbers_agree_within_a_billionth_or_what_a_check_allows(
    gap: float, tolerances: dict[str, float], holds: bool
) -> None:
    assert outcome(at="main/x.y", value=np.array([0.0, 1 + gap]), **tolerances).holds is holds
    assert outcome(at="main/x.y", value=np.array([0.9e-12, 1.0])).holds
    assert not outcome(at="main/x.y", value=np.array([1.1e-12, 1.0])).holds


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        ({"at": "main/x.y", "gradient": np.array([1.0, 2.0])}, "The gradient at [1] is 2.718"),
        ({"at": "main/x.y", "gradient": np.array([1.0])}, "has shape [2], not [1]"),
        ({"wire": ("main/x.y", "main/e.x"), "status": "blocked"}, "The status is flow, not blocked."),
        ({"wire": ("main/x.y", "main/nobody.x"), "status": "blocked"}, "There is no wire main/x.y -> main/nobody.x."),
        (
            {"at": "main/x.y", "gradient_equals": "main/x.y", "loss": "main/nobody", "other_loss": "main/nobody"},
            "There is no Loss block main/nobody.",
        ),
        ({"at": "main/x.y", "norm": [None, 1]}, "norm must be two numbers"),
        ({"at": "main/x.y", "norm": ["a", "b"]}, "norm must be two numbers"),
        ({"at": "main/x.y", "value": ((1,), (1, 2))}, "The expected value must be a tensor."),
        ({"at": "main/nobody.y", "finite": True}, "There is no port main/nobody.y."),
        ({"at": "main/x.y", "finite": False}, "Everything is finite."),
        ({"at": "main/x.y", "norm": [0, 1]}, "not between 0 and 1"),
        (
            {"at": "main/e.y", "gradient_equals": "main/e.y", "loss": "main/loss", "other_loss": "main/other"},
            "The gradient at [0] is 1.0, not 0.0.",
        ),
        ({"at": "main/x.y", "gradient": "large"}, "must be a tensor"),
        ({"at": np.zeros(2), "gradient": np.zeros(2)}, "at must name a port"),
        ({"at": "main/x.y", "finite": np.zeros(2)}, "must be true or false"),
        ({"at": "main/x.y", "status": np.zeros(2)}, "The status is flow, not a tensor of shape [2]."),
        ({"at": "main/x.y", "status": np.array("flow")}, "The status is flow, not a tensor of shape []."),
        ({"at": "main/x.y", "status": 3}, "The status is flow, not 3."),
        ({"at": "main/x.y", "norm": "small"}, "two numbers"),
        ({"wire": "main/x.y", "status": "blocked"}, "pair of ports"),
        ({"at": "main/x.y", "value": np.zeros(2), "rtol": "wide"}, "rtol must be a number"),
        ({"at": "main/x.y"}, "nothing to check"),
    ],
)
def test_a_check_that_does_not_hold_says_why(check: dict[str, Any], sentence: str) -> None:
    result = outcome(**check)
    assert not result.holds
    assert sentence in result.message


def test_the_name_of_a_port_is_what_stands_behind_the_last_point() -> None:
    found = outcome(wire=("main/a.b.y", "main/e.x"), status="flow")
    assert not found.holds and found.place == "main/a.b.y -> main/e.x"


@pytest.mark.parametrize("wanted", [True, False])
def test_what_is_unknown_is_not_finite(wanted: bool) -> None:
    check = {"at": "main/i.y", "finite": wanted}
    blocks = [Block("x", "Input", parameters={"value": np.zeros((2, 2))}), Block("i", "MatrixInverse")]
    graph = dataclasses.replace(make_graph(blocks, [("x.y", "i.x")]), checks=(check,))
    (found,) = run_checks(graph, evaluate(graph))
    assert found.holds is not wanted


@pytest.mark.parametrize(
    "wire", ["main/x.y", 5, ["main/x.y"], ["main/x.y", "stop"], ["x", "main/stop.x"],
             ["main/x.y", "main/stop.x", "main/e.x"], [], {"a.b": 1, "c.d": 2}]
)  # fmt: skip
def test_a_wire_is_a_pair_of_ports(wire: object) -> None:
    found = outcome(wire=wire, status="blocked")
    assert not found.holds
    assert found.message == "wire must be a pair of ports such as main/x.y and main/z.x."


@pytest.mark.parametrize("place", [5, None, "main/x", ["main/x.y"]])
def test_a_place_is_the_name_of_a_port(place: object) -> None:
    found = outcome(at=place, status="flow")
    assert not found.holds and found.message.startswith("at must name a port such as main/x.y, not ")


@pytest.mark.parametrize(("loss", "holds"), [(None, True), ("main/loss", None), ("main/gone", False), (5, False)])
def test_a_gradient_is_asked_for_under_a_loss(loss: object, holds: bool | None) -> None:
    found = outcome(at="main/x.y", gradient_equals="main/x.y", loss=loss, other_loss=loss)
    assert found.holds is (holds is not False)
