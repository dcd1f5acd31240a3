"""Pages that multiply are expanded on a thread: the window goes on, and the expansion can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.live import inferring
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import Evaluator, InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff import infer
from gradwire.engine.autodiff.expand import LEFT_CLOSED
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph
from tests.torture.support.shapes_of_graphs import tower

# Ten pages, each used twice on the one before: the innermost is there 512 times.
GRAPH = tower(10, uses=2)
MOST = 200
Open = Callable[[Graph], Session]


@pytest.fixture(autouse=True)
def _little_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inferring, "SOON", MOST)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Threads wait, again and again until they are stopped, for an event that the test sets."""
    event, check = threading.Event(), inferring._Work._check

    def waiting(work: inferring._Work) -> None:
        while not event.wait(0.001):
            check(work)
        check(work)

    monkeypatch.setattr(inferring._Work, "_check", waiting)
    yield event
    event.set()


@pytest.fixture
def opened(qtbot: QtBot) -> Iterator[Open]:
    made: list[Session] = []

    def open_it(graph: Graph) -> Session:
        # Nothing but the window's own inference brings problems and specs.
        made.append(Session(graph, Evaluator))
        return made[-1]

    yield open_it
    for session in made:
        session.close()
    assert "expanding pages" not in {thread.name for thread in threading.enumerate()}


def said(session: Session) -> list[str]:
    return [problem.message for problem in session.problems if problem.code == LEFT_CLOSED]


def add_constant(session: Session) -> None:
    session.apply("Add", edits.add_block, "main", "Constant", at=(0, 0))


def assert_whole(session: Session) -> None:
    expected = infer_specs(session.graph)
    assert session.inferred.expanded.instances == expected.expanded.instances
    assert session.inferred.specs == expected.specs
    assert session.problems == tuple(expected.problems)


def test_what_is_small_is_there_at_once(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inferring, "SOON", 5_000)
    assert_whole(opened(GRAPH))


def test_the_window_has_a_part_at_once_and_the_rest_when_it_is_there(
    qtbot: QtBot, opened: Open, held: threading.Event
) -> None:
    session = opened(GRAPH)
    assert len(session.inferred.expanded.instances) <= MOST + len(GRAPH.pages[0].blocks)
    whole = infer_specs(GRAPH)
    inside = len(whole.expanded.instances) - len(GRAPH.pages[0].blocks)
    numbers = [int(sentence.split()[0].replace(",", "")) for sentence in said(session)]
    assert sum(numbers) == inside
    with qtbot.waitSignal(session.inferred_changed):
        held.set()
    assert_whole(session)


def test_a_stop_leaves_pages_closed_until_somebody_evaluates(qtbot: QtBot, opened: Open, held: threading.Event) -> None:
    session = opened(GRAPH)
    before = session.inferred
    session.stop()
    held.set()
    qtbot.wait(1)
    assert session.inferred is before
    assert all(sentence.endswith("not expanded yet. Run (F5) expands them.") for sentence in said(session))
    assert said(session)
    with qtbot.waitSignal(session.inferred_changed):
        session.evaluate()
    assert_whole(session)


def test_after_an_edit_only_the_new_graph_is_expanded(qtbot: QtBot, opened: Open, held: threading.Event) -> None:
    session = opened(GRAPH)
    add_constant(session)
    arrived: list[object] = []
    session.inferred_changed.connect(arrived.append)
    with qtbot.waitSignal(session.inferred_changed):
        held.set()
    qtbot.wait(1)
    assert len(arrived) == 1
    assert_whole(session)
    session.undo()
    qtbot.waitUntil(lambda: not said(session))
    assert session.graph == GRAPH
    assert_whole(session)


