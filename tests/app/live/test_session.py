"""A session applies edits, keeps page and selection valid, and has the newest results of its graph."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import Answer, Died, InlineEvaluator
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.readings.readings import PlaceReading, Results
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.problems import Problem, Severity
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Port, Wire
from tests.app.window.graphs import decay
from tests.engine.edit_sequences import rich_graph, source, wire
from tests.recorded import make_graph

X = Port("x", "y")
TO_STOP = wire("x.y", "stop.x")


def stopped_product() -> Graph:
    """Returns loss = x * stop(x) at x = 2."""
    kinds = [("stop", "StopGradient"), ("m", "Multiply"), ("loss", "Loss")]
    wires = [("x.y", "stop.x"), ("x.y", "m.x"), ("stop.y", "m.y"), ("m.z", "loss.x")]
    return make_graph([source("x"), *(Block(*kind) for kind in kinds)], wires)


class Heard:
    """All signals of a session, by name."""

    def __init__(self, session: Session) -> None:
        self.refused: list[str] = []
        self.graphs: list[tuple[Graph, Graph]] = []
        self.pages: list[str] = []
        self.selections: list[Selection] = []
        self.saved: list[bool] = []
        self.results: list[Results] = []
        self.inferred: list[object] = []
        self.modes = 0
        self.replies: list[Reply] = []
        session.refused.connect(self.refused.append)
        session.graph_changed.connect(lambda old, new: self.graphs.append((old, new)))
        session.page_changed.connect(self.pages.append)
        session.selection_changed.connect(self.selections.append)
        session.file.saved_changed.connect(self.saved.append)
        session.results_changed.connect(self.results.append)
        session.inferred_changed.connect(self.inferred.append)
        session.mode_changed.connect(self._count)
        session.replied.connect(self.replies.append)

    def _count(self) -> None:
        self.modes += 1


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradwire.app.live.process.scheduler.FRAME", 0.0)


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(stopped_product(), InlineEvaluator)
    yield made
    made.close()


@pytest.fixture
def rich(qtbot: QtBot) -> Iterator[Session]:
    made = Session(rich_graph(), InlineEvaluator)
    yield made
    made.close()


@pytest.fixture
def heard(session: Session) -> Heard:
    return Heard(session)


def set_x(session: Session, value: float | list[float]) -> None:
    session.apply("Set x", edits.set_parameter, "main", "x", "value", np.array(value))


def gradient(reading: PlaceReading | None) -> tuple[float, ...]:
    assert reading is not None and reading.gradient is not None
    return reading.gradient.first


def test_a_new_session_has_results(session: Session) -> None:
    assert gradient(session.port(X)) == (2.0,)
    assert not session.is_stale


def test_an_edit_changes_the_graph_and_its_results(session: Session, heard: Heard) -> None:
    old = session.graph
    set_x(session, 5.0)
    assert heard.graphs == [(old, session.graph)]
    assert gradient(session.port(X)) == (5.0,)
    assert heard.saved == [False]
    assert len(heard.results) == 1


def test_an_edit_gives_what_it_makes(session: Session) -> None:
    assert session.apply("Add", edits.add_block, "main", "Exp") == "Exp"


def test_undo_and_redo_go_between_the_same_graphs(session: Session, heard: Heard) -> None:
    old = session.graph
    set_x(session, 5.0)
    new = session.graph
    session.undo()
    assert session.graph is old
    assert gradient(session.port(X)) == (2.0,)
    session.redo()
    assert session.graph is new
    assert gradient(session.port(X)) == (5.0,)
    assert heard.saved == [False, True, False]


def test_undo_without_a_history_says_nothing(session: Session, heard: Heard) -> None:
    session.undo()
    session.redo()
    assert (heard.graphs, heard.results) == ([], [])


def test_edits_with_one_key_are_undone_at_once(session: Session) -> None:
    old = session.graph
    for value in (3.0, 4.0, 5.0):
        session.apply("Drag", edits.set_parameter, "main", "x", "value", np.array(value), merge_key="x")
    session.undo()
    assert session.graph is old


def test_an_impossible_edit_changes_nothing_and_says_why(session: Session, heard: Heard) -> None:
    old = session.graph
    assert session.apply("Wire", edits.connect, "main", Port("m", "z"), Port("stop", "x")) is None
    assert session.graph is old
    assert (heard.graphs, heard.results, len(heard.refused)) == ([], [], 1)
    assert heard.refused[0].endswith(".")


def test_a_file_that_needs_more_than_we_have_is_read_only(qtbot: QtBot) -> None:
    session = Session(Graph(needs=("time-travel",)), InlineEvaluator)
    heard = Heard(session)
    session.apply("Add", edits.add_block, "main", "Exp")
    assert session.graph.pages[0].blocks == {}
    assert "read-only" in heard.refused[0]
    session.close()


def test_saving_is_told_until_the_next_edit(session: Session, heard: Heard, tmp_path: Path) -> None:
    set_x(session, 3.0)
    session.file.mark_saved(tmp_path / "a.graph")
    session.undo()
    session.redo()
    assert heard.saved == [False, True, False, True]
    assert session.document.path == tmp_path / "a.graph"


def test_a_used_page_is_shown_with_the_results_of_its_first_use(rich: Session) -> None:
    rich.view.show("half")
    assert (rich.page_name, rich.prefix) == ("half", "main/use")
    reading = rich.port(Port("twice", "z"))
    assert reading is not None and reading.value is not None
    assert reading.value.first == (4.0,)  # x is 2


def test_entering_a_block_shows_the_results_of_this_use(rich: Session) -> None:
    other = rich.apply("Add", edits.add_block, "main", "Page", parameters={"page": "half"})
    rich.view.enter(rich.page.blocks[other])
    assert (rich.page_name, rich.prefix) == ("half", f"main/{other}")
    assert rich.link(wire("a.y", "twice.x")).source == PortName(f"main/{other}/a", "y")


def test_what_is_selected_stays_behind_on_another_page(rich: Session) -> None:
    rich.select(Selection(blocks=frozenset({"x"})))
    rich.view.show("half")
    assert not rich.selection


def test_a_page_that_is_not_there_is_not_shown(rich: Session) -> None:
    heard = Heard(rich)
    rich.view.show("nowhere")
    assert (rich.page_name, heard.pages) == ("main", [])


def test_a_page_that_is_gone_gives_way_to_the_first(rich: Session) -> None:
    rich.apply("Add", edits.add_page, "more")
    rich.view.show("more")
    rich.undo()
    assert (rich.page_name, rich.prefix) == ("main", "main")


def test_a_use_that_is_gone_gives_way_to_the_first_left(rich: Session) -> None:
    other = rich.apply("Add", edits.add_block, "main", "Page", parameters={"page": "half"})
    rich.view.show("half", f"main/{other}")
    rich.apply("Remove", edits.remove_blocks, "main", other)
    assert (rich.page_name, rich.prefix) == ("half", "main/use")


def test_a_page_that_nobody_uses_any_more_has_results_of_its_own(rich: Session) -> None:
    rich.view.show("half")
    rich.apply("Remove", edits.remove_blocks, "main", "use")
    assert (rich.page_name, rich.prefix) == ("half", "half")


def test_a_use_of_another_page_by_now_gives_way_too(rich: Session) -> None:
    rich.apply("Add", edits.add_page, "third")
    rich.apply("Add", edits.add_block, "main", "Page", parameters={"page": "half"}, id="second")
    rich.view.show("half", "main/use")
    rich.apply("Use", edits.set_parameter, "main", "use", "page", "third")
    assert (rich.page_name, rich.prefix) == ("half", "main/second")


def test_a_selection_is_told_once(session: Session, heard: Heard) -> None:
    chosen = Selection(blocks=frozenset({"x"}), wires=frozenset({TO_STOP}))
    session.select(chosen)
    session.select(Selection(frozenset({"x"}), frozenset({TO_STOP})))
    assert heard.selections == [chosen]


def test_the_selection_drops_what_is_gone(rich: Session) -> None:
    page = rich.page
    everything = Selection(
        frozenset(page.blocks),
        frozenset(page.wires.values()),
        frozenset(frame.id for frame in page.frames),
        frozenset(note.id for note in page.notes),
    )
    rich.select(everything)
    rich.apply("Remove", edits.remove_blocks, "main", "x")
    rich.apply("Remove", edits.remove_note, "main", "why")
    assert rich.selection.blocks == everything.blocks - {"x"}
    # Wires into numbered ports move down when one above them goes, and then are different wires.
    assert rich.selection.wires == everything.wires & set(rich.page.wires.values())
    assert rich.selection.frames == {frame.id for frame in rich.page.frames}
    assert rich.selection.notes == frozenset()


def test_selections_combine_part_by_part() -> None:
    a = Selection(frozenset({"x"}), notes=frozenset({"n"}))
    b = Selection(frozenset({"x", "y"}), frozenset({TO_STOP}))
    assert a | b == Selection(frozenset({"x", "y"}), frozenset({TO_STOP}), notes=frozenset({"n"}))
    assert a ^ b == Selection(frozenset({"y"}), frozenset({TO_STOP}), notes=frozenset({"n"}))
    assert not a ^ a


def test_in_manual_mode_an_edit_runs_nothing_until_asked(session: Session, heard: Heard) -> None:
    session.runs.set_live(False)
    set_x(session, 5.0)
    assert (heard.results, session.is_stale, heard.modes) == ([], True, 1)
    assert gradient(session.port(X)) == (2.0,)
    session.evaluate()
    assert gradient(session.port(X)) == (5.0,)
    assert not session.is_stale


@pytest.mark.parametrize("edited", [False, True])
def test_going_live_runs_only_what_is_stale(session: Session, heard: Heard, edited: bool) -> None:
    session.runs.set_live(False)
    if edited:
        set_x(session, 5.0)
    session.runs.set_live(True)
    session.runs.set_live(True)
    assert (len(heard.results), session.is_stale, heard.modes) == (int(edited), False, 2)


def test_with_stops_ignored_both_results_are_there(session: Session, heard: Heard) -> None:
    """Expects the gradient of x * stop(x), 2 at x = 2, and that of x * x, 4."""
    session.runs.set_ignores_stops(True)
    assert session.results is not None and session.results.compared is not None
    assert gradient(session.port(X)) == (2.0,)
    assert gradient(session.results.compared.port(session.port_name(X))) == (4.0,)
    session.runs.set_ignores_stops(False)
    assert session.results.compared is None
    assert (heard.modes, heard.graphs, session.document.is_saved) == (2, [], True)


def test_wires_say_why_they_have_no_gradient(session: Session) -> None:
    reading = session.wire(TO_STOP)
    assert reading is not None
    assert (reading.status, reading.by, reading.withheld) == (Status.BLOCKED, ("main/stop",), 2.0)


def test_a_whole_tensor_is_answered(session: Session, heard: Heard) -> None:
    question = TensorName(session.port_name(X), is_gradient=True)
    session.ask(question)
    (reply,) = heard.replies
    assert reply.question == question
    np.testing.assert_array_equal(reply.answer, 2.0)


def test_numbers_alone_infer_nothing_anew(session: Session, heard: Heard) -> None:
    set_x(session, 5.0)
    assert heard.inferred == []
    set_x(session, [5.0, 6.0])
    assert heard.inferred == [session.inferred]
    spec = session.spec(Port("m", "z"))
    assert spec is not None and spec.shape == (2,)


def test_problems_are_those_of_the_graph_as_it_is_errors_first(qtbot: QtBot) -> None:
    notice = Problem("info", "main/x", "noted", "Noted.")
    session = Session(stopped_product(), InlineEvaluator, notices=(notice,))
    assert notice in session.problems
    session.runs.set_live(False)
    session.apply("Cut", edits.disconnect, "main", Port("m", "y"))
    assert session.problems[0].severity == "error"
    assert [problem.at for problem in session.problems_of("m")] == ["main/m"]
    session.undo()
    assert session.problems_of("m") == []
    session.close()


@pytest.mark.parametrize(
    ("severity", "code", "at", "expected"),
    [
        ("error", "shape", "main/rec[0]/scaled", ["scaled"]),
        ("error", "shape", "main/rec[3]/scaled", ["scaled"]),
        ("error", "shape", "main/rec[3]/scaled/in", ["scaled/in"]),
        ("error", "shape", "main/other[3]/scaled", []),
        ("error", "shape", "main/w", []),
        ("error", "runtime", "main/rec[3]/scaled", []),
        ("error", "runtime", "main/rec[2]/scaled", ["scaled"]),
        ("warning", "shape", "main/rec[3]/scaled", []),
        ("warning", "shape", "main/rec[2]/scaled", ["scaled"]),
        ("info", "tie", "main/rec[2]/scaled", ["scaled"]),
    ],
)
def test_only_errors_of_the_graph_are_told_in_other_rounds_too(
    severity: Severity, code: str, at: str, expected: list[str]
) -> None:
    notices = tuple(Problem(severity, at, code, text) for text in ("One.", "Two.", "One."))
    session = Session(decay(), InlineEvaluator, notices=notices)
    session.view.show("cell", "main/rec[2]")
    told = [(place, problem.message) for place, problem in session.problems_here() if problem in notices]
    assert told == [(place, text) for place in expected for text in ("One.", "Two.")]
    session.close()


def test_problems_come_by_severity_and_then_as_they_came() -> None:
    kinds: tuple[Severity, ...] = ("info", "warning", "error", "info", "warning", "error")
    notices = tuple(Problem(kind, "main/x", "noted", f"{place}.") for place, kind in enumerate(kinds))
    session = Session(stopped_product(), InlineEvaluator, notices=notices)
    assert [problem.message for problem in session.problems if problem in notices] == [
        "2.",
        "5.",
        "1.",
        "4.",
        "0.",
        "3.",
    ]
    session.close()


def test_all_losses_of_pages_that_nobody_uses_are_offered(session: Session) -> None:
    session.apply("Add", edits.add_block, "main", "Loss", id="second")
    assert session.losses == ["main/loss", "main/second"]


def test_after_giving_up_the_session_is_manual_and_says_so(session: Session, heard: Heard) -> None:
    session.scheduler.gave_up.emit(Died(-11, "main/m"))
    assert (session.runs.is_live, heard.modes) == (False, 1)
    (sentence,) = heard.refused
    assert sentence.startswith('The evaluation ended 3 times in a row, the last time at Multiply "m" (exit code -11).')
    assert [problem.message for problem in session.problems_of("m")] == [sentence]
    session.evaluate()
    assert session.problems_of("m") == []


def test_after_giving_up_where_no_block_is_known_the_graph_as_a_whole_has_the_problem(session: Session) -> None:
    session.scheduler.gave_up.emit(Died(1))
    assert session.problems[0].at == "" and "3 times in a row (exit code 1)" in session.problems[0].message


def test_a_process_does_the_same(qtbot: QtBot, in_process: MakeEvaluator) -> None:
    session = Session(stopped_product(), in_process)
    qtbot.waitUntil(lambda: session.results is not None, timeout=30_000)
    assert gradient(session.port(X)) == (2.0,)
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        set_x(session, 5.0)
    assert gradient(session.port(X)) == (5.0,)
    session.close()


class SlowEvaluator(InlineEvaluator):
    """An evaluator that keeps its answers until they are wanted."""

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        self.kept: list[Answer] = []
        self.is_slow = False
        super().__init__(lambda found: self.kept.append(found) if self.is_slow else answer(found))
        self._tell = answer

    def answer(self) -> None:
        self._tell(self.kept.pop(0))


def test_results_are_old_once_the_answer_is_late(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradwire.app.live.runs.LATE", 50)
    made: list[SlowEvaluator] = []
    session = Session(stopped_product(), lambda answer: made.append(SlowEvaluator(answer)) or made[-1])
    canvas = Canvas(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(canvas)
    made[0].is_slow = True
    set_x(session, 5.0)
    assert not session.is_stale
    with qtbot.waitSignal(session.mode_changed):
        set_x(session, 6.0)
    assert session.is_stale and canvas.page_look.now().is_stale
    # The answer to the first edit is not that of the newest graph, but the next one has time again.
    made[0].answer()
    assert not session.is_stale and session.scheduler.is_busy
    qtbot.waitUntil(lambda: session.is_stale)
    made[0].answer()
    assert not session.is_stale and not canvas.page_look.now().is_stale
    session.close()


def test_results_of_the_graph_as_it_is_do_not_grow_old(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradwire.app.live.runs.LATE", 0)
    made: list[SlowEvaluator] = []
    session = Session(stopped_product(), lambda answer: made.append(SlowEvaluator(answer)) or made[-1])
    made[0].is_slow = True
    with qtbot.waitSignal(session.mode_changed):
        session.evaluate()
    assert session.scheduler.is_busy and not session.is_stale
    session.close()


def test_a_burst_of_edits_ends_with_the_results_of_the_last(qtbot: QtBot, in_process: MakeEvaluator) -> None:
    session = Session(stopped_product(), in_process)
    for value in range(1, 30):
        set_x(session, float(value))
    qtbot.waitUntil(lambda: not session.scheduler.is_busy, timeout=30_000)
    assert gradient(session.port(X)) == (29.0,)
    assert not session.is_stale
    session.close()


def test_a_wire_of_the_file_that_was_too_many_can_be_selected(qtbot: QtBot) -> None:
    graph = stopped_product()
    surplus = Wire(X, Port("loss", "x"))
    page = dataclasses.replace(graph.page("main"), surplus=(surplus,))
    session = Session(graph.with_page(page), InlineEvaluator)
    session.select(Selection(wires=frozenset({surplus})))
    set_x(session, 3.0)
    assert session.selection.wires == {surplus}
    session.close()
