"""The page that is shown: by which use, in which round, and what an edit leaves of it."""

from __future__ import annotations

import dataclasses

from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.engine.edits import edits
from gradwire.engine.edits.edits import remove_blocks, set_muted
from gradwire.engine.graph.graph import Block, Graph, Page, Port
from tests.app.window.graphs import decay
from tests.engine.own_gradients import entry, of_cube, page, result, source, use


def nested() -> Graph:
    """Returns main, which uses outer twice, which uses inner once; spare uses nothing and is used by nothing."""
    inner = page("inner", [entry("x"), Block("e", "Exp"), result("y")], [("x.y", "e.x"), ("e.y", "y.x")])
    outer = page("outer", [entry("x"), use("in", "inner"), result("y")], [("x.y", "in.x"), ("in.y", "y.x")])
    blocks = [source("x", 1.0), use("one", "outer"), use("two", "outer"), Block("loss", "Loss")]
    main = page("main", blocks, [("x.y", "one.x"), ("one.y", "two.x"), ("two.y", "loss.x")])
    return Graph((main, outer, inner, Page("spare")))


def opened(graph: Graph) -> Session:
    return Session(graph, InlineEvaluator)


def heard(session: Session) -> list[object]:
    found: list[object] = []
    session.view.page_changed.connect(found.append)
    session.view.selection_changed.connect(lambda chosen: found.append(sorted(chosen.blocks)))
    return found


def test_pages_are_entered_and_left_by_their_uses() -> None:
    session = opened(nested())
    view, told = session.view, heard(session)
    view.leave()
    assert (view.name, view.prefix, view.trail) == ("main", "main", [("main", "main")])
    view.enter(view.page.blocks["x"])
    assert view.name == "main" and told == []
    view.enter(view.page.blocks["two"])
    view.enter(view.page.blocks["in"])
    assert (view.name, view.prefix) == ("inner", "main/two/in")
    assert view.trail == [("main", "main"), ("outer", "main/two"), ("inner", "main/two/in")]
    view.leave()
    assert (view.name, view.prefix, view.selection) == (
        "outer",
        "main/two",
        Selection(frozenset(["in"])),
    )
    view.leave()
    assert (view.name, view.selection) == ("main", Selection(frozenset(["two"])))
    assert told == ["outer", "inner", "outer", ["in"], [], "main", ["two"]]
    assert view.visited == ["inner", "outer", "main"]


def test_a_page_is_shown_in_its_first_use_unless_another_is_meant() -> None:
    view = opened(nested()).view
    for name, prefix, expected in (
        ("inner", None, "main/one/in"),
        ("inner", "main/two/in", "main/two/in"),
        ("spare", None, "spare"),
        ("main", None, "main"),
    ):
        view.show(name, prefix)
        assert (view.name, view.prefix) == (name, expected)
        assert view.use_of(name) == expected
    view.show("none")
    assert view.name == "main" and view.use_of("outer") == "main/one"


def test_a_selection_is_told_once_and_ends_with_the_page() -> None:
    session = opened(nested())
    told = heard(session)
    for _ in range(2):
        session.view.select(Selection(frozenset(["x"])))
    assert told == [["x"]]
    session.view.show("outer")
    assert told[1:] == [[], "outer"]


def test_rounds_of_a_loop_are_kept_within_its_times() -> None:
    session = opened(decay(4))
    view, told = session.view, heard(session)
    view.enter(view.page.blocks["rec"])
    (loop,) = view.loops
    assert (loop.block.id, loop.path, loop.round, loop.times) == ("rec", "main/rec", 0, 4)
    first = view.prefix
    for number, shown in ((2, 2), (9, 3), (-5, 0), (1, 1)):
        view.select(Selection(frozenset(list(view.page.blocks)[:1])))
        (loop,) = view.loops
        view.show_round(loop, number)
        assert view.loops[0].round == shown and view.selection
    assert view.prefix != first
    before = len(told)
    view.show_round(view.loops[0], 1)
    view.show_round(loop, 3)
    assert len(told) == before and view.loops[0].round == 1
    view.leave()
    assert view.loops == []
    # The round that was looked at last comes again.
    view.enter(view.page.blocks["rec"])
    assert view.loops[0].round == 1
    session.apply("Fewer", edits.set_parameter, "main", "rec", "times", 1)
    assert (view.loops[0].round, view.loops[0].times) == (0, 1)


