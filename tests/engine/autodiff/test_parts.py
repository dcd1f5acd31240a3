"""Parts of an expanded graph by hand: instances, statuses of numbers, helpers of loops, and the cache of rules."""

from __future__ import annotations

from collections import deque
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff import rule_cache
from gradwire.engine.autodiff.backward import backward_pass, ones
from gradwire.engine.autodiff.expand import can_be_muted, instance_of, is_special, link_of
from gradwire.engine.autodiff.instances import Feed, Instance, Link, PortName
from gradwire.engine.autodiff.port_index import declared_outputs
from gradwire.engine.autodiff.round_checks import check_helper, collected, element_of
from gradwire.engine.autodiff.rule_cache import cached_rules
from gradwire.engine.autodiff.status import Status, find_cuts, is_exact, number_status
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Port, Wire
from tests.engine.loop_graphs import scan


def instance(kind: str, **parts: object) -> Instance:
    block = Block("b", kind, parameters={"axis": 1})
    return Instance("main/b", block, library.get(kind), {"x": PortName("main/a", "y")}, **parts)


@pytest.mark.parametrize(
    ("numbers", "tolerance", "status"),
    [
        ([], 0.0, Status.FLOW), ([0.0], 0.0, Status.ZERO), ([1e-300], 0.0, Status.FLOW), ([-1e-300], 0.0, Status.FLOW),
        ([0.5, -0.5], 0.5, Status.ZERO), ([0.5, -0.6], 0.5, Status.FLOW), ([0.5, 0.6], [0.5, 0.7], Status.ZERO),
        ([np.nan, 1.0], 0.0, Status.NONFINITE), ([np.inf, 1.0], 9.0, Status.NONFINITE), ([9.0, 0.0], 1.0, Status.FLOW),
    ],
)  # fmt: skip
def test_a_gradient_is_zero_up_to_its_rounding_error(numbers: list[float], tolerance: object, status: Status) -> None:
    assert number_status(np.array(numbers), np.asarray(tolerance)) is status


def test_only_a_plain_number_is_exact() -> None:
    assert [is_exact(item) for item in (0.0, np.float64(0), np.zeros(1))] == [True, False, False]


@pytest.mark.parametrize(
    ("kind", "parts", "role", "is_helper"),
    [
        ("Exp", {}, None, False), ("Loss", {}, Role.LOSS, False), ("Nobody", {}, None, False),
        ("Loss", {"is_stop": True}, Role.STOP, False), ("Scan", {"loop": "main/b"}, Role.PAGE, True),
        ("Scan", {"loop": "main/b", "is_entered": True}, Role.PAGE, False),
        ("Page", {"is_entered": True}, Role.PAGE, False),
    ],
)  # fmt: skip
def test_an_instance_has_a_role_and_a_helper_no_parameters(
    kind: str, parts: dict[str, object], role: Role | None, is_helper: bool
) -> None:
    found = instance(kind, **parts)
    assert (found.role, found.is_helper) == (library["Exp"].role if kind == "Exp" else role, is_helper)
    assert found.parameters == ({} if is_helper else {"axis": 1})
    again = found.again()
    assert again == found and again is not found
    assert found.title == f'{kind} "b"'


@pytest.mark.parametrize(
    ("kind", "parts", "known", "names"),
    [
        ("Exp", {}, None, ["y"]), ("Exp", {}, ["a", "b"], ["a", "b"]), ("Exp", {}, [], []), ("Nobody", {}, None, []),
        ("PageOutput", {}, ["y"], []), ("Scan", {"loop": "main/b"}, ["y"], []), ("Unstack", {}, None, []),
        ("Page", {"is_entered": True}, None, ["x"]), ("Page", {}, None, []),
    ],
)  # fmt: skip
def test_ports_are_those_known_or_declared(
    kind: str, parts: dict[str, object], known: list[str] | None, names: list[str]
) -> None:
    assert declared_outputs(instance(kind, **parts), known) == names


@pytest.mark.parametrize(
    ("kind", "special", "muted"),
    [
        ("Exp", False, True), ("Loss", True, False), ("Gradients", True, True), ("Nobody", False, False),
        ("Page", False, True), ("Input", False, False), ("PageOutput", False, False),
    ],
)  # fmt: skip
def test_losses_and_derivatives_are_special_and_ends_are_never_muted(kind: str, special: bool, muted: bool) -> None:
    block = Block("b", kind, is_muted=True)
    found = instance_of(block, "main/b", {})
    assert (is_special(found), can_be_muted(block), found.is_muted) == (special, muted, muted)
    assert not instance_of(Block("b", kind), "main/b", {}).is_muted


def test_an_input_of_a_used_page_reads_what_arrives() -> None:
    feed = Feed(PortName("main/a", "y"), PortName("main/use", "x"), True)
    block = Block("h", "PageInput", parameters={"name": "h"})
    found = instance_of(block, "main/use/h", {}, True, False, feed)
    assert (found.inputs, found.port, found.is_stop, found.is_used) == ({"x": feed.source}, feed.port, True, True)
    plain = instance_of(block, "main/h", {}, False, True)
    assert (plain.inputs, plain.port, plain.is_stop, plain.is_used, plain.is_entered) == ({}, None, False, False, True)
    assert link_of(Wire(Port("a", "y"), Port("b", "x")), "main") == Link(
        PortName("main/a", "y"), PortName("main/b", "x")
    )


