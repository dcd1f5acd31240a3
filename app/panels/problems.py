"""The list of problems: what is wrong, or worth knowing, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QListView, QMenu, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from app.live.readings import STATUS_ROW, Results
from app.live.session import Session
from app.look.appearance import Appearance
from app.look.icons import draw_icon
from app.look.theme import font
from app.panels.palette import draw_row_back
from app.words import tr, tr_count, tr_sentence
from engine.expand import Link
from engine.graph import Graph
from engine.problems import Problem, Severity
from engine.status import Status

ROW_HEIGHT = 44
ALL_WELL = "No problems. No NaN or Inf, all shapes match."
NOTHING_YET = "Nothing has been evaluated yet."
WIRES_LISTED = 4
# How long a list of an older graph may stand while a newer one is evaluated; a list that flickers is worse.
PATIENCE_MS = 120
_ROW = Qt.ItemDataRole.UserRole
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ICONS = {"error": ("error", "error"), "warning": ("warn", "warn"), "info": ("info", "text.secondary")}
_ALARM = ("warn", "alarm")
SPOKEN = {"error": "Error", "warning": "Warning", "info": "Notice"}
_ORDER = {"error": 0, "warning": 1, "info": 2}
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True)
class Row:
    """One row of the list; `at` is the qualified name of the block, empty for the file as a whole."""

    severity: Severity
    sentence: str
    detail: str
    at: str
    code: str

    @property
    def place(self) -> str:
        """The block's page and name as the row shows them."""
        return self.at.replace("/", " / ")


def rows_of(problems: tuple[Problem, ...], results: Results | None, graph: Graph) -> list[Row]:
    """The rows for these problems, errors first and NaN next, and one for all blocked wires together."""
    rows = [_problem_row(problem, graph) for problem in problems]
    blocked = None if results is None else _blocked_row(results)
    rows += [blocked] if blocked is not None else []
    return sorted(rows, key=lambda row: (_ORDER[row.severity], row.code != "nonfinite"))


def _problem_row(problem: Problem, graph: Graph) -> Row:
    """The first sentence, and below it the block with the rest of what is said; of NaN, the reason is the rest."""
    sentence, _, rest = tr_sentence(problem.message).partition(": " if problem.code == "nonfinite" else ". ")
    sentence = sentence if not rest or sentence.endswith(".") else sentence + "."
    subject = _subject(problem, graph)
    detail = f"{subject}: {rest}" if subject and rest else subject or rest
    return Row(problem.severity, sentence, detail, problem.at, problem.code)


def _subject(problem: Problem, graph: Graph) -> str:
    """The type of the block, with the port if one is to blame: `MatMul, port b`."""
    page_name, _, inner = problem.at.partition("/")
    page = graph.page(page_name) if graph.has_page(page_name) else None
    block = None if page is None or "/" in inner else page.blocks.get(inner)
    words = [block.type if block is not None else inner.rpartition("/")[2]]
    words += [tr("port {port}", port=problem.port)] if problem.port else []
    return ", ".join(word for word in words if word)


def _blocked_row(results: Results) -> Row | None:
    rows = np.flatnonzero(results.wire_status == STATUS_ROW[Status.BLOCKED]).tolist()
    if not rows:
        return None
    by_row = {row: link for link, row in results.wire_rows.items()} if results.wire_rows else {}
    links = [by_row[row] for row in rows if row in by_row]
    cuts = {name: None for row in rows for name in results.wire_by.get(row, ())}
    sentence = tr_count(
        "{count} wire receives 0 because StopGradient blocks it",
        "{count} wires receive 0 because StopGradient blocks them",
        len(rows),
    )
    return Row("info", sentence, _listed(links), next(iter(cuts), ""), "blocked")


def _listed(links: list[Link]) -> str:
    shown = [f"{_name(link.source.path)} → {_name(link.target.path)}" for link in links[:WIRES_LISTED]]
    rest = len(links) - len(shown)
    listed = ", ".join(shown)
    return tr("{listed} and {rest} more", listed=listed, rest=rest) if rest else listed


def _name(path: str) -> str:
    return path.rpartition("/")[2]


