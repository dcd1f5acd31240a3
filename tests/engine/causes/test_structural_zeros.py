"""Structural zeros: tensors without a path from the loss have zeros, even if infinity or NaN arrives."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import PortResult
from gradwire.engine.graph.graph import Block
from tests.recorded import make_graph

BAD = np.array([np.inf, np.nan])
X = np.array([-1.0, -2.0])


def behind(kind: str, others: dict[str, object] | None = None, port: str = "x", output: str = "y") -> PortResult:
    """Returns the result of x before a block whose output meets infinity and NaN before the loss."""
    values = {"x": X, "w": BAD, **(others or {})}
    sources = [Block(name, "Input", parameters={"value": np.asarray(value)}) for name, value in values.items()]
    wires = [("x.y", f"b.{port}"), *((f"{name}.y", f"b.{name}") for name in others or {})]
    wires += [(f"b.{output}", "m.x"), ("w.y", "m.y"), ("m.z", "loss.x")]
    graph = make_graph([*sources, Block("b", kind), Block("m", "Multiply"), Block("loss", "Loss")], wires)
    return evaluate(graph).ports[PortName("main/x", "y")]


def test_infinity_and_nan_do_not_pass_a_stop() -> None:
    found = behind("StopGradient")
    assert found.status is Status.BLOCKED
    np.testing.assert_array_equal(found.gradient, [0, 0])


def test_they_do_not_pass_what_has_no_gradient() -> None:
    found = behind("Floor")
    assert found.status is Status.NON_DIFFERENTIABLE
    np.testing.assert_array_equal(found.gradient, [0, 0])


def test_they_do_not_reach_what_has_no_path() -> None:
    sources = [Block(name, "Input", parameters={"value": value}) for name, value in (("x", X), ("w", BAD))]
    wires = [("x.y", "e.x"), ("w.y", "loss.x")]
    found = evaluate(make_graph([*sources, Block("e", "Exp"), Block("loss", "Loss")], wires))
    x = found.ports[PortName("main/x", "y")]
    assert x.status is Status.NO_PATH
    np.testing.assert_array_equal(x.gradient, [0, 0])


@pytest.mark.parametrize(
    ("kind", "others", "output", "cause"),
    [
        ("Where", {"condition": np.array([False, False]), "y": np.ones(2)}, "z", Cause.NOT_SELECTED),
        ("Maximum", {"y": np.ones(2)}, "z", Cause.NOT_SELECTED),
        ("Sign", {}, "y", Cause.FLAT),
    ],
)
def test_they_do_not_reach_what_was_not_selected_or_lies_behind_a_step(
    kind: str, others: dict[str, object], output: str, cause: Cause
) -> None:
    found = behind(kind, others, output=output)
    np.testing.assert_array_equal(found.gradient, [0, 0])
    assert found.status is Status.ZERO and found.zero is not None and found.zero.cause is cause
