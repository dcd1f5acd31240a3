"""Origins of NaN and infinity, forward and backward, on graphs small enough to check by hand."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.causes.births import Birth
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.graph.graph import Block, Graph
from tests.recorded import make_graph

Wires = list[tuple[str, str]]


def source(name: str, value: object, dtype: str = "float64") -> Block:
    return Block(name, "Input", parameters={"value": np.asarray(value, dtype)})


def run(sources: list[Block], kinds: dict[str, str], wires: str) -> Snapshot:
    """Runs a graph with a Loss from wires written `x.y > e.x, e.y > loss.x`."""
    blocks = [*sources, *(Block(name, kind) for name, kind in kinds.items()), Block("loss", "Loss")]
    ends: Wires = [(start, end) for start, _, end in (wire.partition(" > ") for wire in wires.split(", "))]
    return evaluate(make_graph(blocks, ends))


def of_one(kind: str, x: object, dtype: str = "float64") -> Snapshot:
    return run([source("x", x, dtype)], {"f": kind}, "x.y > f.x, f.y > loss.x")


def warnings(snapshot: Snapshot) -> list[str]:
    return [problem.message for problem in snapshot.problems if problem.code == "nonfinite"]


def origin(snapshot: Snapshot, port: str) -> tuple[str | None, str | None, list[int]] | None:
    """Returns forward, backward and index."""
    found = snapshot.port(f"main/{port}").origin
    if found is None or found.first is None:
        return None
    forward, backward = (None if birth is None else birth.at for birth in (found.forward, found.backward))
    return forward, backward, list(found.first.index)


def where_trap(kind: str, x: list[float]) -> Snapshot:
    """Returns where(x > 0, f(x), 0), the branch that is not taken."""
    kinds = {"above": "Greater", "f": kind, "where": "Where"}
    wires = "x.y > above.x, zero.y > above.y, x.y > f.x, above.z > where.condition, f.y > where.x, zero.y > where.y"
    return run([source("x", x), source("zero", 0.0)], kinds, wires + ", where.z > loss.x")


def naive_softmax(x: list[float], dtype: str = "float64") -> Snapshot:
    wires = "x.y > e.x, e.y > s.x, e.y > p.x, s.y > p.y, p.z > loss.x"
    return run([source("x", x, dtype)], {"e": "Exp", "s": "ReduceSum", "p": "Divide"}, wires)


# Forward


def test_the_naive_softmax_breaks_at_its_exponential_and_says_by_how_much() -> None:
    snapshot = naive_softmax([1000, 1001, 1002])
    reason = "exp(1000) = inf, since 1000 > 709.78, the largest argument in float64."
    then = 'Divide "p" then makes NaN at element 0: inf / inf = NaN.'
    assert warnings(snapshot) == [f'Exp "e" makes inf at element 0: {reason} {then}']
    for port in ("e.y", "s.y", "p.z", "loss.y"):
        found = origin(snapshot, port)
        assert found is not None and (found[0], found[2]) == ("main/e", [0])


def test_gradients_behind_a_broken_value_name_both_blocks() -> None:
    """The quotient p is the last block whose rule meets infinities while its incoming gradient is 1."""
    assert origin(naive_softmax([1000, 1001, 1002]), "x.y") == ("main/e", "main/p", [0])


@pytest.mark.parametrize(
    ("dtype", "x", "limit"), [("float16", 12, "11.09"), ("float32", 89, "88.72"), ("float64", 710, "709.78")]
)
def test_the_largest_argument_of_an_exponential_is_that_of_its_dtype(dtype: str, x: float, limit: str) -> None:
    snapshot = of_one("Exp", [1, x], dtype)
    expected = f'Exp "f" makes inf at element 1: exp({x}) = inf, since {x} > {limit}, the largest argument in {dtype}.'
    assert warnings(snapshot)[0] == expected
    assert warnings(of_one("Exp", [1, float(limit) - 0.01], dtype)) == []


@pytest.mark.parametrize(
    ("kind", "x", "sentence"),
    [
        ("Log", -1.0, 'Log "f" makes NaN: log(-1) = NaN.'),
        ("Log", 0.0, 'Log "f" makes -inf: log(0) = -inf.'),
        ("Sqrt", [[4, -4]], 'Sqrt "f" makes NaN at element [0, 1]: sqrt(-4) = NaN.'),
        ("Reciprocal", 0.0, 'Reciprocal "f" makes inf: 1 / 0 = inf.'),
        ("Acos", 2.0, 'Acos "f" makes NaN: arccos(2) = NaN.'),
        ("Atanh", 1.0, 'Atanh "f" makes inf: arctanh(1) = inf.'),
        ("Cosh", 711.0, 'Cosh "f" makes inf: cosh(711) = inf, since 711 > 710.48, the largest argument in float64.'),
        ("Expm1", 710.0, 'Expm1 "f" makes inf: expm1(710) = inf, since 710 > 709.78, the largest argument in float64.'),
        ("ReduceMean", [], 'ReduceMean "f" makes NaN: it has no elements to work with.'),
        (
            "Square",
            1e200,
            'Square "f" makes inf: square(1e200) = inf, beyond 1.79769e308, the largest number in float64.',
        ),
        (
            "ReduceSum",
            [1e308, 1e308],
            'ReduceSum "f" makes inf: its terms add up to inf, beyond 1.79769e308, the largest number in float64.',
        ),
        ("ReduceProd", [1e200, 1e200], 'ReduceProd "f" makes inf: all of its inputs are finite.'),
    ],
)
def test_the_reason_has_the_numbers_of_the_element(kind: str, x: object, sentence: str) -> None:
    assert warnings(of_one(kind, x))[0] == sentence


@pytest.mark.parametrize(
    ("kind", "x", "y", "reason"),
    [
        ("Divide", 0, 0, "0 / 0 = NaN"),
        ("Divide", -2, 0, "(-2) / 0 = -inf"),
        ("Multiply", 1e200, -1e200, "1e200 × (-1e200) = -inf, beyond 1.79769e308, the largest number in float64"),
        ("Pow", -8, 0.5, "(-8) ^ 0.5 = NaN"),
    ],
)
def test_two_operands_are_written_as_they_are_calculated(kind: str, x: float, y: float, reason: str) -> None:
    snapshot = run([source("x", x), source("y", y)], {"f": kind}, "x.y > f.x, y.y > f.y, f.z > loss.x")
    assert warnings(snapshot)[0] == f'{kind} "f" makes {reason.split(",")[0].split()[-1]}: {reason}.'


def test_a_nan_that_passes_many_blocks_names_only_the_first() -> None:
    names = ["divide", *(f"tanh{number}" for number in range(30))]
    wires = "x.y > divide.x, zero.y > divide.y, divide.z > tanh0.x, "
    wires += ", ".join(f"{before}.y > {after}.x" for before, after in itertools.pairwise(names[1:]))
    kinds = dict.fromkeys(names, "Tanh") | {"divide": "Divide"}
    snapshot = run([source("x", 0.0), source("zero", 0.0)], kinds, f"{wires}, tanh29.y > loss.x")
    assert warnings(snapshot) == ['Divide "divide" makes NaN: 0 / 0 = NaN.']
    assert origin(snapshot, "tanh29.y") == ("main/divide", None, [])
    assert origin(snapshot, "x.y") == ("main/divide", "main/tanh29", [])


def test_a_source_that_holds_nan_is_its_own_origin() -> None:
    snapshot = of_one("Exp", [[1, 2], [np.nan, 0]])
    assert warnings(snapshot) == ['Input "x" holds NaN at element [1, 0].']
    assert origin(snapshot, "f.y") == ("main/x", None, [1, 0])


def test_a_block_inside_a_page_is_named_by_its_path() -> None:
    entry = Block("a", "PageInput", parameters={"name": "a", "value": np.array(1.0)})
    inner = [entry, Block("log", "Log"), Block("out", "PageOutput", parameters={"name": "out"})]
    layer = make_graph(inner, [("a.y", "log.x"), ("log.y", "out.x")]).pages[0]
    outer = [source("x", 0.0), Block("use", "Page", parameters={"page": "layer"}), Block("loss", "Loss")]
    main = make_graph(outer, [("x.y", "use.a"), ("use.out", "loss.x")]).pages[0]
    snapshot = evaluate(Graph((main, dataclasses.replace(layer, name="layer"))))
    assert origin(snapshot, "use.out") == ("main/use/log", None, [])
    assert origin(snapshot, "x.y") == (None, "main/use/log", [])


# Backward


def test_the_where_trap_is_told_at_the_logarithm_although_the_loss_is_finite() -> None:
    """Value [0, 0, ln 4], gradient [NaN, 1, 1/4]."""
    snapshot = where_trap("Log", [0, 1, 4])
    assert warnings(snapshot) == [
        'Log "f" makes -inf at element 0: log(0) = -inf.',
        'Log "f" makes the gradient of x NaN at element 0: log\'(0) = inf, and 0 × inf = NaN.',
    ]
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [np.nan, 1, 0.25])
    assert origin(snapshot, "x.y") == (None, "main/f", [0])


def test_what_is_masked_out_forward_breaks_nothing_behind_it() -> None:
    snapshot = where_trap("Log", [0, 1, 4])
    assert origin(snapshot, "f.y") == ("main/f", None, [0])
    assert (origin(snapshot, "where.z"), origin(snapshot, "loss.y")) == (None, None)


def test_a_structural_zero_stays_zero_at_a_masked_square_root() -> None:
    """TensorFlow's rule for Sqrt gives 0 for an incoming zero: [0, 1/2, 1/4] is finite."""
    snapshot = where_trap("Sqrt", [0, 1, 4])
    assert warnings(snapshot) == []
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [0, 0.5, 0.25])
    assert origin(snapshot, "x.y") is None


