"""Chain from a zero gradient to its root, as data for sentences."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.why_zero import Kind, Reason, why_zero
from gradwire.engine.explain.zero_amounts import Sum
from gradwire.engine.graph.graph import Graph
from tests.engine.autodiff.test_statuses import softmax
from tests.engine.cause_graphs import FAR, OTHER_STATUSES, x, xor


def why(graph: Graph, place: str, cause: Cause | None = None) -> tuple[Reason, ...]:
    """Returns the chain from a place, written `main/x.y` or `main/x.y -> main/m.x`."""
    ends = [PortName(*end.rsplit(".", 1)) for end in place.split(" -> ")]
    return why_zero(run_graph(graph), Link(*ends) if len(ends) == 2 else ends[0], cause)


def places(chain: tuple[Reason, ...]) -> list[str]:
    return [str(item.place.target if isinstance(item.place, Link) else item.place) for item in chain]


def test_the_wire_into_the_maximum_leads_to_the_sum_of_the_subtraction() -> None:
    """Absolute terms of 0.557354, with a remainder of 3e-16."""
    chain = why(softmax([1, 3, 3], is_stopped=False), "main/x.y -> main/m.x")
    assert [reason.kind for reason in chain] == [Kind.ARRIVES, Kind.ONE_WIRE, Kind.CANCELLED]
    assert places(chain) == ["main/m.x", "main/m.y", "main/z.y"]
    added = chain[-1].sum
    assert added is not None
    assert added.absolute == pytest.approx(0.557354, abs=1e-6)
    assert added.largest == pytest.approx(0.2786768018)
    assert added.ratio == pytest.approx(3e-16, abs=1e-16)


def test_a_weight_above_zero_weights_leads_to_the_block_that_multiplies_by_them() -> None:
    chain = why(xor(np.zeros((2, 2)), np.zeros((2, 1))), "main/w1.y")
    assert [reason.kind for reason in chain] == [*[Kind.ONE_WIRE, Kind.ARRIVES] * 3, Kind.ONE_WIRE, Kind.ZERO_FACTOR]
    assert places(chain)[-2:] == ["main/h.y", "main/m2.a"]
    assert chain[-1].at == ("main/m2",)
    assert [(factor.port, factor.value) for factor in chain[-1].factors] == [("b", 0.0)]
    assert (chain[-1].count, chain[-1].size) == (8, 8)


def test_a_bias_that_cancels_over_the_batch_tells_its_terms() -> None:
    added = why(xor(np.zeros((2, 2)), np.zeros((2, 1))), "main/b2.y")[-1].sum
    assert added is not None
    assert (added.largest, added.absolute, added.rest, added.ratio) == (0.125, 0.5, 0.0, 0.0)


def test_wires_that_cancel_end_at_the_port_where_they_meet() -> None:
    chain = why(x([2, 5]).then("n", "Negative").then("a", "Add", "x.y").loss(), "main/x.y")
    assert [(reason.kind, reason.place) for reason in chain] == [(Kind.CANCELLED, PortName("main/x", "y"))]
    added = chain[0].sum
    assert added is not None
    assert (added.largest, added.absolute, added.rest) == (1.0, 2.0, 0.0)


def test_wires_that_are_all_zero_lead_to_the_first_cause() -> None:
    line = x([-1, -2]).then("r", "Relu").on("x.y").then("s", "Sign").then("a", "Add", "r.y")
    chain = why(line.loss(), "main/x.y")
    assert [reason.kind for reason in chain] == [Kind.ALL_WIRES, Kind.NOT_SELECTED]
    assert chain[-1].at == ("main/r",)


@pytest.mark.parametrize(
    ("kind", "value", "index", "factors"),
    [
        ("Relu", [1, -3], (1,), [("x", -3.0)]),
        ("Sigmoid", FAR, (0,), [("y", 1.0)]),
        ("Exp", [0, -800], (1,), [("y", 0.0)]),
        ("Square", [2, 0], (1,), [("x", 0.0)]),
        ("ReduceMax", [1, 3], (0,), [("x", 1.0), ("y", 3.0)]),
        ("Sign", [5, 6], (0,), [("x", 5.0)]),
    ],
)
def test_a_root_tells_what_its_derivative_depends_on(
    kind: str, value: object, index: tuple[int, ...], factors: list[tuple[str, float]]
) -> None:
    root = why(x(value).then("f", kind).loss(), "main/x.y")[-1]
    assert root.index == index
    assert [(factor.port, factor.value) for factor in root.factors] == factors


def test_a_factor_of_many_elements_that_differ_has_no_one_value() -> None:
    line = x([[1, 2]]).source("w", [[0, 1], [0, 2]], "Constant").source("c", [[1, 0]], "Constant")
    line.then("m", "MatMul", "w.y")
    root = why(line.then("n", "Multiply", "c.y").loss(), "main/x.y -> main/m.a")[-1]
    assert [(factor.port, factor.value) for factor in root.factors] == [("b", None)]


def test_any_of_several_causes_has_its_own_chain() -> None:
    graph = x([-1, -2, 5]).then("r", "Relu").source("w", [1, 1, 0], "Constant").then("m", "Multiply", "w.y").loss()
    assert why(graph, "main/x.y")[-1].at == ("main/r",)
    chain = why(graph, "main/x.y", Cause.ZERO_FACTOR)
    assert (chain[-1].at, chain[-1].index, chain[-1].count, chain[-1].size) == (("main/m",), (2,), 1, 3)
    with pytest.raises(ValueError, match="empty"):
        why(graph, "main/x.y", Cause.FLAT)


@pytest.mark.parametrize("name", OTHER_STATUSES)
def test_what_structure_decides_is_a_root_by_itself(name: str) -> None:
    chain = why(OTHER_STATUSES[name], "main/x.y")
    assert [str(reason.kind) for reason in chain] == [name.partition(",")[0]]


@pytest.mark.parametrize(("kind", "cut"), [("StopGradient", "blocked"), ("Floor", "non_differentiable")])
def test_a_cut_names_the_block_that_cuts(kind: str, cut: str) -> None:
    (reason,) = why(x([1.5]).then("e", "Exp").then("f", kind).loss(), "main/x.y")
    assert (str(reason.kind), reason.at) == (cut, ("main/f",))


def test_a_gradient_that_flows_or_is_not_finite_has_one_reason() -> None:
    assert [item.kind for item in why(x([1.0]).then("e", "Exp").loss(), "main/x.y")] == [Kind.FLOW]
    (reason,) = why(x([0.0]).then("n", "Negative").then("s", "Sqrt").loss(), "main/x.y")
    assert (reason.kind, reason.at) == (Kind.NONFINITE, ("main/s",))


def test_a_place_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError):
        why(x([1.0]).loss(), "main/nobody.y")


def test_the_chain_goes_on_at_the_output_that_has_a_gradient() -> None:
    """The mean of the moments is not used."""
    line = x([1.0, 3.0]).source("w", 0.0, "Constant").then("m", "Moments", axes=[0]).on("m.variance")
    chain = why(line.then("p", "Multiply", "w.y").loss(), "main/x.y")
    assert [reason.kind for reason in chain] == [Kind.ONE_WIRE, Kind.ARRIVES, Kind.ONE_WIRE, Kind.ZERO_FACTOR]
    assert places(chain) == ["main/x.y", "main/m.x", "main/m.variance", "main/p.x"]
    assert [(item.count, item.size) for item in chain] == [(2, 2), (2, 2), (1, 1), (1, 1)]


def test_a_chain_leads_through_the_wire_that_has_the_root() -> None:
    line = x([-1.0, 2.0]).then("n", "Negative").then("a", "Add", "x.y").source("w", [1.0, 0.0], "Constant")
    chain = why(line.then("p", "Multiply", "w.y").loss(), "main/x.y", Cause.ZERO_FACTOR)
    assert [(item.kind, item.at, item.count) for item in chain] == [
        (Kind.ALL_WIRES, ("main/x",), 1), (Kind.ARRIVES, ("main/a",), 1), (Kind.ONE_WIRE, ("main/a",), 1),
        (Kind.ZERO_FACTOR, ("main/p",), 1),
    ]  # fmt: skip
    assert chain[-1].index == (1,) and chain[-1].factors[0].value == 0.0


def test_a_sum_of_wires_tells_the_sizes_of_its_terms() -> None:
    line = x([1.0, 2.0]).source("c", [5.0, 3.0], "Constant").source("d", [2.0, 3.0], "Constant")
    line.then("m", "Multiply", "c.y").on("x.y").then("n", "Multiply", "d.y").on("m.z")
    (reason,) = why(line.then("s", "Subtract", "n.z").loss(), "main/x.y")
    assert reason.sum is not None and (reason.index, reason.count) == ((1,), 1)
    assert (reason.sum.rest, reason.sum.absolute, reason.sum.largest, reason.sum.ratio) == (0.0, 6.0, 3.0, 0.0)


def test_a_sum_over_a_broadcast_tells_the_largest_of_its_terms() -> None:
    line = x([1.0, 2.0]).source("c", [[5.0, 1.0], [-2.0, 4.0], [-3.0, 5.0]], "Constant")
    (*_, root) = why(line.then("m", "Multiply", "c.y").loss(), "main/x.y")
    assert root.sum is not None and (root.index, root.count, root.size) == ((0,), 1, 2)
    assert (root.sum.rest, root.sum.absolute, root.sum.largest) == (0.0, 10.0, 5.0)


def test_a_ratio_is_that_of_the_rest_to_all_terms() -> None:
    assert Sum(-1.0, 8.0, None).ratio == 0.125 and Sum(0.0, 0.0, None).ratio == 0.0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # The element at the same place, along repeated axes too; or the number that all elements have.
        ([[0.0, 3.0]], 0.0),
        ([[1.0, 3.0], [0.0, 4.0]], 0.0),
        (0.0, 0.0),
        ([[0.0, 0.0], [0.0, 0.0]], 0.0),
    ],
)
def test_the_factor_of_an_element_is_the_number_at_its_place(value: object, expected: float) -> None:
    line = x([[1.0, 2.0], [5.0, 6.0]]).source("w", value, "Constant").then("m", "Multiply", "w.y")
    root = why(line.loss(), "main/x.y -> main/m.x")[-1]
    assert [(item.port, item.value) for item in root.factors] == [("y", expected)]
    assert root.index == ((1, 0) if value == [[1.0, 3.0], [0.0, 4.0]] else (0, 0))


@pytest.mark.parametrize(
    ("graph", "kind"),
    [
        (x(np.array([1, 2])).loss(), Kind.NO_GRADIENT_DTYPE),
        (x(np.zeros((2, 2))).then("i", "MatrixInverse").loss(), Kind.UNKNOWN),
    ],
)
def test_where_no_gradient_is_known_no_element_counts(graph: Graph, kind: Kind) -> None:
    (reason,) = why(graph, "main/x.y")
    assert (reason.kind, reason.at, reason.count, reason.size) == (kind, ("main/x",), 0, 0)