def test_a_number_dragged_meanwhile_does_not_begin_the_expansion_anew(
    qtbot: QtBot, opened: Open, held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Graph] = []
    expand = infer.expand
    monkeypatch.setattr(infer, "expand", lambda graph, *more: begun.append(graph) or expand(graph, *more))
    session = opened(GRAPH)
    value = GRAPH.pages[0].blocks["x"].parameters["value"]
    session.apply("Set", edits.set_parameter, "main", "x", "value", np.asarray(value) + 1)
    with qtbot.waitSignal(session.inferred_changed):
        held.set()
    assert begun == [GRAPH, GRAPH]
    assert session.inferred.specs == infer_specs(session.graph).specs
    assert not said(session)


def test_the_canvas_shows_what_was_expanded(qtbot: QtBot, held: threading.Event) -> None:
    session = Session(GRAPH, InlineEvaluator)
    canvas = Canvas(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(canvas)
    with qtbot.waitSignal(session.inferred_changed):
        held.set()
    fresh = Mirror(session, canvas.mirror.is_curved)
    fresh.rebuild()
    assert canvas.mirror.shapes == fresh.shapes
    session.close()


def test_an_edit_that_infers_much_anew_leaves_what_was_known_until_the_rest_is_there(
    qtbot: QtBot, opened: Open, held: threading.Event
) -> None:
    session = opened(GRAPH)
    with qtbot.waitSignal(session.inferred_changed):
        held.set()
    held.clear()
    before, innermost = session.inferred, GRAPH.pages[-1].name
    session.apply("Add", edits.add_block, innermost, "Constant", at=(0, 0), parameters={"value": np.array(1.0)})
    assert session.inferred is before
    with qtbot.waitSignal(session.inferred_changed):
        held.set()
    assert_whole(session)


def test_the_newest_of_such_edits_counts(qtbot: QtBot, opened: Open, held: threading.Event) -> None:
    session = opened(GRAPH)
    with qtbot.waitSignal(session.inferred_changed):
        held.set()
    held.clear()
    for number in range(3):
        given = {"value": np.array(1.0 + number)}
        session.apply("Add", edits.add_block, GRAPH.pages[-1].name, "Constant", at=(0, 100 * number), parameters=given)
    add_constant(session)
    session.undo()
    with qtbot.waitSignal(session.inferred_changed):
        held.set()
    assert_whole(session)


ONE, TWO = np.ones(2), np.zeros(2)


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        (Block("b", "Exp"), Block("b", "Exp"), True),
        (Block("b", "Exp"), Block("b", "Log"), False),
        (Block("b", "Exp"), Block("b", "Exp", is_muted=True), False),
        (Block("b", "Exp", is_muted=True), Block("b", "Exp", is_muted=True, label="E"), True),
        (Block("b", "Exp", at=(0, 0)), Block("b", "Exp", at=(16, 0)), True),
        (Block("b", "PageInput", at=(0, 0)), Block("b", "PageInput", at=(16, 0)), False),
        (Block("b", "PageOutput", at=(0, 0)), Block("b", "PageOutput", at=(16, 0)), False),
        (Block("b", "PageOutput", at=(0, 0)), Block("b", "PageOutput", at=(0, 0), label="E"), True),
        (Block("b", "Input", parameters={"value": ONE}), Block("b", "Input", parameters={"value": TWO}), True),
        (Block("b", "Input", parameters={"value": ONE}), Block("b", "Input", parameters={"value": np.ones(3)}), False),
        (Block("b", "Input", parameters={"value": ONE}), Block("b", "Input", parameters={"value": ONE > 0}), False),
        (Block("b", "Input", parameters={"value": ONE}), Block("b", "Input"), False),
        (Block("b", "Softmax", parameters={"axis": 0}), Block("b", "Softmax", parameters={"axis": 1}), False),
        (Block("b", "Softmax", parameters={"value": ONE}), Block("b", "Softmax", parameters={"value": TWO}), False),
    ],
)
def test_numbers_and_looks_change_no_spec(old: Block, new: Block, is_same: bool) -> None:
    assert inferring._same_spec(old, new) is is_same
    assert inferring._same_spec(new, old) is is_same
