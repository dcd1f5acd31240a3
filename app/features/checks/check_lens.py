"""The lens of checks: the expectations of the graph's author, and whether the newest run meets them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.checks.check_texts import check_headings, check_row, checks_summary, record_text
from gradwire.app.features.checks.check_view import CheckView
from gradwire.app.features.checks.checks import Checks
from gradwire.app.features.checks.expecting import EXPECTATIONS, has_ports
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import make_button, make_column, make_label, make_row, named
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits
from gradwire.engine.explain.contracts import Check

# The preferred widths of the columns; narrower windows shrink them in proportion. Units: px.
WIDTHS = (360, 380, 260)
_REMOVING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class CheckLens(Lens):
    """One row for each check, failed checks first. A click goes to its place, Delete removes it.

    The button adds a check of the selection.
    """

    tells_gradients = False

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(current, appearance, parent)
        current.of(Checks).changed.connect(self.refresh_soon)
        table = RowsTable(appearance, check_headings, WIDTHS, parent=self)
        self._table = named(table, "checks_table", says=tr("Checks"))
        self._table.row_chosen.connect(self._go_to)
        self._table.installEventFilter(self)
        self._table.selectionModel().currentRowChanged.connect(self._show_controls)
        self._summary = make_label(name="checks_summary")
        self._remove = make_button(tr("Remove"), self._remove_current, name="remove_check")
        self._add = make_button(tr("Add check"), name="add_check", tip=tr("Add a check to the selection"))
        self.controls = self._made_controls()
        make_column(self._table, inside=self, margins=0)

    def refresh(self) -> None:
        """Lists the checks with their results."""
        checks = self.session.part(Checks)
        numbered = sorted(enumerate(checks.rows), key=lambda item: item[1].result is None or item[1].result.holds)
        rows = [check_row(number, row, record_text(checks)) for number, row in numbered]
        self._table.show_rows(rows, self._nothing())
        self._summary.setText(checks_summary(checks))
        self._show_controls()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Removes the current check on Delete."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _REMOVING:
            self._remove_current()
            return True
        return super().eventFilter(watched, event)

    def _nothing(self) -> str:
        return tr(
            "This graph has no checks. Select a block or a wire and choose Add check. Gradwire then tries it "
            "after every run, and in gradwire check."
        )

    def _go_to(self, number: int) -> None:
        place = _place(self.session.part(Checks).rows[number].check)
        if place is not None:
            self.go_to(place)

    def _remove_current(self) -> None:
        number = self._table.current_key
        if isinstance(number, int) and number < len(self.session.graph.checks):
            self.session.apply(tr("Remove check"), edits.remove_check, number)

    def _show_controls(self, *_: object) -> None:
        self._remove.setEnabled(self._table.current_key is not None)
        self._add.setEnabled(has_ports(self.session))

    # Building

    def _made_controls(self) -> QWidget:
        self._add.setMenu(self._made_menu())
        strip = QWidget()
        make_row(self._summary, self._add, self._remove, inside=strip, margins=(0, 0, 4, 0))
        return strip

    def _made_menu(self) -> QMenu:
        menu = named(QMenu(self), "menu_add_check")
        menu.setToolTipsVisible(True)
        for kind in EXPECTATIONS:
            action = menu.addAction(tr(kind.title))
            action.setToolTip(tr(kind.tip))
            action.triggered.connect(lambda _=False, kind=kind: kind.add(self.session, self.window()))
        return menu


def _place(check: Check) -> PortName | Link | None:
    """Returns the place of a check; None if it names none."""
    ends = check.get("wire", (check.get("at"),))
    if not isinstance(ends, list | tuple):
        return None
    names = [PortName(*end.rsplit(".", 1)) for end in ends if isinstance(end, str) and "." in end]
    if len(names) == 2:
        return Link(*names)
    return names[0] if names else None


FEATURE = Feature(
    "checks",
    "Checks",
    "The checks of this graph, and whether they pass",
    "check-circle",
    CheckLens,
    part=CheckView,
    session_part=Checks,
)
