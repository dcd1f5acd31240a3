from __future__ import annotations

import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.kit.search.block_entries import BlockSearch
from gradwire.app.kit.search.places import Thing, places
from gradwire.app.kit.search.ranking import matches, ranked
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.graphs import MAIN, annotated, with_block


def pages() -> Graph:
    graph = edits.set_label(annotated(), MAIN, "e", "Shifted scores")
    graph, name = edits.add_page(graph)
    return edits.add_block(graph, name, "ReduceSum", id="total")[0]


def found(query: str, page: str = MAIN) -> list[str]:
    return places_found(pages(), query, page)


def places_found(graph: Graph, query: str, page: str = MAIN) -> list[str]:
    entries = ranked(matches(places(graph, lambda _: None, page), query, is_loose=True))
    return [entry.id.partition(":")[2] for entry in entries]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("loss", "main/loss"),
        ("shifted", "main/e"),
        ("scores", "main/e"),
        ("Tanh", "main/t"),
        ("spare", "main/spare"),
        ("remember", "main/note"),
        ("rdsum", "main/s"),
        ("shft scrs", "main/e"),
        ("rsum", "main/s"),
        ("(scores)", "main/e"),
    ],
)
def test_ids_labels_types_frames_and_notes_are_found(query: str, first: str) -> None:
    assert found(query)[0] == first


def test_blocks_to_place_and_places_of_the_graph_come_in_one_order() -> None:
    search = BlockSearch(lambda _: None)
    blocks, _ = search.found("relu")
    here = [*matches(places(edits.set_label(pages(), MAIN, "e", "Relu"), lambda _: None, MAIN), "relu")]
    assert [entry.id for entry in ranked([*blocks, *here])][:3] == ["type:Relu", "block:main/e", "type:Relu6"]
    often = {"block:main/e": 1}
    assert ranked([*blocks, *here], often)[0].id == "block:main/e"


def test_other_pages_are_searched_too_this_one_first() -> None:
    assert [name.partition("/")[2] for name in found("reducesum")] == ["s", "total"]
    other = next(name for name in found("total")).partition("/")[0]
    assert [name.partition("/")[2] for name in found("reducesum", other)] == ["total", "s"]


def test_an_entry_says_what_it_leads_to() -> None:
    graph = edits.add_note(edits.set_label(annotated(), MAIN, "e", "Scores"), MAIN, "Why\nnot  so\n", (0, 0), id="n2")[
        0
    ]
    graph = edits.add_frame(graph, MAIN, "", id="bare", at=(0, 0), size=(240, 120))[0]
    gone: list[Thing] = []
    found = {entry.id: entry for entry in places(graph, gone.append)}
    told = {
        "block:main/e": ("Scores", "Exp, main", "exp", "cat.math", Thing(MAIN, "block", "e", "Scores", "Exp")),
        "block:main/loss": ("loss", "Loss, main", "target", "cat.loss", Thing(MAIN, "block", "loss", "loss", "Loss")),
        "frame:main/spare": (
            "Spare",
            "frame, main",
            "comment",
            "text.tertiary",
            Thing(MAIN, "frame", "spare", "Spare"),
        ),
        "frame:main/bare": ("bare", "frame, main", "comment", "text.tertiary", Thing(MAIN, "frame", "bare", "bare")),
        "note:main/n2": ("Why", "note, main", "comment", "text.tertiary", Thing(MAIN, "note", "n2", "Why", "not so")),
    }
    for key, (text, detail, icon, token, thing) in told.items():
        entry = found[key]
        entry.call()
        assert (entry.text, entry.detail, entry.icon, entry.token, gone[-1]) == (text, detail, icon, token, thing)


def test_titles_count_a_little_more_than_ids_and_those_more_than_the_rest() -> None:
    """A name itself is worth 100, an id 99 and a type or the rest of a note 98."""
    graph = edits.set_label(annotated(), MAIN, "e", "Scores")
    graph = edits.add_note(graph, MAIN, "Why\nso long", (0, 0), id="n2")[0]
    scores = {
        query: {entry.id: score for score, entry in matches(places(graph, lambda _: None), query)}
        for query in ("scores", "e", "exp", "tanh", "so long")
    }
    assert scores["scores"]["block:main/e"] == 100 and scores["e"]["block:main/e"] == pytest.approx(99)
    assert scores["exp"]["block:main/e"] == pytest.approx(98) and scores["tanh"]["block:main/t"] == pytest.approx(98)
    assert scores["so long"] == {"note:main/n2": pytest.approx(98)}


def test_all_words_must_be_found() -> None:
    assert found("scores tanh") == []


def test_nothing_is_found_for_nothing() -> None:
    assert found("") == found("  ") == []


def test_what_is_the_same_comes_before_what_only_begins_so() -> None:
    graph = with_block(with_block(Graph(), "score_1", "Exp", (0, 0)), "score", "Exp", (0, 0))
    assert places_found(graph, "score") == ["main/score", "main/score_1"]
