"""The numbers of a training as a table, and what was reached at each graph."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.training.reached import Reached, ReachedAt
from gradwire.app.features.training.training_table import TrainingModel
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import Chunk
from gradwire.engine.graph.graph import Graph
from tests.app.window.graphs import chain


@pytest.fixture
def model(qtbot: QtBot) -> TrainingModel:
    parent = QWidget()
    qtbot.addWidget(parent)
    log = RoundLog()
    log.add(Chunk({"loss": [0, 1, 1200], "acc": [1, 3]}, {"loss": [4.0, 2.0, 1.0], "acc": [0.25, 0.5]}))
    made = TrainingModel(parent)
    made.keep = parent  # type: ignore[attr-defined]  # Qt deletes it with its parent
    made.show_log(log, ["loss", "acc"])
    return made


def test_each_round_is_a_row_newest_first_with_dashes_for_what_was_not_measured(model: TrainingModel) -> None:
    assert model.size() == (4, 3)
    cells = [[model.data(model.index(row, column)) for column in range(3)] for row in range(4)]
    assert cells == [["1,200", "1", "–"], ["3", "–", "0.5"], ["1", "2", "0.25"], ["0", "4", "–"]]


def test_headings_are_the_round_and_the_names_of_the_series(model: TrainingModel) -> None:
    across = Qt.Orientation.Horizontal
    assert [model.headerData(section, across) for section in range(3)] == ["Round", "loss", "acc"]
    assert model.headerData(1, Qt.Orientation.Vertical) is None
    assert model.headerData(1, across, Qt.ItemDataRole.ToolTipRole) is None
    assert model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole) is None
    assert model.data(model.index(0, 1), Qt.ItemDataRole.AccessibleTextRole) == "1"
    assert model.data(model.index(0, 0), Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    model.show_log(RoundLog(), [])
    assert model.size() == (0, 1)


def test_what_was_reached_goes_with_its_graph() -> None:
    known, graph, other = ReachedAt(), chain(), chain()
    first, second = Reached(1), Reached(2)
    known.note(graph, first)
    assert known.get(graph) is first and known.get(other) is None
    known.note(graph, second)
    known.note(other, first)
    gc.collect()
    assert known.get(graph) is second and known.get(other) is first and len(known._known) == 2
    del other
    gc.collect()
    assert len(known._known) == 1 and known.get(graph) is second and known.get(Graph()) is None
