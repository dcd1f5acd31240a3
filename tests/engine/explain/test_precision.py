"""Precision of gradients: known cancellations, known underflows, and float32 beside float64."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.precision import Accumulation, Precision, precision_of
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.explain.checks.test_element_check import link, port, source
from tests.engine.explain.test_flow import chain
from tests.recorded import make_graph


def of(graph: Graph) -> Precision:
    return precision_of(run_graph(graph))


def fan(a: float, b: float, dtype: str = "float64") -> Graph:
    """Returns a x + b x."""
    blocks = [Block(name, "Input", parameters={"value": np.array(value, dtype)}) for name, value in
              (("x", 1.0), ("a", a), ("b", b))]  # fmt: skip
    blocks += [Block("ax", "Multiply"), Block("bx", "Multiply"), Block("sum", "Add"), Block("loss", "Loss")]
    wires = [("a.y", "ax.x"), ("x.y", "ax.y"), ("b.y", "bx.x"), ("x.y", "bx.y"), ("ax.z", "sum.x"), ("bx.z", "sum.y")]
    return make_graph(blocks, [*wires, ("sum.z", "loss.x")])


def softmax() -> Graph:
    """Returns the stable softmax of [1, 3, 3] against [1, 2, 3], with its maximum not stopped."""
    blocks = [source("x", [1.0, 3.0, 3.0], "Variable"), source("w", [1.0, 2.0, 3.0]), Block("mx", "ReduceMax")]
    blocks += [Block("z", "Subtract"), Block("e", "Exp"), Block("s", "ReduceSum"), Block("p", "Divide")]
    wires = [("x.y", "mx.x"), ("x.y", "z.x"), ("mx.y", "z.y"), ("z.z", "e.x"), ("e.y", "s.x"), ("e.y", "p.x")]
    wires += [("s.y", "p.y"), ("p.z", "m.x"), ("w.y", "m.y"), ("m.z", "loss.x")]
    return make_graph([*blocks, Block("m", "Multiply"), Block("loss", "Loss")], wires)


@pytest.mark.parametrize(("a", "b", "condition"), [(1.0, 2.0, 1.0), (3.0, -2.0, 5.0), (1e6 + 1, -1e6, 2e6 + 1)])
def test_the_condition_of_a_sum_over_wires_is_that_of_its_terms(a: float, b: float, condition: float) -> None:
    (found,) = [item for item in of(fan(a, b)).accumulations if item.place == port("x.y")]
    assert (found.what, found.is_gradient) == ("", True)
    assert found.condition == pytest.approx(condition, rel=1e-12)
    # The decimal digits of float64 less the cancelled ones.
    assert found.digits_left == pytest.approx(-math.log10(np.finfo(float).eps) - math.log10(condition), abs=1e-9)


def test_terms_that_leave_nothing_leave_no_digit() -> None:
    blocks = [source("x", np.array([2.0, -2.0])), Block("s", "ReduceSum"), Block("loss", "Loss")]
    found = of(make_graph(blocks, [("x.y", "s.x"), ("s.y", "loss.x")])).accumulations
    (of_value,) = [item for item in found if item.place == port("s.y")]
    assert (of_value.rest, of_value.absolute, of_value.condition, of_value.digits_left) == (0.0, 4.0, math.inf, 0.0)


def test_a_gradient_that_is_zero_has_no_digits_to_lose() -> None:
    """The sum of the broadcast leaves rounding of terms of 0.557; the sum of two wires leaves exactly 0."""
    assert link("mx.y > z.y") not in {item.place for item in of(softmax()).accumulations}
    assert port("x.y") not in {item.place for item in of(fan(2.0, -2.0)).accumulations}


@pytest.mark.parametrize("kind", ["ReduceSum", "MatMul"])
def test_sums_of_values_are_looked_at_too(kind: str) -> None:
    values = np.array([[1e8, 1.0, -1e8]])
    if kind == "MatMul":
        blocks = [source("x", values), source("v", np.ones((3, 1))), Block("s", "MatMul"), Block("loss", "Loss")]
        wires = [("x.y", "s.a"), ("v.y", "s.b"), ("s.product", "loss.x")]
        place = PortName("main/s", "product")
    else:
        blocks = [source("x", values), Block("s", "ReduceSum"), Block("loss", "Loss")]
        wires, place = [("x.y", "s.x"), ("s.y", "loss.x")], PortName("main/s", "y")
    (found,) = [item for item in of(make_graph(blocks, wires)).accumulations if item.place == place]
    assert (found.what, found.is_gradient) == (kind, False)
    assert found.condition == pytest.approx(2e8 + 1)


def test_eighty_sigmoids_underflow_in_float32_and_the_true_size_is_told() -> None:
    run = run_graph(chain("Sigmoid", 80, 0.5, "float32"))
    assert np.asarray(run.snapshot.ports[port("x.y")].gradient) == 0.0
    found = precision_of(run)
    (at_x,) = [item for item in found.underflows if item.place == port("x.y")]
    # Value in float64: 1.428141498485379e-52.
    assert at_x.exponent == pytest.approx(math.log10(1.428141498485379e-52), abs=1e-4)
    assert f"{at_x.exponent:.1f}" == "-51.8"
    assert found.shadow == "float64"


def test_in_float64_eighty_sigmoids_do_not_underflow_but_in_the_float32_shadow_they_do() -> None:
    found = of(chain("Sigmoid", 80))
    assert (found.underflows, found.shadow) == ((), "float32")
    assert {item.place: item.difference for item in found.deviations}[port("x.y")] == 1.0


def test_an_underflow_of_float64_is_found_by_enlarging_the_gradient() -> None:
    (at_x, *_) = [item for item in of(chain("Sigmoid", 600)).underflows if item.place == port("x.y")]
    short, long = (run_graph(chain("Sigmoid", count)) for count in (300, 301))
    sizes = [float(np.asarray(run.snapshot.ports[port("x.y")].gradient)) for run in (short, long)]
    # Each further sigmoid multiplies by the same factor.
    assert at_x.exponent == pytest.approx(math.log10(sizes[0]) + 300 * math.log10(sizes[1] / sizes[0]), rel=1e-9)


def test_zeros_that_are_true_are_no_underflows() -> None:
    for graph in (chain("Relu", 3, -1.0, "float32"), fan(2.0, -2.0, "float32")):
        assert of(graph).underflows == ()


def test_float32_differs_from_float64_by_its_rounding() -> None:
    found = of(chain("Tanh", 20))
    differences = [item.difference for item in found.deviations]
    assert 1e-9 < max(differences) < 1e-5
    assert differences == sorted(differences, reverse=True)


def test_what_a_shorter_dtype_can_hold_exactly_does_not_differ() -> None:
    assert {item.difference for item in of(fan(1.0, 2.0)).deviations} == {0.0}


def test_of_a_gradient_that_is_only_rounding_no_difference_is_told() -> None:
    assert port("mx.y") not in {item.place for item in of(softmax()).deviations}


def test_what_overflows_in_float32_differs_without_bound() -> None:
    found = of(chain("Exp", 1, 100.0))
    assert {item.place: item.difference for item in found.deviations}[port("x.y")] == math.inf


def test_without_a_loss_there_is_nothing_to_say() -> None:
    assert of(make_graph([source("x", 1.0)], [])) == Precision((), "float32", (), ())


@pytest.mark.parametrize(("power", "is_hidden"), [(-75, True), (-74, False)])
def test_only_what_the_dtype_cannot_hold_underflows(power: int, is_hidden: bool) -> None:
    """The smallest number of float32 is 2^-149: it can hold that, although a step on the way has lost it."""
    factors = [2.0**-75, 2.0**-75, 2.0 ** (75 + power)]
    blocks, wires, last = [source("x", np.float32(1))], [], "x.y"
    for place, factor in enumerate(reversed(factors)):
        blocks += [source(f"c{place}", np.float32(factor)), Block(f"m{place}", "Multiply")]
        wires += [(last, f"m{place}.x"), (f"c{place}.y", f"m{place}.y")]
        last = f"m{place}.z"
    run = run_graph(make_graph([*blocks, Block("loss", "Loss")], [*wires, (last, "loss.x")]))
    assert np.asarray(run.snapshot.ports[port("x.y")].gradient) == 0
    found = [item for item in precision_of(run).underflows if item.place == port("x.y")]
    assert [(item.index, item.count) for item in found] == ([((), 1)] if is_hidden else [])
    assert not found or found[0].exponent == pytest.approx(-150 * math.log10(2))


def test_the_largest_zero_is_told_and_all_are_counted() -> None:
    blocks = [source("x", np.ones(4, np.float32)), source("w", np.array([1, 1e-30, 1e-25, 1e-40], np.float32))]
    blocks += [source("v", np.full(4, 1e-25, np.float32)), Block("m", "Multiply"), Block("n", "Multiply")]
    wires = [("x.y", "m.x"), ("w.y", "m.y"), ("m.z", "n.x"), ("v.y", "n.y"), ("n.z", "loss.x")]
    found = of(make_graph([*blocks, Block("loss", "Loss")], wires)).underflows
    (at_x,) = [item for item in found if item.place == port("x.y")]
    assert (at_x.index, at_x.count) == ((2,), 3)
    assert at_x.exponent == pytest.approx(-50, abs=1e-5)
    assert port("m.z") not in {item.place for item in found}


def test_the_worst_element_of_a_sum_is_told() -> None:
    blocks = [
        source("x", np.array([[3.0, -1.0], [4.0, -3.0], [0.0, 0.0]])),
        Block("s", "ReduceSum", parameters={"axis": [1]}),
    ]
    found = of(make_graph([*blocks, Block("loss", "Loss")], [("x.y", "s.x"), ("s.y", "loss.x")])).accumulations
    (at_s,) = [item for item in found if item.place == port("s.y")]
    assert (at_s.index, at_s.rest, at_s.absolute) == ((1,), 1.0, 7.0)
    # The loss adds 2 + 1; fewer digits come first.
    conditions = [item.condition for item in found]
    assert conditions == sorted(conditions, reverse=True) and at_s.digits == pytest.approx(15.65, abs=0.01)


@pytest.mark.parametrize(
    ("value", "is_told"),
    [([1.0, 2.0], True), ([0.0, 2.0], True), ([0.0, 0.0], False), ([math.inf, 1.0], False), ([math.nan, 1.0], False)],
)
def test_a_sum_is_told_whose_terms_are_finite_and_not_all_zero(value: list[float], is_told: bool) -> None:
    blocks = [source("x", np.array(value)), Block("s", "ReduceSum"), Block("loss", "Loss")]
    found = of(make_graph(blocks, [("x.y", "s.x"), ("s.y", "loss.x")])).accumulations
    assert [(item.place, item.what, item.condition) for item in found] == [(port("s.y"), "ReduceSum", 1.0)] * is_told


def test_sums_of_whole_numbers_lose_nothing() -> None:
    blocks = [source("x", np.array([1, 2, 3])), Block("s", "ReduceSum"), source("w", 2.0), Block("m", "Multiply")]
    blocks += [Block("c", "Cast", parameters={"dtype": "float64"}), Block("loss", "Loss")]
    wires = [("x.y", "s.x"), ("s.y", "c.x"), ("c.y", "m.x"), ("w.y", "m.y"), ("m.z", "loss.x")]
    assert of(make_graph(blocks, wires)).accumulations == ()


@pytest.mark.parametrize(("rest", "absolute", "condition", "left"), [
    (2.0, 2.0, 1.0, 16.0), (-2.0, 20.0, 10.0, 15.0), (1.0, 1e15, 1e15, 1.0), (1.0, 1e17, 1e17, 0.0),
    (0.0, 4.0, math.inf, 0.0),
])  # fmt: skip
def test_each_tenfold_cancellation_costs_a_digit(rest: float, absolute: float, condition: float, left: float) -> None:
    found = Accumulation(port("x.y"), True, "", (), rest, absolute, 16.0)
    assert found.condition == condition and found.digits_left == pytest.approx(left)
