"""Pages, loss and checks, frames and notes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import COLORS, Frame, Graph, Note, Page
from tests.engine.edit_sequences import rich_graph


def frames_of(graph: Graph) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Returns the blocks and frames of each frame of the page main."""
    return {frame.id: (frame.blocks, frame.frames) for frame in graph.page("main").frames}


def test_new_pages_are_empty_and_come_last() -> None:
    graph, first = edits.add_page(rich_graph())
    graph, second = edits.add_page(graph)
    graph, third = edits.add_page(graph, "third")
    assert [first, second, third] == ["page", "page_1", "third"]
    assert graph.pages[2:] == (Page("page"), Page("page_1"), Page("third"))


def test_a_removed_page_takes_the_loss_that_it_had() -> None:
    graph = edits.remove_page(rich_graph(), "main")
    assert graph.loss is None
    assert [page.name for page in graph.pages] == ["half"]


def test_checks_stay_when_their_page_goes() -> None:
    assert edits.remove_page(rich_graph(), "main").checks == rich_graph().checks


def test_the_loss_stays_when_another_page_goes() -> None:
    assert edits.remove_page(edits.add_page(rich_graph(), "third")[0], "third").loss == "main/loss"


def test_a_used_page_cannot_be_removed() -> None:
    with pytest.raises(EditError, match='"half" is used by main/use; remove that block first'):
        edits.remove_page(rich_graph(), "half")


def test_the_only_page_cannot_be_removed() -> None:
    with pytest.raises(EditError, match="the only one"):
        edits.remove_page(Graph(), "main")


def names_of(graph: Graph) -> list[str]:
    return [page.name for page in graph.pages]


def test_pages_are_moved_and_nothing_else() -> None:
    graph = edits.add_page(rich_graph(), "third")[0]
    assert names_of(edits.move_page(graph, "third", 0)) == ["third", "main", "half"]
    assert names_of(edits.move_page(graph, "main", 99)) == ["half", "third", "main"]
    assert edits.move_page(graph, "half", 1) is graph
    assert edits.move_page(graph, "third", 0).page("main") is graph.page("main")
    with pytest.raises(EditError, match='no page "fourth"'):
        edits.move_page(graph, "fourth", 0)


def test_a_copied_page_stands_beside_it_and_uses_the_same_pages() -> None:
    graph, name = edits.duplicate_page(rich_graph(), "main")
    assert names_of(graph) == ["main", "main_1", "half"]
    assert dataclasses.replace(graph.page(name), name="main") == graph.page("main")
    assert graph.loss == "main/loss"


def test_the_loss_is_chosen_and_taken_back() -> None:
    graph = edits.set_loss(rich_graph(), None)
    assert graph.loss is None
    assert edits.set_loss(graph, "main/loss").loss == "main/loss"
    assert edits.set_loss(graph, None) is graph


@pytest.mark.parametrize("name", ["main/x", "main/nobody", "side/loss", "loss", ""])
def test_only_a_loss_can_be_the_loss(name: str) -> None:
    with pytest.raises(EditError):
        edits.set_loss(rich_graph(), name)


def test_checks_are_replaced() -> None:
    graph = edits.set_checks(rich_graph(), [{"at": "main/x.y", "finite": True}])
    assert graph.checks == ({"at": "main/x.y", "finite": True},)
    assert edits.set_checks(graph, [{"at": "main/x.y", "finite": True}]) is graph


def test_a_frame_around_blocks_of_one_frame_lies_in_it() -> None:
    graph, frame_id = edits.add_frame(rich_graph(), "main", "Both", ["x", "w"])
    assert frame_id == "frame"
    assert frames_of(graph) == {"inner": (("sum",), ()), "outer": ((), ("inner", "frame")), "frame": (("x", "w"), ())}


def test_a_frame_around_blocks_of_two_frames_takes_them_out() -> None:
    graph, _ = edits.add_frame(rich_graph(), "main", "Mixed", ["x", "sum"])
    assert frames_of(graph) == {"inner": ((), ()), "outer": (("w",), ("inner",)), "frame": (("x", "sum"), ())}


def test_a_frame_around_a_frame_holds_it() -> None:
    graph, _ = edits.add_frame(rich_graph(), "main", "All", ["loss"], frames=["outer"], id="most")
    assert frames_of(graph)["most"] == (("loss",), ("outer",))
    graph, _ = edits.add_frame(rich_graph(), "main", "Deep", frames=["inner"], id="deep")
    assert frames_of(graph)["outer"] == (("x", "w"), ("deep",))


def test_a_removed_frame_leaves_what_it_held_to_the_one_around_it() -> None:
    assert frames_of(edits.remove_frame(rich_graph(), "main", "inner")) == {"outer": (("x", "w", "sum"), ())}
    assert frames_of(edits.remove_frame(rich_graph(), "main", "outer")) == {"inner": (("sum",), ())}


