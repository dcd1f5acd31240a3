"""Uses of pages by pages: sizes by hand, rings, and the pages at the top."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.engine.autodiff import expand as expansion
from gradwire.engine.autodiff.lower import infer_and_measure
from gradwire.engine.autodiff.page_uses import PageUses, Size, repeated, ring_sentence
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.engine.loop_graphs import entry, leaving, page_from, scan, source

# Three blocks and two wires: their paths are 3 names, and the ends of the wires 4.
CELL = page_from("cell", [entry("h"), Block("t", "Tanh"), leaving("h")], [("h.y", "t.x"), ("t.y", "h_out.x")])
OWN = Size(3, 2, 7, 0)


def uses(*blocks: Block, others: tuple[Page, ...] = (CELL,), **parts: object) -> PageUses:
    main = dataclasses.replace(page_from("main", list(blocks), []), **parts)
    return PageUses(Graph(pages=(main, *others)))


def use(name: str, page: str, **parts: object) -> Block:
    return Block(name, "Page", parameters={"page": page}, **parts)


@pytest.mark.parametrize(
    ("size", "times", "wanted"),
    [
        (Size(2, 3, 8, 20), 1, Size(3, 4, 8, 20 + 3 * 8)),
        (Size(2, 3, 8, 20), 10, Size(30, 40, 80, 10 * (20 + 3 * 8))),
        (Size(2, 3, 8, 20), 11, Size(33, 44, 88, 11 * (20 + 4 * 8))),
        (Size(2, 3, 8, 20), 101, Size(303, 404, 808, 101 * (20 + 5 * 8))),
        (Size(0, 0, 0, 0), 2, Size(2, 2, 0, 0)),
    ],
)
def test_a_loop_has_its_page_in_each_round(size: Size, times: int, wanted: Size) -> None:
    assert repeated(size, times) == wanted


@pytest.mark.parametrize(
    ("blocks", "wanted"),
    [
        ([], Size(0, 0, 0, 0)),
        ([source("x", 1)], Size(1, 0, 1, 0)),
        ([use("a", "cell")], Size(4, 2, 8, 7 * 2)),
        ([use("a", "cell"), use("long", "cell")], Size(8, 4, 16, 7 * 2 + 7 * 5)),
        ([use("a", "cell", is_muted=True)], Size(1, 0, 1, 0)),
        ([use("a", "gone")], Size(1, 0, 1, 0)),
        ([scan("rec", "cell", 1)], Size(4, 2, 8, 7 * 4)),
        ([scan("rec", "cell", 0)], Size(1, 0, 1, 0)),
        ([scan("rec", "cell", 2)], Size(9, 6, 15, 2 * 7 * 3 + 14 * 4)),
        ([scan("rec", "cell", 11)], Size(45, 33, 78, 11 * 7 * 4 + 77 * 4)),
        ([use("a", "main")], Size(1, 0, 1, 0)),
    ],
)
def test_the_size_of_a_page_counts_all_pages_inside(blocks: list[Block], wanted: Size) -> None:
    sizes = uses(*blocks).sizes()
    assert (sizes["cell"], sizes["main"]) == (OWN, wanted)


def test_wires_too_many_and_pages_of_gradients_count() -> None:
    surplus = (Wire(Port("x", "y"), Port("x", "x")),)
    assert uses(source("x", 1), surplus=surplus).sizes()["main"] == Size(1, 1, 3, 0)
    found = uses(source("x", 1), gradient="cell")
    assert found.sizes()["main"] == Size(4, 2, 8, 7 * len("[gradient]"))
    assert found.gradients == {"main": "cell"}
    assert uses(source("x", 1), gradient="gone").sizes()["main"] == Size(1, 0, 1, 0)


RING = tuple(page_from(name, [use("to", other)], []) for name, other in [("c", "a"), ("a", "b"), ("b", "c")])


@pytest.mark.parametrize(
    ("blocks", "others", "rings", "tops"),
    [
        ([use("u", "cell")], (CELL,), {}, ["main"]),
        ([], (CELL,), {}, ["main", "cell"]),
        ([use("u", "main")], (), {"main": ("main",)}, ["main"]),
        ([use("u", "main", is_muted=True)], (), {}, ["main"]),
        ([], RING, dict.fromkeys("abc", ("c", "a", "b")), ["main", "c", "a", "b"]),
        ([use("u", "b")], RING, dict.fromkeys("abc", ("c", "a", "b")), ["main", "c", "a"]),
    ],
)
def test_rings_and_pages_that_nobody_uses(
    blocks: list[Block], others: tuple[Page, ...], rings: dict[str, tuple[str, ...]], tops: list[str]
) -> None:
    found = uses(*blocks, others=others)
    assert found.rings == rings
    assert [page.name for page in found.top_pages()] == tops
    pages = ("main", *(page.name for page in others))
    for page in pages:
        assert [name for name in pages if found.is_in_ring(page, name)] == [
            name for name in pages if name in rings.get(page, ())
        ]


def test_pages_that_use_each_other_muted_begin_with_the_first() -> None:
    two = [page_from(name, [use("to", other, is_muted=True)], []) for name, other in ("ab", "ba")]
    found = uses(others=tuple(two))
    assert found.rings == {} and found.names == {"main": [], "a": ["b"], "b": ["a"]}
    assert [page.name for page in found.top_pages()] == ["main", "a"]


def test_the_page_of_a_gradient_is_at_the_top_if_its_page_is() -> None:
    back = dataclasses.replace(CELL, name="back")
    given = dataclasses.replace(CELL, gradient="back")
    assert [page.name for page in uses(others=(given, back)).top_pages()] == ["main", "cell", "back"]
    assert [page.name for page in uses(use("u", "cell"), others=(given, back)).top_pages()] == ["main"]


def test_blocks_that_lead_back_close_a_ring() -> None:
    first = page_from(
        "a", [use("self", "a"), use("on", "b"), use("last", "c"), use("out", "d"), use("off", "a", is_muted=True)], []
    )
    second = page_from("b", [use("up", "a"), use("self", "b"), use("on", "c")], [])
    others = (first, second, page_from("c", [use("up", "b")], []), page_from("d", [use("in", "a")], []))
    assert uses(others=others).leading_back(["a", "b", "c"]) == {"a": ["self"], "b": ["up", "self"], "c": ["up"]}


def test_a_ring_is_told_by_its_pages() -> None:
    assert ring_sentence(["a"]) == 'Page "a" uses itself; a page cannot recur.'
    assert ring_sentence(["a", "b"]).endswith(
        "use each other in a circle; a page cannot recur. Remove one of the uses."
    )


@pytest.mark.parametrize(
    ("limit", "least", "sentence"),
    [
        ("EXPANDED_LIMIT", 8, "blocks; use fewer pages inside pages"),
        ("WIRES_LIMIT", 4, "wires; use fewer pages inside pages"),
        ("PATHS_LIMIT", 2 * 7 * len("main/u"), "too many pages lie inside each other"),
    ],
)
def test_two_uses_of_a_page_fit_up_to_each_limit(
    limit: str, least: int, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = page_from("main", [use("u", "cell"), use("v", "cell")], [])
    monkeypatch.setattr(expansion, limit, least)
    found = expansion.expand(Graph(pages=(main, CELL)))
    assert len(found.instances) == 8 and found.problems == []
    monkeypatch.setattr(expansion, limit, least - 1)
    found = expansion.expand(Graph(pages=(main, CELL)))
    assert len(found.instances) == 5
    assert [(item.severity, item.at, item.code) for item in found.problems] == [("error", "main/v", "memory")]
    assert sentence in found.problems[0].message


@pytest.mark.parametrize(("inside", "closed"), [(0, "uv"), (2, "uv"), (3, "v"), (5, "v"), (6, ""), (7, "")])
def test_so_many_blocks_inside_pages_are_expanded(inside: int, closed: str) -> None:
    main = page_from("main", [use("u", "cell"), use("v", "cell")], [])
    found = expansion.expand(Graph(pages=(main, CELL)), inside)
    assert [(item.severity, item.at, item.code) for item in found.problems] == [
        ("info", f"main/{name}", expansion.LEFT_CLOSED) for name in closed
    ]
    assert all("3 blocks are inside" in item.message for item in found.problems)


def test_a_problem_of_a_later_round_alone_is_told() -> None:
    """The mask keeps three elements in the first round and two in the second."""
    blocks = [entry("h"), entry("m", 1), entry("x", 2), Block("k", "BooleanMask"), Block("a", "Add"), leaving("h")]
    wires = [("x.y", "k.tensor"), ("m.y", "k.mask"), ("k.y", "a.x"), ("h.y", "a.y"), ("a.z", "h_out.x")]
    rec = scan("rec", "masked", 2, each=["m"])
    masks = Block("m", "Input", parameters={"value": np.array([[True, True, True], [True, True, False]])})
    main = page_from(
        "main",
        [source("h", [1, 2, 3]), source("x", [1, 2, 3]), masks, rec, Block("loss", "Loss")],
        [("h.y", "rec.h"), ("x.y", "rec.x"), ("m.y", "rec.m"), ("rec.h", "loss.x")],
    )
    problems = infer_and_measure(Graph(pages=(main, page_from("masked", blocks, wires)))).problems
    assert [(item.severity, item.at, item.code) for item in problems] == [("error", "main/rec[1]/a", "shape")]
