"""What nothing flows back to has zeros by structure, also where the number that arrives is infinite or NaN."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cause import Cause
from engine.evaluate import evaluate
from engine.expand import PortName
from engine.graph import Block
from engine.snapshot import PortResult
from engine.status import Status
from tests.recorded import make_graph

BAD = np.array([np.inf, np.nan])
X = np.array([-1.0, -2.0])


def behind(kind: str, others: dict[str, object] | None = None, port: str = "x", output: str = "y") -> PortResult:
    """What comes back to x through a block whose output is multiplied by infinity and NaN before the loss."""
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
