"""Detaching, bypassing, dissolving and inserting of blocks: no edit makes a misfit wire."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import example, given

from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits, wire_edits
from gradwire.engine.edits.wire_edits import wires_around
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Block, Graph, Wire
from tests.engine.edit_sequences import SEQUENCES, Step, after, page_from, port, rich_graph, source, wire


def tensor(name: str, *shape: int) -> Block:
    value = np.ones(shape)
    value.setflags(write=False)
    return Block(name, "Input", parameters={"value": value})


def chain() -> Graph:
    """Returns x -> e = Exp -> t = Tanh -> s = ReduceSum -> loss, with a second wire from e to s2."""
    blocks = [tensor("x", 3), Block("e", "Exp"), Block("t", "Tanh"), Block("s", "ReduceSum"), Block("s2", "ReduceSum"),
              Block("loss", "Loss")]  # fmt: skip
    ends = [("x.y", "e.x"), ("e.y", "t.x"), ("t.y", "s.x"), ("e.y", "s2.x"), ("s.y", "loss.x")]
    return Graph((page_from("main", blocks, *ends),))


def wires_of(graph: Graph) -> set[str]:
    return {f"{item.source} > {item.target}" for item in graph.page("main").wires.values()}


def test_a_detached_block_has_no_wires() -> None:
    graph = wire_edits.detach_blocks(chain(), "main", "e")
    assert wires_of(graph) == {"t.y > s.x", "s.y > loss.x"}


def test_blocks_detached_together_keep_the_wires_among_them() -> None:
    graph = wire_edits.detach_blocks(chain(), "main", ["e", "t"])
    assert wires_of(graph) == {"e.y > t.x", "s.y > loss.x"}


def test_detaching_what_has_no_wires_is_the_same_graph() -> None:
    graph = wire_edits.detach_blocks(chain(), "main", ["e", "t"])
    assert wire_edits.detach_blocks(graph, "main", ["e", "t"]) is graph


def test_the_neighbours_of_a_bypassed_block_are_joined() -> None:
    graph, reasons = wire_edits.bypass_blocks(chain(), "main", "e")
    assert wires_of(graph) == {"x.y > t.x", "x.y > s2.x", "t.y > s.x", "s.y > loss.x"}
    assert "e" in graph.page("main").blocks
    assert reasons == ()


def test_several_blocks_in_a_row_are_bypassed_together() -> None:
    graph, _ = wire_edits.bypass_blocks(chain(), "main", ["e", "t"])
    assert wires_of(graph) == {"x.y > s.x", "x.y > s2.x", "e.y > t.x", "s.y > loss.x"}


def test_dissolving_removes_the_block_too() -> None:
    graph, reasons = wire_edits.dissolve_blocks(chain(), "main", "e")
    assert wires_of(graph) == {"x.y > t.x", "x.y > s2.x", "t.y > s.x", "s.y > loss.x"}
    assert "e" not in graph.page("main").blocks
    assert reasons == ()


def test_what_a_source_fed_is_left_open_and_the_reason_names_both() -> None:
    graph, (reason,) = wire_edits.dissolve_blocks(chain(), "main", "x")
    assert wires_of(graph) == {"e.y > t.x", "t.y > s.x", "e.y > s2.x", "s.y > loss.x"}
    assert reason == 'Exp "e": x is left open. Input "x" has no input whose value it could pass on.'


def test_a_shape_that_would_not_fit_is_left_open_with_the_reason() -> None:
    blocks = [tensor("a", 2, 3), Block("turn", "Transpose"), tensor("b", 2, 3), Block("mm", "MatMul")]
    graph = Graph((page_from("main", blocks, ("a.y", "mm.a"), ("b.y", "turn.x"), ("turn.y", "mm.b")),))
    graph, (reason,) = wire_edits.dissolve_blocks(graph, "main", "turn")
    assert wires_of(graph) == {"a.y > mm.a"}
    assert reason.startswith('MatMul "mm": b is left open.')
    assert "3" in reason and "2" in reason


def test_of_two_inputs_the_one_of_the_right_shape_is_passed_on() -> None:
    blocks = [tensor("a"), tensor("b", 3), Block("sum", "Add"), Block("e", "Exp")]
    graph = Graph((page_from("main", blocks, ("a.y", "sum.x"), ("b.y", "sum.y"), ("sum.z", "e.x")),))
    assert wires_of(wire_edits.dissolve_blocks(graph, "main", "sum")[0]) == {"b.y > e.x"}


def test_numbered_ports_keep_their_order_when_one_is_rejoined() -> None:
    blocks = [source("a"), source("b"), source("c"), Block("e", "Exp"), Block("sum", "AddN")]
    ends = [("a.y", "sum.values_0"), ("b.y", "e.x"), ("e.y", "sum.values_1"), ("c.y", "sum.values_2")]
    graph, _ = wire_edits.dissolve_blocks(Graph((page_from("main", blocks, *ends),)), "main", "e")
    assert wires_of(graph) == {"a.y > sum.values_0", "b.y > sum.values_1", "c.y > sum.values_2"}


def test_a_block_on_a_used_page_is_dissolved_by_the_specs_of_a_use() -> None:
    graph, reasons = wire_edits.dissolve_blocks(rich_graph(), "half", "twice")
    assert {str(item.source) for item in graph.page("half").wires.values()} == {"a.y"}
    assert reasons == ()


def test_a_circle_in_a_file_stops_nothing() -> None:
    blocks = [Block("a", "Exp"), Block("b", "Tanh"), Block("c", "Exp")]
    graph = Graph((page_from("main", blocks, ("a.y", "b.x"), ("b.y", "a.x"), ("b.y", "c.x")),))
    graph, reasons = wire_edits.dissolve_blocks(graph, "main", ["a", "b"])
    assert wires_of(graph) == set()
    assert len(reasons) == 1


def test_dissolving_a_stop_leaves_every_value_as_it_was() -> None:
    blocks = [tensor("x", 3), Block("stop", "StopGradient"), Block("e", "Exp"), Block("loss", "Loss")]
    graph = Graph((page_from("main", blocks, ("x.y", "stop.x"), ("stop.y", "e.x"), ("e.y", "loss.x")),))
    dissolved, _ = wire_edits.dissolve_blocks(graph, "main", "stop")
    assert evaluate(dissolved).loss == evaluate(graph).loss


def test_a_block_stands_in_a_wire() -> None:
    graph = edits.add_block(chain(), "main", "StopGradient", id="stop")[0]
    graph = wire_edits.insert_block(graph, "main", "stop", wire("e.y", "t.x"))
    assert wires_of(graph) >= {"e.y > stop.x", "stop.y > t.x", "e.y > s2.x"}
    assert "e.y > t.x" not in wires_of(graph)


def test_the_first_open_ports_that_fit_are_taken() -> None:
    graph = edits.add_block(chain(), "main", "Where", id="where")[0]
    graph = wire_edits.insert_block(graph, "main", "where", wire("e.y", "t.x"))
    assert "e.y > where.x" in wires_of(graph)


@pytest.mark.parametrize(("between", "port"), [("e.y > t.x", "logits"), ("x.y > e.x", "labels")])
def test_what_is_computed_takes_the_logits_of_a_loss_in_its_wire(between: str, port: str) -> None:
    graph = edits.add_block(chain(), "main", "SoftmaxCrossEntropyWithLogits", id="entropy")[0]
    source, target = between.split(" > ")
    graph = wire_edits.insert_block(graph, "main", "entropy", wire(source, target))
    assert f"{source} > entropy.{port}" in wires_of(graph) and between not in wires_of(graph)


def test_a_block_whose_ports_are_taken_is_refused() -> None:
    with pytest.raises(EditError, match='Exp "e" has no open ports that fit'):
        wire_edits.insert_block(chain(), "main", "e", wire("s.y", "loss.x"))


def test_a_block_that_does_not_fit_is_refused_with_the_reason() -> None:
    graph = edits.add_block(chain(), "main", "Transpose", id="turn", parameters={"perm": [1, 0]})[0]
    with pytest.raises(EditError, match="out of range"):
        wire_edits.insert_block(graph, "main", "turn", wire("e.y", "t.x"))


def test_a_wire_that_is_gone_is_refused() -> None:
    graph = edits.add_block(chain(), "main", "Exp", id="new")[0]
    with pytest.raises(EditError, match="There is no wire"):
        wire_edits.insert_block(graph, "main", "new", wire("x.y", "s.x"))


@given(SEQUENCES)
def test_bypassing_leaves_no_wire_around_the_blocks_and_makes_no_misfit(steps: list[Step]) -> None:
    graph = after(steps)
    page = graph.pages[0]
    chosen = set(sorted(page.blocks)[:2])
    changed, _ = wire_edits.bypass_blocks(graph, page.name, chosen)
    assert wires_around(changed.page(page.name), chosen) == []
    assert _errors(changed, page.name) - _errors(graph, page.name) <= {"missing_input"}


@given(SEQUENCES)
def test_dissolving_is_bypassing_and_removing(steps: list[Step]) -> None:
    graph = after(steps)
    page = graph.pages[0]
    chosen = sorted(page.blocks)[:2]
    bypassed, reasons = wire_edits.bypass_blocks(graph, page.name, chosen)
    assert wire_edits.dissolve_blocks(graph, page.name, chosen) == (
        edits.remove_blocks(bypassed, page.name, chosen), reasons,
    )  # fmt: skip


@example([Step("dissolve", 0, 0, 0), Step("mute", 0, 1, 1)])  # a page that only a muted block uses
@given(SEQUENCES)
def test_an_inserted_block_is_dissolved_again_without_a_trace(steps: list[Step]) -> None:
    graph = after(steps)
    for page in graph.pages:
        for old in list(page.wires.values())[:1]:
            added, made = edits.add_block(graph, page.name, "StopGradient")
            try:
                inserted = wire_edits.insert_block(added, page.name, made, old)
            except EditError:  # a number on the wire
                continue
            assert wire_edits.dissolve_blocks(inserted, page.name, made) == (graph, ())


def test_blocks_put_into_a_frame_leave_the_one_they_were_in() -> None:
    graph = edits.put_into_frame(rich_graph(), "main", "inner", ["x"])
    assert {frame.id: frame.blocks for frame in graph.page("main").frames} == {"inner": ("sum", "x"), "outer": ("w",)}


def test_blocks_and_frames_put_into_none_lie_in_no_frame() -> None:
    graph = edits.put_into_frame(rich_graph(), "main", None, ["x"], ["inner"])
    assert {frame.id: (frame.blocks, frame.frames) for frame in graph.page("main").frames} == {
        "inner": (("sum",), ()), "outer": (("w",), ()),
    }  # fmt: skip
    assert edits.put_into_frame(graph, "main", None, ["x"], ["inner"]) is graph


def test_a_frame_cannot_be_put_into_itself() -> None:
    with pytest.raises(EditError, match="cannot lie in itself"):
        edits.put_into_frame(rich_graph(), "main", "inner", [], ["outer"])


def test_a_surplus_wire_goes_with_the_block() -> None:
    graph = chain()
    page = dataclasses.replace(graph.page("main"), surplus=(Wire(port("x.y"), port("t.x")),))
    graph, _ = wire_edits.dissolve_blocks(graph.with_page(page), "main", "t")
    assert graph.page("main").surplus == ()


def _errors(graph: Graph, page: str) -> set[str]:
    return {item.code for item in infer_specs(graph).problems if item.severity == "error"}


def test_a_misfit_that_was_there_before_leaves_no_wire_open() -> None:
    blocks = [tensor("a", 2, 3), tensor("b", 2, 3), Block("via", "Reroute"), Block("mm", "MatMul")]
    graph = Graph((page_from("main", blocks, ("a.y", "mm.a"), ("b.y", "via.x"), ("via.y", "mm.b")),))
    graph, reasons = wire_edits.dissolve_blocks(graph, "main", "via")
    assert (wires_of(graph), reasons) == ({"a.y > mm.a", "b.y > mm.b"}, ())


@pytest.mark.parametrize("uses", [0, 1, 2])
def test_a_block_on_a_page_of_muted_uses_is_dissolved_all_the_same(uses: int) -> None:
    inner = page_from("half", [Block("a", "PageInput", parameters={"name": "a", "value": np.ones((2, 3))}),
                               Block("row", "Input", parameters={"value": np.ones(3)}), Block("sum", "Add"),
                               Block("e", "Exp")],
                      ("a.y", "sum.y"), ("row.y", "sum.x"), ("sum.z", "e.x"))  # fmt: skip
    names = [f"use{number}" for number in range(uses)]
    blocks = [Block(name, "Page", is_muted=True, parameters={"page": "half"}) for name in names]
    graph = Graph((page_from("main", [source("x"), *blocks], *[("x.y", f"{name}.a") for name in names]), inner))
    graph, reasons = wire_edits.dissolve_blocks(graph, "half", "sum")
    assert reasons == ()
    assert [str(item) for item in graph.page("half").wires] == ["e.x"]
