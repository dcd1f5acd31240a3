"""Pages with gradients of their own: values and gradients on all wires, and the mistakes in such pages."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Block, Graph, Page
from tests.engine.own_gradients import constant, cube, entry, of_cube, page, result, scaled, source, use


def errors(graph: Graph) -> list[tuple[str, str, str]]:
    return [(item.at, item.code, item.message) for item in evaluate(graph).problems if item.severity == "error"]


def gradient(graph: Graph, name: str = "main/x.y") -> list[float] | None:
    found = evaluate(graph).port(name).gradient
    return None if found is None else found.tolist()


def test_the_gradient_is_that_of_the_giving_page() -> None:
    snapshot = evaluate(of_cube())
    assert snapshot.port("main/cube.y").value.tolist() == [1, -8]
    assert snapshot.port("main/x.y").gradient.tolist() == [7, -14]
    assert snapshot.wire("main/x.y", "main/cube.x").gradient.tolist() == [7, -14]
    assert not snapshot.has_errors


def test_inside_the_page_the_gradient_is_blocked_by_the_page() -> None:
    snapshot = evaluate(of_cube())
    for name in ("main/cube/x.y", "main/cube/square.y", "main/cube/times.z"):
        port = snapshot.port(name)
        assert (port.status, port.by, port.gradient.tolist()) == ("blocked", ("main/cube",), [0, 0])
    wire = snapshot.wire("main/cube/times.z", "main/cube/y.x")
    assert (wire.status, wire.by) == ("blocked", ("main/cube",))


def test_the_giving_page_shows_what_arrives_at_each_use() -> None:
    snapshot = evaluate(of_cube())
    assert snapshot.port("main/cube[gradient]/d_y.y").value.tolist() == [1, 1]
    assert snapshot.port("main/cube[gradient]/x.y").value.tolist() == [1, -2]
    assert snapshot.port("main/cube[gradient]/b.z").value.tolist() == [7, -14]
    assert snapshot.port("main/cube[gradient]/b.z").status == "no_path"
    assert not any(name.path.startswith(("cube", "cube_gradient")) for name in snapshot.ports)


def test_without_a_use_both_pages_run_with_the_values_of_their_inputs() -> None:
    backward = dataclasses.replace(scaled(), blocks={**scaled().blocks, "d_y": entry("d_y", value=np.array(2.0))})
    blocks = {**backward.blocks, "x": entry("x", value=np.array(3.0))}
    snapshot = evaluate(Graph(pages=(page("main", [], []), cube(), dataclasses.replace(backward, blocks=blocks))))
    assert snapshot.port("cube_gradient/b.z").value == 42


def test_a_muted_use_passes_its_input_and_its_gradient_on() -> None:
    graph = of_cube()
    main = graph.page("main")
    muted = dataclasses.replace(main.blocks["cube"], is_muted=True)
    assert gradient(graph.with_page(dataclasses.replace(main, blocks={**main.blocks, "cube": muted}))) == [1, 1]


def test_an_input_without_a_gradient_is_blocked_by_the_page() -> None:
    forward = page("scale", [entry("x"), entry("k"), Block("m", "Multiply"), result("y")],
                   [("x.y", "m.x"), ("k.y", "m.y"), ("m.z", "y.x")], "back")  # fmt: skip
    back = page("back", [entry("d_y"), result("d_x")], [("d_y.y", "d_x.x")])
    main = page("main", [source("x", 3), source("k", 4), use("scale", "scale"), Block("loss", "Loss")],
                [("x.y", "scale.x"), ("k.y", "scale.k"), ("scale.y", "loss.x")])  # fmt: skip
    snapshot = evaluate(Graph(pages=(main, forward, back)))
    assert snapshot.port("main/x.y").gradient == 1
    port = snapshot.port("main/k.y")
    assert (port.status, port.by, port.gradient) == ("blocked", ("main/scale",), 0)


def test_an_unwired_input_is_blocked_by_the_page() -> None:
    blocks = {**cube().blocks, "x": entry("x", value=np.array(2.0))}
    main = page("main", [use("cube", "cube"), Block("loss", "Loss")], [("cube.y", "loss.x")])
    snapshot = evaluate(Graph(pages=(main, dataclasses.replace(cube(), blocks=blocks), scaled())))
    port = snapshot.port("main/cube/x.y")
    assert (port.status, port.by, port.gradient, snapshot.loss.value) == ("blocked", ("main/cube",), 0, 8)


def test_two_outputs_have_an_incoming_gradient_each_zero_where_nothing_arrives() -> None:
    forward = page("both", [entry("x"), Block("s", "Square"), Block("n", "Negative"), result("a"), result("b")],
                   [("x.y", "s.x"), ("x.y", "n.x"), ("s.y", "a.x"), ("n.y", "b.x")], "back")  # fmt: skip
    back = page("back", [entry("a"), entry("d_a"), entry("d_b"), Block("s", "Subtract"), Block("m", "Add"),
                 result("d_x")],
                [("d_a.y", "s.x"), ("d_b.y", "s.y"), ("s.z", "m.x"), ("a.y", "m.y"), ("m.z", "d_x.x")])  # fmt: skip
    blocks, wires = [source("x", 3), use("both", "both"), Block("loss", "Loss")], [("x.y", "both.x")]
    for port, expected in (("a", 1 - 0 + 9), ("b", 0 - 1 + 9)):
        main = page("main", blocks, [*wires, (f"both.{port}", "loss.x")])
        assert gradient(Graph(pages=(main, forward, back))) == expected


def test_the_second_derivative_goes_through_the_blocks_of_the_giving_page() -> None:
    # The rule gives 7 x, so the second derivative is 7, not 6 x.
    blocks = [source("x", [1, -2]), use("cube", "cube"), Block("g", "Gradients"), Block("loss", "Loss")]
    wires = [("x.y", "cube.x"), ("cube.y", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")]
    snapshot = evaluate(Graph(pages=(page("main", blocks, wires), cube(), scaled())))
    assert snapshot.port("main/g.g_0").value.tolist() == [7, -14]
    port = snapshot.port("main/x.y")
    assert port.gradient.tolist() == [7, 7]
    assert [(part.by, part.gradient.tolist()) for part in port.inner] == [("main/g", [7, 7])]


def test_the_second_derivative_reads_outputs_as_the_page_computes_them() -> None:
    # The rule gives y d_y, so the second derivative is that of x ** 3, as tf.custom_gradient has it.
    back = page("cube_gradient", [entry("y"), entry("d_y"), Block("m", "Multiply"), result("d_x")],
                [("y.y", "m.x"), ("d_y.y", "m.y"), ("m.z", "d_x.x")])  # fmt: skip
    blocks = [source("x", [1, -2]), use("cube", "cube"), Block("g", "Gradients"), Block("loss", "Loss")]
    wires = [("x.y", "cube.x"), ("cube.y", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")]
    assert gradient(Graph(pages=(page("main", blocks, wires), cube(), back))) == [3, 12]


def test_pages_with_own_gradients_nest() -> None:
    outer = page("outer", [entry("x"), use("inner", "cube"), result("y")],
                 [("x.y", "inner.x"), ("inner.y", "y.x")])  # fmt: skip
    blocks, wires = [source("x", [1, -2]), use("outer", "outer"), Block("loss", "Loss")], [("x.y", "outer.x")]
    main = page("main", blocks, [*wires, ("outer.y", "loss.x")])
    assert gradient(Graph(pages=(main, outer, cube(), scaled()))) == [7, -14]
    twice = page("twice", [entry("d_y"), Block("a", "Add"), result("d_x")],
                 [("d_y.y", "a.x"), ("d_y.y", "a.y"), ("a.z", "d_x.x")])  # fmt: skip
    over = dataclasses.replace(outer, gradient="twice")
    assert gradient(Graph(pages=(main, over, twice, cube(), scaled()))) == [2, 2]


def test_a_giving_page_uses_pages_with_own_gradients_itself() -> None:
    back = page("cube_gradient", [entry("x"), entry("d_y"), use("f", "inner"), Block("m", "Multiply"), result("d_x")],
                [("x.y", "f.x"), ("f.y", "m.x"), ("d_y.y", "m.y"), ("m.z", "d_x.x")])  # fmt: skip
    inner = dataclasses.replace(cube("inner_gradient"), name="inner")
    five = page("inner_gradient", [entry("d_y"), constant("k", 5), Block("m", "Multiply"), result("d_x")],
                [("d_y.y", "m.x"), ("k.y", "m.y"), ("m.z", "d_x.x")])  # fmt: skip
    blocks = [source("x", [1, -2]), use("cube", "cube"), Block("g", "Gradients"), Block("loss", "Loss")]
    wires = [("x.y", "cube.x"), ("cube.y", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")]
    snapshot = evaluate(Graph(pages=(page("main", blocks, wires), cube(), back, inner, five)))
    assert snapshot.port("main/g.g_0").value.tolist() == [1, -8]
    assert snapshot.port("main/x.y").gradient.tolist() == [5, 5]


def test_a_stop_on_the_giving_page_can_be_ignored() -> None:
    back = page("cube_gradient", [entry("x"), entry("d_y"), Block("s", "StopGradient"), Block("m", "Multiply"),
                 result("d_x")],
                [("x.y", "s.x"), ("s.y", "m.x"), ("d_y.y", "m.y"), ("m.z", "d_x.x")])  # fmt: skip
    blocks = [source("x", [1, -2]), use("cube", "cube"), Block("g", "Gradients"), Block("loss", "Loss")]
    wires = [("x.y", "cube.x"), ("cube.y", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")]
    graph = Graph(pages=(page("main", blocks, wires), cube(), back))
    assert evaluate(graph).port("main/x.y").gradient.tolist() == [0, 0]
    ignored = evaluate(graph, frozenset({"main/cube[gradient]/s"}))
    assert ignored.port("main/x.y").gradient.tolist() == [1, 1]


def test_each_round_of_a_loop_has_the_own_gradient_of_its_page() -> None:
    parameters = {"page": "cube", "times": 2, "each": ("x",), "collect": ("y",)}
    blocks = [source("x", [1, -2]), Block("scan", "Scan", parameters=parameters), Block("loss", "Loss")]
    main = page("main", blocks, [("x.y", "scan.x"), ("scan.y", "loss.x")])
    snapshot = evaluate(Graph(pages=(main, cube(), scaled())))
    assert not snapshot.has_errors
    assert snapshot.port("main/scan.y").value.tolist() == [1, -8]
    assert snapshot.port("main/x.y").gradient.tolist() == [7, -14]
    assert snapshot.port("main/scan[1][gradient]/b.z").value == -14


# Mistakes


def test_a_missing_giving_page_is_a_problem_at_the_use_and_leaves_the_gradient_unknown() -> None:
    graph = of_cube(cube("other"))
    snapshot = evaluate(graph)
    message = 'Page "cube" has its gradient from page "other", and there is none of that name'
    assert errors(graph) == [("main/cube", "parameter", f"{message}; choose another page, or none.")]
    port = snapshot.port("main/x.y")
    assert (port.status, port.gradient, port.value.tolist()) == ("unknown", None, [1, -2])
    assert snapshot.port("main/cube.y").value.tolist() == [1, -8]


def renamed(changed: Page, block: str, name: str) -> Page:
    found = changed.blocks[block]
    again = dataclasses.replace(found, parameters={**found.parameters, "name": name})
    return dataclasses.replace(changed, blocks={**changed.blocks, block: again})


@pytest.mark.parametrize(
    ("block", "name", "sentence"),
    [
        ("x", "z", 'z is no input that the gradient of page "cube" has; it may have d_y, x, y.'),
        ("d_y", "d_x", 'd_x is no input that the gradient of page "cube" has; it may have d_y, x, y.'),
        ("d_x", "d_y", 'd_y is no output that the gradient of page "cube" has; it may have d_x.'),
    ],
)
def test_a_port_without_a_meaning_is_a_problem_in_the_giving_page(block: str, name: str, sentence: str) -> None:
    graph = of_cube(cube(), renamed(scaled(), block, name))
    found = errors(graph)
    assert (f"main/cube[gradient]/{block}", "parameter") in [item[:2] for item in found]
    assert any(item[2] == sentence for item in found)
    assert evaluate(graph).port("main/x.y").status == "unknown"


@pytest.mark.parametrize(
    ("block", "name", "sentence"),
    [
        ("y", "x", "An input is called x, too; "),
        ("x", "d_y", "d_y is the gradient of y; "),
    ],
)
def test_ports_that_clash_are_a_problem_in_the_page(block: str, name: str, sentence: str) -> None:
    forward = renamed(cube(), block, name)
    blocks = [source("x", [1, -2]), use("cube", "cube"), Block("loss", "Loss")]
    entries = {"x": forward.blocks["x"].parameters["name"], "y": forward.blocks["y"].parameters["name"]}
    main = page("main", blocks, [("x.y", f"cube.{entries['x']}"), (f"cube.{entries['y']}", "loss.x")])
    found = errors(Graph(pages=(main, forward, scaled())))
    assert any(at == f"main/cube/{block}" and message.startswith(sentence) for at, _, message in found)
    assert evaluate(Graph(pages=(main, forward, scaled()))).port("main/x.y").status == "unknown"


def test_a_gradient_of_another_shape_is_a_problem_in_the_giving_page() -> None:
    back = page("cube_gradient", [entry("d_y"), Block("s", "ReduceSum"), result("d_x")],
                [("d_y.y", "s.x"), ("s.y", "d_x.x")])  # fmt: skip
    found = errors(of_cube(cube(), back))
    assert found[0][:2] == ("main/cube[gradient]/d_x", "parameter")
    assert found[0][2].startswith("d_x is float64[], but x, whose gradient it is, is float64[2].")
    assert [item[:2] for item in found[1:]] == [("main/cube", "no_gradient")]
    assert evaluate(of_cube(cube(), back)).port("main/x.y").status == "unknown"


def test_an_integer_port_has_no_gradient() -> None:
    forward = page("pick", [entry("x"), entry("i"), Block("g", "Gather"), result("y")],
                   [("x.y", "g.params"), ("i.y", "g.indices"), ("g.y", "y.x")], "back")  # fmt: skip
    back = page("back", [entry("i"), entry("x"), result("d_i"), result("d_x")], [("i.y", "d_i.x"), ("x.y", "d_x.x")])
    main = page("main", [source("x", [3, 4]), source("i", [1], int), use("pick", "pick"), Block("loss", "Loss")],
                [("x.y", "pick.x"), ("i.y", "pick.i"), ("pick.y", "loss.x")])  # fmt: skip
    graph = Graph(pages=(main, forward, back))
    assert errors(graph)[0][:2] == ("main/pick[gradient]/d_i", "parameter")
    assert errors(graph)[0][2].startswith("i is int64 and has no gradient; remove d_i.")


def test_a_mistake_on_the_giving_page_has_its_place_there() -> None:
    back = page("cube_gradient", [entry("d_y"), constant("k", [1, 2, 3]), Block("m", "Multiply"), result("d_x")],
                [("d_y.y", "m.x"), ("k.y", "m.y"), ("m.z", "d_x.x")])  # fmt: skip
    snapshot = evaluate(of_cube(cube(), back))
    assert [item[:2] for item in errors(of_cube(cube(), back))] == [
        ("main/cube[gradient]/m", "shape"),
        ("main/cube", "no_gradient"),
    ]
    assert snapshot.port("main/x.y").status == "unknown"
    assert snapshot.port("main/cube.y").gradient.tolist() == [1, 1]


def test_a_giving_page_that_uses_the_page_is_a_ring() -> None:
    back = page("cube_gradient", [entry("x"), use("again", "cube"), result("d_x")],
                [("x.y", "again.x"), ("again.y", "d_x.x")])  # fmt: skip
    found = errors(of_cube(cube(), back))
    assert [item[:2] for item in found] == [("main/cube", "cycle")]
    assert evaluate(of_cube(cube(), back)).port("main/x.y").status == "unknown"
    assert [item[1] for item in errors(of_cube(cube("cube")))] == ["cycle"]


def test_a_loss_on_a_giving_page_takes_no_part() -> None:
    back = page("cube_gradient", [entry("d_y"), result("d_x"), Block("loss", "Loss")],
                [("d_y.y", "d_x.x"), ("d_y.y", "loss.x")])  # fmt: skip
    for graph in (of_cube(cube(), back), Graph(pages=(page("main", [], []), cube(), back))):
        problems = {item.code: item.message for item in evaluate(graph).problems}
        assert problems["loss_in_page"].startswith(
            "A Loss on a page that gives the gradient of another one takes no part"
        )
    assert gradient(of_cube(cube(), back)) == [1, 1]


def test_a_block_whose_shape_depends_on_values_has_no_place_on_a_giving_page() -> None:
    back = page("cube_gradient", [entry("d_y"), Block("u", "Unique"), result("d_x")],
                [("d_y.y", "u.x"), ("u.y", "d_x.x")])  # fmt: skip
    assert errors(of_cube(cube(), back))[0][:2] == ("main/cube[gradient]/u", "shape")