class ProblemsPanel(QWidget):
    """The list. `place_chosen(str)` carries the qualified name of a block, `count_changed(int)` the number of rows.

    `lens_chosen(str)` carries the id of the lens that says more about a row.
    """

    place_chosen = Signal(str)
    lens_chosen = Signal(str)
    count_changed = Signal(int)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._appearance = session, appearance
        self.setObjectName("problems_panel")
        self._model = _Model(self)
        self._list = _List(appearance, self)
        self._list.setModel(self._model)
        self._list.setItemDelegate(_Delegate(appearance, self._list))
        self._list.clicked.connect(self._choose)
        self._list.installEventFilter(self)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._open_menu)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._list)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(PATIENCE_MS)
        self._later.timeout.connect(self._refresh)
        self._listen()

    @property
    def count(self) -> int:
        """The number of rows."""
        return self._model.rowCount()

    def set_session(self, session: Session) -> None:
        """Shows the problems of another document."""
        old = self._session
        old.results_changed.disconnect(self._take_results)
        old.inferred_changed.disconnect(self._refresh_soon)
        old.graph_changed.disconnect(self._refresh_soon)
        self._session = session
        self._listen()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter shows the place of the current row."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _ENTER:
            self._choose(self._list.currentIndex())
            return True
        return super().eventFilter(watched, event)

    def _listen(self) -> None:
        session = self._session
        session.results_changed.connect(self._take_results)
        session.inferred_changed.connect(self._refresh_soon)
        session.graph_changed.connect(self._refresh_soon)
        self._refresh()

    def _refresh_soon(self) -> None:
        if not self._later.isActive():
            self._later.start()

    def _take_results(self, results: Results) -> None:
        """Shows what the newest run found, even if the graph has moved on: during a drag it always has."""
        self._later.stop()
        session = self._session
        problems = session.problems
        if session.scheduler.is_busy:
            problems = (*session.notices, *results.problems)
        self._show(rows_of(problems, results, session.graph))

    def _refresh(self) -> None:
        session = self._session
        self._show(rows_of(session.problems, session.results, session.graph))

    def _show(self, rows: list[Row]) -> None:
        self._list.set_message(self._session.results is not None)
        if rows == self._model.rows:
            return
        count, current = self.count, self._list.currentIndex()
        key = _key(self._model.rows[current.row()]) if current.isValid() else None
        self._model.show(rows)
        for place, row in enumerate(rows):
            if _key(row) == key:
                self._list.setCurrentIndex(self._model.index(place, 0))
                break
        if count != self.count:
            self.count_changed.emit(self.count)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid() and (at := self._model.rows[index.row()].at):
            self.place_chosen.emit(at)

    def _open_menu(self, place: QPoint) -> None:
        """What can be done about a row: go to its place, and for a tie see what frameworks do there."""
        index = self._list.indexAt(place)
        index = index if index.isValid() else self._list.currentIndex()
        if not index.isValid():
            return
        row = self._model.rows[index.row()]
        menu = QMenu(self)
        menu.setObjectName("problem_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        go = menu.addAction(tr("Go to the block"))
        go.setEnabled(bool(row.at))
        go.triggered.connect(lambda: self._choose(index))
        if row.code == "tie":
            self._offer_conventions(menu, index)
        menu.popup(self._list.viewport().mapToGlobal(place))

    def _offer_conventions(self, menu: QMenu, index: QModelIndex) -> None:
        def show() -> None:
            self._choose(index)
            self.lens_chosen.emit("conventions")

        menu.addAction(tr("What frameworks do at this point")).triggered.connect(show)


def _key(row: Row) -> tuple[str, str, str]:
    """What stays of a row while its numbers change."""
    return row.at, row.code, re.sub(r"[-\d.]+", "", row.sentence)


class _Model(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def show(self, rows: list[Row]) -> None:
        """Replaces the rows; in place where only numbers differ, so that nothing scrolls."""
        if list(map(_key, rows)) == list(map(_key, self.rows)):
            self.rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, 0))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == _ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.sentence
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{tr(SPOKEN[row.severity])}: {row.sentence} {row.detail} {row.place}"
        return None


class _List(QListView):
    """A list that says so where there is nothing to list."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._is_well = appearance, False
        self.setObjectName("problems_list")
        self.setAccessibleName(tr("Problems"))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        appearance.changed.connect(self._repaint)

    @property
    def message(self) -> str:
        """What is said while the list is empty."""
        return tr(ALL_WELL) if self._is_well else tr(NOTHING_YET)

    def set_message(self, is_well: bool) -> None:
        """Says that all is well, or that nothing is known yet."""
        if is_well != self._is_well:
            self._is_well = is_well
            self.setAccessibleDescription(self.message)
            self._repaint()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            theme = self._appearance.theme
            painter = QPainter(self.viewport())
            icon, token = ("check-circle", "ok") if self._is_well else ("clock", "text.secondary")
            draw_icon(painter, icon, theme.color(token), QRectF(14, ROW_HEIGHT / 2 - 8, 16, 16))
            painter.setFont(font("ui", 12))
            painter.setPen(theme.color("text.secondary"))
            room = QRect(40, 0, self.viewport().width() - 50, ROW_HEIGHT)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.message)

    def _repaint(self) -> None:
        self.viewport().update()


class _Delegate(QStyledItemDelegate):
    def __init__(self, appearance: Appearance, parent: QListView) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, _: QStyleOptionViewItem, __: _Index) -> QSize:
        return QSize(200, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme, row = self._appearance.theme, index.data(_ROW)
        rect: QRect = option.rect
        painter.save()
        draw_row_back(painter, theme, option)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("border.subtle"))
        icon, token = _ALARM if row.code == "nonfinite" else _ICONS[row.severity]
        draw_icon(painter, icon, theme.color(token), QRectF(rect.left() + 14, rect.center().y() - 7, 16, 16))
        self._paint_texts(painter, rect, row)
        painter.restore()

    def _paint_texts(self, painter: QPainter, rect: QRect, row: Row) -> None:
        theme = self._appearance.theme
        painter.setFont(font("ui", 12))
        painter.setPen(theme.color("text.secondary"))
        metrics = painter.fontMetrics()
        place = metrics.elidedText(row.place, Qt.TextElideMode.ElideMiddle, rect.width() // 3)
        right = QRect(rect.left(), rect.top(), rect.width() - 14, rect.height())
        painter.drawText(right, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, place)
        room = QRect(rect.left() + 40, rect.top() + 6, rect.width() - 70 - metrics.horizontalAdvance(place), 16)
        top = room if row.detail else room.translated(0, 8)
        _draw_elided(painter, top, row.sentence, 500, 12, theme.color("text.primary"))
        _draw_elided(painter, room.translated(0, 16), row.detail, 400, 11, theme.color("text.tertiary"))


def _draw_elided(painter: QPainter, room: QRect, text: str, weight: int, px: int, color: QColor) -> None:
    painter.setFont(font("ui", px, weight))
    painter.setPen(color)
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
