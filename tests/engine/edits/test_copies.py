"""Copying and pasting: a copy is complete and leaves existing blocks alone."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given

from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Frame, Graph, Note
from tests.engine.edit_sequences import SEQUENCES, Step, after, page_from, port, rich_graph, source, wire


@given(SEQUENCES)
def test_pasting_changes_nothing_that_is_there(steps: list[Step]) -> None:
    graph = after(steps)
    page = graph.pages[0]
    pasted, ids = edits.paste(graph, page.name, edits.copy_blocks(graph, page.name, page.blocks))
    new = pasted.page(page.name)
    assert all(new.blocks[block_id] is block for block_id, block in page.blocks.items())
    assert all(new.wires[target] is item for target, item in page.wires.items())
    assert len(new.blocks) == 2 * len(page.blocks)
    assert len(new.wires) == 2 * len(page.wires)
    assert edits.remove_blocks(pasted, page.name, ids.values()).page(page.name).blocks == page.blocks


def test_a_copy_gets_the_next_free_ids_and_places() -> None:
    graph = edits.add_block(rich_graph(), "main", "Exp", id="x_1", at=(5, 5))[0]
    pasted, ids = edits.paste(graph, "main", edits.copy_blocks(graph, "main", ["x", "x_1", "use"]), (10, 20))
    assert ids == {"x": "x_2", "x_1": "x_3", "use": "use_1"}
    assert pasted.block("main/x_2").at == (10, 20)
    assert pasted.block("main/x_3").at == (15, 25)
    assert pasted.block("main/use_1").at is None


def test_ids_that_are_free_are_kept() -> None:
    fragment = edits.copy_blocks(rich_graph(), "main", ["x", "use"])
    pasted, ids = edits.paste(edits.add_page(rich_graph(), "third")[0], "third", fragment)
    assert ids == {"x": "x", "use": "use"}
    assert pasted.page("third").wires == {port("use.a"): wire("x.y", "use.a")}


def test_only_wires_among_the_copied_are_copied() -> None:
    fragment = edits.copy_blocks(rich_graph(), "main", ["x", "use"])
    assert fragment.wires == (wire("x.y", "use.a"),)
    pasted = edits.paste(rich_graph(), "main", fragment)[0].page("main")
    assert pasted.wires[port("use_1.a")] == wire("x_1.y", "use_1.a")


def test_numbered_ports_are_counted_from_zero_again() -> None:
    fragment = edits.copy_blocks(rich_graph(), "main", ["w", "sum", "grads", "again"])
    assert wire("w.y", "sum.values_0") in fragment.wires
    assert {wire("w.y", "grads.xs_0"), wire("grads.g_0", "again.values_0")} <= set(fragment.wires)
    assert len(fragment.wires) == 4


def test_stops_follow_into_the_copy_and_stay_where_they_lead_out_of_it() -> None:
    fragment = edits.copy_blocks(rich_graph(), "main", ["w", "grads"])
    here = edits.paste(rich_graph(), "main", fragment)[0]
    assert here.block("main/grads_1").parameters["stop_gradients"] == ("use.out", "w_1.y")
    there = edits.paste(edits.add_page(rich_graph(), "third")[0], "third", fragment)[0]
    assert there.block("third/grads").parameters["stop_gradients"] == ("w.y",)


def test_frames_that_lie_wholly_inside_are_copied_with_their_frames() -> None:
    graph = rich_graph()
    assert edits.copy_blocks(graph, "main", ["x", "w"]).frames == ()
    assert edits.copy_blocks(graph, "main", ["sum"]).frames == (Frame("inner", "Sum", ("sum",)),)
    pasted, _ = edits.paste(graph, "main", edits.copy_blocks(graph, "main", ["x", "w", "sum"]))
    assert pasted.page("main").frames[2:] == (
        Frame("inner_1", "Sum", ("sum_1",)),
        Frame("outer_1", "All", ("x_1", "w_1"), ("inner_1",)),
    )


def test_an_empty_frame_inside_a_copied_one_is_left_out() -> None:
    page = page_from("main", [source("x")], frames=(Frame("empty"), Frame("full", blocks=("x",), frames=("empty",))))
    graph = Graph((page,))
    pasted, _ = edits.paste(graph, "main", edits.copy_blocks(graph, "main", "x"))
    assert pasted.page("main").frames[2:] == (Frame("full_1", blocks=("x_1",)),)


def test_pasted_page_ports_get_free_names() -> None:
    graph = rich_graph()
    pasted, ids = edits.paste(graph, "half", edits.copy_blocks(graph, "half", ["a", "out"]))
    assert pasted.block(f"half/{ids['a']}").parameters["name"] == "a_1"
    assert pasted.block(f"half/{ids['out']}").parameters["name"] == "out_1"
    assert pasted.page("main") is graph.page("main")


def test_pasted_page_ports_do_not_take_each_others_names() -> None:
    graph = edits.add_block(rich_graph(), "half", "PageInput", id="b", parameters={"name": "a_1"})[0]
    pasted, ids = edits.paste(graph, "half", edits.copy_blocks(graph, "half", ["a", "b"]))
    assert [pasted.block(f"half/{ids[name]}").parameters["name"] for name in ("a", "b")] == ["a_2", "a_3"]


def test_a_page_is_not_pasted_into_itself() -> None:
    graph = rich_graph()
    with pytest.raises(EditError, match="would contain itself"):
        edits.paste(graph, "half", edits.copy_blocks(graph, "main", ["use"]))


def test_unknown_types_are_pasted_unharmed() -> None:
    unknown = Block("new", "package.Unheard", parameters={"a": (1,)}, extra={"key": 1})
    graph = Graph((page_from("main", [unknown]),))
    pasted, _ = edits.paste(graph, "main", edits.copy_blocks(graph, "main", "new"))
    assert pasted.block("main/new_1") == dataclasses.replace(unknown, id="new_1")


def test_pasting_nothing_is_the_same_graph() -> None:
    graph = rich_graph()
    assert edits.paste(graph, "main", edits.Fragment()) == (graph, {})
    assert edits.paste(graph, "main", edits.Fragment())[0] is graph


def test_blocks_that_are_not_there_cannot_be_copied() -> None:
    with pytest.raises(EditError, match='no block "nobody"'):
        edits.copy_blocks(rich_graph(), "main", ["x", "nobody"])


def test_frames_and_notes_alone_are_pasted_where_they_are_moved_to() -> None:
    note, frame = Note("why", "Why?", (1, 2)), Frame("f", "Later", at=(3, 4), size=(80, 90))
    for fragment in (edits.Fragment(notes=(note,)), edits.Fragment(frames=(frame,))):
        page = edits.paste(Graph((page_from("main", []),)), "main", fragment, (10, 20))[0].page("main")
        assert page.notes == tuple(dataclasses.replace(item, at=(11, 22)) for item in fragment.notes)
        assert page.frames == tuple(dataclasses.replace(item, at=(13, 24)) for item in fragment.frames)


@pytest.mark.parametrize(
    ("chosen", "copied"),
    [
        (["low"], ["low"]),
        (["low", "high"], ["low", "high"]),
        (["high"], []),
        (["low", "high", "top"], ["low", "high", "top"]),
        (["low", "top"], ["low"]),
        (["full"], []),
    ],
)
def test_empty_frames_are_copied_with_all_that_they_hold(chosen: list[str], copied: list[str]) -> None:
    frames = [
        Frame("low"),
        Frame("high", frames=("low",)),
        Frame("top", frames=("high",)),
        Frame("full", blocks=("x",)),
    ]
    graph = Graph((page_from("main", [source("x")], frames=tuple(frames)),))
    assert [frame.id for frame in edits.copy_blocks(graph, "main", [], frames=chosen).frames] == copied
