"""The table of wires: everything that the canvas shows of them, to read, sort, filter and copy."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QTableView,
    QWidget,
)

from gradwire.app.base.signals import call_on
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr, tr_count
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.wires.wire_rows import WiresModel, headings
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import (
    STRETCH,
    Dialog,
    add_items,
    make_button,
    make_column,
    make_label,
    make_row,
    named,
    show_in_front,
)

# The margin around a wire's middle that must be in view. Units: px of the scene.
ROOM = 60.0
WIDTHS = (56, 144, 152, 68, 68, 140, 140, 72, 160)


class WiresTable(Dialog):
    """A window beside the canvas that follows its changes. A row selects its wire and brings it into view."""

    def __init__(self, canvas: Canvas, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, "wires_table", tr("Wires"), QSize(1024, 420))
        self._canvas = canvas
        self._is_following = False
        self._model = WiresModel(self)
        self._table = self._made_table()
        self._filter = named(QLineEdit(self), "wires_filter")
        self._column = named(ChoiceBox(self), "wires_column")
        self._descending = named(Switch(appearance, tr("Largest first"), self), "wires_descending")
        self._count = make_label(parent=self, name="wires_count")
        make_column(self._made_controls(), (self._table, 1), inside=self)
        self._later = make_timer(self, self._read)
        canvas.painted.repainted.connect(self._read_soon)
        QShortcut(QKeySequence.StandardKey.Copy, self._table, self.copy, context=Qt.ShortcutContext.WidgetShortcut)

    def open_for_keys(self) -> None:
        """Shows the table with the keyboard focus in it."""
        self._read()
        show_in_front(self)
        # Qt makes the first row the current one, but nobody has chosen that wire.
        self._is_following = True
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._is_following = False

    def copy(self) -> None:
        """Puts the rows shown on the clipboard, as comma-separated values."""
        QGuiApplication.clipboard().setText(self._model.csv())

    def _made_table(self) -> QTableView:
        table = named(QTableView(self, wordWrap=False), "wires_rows", says=tr("Wires"), font=font("mono", 11))
        table.setModel(self._model)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(24)
        header = table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setStretchLastSection(True)
        header.sectionClicked.connect(self._sort_by_click)
        for column, width in enumerate(WIDTHS):
            table.setColumnWidth(column, width)
        table.selectionModel().currentRowChanged.connect(self._go_to_row)
        return table

    def _made_controls(self) -> QHBoxLayout:
        row = make_row()
        self._filter.setClearButtonEnabled(True)
        self._filter.textChanged.connect(self._set_filter)
        self._column.addItems(list(headings()))
        call_on(self._sort, self._column.activated, self._descending.toggled)
        for text, field in ((tr("&Filter"), self._filter), (tr("&Sort by"), self._column)):
            label = QLabel(text, self)
            label.setBuddy(field)
            add_items(row, label, named(field, says=text.replace("&", "")))
        copy = make_button(tr("Copy as CSV"), self.copy, self, name="wires_copy", enters=False)
        add_items(row, self._descending, STRETCH, self._count, copy)
        return row

    def _read_soon(self) -> None:
        if self.isVisible():
            self._later.start(0)

    def _read(self) -> None:
        self._model.read(self._canvas.mirror)
        self._show_count()
        self._follow_selection()

    def _show_count(self) -> None:
        self._count.setText(tr_count("{count} wire", "{count} wires", len(self._model.shown)))

    def _follow_selection(self) -> None:
        """Makes the row of the selected wire the current one; the view of the canvas stays."""
        chosen = self._canvas.session.selection.wires
        wire = next(iter(chosen)) if len(chosen) == 1 else None
        self._is_following = True
        if wire in self._model.shown:
            row = self._model.shown.index(wire)
            if self._table.currentIndex().row() != row:
                self._table.setCurrentIndex(self._model.index(row, max(self._table.currentIndex().column(), 0)))
        elif self._table.currentIndex().isValid():
            self._table.setCurrentIndex(QModelIndex())
        self._is_following = False

    def _go_to_row(self, index: QModelIndex) -> None:
        if index.isValid() and not self._is_following:
            wire = self._model.shown[index.row()]
            self._canvas.session.select(Selection(wires=frozenset([wire])))
            mirror = self._canvas.mirror
            middle = mirror.path(mirror.wire_rows[wire]).pointAtPercent(0.5)
            self._canvas.viewport.show_rect(QRectF(middle, middle).adjusted(-ROOM, -ROOM, ROOM, ROOM))

    def _set_filter(self, text: str) -> None:
        self._model.set_filter(text)
        self._show_count()
        self._follow_selection()

    def _sort(self) -> None:
        order = Qt.SortOrder.DescendingOrder if self._descending.isChecked() else Qt.SortOrder.AscendingOrder
        self._model.sort(self._column.currentIndex(), order)
        self._table.horizontalHeader().setSortIndicator(self._column.currentIndex(), order)
        self._follow_selection()

    def _sort_by_click(self, column: int) -> None:
        is_same = column == self._column.currentIndex()
        self._column.setCurrentIndex(column)
        self._descending.setChecked(is_same and not self._descending.isChecked())
        self._sort()
