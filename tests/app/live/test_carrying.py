"""The selection that is moved and copied together."""

from __future__ import annotations

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.live import carrying
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
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
