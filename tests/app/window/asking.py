"""A user with a question: at most two actions on real widgets, and the screen after them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QScrollArea,
    QTableView,
    QToolTip,
    QWidget,
)
from pytestqt.exceptions import TimeoutError

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.painting.look import Look
from gradwire.app.features.problems.problem_list import ROW, ProblemList, fix_button
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.look.theme import font
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import drawn_page
from tests.app.window.driver import LEFT, NONE, Driver

MOST = 2
PATIENCE_MS = 8000
# The part of a cell's width that is not for text. Units: px.
MARGINS, ICON = 6, 20
Orientation = Qt.Orientation


class Asker:
    """A user who opens a graph, acts on it, and looks; a third action is a mistake of the program."""

    def __init__(self, user: Driver) -> None:
        self.user, self.actions = user, 0

    def open(self, name: str) -> None:
        """Opens an example of the gallery: the whole page is in view."""
        self.user.open(example_path(name))
        self._begin()

    def show(self, graph: Graph) -> None:
        """Shows a graph made for the question, with the whole page in view."""
        self.user.show(graph)
        self._begin()
        self.user.canvas.viewport.fit_page()

    def _begin(self) -> None:
        self.user.window.parts.panels.bottom.forget()
        self.user.window.parts.panels.overlay.open()
        self.actions = 0
        self.user.settle()

    def click_wire(self, target: str) -> None:
        """Clicks the wire that ends at `block.port`."""
        self._act()
        self.user.hand.click(self.user.points.on_wire(self.user.wire(target)))

    def click_block(self, block_id: str) -> None:
        self._act()
        self.user.hand.click(self.user.points.title(block_id))

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        self._act()
        self.user.key(key, keys)

    def lens(self, name: str) -> None:
        """Opens a lens by its entry in the menu or the command box."""
        self._act()
        self.user.trigger(f"lens_{name}")

    def said(self, command: str) -> str:
        """Runs a command and returns what the status line says of it."""
        self._act()
        heard: list[str] = []
        self.user.canvas.said.connect(heard.append)
        if self.user.window.parts.actions_by_id[command].isChecked():
            self.user.trigger(command)
        self.user.trigger(command)
        self._wait(lambda: bool(heard), "status line", "")
        return heard[-1]

    def compare(self) -> None:
        """Turns to the comparison, which begins with the first stop."""
        self._act()
        self.user.trigger("mode_compare")

    def open_curve(self) -> None:
        """Unfolds the loss curve in the card by its entry in the search."""
        self._act()
        self.user.trigger("slice")
        self.user.settle()

    def press(self, name: str) -> None:
        self._act()
        self.user.qtbot.mouseClick(self.user.child(QAbstractButton, name), LEFT)
        self.user.settle()

    def choose(self, name: str, start: str) -> None:
        """Clicks the row of a list with this beginning."""
        self._act()
        self.row(name, start)
        view = self.user.child(QAbstractItemView, name)
        (index,) = [item for item in _shown(view) if _text(view, item).startswith(start)]
        QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
        self.user.settle()

    def point_at(self, name: str, start: str) -> str:
        """Hovers over the row of a list with this beginning and returns its tooltip."""
        self._act()
        self.row(name, start)
        view = self.user.child(QAbstractItemView, name)
        (index,) = [item for item in _shown(view) if _text(view, item).startswith(start)]
        at = view.visualRect(index).center()
        event = QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
        QApplication.sendEvent(view.viewport(), event)
        assert QToolTip.isVisible()
        said = _plain(QToolTip.text())
        QToolTip.hideText()
        return said

    def _act(self) -> None:
        self.actions += 1
        assert self.actions <= MOST, "that takes too many actions"

    def text(self, name: str, part: str = "") -> str:
        """Returns the text of a label that is completely in view, without its markup, once it contains `part`."""
        self._wait(lambda: any(part in _read(label) for label in self._labels(name)), name, part)
        return next(text for text in map(_read, self._labels(name)) if part in text)

    def why(self, part: str = "", place: int = 0) -> tuple[str, str]:
        """Returns the result and the sentences of an explanation, once they contain `part`.

        The result of a wire stands on the wire.
        """
        sentence = self.text(f"why_sentence_{place}", part)
        wires = [*self.user.selection.wires] if place == 0 else []
        return (self.on_canvas()[str(wires[0].target)][1] if wires else self.text(f"why_result_{place}")), sentence

    def rows(self, name: str) -> list[str]:
        """Returns the visible rows of a list or table, with the cells of each joined by bars."""
        return self._rows(self.user.child(QAbstractItemView, name))

    def _rows(self, view: QAbstractItemView) -> list[str]:
        return [_text(view, index) for index in _shown(view)]

    def row(self, name: str, part: str) -> str:
        """Returns the only row that contains `part`, once there is one; a click on the sentence opens the problems."""
        if name == "problems_list" and self.user.window.parts.panels.bottom.shown != "problems":
            self.press("status_sentence")
        self._wait(lambda: sum(part in row for row in self.rows(name)) == 1, name, part)
        return next(row for row in self.rows(name) if part in row)

    def cell(self, name: str, row: str, column: str) -> str:
        """Returns the cell of a table at the row and column with these names."""
        view = self.user.child(QTableView, name)
        self._wait(lambda: bool(_shown(view)), name, "")
        model = view.model()
        down, across = (
            [str(model.headerData(place, way)) for place in range(count)]
            for way, count in ((Orientation.Vertical, model.rowCount()), (Orientation.Horizontal, model.columnCount()))
        )
        index = model.index(down.index(row), across.index(column))
        assert _is_in_view(view, index)
        return str(index.data())

    def numbers(self, *expected: str) -> None:
        """Checks the rows of the table of values and gradients in the inspector, once they have arrived.

        It stands under More, to which the user looks down; this is no step towards another answer.
        """
        if not any(view.isVisible() for view in self.user.window.findChildren(QTableView, "value_table")):
            self.user.qtbot.mouseClick(self.user.child(QAbstractButton, "inspector_more"), LEFT)
            self.user.settle()
        self.user.child(QScrollArea, "inspector_scroll").ensureWidgetVisible(self.user.child(QTableView, "value_table"))
        self._wait(lambda: self.rows("value_table") == [*expected], "value_table", str(expected))

    def label(self, target: str, value: str, gradient: str) -> None:
        """Checks the label of the wire that ends at `block.port`, once it has been computed; any value for ""."""

        def is_shown() -> bool:
            shown, below = self.on_canvas().get(target, ("", ""))
            # A label with room names what its number is.
            return (not value or shown == value) and below.removeprefix("∂L ") == gradient.removeprefix("∂L ")

        self._wait(is_shown, target, f"{value}, {gradient}")

    def button(self, name: str) -> str:
        """Returns the text of a button that is completely in view."""
        button = self.user.child(QAbstractButton, name)
        assert _is_seen(button)
        return button.text()

    def on_canvas(self) -> dict[str, tuple[str, str]]:
        """Returns the visible labels: value and gradient of the wires, by the ports where they end."""
        canvas = self.user.canvas
        look = Look(self.user.window.appearance.theme, canvas.camera.scale)
        _, found = drawn_page(canvas.mirror, look)
        labels = {str(wire.target): (item.label, item.form) for wire, item in found.items()}
        return {
            port: (label.value_shown(form), label.gradient.shown(form) if label.gradient else "")
            for port, (label, form) in labels.items()
        }

    def _labels(self, name: str) -> list[QLabel]:
        return [label for label in self.user.window.findChildren(QLabel, name) if _is_seen(label)]

    def _wait(self, is_so: Callable[[], bool], name: str, part: str) -> None:
        try:
            self.user.qtbot.waitUntil(is_so, timeout=PATIENCE_MS)
        except TimeoutError as error:
            texts = [label.text() for label in self.user.window.findChildren(QLabel, name)]
            rows = [row for view in self.user.window.findChildren(QAbstractItemView, name) for row in self._rows(view)]
            raise AssertionError(f"{name} does not show {part!r}: {texts or rows or self.on_canvas()}") from error


def _read(label: QLabel) -> str:
    return _plain(label.text()) if label.textFormat() is Qt.TextFormat.RichText else label.text()


def _plain(markup: str) -> str:
    return QTextDocumentFragment.fromHtml(markup).toPlainText()


def _is_seen(widget: QWidget) -> bool:
    return widget.isVisible() and widget.visibleRegion().boundingRect() == widget.rect()


def _shown(view: QAbstractItemView) -> list[QModelIndex]:
    model = view.model()
    found = [model.index(row, 0) for row in range(model.rowCount())]
    return [index for index in found if _is_in_view(view, index)]


def _is_in_view(view: QAbstractItemView, index: QModelIndex) -> bool:
    return view.isVisible() and view.viewport().visibleRegion().contains(view.visualRect(index).center())


def _text(view: QAbstractItemView, index: QModelIndex) -> str:
    cells = [index]
    while (following := cells[-1].siblingAtColumn(len(cells))).isValid():
        cells.append(following)
    return " | ".join(_shown_text(view, cell) for cell in cells)


def _shown_text(view: QAbstractItemView, cell: QModelIndex) -> str:
    """Returns as much of a text as fits."""
    area = view.viewport().rect() & view.visualRect(cell)
    if isinstance(view, ProblemList):
        row, plain = cell.data(ROW), QFontMetrics(font("ui", 12))
        place = plain.elidedText(row.place, Qt.TextElideMode.ElideMiddle, area.width() // 3)
        used = 70 + plain.horizontalAdvance(place) + (area.right() - fix_button(area).left() if row.fix else 0)
        return QFontMetrics(font("ui", 12, 500)).elidedText(row.sentence, view.textElideMode(), area.width() - used)
    if isinstance(view, RowsTable):
        room = area.width() - MARGINS - (ICON if cell.data(Qt.ItemDataRole.DecorationRole) is not None else 0)
        return QFontMetrics(cell.data(Qt.ItemDataRole.FontRole)).elidedText(cell.data(), view.textElideMode(), room)
    return str(cell.data())