WHOLE = np.dtype("int32")


@pytest.mark.parametrize(
    ("shape", "element", "stacked"),
    [((), None, (4,)), ((3,), (), (4, 3)), ((3, 2), (2,), (4, 3, 2)), ((0, 5), (5,), (4, 0, 5))],
)
def test_rounds_take_elements_of_axis_0_and_results_are_stacked_there(
    shape: tuple[int, ...], element: tuple[int, ...] | None, stacked: tuple[int, ...]
) -> None:
    spec = TensorSpec(shape, WHOLE)
    assert element_of(spec) == (None if element is None else TensorSpec(element, WHOLE))
    assert collected(spec, 4) == TensorSpec(stacked, WHOLE)
    assert element_of(None) is collected(None, 4) is None


@pytest.mark.parametrize(
    ("kind", "block", "shape", "is_refused"),
    [
        ("Unstack", scan("b", "cell", 3), (3, 2), False), ("Unstack", scan("b", "cell", 3), (2, 3), True),
        ("Unstack", scan("b", "cell", 3), (4,), True), ("Unstack", scan("b", "cell", 3), (), True),
        ("Unstack", scan("b", "cell", 3), None, False), ("Unstack", Block("b", "Exp"), (2,), False),
        ("Exp", scan("b", "cell", 3), (2,), False), ("Nobody", scan("b", "cell", 3), (2,), False),
    ],
)  # fmt: skip
def test_a_tensor_has_an_element_for_each_round(
    kind: str, block: Block, shape: tuple[int, ...] | None, is_refused: bool
) -> None:
    port = PortName("main/b", "xs")
    helper = Instance("main/b[xs]", block, library.get(kind), {}, port=port, loop="main/b")
    spec = None if shape is None else TensorSpec(shape, WHOLE)
    if is_refused:
        with pytest.raises(ShapeError, match=r"xs has shape .* axis 0 must have size 3"):
            check_helper(helper, [spec])
    else:
        check_helper(helper, [spec])


def test_a_rule_is_called_once_for_equal_arguments_and_the_oldest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_cache, "_KEPT", 2)
    monkeypatch.setattr(rule_cache, "_known", {})
    x, y, flat, whole = gw.Input([[1.0, 2.0]]), gw.Input([[3.0, 4.0]]), gw.Input([1.0]), gw.Input(np.array([[1, 2]]))
    square, calls = library["Square"], deque[str]()

    def asked(name: str, *given: object, **parameters: object) -> list[object]:
        def rule() -> list[object]:
            calls.append(name)
            return [given[0] * 2.0 + given[0], None, given[-1]]

        return cached_rules(square, given, parameters, rule)

    first, second = asked("x", x, y), asked("not again", y, x)
    assert second[1] is None and second[2] is x and first[2] is y
    asked("x", x, x), asked("not again", y, y), asked("not again", x, y)
    assert list(calls) == ["x", "x"]
    asked("flat", flat, flat)
    asked("not again", x, x)
    asked("x", x, y)
    assert list(calls) == ["x", "x", "flat", "x"]
    calls.clear()
    for value in (1, 1.0, True, -0.0, 0.0, "1"):
        asked(repr(value), x, axis=value)
        asked("not again", y, axis=value)
    assert list(calls) == ["1", "1.0", "True", "-0.0", "0.0", "'1'"]
    calls.clear()
    for _ in range(2):
        asked("array", x, axis=np.zeros(1))
        asked("whole", x, whole, None)
    assert list(calls) == ["array", "whole", "array"]
    assert float(gw.evaluate(gw.ReduceSum(second[0])).loss) == 21


class Noting:
    """Watch that notes in whose code it is."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def in_code(self, application: Application) -> AbstractContextManager[None]:
        self.seen.append(application.type.name)
        return nullcontext()


@pytest.mark.parametrize("is_watched", [False, True])
def test_a_backward_pass_tells_its_watch_of_each_rule(is_watched: bool) -> None:
    x = gw.Variable([1.0, 2.0], name="x")
    loss = gw.ReduceSum(gw.Square(x))
    watch = Noting()
    found = backward_pass({loss: ones(loss.spec)}, watch=watch if is_watched else None)  # type: ignore[arg-type]
    assert not found.failed and not found.hidden and gw.evaluate(gw.ReduceSum(found.totals[x])).loss == 6
    assert watch.seen == (["ReduceSum", "Square"] if is_watched else [])


def test_cuts_are_of_what_has_no_gradient_alone() -> None:
    x, k = gw.Variable([1.0, 2.0], name="x"), gw.Variable([3.0, 4.0], name="k")
    stop, count = gw.StopGradient(k), gw.Cast(x, dtype="int32")
    loss = gw.ReduceSum(gw.Square(x) * stop * gw.Cast(count, dtype="float64"))
    backward = backward_pass({loss: ones(loss.spec)})
    cuts = find_cuts(backward)
    names = {edge.application.type.name: {cut.type.name for cut in found} for edge, found in cuts.edges.items()}
    assert names == {"StopGradient": {"StopGradient"}, "Cast": {"Cast"}}
    assert {*cuts.expressions} == {k, x} and cuts.expressions[k] == {stop.application}
    assert find_cuts(backward_pass({x: ones(x.spec)})).edges == {}
