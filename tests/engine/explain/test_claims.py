"""Claims of an explanation: each is tried before it is made, and comes out as it says."""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.explain.claims.claims import Claim
from gradwire.engine.explain.claims.constant_slopes import constant_slopes
from gradwire.engine.explain.claims.zero_factors import ZeroFactor
from gradwire.engine.explain.why_zero import Kind, Reason, why_zero
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.cause_graphs import x
from tests.recorded import make_graph

FIELD = Path(__file__).parent.parent.parent / "data" / "field"


def of_one(kind: str, x: object, dtype: str = "float64", **parameters: object) -> Graph:
    value = np.asarray(x, dtype)
    blocks = [Block("x", "Input", parameters={"value": value}), Block("f", kind, parameters=parameters)]
    return make_graph([*blocks, Block("loss", "Loss")], [("x.y", "f.x"), ("f.y", "loss.x")])


def of_two(kind: str, x: object, y: object) -> Graph:
    blocks = [
        Block(name, "Input", parameters={"value": np.asarray(value, float)}) for name, value in (("x", x), ("y", y))
    ]
    return make_graph(
        [*blocks, Block("f", kind), Block("loss", "Loss")], [("x.y", "f.x"), ("y.y", "f.y"), ("f.z", "loss.x")]
    )


def root(graph: Graph, place: str = "main/x.y") -> Reason:
    ends = [PortName(*end.rsplit(".", 1)) for end in place.split(" -> ")]
    return why_zero(run_graph(graph), Link(*ends) if len(ends) == 2 else ends[0])[-1]


def field(name: str) -> Graph:
    (file,) = FIELD.glob(f"{name}*.graph")
    return load(file).graph


@pytest.mark.parametrize(("kind", "x"), [("Sigmoid", -40.0), ("Sigmoid", 40.0), ("Tanh", -20.0), ("Tanh", 20.0)])
def test_inputs_nearer_to_zero_give_a_saturated_block_a_larger_gradient(kind: str, x: float) -> None:
    assert root(of_one(kind, [x])).claims == {Claim.NEARER_TO_ZERO}
    slopes = [evaluate(of_one(kind, [x / 2**power])).port("main/x.y").gradient for power in range(4)]
    assert all(first < second for first, second in itertools.pairwise(slopes))


def test_a_softmax_over_one_element_never_changes() -> None:
    assert root(field("06"), "main/w.y").claims == {Claim.ONLY_INPUT}


def test_a_softmax_over_one_finite_element_never_changes() -> None:
    assert root(field("04"), "main/Add.z -> main/att.x").claims == {Claim.ONLY_FINITE_INPUT}


def test_a_softmax_that_has_decided_would_have_a_gradient_for_smaller_inputs() -> None:
    graph = of_one("Softmax", [0.0, 800.0])
    blocks = [*graph.pages[0].blocks.values(), Block("w", "Input", parameters={"value": np.array([1.0, 2.0])})]
    wires = [("x.y", "f.x"), ("f.y", "loss.x"), ("w.y", "loss.weights")]
    assert root(make_graph(blocks, wires)).claims == {Claim.NEARER_TO_ZERO}


@pytest.mark.parametrize(
    ("graph", "place", "zero"),
    [
        (of_two("Multiply", [2.0, 3.0], [1.0, 0.0]), "main/x.y", ZeroFactor("y", (1,), False)),
        (of_two("Multiply", [2.0, 3.0], [0.0, 0.0]), "main/x.y", ZeroFactor("y", None, True)),
        (of_one("ReduceProd", [2.0, 0.0, 5.0]), "main/x.y", ZeroFactor("x", (1,), False)),
        (of_one("ReduceProd", [2.0, 0.0, 0.0]), "main/x.y", ZeroFactor("x", None, False)),
        (of_two("Pow", -2.0, 3.0), "main/y.y", None),
    ],
)
def test_the_zero_that_is_named_is_the_one_that_multiplies(graph: Graph, place: str, zero: ZeroFactor | None) -> None:
    assert root(graph, place).zero == zero


def test_the_zero_behind_a_running_product_is_named_where_it_stands() -> None:
    """x[2] only meets 2 × 0."""
    found = root(of_one("Cumprod", [2.0, 0.0, 3.0]))
    assert (found.kind, found.zero) == (Kind.ZERO_FACTOR, ZeroFactor("x", (1,), False))


def masked(w: list[float], mask: list[float]) -> Graph:
    given = {"w": np.array(w), "mask": np.array(mask)}
    blocks = [Block(name, "Constant", parameters={"value": value}) for name, value in given.items()]
    blocks += [Block("m", "Multiply"), Block("s", "Square"), Block("loss", "Loss")]
    wires = [("w.y", "m.x"), ("mask.y", "m.y"), ("m.z", "s.x"), ("s.y", "loss.x")]
    return make_graph(blocks, wires)


def test_nothing_is_wrong_at_an_optimum() -> None:
    """The loss is w²: 0 is its minimum."""
    assert root(masked([0.0, 1.0], [1.0, 1.0]), "main/w.y").claims == {Claim.SLOPE_ZERO}


def test_a_slope_of_zero_is_one_also_where_the_loss_passes_through() -> None:
    assert root(of_two("Pow", 0.0, 3.0)).claims == {Claim.SLOPE_ZERO}


def test_a_masked_entry_is_no_optimum() -> None:
    assert root(masked([0.5, 1.0], [0.0, 1.0]), "main/w.y").claims == {Claim.INDEPENDENT}


def test_a_flat_block_changes_for_no_small_step_but_at_its_jump() -> None:
    assert root(of_one("Sign", [0.3])).claims == {Claim.FLAT_HERE}
    assert root(of_one("Sign", [0.0])).claims == frozenset()


def test_a_wider_dtype_has_the_gradient_that_a_narrow_one_loses() -> None:
    assert root(of_one("Exp", [-30.0], "float16")).claims <= {Claim.WIDER_DTYPE}


def test_the_second_slope_of_a_piecewise_linear_network_is_constant() -> None:
    found = root(field("12"), "main/x.y")
    assert (found.kind, found.constant) == (Kind.NON_DIFFERENTIABLE, ("main/act",))


def test_a_gradient_that_changes_is_not_constant() -> None:
    graph = field("12")
    page = graph.pages[0]
    blocks = {**page.blocks, "act": Block("act", "Tanh")}
    run = run_graph(dataclasses.replace(graph, pages=(dataclasses.replace(page, blocks=blocks),)))
    assert constant_slopes(run, "main/slope") is None
    assert constant_slopes(run_graph(graph), "main/slope") == ("main/act",)


@pytest.mark.parametrize(("x", "is_flat"), [(1e-8, False), (2e-8, True), (-1e-8, False), (-2e-8, True)])
def test_a_block_is_flat_if_it_stays_the_same_for_a_step_of_the_root_of_eps_either_way(x: float, is_flat: bool) -> None:
    assert root(of_one("Sign", [x])).claims == ({Claim.FLAT_HERE} if is_flat else set())


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("size", "is_constant"), [(1e-7, False), (1e-3, True), (2.0, True), (1e3, True)])
def test_a_slope_is_constant_away_from_a_kink_on_either_side(size: float, is_constant: bool, sign: int) -> None:
    line = (
        x([sign * size], "Variable").then("act", "LeakyRelu").then("s", "ReduceSum").then("slope", "Gradients", "x.y")
    )
    run = run_graph(line.loss())
    assert constant_slopes(run, "main/slope") == (("main/act",) if is_constant else None)
    assert constant_slopes(run, "main/act") is None
