"""Undo, redo, merging, the saved mark and listeners."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph
from tests.engine.edit_sequences import STEPS, Step, rich_graph


def slide(document: Document, value: float, key: str | None = "w") -> None:
    document.apply("Set w", edits.set_parameter, "main", "w", "value", value, merge_key=key)


def value(graph: Graph) -> float:
    return float(graph.block("main/w").parameters["value"])  # type: ignore[arg-type]  # an array of one number


@pytest.fixture
def document() -> Document:
    return Document(rich_graph())


def test_undo_gives_back_the_same_object(document: Document) -> None:
    first = document.graph
    slide(document, 5)
    assert document.graph is not first
    assert document.undo()
    assert document.graph is first


def test_redo_gives_back_the_same_object(document: Document) -> None:
    slide(document, 5)
    second = document.graph
    document.undo()
    assert document.redo()
    assert document.graph is second


def test_nothing_to_undo_or_redo_is_no_change(document: Document) -> None:
    first = document.graph
    assert not document.undo()
    assert not document.redo()
    assert document.graph is first


def test_a_new_edit_drops_what_was_undone(document: Document) -> None:
    slide(document, 5)
    document.undo()
    slide(document, 6)
    assert document.redo_text is None
    assert not document.redo()
    assert value(document.graph) == 6


def test_edits_with_the_same_key_are_undone_together(document: Document) -> None:
    first = document.graph
    for number in (5, 6, 7):
        slide(document, number)
    assert value(document.graph) == 7
    document.undo()
    assert document.graph is first


def test_edits_without_a_key_are_undone_one_by_one(document: Document) -> None:
    slide(document, 5, key=None)
    slide(document, 6, key=None)
    document.undo()
    assert value(document.graph) == 5


def test_edits_with_different_keys_are_undone_one_by_one(document: Document) -> None:
    slide(document, 5, key="one")
    slide(document, 6, key="two")
    document.undo()
    assert value(document.graph) == 5


def test_another_edit_between_ends_merging(document: Document) -> None:
    slide(document, 5)
    document.apply("Mute", edits.set_muted, "main", "w", True)
    slide(document, 6)
    document.undo()
    assert value(document.graph) == 5
    assert document.graph.block("main/w").is_muted


def test_merging_stops_at_a_save(document: Document) -> None:
    slide(document, 5)
    document.mark_saved()
    slide(document, 6)
    document.undo()
    assert value(document.graph) == 5
    assert document.is_saved


def test_merging_stops_at_an_undo(document: Document) -> None:
    slide(document, 5)
    document.apply("Mute", edits.set_muted, "main", "w", True)
    document.undo()
    slide(document, 6)
    document.undo()
    assert value(document.graph) == 5


def test_an_edit_without_effect_leaves_no_trace(document: Document) -> None:
    heard: list[tuple[Graph, Graph]] = []
    document.add_listener(lambda old, new: heard.append((old, new)))
    document.apply("Move", edits.move_blocks, "main", {"x": (0, 0)})
    assert document.undo_text is None
    assert heard == []


def test_an_edit_without_effect_keeps_what_was_undone(document: Document) -> None:
    slide(document, 5)
    document.undo()
    document.apply("Move", edits.move_blocks, "main", {"x": (0, 0)})
    assert document.redo_text == "Set w"


def test_what_an_edit_gives_besides_the_graph_is_given_back(document: Document) -> None:
    assert document.apply("Add", edits.add_block, "main", "Exp") == "Exp"
    assert document.apply("Add", edits.add_block, "main", "Exp") == "Exp_1"
    assert document.apply("Mute", edits.set_muted, "main", "w", True) is None


def test_a_refused_edit_changes_nothing(document: Document) -> None:
    first = document.graph
    slide(document, 5)
    document.undo()
    with pytest.raises(EditError):
        document.apply("Rename", edits.rename_block, "main", "x", "w")
    assert document.graph is first
    assert document.undo_text is None
    assert document.redo_text == "Set w"


def test_texts_name_what_undo_and_redo_would_do(document: Document) -> None:
    slide(document, 5)
    document.apply("Mute", edits.set_muted, "main", "w", True)
    assert (document.undo_text, document.redo_text) == ("Mute", None)
    document.undo()
    assert (document.undo_text, document.redo_text) == ("Set w", "Mute")


def test_a_document_is_saved_until_it_is_edited(document: Document) -> None:
    assert document.is_saved
    slide(document, 5)
    assert not document.is_saved
    document.mark_saved()
    assert document.is_saved
    document.undo()
    assert not document.is_saved
    document.redo()
    assert document.is_saved


def test_only_the_newest_edits_can_be_undone() -> None:
    document = Document(rich_graph(), history_limit=3)
    for number in range(10, 15):
        slide(document, number, key=None)
    assert [document.undo() for _ in range(4)] == [True, True, True, False]
    assert value(document.graph) == 11


def test_two_hundred_edits_can_be_undone_by_default(document: Document) -> None:
    for number in range(10, 215):
        slide(document, number, key=None)
    count = 0
    while document.undo():
        count += 1
    assert count == 200


def test_listeners_hear_the_old_graph_and_the_new_one(document: Document) -> None:
    heard: list[tuple[Graph, Graph]] = []
    document.add_listener(lambda old, new: heard.append((old, new)))
    first = document.graph
    slide(document, 5)
    second = document.graph
    document.undo()
    document.redo()
    expected = [(first, second), (second, first), (first, second)]
    assert [(id(old), id(new)) for old, new in heard] == [(id(old), id(new)) for old, new in expected]


def test_a_merged_edit_is_heard_from_the_graph_that_was_shown(document: Document) -> None:
    slide(document, 5)
    shown = document.graph
    heard: list[tuple[Graph, Graph]] = []
    document.add_listener(lambda old, new: heard.append((old, new)))
    slide(document, 6)
    assert heard[0][0] is shown
    assert heard[0][1] is document.graph


def test_a_removed_listener_hears_nothing_and_others_still_do(document: Document) -> None:
    heard: list[str] = []
    remove = document.add_listener(lambda *_: heard.append("first"))
    document.add_listener(lambda *_: heard.append("second"))
    remove()
    remove()
    slide(document, 5)
    assert heard == ["second"]


OPERATIONS = st.one_of(STEPS, st.sampled_from(["undo", "redo", "save", "slide"]))


@given(st.lists(OPERATIONS, max_size=25))
def test_the_history_is_that_of_a_list_with_a_mark(operations: list[Step | str]) -> None:
    document = Document(rich_graph())
    past, future, saved, last = [document.graph], [], document.graph, ""
    for number, operation in enumerate(operations):
        shown = document.graph
        if operation == "undo":
            if not document.undo():
                continue
            future.append(past.pop())
        elif operation == "redo":
            if not document.redo():
                continue
            past.append(future.pop())
        elif operation == "save":
            document.mark_saved()
            saved = document.graph
        else:
            if operation == "slide":
                document.apply("Slide", edits.set_checks, [{"number": number}], merge_key="slide")
            else:
                document.apply("Step", operation)
            if document.graph is shown:
                continue
            if operation == "slide" and last == "slide":
                past.pop()
            past.append(document.graph)
            future.clear()
        last = str(operation)
        assert document.graph is past[-1]
        assert document.is_saved == (past[-1] is saved)
        assert (document.undo_text is None) == (len(past) == 1)
        assert (document.redo_text is None) == (not future)


@given(st.lists(STEPS, max_size=15))
def test_undoing_everything_passes_every_graph_unchanged(steps: list[Step]) -> None:
    document = Document(rich_graph())
    graphs = [document.graph]
    for step in steps:
        document.apply("Step", step)
        if document.graph is not graphs[-1]:
            graphs.append(document.graph)
    for graph in reversed(graphs[:-1]):
        document.undo()
        assert document.graph is graph
    for graph in graphs[1:]:
        document.redo()
        assert document.graph is graph
    assert graphs[0] == rich_graph()


def test_a_withdrawn_edit_leaves_no_trace(document: Document) -> None:
    slide(document, 5, key="earlier")
    slide(document, 6, key="later")
    document.undo()
    before, heard = document.graph, []
    for number in (7, 8, 9):
        slide(document, number, key="drag")
    document.add_listener(lambda old, new: heard.append((old, new)))
    dragged = document.graph
    assert document.withdraw("drag")
    assert document.graph is before
    assert heard == [(dragged, before)]
    assert document.redo()
    assert value(document.graph) == 6


def test_an_edit_of_another_key_is_not_withdrawn(document: Document) -> None:
    slide(document, 5, key="drag")
    assert not document.withdraw("other")
    assert value(document.graph) == 5


@pytest.mark.parametrize("key", ["drag", None])
def test_only_the_last_edit_of_that_key_is_withdrawn(document: Document, key: str | None) -> None:
    assert not document.withdraw("drag")
    slide(document, 5, key="drag")
    slide(document, 6, key="other")
    document.undo()
    dragged = document.graph
    assert not document.withdraw("drag")
    assert not document.withdraw(key)
    assert document.graph is dragged
