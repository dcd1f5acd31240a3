"""The lens of paths: the contribution of each path from the selected block or wire to the loss."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.paths.path_buttons import PathButtons
from gradwire.app.features.paths.path_questions import Choices, PathReading, PathsAnswer, PathsName
from gradwire.app.features.paths.path_texts import Key, index_of, key_of, path_headings, path_rows, summary
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.bars import WIDTH, BarColumn
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.kit.lens.place_text import place_text
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.status_texts import status_sentence
from gradwire.app.look.widgets import STRETCH, make_button, make_column, make_label, make_row, named
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status

# Below this width the controls stand under the sentence. Units: px.
NARROW = 520
_BESIDE, _BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
WIDTHS = (196, 84, WIDTH, 160)
ELEMENTS_OFFERED = 256


def selected_place(session: Session) -> PortName | Link | None:
    """Returns the selected wire, or the first output of the selected block."""
    chosen = session.selection
    if len(chosen.wires) == 1:
        return session.link(next(iter(chosen.wires)))
    if len(chosen.blocks) == 1:
        path = f"{session.prefix}/{next(iter(chosen.blocks))}"
        return next((name for name in session.inferred.specs if name.path == path), None)
    return None


def is_there(session: Session, place: PortName | Link | None) -> bool:
    """Returns whether the graph still has a place."""
    return place in session.inferred.specs if isinstance(place, PortName) else place in session.inferred.expanded.links


class PathLens(Lens):
    """A list of paths with bars. The canvas highlights the current path; a row for many paths can be expanded."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._place: PortName | Link | None = None
        self._unfolded: frozenset[Choices] = frozenset()
        self._answer: PathsAnswer | None = None
        super().__init__(current, appearance, parent)
        table = RowsTable(appearance, path_headings, WIDTHS, (1,), self)
        self._table = named(table, "paths_list", says=tr("Paths to the loss"))
        self._table.setItemDelegateForColumn(2, BarColumn(appearance, self._table))
        self._said = make_label(parent=self, name="paths_summary", wraps=True)
        says, tip = tr("Element of the gradient"), tr("The element whose paths are compared")
        self._element = named(ChoiceBox(self), "paths_element", says=says, tip=tip)
        copies = tr("Copies the chain rule with numbers along the chosen path, or all of it")
        copy = partial(self.command_chosen.emit, "copy_derivation")
        self._copy = make_button(tr("Copy derivation"), copy, self, name="copy_derivation", tip=copies)
        self._lay_out()
        self._table.row_chosen.connect(self._choose)
        self._table.row_pointed_at.connect(self._light)
        self._table.selectionModel().currentRowChanged.connect(self._light_current)
        self._table.left.connect(self._leave)
        self._element.activated.connect(self._ask)

    def begin_document(self) -> None:
        """Shows another document."""
        self._place, self._answer = None, None
        super().begin_document()

    def refresh(self) -> None:
        """Asks for the paths from the selection; an empty selection keeps the last place."""
        place = selected_place(self.session) or (self._place if is_there(self.session, self._place) else None)
        if place != self._place:
            self._place, self._unfolded, self._answer = place, frozenset(), None
            self._element.setCurrentIndex(0)
        if place is None or self.session.results is None:
            self._show(None)
        else:
            self._ask()

    def take(self, reply: Reply) -> None:
        """Shows the paths."""
        self._show(reply.answer)

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Places the box and the button under the sentence if the lens is narrow."""
        super().resizeEvent(event)
        self._head.setDirection(_BELOW if self.width() < NARROW else _BESIDE)

    def hideEvent(self, event: QHideEvent) -> None:  # Qt's name
        """Removes the highlight of a hidden lens."""
        super().hideEvent(event)
        self._light(None)

    # State

    @property
    def chosen(self) -> tuple[PortName | Link, Choices, bool] | None:
        """The path of the current row: its start, its choices, and whether it is cut."""
        row = self._row(self._table.current_key)
        return None if row is None or self._place is None else (self._place, row.choices, bool(row.cuts))

    def _ask(self) -> None:
        if self._place is not None:
            row = self._element.currentIndex()
            self.ask(PathsName(self._place, row - 1 if row > 0 else None, self._unfolded))

    def _row(self, key: object) -> PathReading | None:
        rows = () if self._answer is None else self._answer.rows
        return next((row for row in rows if key_of(row) == key), None)

    # Showing

    def _show(self, answer: PathsAnswer | None) -> None:
        self._answer = answer
        self._offer_elements(() if answer is None else answer.shape)
        name = "" if self._place is None else place_text(self._place)
        self._said.setText("" if answer is None else self._summary(answer, name))
        self._said.setVisible(answer is not None)
        self._copy.setVisible(answer is not None)
        self._table.show_rows([] if answer is None else path_rows(answer), self._nothing(answer))

    def _summary(self, answer: PathsAnswer, name: str) -> str:
        if answer.total or answer.cut:
            return summary(answer, name)
        results, place = self.session.results, self._place
        if results is None or place is None or results.loss is None:
            return self.no_loss()
        reading = results.at(place)
        status = Status.UNKNOWN if reading is None else reading.status
        if status in (Status.UNKNOWN, Status.NO_GRADIENT_DTYPE):
            return status_sentence(status, ())
        return tr("No path leads from {place} to the loss.", place=name)

    def _nothing(self, answer: PathsAnswer | None) -> str:
        if self._place is None:
            return tr("Select a block or a wire to see its paths to the loss.")
        return tr("Not evaluated yet.") if answer is None else ""

    def _offer_elements(self, shape: tuple[int, ...]) -> None:
        size = math.prod(shape)
        self._element.setVisible(size > 1)
        count = min(size, ELEMENTS_OFFERED)
        if self._element.count() != count + 1 or self._element.property("shape") != list(shape):
            row = min(self._element.currentIndex(), count)
            self._element.setProperty("shape", list(shape))
            self._element.clear()
            self._element.addItem(tr("Largest element"))
            self._element.addItems([str(index_of(element, shape)) for element in range(count)])
            self._element.setCurrentIndex(max(row, 0))

    # User input

    def _choose(self, key: Key) -> None:
        row = self._row(key)
        if row is not None and row.count > 1 and not row.cuts:
            self._unfolded |= {row.choices}
            self._ask()

    def _light_current(self, index: QModelIndex) -> None:
        self._light(self._table.rows.rows[index.row()].key if index.isValid() else None)

    def _light(self, key: object) -> None:
        # After the lens is hidden, the pointer still leaves the table, which must not highlight a path again.
        row = self._row(self._table.current_key if key is None else key) if self.isVisible() else None
        start = () if self._place is None or isinstance(self._place, Link) else (self._place.path,)
        self.path_lit.emit(() if row is None else (*start, *row.blocks), () if row is None else row.links)

    def _leave(self) -> None:
        self._table.set_current(None)
        self._light(None)

    # Building

    def _lay_out(self) -> None:
        self._said.setContentsMargins(8, 4, 8, 0)
        self._element.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        tools = make_row(self._element, STRETCH, self._copy, margins=(8, 0, 0, 0))
        self._head = make_row((self._said, 1), tools, margins=(0, 4, 8, 0))
        make_column(self._head, (self._table, 1), inside=self, margins=0, spacing=2)


FEATURE = Feature(
    "paths", "Paths", "Contribution of each path from the selection to the loss", "branch", PathLens, part=PathButtons
)
