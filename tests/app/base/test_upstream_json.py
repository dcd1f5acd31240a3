"""The JSON of a zero: a block that receives nothing itself is named with the end of the gradient."""

from __future__ import annotations

import numpy as np

import gradwire as gw
from gradwire.app.base.results_json import snapshot_json
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import evaluate


def port(loss: Expression) -> dict[str, object]:
    found = snapshot_json("a.graph", evaluate(gw.graph(loss)))["ports"]
    assert isinstance(found, dict)
    return found["main/x.y"]


def test_both_ends_are_named() -> None:
    x = gw.Variable(np.array([-5.0, -7.0]), name="x")
    clipped = gw.ClipByValue(x, -1.0, 1.0, name="clip")
    found = port(gw.Loss(gw.Multiply(clipped, gw.Constant(np.zeros(2)), name="product")))
    assert (found["cause"], found["cause_at"]) == ("not_selected", "main/clip")
    assert found["upstream"] == {"cause": "zero_factor", "at": "main/product"}


def test_one_end_stays_one() -> None:
    found = port(gw.Loss(gw.Relu(gw.Variable(np.array([-1.0, 2.0]), name="x"), name="relu")))
    assert found["cause_at"] == "main/relu" and "upstream" not in found
