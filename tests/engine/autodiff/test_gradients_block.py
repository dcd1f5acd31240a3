"""Derivatives as values to build on, and the gradients that flow through them (inner parts)."""

from __future__ import annotations

import numpy as np

from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Block, Graph
from tests.recorded import make_graph


def source(name: str, value: object) -> Block:
    return Block(name, "Input", parameters={"value": np.asarray(value, float)})


def test_the_second_derivative_flows_as_an_inner_part_with_no_wire() -> None:
    blocks = [
        source("x", [2.0, -1.0]),
        Block("s", "Square"),
        Block("c", "Multiply"),
        Block("g", "Gradients"),
        Block("loss", "Loss"),
    ]
    wires = [("x.y", "s.x"), ("s.y", "c.x"), ("x.y", "c.y"), ("c.z", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")]
    snapshot = evaluate(make_graph(blocks, wires))
    x = snapshot.port("main/x.y")
    np.testing.assert_allclose(snapshot.port("main/g.g_0").value, [12, 3])
    np.testing.assert_allclose(x.gradient, [12, -6])
    for target in ("main/g.xs_0", "main/c.y"):
        assert not np.any(snapshot.wire("main/x.y", target).gradient)
    assert snapshot.wire("main/x.y", "main/g.xs_0").status == "no_path"
    wires_and_inner = snapshot.wire("main/x.y", "main/s.x").gradient + sum(part.gradient for part in x.inner)
    np.testing.assert_allclose(wires_and_inner, x.gradient)
    assert {part.by for part in x.inner} == {"main/g"}


def test_gradients_of_gradients_lead_newton_down_rosenbrocks_valley() -> None:
    """Iterates from (-1.2, 1), in closed form."""
    point = np.array([-1.2, 1.0])
    for expected in ((-1.1752808989, 1.3806741573), (0.7631148712, -3.1750338550)):
        snapshot = evaluate(valley(*point))
        slope, *rows = (
            np.array([float(snapshot.port(f"main/{name}.g_{row}").value) for row in (0, 1)])
            for name in ("g", "gx", "gy")
        )
        if point[0] == -1.2:
            np.testing.assert_allclose([slope, *rows], [[-215.6, -88], [1330, 480], [480, 200]], rtol=1e-12)
        point = point - np.linalg.solve(rows, slope)
        np.testing.assert_allclose(point, expected, rtol=1e-8)


def valley(x: float, y: float) -> Graph:
    """Returns Rosenbrock's function with its gradient by x and y, and the derivatives of both by x and y."""
    blocks = [source(name, value) for name, value in {"x": x, "y": y, "one": 1, "hundred": 100}.items()]
    kinds = {
        "a": "Subtract",
        "aa": "Square",
        "xx": "Square",
        "b": "Subtract",
        "bb": "Square",
        "c": "Multiply",
        "f": "Add",
    }
    blocks += [Block(name, kind) for name, kind in kinds.items()]
    wires = [("one.y", "a.x"), ("x.y", "a.y"), ("a.z", "aa.x"), ("x.y", "xx.x"), ("y.y", "b.x"), ("xx.y", "b.y")]
    wires += [("b.z", "bb.x"), ("hundred.y", "c.x"), ("bb.y", "c.y"), ("aa.y", "f.x"), ("c.z", "f.y")]
    for name, of in {"g": "f.z", "gx": "g.g_0", "gy": "g.g_1"}.items():
        blocks.append(Block(name, "Gradients"))
        wires += [(of, f"{name}.y"), ("x.y", f"{name}.xs_0"), ("y.y", f"{name}.xs_1")]
    return make_graph(blocks, wires)


def test_an_unconnected_variable_gets_zeros() -> None:
    blocks = [source("x", [2.0]), source("u", [1.0, 1.0]), Block("s", "Square"), Block("g", "Gradients")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "s.x"), ("s.y", "g.y"), ("u.y", "g.xs_0"), ("x.y", "g.xs_1")]))
    np.testing.assert_array_equal(snapshot.port("main/g.g_0").value, [0, 0])
    np.testing.assert_array_equal(snapshot.port("main/g.g_1").value, [4])