@pytest.mark.parametrize(
    ("kind", "x", "reason"),
    [
        ("Sqrt", [4, 0], "makes the gradient of x inf at element 1: sqrt'(0) = inf."),
        (
            "Norm",
            [0, 0],
            "makes the gradient of x NaN at element 0: its value is 0, and in its derivative 1 / 0 = inf.",
        ),
    ],
)
def test_what_breaks_only_backward_names_no_forward_origin(kind: str, x: list[float], reason: str) -> None:
    snapshot = of_one(kind, x)
    assert warnings(snapshot) == [f'{kind} "f" {reason}']
    found = origin(snapshot, "x.y")
    assert found is not None and found[:2] == (None, "main/f")


def test_the_derivative_of_one_of_two_operands_is_named() -> None:
    snapshot = run([source("x", 0.0), source("y", 0.5)], {"f": "Pow"}, "x.y > f.x, y.y > f.y, f.z > loss.x")
    assert warnings(snapshot) == ['Pow "f" makes the gradient of x inf: the derivative of 0 ^ 0.5 by x is inf.']


def test_a_product_of_finite_gradients_that_is_too_large_is_calculated() -> None:
    wires = "x.y > f.x, y.y > f.y, f.z > loss.x, w.y > loss.weights"
    snapshot = run([source("x", 1e-200), source("y", 1e200), source("w", 1e200)], {"f": "Multiply"}, wires)
    product = "1e200 × 1e200 = inf, beyond 1.79769e308, the largest number in float64"
    assert warnings(snapshot) == [f'Multiply "f" makes the gradient of x inf: {product}.']


