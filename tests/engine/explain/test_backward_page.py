"""Backward pass as a page: it computes the engine's gradients bit for bit, and can be differentiated again."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation, evaluate, run_graph
from gradwire.engine.evaluation.snapshot import PortResult
from gradwire.engine.explain.backward_page import add_backward_page, arranged, forward_of, partners_of
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Block, Graph, Page, Port
from gradwire.engine.graph.ports import role_of
from gradwire.engine.layout.layout import Outline
from tests.engine.own_gradients import graph_of
from tests.gallery import example, examples_of_each_wiring, run_of_example
from tests.own_gradient_programs import program
from tests.recorded import graphs_of_each_wiring, make_graph, run_of_recording
from tests.sweeps import a_third_of, long


def sources(graph: Graph) -> list[str]:
    return [block.id for block in graph.page("main").blocks.values() if role_of(block) is Role.SOURCE]


def assert_same_bits(run: Evaluation) -> None:
    graph, before = run.graph, run.snapshot
    grown, name = add_backward_page(graph, "main")
    # The page must not contain anything that a file cannot hold.
    after = evaluate(loads(dumps(grown)).graph)
    assert not [item for item in after.problems if item.severity == "error" and item.at.startswith(f"{name}/")]
    for source in sources(graph):
        gradient = before.port(f"main/{source}.y").gradient
        if gradient is not None:
            found = after.port(f"{name}/grad_{source}.y").value
            assert found is not None, source
            assert (found.dtype, found.shape, found.tobytes()) == (gradient.dtype, gradient.shape, gradient.tobytes())
    assert after.loss is not None and before.loss is not None
    np.testing.assert_array_equal(after.loss.value, before.loss.value)


@pytest.mark.long
@pytest.mark.parametrize("name", graphs_of_each_wiring())
def test_the_page_of_a_recorded_graph_gives_the_gradients_of_the_engine_to_the_bit(name: str) -> None:
    assert_same_bits(run_of_recording(name))


@pytest.mark.parametrize("name", a_third_of(examples_of_each_wiring()))
def test_the_page_of_an_example_gives_the_gradients_of_the_engine_to_the_bit(name: str) -> None:
    assert_same_bits(run_of_example(name))


# In programs 101 and 203 outputs of pages have the names of other blocks' outputs, numbered.
@pytest.mark.parametrize("seed", [*range(8), 101, 203, *map(long, range(8, 100))])
def test_the_page_of_own_gradients_gives_those_of_the_engine_to_the_bit(seed: int) -> None:
    assert_same_bits(run_graph(graph_of(program(seed))))


def rosenbrock() -> Graph:
    """Returns (1 - x)^2 + 100 (y - x^2)^2 at (-1.2, 1)."""
    numbers = {"x": -1.2, "y": 1.0, "one": 1.0, "hundred": 100.0}
    kinds = {"a": "Subtract", "aa": "Square", "xx": "Square", "b": "Subtract", "bb": "Square", "c": "Multiply"}
    blocks = [Block(name, "Input", parameters={"value": np.array(value)}) for name, value in numbers.items()]
    blocks += [Block(name, kind) for name, kind in kinds.items()] + [Block("f", "Add"), Block("loss", "Loss")]
    wires = [("one.y", "a.x"), ("x.y", "a.y"), ("a.z", "aa.x"), ("x.y", "xx.x"), ("y.y", "b.x"), ("xx.y", "b.y")]
    wires += [
        ("b.z", "bb.x"),
        ("hundred.y", "c.x"),
        ("bb.y", "c.y"),
        ("aa.y", "f.x"),
        ("c.z", "f.y"),
        ("f.z", "loss.x"),
    ]
    return make_graph(blocks, wires)


def with_loss_on(graph: Graph, page: str, block: str) -> Graph:
    graph, loss = edits.add_block(graph, page, "Loss")
    return edits.connect(graph, page, Port(block, "y"), Port(loss, "x"))


def number(result: PortResult) -> float:
    assert result.value is not None
    return float(result.value)


@pytest.mark.parametrize(("row", "hessian"), [("x", (1330, 480)), ("y", (480, 200))])
def test_differentiated_twice_rosenbrock_gives_its_hessian(row: str, hessian: tuple[float, float]) -> None:
    graph, first = add_backward_page(rosenbrock(), "main")
    assert first == "main_backward"
    once = evaluate(graph)
    assert number(once.port("main_backward/grad_x.y")) == pytest.approx(-215.6, rel=1e-12)
    assert number(once.port("main_backward/grad_y.y")) == pytest.approx(-88, rel=1e-12)
    graph, second = add_backward_page(with_loss_on(graph, first, f"grad_{row}"), first)
    twice = evaluate(graph)
    for column, expected in zip("xy", hessian, strict=True):
        gradient = twice.port(f"{first}/{column}.y").gradient
        assert gradient is not None and float(gradient) == pytest.approx(expected, rel=1e-12)
        assert number(twice.port(f"{second}/grad2_{column}.y")) == float(gradient)


def page_of(name: str) -> Page:
    graph, made = add_backward_page(example(name), "main")
    return graph.page(made)


def test_forward_blocks_keep_their_names_and_labels_and_a_stop_stays_a_stop() -> None:
    page, main = page_of("softmax_stable_tie_sg"), example("softmax_stable_tie_sg").page("main")
    for block in main.blocks.values():
        if block.type != "Loss":
            assert (page.blocks[block.id].type, page.blocks[block.id].label) == (block.type, block.label)
    assert page.blocks["sg"].type == "StopGradient"
    assert not [block for block in page.blocks.values() if role_of(block) is Role.LOSS]
    assert page.blocks["grad_x"].label == "∂L/∂x"


def test_a_backward_block_names_the_forward_block_whose_rule_made_it() -> None:
    page = page_of("softmax_stable_tie_sg")
    assert forward_of(page, "grad_e") == forward_of(page, "grad_e_1") == "e"
    assert forward_of(page, "e") is None and forward_of(page, "grad_nobody") is None
    assert partners_of(page, "e") == partners_of(page, "grad_e_1") == {"e", "grad_e", "grad_e_1"}
    assert partners_of(page, "mx") == frozenset()
    assert partners_of(example("softmax_stable").page("main"), "x") == frozenset()


def test_each_of_forward_and_backward_has_a_frame_and_forward_stands_above() -> None:
    page = page_of("softmax_stable_tie_sg")
    assert {frame.title: "x" in frame.blocks for frame in page.frames} == {"Forward": True, "Backward": False}
    assert {name for frame in page.frames for name in frame.blocks} == page.blocks.keys()
    placed = arranged(page, {name: Outline(160, 96) for name in page.blocks})
    forward, backward = ([placed.blocks[name].at for name in frame.blocks] for frame in placed.frames)
    assert max(at[1] + 96 for at in forward if at) < min(at[1] for at in backward if at)


def test_a_source_without_a_way_to_the_loss_has_zeros() -> None:
    blocks = [Block("x", "Input", parameters={"value": np.array([1.0, 2.0])}), Block("loss", "Loss")]
    blocks.append(Block("alone", "Input", parameters={"value": np.array([3.0, 4.0, 5.0])}))
    graph, name = add_backward_page(make_graph(blocks, [("x.y", "loss.x")]), "main")
    np.testing.assert_array_equal(evaluate(graph).port(f"{name}/grad_alone.y").value, [0, 0, 0])


def test_what_stands_on_used_pages_is_named_by_its_path() -> None:
    graph = example("softmax_stable")
    graph, made = edits.group(graph, "main", sorted(graph.page("main").blocks.keys() - {"loss", "w"}))
    before, (grown, name) = evaluate(graph), add_backward_page(graph, "main")
    gradient = before.port(f"main/{made}/x.y").gradient
    assert gradient is not None
    np.testing.assert_array_equal(evaluate(grown).port(f"{name}/grad_{made}_x.y").value, gradient)


def test_a_page_without_a_loss_has_no_backward_pass() -> None:
    with pytest.raises(EditError, match='Page "main" has no loss that could be differentiated'):
        add_backward_page(make_graph([Block("x", "Input", parameters={"value": np.array(1.0)})], []), "main")


def test_a_second_backward_page_gets_a_name_of_its_own() -> None:
    graph, _ = add_backward_page(rosenbrock(), "main")
    graph, second = add_backward_page(graph, "main")
    assert [page.name for page in graph.pages] == ["main", second, "main_backward"] and second == "main_backward_1"


@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize("weights", [None, np.array([0.5, -1.0, 2.0])])
def test_a_loss_in_ordinary_blocks_has_the_value_of_the_loss(reduction: str, weights: Array | None) -> None:
    loss, x = library["Loss"], np.array([[1.5, -2.25, 3.0], [0.1, 1e16, -1e16]])
    assert loss.decomposition is not None
    found = loss.decomposition(constant(x), None if weights is None else constant(weights), reduction=reduction)
    np.testing.assert_array_equal(run(make_plan([found]))[found], loss(x, weights, reduction=reduction))
