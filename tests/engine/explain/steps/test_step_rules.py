"""The rules of steps back: those of calculus by name, and numbers that give the gradient."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import Link
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.step_rules import LONGEST, SHOWN, Numbers, Rule, rule_of
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import x
from tests.gallery import example

# Derivatives as a table of calculus has them; g stands for the gradient that arrives.
OF_ONE = {
    "Exp": "g·y",
    "Log": "g ÷ x",
    "Sin": "g·cos(x)",
    "Tanh": "g·(1 − y²)",
    "Sigmoid": "g·y·(1 − y)",
    "Negative": "−g",
    "Identity": "g",
    "Relu": "g·(x > 0)",
    "Abs": "g·sign(x)",
    "Square": "g·x·2",
    "ReduceSum": "g",
    "ReduceMean": "g ÷ 3",
    "Asin": "g·rsqrt((1 − x²))",
    "Acosh": "g ÷ sinh(y)",
    "Atan": "g ÷ (x² + 1)",
    "Atanh": "g ÷ (1 − x²)",
    "Cbrt": "g ÷ y² ÷ 3",
    "Cos": "−g·sin(x)",
    "Cosh": "g·sinh(x)",
    "Cumsum": "cumsum(g)",
    "Elu": "g·(y + 1) if (x < 0) else g",
    # 2 / √π
    "Erf": "g·exp(−x²)·1.12838",
    "Erfc": "−g·exp(−x²)·1.12838",
    "Expm1": "g·exp(x)",
    "L2Loss": "g·x",
    "LeakyRelu": "g if (x > 0) else 0.2·g",
    "Log1p": "g ÷ (x + 1)",
    "LogSigmoid": "g·sigmoid(−x)",
    "LogSoftmax": "g − (Σ g)·exp(y)",
    "Reciprocal": "−y²·g",
    "ReduceEuclideanNorm": "x·g ÷ y",
    "ReduceMax": "(x = y)·g ÷ (Σ (x = y))",
    "Relu6": "g·(x > 0)·(x < 6)",
    "Rsqrt": "−y³·g·0.5",
    "Softmax": "(g − Σ g·y)·y",
    "Softplus": "g·sigmoid(x)",
    "Softsign": "g ÷ (1 + abs(x))²",
    "Sqrt": "rsqrt(x)·0.5·g",
    "Tan": "g ÷ cos(x)²",
}
OF_TWO = {
    "Add": ("g", "g"),
    "Subtract": ("g", "−g"),
    "Multiply": ("g·y", "g·x"),
    "Divide": ("g ÷ y", "−g·x ÷ y²"),
    "Atan2": ("y·g ÷ (x² + y²)", "−x·g ÷ (x² + y²)"),
    "Maximum": ("g if (x ≥ y) else 0", "0 if (x ≥ y) else g"),
    "Minimum": ("g if (x ≤ y) else 0", "0 if (x ≤ y) else g"),
    "FloorMod": ("g", "−g·floorDiv(x, y)"),
    "SquaredDifference": ("g·2·(x − y)", "−g·2·(x − y)"),
}


def rules(graph: Graph, block: str = "f") -> dict[str, Rule]:
    """The rules of all wires into a block, by its inputs."""
    run = run_graph(graph)
    found = {link.target.port: rule_of(run, link) for link in run.snapshot.wires if link.target.path == f"main/{block}"}
    return {port: rule for port, rule in found.items() if rule is not None}


def short(rule: Rule) -> str:
    """A rule with g for the gradient that arrives."""
    return rule.names.replace("∂L/∂y", "g").replace("∂L/∂z", "g")


@pytest.mark.parametrize(("kind", "rule"), OF_ONE.items(), ids=OF_ONE)
def test_functions_have_the_rules_of_calculus(kind: str, rule: str) -> None:
    assert short(rules(x([0.5, 1.0, 2.0]).then("f", kind).loss())["x"]) == rule


@pytest.mark.parametrize(("kind", "wanted"), OF_TWO.items(), ids=OF_TWO)
def test_operations_have_a_rule_for_each_side(kind: str, wanted: tuple[str, str]) -> None:
    found = rules(x([3.0, 4.0]).source("w", [5.0, 12.0]).then("f", kind, "w.y").loss())
    assert (short(found["x"]), short(found["y"])) == wanted


@pytest.mark.parametrize("kind", [*OF_ONE, *OF_TWO])
def test_the_numbers_of_a_rule_multiply_to_the_gradient(kind: str) -> None:
    line = x([0.5, 0.25]).source("d", [3.0, -2.0]).source("w", [2.0, 3.0])
    line = line.then("f", kind, "w.y") if kind in OF_TWO else line.then("f", kind)
    factor = "d.y" if kind not in ("L2Loss", *(name for name in OF_ONE if name.startswith("Reduce"))) else "f.y"
    run = run_graph(line.then("m", "Multiply", factor).loss())
    for link, wire in run.snapshot.wires.items():
        if link.target.path == "main/f":
            rule = rule_of(run, link)
            assert rule is not None and wire.gradient is not None
            np.testing.assert_allclose(np.broadcast_to(_product_of(rule), (2,)), wire.gradient, rtol=1e-14)


def _product_of(rule: Rule) -> np.ndarray:
    """Computes a rule of numbers without sums, as it is read."""
    result, divides = np.ones(()), False
    for item in rule.numbers:
        if isinstance(item, Numbers):
            assert len(item.first) == item.size
            result = result / np.array(item.first) if divides else result * np.array(item.first)
        else:
            assert item in ("\N{MINUS SIGN}", "·", " ÷ ")
            divides = item == " ÷ "
            result = -result if item == "\N{MINUS SIGN}" else result
    return result


def test_what_was_repeated_is_added_up() -> None:
    """The quotient rule for one divisor of three numbers: −Σ g x / y², here −(1·3 + 1·4 + 1·5) / 4."""
    found = rules(x([3.0, 4.0, 5.0]).source("w", 2.0).then("f", "Divide", "w.y").loss())
    assert (short(found["y"]), found["y"].numbers) == (
        "−Σ g·x ÷ y²",
        ("−", Numbers((12.0,), 1), " ÷ ", Numbers((4.0,), 1)),
    )
    assert found["x"].numbers == (Numbers((1.0, 1.0, 1.0), 3), " ÷ ", Numbers((2.0,), 1))


def test_a_sum_over_unlike_divisors_stays_a_sum() -> None:
    line = x([[1.0, 2.0], [3.0, 4.0]]).source("w", [2.0, 4.0]).then("f", "Divide", "w.y")
    assert rules(line.loss())["y"].numbers == (
        "−",
        "Σ ",
        Numbers((1.0, 1.0, 1.0), 4),
        "·",
        Numbers((1.0, 2.0, 3.0), 4),
        " ÷ ",
        Numbers((4.0, 16.0), 2),
    )


def test_products_of_matrices_name_the_turned_one() -> None:
    found = rules(x([[1.0, 2.0]]).source("w", [[3.0], [4.0]]).then("f", "MatMul", "w.y").loss())
    assert found["a"].names == "∂L/∂product @ bᵀ" and found["b"].names == "aᵀ @ ∂L/∂product"


def test_the_loss_begins_with_1_which_has_no_name() -> None:
    assert [rule.names for rule in rules(x([3.0]).loss(), "loss").values()] == ["1"]


def test_a_choice_stands_without_brackets_of_its_own() -> None:
    found = rules(x([-1.0, 2.0]).then("f", "Elu").loss())
    assert short(found["x"]) == "g·(y + 1) if (x < 0) else g"


@pytest.mark.parametrize("name", ["softmax_stable", "attention", "rnn20", "em_Q_stop"])
def test_numbers_of_one_element_give_the_gradient_and_no_rule_is_long(name: str) -> None:
    run = run_graph(example(name))
    seen = 0
    for link, wire in run.snapshot.wires.items():
        rule = rule_of(run, link)
        if rule is not None:
            assert 0 < len(rule.names) <= LONGEST
            value = _computed(rule)
            if value is not None and wire.gradient is not None and wire.gradient.size == 1:
                seen += 1
                assert value == pytest.approx(float(wire.gradient.reshape(())), rel=1e-9, abs=1e-12)
    assert seen or name != "softmax_stable"


def _computed(rule: Rule) -> float | None:
    """Computes a rule whose numbers are all single ones, as it is read."""
    if "Σ " in rule.numbers or any(isinstance(item, Numbers) and item.size != 1 for item in rule.numbers):
        return None
    result, sign, divides = 1.0, 1.0, False
    for item in rule.numbers:
        if isinstance(item, Numbers):
            result = result / item.first[0] if divides else result * item.first[0]
        elif item == "−":
            sign = -1.0
        else:
            divides = item == " ÷ "
    return sign * result


def test_only_the_first_numbers_of_a_tensor_are_told_and_how_many_it_has() -> None:
    found = rules(x([1.0, 2.0, 3.0, 4.0, math.inf]).then("f", "Square").loss())["x"]
    assert [item for item in found.numbers if isinstance(item, Numbers)] == [
        Numbers((1.0,) * SHOWN, 5),
        Numbers((1.0, 2.0, 3.0), 5),
        Numbers((2.0,), 1),
    ]


def test_what_has_no_gradient_has_no_rule() -> None:
    run: Evaluation = run_graph(x([1.0]).then("stop", "StopGradient").loss())
    links: list[Link] = [link for link in run.snapshot.wires if link.target.path == "main/stop"]
    assert [rule_of(run, link) for link in links] == [None]