def test_the_page_of_a_gradient_is_shown_for_its_use_and_leads_back() -> None:
    view = opened(of_cube()).view
    view.show_gradient("main")
    assert view.name == "main"
    view.show_gradient("main/cube")
    assert (view.name, view.prefix) == ("cube_gradient", "main/cube[gradient]")
    # Another page is not that whose gradient is shown, and is shown in a use of its own.
    view.show_forward("main")
    assert (view.name, view.prefix) == ("main", "main")
    view.show_gradient("main/cube")
    view.show_forward("cube")
    assert (view.name, view.prefix) == ("cube", "main/cube")
    view.show("cube_gradient")
    assert view.prefix == "main/cube[gradient]"
    view.show_forward("none")
    assert view.name == "cube_gradient"


def test_an_edit_keeps_the_place_as_far_as_it_is_there() -> None:
    session = opened(nested())
    view = session.view
    view.show("inner", "main/two/in")
    view.select(Selection(frozenset(["e", "x"])))
    session.apply("Remove", remove_blocks, "inner", "e")
    assert (view.prefix, view.selection) == ("main/two/in", Selection(frozenset(["x"])))
    session.apply("Mute", set_muted, "main", ("two",), True)
    assert view.prefix == "main/one/in"
    session.apply("Rename", edits.rename_page, "inner", "core")
    assert (view.name, view.prefix) == ("core", "main/one/in")
    session.apply("Remove", remove_blocks, "outer", "in")
    assert (view.name, view.prefix) == ("core", "core")
    view.show("outer")
    view.show("core")
    session.apply("Remove", edits.remove_page, "core")
    assert view.name == "outer"


def test_the_page_shown_last_comes_in_place_of_one_that_is_gone() -> None:
    session = opened(nested())
    for name in ("outer", "main", "spare"):
        session.view.show(name)
    session.apply("Remove", edits.remove_page, "spare")
    assert session.view.name == "main"
    whole = nested()
    session = opened(dataclasses.replace(whole, pages=whole.pages))
    session.view.show("spare")
    session.apply("Remove", edits.remove_page, "spare")
    assert session.view.name == "main"


def test_each_loop_around_a_page_has_its_own_round_and_path() -> None:
    """The Scan `rec` on main runs `cell` 4 times, and `plain` there is a page that runs `core` twice by `deep`."""
    graph = decay(4)
    graph = edits.add_page(edits.add_page(graph, "middle")[0], "core")[0]
    for where, kind, name, settings in (
        ("core", "PageInput", "h", {"name": "h"}),
        ("core", "PageOutput", "out", {"name": "h"}),
        ("middle", "PageInput", "h", {"name": "h"}),
        ("middle", "Scan", "deep", {"page": "core", "times": 2}),
        ("cell", "Page", "plain", {"page": "middle"}),
    ):
        graph = edits.add_block(graph, where, kind, id=name, parameters=settings)[0]
    for where, start, end in (
        ("core", Port("h", "y"), Port("out", "x")),
        ("middle", Port("h", "y"), Port("deep", "h")),
        ("cell", Port("h", "y"), Port("plain", "h")),
    ):
        graph = edits.connect(graph, where, start, end)
    view = opened(graph).view
    for prefix, shown in (
        ("main/rec[3]/plain/deep[1]", "main/rec[3]/plain/deep[1]"),
        ("main/rec[4]/plain/deep[2]", "main/rec[3]/plain/deep[1]"),
        ("main/rec[9]/plain/deep[0]", "main/rec[3]/plain/deep[0]"),
    ):
        view.show("core", prefix)
        assert view.prefix == shown
    assert [(loop.block.id, loop.path, loop.round, loop.times) for loop in view.loops] == [
        ("rec", "main/rec", 3, 4),
        ("deep", "main/rec[3]/plain/deep", 0, 2),
    ]
    view.show_round(view.loops[0], 1)
    assert view.prefix == "main/rec[1]/plain/deep[0]"
    view.leave()
    assert (view.prefix, [loop.path for loop in view.loops]) == ("main/rec[1]/plain", ["main/rec"])
    view.leave()
    assert view.prefix == "main/rec[1]"
    view.show("cell", "main/rec[7]")
    assert view.prefix == "main/rec[3]"
