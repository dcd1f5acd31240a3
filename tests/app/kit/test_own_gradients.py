"""Gradients of their own that pages have, given and removed in a session, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gradwire.app.kit.own_gradients import give, owners, ports_of, problems_of_pair, remove
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.own_gradients import cube, entry, of_cube, page, result, scaled, source, use

_opened: list[Session] = []


@pytest.fixture(autouse=True)
def _close(qapp: object) -> Iterator[None]:
    yield
    while _opened:
        _opened.pop().close()


def opened(graph: Graph) -> Session:
    _opened.append(Session(graph, InlineEvaluator))
    return _opened[-1]


def two() -> Graph:
    """Two pages, `cube` and `again`, whose gradient `cube_gradient` gives; both are used."""
    other = page(
        "again", [entry("x"), Block("e", "Exp"), result("y")], [("x.y", "e.x"), ("e.y", "y.x")], "cube_gradient"
    )
    blocks = [source("x", (1, -2)), use("cube", "cube"), use("again", "again"), Block("loss", "Loss")]
    wires = [("x.y", "cube.x"), ("cube.y", "again.x"), ("again.y", "loss.x")]
    return Graph(pages=(page("main", blocks, wires), cube(), other, scaled()))


def test_a_page_has_its_inputs_before_its_outputs() -> None:
    assert [port.name for port in ports_of(scaled())] == ["d_y", "x", "d_x"]
    assert ports_of(page("bare", [Block("e", "Exp")], [])) == []


def test_a_new_gradient_fits_the_use_that_is_named_and_is_shown_for_it() -> None:
    """A page of integers has no gradient, so that a page made for such a use gets no port for one."""
    blocks = [source("a", (1.0, 2.0)), source("b", 3, int), use("one", "cube"), use("two", "cube")]
    main = page("main", blocks, [("a.y", "one.x"), ("b.y", "two.x")])
    for path, ports, wires, prefix in (
        (None, ["d_y", "x", "y", "d_x"], 1, "one"),
        ("main/one", ["d_y", "x", "y", "d_x"], 1, "one"),
        ("main/two", ["x", "y"], 0, "two"),
    ):
        session = opened(Graph(pages=(main, cube(None))))
        give(session, "cube", path)
        assert (session.view.name, session.view.prefix) == ("cube_gradient", f"main/{prefix}[gradient]")
        made = session.graph.page("cube_gradient")
        assert ([port.name for port in ports_of(made)], len(made.wires)) == (ports, wires)
        assert session.document.undo_text == "Give page cube its own gradient"


def test_a_removed_gradient_leaves_with_its_page() -> None:
    session = opened(of_cube())
    remove(session, "cube")
    assert session.graph.page("cube").gradient is None and not session.graph.has_page("cube_gradient")
    assert session.document.undo_text == "Remove the own gradient of page cube"


def test_the_page_for_which_a_gradient_is_shown_comes_first() -> None:
    session = opened(two())
    assert owners(session) == []
    for path, expected in (("main/cube", ["cube", "again"]), ("main/again", ["again", "cube"])):
        session.view.show_gradient(path)
        assert session.view.name == "cube_gradient" and owners(session) == expected
    session.view.show("cube")
    assert owners(session) == []


def test_what_is_wrong_with_the_ports_of_a_pair_is_told_once() -> None:
    session = opened(of_cube())
    assert problems_of_pair(session, "cube") == []
    wrong = edits.set_parameter(of_cube(), "cube_gradient", "d_x", "name", "d_w")
    (problem,) = problems_of_pair(opened(wrong), "cube")
    assert (problem.severity, problem.code) == ("error", "parameter")
    assert problem.message.startswith('d_w is no output that the gradient of page "cube" has')
    assert problems_of_pair(opened(wrong), "cube_gradient") == []
    # What is wrong inside of the page that gives the gradient is told with it; what is wrong elsewhere is not.
    inside = edits.add_block(of_cube(), "cube_gradient", "Exp", id="free")[0]
    assert [item.at for item in problems_of_pair(opened(inside), "cube")] == ["main/cube[gradient]/free"]
    outside = edits.add_block(of_cube(), "main", "Exp", id="free")[0]
    assert problems_of_pair(opened(outside), "cube") == []