def test_gradients_of_several_wires_that_add_up_to_infinity_are_told_where_they_meet() -> None:
    wires = "x.y > f.x, x.y > f.y, f.z > loss.x, w.y > loss.weights"
    snapshot = run([source("x", 0.1), source("w", 1e308)], {"f": "Add"}, wires)
    addition = "1e308 + 1e308 = inf, beyond 1.79769e308, the largest number in float64"
    assert warnings(snapshot) == [f'The gradients of Input "x" sum to inf: {addition}.']
    assert origin(snapshot, "x.y") == (None, "main/x", [])


def test_a_loss_that_is_nan_may_have_finite_gradients() -> None:
    """log(-1): the gradient follows the formula 1 / x, as in TensorFlow; only the value needs an explanation."""
    snapshot = of_one("Log", -1.0)
    assert origin(snapshot, "x.y") is None
    assert origin(snapshot, "loss.y") == ("main/f", None, [])


def test_a_wire_has_the_origin_of_what_comes_back_along_it() -> None:
    snapshot = where_trap("Log", [0, 1, 4])
    into_log, into_greater = snapshot.wire("main/x.y", "main/f.x"), snapshot.wire("main/x.y", "main/above.x")
    assert into_log.origin is not None and into_log.origin.backward is not None
    assert into_log.origin.backward.at == "main/f"
    assert into_greater.origin is None


