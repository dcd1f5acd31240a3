"""The table editor of a tensor: a window beside the others; every change is one edit of the block."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QLocale, QSize, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QWidget

from gradwire.app.base.table_text import looks_nested, pasted_numbers, table_text
from gradwire.app.base.tensor_edits import (
    Cells,
    Fill,
    converted,
    filled,
    pasted,
    resized,
    with_cells,
    with_line,
    without_lines,
)
from gradwire.app.base.tensor_files import SUFFIXES, read_tensor_file, write_tensor_file
from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.kit.controls.apply import apply_edit
from gradwire.app.kit.controls.copy_button import ask_tensor_file
from gradwire.app.kit.values.slice_boxes import SliceBoxes
from gradwire.app.kit.values.tensor_bar import TensorBar
from gradwire.app.kit.values.tensor_fill import FillLine
from gradwire.app.kit.values.tensor_grid import GridModel, GridView
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import Dialog, make_column, make_label, show_in_front, show_or_hide
from gradwire.engine.base.errors import EditError, FileError, ParameterError
from gradwire.engine.base.limits import size_text
from gradwire.engine.base.starts import VALUE
from gradwire.engine.base.tensor_spec import DTYPES, Array
from gradwire.engine.edits.edits import set_parameter
from gradwire.engine.graph.block_parameters import value_of
from gradwire.engine.graph.graph import Block, Graph, same_value
from gradwire.interop.typed.tensor_parser import read_scalar
from gradwire.interop.typed.tensor_text import numpy_text, read_array, read_nested, with_point

OPEN_FILTER = "NumPy, CSV (*.npy *.csv *.tsv *.txt)"
_TIMES = re.compile(r"(?<=\d)\s*[x×*]\s*(?=\d)")


class TensorDialog(Dialog):
    """Edits the tensor of one block at a time and follows what happens to it; Escape closes it."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, "tensor_dialog", size=QSize(760, 520))
        self._session: Session | None = None
        self._page = self._block = self._name = ""
        self._array: Array = np.zeros(0)
        self.setAcceptDrops(True)
        self._bar = TensorBar(self, self._convert, self._reshape, self._carry_out)
        self._slices = SliceBoxes(self, "tensor_slice")
        self._model = GridModel(appearance, self)
        self._view = GridView(self._model, self)
        self._fill = FillLine(self, self._fill_with, self._refuse)
        self._refusal = make_label(parent=self, name="tensor_refusal", look="error", wraps=True)
        self._refusal.hide()
        self._facts = make_label(parent=self, name="tensor_facts", look="quiet", wraps=True)
        status = make_column(self._refusal, self._facts, spacing=4)
        parts = self._bar, self._slices, (self._view, 1), self._fill, status
        make_column(*parts, inside=self, margins=12, spacing=8)
        self._connect()
        current.changed.connect(self._take_session)
        current.graph_changed.connect(self._take_graph)

    def _connect(self) -> None:
        self._slices.changed.connect(self._show_slice)
        self._model.cell_typed.connect(self._type)
        self._view.selectionModel().selectionChanged.connect(self._count_chosen)
        keys, in_table = QKeySequence.StandardKey, Qt.ShortcutContext.WidgetShortcut
        for key, does in ((keys.Copy, self._copy_cells), (keys.Paste, self.paste), (keys.Delete, self._clear)):
            QShortcut(key, self._view, does, context=in_table)
        QShortcut(QKeySequence(Qt.Key.Key_Backspace), self._view, self._clear, context=in_table)
        QShortcut(QKeySequence.StandardKey.Undo, self, self._undo)
        QShortcut(QKeySequence.StandardKey.Redo, self, self._redo)
        QShortcut(QKeySequence("Ctrl+Y"), self, self._redo)

    def show_tensor(self, session: Session, block_id: str, name: str = VALUE) -> None:
        """Opens the tensor that is a parameter of a block of the page shown."""
        self._session = session
        self._page, self._block, self._name = session.page_name, block_id, name
        value = _tensor(session.page.blocks[block_id], name)
        self._array = np.zeros(0) if value is None else value
        self._refuse("")
        self._show()
        self._view.setCurrentIndex(self._model.index(0, 0))
        show_in_front(self)
        self._view.setFocus(Qt.FocusReason.PopupFocusReason)

    def _refuse(self, sentence: str) -> None:
        show_or_hide(self._refusal, sentence)

    def leave(self) -> None:
        """Lets go of the document and closes."""
        self._session = None
        self.hide()

    def done(self, result: int) -> None:
        """Closing lets go of the document."""
        self.leave()
        super().done(result)

    # Following the document

    def _take_session(self, session: Session) -> None:
        if session is not self._session:
            self.leave()

    def _take_graph(self, _: Graph, graph: Graph) -> None:
        """Shows the tensor as it is now, also of a block that was renamed; closes where it is gone."""
        if self._session is None:
            return
        found = self._found(graph)
        if found is None:
            self.reject()
            return
        self._block, self._array = found
        self._show()

    def _found(self, graph: Graph) -> tuple[str, Array] | None:
        page = graph.page(self._page) if graph.has_page(self._page) else None
        if page is None:
            return None
        block = page.blocks.get(self._block)
        if block is None:
            same = (item for item in page.blocks.values() if _tensor(item, self._name) is self._array)
            block = next(same, None)
        value = None if block is None else _tensor(block, self._name)
        return None if block is None or value is None else (block.id, value)

    def _show(self) -> None:
        self.setWindowTitle(tr("Tensor: {block}", block=self._block))
        self._slices.show_sizes(self._array.shape[:-2])
        self._bar.show_spec(self._array.shape, self._array.dtype.name)
        self._facts.setText(_facts_of(self._array))
        self._show_slice()

    def _show_slice(self) -> None:
        before = self._view.currentIndex()
        row, column = max(before.row(), 0), max(before.column(), 0)
        self._model.show_slice(self._array, self._slices.index)
        if not self._view.currentIndex().isValid():
            last = self._model.rowCount() - 1, self._model.columnCount() - 1
            self._view.setCurrentIndex(self._model.index(min(row, last[0]), min(column, last[1])))

    # Edits

    def _apply(self, text: str, change: Callable[[], Array]) -> None:
        """Carries out one change of the tensor, or says why it is impossible; then nothing changes."""
        if self._session is None:
            return
        try:
            changed = change()
        except (EditError, FileError) as error:
            self._refuse(tr_sentence(str(error)))
            return
        except ParameterError as error:
            self._refuse(tr_sentence(ParameterError(f"the text {error}").sentence))
            return
        self._refuse("")
        if not same_value(changed, self._array):
            args = (self._page, self._block, self._name, changed)
            self._refuse(apply_edit(self._session, text, set_parameter, *args))

    def _convert(self, name: str) -> None:
        self._apply(tr("Set type of {block}", block=self._block), lambda: converted(self._array, DTYPES[name]))
        self._show()

    def _reshape(self, text: str) -> None:
        self._apply(tr("Reshape {block}", block=self._block), lambda: resized(self._array, _shape_of(text)))
        self._bar.show_spec(self._array.shape, self._array.dtype.name)

    def _type(self, row: int, column: int, text: str) -> None:
        def change() -> Array:
            number = read_scalar(with_point(text.strip(), QLocale().decimalPoint()))
            if number is None:
                said = tr('Row {row}, column {column}: "{text}" is no number.', row=row, column=column, text=text[:20])
                raise EditError(said)
            return with_cells(self._array, Cells(self._slices.index, row, column), np.asarray(number))

        self._apply(self._set_text(), change)

    def _set_text(self) -> str:
        return tr("Set {block}", block=self._block)

    def _chosen(self) -> Cells:
        return self._view.chosen_cells(self._slices.index) or Cells(self._slices.index, 0, 0)

    def _clear(self) -> None:
        self._apply(self._set_text(), lambda: filled(self._array, Fill("zeros"), self._chosen()))

    def _fill_with(self, fill: Fill) -> None:
        chosen = self._chosen()
        cells = chosen if chosen.size > 1 else None
        self._apply(tr("Fill {block}", block=self._block), lambda: filled(self._array, fill, cells))

    def _count_chosen(self, *_: object) -> None:
        self._fill.show_count(self._chosen().size)

    def _carry_out(self, what: str, *_: object) -> None:
        cells, call = self._chosen(), {"paste": self.paste, "open": self.ask_open, "save": self.ask_save}.get(what)
        if call is not None:
            call()
        elif what.startswith("copy"):
            QGuiApplication.clipboard().setText((numpy_text if what == "copy_numpy" else table_text)(self._array))
        elif what.startswith("add"):
            axis, at = (0, cells.row + cells.rows) if what == "add_row" else (1, cells.column + cells.columns)
            at = min(at, self._model.table.shape[axis])
            self._apply(tr("Enlarge {block}", block=self._block), lambda: with_line(self._array, axis, at))
        else:
            lines = (0, cells.row, cells.rows) if what == "remove_row" else (1, cells.column, cells.columns)
            self._apply(tr("Shrink {block}", block=self._block), lambda: without_lines(self._array, *lines))

    # Clipboard and files

    def paste(self) -> None:
        """Takes a table at the current cell; lists and arrays replace the whole tensor."""
        text, point = QGuiApplication.clipboard().text(), QLocale().decimalPoint()

        def change() -> Array:
            if looks_nested(text):
                return read_array(text, self._array.dtype)
            return pasted(self._array, self._chosen(), pasted_numbers(with_point(text, point), point))

        self._apply(tr("Paste into {block}", block=self._block), change)

    def _copy_cells(self) -> None:
        cells = self._chosen()
        rows, columns = slice(cells.row, cells.row + cells.rows), slice(cells.column, cells.column + cells.columns)
        QGuiApplication.clipboard().setText(table_text(self._model.table[rows, columns], "\t"))

    def ask_open(self) -> None:
        """Asks for a file and takes the tensor in it."""
        name, _ = QFileDialog.getOpenFileName(self, tr("Open a tensor"), "", OPEN_FILTER)
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> None:
        """Takes the tensor of a file in place of this one."""
        point = QLocale().decimalPoint()
        self._apply(tr("Open {name}", name=path.name), lambda: read_tensor_file(path, point))

    def ask_save(self) -> None:
        """Asks for a file and writes the tensor into it."""
        if (path := ask_tensor_file(self, self._block)) is not None:
            self.save_file(path)

    def save_file(self, path: Path) -> None:
        """Writes the tensor into a file."""
        try:
            write_tensor_file(path, self._array)
        except FileError as error:
            self._refuse(tr_sentence(str(error)))
        else:
            self._refuse("")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes files that may hold a tensor."""
        if dropped_tensor(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Takes the tensor of the file."""
        path = dropped_tensor(event)
        if path is not None:
            event.acceptProposedAction()
            self.open_file(path)

    def _undo(self) -> None:
        if self._session is not None:
            self._session.undo()

    def _redo(self) -> None:
        if self._session is not None:
            self._session.redo()