def test_stop_gradients_count_as_constants_for_this_block_only() -> None:
    blocks = [source("x", [3.0]), Block("s", "Square"), Block("m", "Multiply"), Block("loss", "Loss")]
    blocks.append(Block("g", "Gradients", parameters={"stop_gradients": ["s.y"]}))
    blocks.append(Block("all", "Gradients"))
    wires = [("x.y", "s.x"), ("s.y", "m.x"), ("x.y", "m.y"), ("m.z", "g.y"), ("x.y", "g.xs_0"), ("s.y", "g.xs_1")]
    wires += [("m.z", "all.y"), ("x.y", "all.xs_0"), ("m.z", "loss.x")]
    snapshot = evaluate(make_graph(blocks, wires))
    np.testing.assert_array_equal(snapshot.port("main/g.g_0").value, [9])
    np.testing.assert_array_equal(snapshot.port("main/g.g_1").value, [3])
    np.testing.assert_array_equal(snapshot.port("main/all.g_0").value, [27])
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [27])


def test_stop_gradients_must_name_a_port_of_the_page() -> None:
    blocks = [source("x", [3.0]), Block("g", "Gradients", parameters={"stop_gradients": ["nobody.y"]})]
    snapshot = evaluate(make_graph(blocks, [("x.y", "g.y"), ("x.y", "g.xs_0")]))
    assert [(problem.at, problem.code) for problem in snapshot.problems if problem.severity == "error"] == [
        ("main/g", "parameter")
    ]


def test_a_stop_on_the_way_makes_the_derivative_zero() -> None:
    blocks = [source("x", [3.0]), Block("stop", "StopGradient"), Block("s", "Square"), Block("g", "Gradients")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "stop.x"), ("stop.y", "s.x"), ("s.y", "g.y"), ("x.y", "g.xs_0")]))
    np.testing.assert_array_equal(snapshot.port("main/g.g_0").value, [0])


def test_rosenbrock_has_the_hessian_of_the_textbook() -> None:
    """f = (1 - x)^2 + 100 (y - x^2)^2 at (-1.2, 1): the Hessian is [[1330, 480], [480, 200]]."""
    blocks = [source("x", -1.2), source("y", 1), Block("one", "Constant", parameters={"value": np.array(1.0)})]
    blocks += [
        Block("hundred", "Constant", parameters={"value": np.array(100.0)}),
        Block("a", "Subtract"),
        Block("a2", "Square"),
    ]
    blocks += [
        Block("x2", "Square"),
        Block("b", "Subtract"),
        Block("b2", "Square"),
        Block("b3", "Multiply"),
        Block("f", "Add"),
    ]
    blocks += [Block("g", "Gradients"), Block("loss", "Loss")]
    wires = [
        ("one.y", "a.x"),
        ("x.y", "a.y"),
        ("a.z", "a2.x"),
        ("x.y", "x2.x"),
        ("y.y", "b.x"),
        ("x2.y", "b.y"),
        ("b.z", "b2.x"),
    ]
    wires += [
        ("b2.y", "b3.x"),
        ("hundred.y", "b3.y"),
        ("a2.y", "f.x"),
        ("b3.z", "f.y"),
        ("f.z", "g.y"),
        ("x.y", "g.xs_0"),
        ("y.y", "g.xs_1"),
    ]
    hessian = []
    for row in ("g.g_0", "g.g_1"):
        snapshot = evaluate(make_graph(blocks, [*wires, (row, "loss.x")]))
        hessian.append([float(snapshot.port(f"main/{name}.y").gradient) for name in "xy"])
    np.testing.assert_allclose(hessian, [[1330, 480], [480, 200]], rtol=1e-12)
    np.testing.assert_allclose(snapshot.port("main/g.g_0").value, -215.6, rtol=1e-12)


def test_prevent_gradient_inside_a_derivative_hides_the_derivative() -> None:
    blocks = [
        source("x", [3.0]),
        Block("p", "PreventGradient"),
        Block("s", "Square"),
        Block("g", "Gradients"),
        Block("loss", "Loss"),
    ]
    wires = [("x.y", "p.x"), ("p.y", "s.x"), ("s.y", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")]
    snapshot = evaluate(make_graph(blocks, wires))
    assert "prevented" in {problem.code for problem in snapshot.problems}
    assert snapshot.port("main/g.g_0").status == "unknown"
