"""What the parameters of a block may choose from, switches for names, and settings of layers, without an inspector."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.inspector.layer_settings import layer_of_block, setting_edit, setting_of
from gradwire.app.features.inspector.names_editor import NamesEditor
from gradwire.app.features.inspector.offered_names import offered_names
from gradwire.app.features.inspector.parameter_rows import ParameterRows
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.blocks.layers import layer_edits
from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.window.graphs import decay

DARK = Appearance("dark")


def parameters(kind: str) -> list[Parameter]:
    found = library.get(kind)
    assert found is not None
    return list(found.parameters.values())


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session(decay(4), InlineEvaluator)
    yield made
    made.close()


def test_a_loop_offers_other_pages_what_it_may_split_and_what_it_may_collect(session: Session) -> None:
    """Of h, which is carried from round to round, and w only w may be split."""
    block = session.page.blocks["rec"]
    found = offered_names(session, block, parameters("Scan"))
    assert found == {"page": ("cell",), "each": ("w",), "collect": ("h",)}
    session.apply("Add", edits.add_page, "more")
    assert offered_names(session, block, parameters("Scan"))["page"] == ("cell", "more")
    lost = block.__class__("rec", "Scan", parameters={**block.parameters, "page": "gone"})
    assert "each" not in offered_names(session, lost, parameters("Scan"))


def test_other_blocks_offer_pages_alone_and_only_where_there_are_some(session: Session) -> None:
    assert offered_names(session, session.page.blocks["w"], parameters("Variable")) == {}
    page = session.page.blocks["w"].__class__("p", "Page", parameters={"page": "cell"})
    assert offered_names(session, page, parameters("Page")) == {"page": ("cell",)}
    alone = Session(Graph(), InlineEvaluator)
    assert offered_names(alone, page, parameters("Page")) == {}
    alone.close()


# Switches for names


@pytest.fixture
def each() -> Parameter:
    return next(item for item in parameters("Scan") if item.name == "each")


def editor(qtbot: QtBot, each: Parameter, value: object, *names: str) -> NamesEditor:
    parent = QWidget()
    qtbot.addWidget(parent)
    return NamesEditor(each, value, names, DARK, parent)


@pytest.mark.parametrize(
    ("value", "names", "places", "chosen"),
    [
        ((), ("a", "b", "c"), {"a": (0, 0), "b": (0, 1), "c": (1, 0)}, []),
        (("b",), ("a", "b"), {"a": (0, 0), "b": (0, 1)}, ["b"]),
        (("old", "a"), ("a",), {"a": (0, 0), "old": (0, 1)}, ["a", "old"]),
        (None, ("a",), {"a": (0, 0)}, []),
        ((), (), {}, []),
    ],
)
def test_each_name_has_a_switch_in_two_columns(
    qtbot: QtBot, each: Parameter, value: object, names: tuple[str, ...],
    places: dict[str, tuple[int, int]], chosen: list[str],
) -> None:  # fmt: skip
    made = editor(qtbot, each, value, *names)
    grid, switches = made._grid, made._switches
    assert {name: grid.getItemPosition(grid.indexOf(item))[:2] for name, item in switches.items()} == places
    assert [name for name, item in switches.items() if item.isChecked()] == chosen
    nothing = made.findChild(QLabel, "no_each")
    assert isinstance(nothing, QLabel) and nothing.isHidden() is bool(places)
    assert (grid.indexOf(nothing) >= 0) is not bool(places) and nothing.height() == 24
    assert made.stops() == ([*switches.values()] or [made._box])
    assert all(item.minimumHeight() == 24 for item in switches.values())


def test_a_click_gives_all_names_that_are_on_in_their_order(qtbot: QtBot, each: Parameter) -> None:
    made, heard = editor(qtbot, each, ("b",), "a", "b", "c"), list[object]()
    made.value_edited.connect(heard.append)
    made._switches["a"].click()
    made._switches["b"].click()
    assert heard == [("a", "b"), ("a",)]
    before = dict(made._switches)
    made.set_value(("c",))
    assert made._switches == before and made._switches["c"].isChecked()
    made.set_value(("d",))
    assert list(made._switches) == ["a", "b", "c", "d"]
    assert not [name for name in "abc" if made._switches[name].isChecked()]


# Rows of parameters


def test_a_start_stands_for_the_value_and_has_a_shape(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    rows = ParameterRows(parameters("Variable"), lambda item: item.default, DARK, parent, {})
    editors = {item.parameter.name: item for item in rows._editors}
    for start, hidden in ((None, {"shape"}), ({"kind": "zeros"}, {"value"})):
        rows.refresh(lambda item, start=start: start if item.name == "start" else item.default)  # type: ignore[misc]
        assert {name for name in ("value", "shape", "start") if editors[name].isHidden()} == hidden
    assert rows.edit("shape") is editors["shape"] and rows.edit("none") is None


# Settings of layers


@pytest.fixture
def dense() -> Iterator[tuple[Session, str]]:
    """A session with a dense layer behind an Input of shape [4, 2], and the name of the layer's block."""
    graph, _ = edits.add_block(Graph(), "main", "Input", id="x", parameters={"value": np.ones((4, 2))})
    spec = TensorSpec((4, 2), np.dtype(np.float64))
    graph, name = layer_edits.add_joined(
        graph, "main", LAYERS["Dense"], (300, 0), [Port("x", "y")], True, lambda _: spec
    )
    made = Session(graph, InlineEvaluator)
    yield made, name
    made.close()


def test_a_layer_is_known_by_its_page(dense: tuple[Session, str], session: Session) -> None:
    shown, name = dense
    found = layer_of_block(shown, shown.page.blocks[name])
    assert found is not None and found.name == "Dense"
    assert layer_of_block(shown, shown.page.blocks[name]) is found
    assert layer_of_block(shown, shown.page.blocks["x"]) is None
    assert layer_of_block(session, session.page.blocks["rec"]) is None
    given, units = setting_of(shown, shown.page.blocks[name]), found.parameters["units"]
    assert given(units) == units.default
    edit, arguments = setting_edit(shown, name, "units", 5)
    shown.apply("Set", edit, *arguments)
    given = setting_of(shown, shown.page.blocks[name])
    assert given(units) == 5
    other = Parameter("other", units.kind, 7)
    assert given(other) == 7
    for block, owner in ((shown.page.blocks["x"], shown), (session.page.blocks["rec"], session)):
        assert setting_of(owner, block)(units) == units.default


def test_the_edit_of_a_setting_knows_what_arrives(dense: tuple[Session, str]) -> None:
    shown, name = dense
    edit, arguments = setting_edit(shown, name, "units", 5)
    assert edit is layer_edits.set_setting and arguments[:4] == ["main", name, "units", 5]
    (spec,) = arguments[4].values()
    assert spec is not None and spec.shape == (4, 2)
    assert list(setting_edit(shown, "x", "units", 5)[1][4]) == []
