"""Editors emit valid values, and explain invalid ones instead of emitting them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.kit.controls.parameter_editors import MIXED, ParameterEditor, editor_for
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.look.appearance import Appearance
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import REQUIRED, Parameter
from tests.app.drawn_shapes import rooms

NO_MODIFIER = Qt.KeyboardModifier.NoModifier


def parameter_of(type_name: str, name: str) -> Parameter:
    return library[type_name].parameters[name]


class Bench:
    """One visible editor, its field, and its emitted values."""

    def __init__(self, qtbot: QtBot, type_name: str, name: str, value: object, **more: Any) -> None:
        self.qtbot = qtbot
        parameter = parameter_of(type_name, name)
        self.editor: ParameterEditor = editor_for(parameter, value, Appearance("dark"), None, **more)
        self.edited: list[object] = []
        self.editor.value_edited.connect(self.edited.append)
        qtbot.addWidget(self.editor)
        self.editor.show()

    @property
    def line(self) -> QLineEdit:
        found = self.editor.findChild(QLineEdit, f"parameter_{self.editor.parameter.name}")
        assert isinstance(found, QLineEdit)
        return found

    @property
    def box(self) -> QComboBox:
        found = self.editor.findChild(QComboBox, f"parameter_{self.editor.parameter.name}")
        assert isinstance(found, QComboBox)
        return found

    @property
    def error(self) -> str:
        found = self.editor.findChild(QLabel, f"error_{self.editor.parameter.name}")
        assert isinstance(found, QLabel)
        return "" if found.isHidden() else found.text()

    def type(self, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
        self.line.setFocus()
        self.line.selectAll()
        self.qtbot.keyClick(self.line, Qt.Key.Key_Delete)
        self.qtbot.keyClicks(self.line, text)
        self.qtbot.keyClick(self.line, key)

    def focus(self) -> None:
        self.editor.activateWindow()
        self.line.setFocus()
        self.qtbot.waitUntil(self.line.hasFocus)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NO_MODIFIER) -> None:
        self.qtbot.keyClick(self.line, key, modifier)


def test_every_parameter_of_every_block_has_an_editor_that_shows_its_default(qtbot: QtBot) -> None:
    appearance = Appearance("light")
    for block_type in library:
        for parameter in block_type.parameters.values():
            editor = editor_for(parameter, parameter.default, appearance, None)
            qtbot.addWidget(editor)
            assert editor._value is parameter.default


@pytest.mark.parametrize(
    ("type_name", "name", "value", "text", "expected"),
    [
        ("Softmax", "axis", -1, "2", 2),
        ("LeakyRelu", "alpha", 0.2, "1e-3", 0.001),
        ("LeakyRelu", "alpha", 0.2, "-.5", -0.5),
        ("Input", "minimum", 1.0, "", None),
        ("Einsum", "equation", "ij->i", "ij,jk->ik", "ij,jk->ik"),
        ("ReduceMax", "axis", None, "1", 1),
        ("ReduceMax", "axis", None, "0, 1", (0, 1)),
        ("ReduceMax", "axis", 1, "", None),
        ("Conv2D", "strides", 1, "[2, 1]", (2, 1)),
        ("Conv2D", "strides", 1, "3", 3),
        ("Reshape", "shape", (2, 3), "3 2", (3, 2)),
        ("Reshape", "shape", (2, 3), "6", (6,)),
        ("Transpose", "perm", (1, 0), "", None),
        ("Conv2D", "padding", "SAME", "valid", "VALID"),
        ("Conv2D", "padding", "SAME", "[0, 0], [1, 2]", ((0, 0), (1, 2))),
        ("Bucketize", "boundaries", (), "0.5, 2", (0.5, 2.0)),
        ("Bucketize", "boundaries", (1.0,), "[]", ()),
        ("Gradients", "stop_gradients", (), "a.y, b.z", ("a.y", "b.z")),
    ],
)
def test_what_is_typed_is_handed_on_in_normal_form(
    qtbot: QtBot, type_name: str, name: str, value: object, text: str, expected: object
) -> None:
    bench = Bench(qtbot, type_name, name, value)
    bench.type(text)
    assert bench.edited == [expected]
    assert type(bench.edited[0]) is type(expected)


@pytest.mark.parametrize(
    ("type_name", "name", "value", "text"),
    [
        ("Softmax", "axis", -1, "1.5"),
        ("Softmax", "axis", -1, ""),
        ("LeakyRelu", "alpha", 0.2, "__import__('os')"),
        ("LeakyRelu", "alpha", 0.2, "nan"),
        ("LeakyRelu", "alpha", 0.2, "1 2"),
        ("ReduceMax", "axis", None, "x"),
        ("Reshape", "shape", (2,), "[2, [3]]"),
        ("Conv2D", "padding", "SAME", "[1, 2, 3]"),
        ("Input", "value", np.array([1.0]), "[1, 2"),
        ("Input", "value", np.array([1.0]), "[[1, 2], [3]]"),
        ("Input", "value", np.array([1.0]), "[1]]"),
    ],
)
def test_what_does_not_fit_is_marked_explained_and_not_handed_on(
    qtbot: QtBot, type_name: str, name: str, value: object, text: str
) -> None:
    bench = Bench(qtbot, type_name, name, value)
    bench.type(text)
    assert bench.edited == []
    assert bench.line.property("state") == "error"
    assert bench.error.startswith("Parameter ")
    assert bench.line.text() == text


def test_an_error_does_not_widen_its_field(qtbot: QtBot) -> None:
    shown = Bench(qtbot, "Softmax", "axis", -1)
    label = shown.editor.findChild(QLabel, "error_axis")
    assert isinstance(label, QLabel) and label.minimumWidth() == 1 and label.wordWrap()
    assert rooms(shown.editor)[0] == "0 · 2"


def test_the_mark_goes_when_the_text_fits(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Softmax", "axis", -1)
    bench.type("x")
    bench.type("0")
    assert (bench.edited, bench.error, bench.line.property("state")) == ([0], "", "")


def test_escape_takes_back_what_was_typed(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Softmax", "axis", -1)
    bench.type("7", Qt.Key.Key_Escape)
    bench.press(Qt.Key.Key_Return)
    assert (bench.line.text(), bench.edited) == ("-1", [])


def test_leaving_the_field_finishes(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Softmax", "axis", -1)
    bench.focus()
    bench.type("3", Qt.Key.Key_End)
    bench.line.clearFocus()
    assert bench.edited == [3]


def test_the_same_value_again_is_no_edit(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "LeakyRelu", "alpha", 0.2)
    bench.type("0.20")
    assert (bench.edited, bench.line.text()) == ([], "0.2")


@pytest.mark.parametrize(
    ("modifier", "expected"),
    [
        (NO_MODIFIER, 0.21),
        (Qt.KeyboardModifier.ShiftModifier, 0.201),
        (Qt.KeyboardModifier.ControlModifier, 0.3),
    ],
)
def test_up_steps_a_number_finer_with_shift_and_coarser_with_ctrl(
    qtbot: QtBot, modifier: Qt.KeyboardModifier, expected: float
) -> None:
    bench = Bench(qtbot, "LeakyRelu", "alpha", 0.2)
    bench.press(Qt.Key.Key_Up, modifier)
    assert bench.edited == [expected]


def test_down_steps_a_whole_number_by_one_and_by_ten_with_ctrl(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "OneHot", "depth", 20)
    bench.press(Qt.Key.Key_Down)
    bench.press(Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert bench.edited == [19, 9]


def test_steps_are_told_from_typed_values(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Softmax", "axis", 0)
    steps: list[bool] = []
    bench.editor.value_edited.connect(lambda _: steps.append(bench.editor.is_stepping))
    bench.press(Qt.Key.Key_Up)
    bench.type("5")
    assert steps == [True, False]


def test_a_switch_is_handed_on_at_once(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "ReduceMax", "keepdims", False)
    switch = bench.editor.findChild(Switch, "parameter_keepdims")
    assert isinstance(switch, Switch)
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert bench.edited == [True]


def test_a_choice_offers_what_the_parameter_takes(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Loss", "reduction", "sum")
    assert [bench.box.itemText(place) for place in range(bench.box.count())] == ["sum", "mean"]
    qtbot.keyClick(bench.box, Qt.Key.Key_Down)
    assert bench.edited == ["mean"]


def test_a_dtype_is_chosen_from_the_nine_known_ones(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Cast", "dtype", "float32")
    assert bench.box.count() == 9
    assert bench.box.currentText() == "float32"


def test_a_page_is_chosen_by_name(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Page", "page", "one", pages=["one", "two"])
    qtbot.keyClick(bench.box, Qt.Key.Key_Down)
    assert bench.edited == ["two"]


def test_set_value_shows_without_handing_on(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Softmax", "axis", -1)
    bench.editor.set_value(4)
    assert (bench.line.text(), bench.edited) == ("4", [])


def test_what_is_being_typed_survives_a_new_value(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Softmax", "axis", -1)
    bench.focus()
    qtbot.keyClicks(bench.line, "2")
    before = bench.line.text()
    bench.editor.set_value(9)
    assert bench.line.text() == before


def test_different_values_show_none_of_them(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Softmax", "axis", MIXED)
    assert (bench.line.text(), bench.line.placeholderText()) == ("", "mixed")


def test_a_large_tensor_is_shown_by_shape_and_cannot_be_typed_over(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Input", "value", np.zeros((5, 13)))
    assert bench.line.isReadOnly()
    assert bench.line.text() == "[5×13] float64"


def test_a_tensor_of_64_elements_can_be_typed_over(qtbot: QtBot) -> None:
    assert not Bench(qtbot, "Input", "value", np.zeros((8, 8))).line.isReadOnly()


def test_the_edited_tensor_keeps_its_dtype(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Input", "value", np.array([1, 2], np.int32))
    bench.type("[4, 5, 6]")
    (edited,) = bench.edited
    assert isinstance(edited, np.ndarray)
    assert (edited.dtype.name, edited.tolist()) == ("int32", [4, 5, 6])


def test_help_on_an_error_is_no_rich_text(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Einsum", "equation", "i->")
    bench.editor.show_error("<b>bold</b>")
    label = bench.editor.findChild(QLabel, "error_equation")
    assert isinstance(label, QLabel)
    assert label.textFormat() is Qt.TextFormat.PlainText


@pytest.fixture
def _german_numbers() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("de"))
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("_german_numbers")
@pytest.mark.parametrize(
    ("type_name", "name", "value", "text", "expected"),
    [
        ("LeakyRelu", "alpha", 0.2, "0,5", 0.5),
        ("LeakyRelu", "alpha", 0.2, "0.25", 0.25),
        ("Input", "minimum", None, "-1,5", -1.5),
        ("Bucketize", "boundaries", (), "0,5", (0.0, 5.0)),
        ("ReduceMax", "axis", None, "0,1", (0, 1)),
    ],
)
def test_a_decimal_comma_is_read_in_a_single_number_and_parts_a_list(
    qtbot: QtBot, type_name: str, name: str, value: object, text: str, expected: object
) -> None:
    bench = Bench(qtbot, type_name, name, value)
    bench.type(text)
    assert bench.edited == [expected]


def test_without_such_a_locale_a_comma_is_no_decimal_point(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "LeakyRelu", "alpha", 0.2)
    bench.type("0,5")
    assert bench.edited == []
    assert bench.error


def test_a_number_that_may_be_whole_shows_whether_it_is(qtbot: QtBot) -> None:
    assert Bench(qtbot, "Range", "start", 1.0).line.text() == "1.0"
    assert Bench(qtbot, "Range", "start", 1).line.text() == "1"
    assert Bench(qtbot, "LeakyRelu", "alpha", 1.0).line.text() == "1"


@pytest.mark.parametrize(
    ("type_name", "name", "value", "hint"),
    [
        ("ReduceMax", "axis", None, "all"),
        ("Input", "minimum", None, "none"),
        ("OneHot", "depth", REQUIRED, ""),
        ("Conv2DTranspose", "output_shape", REQUIRED, "2, 3"),
        ("Bucketize", "boundaries", REQUIRED, "0.5, 2"),
        ("Conv2D", "padding", REQUIRED, "SAME, VALID or pairs"),
        ("Pad", "paddings", REQUIRED, "[1, 1], [0, 2]"),
        ("Gradients", "stop_gradients", (), "block.port, block.port"),
        ("ReduceMax", "axis", MIXED, "mixed"),
    ],
)
def test_an_empty_line_says_what_it_means_or_gives_an_example(
    qtbot: QtBot, type_name: str, name: str, value: object, hint: str
) -> None:
    line = Bench(qtbot, type_name, name, value).line
    assert (line.text(), line.placeholderText(), line.cursorPosition()) == ("", hint, 0)


def test_the_word_none_is_none_where_that_is_a_value(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "ReduceMax", "axis", 1)
    bench.type(" None ")
    assert bench.edited == [None]
    bench = Bench(qtbot, "Einsum", "equation", "i->")
    bench.type("none")
    assert bench.edited == ["none"]


def test_arrows_do_nothing_in_a_line_that_holds_no_number(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Einsum", "equation", "i->")
    bench.press(Qt.Key.Key_Up)
    assert bench.edited == []
    open_ = Bench(qtbot, "OneHot", "depth", REQUIRED)
    open_.press(Qt.Key.Key_Up)
    assert (open_.edited, open_.line.text()) == ([], "")


def test_a_typed_number_is_finished_before_it_steps(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "OneHot", "depth", 20)
    bench.type("7", Qt.Key.Key_Up)
    assert (bench.edited, bench.line.text(), bench.editor.is_stepping) == ([7, 8], "8", False)


@pytest.mark.parametrize(
    ("text", "caret", "key", "modifier", "expected", "marked"),
    [
        ([1.0, 2.5], 1, Qt.Key.Key_Up, NO_MODIFIER, [1.1, 2.5], "1.1"),
        ([1.0, 2.5], 4, Qt.Key.Key_Down, NO_MODIFIER, [1.0, 2.4], "2.4"),
        ([1.0, 2.5], 4, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier, [1.0, 3.5], "3.5"),
        ([1, 2], 4, Qt.Key.Key_Down, NO_MODIFIER, [1, 1], "1"),
        ([1, 2], 1, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier, [2, 2], "2"),
    ],
)
def test_arrows_step_the_element_of_a_tensor_at_the_caret(
    qtbot: QtBot,
    text: list[float],
    caret: int,
    key: Qt.Key,
    modifier: Qt.KeyboardModifier,
    expected: list[float],
    marked: str,
) -> None:
    bench = Bench(qtbot, "Input", "value", np.array(text))
    bench.line.setCursorPosition(caret)
    bench.press(key, modifier)
    (edited,) = bench.edited
    assert np.asarray(edited).tolist() == expected
    assert bench.line.selectedText() == marked


@pytest.mark.parametrize("array", [np.array([True]), np.zeros(65), np.zeros(0)])
def test_arrows_leave_other_tensors_as_they_are(qtbot: QtBot, array: np.ndarray) -> None:
    bench = Bench(qtbot, "Input", "value", array)
    before = bench.line.text()
    bench.press(Qt.Key.Key_Up)
    assert (bench.edited, bench.line.text()) == ([], before)


def test_what_an_expression_comes_to_is_shown_until_it_is_entered(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Input", "value", np.array([1.0]))
    result = bench.editor.findChild(QLabel, "result_value")
    assert result is not None and result.isHidden()
    bench.type("1/2", Qt.Key.Key_End)
    assert (result.text(), result.isHidden()) == ("= 0.5", False)
    qtbot.keyClick(bench.line, Qt.Key.Key_Return)
    assert result.isHidden() and np.asarray(bench.edited[0]).tolist() == 0.5


def test_a_tensor_has_a_button_for_its_table(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Input", "value", np.array([1.0]))
    line, button = bench.editor.stops()
    assert line is bench.line and button.objectName() == "table_value" and button.size().toTuple() == (28, 24)
    assert {size.toTuple() for size in button.icon().availableSizes()} == {(14, 14), (28, 28)}  # type: ignore[attr-defined]
    with qtbot.waitSignal(bench.editor.table_asked):  # type: ignore[attr-defined]  # an editor of tensors has it
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert Bench(qtbot, "Softmax", "axis", 0).editor.stops() != [line]


@pytest.mark.parametrize(
    ("type_name", "name", "value", "shown", "hint"),
    [
        ("Loss", "reduction", "mean", "mean", "choose"),
        ("Loss", "reduction", MIXED, "", "mixed"),
        ("Cast", "dtype", REQUIRED, "", "choose"),
        ("Cast", "dtype", "complex64", "complex64", "complex64"),
        ("Cast", "dtype", (1, 2), "", "[1, 2]"),
        ("Data", "separator", " ", "blanks", " "),
        ("Data", "separator", "\t", "tabs", "\t"),
        ("Data", "separator", "#", "#", "#"),
    ],
)
def test_a_choice_shows_what_is_chosen_even_if_it_is_not_offered(
    qtbot: QtBot, type_name: str, name: str, value: object, shown: str, hint: str
) -> None:
    bench = Bench(qtbot, type_name, name, "sum" if type_name == "Loss" else "float32" if name == "dtype" else "auto")
    offered = bench.box.count()
    bench.editor.set_value(value)
    assert bench.box.currentText() == shown
    if shown == "":
        assert (bench.box.currentIndex(), bench.box.placeholderText()) == (-1, hint)
    assert bench.box.count() == offered + (shown in ("complex64", "#"))
    bench.editor.set_value("mean" if type_name == "Loss" else "float64" if name == "dtype" else ",")
    assert bench.box.count() == offered and bench.edited == []


def test_a_switch_says_that_values_differ(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "ReduceMax", "keepdims", MIXED)
    switch = bench.editor.findChild(Switch, "parameter_keepdims")
    assert switch is not None and (switch.text(), switch.isChecked()) == ("mixed", False)
    bench.editor.set_value(True)
    assert (switch.text(), switch.isChecked()) == ("", True)
    assert switch.minimumHeight() == 24


def test_a_page_without_names_on_offer_is_typed(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Page", "page", "one")
    bench.type("two")
    assert bench.edited == ["two"]


def test_another_block_drops_what_was_typed_and_its_error(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Softmax", "axis", -1)
    bench.type("x")
    assert bench.error
    bench.editor.start_with(-1)
    assert (bench.line.text(), bench.error, bench.line.property("state"), bench.line.toolTip()) == ("-1", "", "", "")


def test_the_same_value_again_keeps_an_error(qtbot: QtBot) -> None:
    bench = Bench(qtbot, "Softmax", "axis", -1)
    bench.type("x")
    bench.editor.set_value(-1)
    assert bench.error and bench.line.text() == "x"


@pytest.mark.parametrize("key", [Qt.Key.Key_Z, Qt.Key.Key_Y])
def test_undo_after_enter_is_that_of_the_document(key: Qt.Key, qtbot: QtBot) -> None:
    bench = Bench(qtbot, "LeakyRelu", "alpha", 0.2)

    def is_taken() -> bool:
        override = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.ControlModifier)
        override.ignore()
        QApplication.sendEvent(bench.line, override)
        return override.isAccepted()

    bench.type("0.5", Qt.Key.Key_0)
    # While a text is typed, the line undoes it.
    assert bench.line.isModified() and is_taken()
    before = bench.line.text()
    for undo, is_back in ((Qt.Key.Key_Z, False), (Qt.Key.Key_Y, True)):
        bench.press(undo, Qt.KeyboardModifier.ControlModifier)
        assert (bench.line.text() == before) is is_back
    qtbot.keyClick(bench.line, Qt.Key.Key_Return)
    assert bench.edited and not is_taken()
