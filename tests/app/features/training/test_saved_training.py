"""Saving of a document that was trained, or whose file keeps the state of a training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.features.training.saved_training import save_document
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training import kept_state
from gradwire.engine.training.kept_state import has_state
from tests.app.features.training.test_training_desk import adam, train

Begin = Callable[..., Session]


@pytest.fixture
def begin(qtbot: QtBot) -> Iterator[Begin]:
    made: list[Session] = []

    def make(graph: Graph, path: Path | None = None) -> Session:
        made.append(Session(graph, InlineEvaluator, path))
        return made[-1]

    yield make
    for session in made:
        session.close()


@pytest.fixture
def kept(begin: Begin, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a graph whose state lies beside it, as if it were large."""
    monkeypatch.setattr(kept_state, "MOST", 0)
    path = tmp_path / "a.graph"
    session = begin(adam(), path)
    train(qtbot, session, 4)
    session.part(TrainingDesk).keeps_state = True
    save_document(session, path, None)
    return path


def beside(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir() if item.is_file() and item.suffix != ".graph")


def test_what_lies_beside_a_file_goes_with_it_to_another_folder(begin: Begin, kept: Path, tmp_path: Path) -> None:
    assert len(beside(tmp_path)) == 1
    again = begin(load(kept).graph, kept)
    (tmp_path / "there").mkdir()
    moved = tmp_path / "there" / "b.graph"
    save_document(again, moved, None)
    assert len(beside(tmp_path / "there")) == 1
    assert begin(load(moved).graph, moved).part(TrainingDesk).reached.round == 4


def test_saving_in_place_leaves_what_lies_beside(begin: Begin, kept: Path, tmp_path: Path) -> None:
    again = begin(load(kept).graph, kept)
    desk, new = again.part(TrainingDesk), begin(adam()).part(TrainingDesk)
    assert (desk.can_keep, desk.can_reset, desk.keeps_state, desk.reached.is_begun) == (True, True, True, False)
    assert (new.can_keep, new.can_reset, new.keeps_state) == (False, False, False)
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in beside(tmp_path)}
    save_document(again, kept, None)
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in beside(tmp_path)} == before
    assert has_state(load(kept).graph)


def test_a_state_that_is_no_longer_wanted_goes(begin: Begin, kept: Path, tmp_path: Path) -> None:
    again = begin(load(kept).graph, kept)
    again.part(TrainingDesk).keeps_state = False
    save_document(again, kept, None)
    assert not has_state(load(kept).graph)
    assert beside(tmp_path) == []


def test_a_state_that_is_lost_does_not_keep_a_graph_from_being_saved(begin: Begin, kept: Path, tmp_path: Path) -> None:
    for name in beside(tmp_path):
        (tmp_path / name).unlink()
    again = begin(load(kept).graph, kept)
    save_document(again, tmp_path / "b.graph", None)
    saved = load(tmp_path / "b.graph").graph
    assert np.asarray(saved.block("main/w").parameters["value"]) == pytest.approx(
        np.asarray(load(kept).graph.block("main/w").parameters["value"])
    )


def test_a_graph_that_was_never_trained_is_saved_alone(begin: Begin, tmp_path: Path) -> None:
    session = begin(adam())
    save_document(session, tmp_path / "c.graph", None)
    assert load(tmp_path / "c.graph").graph.training == adam().training and beside(tmp_path) == []
