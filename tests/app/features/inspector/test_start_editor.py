"""The editor of a Variable's start in the inspector: the kind, its settings, and the rows that they bring."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.inspector.start_editor import read_settings, settings_text
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.editing import NewBlock, place_block
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.starts import KINDS, drawn
from gradwire.engine.graph.graph import Graph, Page
from tests.app.kit.parts import unfold


class Bench:
    """An inspector that shows a Variable with the value [[1, 2]]."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        value = np.array([[1.0, 2.0]])
        graph, self.id = place_block(Graph((Page("main"),)), "main", NewBlock("Variable", {"value": value}), (0, 0))
        self.session = Session(graph, InlineEvaluator)
        self.inspector = Inspector(CurrentSession(self.session), Appearance("dark"))
        self.inspector.resize(320, 900)
        self.inspector.show()
        self.session.select(Selection(frozenset([self.id])))
        unfold(self.inspector)

    @property
    def parameters(self) -> dict[str, object]:
        return dict(self.session.page.blocks[self.id].parameters)

    def rows(self) -> set[str]:
        names = ("value", "shape", "start", "trainable")
        return {name for name in names for item in self.inspector.findChildren(QLabel, f"label_editor_{name}")
                if item.isVisible()}  # fmt: skip

    def choose(self, kind: str | None) -> None:
        """Chooses a kind and waits until the rows are those of it."""
        box = next(item for item in self.inspector.findChildren(QComboBox, "parameter_start") if item.isVisible())
        place = box.findData(kind)
        box.setCurrentIndex(place)
        box.activated.emit(place)
        wanted = {"value" if kind is None else "shape", "start", "trainable"}
        self.qtbot.waitUntil(lambda: self.rows() == wanted)

    def line(self, name: str) -> QLineEdit:
        return next(item for item in self.inspector.findChildren(QLineEdit, name) if item.isVisible())

    def type(self, name: str, text: str) -> str:
        """Types into a line and returns the sentence below it."""
        line = self.line(name)
        line.selectAll()
        QTest.keyClick(line, Qt.Key.Key_Delete)
        line.insert(text)
        line.setModified(True)
        QTest.keyClick(line, Qt.Key.Key_Return)
        labels = self.inspector.findChildren(QLabel, f"error_{name.partition('_')[2]}")
        return next((item.text() for item in labels if item.isVisible()), "")


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Bench]:
    made = Bench(qtbot)
    yield made
    made.session.close()
    made.inspector.deleteLater()


def test_a_start_takes_the_place_of_the_value_and_back(bench: Bench) -> None:
    assert bench.rows() == {"value", "start", "trainable"}
    bench.choose("he_normal")
    assert bench.parameters == {"shape": (1, 2), "start": {"kind": "he_normal"}}
    bench.choose(None)
    expected = drawn((1, 2), {"kind": "he_normal"})
    assert (np.asarray(bench.parameters["value"]) == expected).all()
    assert bench.rows() == {"value", "start", "trainable"}


def test_shape_and_seed_are_typed(bench: Bench) -> None:
    bench.choose("glorot_uniform")
    assert bench.line("settings_start").text() == "seed 0"
    assert bench.type("parameter_shape", "3, 8") == ""
    assert bench.type("settings_start", "7") == ""
    assert bench.parameters == {"shape": (3, 8), "start": {"kind": "glorot_uniform", "seed": 7}}
    assert bench.line("settings_start").text() == "seed 7"
    bench.choose("normal")
    assert bench.type("settings_start", "seed 2, stddev 0.1") == ""
    assert bench.parameters["start"] == {"kind": "normal", "seed": 2, "stddev": 0.1}


@pytest.mark.parametrize("text", ["seed -1", "seed one", "gain 2", "1 2 3 x"])
def test_settings_that_do_not_fit_are_refused_in_a_sentence(bench: Bench, text: str) -> None:
    bench.choose("glorot_uniform")
    before = bench.parameters
    assert bench.type("settings_start", text).startswith("Parameter start")
    assert bench.parameters == before


@pytest.mark.parametrize("kind", KINDS)
def test_the_line_of_settings_reads_back(kind: str) -> None:
    text = settings_text({"kind": kind})
    assert settings_text({"kind": kind, **read_settings(text, ".")}) == text


@pytest.mark.parametrize(
    ("text", "point", "expected"),
    [
        ("7", ".", {"seed": 7}),
        ("seed 7", ".", {"seed": 7}),
        ("stddev=0.5, 3", ".", {"stddev": 0.5, "seed": 3}),
        ("stddev 0,5; seed 3", ",", {"stddev": 0.5, "seed": 3}),
        ("", ".", {}),
    ],
)
def test_settings_are_names_and_numbers(text: str, point: str, expected: dict[str, object]) -> None:
    assert read_settings(text, point) == expected


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ParameterError):
        read_settings("seed seven", ".")
