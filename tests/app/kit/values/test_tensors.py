"""The table editor of tensors in a real window: every change is one edit, and it refuses wrong input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, QUrl
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox, QTableView, QToolButton

import gradwire as gw
from gradwire.app.kit.values.tensor_dialog import TensorDialog
from gradwire.app.live.editing import NewBlock, place_block
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits import edits
from gradwire.engine.files.data_files import Examples
from gradwire.engine.graph.graph import Graph, Page
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("one_window")


class Editor:
    """A user in front of the table editor of the Input `x`."""

    def __init__(self, user: Driver, value: Array) -> None:
        self.user = user
        graph, self.block = place_block(Graph((Page("main"),)), "main", NewBlock("Input", {"value": value}), (0, 0))
        user.show(graph)
        user.window.parts.editor.tensors.edit(self.block)
        user.settle()

    @property
    def dialog(self) -> TensorDialog:
        return self.user.child(TensorDialog, "tensor_dialog")

    @property
    def table(self) -> QTableView:
        return self.user.child(QTableView, "tensor_table")

    @property
    def value(self) -> Array:
        found = self.user.block(self.block).parameters["value"]
        assert isinstance(found, np.ndarray)
        return found

    @property
    def refusal(self) -> str:
        label = self.user.child(QLabel, "tensor_refusal")
        return label.text() if label.isVisible() else ""

    def cell(self, row: int, column: int) -> str:
        return str(self.table.model().index(row, column).data())

    def go(self, row: int, column: int) -> None:
        self.table.setCurrentIndex(self.table.model().index(row, column))

    def type(self, row: int, column: int, text: str) -> None:
        """Goes to a cell and types over it."""
        self.go(row, column)
        QTest.keyClick(self.table, Key.Key_F2)
        (field,) = self.table.viewport().findChildren(QLineEdit)
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Key.Key_Return)
        self.user.settle()

    def paste(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        QTest.keyClick(self.table, Key.Key_V, Mod.ControlModifier)
        self.user.settle()

    def reshape(self, text: str) -> None:
        field = self.user.child(QLineEdit, "tensor_shape")
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Key.Key_Return)
        self.user.settle()

    def convert(self, dtype: str) -> None:
        box = self.user.child(QComboBox, "tensor_dtype")
        box.setCurrentText(dtype)
        box.textActivated.emit(dtype)
        self.user.settle()

    def trigger(self, name: str) -> None:
        self.user.child(QAction, f"tensor_{name}").trigger()
        self.user.settle()


@pytest.fixture
def editor(user: Driver) -> Editor:
    return Editor(user, np.array([[1.0, 2.0], [3.0, 4.0]]))


def test_the_table_opens_by_command_double_click_and_from_the_inspector(editor: Editor) -> None:
    user = editor.user
    for way in ("command", "double click", "inspector"):
        QTest.keyClick(editor.dialog, Key.Key_Escape)
        user.settle()
        assert not editor.dialog.isVisible()
        if way == "command":
            user.hand.click(user.points.title(editor.block))
            user.trigger("edit_tensor")
        elif way == "double click":
            user.hand.double_click(user.points.body(editor.block))
        else:
            user.qtbot.mouseClick(user.child(QToolButton, "table_value"), LEFT)
        assert editor.dialog.isVisible(), way
        assert not editor.dialog.isModal()


def test_the_command_is_for_one_block_that_holds_a_tensor(editor: Editor) -> None:
    user = editor.user
    user.escape()
    user.settle()
    user.window.parts.layout.refreshing.now()
    assert not user.window.parts.actions_by_id["edit_tensor"].isEnabled()


def test_a_number_typed_into_a_cell_is_one_edit(editor: Editor) -> None:
    editor.type(1, 0, "-0.5")
    assert editor.value.tolist() == [[1, 2], [-0.5, 4]]
    QTest.keyClick(editor.dialog, Key.Key_Z, Mod.ControlModifier)
    editor.user.settle()
    assert editor.value.tolist() == [[1, 2], [3, 4]]
    assert editor.cell(1, 0) == "3"


def test_a_word_is_refused_with_row_and_column(editor: Editor) -> None:
    before = editor.user.graph
    editor.type(1, 0, "abc")
    assert editor.user.graph is before
    assert editor.refusal == 'Row 1, column 0: "abc" is no number.'
    editor.type(1, 0, "nan")
    assert editor.refusal == ""
    assert np.isnan(editor.value[1, 0])


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    a_third_of(
        [
            ("10\t20\n30\t40\n", (0, 0), [[10, 20], [30, 40]]),
            ("7\t8\n", (1, 0), [[1, 2], [7, 8]]),
            ("7\n8\n9\n", (1, 1), [[1, 2], [3, 7], [0, 8], [0, 9]]),
            ("5,6,7", (0, 0), [[5, 6, 7], [3, 4, 0]]),
            ("array([1., 2., 3.])", (1, 1), [1, 2, 3]),
            ("[[[1, 2]], [[3, 4]]]", (0, 0), [[[1, 2]], [[3, 4]]]),
        ]
    ),
)
def test_tables_go_where_the_cursor_is_and_lists_replace_the_whole(
    editor: Editor, text: str, at: tuple[int, int], expected: object
) -> None:
    editor.go(*at)
    editor.paste(text)
    assert editor.value.tolist() == expected
    editor.user.session.undo()
    assert editor.value.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "said"),
    [("1\tx\n", "line 1, column 2"), ("[[1, 2], [3]]", "different lengths"), ("", "is empty")],
)
def test_a_wrong_text_changes_nothing_and_is_explained(editor: Editor, text: str, said: str) -> None:
    before = editor.user.graph
    editor.paste(text)
    assert editor.user.graph is before
    assert said in editor.refusal


def test_a_pasted_dtype_is_taken_over(editor: Editor) -> None:
    editor.paste("array([[1, 2]], dtype=int8)")
    assert (editor.value.dtype.name, editor.value.tolist()) == ("int8", [[1, 2]])


def test_what_the_dtype_cannot_hold_is_refused(editor: Editor) -> None:
    editor.convert("int32")
    assert editor.value.dtype == np.int32
    editor.type(0, 1, "2.5")
    assert editor.refusal == "Row 0, column 1: int32 cannot hold 2.5; choose another dtype first."
    assert editor.value.tolist() == [[1, 2], [3, 4]]


def test_a_dtype_that_would_lose_numbers_is_refused(editor: Editor) -> None:
    editor.type(0, 0, "0.5")
    editor.convert("int8")
    assert "int8 cannot hold: 0.5 at index [0, 0]" in editor.refusal
    assert editor.user.child(QComboBox, "tensor_dtype").currentText() == "float64"


@pytest.mark.parametrize(
    ("shape", "expected"),
    a_third_of(
        [
            ("[4]", [1, 2, 3, 4]),
            ("1 4", [[1, 2, 3, 4]]),
            ("3×3", [[1, 2, 0], [3, 4, 0], [0, 0, 0]]),
            ("1, 2", [[1, 2]]),
            ("3", [1, 2, 3]),
            ("0", []),
            ("2 * 2", [[1, 2], [3, 4]]),
        ]
    ),
)
def test_a_shape_arranges_enlarges_or_cuts(editor: Editor, shape: str, expected: object) -> None:
    editor.reshape(shape)
    assert editor.value.tolist() == expected
    assert editor.refusal == ""


@pytest.mark.parametrize("shape", ["[2, x]", "1.5", "-1", "100000 100000", "[[2]]", "[True]", "x" * 30])
def test_what_is_no_shape_is_refused(editor: Editor, shape: str) -> None:
    before = editor.user.graph
    editor.reshape(shape)
    assert editor.user.graph is before
    is_size = shape in ("-1", "100000 100000")
    assert editor.refusal.startswith(f'"{shape[:20]}" is not a shape; write sizes such as [2, 3].') is not is_size
    assert editor.refusal.endswith(".")
    assert editor.user.child(QLineEdit, "tensor_shape").text() == "[2, 2]"


def test_rows_and_columns_come_and_go(editor: Editor) -> None:
    editor.go(0, 1)
    editor.trigger("add_row")
    assert editor.value.tolist() == [[1, 2], [0, 0], [3, 4]]
    editor.trigger("add_column")
    assert editor.value.tolist() == [[1, 2, 0], [0, 0, 0], [3, 4, 0]]
    editor.go(1, 0)
    editor.trigger("remove_row")
    editor.trigger("remove_column")
    assert editor.value.tolist() == [[2, 0], [4, 0]]


def test_boxes_choose_the_slice_that_is_typed_into(user: Driver) -> None:
    editor = Editor(user, np.arange(12.0).reshape(3, 2, 2))
    box = user.child(QSpinBox, "tensor_slice_0")
    box.setValue(2)
    assert editor.cell(0, 0) == "8"
    editor.type(0, 0, "-1")
    assert editor.value[2].tolist() == [[-1, 9], [10, 11]]
    assert editor.value[:2].tolist() == np.arange(8.0).reshape(2, 2, 2).tolist()
    editor.paste("1\t2\t3\n")
    assert editor.refusal == "A slice of 2 × 2 has no room for 1 × 3 cells from this cell on."


def test_a_fill_is_for_all_or_for_the_selected_cells(editor: Editor) -> None:
    user = editor.user
    box, button = user.child(QComboBox, "fill_content"), user.child(QPushButton, "fill")
    box.setCurrentIndex(box.findData("range"))
    box.activated.emit(box.currentIndex())
    user.child(QLineEdit, "fill_first").setText("5")
    user.qtbot.mouseClick(button, LEFT)
    assert editor.value.tolist() == [[5, 6], [7, 8]]
    box.setCurrentIndex(box.findData("normal"))
    box.activated.emit(box.currentIndex())
    user.child(QLineEdit, "fill_first").setText("0")
    user.child(QLineEdit, "fill_seed").setText("7")
    user.qtbot.mouseClick(button, LEFT)
    np.testing.assert_array_equal(editor.value.reshape(-1), np.random.default_rng(7).normal(0, 1, 4))
    for seed in ("2.7", "-5"):
        user.child(QLineEdit, "fill_seed").setText(seed)
        user.qtbot.mouseClick(button, LEFT)
        assert editor.refusal == f'"{seed}" is no seed; write a whole number of at least 0.'
    user.child(QLineEdit, "fill_seed").setText("7")
    editor.table.selectColumn(1)
    assert button.text() == "Fill 2 cells"
    before = editor.value[:, 0].tolist()
    box.setCurrentIndex(box.findData("ones"))
    box.activated.emit(box.currentIndex())
    user.qtbot.mouseClick(button, LEFT)
    assert editor.value.T.tolist() == [before, [1, 1]]
    QTest.keyClick(editor.table, Key.Key_Delete)
    assert editor.value.T.tolist() == [before, [0, 0]]
    editor.go(0, 0)
    assert button.text() == "Fill all"
    user.qtbot.mouseClick(button, LEFT)
    assert editor.value.tolist() == [[1, 1], [1, 1]]
    QTest.keyClick(editor.table, Key.Key_Backspace)
    assert editor.value.tolist() == [[0, 1], [1, 1]]


def test_the_current_cell_stays_as_near_as_there_is_one(editor: Editor) -> None:
    def at() -> tuple[int, int]:
        return editor.table.currentIndex().row(), editor.table.currentIndex().column()

    editor.go(1, 1)
    for shape, place in (("[1, 4]", (0, 1)), ("[4, 1]", (0, 0)), ("[2, 2]", (0, 0)), ("[0]", (-1, -1))):
        editor.reshape(shape)
        assert at() == place, shape


def test_selected_cells_and_the_whole_are_copied(editor: Editor) -> None:
    editor.table.selectRow(1)
    QTest.keyClick(editor.table, Key.Key_C, Mod.ControlModifier)
    assert QGuiApplication.clipboard().text() == "3\t4\n"
    editor.trigger("copy_numpy")
    made = eval(QGuiApplication.clipboard().text(), {"np": np})
    np.testing.assert_array_equal(made, editor.value)
    editor.trigger("copy_csv")
    assert QGuiApplication.clipboard().text() == "1,2\n3,4\n"


def test_files_are_opened_dropped_and_saved(editor: Editor, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([1, 2, 3], np.int16))
    (tmp_path / "b.csv").write_text("1.5,2\n3,4\n", encoding="utf-8")
    editor.dialog.open_file(tmp_path / "a.npy")
    assert (editor.value.dtype.name, editor.value.tolist()) == ("int16", [1, 2, 3])
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "b.csv"))])
    editor.user.hand.drop(editor.dialog, data, QPointF(50, 50))
    assert editor.value.tolist() == [[1.5, 2], [3, 4]]
    editor.dialog.save_file(tmp_path / "c.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "c.npy"), editor.value)
    editor.dialog.open_file(tmp_path / "none.npy")
    assert "cannot be read" in editor.refusal


def test_a_tensor_dropped_on_the_canvas_becomes_an_input(editor: Editor, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.eye(2))
    editor.user.hand.drop_file(tmp_path / "a.npy")
    others = [item for item in editor.user.page.blocks.values() if item.id != editor.block]
    assert [item.type for item in others] == ["Input"] or np.array_equal(editor.value, np.eye(2))


def test_a_table_with_words_dropped_on_the_canvas_becomes_examples(user: Driver, tmp_path: Path) -> None:
    (tmp_path / "plants.csv").write_text("size,kind\n1,a\n2,b\n3,a\n4,b\n", encoding="utf-8")
    user.trigger("new")
    user.hand.drop_file(tmp_path / "plants.csv")
    user.settle()
    (block,) = user.page.blocks.values()
    assert (block.type, block.parameters["set"], block.parameters["file"]) == ("Data", "file", "plants.csv")
    content = user.session.data.content(f"main/{block.id}")
    assert isinstance(content, Examples)
    assert np.asarray(content.inputs).ravel().tolist() == [1, 2, 3, 4]


def test_a_table_with_words_dropped_on_a_block_becomes_examples_beside_it_and_then_others(
    user: Driver, tmp_path: Path
) -> None:
    for name in ("plants.csv", "others.csv"):
        (tmp_path / name).write_text("size,kind\n1,a\n2,b\n3,a\n4,b\n", encoding="utf-8")
    user.show(gw.graph(gw.Loss(gw.Input(np.ones(2), name="x"), name="loss")))
    canvas = user.window.parts.canvas
    for name in ("plants.csv", "others.csv"):
        data = next((block.id for block in user.page.blocks.values() if block.type == "Data"), "x")
        spot = canvas.camera.to_view(canvas.mirror.rect(data).center())
        user.window.parts.editor.tensors.place_file(tmp_path / name, spot)
        user.settle()
        found = [block.parameters["file"] for block in user.page.blocks.values() if block.type == "Data"]
        assert found == [name]
    assert set(user.page.blocks) >= {"x", "loss"}


def test_a_table_dropped_on_the_first_page_begins_a_graph(user: Driver, tmp_path: Path) -> None:
    (tmp_path / "plants.csv").write_text("size,kind\n1,a\n2,b\n", encoding="utf-8")
    user.trigger("welcome")
    assert user.window.parts.layout.shows_welcome
    user.hand.drop_file(tmp_path / "plants.csv")
    user.settle()
    assert [block.type for block in user.page.blocks.values()] == ["Data"]


def test_the_table_follows_undo_a_new_name_and_the_end_of_its_block(editor: Editor) -> None:
    session = editor.user.session
    session.apply("Set", edits.set_parameter, "main", editor.block, "value", np.array([[9.0, 2.0], [3.0, 4.0]]))
    assert editor.cell(0, 0) == "9"
    session.apply("Rename", edits.rename_block, "main", editor.block, "renamed")
    editor.block = "renamed"
    assert editor.dialog.windowTitle() == "Tensor: renamed"
    editor.type(0, 0, "5")
    assert editor.value[0, 0] == 5
    session.apply("Remove", edits.remove_blocks, "main", "renamed")
    assert not editor.dialog.isVisible()


def test_another_document_closes_the_table(editor: Editor) -> None:
    editor.user.show(Graph((Page("main"),)))
    assert not editor.dialog.isVisible()


def test_a_million_elements_are_shown_and_edited(user: Driver) -> None:
    editor = Editor(user, np.zeros((1000, 1000)))
    editor.type(999, 999, "3")
    assert editor.value[999, 999] == 3
    assert editor.table.model().rowCount() == 1000
