"""Origins of numbers that are not finite in training, and faults of plans: each names its block, step or check."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.schema import JsonFault
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.training.origin import origin_of
from gradwire.engine.training.run import ended, plan_fault
from tests.recorded import make_graph


def logarithm(value: float, kind: str = "Log") -> Graph:
    """Returns the loss log(x) * w, and log(v) that no loss depends on."""
    numbers = {"x": value, "w": 2.0, "v": -1.0}
    blocks = [Block(name, "Variable", parameters={"value": np.array(number)}) for name, number in numbers.items()]
    blocks += [Block("l", kind), Block("m", "Multiply"), Block("idle", "Log"), Block("loss", "Loss")]
    wires = [("x.y", "l.x"), ("l.y", "m.x"), ("w.y", "m.y"), ("m.z", "loss.x"), ("v.y", "idle.x")]
    return make_graph(blocks, wires)


def test_the_first_block_that_makes_nan_is_named_and_no_idle_one() -> None:
    at, sentence = origin_of(logarithm(-1.0), ("main/x", "main/w"), (), frozenset())
    assert at == "main/l" and "NaN" in sentence and sentence.startswith('Log "l"')


def test_a_value_that_is_assigned_is_asked_for_too() -> None:
    at, _ = origin_of(logarithm(1.0), (), ("main/idle.y",), frozenset())
    assert at == "main/idle"


def test_a_gradient_that_is_infinite_although_the_loss_is_finite_is_named() -> None:
    at, sentence = origin_of(logarithm(0.0, "Sqrt"), ("main/x",), (), frozenset())
    assert at == "main/l" and "gradient" in sentence
    assert origin_of(logarithm(0.0, "Sqrt"), ("main/w",), (), frozenset())[0] == ""


def test_where_all_is_finite_nothing_is_named() -> None:
    assert origin_of(logarithm(1.0), ("main/x", "main/w"), ("main/m.z",), frozenset())[0] == ""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("training", "steps", 0), ", step 1"), (("training", "checks", 4, "at"), ", check 5"),
        (("training", "steps"), ""), (("training",), ""), ((), ""), (("training", "rounds", 3), ""),
    ],
)  # fmt: skip
def test_a_fault_of_a_plan_has_its_step_or_check(path: tuple[str | int, ...], place: str) -> None:
    assert plan_fault(JsonFault("must be text", path)) == f"The plan of training{place}: must be text."
    assert ended("who?") == "who?"
