"""The settings of a layer in the inspector, in place of the page that it uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.blocks.layers import layer_edits
from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port
from tests.app.kit.parts import unfold


class Bench:
    """An inspector that shows a dense layer behind an Input of shape [4, 2]."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        blocks = {"x": Block("x", "Input", at=(0, 0), parameters={"value": np.ones((4, 2))})}
        spec = TensorSpec((4, 2), np.dtype(np.float64))
        ends = [Port("x", "y")]
        graph, self.id = layer_edits.add_joined(
            Graph((Page("main", blocks),)), "main", LAYERS["Dense"], (300, 0), ends, True, lambda _: spec
        )
        self.session = Session(graph, InlineEvaluator)
        self.inspector = Inspector(CurrentSession(self.session), Appearance("dark"))
        self.inspector.resize(320, 900)
        self.inspector.show()
        self.session.select(Selection(frozenset([self.id])))
        unfold(self.inspector)

    def rows(self) -> set[str]:
        found = [item.objectName() for item in self.inspector.findChildren(QLabel) if item.isVisible()]
        return {name.removeprefix("label_editor_") for name in found if name.startswith("label_editor_")}

    def type(self, name: str, text: str) -> str:
        """Types into a line and returns the sentence below it."""
        line = next(item for item in self.inspector.findChildren(QLineEdit, f"parameter_{name}") if item.isVisible())
        line.selectAll()
        QTest.keyClick(line, Qt.Key.Key_Delete)
        line.insert(text)
        line.setModified(True)
        QTest.keyClick(line, Qt.Key.Key_Return)
        labels = self.inspector.findChildren(QLabel, f"error_{name}")
        return next((item.text() for item in labels if item.isVisible()), "")

    @property
    def kernel(self) -> object:
        return self.session.graph.page(self.id).blocks["kernel"].parameters["shape"]


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Bench]:
    made = Bench(qtbot)
    yield made
    made.session.close()
    made.inspector.deleteLater()


def test_a_layer_shows_its_settings_and_says_what_it_is(bench: Bench) -> None:
    assert {"units", "activation", "use_bias", "start", "seed"} <= bench.rows()
    assert "page" not in bench.rows()
    said = {item.text() for item in bench.inspector.findChildren(QLabel) if item.isVisible()}
    assert "Dense" in said


def test_another_number_of_units_makes_the_page_anew_in_one_undo(bench: Bench) -> None:
    before = bench.session.graph
    assert bench.type("units", "3") == ""
    assert bench.kernel == (2, 3)
    bench.session.undo()
    assert bench.session.graph is before


def test_an_activation_is_chosen(bench: Bench) -> None:
    box = next(item for item in bench.inspector.findChildren(QComboBox, "parameter_activation") if item.isVisible())
    place = box.findData("tanh")
    box.setCurrentIndex(place)
    box.activated.emit(place)
    assert "Tanh" in {block.type for block in bench.session.graph.page(bench.id).blocks.values()}


def test_units_that_do_not_fit_are_refused_in_a_sentence(bench: Bench) -> None:
    before = bench.session.graph
    assert "units must be at least 1, not 0" in bench.type("units", "0")
    assert bench.session.graph is before


def test_a_page_that_was_changed_inside_is_a_page_like_others(bench: Bench) -> None:
    bench.session.apply("Add", edits.add_block, bench.id, "Exp")
    bench.qtbot.waitUntil(lambda: "page" in bench.rows())
    assert "units" not in bench.rows()