def _facts_of(array: Array) -> str:
    """Returns the size of a tensor, or how to fill an empty one."""
    if not array.size:
        return tr("No elements yet: paste a table, open a file, or type a shape such as [2, 3].")
    count = tr_count("{number} element", "{number} elements", array.size, number=grouped(array.size))
    hint = tr("Type into a cell; paste from a spreadsheet, CSV or NumPy.")
    return f"{count} · {tr_sentence(size_text(array.nbytes))} · {hint}"


def _tensor(block: Block, name: str) -> Array | None:
    """Returns the tensor that is a parameter of a block; for a start, the numbers that it draws."""
    value = value_of(block) if name == VALUE else block.parameters.get(name)
    return value if isinstance(value, np.ndarray) else None


def dropped_tensor(event: QDropEvent) -> Path | None:
    """The first file of a drop that may hold a tensor."""
    paths = (Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
    return next((path for path in paths if path.suffix.lower() in SUFFIXES), None)


def _shape_of(text: str) -> tuple[int, ...]:
    """The sizes in a text such as `[2, 3]` or `2 × 3`; nothing stands for a scalar.

    Raises: EditError if they are none.
    """
    sizes: Any = []
    try:
        nested = read_nested(_TIMES.sub(" ", text)) if text.strip() else []
        sizes = nested if isinstance(nested, list) else [nested]
    except ParameterError:
        sizes = [None]
    if not all(isinstance(item, int) and not isinstance(item, bool) for item in sizes):
        raise EditError(tr('"{text}" is not a shape; write sizes such as [2, 3].', text=text[:20]))
    return tuple(sizes)
