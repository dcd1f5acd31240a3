"""The table of conventions: the numbers measured with TensorFlow 2.21, PyTorch 2.13 and JAX 0.10."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.support.conventions import CONVENTIONS, FRAMEWORKS
from gradwire.blocks.support.standpoints import Standpoint, standpoints_of
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph
from tests.engine.autodiff.test_statuses import softmax
from tests.engine.cause_graphs import x

INF, NAN, HALF = math.inf, math.nan, 0.5
# Of Selu: Klambauer et al., 2017.
SCALE, ALPHA = 1.0507009873554805, 1.6732632423543772


def only(graph: Graph, port: str = "main/b.x") -> Standpoint:
    (found,) = [item for item in standpoints_of(run_graph(graph)) if str(item.port) == port]
    return found


def numbers(graph: Graph, port: str = "main/b.x") -> list[Any]:
    return [None if part is None else list(part) for part in only(graph, port).local]


def one(kind: str, value: object, **parameters: object) -> Graph:
    return x(np.array(value, float)).then("b", kind, **parameters).loss()


THE_SAME = {
    "the greatest": ("ReduceMax", [2, 2, 1], {}, [HALF, HALF]),
    "the smallest": ("ReduceMin", [2, 1, 1], {}, [HALF, HALF]),
    "by place": ("TopK", [2, 2, 1], {"k": 1}, [1, 0]),
    "relu": ("Relu", [0, 1], {}, [0]),
    "six": ("Relu6", [0, 6, 3], {}, [0, 0]),
    "sign": ("Sign", [0, 1], {}, [0]),
    "logarithm": ("Log", [0, 1], {}, [INF]),
    "product": ("ReduceProd", [0, 0, 3], {}, [0, 0]),
}


@pytest.mark.parametrize("name", THE_SAME)
def test_the_frameworks_agree(name: str) -> None:
    kind, value, parameters, expected = THE_SAME[name]
    found = only(one(kind, value, **parameters))
    assert [list(part or ()) for part in found.local] == [expected] * 3
    assert not found.differ


DIFFERENT = {
    "absolute value": ("Abs", [0, 1], [[0], [0], [1]]),
    "selu": ("Selu", [0, 1], [[SCALE], [SCALE * ALPHA], [SCALE * ALPHA]]),
    "a zero in a running product": ("Cumprod", [2, 0, 3], [[0], [8], [8]]),
    "deviation": ("ReduceStd", [2, 2], [[NAN, NAN], [0, 0], [NAN, NAN]]),
    "length": ("Norm", [0, 0], [[NAN, NAN], [0, 0], [NAN, NAN]]),
    "root": ("Sqrt", [0, 1], [[INF], [INF], [INF]]),
    "floor": ("Floor", [1.5], [None, [0], [0]]),
    "round": ("Round", [1.5], [None, [0], [0]]),
    "ceil": ("Ceil", [1.5], [None, [0], [0]]),
    "stop": ("StopGradient", [1.5], [None, None, [0]]),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_each_framework_has_its_number(name: str) -> None:
    kind, value, expected = DIFFERENT[name]
    np.testing.assert_equal(numbers(one(kind, value)), expected)


def test_the_origin_and_powers_of_zero_have_no_number_in_tensorflow() -> None:
    for kind, expected in (("Atan2", [[NAN], [0], [NAN]]), ("Pow", [[NAN], [0], [NAN]])):
        graph = x([0.0]).source("c", [0.0], "Constant").then("b", kind, "c.y").loss()
        np.testing.assert_equal(numbers(graph), expected)


def test_second_derivatives_are_told_of_only_where_a_gradient_is_differentiated() -> None:
    once = gw.graph(gw.Loss(gw.Moments(gw.Input([1.0, 2.0]), axes=0)[1]))
    point = gw.Input([1.0, 2.0])
    (slope,) = gw.Gradients(gw.Moments(point, axes=0)[1], point)
    assert not standpoints_of(run_graph(once))
    (found,) = standpoints_of(run_graph(gw.graph(gw.Loss(gw.Square(slope)))))
    assert found.point == "Gradient of a gradient" and found.differ


def test_argmax_and_a_cast_to_integers_give_zero_in_jax_alone() -> None:
    for then in (("ArgMax", {}), ("Cast", {"dtype": "int32"})):
        graph = x([1.0, 2.0]).then("b", then[0], **then[1]).graph()
        assert numbers(graph) == [None, None, [0, 0]]


def test_a_cast_between_floats_is_no_such_point() -> None:
    assert not standpoints_of(run_graph(one("Cast", [1, 2], dtype="float32")))


def test_equal_inputs_of_a_maximum_go_to_the_first_or_are_halved() -> None:
    graph = x([1.0, 5.0]).source("c", [1.0, 2.0], "Constant").then("b", "Maximum", "c.y").loss()
    assert numbers(graph) == [[1], [HALF], [HALF]]
    assert numbers(graph, "main/b.y") == [[0], [HALF], [HALF]]
    assert only(graph).places == ((0,),)


def test_the_halves_of_a_repeated_input_are_added_up() -> None:
    graph = x([1.0, 1.0]).source("c", 1.0, "Constant").then("b", "Maximum", "c.y").loss()
    assert numbers(graph, "main/b.y") == [[0], [1], [1]]


def test_clipping_keeps_the_gradient_at_its_bounds_but_in_jax() -> None:
    line = x([0.0, 0.5, 1.0, 2.0]).source("low", 0.0, "Constant").source("high", 1.0, "Constant")
    graph = line.then("b", "ClipByValue", "low.y", "high.y").loss()
    assert numbers(graph) == [[1, 1], [1, 1], [HALF, HALF]]
    assert numbers(graph, "main/b.clip_max") == [[1], [1], [1.5]]


@pytest.mark.parametrize(("kind", "shape"), [("MaxPool1D", (1, 2, 1)), ("MaxPool2D", (1, 2, 1, 1))])
def test_of_a_tie_in_a_window_the_first_gets_everything(kind: str, shape: tuple[int, ...]) -> None:
    sizes = [2] if kind == "MaxPool1D" else [2, 1]
    graph = x(np.ones(shape)).then("b", kind, ksize=sizes, strides=sizes, padding="VALID").loss()
    assert numbers(graph, "main/b.input") == [[1, 0]] * 3


def test_in_three_dimensions_only_tensorflow_gives_all_to_each() -> None:
    how = {"ksize": [2, 1, 1], "strides": [2, 1, 1], "padding": "VALID"}
    graph = x(np.ones((1, 2, 1, 1, 1))).then("b", "MaxPool3D", **how).loss()
    assert numbers(graph, "main/b.input") == [[1, 1], [1, 0], [1, 0]]


def test_a_window_without_a_tie_is_no_such_point() -> None:
    how = {"ksize": [2], "strides": [2], "padding": "VALID"}
    graph = x(np.array([1.0, 2.0]).reshape(1, 2, 1)).then("b", "MaxPool1D", **how).loss()
    assert not standpoints_of(run_graph(graph))


def test_a_root_of_zero_that_nothing_reaches_is_zero_in_tensorflow_alone() -> None:
    graph = x([0.0]).then("b", "Sqrt").source("c", [0.0], "Constant").then("m", "Multiply", "c.y").loss()
    here = only(graph).here
    assert here is not None
    np.testing.assert_equal([list(part or ()) for part in here], [[0], [NAN], [NAN]])


def test_x_log_x_at_zero_is_nan_everywhere() -> None:
    graph = x([0.0]).then("b", "Log").then("m", "Multiply", "x.y").loss()
    here = only(graph).here
    assert here is not None and all(part is not None and math.isnan(part[0]) for part in here)


def test_x_divided_by_itself_at_zero_is_infinity_minus_nan() -> None:
    graph = x([0.0]).then("b", "Divide", "x.y").loss()
    np.testing.assert_equal(numbers(graph), [[INF]] * 3)
    np.testing.assert_equal(numbers(graph, "main/b.y"), [[NAN]] * 3)
    gradient = run_graph(graph).snapshot.port("main/x.y").gradient
    assert gradient is not None and np.isnan(gradient).all()


def test_the_numbers_here_are_scaled_by_what_arrives() -> None:
    graph = x([0.0]).then("b", "Abs").source("c", [3.0], "Constant").then("m", "Multiply", "c.y").loss()
    assert only(graph).here == ((0.0,), (0.0,), (3.0,))


def test_what_tensorflow_does_is_what_gradwire_shows() -> None:
    """The wire into the maximum of the softmax carries TensorFlow's numbers, and the tied elements are told."""
    run = run_graph(softmax([1, 3, 3], is_stopped=False))
    found = standpoints_of(run)[0]
    gradient = run.snapshot.wire("main/x.y", "main/m.x").gradient
    assert gradient is not None and found.here is not None
    assert found.places == ((1,), (2,))
    assert found.here[0] == tuple(gradient[1:])


def test_an_ordinary_point_is_not_listed() -> None:
    for kind in ("Relu", "Abs", "Sqrt", "Log", "ReduceMax", "Norm", "Sign"):
        assert not standpoints_of(run_graph(one(kind, [1, 2])))


def test_points_where_frameworks_differ_come_first_and_stops_last() -> None:
    graph = x([0.0]).then("s", "StopGradient").then("r", "Relu").then("b", "Abs").loss()
    assert [item.port.path for item in standpoints_of(run_graph(graph))] == ["main/b", "main/r", "main/s"]


def test_every_convention_names_block_types_and_a_rule_for_each_framework() -> None:
    for convention in CONVENTIONS:
        assert all(name in library for name in convention.types)
        assert len(convention.rules) == len(FRAMEWORKS)