def test_a_frame_between_two_others_hands_its_frames_on() -> None:
    graph = edits.add_frame(rich_graph(), "main", "Middle", frames=["inner"], id="middle")[0]
    assert frames_of(graph)["outer"] == (("x", "w"), ("middle",))
    assert frames_of(edits.remove_frame(graph, "main", "middle"))["outer"] == (("x", "w"), ("inner",))


def test_a_frame_is_changed_in_what_is_given() -> None:
    graph = edits.set_frame(rich_graph(), "main", "inner", title="New", at=(1.2, 3), size=(100, 50))
    assert graph.page("main").frames[0] == Frame("inner", "New", ("sum",), (), (1, 3), (100, 50))
    assert edits.set_frame(graph, "main", "inner", title="New") is graph


def test_a_block_put_into_a_frame_leaves_its_old_one() -> None:
    graph = edits.set_frame(rich_graph(), "main", "inner", blocks=["sum", "x"])
    assert frames_of(graph) == {"inner": (("sum", "x"), ()), "outer": (("w",), ("inner",))}


def test_a_frame_cannot_lie_in_itself() -> None:
    for held in ("inner", "outer"):
        with pytest.raises(EditError, match='"inner" cannot lie in itself'):
            edits.set_frame(rich_graph(), "main", "inner", frames=[held])


def test_frames_hold_only_what_is_there() -> None:
    for impossible in ({"blocks": ["nobody"]}, {"frames": ["nowhere"]}, {"id": "inner"}, {"id": "a b"}):
        with pytest.raises(EditError):
            edits.add_frame(rich_graph(), "main", **impossible)
    for impossible in ({"blocks": ["nobody"]}, {"frames": ["nowhere"]}):
        with pytest.raises(EditError):
            edits.set_frame(rich_graph(), "main", "inner", **impossible)
    with pytest.raises(EditError, match='no frame "nowhere"'):
        edits.remove_frame(rich_graph(), "main", "nowhere")


def test_notes_are_added_changed_and_removed() -> None:
    graph, note_id = edits.add_note(rich_graph(), "main", "Look", (10.4, 20))
    assert graph.page("main").notes == (*rich_graph().page("main").notes, Note(note_id, "Look", (10, 20)))
    graph = edits.set_note(graph, "main", note_id, text="Look here", size=(80, 40))
    assert graph.page("main").notes[-1] == Note(note_id, "Look here", (10, 20), (80, 40))
    assert edits.set_note(graph, "main", note_id, text="Look here") is graph
    assert edits.remove_note(graph, "main", note_id) == rich_graph()


@pytest.mark.parametrize("color", COLORS)
def test_frames_and_notes_have_colours_which_a_file_of_its_version_keeps(color: str) -> None:
    graph = edits.set_color(rich_graph(), "main", ["inner"], ["why"], color)
    read = loads(dumps(graph)).graph
    assert [frame.color for frame in read.page("main").frames if frame.id == "inner"] == [color]
    assert [note.color for note in read.page("main").notes if note.id == "why"] == [color]
    assert graph.saved_version == (1, 2)
    assert edits.set_color(graph, "main", ["inner"], ["why"], None) == rich_graph()


def test_a_colour_that_nobody_knows_is_kept_and_is_none() -> None:
    note = Note("n", "text", extra={"color": "plaid"})
    assert note.color is None and Graph((Page("main", notes=(note,)),)).saved_version == (1, 0)


def test_a_note_that_is_not_there_cannot_be_changed() -> None:
    for edit in (edits.set_note, edits.remove_note):
        with pytest.raises(EditError, match='no note "nowhere"'):
            edit(rich_graph(), "main", "nowhere")
    with pytest.raises(EditError, match='already a note "why"'):
        edits.add_note(rich_graph(), "main", id="why")


def test_unknown_keys_survive_edits() -> None:
    graph = rich_graph()
    page = graph.page("main")
    frames = tuple(dataclasses.replace(frame, extra={"colour": "red"}) for frame in page.frames)
    graph = graph.with_page(dataclasses.replace(page, frames=frames, extra={"zoom": 2}))
    edited = edits.set_frame(edits.remove_blocks(graph, "main", "sum"), "main", "inner", title="New").page("main")
    assert edited.extra == {"zoom": 2}
    assert [frame.extra for frame in edited.frames] == [{"colour": "red"}] * 2


def test_checks_are_added_once_and_removed_by_number() -> None:
    first, second = {"at": "main/x.y", "finite": True}, {"at": "main/x.y", "value": np.ones(2)}
    before = edits.set_checks(rich_graph(), [])
    graph = edits.add_checks(before, [first, second, {"at": "main/x.y", "value": np.ones(2)}])
    assert len(graph.checks) == 2
    assert edits.add_checks(graph, [first]) is graph
    assert edits.remove_check(graph, 0).checks == (graph.checks[1],)
    with pytest.raises(EditError, match="There is no check 2"):
        edits.remove_check(graph, 2)
