"""The search popup: a choice closes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QListView
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.features.search.search_popup import SearchPopup, Source
from gradwire.app.kit.search.block_entries import Ends, TypedCode
from gradwire.app.kit.search.entries import Entry
from gradwire.app.look.appearance import Appearance
from gradwire.blocks.layers.open_weights import Weights


@pytest.fixture
def popup(qtbot: QtBot, tmp_path: Path) -> SearchPopup:
    made = SearchPopup(Appearance("dark"), Settings(tmp_path / "settings.ini"))
    qtbot.addWidget(made)
    made.open_at(QPoint(300, 300))
    return made


def field_of(popup: SearchPopup) -> QLineEdit:
    found = popup.findChild(QLineEdit, "search_field")
    assert isinstance(found, QLineEdit)
    return found


def names_in(popup: SearchPopup) -> list[str]:
    found = popup.findChild(QListView, "search_list")
    assert isinstance(found, QListView)
    model = found.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_it_opens_with_the_most_used_blocks(popup: SearchPopup) -> None:
    assert popup.isVisible()
    assert popup.size().toTuple() == (420, 440)
    assert names_in(popup) == ["Input", "Variable", "Add", "MatMul", "StopGradient", "Loss"]


def test_enter_takes_the_first_hit_and_closes(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "detach")
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Return)
    assert chosen.args is not None and chosen.args[0].type_name == "StopGradient"
    assert not popup.isVisible()


def test_down_moves_to_the_next_hit(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "max")
    second = names_in(popup)[1]
    qtbot.keyClick(field_of(popup), Qt.Key.Key_Down)
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Return)
    assert chosen.args is not None and chosen.args[0].type_name == second


def test_escape_closes_without_a_choice(popup: SearchPopup, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(popup.chosen), qtbot.waitSignal(popup.closed):
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Escape)
    assert not popup.isVisible()


def test_a_number_offers_a_constant(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "[1,2.5]")
    assert names_in(popup) == ["Constant", "Input", "Variable"]
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Enter)
    assert chosen.args is not None
    new = chosen.args[0]
    assert (new.type_name, new.name) == ("Constant", None)
    np.testing.assert_array_equal(new.parameters["value"], np.array([1, 2.5]))


def test_a_named_value_offers_an_input_of_that_name(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "x = [1,3,3]")
    assert names_in(popup) == ["Input", "Constant", "Variable"]
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Enter)
    assert chosen.args is not None
    new = chosen.args[0]
    assert (new.type_name, new.name) == ("Input", "x")
    np.testing.assert_array_equal(new.parameters["value"], np.array([1, 3, 3]))


@pytest.mark.parametrize("text", ["[1, 3, 3", "1, 3, 3", "[1, 3, 3]"])
def test_the_brackets_of_a_list_may_be_missing(popup: SearchPopup, qtbot: QtBot, text: str) -> None:
    qtbot.keyClicks(field_of(popup), text)
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Enter)
    assert chosen.args is not None
    np.testing.assert_array_equal(chosen.args[0].parameters["value"], np.array([1, 3, 3]))


def test_the_hint_says_what_will_be_connected_and_how_values_are_typed(popup: SearchPopup, qtbot: QtBot) -> None:
    hint = popup.findChild(QLabel, "search_hint")
    assert isinstance(hint, QLabel)
    assert hint.text() == "A value or a formula makes blocks too: [1, 2], y = W @ x + b, dense 8 tanh."
    popup.open_at(QPoint(10, 10), ends=Ends("Exp, ReduceSum", "", 2))
    assert hint.text().startswith("Enter connects it to Exp, ReduceSum. ")
    qtbot.keyClicks(field_of(popup), "[1]")
    assert hint.text() == "A value or a formula makes blocks too: [1, 2], y = W @ x + b, dense 8 tanh."


def test_the_hint_says_what_a_block_that_is_offered_instead_does_not_do(popup: SearchPopup, qtbot: QtBot) -> None:
    hint = popup.findChild(QLabel, "search_hint")
    qtbot.keyClicks(field_of(popup), "eig")
    assert names_in(popup) == ["SelfAdjointEig"]
    assert isinstance(hint, QLabel) and "complex numbers" in hint.text()


def test_of_two_selected_blocks_types_with_two_inputs_come_first(popup: SearchPopup, qtbot: QtBot) -> None:
    popup.open_at(QPoint(10, 10), ends=Ends(many=2))
    qtbot.keyClicks(field_of(popup), "max")
    assert names_in(popup)[0] == "Maximum"
    popup.open_at(QPoint(10, 10), ends=Ends(many=1))
    qtbot.keyClicks(field_of(popup), "max")
    assert names_in(popup)[0] == "ReduceMax"


def test_without_a_hit_the_nearest_names_are_rows(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "redukmax")
    message = popup.findChild(QLabel, "search_message")
    assert isinstance(message, QLabel) and message.text().startswith('No block is called "redukmax"')
    assert names_in(popup)[0] == "ReduceMax"


def test_what_was_typed_is_shown_as_it_is(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "<b>q</b>")
    message = popup.findChild(QLabel, "search_message")
    assert isinstance(message, QLabel) and message.textFormat() is Qt.TextFormat.PlainText
    assert "<b>q</b>" in message.text()


def test_enter_without_any_row_does_nothing(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "xyzzyq")
    assert names_in(popup) == []
    with qtbot.assertNotEmitted(popup.chosen):
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Return)
    assert popup.isVisible()


def test_only_what_fits_is_offered_and_the_next_opening_forgets_it(popup: SearchPopup) -> None:
    popup.open_at(QPoint(10, 10), lambda item: item.name in ("Tanh", "Erf"), {"Tanh": 2})
    assert names_in(popup) == ["Tanh", "Erf"]
    popup.open_at(QPoint(10, 10))
    assert "Input" in names_in(popup)


def test_of_several_layers_at_a_wire_none_is_left_out_in_silence(popup: SearchPopup) -> None:
    popup.open_at(QPoint(10, 10), lambda _: True)
    field_of(popup).setText("dense 8 tanh, dense 3")
    assert names_in(popup) == []
    assert any("one layer at a time: Dense 8 tanh." in label.text() for label in popup.findChildren(QLabel))
    field_of(popup).setText("dense 8 tanh")
    assert names_in(popup) == ["Dense 8 tanh"]


def test_it_stays_on_the_screen(popup: SearchPopup) -> None:
    popup.open_at(QPoint(100_000, 100_000))
    assert popup.screen().availableGeometry().contains(popup.frameGeometry())


def test_a_click_chooses(popup: SearchPopup, qtbot: QtBot) -> None:
    rows = popup.findChild(QListView, "search_list")
    assert isinstance(rows, QListView)
    place = rows.visualRect(rows.model().index(2, 0)).center()
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args is not None and chosen.args[0].type_name == "Add"


WEIGHTS = Weights((2, None), "float64", 3)


@pytest.mark.parametrize(("query", "shape"), [("", (2, 8)), ("5", (2, 5)), ("weights", (2, 8)), ("wei 12", (2, 12))])
def test_an_open_input_is_offered_weights_that_fit(
    popup: SearchPopup, qtbot: QtBot, query: str, shape: tuple[int, int]
) -> None:
    popup.open_at(QPoint(300, 300), ends=Ends("product", "product", 0, WEIGHTS))
    qtbot.keyClicks(field_of(popup), query)
    assert names_in(popup)[0] == f"Weights 2 × {'[ ]' if shape[1] == 8 else shape[1]}"
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Return)
    assert chosen.args is not None
    new = chosen.args[0]
    assert new.type_name == "Variable"
    assert new.parameters == {"shape": shape, "start": {"kind": "glorot_uniform", "seed": 3}}


@pytest.mark.parametrize("query", ["", "5", "relu", "[1, 2]", "x = 3"])
def test_beside_a_block_weights_come_only_when_they_are_asked_for(popup: SearchPopup, qtbot: QtBot, query: str) -> None:
    popup.open_at(QPoint(300, 300), ends=Ends("product", "product", 1, WEIGHTS))
    qtbot.keyClicks(field_of(popup), query)
    assert not any(name.startswith("Weights") for name in names_in(popup))
    field_of(popup).clear()
    qtbot.keyClicks(field_of(popup), "weights 4")
    assert names_in(popup)[0] == "Weights 2 × 4"


def test_weights_without_an_open_size_wait_for_their_word(popup: SearchPopup, qtbot: QtBot) -> None:
    popup.open_at(QPoint(300, 300), ends=Ends("sum", "sum", 0, Weights((2,), "float64", 0)))
    assert names_in(popup)[0] == "Input"
    qtbot.keyClicks(field_of(popup), "weights")
    assert names_in(popup)[0] == "Weights 2"


def test_a_layer_is_typed_with_its_settings(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "dense 3 softmax")
    assert names_in(popup) == ["Dense 3 softmax"]
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Return)
    assert chosen.args is not None
    new = chosen.args[0]
    assert (new.type_name, dict(new.parameters)) == ("layers.Dense", {"units": 3, "activation": "softmax"})


def test_a_formula_is_the_first_row_and_says_how_many_blocks_it_makes(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "y = W @ x + b")
    hint = popup.findChild(QLabel, "search_hint")
    assert isinstance(hint, QLabel) and hint.text() == "Enter makes 5 blocks."
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field_of(popup), Qt.Key.Key_Return)
    assert chosen.args == [TypedCode("y = W @ x + b")]


def test_what_has_no_block_is_said_where_it_is_typed(popup: SearchPopup, qtbot: QtBot) -> None:
    qtbot.keyClicks(field_of(popup), "y = foo(x)")
    message = popup.findChild(QLabel, "search_message")
    assert isinstance(message, QLabel) and message.text().startswith("Column 5: foo is not known here")


def test_lines_that_are_pasted_into_the_field_are_taken_at_once(popup: SearchPopup, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("a = exp(x)\nb = a * 2\n")
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field_of(popup), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert chosen.args == [TypedCode("a = exp(x)\nb = a * 2")]
    assert not popup.isVisible()


def test_a_part_that_is_slow_is_looked_through_only_where_it_comes_first(popup: SearchPopup) -> None:
    looked: list[str] = []

    def entries(name: str) -> list[Entry]:
        looked.append(name)
        return [Entry(f"{name}:1", f"Relation of {name}", print)]

    popup.sources = (
        Source("go", "Go to", lambda: entries("go"), is_slow=lambda: True),
        Source("do", "Do", lambda: entries("do")),
    )
    popup.open_at(QPoint(300, 300), text="relation")
    assert looked == ["do"]
    popup.open_at(QPoint(300, 300), text="relation", first="go")
    assert looked == ["do", "go", "do"]
