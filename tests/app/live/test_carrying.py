"""The selection that is moved and copied together."""

from __future__ import annotations

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.live import carrying
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Frame, Graph, Page
from tests.app.window.graphs import MAIN, annotated, chain

STEP = (32, 32)


def test_copies_are_wired_among_themselves() -> None:
    graph, made = carrying.duplicate(chain(), MAIN, Selection(frozenset(["e", "s"])), STEP)
    types = {graph.page(MAIN).blocks[name].type: name for name in made.blocks}
    wires = {f"{wire.source} > {wire.target}" for wire in graph.page(MAIN).wires.values()}
    assert types.keys() == {"Exp", "ReduceSum"}
    assert f"{types['Exp']}.y > {types['ReduceSum']}.x" in wires
    assert {f"{wire.source} > {wire.target}" for wire in chain().page(MAIN).wires.values()} <= wires


def test_a_selected_frame_carries_all_that_lies_in_it_however_deep() -> None:
    graph, outer = edits.add_frame(annotated(), MAIN, "Outer", ["x"], frames=["spare", "hollow"])
    page = graph.page(MAIN)
    carried = carrying.carried(page, Selection(frames=frozenset([outer])))
    assert carried == Selection(frozenset(["x", "c", "t"]), frames=frozenset([outer, "spare", "hollow"]))
    changed, made = carrying.duplicate(graph, MAIN, carried, STEP)
    copy = next(frame for frame in changed.page(MAIN).frames if frame.title == "Outer" and frame.id != outer)
    assert (len(copy.blocks), len(copy.frames)) == (1, 2)
    assert set(copy.frames) | {copy.id} == made.frames


def test_copying_nothing_changes_nothing() -> None:
    graph = annotated()
    assert carrying.duplicate(graph, MAIN, Selection(), STEP) == (graph, Selection())


def test_an_empty_frame_is_moved_by_itself_and_another_goes_with_its_blocks() -> None:
    page = Page(
        "main",
        {"a": Block("a", "Exp", at=(0, 0))},
        frames=(Frame("full", "", ("a",), at=(1, 1)), Frame("empty", "", at=(50, 60)), Frame("left", "", at=(70, 80))),
    )
    found = carrying.moved(
        Graph((page,)), "main", Selection(frozenset("a"), frames=frozenset({"full", "empty"})), (8, -8)
    )
    now = found.page("main")
    assert now.blocks["a"].at == (8, -8)
    assert [frame.at for frame in now.frames] == [(1, 1), (58, 52), (70, 80)]


def test_a_block_without_a_place_moves_from_the_corner() -> None:
    page = Page("main", {"a": Block("a", "Exp"), "b": Block("b", "Exp", at=(10, 20))})
    found = carrying.moved(Graph((page,)), "main", Selection(frozenset("ab")), (3, -4)).page("main")
    assert [block.at for block in found.blocks.values()] == [(3, -4), (13, 16)]
