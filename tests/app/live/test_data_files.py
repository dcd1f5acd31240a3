"""Files of examples in the window: none is read before its folder is allowed, and the document never holds one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from gradwire.engine.files.allowed_folders import AllowedFolders
from gradwire.engine.files.data_files import read_examples
from gradwire.engine.files.files import dumps
from gradwire.engine.graph.graph import Graph

TABLE = "a,b,label\n1,2,3\n4,5,9\n"
X = PortName("main/data", "x")
Open = Callable[..., Session]


def graph(**given: object) -> Graph:
    """Returns the sum of the labels of a table, w times."""
    x, y = gw.Data(set="iris", name="data")
    whole = gw.graph(gw.Loss(gw.ReduceSum(x) * 0.0 + gw.ReduceSum(y * gw.Variable(1.0, name="w")), name="loss"))
    for name, value in {"set": "file", "file": "a.csv", "labels": "value", **given}.items():
        whole = edits.set_parameter(whole, "main", "data", name, value)
    return whole


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text(TABLE)
    return tmp_path


@pytest.fixture
def opened(folder: Path, qtbot: QtBot) -> Iterator[Open]:
    """A function that opens a graph in the folder; the record of allowed folders is that of the folder too."""
    made: list[Session] = []

    def show(shown: Graph | None = None, evaluator: MakeEvaluator = InlineEvaluator) -> Session:
        allowed = AllowedFolders(folder / "allowed.json")
        made.append(Session(shown or graph(), evaluator, folder / "a.graph", allowed=allowed))
        return made[-1]

    yield show
    for session in made:
        session.close()


def test_nothing_is_read_before_it_is_allowed(opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr("gradwire.app.live.questions.data_question.read_examples", lambda *given: read.append(given[1]))
    session = opened()
    session.apply("", edits.set_parameter, "main", "w", "value", np.array(2.0))
    assert read == []
    assert [item.file for item in session.data.waiting] == ["a.csv"]


@pytest.mark.parametrize("is_away", [False, True], ids=["here", "in a process"])
def test_once_allowed_values_appear_and_the_document_stays_as_it_was(
    opened: Open, qtbot: QtBot, in_process: MakeEvaluator, is_away: bool
) -> None:
    session = opened(evaluator=in_process if is_away else InlineEvaluator)
    before = dumps(session.graph)
    qtbot.waitUntil(lambda: session.results is not None, timeout=20_000)
    session.data.allow(always=False)
    qtbot.waitUntil(lambda: session.inferred.specs.get(X) is not None, timeout=20_000)
    assert session.inferred.specs[X].shape == (2, 2)
    qtbot.waitUntil(lambda: (port := session.results.port(X)) is not None and port.value is not None, timeout=20_000)
    assert session.data.waiting == ()
    assert dumps(session.graph) == before
    assert session.document.is_saved


def test_what_is_allowed_once_is_asked_for_again_and_always_is_not(opened: Open) -> None:
    opened().data.allow(always=False)
    again = opened()
    assert len(again.data.waiting) == 1
    again.data.allow(always=True)
    third = opened()
    assert third.data.waiting == ()
    assert third.inferred.specs[X].shape == (2, 2)


def test_edits_keep_the_content_and_a_training_has_it(opened: Open, qtbot: QtBot) -> None:
    session = opened()
    session.data.allow(always=False)
    session.apply("", edits.set_parameter, "main", "data", "batch", 1)
    assert session.inferred.specs[X].shape == (1, 2)
    session.undo()
    assert session.inferred.specs[X].shape == (2, 2)
    session.part(TrainingDesk).train(1)
    # The round is shown with the results of its run.
    qtbot.waitUntil(lambda: session.part(TrainingDesk).reached.round == 1, timeout=20_000)
    # The loss is 12 w, and w was 1.
    assert session.part(TrainingDesk).log.series("all").numbers[-1] == 12.0


def test_another_content_than_the_graph_was_written_with_is_told(opened: Open, folder: Path) -> None:
    digest = hashlib.sha256(TABLE.encode()).hexdigest()
    same = opened(graph(sha256=digest))
    same.data.allow(always=True)
    assert same.data.differing == ()
    (folder / "a.csv").write_text(TABLE + "7,8,1\n")
    other = opened(graph(sha256=digest))
    assert [item.file for item in other.data.differing] == ["a.csv"]
    other.apply("", other.data.accepted)
    assert other.data.differing == ()
    assert other.graph.block("main/data").parameters["sha256"] == read_examples(folder, "a.csv").sha256
    assert other.inferred.specs[X].shape == (3, 2)


def test_a_file_that_cannot_be_read_is_told_and_may_be_tried_again(opened: Open, folder: Path) -> None:
    (folder / "a.csv").write_text("a,b\n1\n")
    session = opened()
    session.data.allow(always=False)
    assert session.data.faults == ("a.csv has 1 instead of 2 cells in row 1; mend it, or set separator.",)
    (folder / "a.csv").write_text(TABLE)
    session.data.try_again()
    assert session.data.faults == ()
    assert session.inferred.specs[X].shape == (2, 2)


def test_a_graph_without_a_file_of_its_own_asks_for_nothing(qtbot: QtBot, folder: Path) -> None:
    session = Session(graph(), InlineEvaluator, None, allowed=AllowedFolders(folder / "allowed.json"))
    assert session.data.waiting == ()
    session.close()


def test_a_refused_file_is_the_problem_of_its_block_and_no_longer_a_missing_permission(
    opened: Open, folder: Path
) -> None:
    (folder / "a.csv").write_text("a,b,label\n1,2,3\n4,5\n")
    session = opened()
    (waiting,) = [item for item in session.problems if item.at == "main/data"]
    assert "has not been read; nothing reads it before it is allowed" in waiting.message
    session.data.allow(always=False)
    (refused,) = [item for item in session.problems if item.at == "main/data"]
    assert refused.message == session.data.content("main/data") != waiting.message
    assert refused.message.startswith("a.csv has ") and refused.severity == "error"
