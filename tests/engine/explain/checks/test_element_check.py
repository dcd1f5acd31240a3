"""One wire or port beside central differences: agreement, kinks, and withheld gradients."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.library import library
from gradwire.engine.explain.checks.element_check import ELEMENTS, ElementCheck, PlaceCheck, Verdict, check_place
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.explain.test_flow import chain
from tests.recorded import make_graph


def source(name: str, value: object, kind: str = "Input") -> Block:
    return Block(name, kind, parameters={"value": np.array(value)})


def link(text: str) -> Link:
    start, end = (PortName(*f"main/{port}".rsplit(".", 1)) for port in text.split(" > "))
    return Link(start, end)


def port(text: str) -> PortName:
    return PortName(*f"main/{text}".rsplit(".", 1))


def only(found: PlaceCheck) -> ElementCheck:
    (element,) = found.elements
    return element


def td() -> Graph:
    """Returns the temporal difference error of w = [0.5, 1] with a stopped target: r + 0.9 w1 - w0, halved square."""
    blocks = [source("w0", 0.5, "Variable"), source("w1", 1.0, "Variable"), source("r", 1.0), source("gamma", 0.9)]
    blocks += [Block("next", "Multiply"), Block("target", "Add"), Block("stop", "StopGradient")]
    blocks += [Block("delta", "Subtract"), Block("q", "Square"), Block("half", "Multiply"), source("k", 0.5)]
    wires = """gamma.y > next.x, w1.y > next.y, r.y > target.x, next.z > target.y, target.z > stop.x, stop.y > delta.x,
    w0.y > delta.y, delta.z > q.x, q.y > half.x, k.y > half.y, half.z > loss.x"""
    pairs = [wire.strip().split(" > ") for wire in wires.split(",")]
    return make_graph([*blocks, Block("loss", "Loss")], [(start, end) for start, end in pairs])


def straight_through(x: float) -> Graph:
    """Returns y = x + sg(round(x) - x), squared."""
    blocks = [source("x", x), Block("r", "Round"), Block("d", "Subtract"), Block("stop", "StopGradient")]
    blocks += [Block("y", "Add"), Block("q", "Square"), Block("loss", "Loss")]
    wires = [("x.y", "r.x"), ("r.y", "d.x"), ("x.y", "d.y"), ("d.z", "stop.x"), ("x.y", "y.x"), ("stop.y", "y.y")]
    return make_graph(blocks, [*wires, ("y.z", "q.x"), ("q.y", "loss.x")])


def test_a_smooth_wire_agrees_with_the_formula() -> None:
    found = check_place(chain("Square", 1, [3.0, -0.5]), link("x.y > b1.x"))
    assert [element.verdict for element in found.elements] == [Verdict.AGREES] * 2
    assert [element.gradient for element in found.elements] == [6.0, -1.0]
    assert [element.difference for element in found.elements] == pytest.approx([6.0, -1.0], rel=1e-6)
    assert not found.is_withheld


def test_the_step_is_the_cube_root_of_eps_times_the_element() -> None:
    root = math.pow(np.finfo(float).eps, 1 / 3)
    steps = [element.step for element in check_place(chain("Square", 1, [100.0, 0.5]), port("x.y")).elements]
    assert steps == pytest.approx([100 * root, root], rel=1e-12)


@pytest.mark.parametrize(("kind", "value"), [("Relu", 0.0), ("Abs", 0.0), ("Relu", 1e-13)])
def test_a_kink_within_the_step_is_told(kind: str, value: float) -> None:
    assert only(check_place(chain(kind, 1, value), link("x.y > b1.x"))).verdict is Verdict.KINK


@pytest.mark.parametrize(("kind", "value"), [("Sign", 0.0), ("Round", 0.5), ("Floor", 2.0)])
def test_a_jump_within_the_step_is_not_called_a_kink(kind: str, value: float) -> None:
    assert only(check_place(chain(kind, 1, value), link("x.y > b1.x"))).verdict is Verdict.JUMP


def test_two_ties_that_hide_each_other_are_a_kink() -> None:
    blocks = [source("x", [3.0, 3.0]), source("c", 3.0), Block("m", "ReduceMax"), Block("n", "Minimum")]
    wires = [("x.y", "m.x"), ("m.y", "n.x"), ("c.y", "n.y"), ("n.z", "loss.x")]
    found = check_place(make_graph([*blocks, Block("loss", "Loss")], wires), link("x.y > m.x"))
    assert [element.verdict for element in found.elements] == [Verdict.KINK, Verdict.KINK]


def test_with_stops_frozen_the_check_passes_and_unfrozen_it_tells_what_is_withheld() -> None:
    """The residual gradient of TD is [-1.4, 1.26]; the stop leaves [-1.4, 0]."""
    found = check_place(td(), port("w1.y"))
    element = only(found)
    assert (element.verdict, element.gradient) == (Verdict.AGREES, 0.0)
    assert element.difference == pytest.approx(0.0, abs=1e-9)
    assert element.true == element.withheld == pytest.approx(1.26, rel=1e-8)
    assert found.is_withheld


def test_where_no_stop_is_on_the_way_nothing_is_withheld() -> None:
    found = check_place(td(), port("w0.y"))
    assert only(found).gradient == pytest.approx(-1.4, rel=1e-12)
    assert (only(found).verdict, found.is_withheld, found.has_stops) == (Verdict.AGREES, False, True)


def test_the_wire_into_a_stop_withholds_all_of_it() -> None:
    element = only(check_place(td(), link("target.z > stop.x")))
    assert (element.verdict, element.gradient) == (Verdict.AGREES, 0.0)
    assert element.withheld == pytest.approx(1.4, rel=1e-8)


def test_straight_through_teaches_a_slope_that_the_loss_does_not_have() -> None:
    found = check_place(straight_through(0.7), port("x.y"))
    element = only(found)
    # The rounded value is 1, so the gradient is 2, although the loss itself is flat around 0.7.
    assert (element.verdict, element.gradient) == (Verdict.AGREES, 2.0)
    assert element.true == pytest.approx(0.0, abs=1e-8)
    assert element.withheld == pytest.approx(-2.0, rel=1e-8)


def test_the_sum_of_a_port_and_each_of_its_wires_are_checked_alone() -> None:
    blocks = [source("x", 3.0), Block("m", "Multiply"), Block("a", "Add"), Block("loss", "Loss")]
    wires = [("x.y", "m.x"), ("x.y", "m.y"), ("m.z", "a.x"), ("x.y", "a.y"), ("a.z", "loss.x")]
    graph = make_graph(blocks, wires)
    slopes = {place: only(check_place(graph, place)) for place in (port("x.y"), link("x.y > m.x"), link("x.y > a.y"))}
    assert [item.gradient for item in slopes.values()] == [7.0, 3.0, 1.0]
    assert all(item.verdict is Verdict.AGREES for item in slopes.values())


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = library["Square"]
    monkeypatch.setattr(kind, "rule", lambda g, x, _: g * x)
    assert only(check_place(chain("Square", 1, 3.0), port("x.y"))).verdict is Verdict.DIFFERS


def test_what_is_not_finite_has_no_verdict() -> None:
    assert only(check_place(chain("Log", 1, -1.0), port("x.y"))).verdict is Verdict.UNKNOWN


def test_of_many_elements_the_first_are_checked() -> None:
    found = check_place(chain("Tanh", 1, np.linspace(-2, 2, 60).reshape(6, 10)), link("x.y > b1.x"))
    assert (found.size, len(found.elements), found.elements[-1].index) == (60, ELEMENTS, (1, 9))
    assert found.count(Verdict.AGREES) == ELEMENTS


def test_what_the_loss_does_not_depend_on_has_slope_zero() -> None:
    graph = make_graph([source("x", 1.0), source("free", 2.0), Block("loss", "Loss")], [("x.y", "loss.x")])
    assert only(check_place(graph, port("free.y"))).verdict is Verdict.AGREES


@pytest.mark.parametrize(
    ("place", "reason"), [(port("nobody.y"), "^Not computed until the error"), (port("whole.y"), "no gradient here")]
)
def test_where_there_is_nothing_to_compare_the_reason_is_given(place: PortName, reason: str) -> None:
    graph = make_graph([source("x", 1.0), source("whole", 2), Block("loss", "Loss")], [("x.y", "loss.x")])
    with pytest.raises(GradwireError, match=reason):
        check_place(graph, place)


def test_without_a_loss_nothing_can_be_watched() -> None:
    with pytest.raises(GradwireError, match="no loss"):
        check_place(make_graph([source("x", 1.0)], []), port("x.y"))