# Laws

_NUMBERS = [0.0, 1.0, -1.0, 2.0, 0.5, -710.0, 800.0, 1e200, -1e200]
_ONE, _TWO = ["Exp", "Log", "Sqrt", "Square", "Tanh", "Relu", "StopGradient"], ["Add", "Multiply", "Divide", "Subtract"]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Two Inputs, up to eight blocks that read any earlier ones, and a Loss of the last."""
    elements = st.lists(st.sampled_from(_NUMBERS), min_size=2, max_size=2)
    blocks, wires = [source("a", draw(elements)), source("b", draw(elements))], []
    outputs = ["a.y", "b.y"]
    for number in range(draw(st.integers(1, 8))):
        kind, name = draw(st.sampled_from(_ONE + _TWO)), f"f{number}"
        blocks.append(Block(name, kind))
        wires += [(draw(st.sampled_from(outputs)), f"{name}.{port}") for port in ("xy" if kind in _TWO else "x")]
        outputs.append(f"{name}.{'z' if kind in _TWO else 'y'}")
    return make_graph([*blocks, Block("loss", "Loss")], [*wires, (outputs[-1], "loss.x")])


def is_broken(array: np.ndarray | None) -> bool:
    return array is not None and not np.isfinite(array).all()


@given(graphs())
def test_what_is_not_finite_has_an_origin_and_what_is_finite_has_none(graph: Graph) -> None:
    snapshot = evaluate(graph)
    for name, port in snapshot.ports.items():
        found = port.origin
        assert (found is not None) == (is_broken(port.value) or is_broken(port.gradient)), name
        assert (found is not None and found.backward is not None) == is_broken(port.gradient), name
        assert not is_broken(port.value) or (found is not None and found.forward is not None), name
    for link, wire in snapshot.wires.items():
        has_backward = wire.origin is not None and wire.origin.backward is not None
        assert has_backward == (wire.status == "nonfinite"), link


@given(graphs())
def test_an_origin_makes_a_broken_value_out_of_finite_ones(graph: Graph) -> None:
    snapshot = evaluate(graph)
    for port in snapshot.ports.values():
        birth = None if port.origin is None else port.origin.forward
        if birth is None:
            continue
        assert is_broken(snapshot.port(f"{birth.at}.{birth.port}").value)
        arriving = [snapshot.ports[link.source].value for link in snapshot.wires if link.target.path == birth.at]
        assert not any(is_broken(np.asarray(value)[birth.index]) for value in arriving)


@given(graphs())
def test_no_two_warnings_about_values_or_gradients_name_the_same_block(graph: Graph) -> None:
    found = [item for item in evaluate(graph).problems if item.code == "nonfinite"]
    keys = [(item.at, " gradient" in item.message) for item in found]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("fields", "sentence", "then"),
    [
        ({}, "F makes inf: why.", "A. F then makes NaN: why."),
        ({"index": (2,)}, "F makes inf at element 2: why.", "A. F then makes NaN at element 2: why."),
        ({"index": (0, 2)}, "F makes inf at element [0, 2]: why.", "A. F then makes NaN at element [0, 2]: why."),
        ({"index": (2,), "is_row": True}, "F makes inf: why.", "A. F then makes NaN: why."),
        ({"index": (4, 2), "is_row": True}, "F makes inf in row 4: why.", "A. F then makes NaN in row 4: why."),
        ({"index": (), "is_row": True}, "F makes inf: why.", "A. F then makes NaN: why."),
        ({"reason": ""}, "F holds inf.", None),
        ({"reason": "", "index": (3,)}, "F holds inf at element 3.", None),
        ({"is_gradient": True}, "F makes the gradient of y inf: why.", None),
        ({"is_gradient": True, "index": (3,)}, "F makes the gradient of y inf at element 3: why.", None),
        ({"is_gradient": True, "port": "", "index": (3,)}, "The gradients of F sum to inf: why.", None),
    ],
)
def test_a_birth_is_told_with_its_place(fields: dict[str, Any], sentence: str, then: str | None) -> None:
    plain: dict[str, Any] = {"at": "f", "title": "F", "port": "y", "index": (), "number": "inf", "reason": "why"}
    birth = Birth(**plain | fields)
    assert birth.sentence == sentence
    assert then is None or birth.then("A.") == then
