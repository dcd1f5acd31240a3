"""Which edit is offered for a gradient of 0, and which is not, condition by condition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.app.kit.why.fixes import Fix, fix_of_cut, fix_of_zero
from gradwire.app.kit.why.why import why_of
from gradwire.app.live.explanation.explanation import Zeros
from gradwire.engine.advice.gradient_edits import fill_with_small_numbers, pass_straight_through, soften, widen
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.kit.why.test_why import facts_of, graph_of
from tests.engine.cause_graphs import sigmoids, x


def fix_at(graph: Graph, block: str, port: str = "y") -> Fix | None:
    place = PortName(f"main/{block}", port)
    return why_of(facts_of(graph, place), place).fix


def told(fix: Fix | None) -> tuple[str, Any, tuple[Any, ...]] | None:
    return None if fix is None else (fix.text, fix.edit, fix.args)


def cut_by(*kinds: str) -> Graph:
    """Returns x, which reaches the loss through one block of each kind."""
    placed: dict[str, tuple[str, dict[str, object]]] = {"x": ("Input", {"value": [1.5, 2.5]})}
    placed |= {f"c{place}": (kind, {}) for place, kind in enumerate(kinds)}
    placed |= {"sum": ("AddN", {}), "loss": ("Loss", {})}
    wires = [("x.y", f"c{place}.x") for place in range(len(kinds))]
    wires += [(f"c{place}.y", f"sum.values_{place}") for place in range(len(kinds))]
    return graph_of(placed, [*wires, ("sum.z", "loss.x")])


MUTE = edits.set_muted


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["StopGradient"], ('Mute StopGradient "c0"', MUTE, ("main", ("c0",), True))),
        (["StopGradient"] * 2, ("Mute all that block it", MUTE, ("main", ("c0", "c1"), True))),
        (["Floor"], ("Pass the gradient straight through", pass_straight_through, ("main", "c0"))),
        (["Floor", "Round"], None),
        (["StopGradient", "Floor"], None),
    ],
)
def test_blocks_that_cut_all_paths_are_mended_if_they_are_stops_or_one_block(
    kinds: list[str], expected: tuple[Any, ...] | None
) -> None:
    graph = cut_by(*kinds)
    fix = fix_at(graph, "x")
    assert told(fix) == expected
    assert fix is None or fix.place == PortName("main/x", "y")


def paged(inner: str, outer: str = "") -> Graph:
    """Returns x, which reaches the loss through a page with one block, and perhaps beside it."""
    graph, page = edits.add_page(Graph(), "cell")
    for name, kind in (("in", "PageInput"), ("cut", inner), ("out", "PageOutput")):
        graph, _ = edits.add_block(graph, page, kind, id=name, parameters={} if name == "cut" else {"name": name})
    graph = edits.connect(graph, page, Port("in", "y"), Port("cut", "x"))
    graph = edits.connect(graph, page, Port("cut", "y"), Port("out", "x"))
    for name, kind, parameters in (
        ("x", "Input", {"value": np.array([1.5, 2.5])}),
        ("use", "Page", {"page": "cell"}),
        ("sum", "AddN", {}),
        ("loss", "Loss", {}),
        *([("c", outer, {})] if outer else []),
    ):
        graph, _ = edits.add_block(graph, "main", kind, id=name, parameters=parameters)
    wires = [("x.y", "use.in"), ("use.out", "sum.values_0"), ("sum.z", "loss.x")]
    wires += [("x.y", "c.x"), ("c.y", "sum.values_1")] if outer else []
    for source, target in wires:
        graph = edits.connect(graph, "main", Port(*source.split(".")), Port(*target.split(".")))
    return graph


@pytest.mark.parametrize(
    ("inner", "outer", "expected"),
    [
        ("StopGradient", "", (MUTE, ("cell", ("cut",), True))),
        ("Floor", "", (pass_straight_through, ("cell", "cut"))),
        ("StopGradient", "StopGradient", None),
    ],
)
def test_blocks_on_a_page_are_mended_there_but_not_on_two_pages_at_once(
    inner: str, outer: str, expected: tuple[Any, ...] | None
) -> None:
    fix = fix_at(paged(inner, outer), "x")
    assert (None if fix is None else (fix.edit, fix.args)) == expected


@pytest.mark.parametrize(
    ("line", "has_fix"),
    [
        # A straight path needs one number for each, of the same shape and dtype.
        (x([1.5, 2.5]).then("f", "Floor").then("s", "Square"), True),
        (x([1.5, 2.5]).then("f", "Cast", dtype="int64").then("c", "Cast", dtype="float64"), False),
        (x([1.5, 2.5]).then("f", "Greater", "x.y").then("c", "Cast", dtype="float64"), False),
        (x([1.5, 2.5]).then("f", "IsNan").then("c", "Cast", dtype="float64"), False),
        (x([1.5, 2.5]).source("d", [1.0, 1.0], "Constant").then("f", "FloorDiv", "d.y"), False),
    ],
)
def test_a_straight_path_goes_past_a_block_that_gives_one_number_for_each(line: Any, has_fix: bool) -> None:
    assert (fix_at(line.loss(), "x") is not None) is has_fix


@pytest.mark.parametrize(("dtype", "expected"), [("float32", ("Use float64", widen, ())), ("float64", None)])
def test_a_wider_dtype_is_offered_where_there_is_one(dtype: str, expected: tuple[Any, ...] | None) -> None:
    graph = sigmoids(80, "float32")
    facts = facts_of(graph)
    assert told(why_of(facts, PortName("main/x", "y")).fix) == ("Use float64", widen, ())
    huge = sigmoids(600, dtype)
    assert told(fix_at(huge, "x")) == expected


def product(kind: str = "Variable", value: object = (0.0, 0.0), **parameters: object) -> Graph:
    graph = x([1.0, 2.0]).source("w", list(value), kind).then("m", "Multiply", "w.y").loss()  # type: ignore[call-overload]
    for name, item in parameters.items():
        graph = edits.set_parameter(graph, "main", "w", name, item)
    return graph


FILL = ("Fill w with small random numbers", fill_with_small_numbers, ("main", "w"))


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (product(), FILL),
        (product(trainable=False), None),
        (product("Constant"), None),
        (product(value=(0.0, 1.0)), None),
    ],
)
def test_only_weights_that_are_trained_and_all_0_are_filled(graph: Graph, expected: tuple[Any, ...] | None) -> None:
    assert told(fix_at(graph, "x")) == expected


@pytest.mark.parametrize(("bias", "weights", "filled"), [((2,), (2, 2), "w"), ((2, 2), (2,), "b")])
def test_of_several_weights_of_0_the_largest_is_filled(
    bias: tuple[int, ...], weights: tuple[int, ...], filled: str
) -> None:
    line = x([[1.0, 2.0]]).source("b", np.zeros(bias), "Variable").source("w", np.zeros(weights), "Variable")
    graph = line.on("b.y").then("sum", "Add", "w.y").then("m", "Multiply", "x.y").loss()
    assert told(fix_at(graph, "x")) == (
        f"Fill {filled} with small random numbers",
        fill_with_small_numbers,
        ("main", filled),
    )


def test_weights_are_sought_behind_blocks_that_only_pass_zeros_on() -> None:
    line = x([1.0, 2.0]).source("w", [0.0, 0.0], "Variable").source("one", [1.0, 1.0], "Variable")
    zeros = line.on("w.y").then("t", "Tanh").then("n", "Negative").then("m", "Multiply", "x.y").loss()
    assert told(fix_at(zeros, "x")) == FILL
    line = x([1.0, 2.0]).source("one", [1.0, 1.0], "Variable")
    none = line.on("one.y").then("d", "Subtract", "one.y").then("m", "Multiply", "x.y").loss()
    assert fix_at(none, "x") is None


def test_weights_of_0_behind_what_is_not_0_are_not_filled() -> None:
    line = x([1.0, 2.0]).source("w", [0.0, 0.0], "Variable").source("one", [1.0, 1.0]).source("none", [0.0, 0.0])
    graph = line.on("w.y").then("s", "Add", "one.y").then("z", "Multiply", "none.y").then("m", "Multiply", "x.y")
    assert fix_at(graph.loss(), "x") is None


def test_an_index_of_an_extreme_gives_way_to_a_softmax_of_its_input() -> None:
    graph = x([1.0, 3.0, 2.0]).then("f", "ArgMax").then("c", "Cast", dtype="float64").loss()
    assert told(fix_at(graph, "x")) == (
        'Replace ArgMax "f" by a softmax', soften, ("main", "f", (3,), "float64"),
    )  # fmt: skip


@pytest.mark.parametrize("at", ["main/gone", "gone/x", "main/x/deeper", ""])
def test_what_is_gone_is_not_mended(at: str) -> None:
    facts, place = facts_of(cut_by("Floor")), PortName("main/x", "y")
    assert fix_of_cut(facts, place, [at]) is None
    for cause in (Cause.FLAT, Cause.ZERO_FACTOR):
        assert fix_of_zero(facts, place, Zeros(cause, at, 2, 2, False, {}, None, ()), "float64") is None


@pytest.mark.parametrize(("dtype", "is_offered"), [("float32", True), ("float16", True), ("float64", False)])
def test_a_wider_dtype_is_offered_for_what_underflows(dtype: str, is_offered: bool) -> None:
    zeros = Zeros(Cause.UNDERFLOW, "main/x", 2, 2, False, {}, None, ())
    found = fix_of_zero(facts_of(cut_by("Floor")), PortName("main/x", "y"), zeros, dtype)
    assert (None if found is None else (found.text, found.edit)) == (("Use float64", widen) if is_offered else None)
