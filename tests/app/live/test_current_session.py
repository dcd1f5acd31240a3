"""The current session passes on the signals of the document shown and of its parts, and of no other document."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, SignalInstance

from gradwire.app.canvas.painting.blocks.slice_maps import SliceMaps
from gradwire.app.canvas.painting.monitors.monitors import Monitors
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.data_files import DataFiles
from gradwire.app.live.file_status import FileStatus
from gradwire.app.live.loss_prediction import LossPrediction
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.engine.edit_sequences import source
from tests.recorded import make_graph

SIGNALS = (
    (StepMode, "changed", ()),
    (TrainingDesk, "advanced", ()),
    (FileStatus, "saved_changed", (True,)),
    (DataFiles, "changed", ()),
    (LossPrediction, "changed", ()),
    (SliceMaps, "changed", ("main/x",)),
    (Monitors, "changed", ("main/x",)),
)


def one_input() -> Graph:
    """Returns a graph with one input."""
    return make_graph([source("x")], [])


def set_x(session: Session, value: float) -> None:
    """Sets the number of the first block of the page."""
    session.apply("Set", edits.set_parameter, session.page_name, "x", "value", value)


@pytest.fixture
def sessions(qapp: object) -> Iterator[tuple[Session, Session]]:
    made = Session(one_input(), InlineEvaluator), Session(one_input(), InlineEvaluator)
    yield made
    for session in made:
        session.close()


def heard(signal: SignalInstance) -> list[object]:
    """Returns a list to which the first value of each later emission is added."""
    values: list[object] = []
    signal.connect(lambda *args: values.append(args[0] if args else None))
    return values


def test_an_edit_of_the_document_shown_is_heard_with_both_graphs(sessions: tuple[Session, Session]) -> None:
    current = CurrentSession(sessions[0])
    pairs: list[tuple[object, object]] = []
    current.graph_changed.connect(lambda old, new: pairs.append((old, new)))
    before = sessions[0].graph
    set_x(sessions[0], 3.0)
    assert pairs == [(before, sessions[0].graph)]


def test_another_document_is_told_once_and_is_the_session_then(sessions: tuple[Session, Session]) -> None:
    current = CurrentSession(sessions[0])
    told = heard(current.changed)
    current.show(sessions[1])
    assert told == [sessions[1]] and current.session is sessions[1]


def test_a_document_that_is_no_longer_shown_is_not_heard(sessions: tuple[Session, Session]) -> None:
    current = CurrentSession(sessions[0])
    edited, results = heard(current.graph_changed), heard(current.results_changed)
    current.show(sessions[1])
    set_x(sessions[0], 3.0)
    sessions[0].results_changed.emit(sessions[0].results)
    assert not edited and not results
    set_x(sessions[1], 3.0)
    assert len(edited) == 1


@pytest.mark.parametrize(("kind", "name", "told"), SIGNALS)
def test_a_part_is_heard_only_while_its_document_is_shown(
    sessions: tuple[Session, Session], kind: type[QObject], name: str, told: tuple[object, ...]
) -> None:
    current = CurrentSession(sessions[0])
    values = heard(getattr(current.of(kind), name))
    current.show(sessions[1])
    for session, count in ((sessions[0], 0), (sessions[1], 1)):
        getattr(session.part(kind), name).emit(*told)
        assert len(values) == count


def test_a_part_that_a_view_turns_to_with_the_document_is_heard_once(sessions: tuple[Session, Session]) -> None:
    current = CurrentSession(sessions[0])
    values: list[str] = []
    current.changed.connect(lambda _: current.of(SliceMaps).changed.connect(values.append))
    current.show(sessions[1])
    sessions[1].part(SliceMaps).changed.emit("main/x")
    assert values == ["main/x"]


def test_a_session_that_views_begin_anew_with_is_heard_once(sessions: tuple[Session, Session]) -> None:
    """As after block types have changed: all views begin anew."""
    current = CurrentSession(sessions[0])
    edited, told = heard(current.graph_changed), heard(current.changed)
    current.begin_anew()
    set_x(sessions[0], 3.0)
    assert len(edited) == 1 and told == [sessions[0]]


def test_views_turn_to_another_document_before_they_hear_of_it(sessions: tuple[Session, Session]) -> None:
    current = CurrentSession(sessions[0])
    order: list[str] = []
    current.changed.connect(lambda session: (order.append("turned"), set_x(session, 3.0)))
    current.graph_changed.connect(lambda *_: order.append("edited"))
    current.show(sessions[1])
    set_x(sessions[1], 4.0)
    assert order == ["turned", "edited"]
