"""The lens of stops: the effect of each StopGradient, and of one on the selected wire."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.stops.stop_questions import StopAnswer, StopName
from gradwire.app.features.stops.stop_rows import HEIGHT, StopRow
from gradwire.app.features.stops.stop_texts import change_headings, change_row, stop_headings, stop_row, verdict_text
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.comparison import Comparison, WithoutStops, WithStop
from gradwire.app.live.readings.readings import Results
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import make_button, make_column, make_label, make_row, named
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.blocktypes.block_type import Role

CHANGE_WIDTHS = (124, 72, 80, 80, 72)
# Below this width the changes stand under the stops. Units: px.
NARROW = 520
SHARES, HALVES = (400, 600), (500, 500)


class StopLens(Lens):
    """The stops at the left, the selected one's changes at the right; the canvas shows both states."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._answers: dict[str | Link, StopAnswer | None] = {}
        self._waiting: list[str | Link] = []
        self._asked_of: Results | None = None
        self._chosen: str | Link | None = None
        super().__init__(current, appearance, parent)
        stops = RowsTable(appearance, stop_headings, (), parent=self)
        self._stops = named(stops, "stops_list", says=tr("All StopGradient blocks"))
        changes = RowsTable(appearance, self._change_headings, CHANGE_WIDTHS, (1, 2, 3, 4), self)
        self._changes = named(changes, "stop_changes", says=tr("What the chosen stop changes"))
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        self._verdict = make_label(parent=self, name="stop_verdict", wraps=True)
        self._insert = make_button(tr("Insert StopGradient"), self._insert_stop, self, name="insert_stop")
        self._lay_out()
        self._stops.row_chosen.connect(self._choose)
        self._stops.left.connect(self.leave)
        self._changes.row_chosen.connect(self.go_to)
        self._changes.left.connect(self.leave)

    def begin_document(self) -> None:
        """Shows another document, and ends the comparison in the previous one."""
        self.leave()
        self._answers, self._waiting, self._asked_of = {}, [], None
        super().begin_document()

    def refresh(self) -> None:
        """Lists the stops; after a run asks again about each, the selected one first."""
        keys = self._keys()
        if self._chosen is not None and self._chosen not in keys:
            self.leave()
        self._answers = {key: self._answers.get(key) for key in keys}
        if self._asked_of is not self.session.results:
            self._asked_of = self.session.results
            self._waiting = sorted(keys, key=lambda key: key != self._chosen)
        else:
            self._waiting = [key for key in keys if key in self._waiting or self._answers[key] is None]
        self._show()
        self._ask_next()

    def take(self, reply: Reply) -> None:
        """Shows the effect of one stop and asks about the next."""
        question = reply.question
        if isinstance(question, StopName) and question.place in self._answers:
            self._waiting = [key for key in self._waiting if key != question.place]
            if reply.answer is not None:
                self._answers[question.place] = reply.answer
                self._show()
            self._ask_next()

    def leave(self) -> None:
        """Ends the comparison."""
        self._choose(None)

    def hideEvent(self, event: QHideEvent) -> None:  # Qt's name
        """Ends the comparison of a hidden lens."""
        self.leave()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Places the changes under the stops if the lens is narrow; the rows then replace the verdict."""
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW
        way = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        self._verdict.setVisible(not is_narrow)
        if way != self._splitter.orientation():
            self._splitter.setOrientation(way)
            self._splitter.setSizes(HALVES if is_narrow else SHARES)

    # State

    def _keys(self) -> list[str | Link]:
        instances = self.session.inferred.expanded.instances
        keys: list[str | Link] = [path for path, item in instances.items() if item.role is Role.STOP]
        links = [self._chosen] if isinstance(self._chosen, Link) else []
        wire = next(iter(self.session.selection.wires), None) if len(self.session.selection.wires) == 1 else None
        if wire is not None and not isinstance(self._chosen, Link):
            links = [self.session.link(wire)]
        known = {} if self.session.results is None else self.session.results.wires.row_of
        return [*(link for link in links if link in known and not self._is_at_stop(link)), *keys]

    def _is_at_stop(self, link: Link) -> bool:
        instances = self.session.inferred.expanded.instances
        ends = (instances.get(end.path) for end in link)
        return any(end is not None and end.role is Role.STOP for end in ends)

    def _ask_next(self) -> None:
        if self._waiting and self.session.results is not None:
            self.ask(StopName(self._waiting[0]))

    # Showing

    def _show(self) -> None:
        nothing = tr("This graph has no StopGradient. Select a wire to see what one there would change.")
        self._stops.show_rows([stop_row(key, answer) for key, answer in self._answers.items()], nothing)
        self._stops.set_current(self._chosen)
        answer = None if self._chosen is None else self._answers.get(self._chosen)
        self._insert.setVisible(isinstance(self._chosen, Link))
        self._verdict.setText("" if answer is None else verdict_text(answer))
        rows = () if answer is None else answer.changes
        self._changes.show_rows([change_row(change) for change in rows], self._nothing_chosen(answer))

    def _nothing_chosen(self, answer: StopAnswer | None) -> str:
        if not self._answers:
            return ""
        if self._chosen is None:
            return tr("Choose a StopGradient to see what it changes. Select a wire to see what one there would change.")
        return "" if answer is None else tr("Not a single gradient differs.")

    def _change_headings(self) -> tuple[str, ...]:
        return change_headings(isinstance(self._chosen, Link))

    # User input

    def _choose(self, key: str | Link | None) -> None:
        self._chosen = key
        preview: Comparison | None = None
        if key is not None:
            preview = WithStop(key) if isinstance(key, Link) else WithoutStops(frozenset((key,)))
        self.session.runs.set_preview(preview)
        if self.isVisible():
            self._show()

    def _insert_stop(self) -> None:
        link = self._chosen
        if isinstance(link, Link):
            self.leave()
            self.wire_chosen.emit(link)
            self.command_chosen.emit("stop_here")

    # Building

    def _lay_out(self) -> None:
        self._stops.setItemDelegateForColumn(0, StopRow(self.appearance, self._stops, QSize()))
        self._stops.set_row_height(HEIGHT)
        for column in (1, 2):
            self._stops.setColumnHidden(column, True)
        self._insert.hide()
        head = make_row((self._verdict, 1), self._insert, margins=(8, 4, 8, 0))
        side = QWidget(self)
        make_column(head, (self._changes, 1), inside=side, margins=0)
        self._splitter.addWidget(self._stops)
        self._splitter.addWidget(side)
        self._splitter.setSizes(SHARES)
        make_row(self._splitter, inside=self, margins=0)


FEATURE = Feature(
    "stops", "StopGradients", "What each StopGradient changes, and what one on the selected wire would", "stopgrad",
    StopLens,
)  # fmt: skip
