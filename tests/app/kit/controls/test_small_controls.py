"""Controls that are reached by other ways than the mouse, and the sizes of rows. Units: px."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.kit.controls import copy_button
from gradwire.app.kit.controls.copy_button import CopyButton, ask_tensor_file
from gradwire.app.kit.controls.form_parts import FIELD_HEIGHT, LABEL_WIDTH, Section, labelled_row, show_row
from gradwire.app.kit.controls.parameter_editors import ChoiceEditor, LineEditor
from gradwire.app.kit.controls.radio_button import RadioAccessible, RadioButton
from gradwire.app.kit.values.tensor_bar import TensorBar
from gradwire.app.kit.values.tensor_fill import FillLine
from gradwire.app.look.appearance import Appearance
from gradwire.engine.blocktypes.library import library
from tests.app.drawn_shapes import room_of, rooms


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("is_enabled", [True, False])
def test_a_screen_reader_presses_a_radio_button_or_gives_it_the_keyboard(parent: QWidget, is_enabled: bool) -> None:
    button, clicks = RadioButton(parent), list[int]()
    button.clicked.connect(lambda: clicks.append(1))
    button.setEnabled(is_enabled)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    parent.show()
    told = QAccessible.queryAccessibleInterface(button)
    assert told is not None and isinstance(told, RadioAccessible)
    told.doAction("unknown")
    assert clicks == [] and told.state().checked == button.isChecked()
    told.doAction(QAccessibleActionInterface.pressAction())
    assert clicks == [1] * is_enabled and button.isChecked() is is_enabled
    told.doAction(QAccessibleActionInterface.setFocusAction())
    assert clicks == [1] * is_enabled and (parent.focusWidget() is button) is is_enabled


def test_a_click_on_what_is_on_is_told(parent: QWidget) -> None:
    one, two, again = RadioButton(parent), RadioButton(parent), list[int]()
    one.chosen_again.connect(lambda: again.append(1))
    two.chosen_again.connect(lambda: again.append(2))
    for button in (one, two, two, one, one):
        button.click()
    assert again == [2, 1] and one.isChecked()


def key(kind: QEvent.Type, code: Qt.Key, *, ctrl: bool = False) -> QKeyEvent:
    keys = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    return QKeyEvent(kind, code, keys)


@pytest.mark.parametrize(
    ("kind", "code", "is_modified", "leaves"),
    [
        (QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, False, True),
        (QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, True, False),
        (QEvent.Type.ShortcutOverride, Qt.Key.Key_A, False, False),
        (QEvent.Type.KeyPress, Qt.Key.Key_Z, False, False),
    ],
)
def test_undo_is_left_to_the_document_while_nothing_is_typed(
    parent: QWidget, kind: QEvent.Type, code: Qt.Key, is_modified: bool, leaves: bool
) -> None:
    editor = LineEditor(library["LeakyRelu"].parameters["alpha"], 0.2, parent)
    editor._line.setModified(is_modified)
    assert editor._leaves_undo(key(kind, code, ctrl=True)) is leaves


def test_a_line_that_is_left_says_so_and_commits_only_what_was_typed(parent: QWidget) -> None:
    editor = LineEditor(library["LeakyRelu"].parameters["alpha"], 0.2, parent)
    left, edited = list[int](), list[object]()
    editor.left.connect(lambda: left.append(1))
    editor.value_edited.connect(edited.append)
    for kind in (QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.Enter):
        editor.eventFilter(editor._line, QEvent(kind))
    assert left == [1]
    editor._line.setText("0.5")
    editor._line.setModified(False)
    editor._finish()
    assert edited == []
    editor._line.setModified(True)
    editor._line.setReadOnly(True)
    editor._finish()
    assert edited == []
    editor._line.setReadOnly(False)
    editor._finish()
    assert edited == [0.5]


def test_a_box_of_choices_is_at_least_four_letters_wide(parent: QWidget) -> None:
    editor = ChoiceEditor(library["Cast"].parameters["dtype"], "float64", ("float64",), parent)
    (box,) = editor.findChildren(QComboBox)
    assert box.minimumContentsLength() == 4 and box.maximumHeight() == FIELD_HEIGHT


def test_a_section_has_its_title_above_its_rows(parent: QWidget) -> None:
    made = Section("Values", parent, "values")
    assert room_of(made.body).endswith("· 6") and rooms(made)[0] == "0 · 0"
    title = made.findChild(QLabel, "values_title")
    assert isinstance(title, QLabel) and title.minimumHeight() == 20
    item = made.body.itemAt(0)
    assert item is not None and (row := item.layout()) is not None
    assert row.spacing() == 8 and row.indexOf(title) == 0
    bare = Section("", parent, "bare")
    assert bare.body.count() == 0 and bare.findChildren(QLabel) == []


def test_a_row_has_its_name_of_one_width_and_its_field_takes_the_rest(parent: QWidget) -> None:
    field = QLineEdit(parent)
    field.setObjectName("stride")
    row = labelled_row("Stride", field, parent)
    assert row.spacing() == 8 and [row.stretch(place) for place in range(row.count())] == [0, 1]
    QVBoxLayout(parent).addLayout(row)
    item = row.itemAt(0)
    assert item is not None and (name := item.widget()) is not None
    assert name.size().toTuple() == (LABEL_WIDTH - 8, FIELD_HEIGHT)  # type: ignore[attr-defined]
    assert field.accessibleName() == "Stride" == name.toolTip()
    for is_shown in (False, True):
        show_row(field, is_shown)
        assert name.isHidden() is field.isHidden() is not is_shown
    assert name.sizePolicy().verticalPolicy() != QSizePolicy.Policy.Ignored


@pytest.mark.parametrize(
    ("file", "chosen", "path"),
    [
        ("", "NumPy (*.npy)", None),
        ("/a/x", "NumPy (*.npy)", "/a/x.npy"),
        ("/a/x", "CSV (*.csv)", "/a/x.csv"),
        ("/a/x.npy", "CSV (*.csv)", "/a/x.npy"),
        ("/a/x.txt", "CSV (*.csv)", "/a/x.txt"),
    ],
)
def test_a_file_without_an_ending_gets_that_of_its_format(
    parent: QWidget, monkeypatch: pytest.MonkeyPatch, file: str, chosen: str, path: str | None
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (file, chosen))
    assert ask_tensor_file(parent, "tensor") == (None if path is None else Path(path))


def test_a_tensor_is_copied_or_saved_once_there_is_one(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, refused = CopyButton(Appearance("dark"), parent), list[str]()
    made.refused.connect(refused.append)
    assert made.minimumSize().toTuple() == made.maximumSize().toTuple() == (26, 22)  # type: ignore[attr-defined]
    QGuiApplication.clipboard().setText("before")
    made.show_array(None)
    made._copy(copy_button.table_text)
    made.save(tmp_path / "a.csv")
    assert not made.isEnabled() and QGuiApplication.clipboard().text() == "before" and not (tmp_path / "a.csv").exists()
    made.show_array(np.array([[1.0, 2.0]]))
    made._copy(copy_button.table_text)
    assert made.isEnabled() and QGuiApplication.clipboard().text().strip() == "1,2"
    for answer in (None, tmp_path / "b.npy"):
        monkeypatch.setattr(copy_button, "ask_tensor_file", lambda *_, answer=answer: answer)
        made._ask_save()
    assert np.load(tmp_path / "b.npy").tolist() == [[1.0, 2.0]] and refused == []
    made.save(tmp_path / "none" / "c.npy")
    assert len(refused) == 1


@pytest.mark.parametrize(
    ("content", "shown"),
    [("zeros", {}), ("ones", {}), ("range", {"first": "from", "second": "step"}),
     ("normal", {"first": "mean", "second": "deviation", "seed": "seed"})],
)  # fmt: skip
def test_each_filling_has_its_numbers(parent: QWidget, content: str, shown: dict[str, str]) -> None:
    made = FillLine(parent, print, print)
    made._box.setCurrentIndex(made._box.findData(content))
    made._show_fields()
    assert {name: label.text() for name, label in made._labels.items() if not label.isHidden()} == shown
    assert [name for name, field in made._fields.items() if not field.isHidden()] == list(shown)
    assert [field.text() for field in made._fields.values()] == ["0", "1", "0"]
    assert {field.maximumWidth() for field in made._fields.values()} == {64} and rooms(made) == ["0 · 6"]
    layout = made.layout()
    assert isinstance(made._button, QPushButton) and layout is not None and layout.indexOf(made._button) == 8
    for count, text in ((0, "Fill all"), (1, "Fill all"), (2, "Fill 2 cells"), (12_345, "Fill 12,345 cells")):
        made.show_count(count)
        assert made._button.text() == text


def test_the_bar_above_a_table_has_its_room(parent: QWidget) -> None:
    made = TensorBar(parent, print, print, print)
    assert rooms(made) == ["0 · 6"] and made._shape.maximumWidth() == 120 == made._shape.minimumWidth()
    made.show_spec((2, 3), "int32")
    assert (made._shape.text(), made._dtype.currentText()) == ("[2, 3]", "int32")
