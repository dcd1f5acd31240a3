"""The paths from the selected block or wire to the loss, in its card: a list with the contribution of each."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QPushButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.paths.path_questions import Choices, PathReading, PathsAnswer, PathsName
from gradwire.app.features.paths.path_texts import Key, key_of, path_headings, path_rows, summary
from gradwire.app.kit.asking_part import AskingPart
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.inspection import Found, Place
from gradwire.app.kit.lens.place_text import place_text
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.widgets import STRETCH, add_items, make_button, make_label, make_row, named, show_or_hide
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.autodiff.status import Status

# The widths of the columns, units: px, and the most rows that are seen at once.
WIDTHS, ROWS_SHOWN = (150, 72), 8


def selected_place(session: Session) -> Place | None:
    """Returns the selected wire, or the first output of the selected block."""
    chosen = session.selection
    if len(chosen.wires) == 1:
        return session.link(next(iter(chosen.wires)))
    if len(chosen.blocks) == 1:
        path = f"{session.prefix}/{next(iter(chosen.blocks))}"
        return next((name for name in session.inferred.specs if name.path == path), None)
    return None


class PathPart(AskingPart):
    """The list of paths; the page highlights the current one, and a row for many paths can be expanded."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        self._element: int | None = None
        self._unfolded: frozenset[Choices] = frozenset()
        self._found: PathsAnswer | None = None
        super().__init__(current, appearance, parent, tr("Paths"), "paths")
        table = RowsTable(appearance, path_headings, WIDTHS, (1,), self)
        self._table = named(table, "paths_list", says=tr("Paths to the loss"))
        self._said = make_label(parent=self, name="paths_summary", look="row", wraps=True)
        tip = tr("Copies the chain rule with numbers along the chosen path, or all of it")
        buttons = (
            self._button("ways", tr("Path to L"), "route"),
            self._button("step_here", tr("Step here"), "step-back"),
            named(self._button("copy_derivation", "", "copy"), says=tr("Copy derivation"), tip=tip),
        )
        add_items(self.body, self._said, self._table, make_row(*buttons, STRETCH, spacing=6))
        self._table.row_chosen.connect(self._choose)
        self._table.row_pointed_at.connect(self._light)
        self._table.selectionModel().currentRowChanged.connect(self._light_current)
        self._table.left.connect(self._leave)

    def show_place(self, place: Place | None) -> None:
        """Is about another place, of which the largest element comes first."""
        if place != self.place:
            self._element, self._unfolded = None, frozenset()
        super().show_place(place)

    def choose_element(self, index: tuple[int, ...]) -> None:
        """Shows the paths of another element."""
        if self._found is not None and len(index) == len(self._found.shape):
            self._element = int(np.ravel_multi_index(index, self._found.shape)) if index else 0
            self.ask()

    def question(self, place: Place) -> PathsName:
        """Returns the question for the paths at an element."""
        return PathsName(place, self._element, self._unfolded)

    def take(self, place: Place, answer: PathsAnswer | None) -> None:
        """Shows the paths."""
        self._found = answer
        show_or_hide(self._said, "" if answer is None else self._summary(place, answer))
        rows = [] if answer is None else path_rows(answer)
        self._table.show_rows(rows)
        self._table.setVisible(bool(rows))
        head, row = self._table.horizontalHeader().sizeHint(), self._table.verticalHeader().defaultSectionSize()
        self._table.setFixedHeight(head.height() + min(len(rows), ROWS_SHOWN) * row + 2)

    @staticmethod
    def first_place(session: Session, take: Found) -> None:
        """Hands over the first wire with a gradient."""
        links = session.inferred.expanded.links
        known = ((link, session.results.at(link)) for link in links) if session.results is not None else ()
        flowing = (link for link, reading in known if reading is not None and reading.status is Status.FLOW)
        take(next(flowing, tr("No gradient reaches this graph: there are no paths to show.")))

    def hideEvent(self, event: QHideEvent) -> None:  # Qt's name
        """Removes the highlight of a list that is not seen any more."""
        super().hideEvent(event)
        self._light(None)

    @property
    def chosen(self) -> tuple[Place, Choices, bool] | None:
        """The path of the current row: its start, its choices, and whether it is cut."""
        row = self._row(self._table.current_key)
        return None if row is None or self.place is None else (self.place, row.choices, bool(row.cuts))

    def _row(self, key: object) -> PathReading | None:
        rows = () if self._found is None else self._found.rows
        return next((row for row in rows if key_of(row) == key), None)

    def _summary(self, place: Place, answer: PathsAnswer) -> str:
        if answer.total or answer.cut:
            return summary(answer, place_text(place))
        return tr("No path leads from {place} to the loss.", place=place_text(place))

    def _choose(self, key: Key) -> None:
        row = self._row(key)
        if row is not None and row.count > 1 and not row.cuts:
            self._unfolded |= {row.choices}
            self.ask()

    def _light_current(self, index: QModelIndex) -> None:
        self._light(self._table.rows.rows[index.row()].key if index.isValid() else None)

    def _light(self, key: object) -> None:
        # After the list is hidden, the pointer still leaves it, which must not highlight a path again.
        row = self._row(self._table.current_key if key is None else key) if self.isVisible() else None
        start = () if self.place is None or isinstance(self.place, Link) else (self.place.path,)
        blocks, links = ((), ()) if row is None else ((*start, *row.blocks), row.links)
        self.current.requests.path_lit.emit(blocks, links)

    def _leave(self) -> None:
        self._table.set_current(None)
        self._light(None)

    def _button(self, command: str, text: str, picture: str) -> QPushButton:
        ask = partial(self.current.requests.command_chosen.emit, command)
        button = make_button(text, ask, self, name=f"why_{command}")
        button.setIcon(icon(self._appearance.theme, picture, "text.secondary", 14))
        return button


FEATURE = Feature(
    "lens_paths", "Paths", "Contribution of each path from the selection to the loss", "branch", part=PathPart
)
