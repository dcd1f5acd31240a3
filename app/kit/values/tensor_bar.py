"""The line above the table of a tensor: dtype, shape, rows and columns, clipboard and files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import add_items, make_row, make_tool, named
from gradwire.engine.base.tensor_spec import DTYPES

HEIGHT = 26
Takes = Callable[[str], object]


class TensorBar(QWidget):
    """The bar above the table.

    `convert` receives a dtype that is chosen, `reshape` a shape that is typed, and `carry_out` the name of what else is
    asked for: add_row, add_column, remove_row, remove_column, paste, copy_numpy, copy_csv, open or save.
    """

    def __init__(self, parent: QWidget, convert: Takes, reshape: Takes, carry_out: Takes) -> None:
        super().__init__(parent)
        self._reshape, self._carry_out = reshape, carry_out
        self._dtype = named(ChoiceBox(self), "tensor_dtype", says=tr("Type"))
        self._dtype.addItems(list(DTYPES))
        self._dtype.textActivated.connect(convert)
        tip = tr(
            "Sizes such as [2, 3]. As many elements as before are arranged anew; others are cut off or added as 0."
        )
        self._shape = named(QLineEdit(self), "tensor_shape", says=tr("Shape"), tip=tip, font=font("mono", 11.5))
        self._shape.setFixedWidth(120)
        self._shape.editingFinished.connect(self._finish_shape)
        self._layout = make_row(inside=self, margins=0, spacing=6)
        for label, field in ((tr("Type"), self._dtype), (tr("Shape"), self._shape)):
            add_items(self._layout, QLabel(label, self), field)
        self._add_buttons()

    def show_spec(self, shape: tuple[int, ...], dtype: str) -> None:
        """Shows the current shape and dtype."""
        self._dtype.setCurrentText(dtype)
        self._shape.setText(str(list(shape)))

    def _add_buttons(self) -> None:
        self._layout.addStretch(1)
        lines = {
            "add_row": tr("Add a row below"),
            "add_column": tr("Add a column to the right"),
            "remove_row": tr("Remove the chosen rows"),
            "remove_column": tr("Remove the chosen columns"),
        }
        self._add_menu("tensor_lines", tr("Rows, columns"), lines)
        copies = {"paste": tr("Paste"), "copy_numpy": tr("Copy all as NumPy text"), "copy_csv": tr("Copy all as CSV")}
        self._add_menu("tensor_clipboard", tr("Copy, paste"), copies)
        self._add_menu("tensor_files", tr("File"), {"open": tr("Open .npy or .csv …"), "save": tr("Save as …")})

    def _add_menu(self, name: str, text: str, entries: dict[str, str]) -> None:
        button = make_tool(parent=self, text=text, name=name, look="framed", height=HEIGHT)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for key, entry in entries.items():
            action = menu.addAction(entry)
            action.setObjectName(f"tensor_{key}")
            action.triggered.connect(partial(self._carry_out, key))
        button.setMenu(menu)
        self._layout.addWidget(button)

    def _finish_shape(self) -> None:
        if self._shape.isModified():
            self._shape.setModified(False)
            self._reshape(self._shape.text())
