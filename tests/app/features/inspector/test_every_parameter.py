"""Every parameter of every placeable block type has an editor that accepts legal values and refuses others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.kit.controls.parameter_text import can_be_none
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.editing import NewBlock, place_block
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.graph.block_parameters import VALUES
from gradwire.engine.graph.graph import Graph, Page, same_value
from gradwire.interop.search.block_search import placeable_types
from tests.app.kit.parts import unfold

TYPES = sorted(placeable_types(), key=lambda item: item.name)
# Typical texts for each kind, and their values.
LEGAL: dict[str, list[tuple[str, object]]] = {
    "integer": [("3", 3), ("-2", -2), ("0", 0)],
    "number": [("0.25", 0.25), ("-1e-3", -0.001), ("7", 7)],
    "text": [("ij,jk->ik", "ij,jk->ik"), ("other", "other")],
    "axes": [("1", 1), ("[0, 1]", (0, 1)), ("-1, 0", (-1, 0))],
    "sizes": [("2", 2), ("[2, 3]", (2, 3)), ("3 3", (3, 3))],
    "integers": [("1, 0", (1, 0)), ("[4]", (4,)), ("[]", ()), ("5", (5,))],
    "numbers": [("0.5, 2", (0.5, 2.0)), ("[]", ()), ("1", (1.0,))],
    "padding": [("valid", "VALID"), ("SAME", "SAME"), ("[1, 1], [0, 2]", ((1, 1), (0, 2)))],
    "pairs": [("[1, 1], [0, 2]", ((1, 1), (0, 2))), ("[[3, 0]]", ((3, 0),))],
    "ports": [("a.y, b.z", ("a.y", "b.z")), ("", ())],
    "name": [("size, mm", "size, mm"), ('[a, "b, c", 3]', ("a", "b, c", "3")), ("", "")],
    "names": [("a, b", ("a", "b")), ('"size, mm", 3', ("size, mm", "3")), ("", ())],
    "tensor": [("[[1, nan], [3, inf]]", np.array([[1, np.nan], [3, np.inf]])), ("2.5", np.array(2.5))],
}
ILLEGAL: dict[str, list[str]] = {
    "integer": ["1.5", "x", "1 2"],
    "number": ["nan", "one", "[1]"],
    "text": [],
    "axes": ["1.5", "first"],
    "sizes": ["2.5", "big"],
    "integers": ["[1, [2]]", "a, b", "0.5"],
    "numbers": ["[1, [2]]", "inf"],
    "padding": ["[1, 2, 3]", "FULL", "[-1, 0]"],
    "pairs": ["[1]", "[1, -1], [0, 0]", "3"],
    "ports": [],
    "name": ['["a]'],
    "names": ['"a'],
    "tensor": ["[1, 2", "[[1, 2], [3]]", "x"],
}


class Bench:
    """One inspector that shows block after block, each alone in the graph."""

    def __init__(self) -> None:
        self.session = Session(Graph((Page("main"),)), InlineEvaluator)
        # Nothing runs: many values do not suit the block.
        self.session.runs.set_live(False)
        self.inspector = Inspector(CurrentSession(self.session), Appearance("dark"))
        self.inspector.resize(320, 900)
        self.inspector.show()
        # Kinds of parameters whose texts have all been refused: of each further parameter one is enough.
        self.guarded: set[str] = set()

    def place(self, block_type: BlockType) -> str:
        graph, block_id = place_block(Graph((Page("main"),)), "main", NewBlock(block_type.name), (0, 0))
        self.session.apply("Replace", lambda _: graph)
        self.session.select(Selection(frozenset([block_id])))
        unfold(self.inspector)
        return block_id

    def field(self, kind: type[QWidget], name: str) -> QWidget:
        found = [item for item in self.inspector.findChildren(kind, f"parameter_{name}") if item.isVisible()]
        assert len(found) == 1, name
        return found[0]

    def value(self, block_id: str, parameter: Parameter) -> object:
        return self.session.page.blocks[block_id].parameters.get(parameter.name, parameter.default)

    def type(self, parameter: Parameter, text: str) -> str:
        """Types into the parameter's line and returns the sentence below it."""
        line = self.field(QLineEdit, parameter.name)
        assert isinstance(line, QLineEdit)
        line.selectAll()
        QTest.keyClick(line, Qt.Key.Key_Delete)
        line.insert(text)
        line.setModified(True)
        QTest.keyClick(line, Qt.Key.Key_Return)
        labels = self.inspector.findChildren(QLabel, f"error_{parameter.name}")
        return next((item.text() for item in labels if item.isVisible()), "")


@pytest.fixture(scope="module")
def bench(qapp: object) -> Iterator[Bench]:
    made = Bench()
    yield made
    made.session.close()
    made.inspector.deleteLater()


def check_line(bench: Bench, block_id: str, parameter: Parameter) -> None:
    kind = parameter.kind.name
    for text, expected in LEGAL[kind]:
        refused = bench.type(parameter, text)
        found = bench.value(block_id, parameter)
        if not refused:
            assert same_value(found, parameter.kind.check(expected)), (block_id, parameter.name, text, found)
        else:
            # The block may be stricter than the kind; then the graph stays unchanged.
            assert refused.endswith("."), refused
    for text in ILLEGAL[kind][: 1 if kind in bench.guarded else None]:
        before = bench.session.graph
        assert bench.type(parameter, text).endswith("."), (block_id, parameter.name, text)
        assert bench.session.graph is before
    bench.guarded.add(kind)
    if can_be_none(parameter):
        bench.type(parameter, LEGAL[kind][0][0])
        assert bench.type(parameter, "") == ""
        assert bench.value(block_id, parameter) is None
        bench.type(parameter, LEGAL[kind][0][0])
        assert bench.type(parameter, "none") == ""
        assert bench.value(block_id, parameter) is None


def check_choice(bench: Bench, block_id: str, parameter: Parameter) -> None:
    box = bench.field(QComboBox, parameter.name)
    assert isinstance(box, QComboBox)
    offered = [box.itemData(place) for place in range(box.count())]
    assert (None in offered) == can_be_none(parameter)
    assert set(parameter.kind.choices) <= set(offered)
    for place, expected in reversed(list(enumerate(offered))):
        box.setCurrentIndex(place)
        box.activated.emit(place)
        assert bench.value(block_id, parameter) == expected, (block_id, parameter.name)


def check_switch(bench: Bench, block_id: str, parameter: Parameter) -> None:
    switch = bench.field(Switch, parameter.name)
    for _ in range(2):
        before = bench.value(block_id, parameter)
        QTest.keyClick(switch, Qt.Key.Key_Space)
        assert bench.value(block_id, parameter) is (not before)


CHECKS: dict[str, Callable[[Bench, str, Parameter], None]] = {
    "boolean": check_switch,
    "choice": check_choice,
    "dtype": check_choice,
    "separator": check_choice,
}


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, len(TYPES), 40))
def test_every_parameter_is_set_and_guarded(bench: Bench, start: int, qtbot: QtBot) -> None:
    for block_type in TYPES[start : start + 40]:
        block_id = bench.place(block_type)
        # A value and a start take each other's place; test_start_editor tries these.
        parameters = block_type.parameters.values()
        for parameter in [item for item in parameters if not (block_type.is_variable and item.name in VALUES)]:
            CHECKS.get(parameter.kind.name, check_line)(bench, block_id, parameter)


def test_the_block_types_are_all_there() -> None:
    assert len(TYPES) >= 281
