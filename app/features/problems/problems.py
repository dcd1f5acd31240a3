"""The panel of problems and advice: the list, the places, and the fixes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu

from gradwire.app.base.settings import Settings
from gradwire.app.base.signals import call_on
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr
from gradwire.app.features.problems.advising import Advisor
from gradwire.app.features.problems.check_rows import check_rows
from gradwire.app.features.problems.checks import Checks
from gradwire.app.features.problems.problem_list import ProblemList, ProblemModel
from gradwire.app.features.problems.problem_rows import ASK_FOR_PLUGIN, CHECKS, QUIET, Row, fix_text, key_of, rows_of
from gradwire.app.features.problems.why_strip import WhyStrip
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.file_status import FileStatus
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.questions.trial_question import RoundsWanted
from gradwire.app.live.readings.readings import Results
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import ENTER_KEYS, make_column, named, pop_up
from gradwire.engine.advice.finding import Fix
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import edits, page_edits

# The list of an older graph may stay this long during an evaluation; a flickering list would be worse.
PATIENCE_MS = 120
HIDDEN_RULES = "hidden_rules"
APPLY_ALL = Fix("Show all advice in this file again", page_edits.apply_all_rules)
_KEYS = (*ENTER_KEYS, Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class ProblemsPanel(SessionWidget):
    """The list, and below it the reason why the selected row matters.

    `fix_chosen(Fix)` carries the fix to apply, `listed(tuple)` comes with the block of each row when the rows change.
    """

    fix_chosen = Signal(object)
    listed = Signal(tuple)

    def __init__(self, current: CurrentSession, appearance: Appearance, settings: Settings) -> None:
        super().__init__(current, appearance, name="problems_panel")
        self._settings = settings
        self._advisor = Advisor(current, self)
        self._advisor.changed.connect(self._refresh)
        settings.changed.connect(self._take_setting)
        self._wanted: RoundsWanted | None = None
        self._shows_checks = False
        self._model = ProblemModel(self)
        self._list = ProblemList(appearance, self)
        self._list.setModel(self._model)
        self._list.selectionModel().currentChanged.connect(self._explain)
        self._list.clicked.connect(self._choose)
        self._list.customContextMenuRequested.connect(self._open_menu)
        self._list.installEventFilter(self)
        self._strip = WhyStrip(appearance, self)
        call_on(self._fix, self._list.fix_wanted, self._strip.fix_wanted)
        self._strip.hide_wanted.connect(self._hide)
        make_column((self._list, 1), self._strip, inside=self, margins=0, spacing=0)
        self._later = make_timer(self, self._refresh, PATIENCE_MS)
        current.changed.connect(lambda: self.show_checks(False))
        current.results_changed.connect(self._take_results)
        call_on(self._refresh_soon, current.inferred_changed, current.graph_changed, current.of(Checks).changed,
                current.of(FileStatus).saved_changed, current.of(FileStatus).turned)  # fmt: skip
        current.replied.connect(self._take_reply)
        self._refresh()

    @property
    def places(self) -> tuple[str, ...]:
        """The qualified name of each problem's block, "" for the file as a whole."""
        return tuple(row.at for row in self._model.rows if row.code not in QUIET)

    @property
    def gravest(self) -> Row | None:
        """The row of the gravest problem, None without any."""
        return self._model.rows[0] if self._model.rows else None

    def hasten_advice(self) -> None:
        """Requests the advice on the newest run without waiting for a rest."""
        self._advisor.hasten()

    def show_first(self) -> None:
        """Selects the row of the gravest problem, with its fix below."""
        self._list.setCurrentIndex(self._model.index(0, 0))

    def show_checks(self, are_shown: bool = True) -> None:
        """Lists also the checks that pass."""
        self._shows_checks = are_shown
        self._refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Shows the place of the current row on Enter, removes its check on Delete."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _KEYS:
            act = self._choose if event.key() in ENTER_KEYS else self._remove_check
            act(self._list.currentIndex())
            return True
        return super().eventFilter(watched, event)

    def _refresh_soon(self) -> None:
        if not self._later.isActive():
            self._later.start()

    def _take_results(self, results: Results) -> None:
        """Shows the problems of the newest run, even if the graph is newer: during a drag it always is."""
        self._later.stop()
        session = self.session
        problems = session.problems
        if session.scheduler.is_busy:
            problems = (*session.file.notices, *results.problems)
        self._show_rows_of(problems, results)

    def _refresh(self) -> None:
        self._show_rows_of(self.session.problems, self.session.results)

    def _show_rows_of(self, problems: tuple[Problem, ...], results: Results | None) -> None:
        # Two questions may fail for the same reason.
        faults = dict.fromkeys(self._advisor.faults.values())
        advice, culprits, graph = self._advisor.advice, self._advisor.culprits, self.session.graph
        hidden = {*self._hidden(), *graph.silenced}
        # Without a loss most checks fail, and that is said already.
        checks = check_rows(self.session.part(Checks), self._shows_checks) if self.session.losses else ()
        lines = self.session.file.lines
        self._show(rows_of((*problems, *faults), results, graph, advice, hidden, lines, culprits, checks))

    def _show(self, rows: list[Row]) -> None:
        was_known = self._list.message
        self._list.set_message(self.session.results is not None)
        if rows == self._model.rows:
            if not rows and was_known != self._list.message:
                self.listed.emit(self.places)
            return
        current = self._row(self._list.currentIndex())
        key = None if current is None else key_of(current)
        self._model.show(rows)
        if (place := next((place for place, row in enumerate(rows) if key_of(row) == key), None)) is not None:
            self._list.setCurrentIndex(self._model.index(place, 0))
        self._explain()
        self.listed.emit(self.places)

    def _row(self, index: QModelIndex) -> Row | None:
        return self._model.rows[index.row()] if index.isValid() else None

    def _choose(self, index: QModelIndex) -> None:
        row = self._row(index)
        if row is not None and row.code == CHECKS:
            self.show_checks(not self._shows_checks)
        elif row is not None and row.link is not None:
            self.current.requests.wire_chosen.emit(row.link)
        elif row is not None and row.at:
            self.current.requests.place_chosen.emit(row.at)

    def _remove_check(self, index: QModelIndex) -> None:
        row = self._row(index)
        if row is not None and row.check is not None and row.check < len(self.session.graph.checks):
            self.session.apply(tr("Remove check"), edits.remove_check, row.check)

    def _explain(self, *_: object) -> None:
        """Shows why the current row matters."""
        row = self._row(self._list.currentIndex())
        self._strip.explain(row)
        self._wanted = None
        if row is not None and row.fix is not None and row.fix.trial is not None:
            self._wanted = RoundsWanted(f"{row.code} {row.at} {row.fix.text}", row.fix.edit)
            self.session.ask(self._wanted)

    def _take_reply(self, reply: Reply) -> None:
        """Shows what the fix of the current row would give after some rounds."""
        if reply.question == self._wanted:
            self._strip.show_rounds(reply.answer)

    def _show_conventions(self, index: QModelIndex) -> None:
        self._choose(index)
        self.current.requests.command_chosen.emit("lens_conventions")

    def _fix(self, row: Row) -> None:
        if row.fix is ASK_FOR_PLUGIN:
            self.current.requests.command_chosen.emit("plugins")
        elif row.fix is not None:
            self.fix_chosen.emit(row.fix)

    # Rules that are not shown

    def _hidden(self) -> set[str]:
        return set(self._settings.table(HIDDEN_RULES))

    def _hide(self, rule: str) -> None:
        self._settings.set_table(HIDDEN_RULES, dict.fromkeys([*sorted(self._hidden()), rule], True))

    def _silence(self, rule: str) -> None:
        edit = partial(page_edits.silence_rule, rule=rule)
        self.fix_chosen.emit(Fix("Do not show this advice in this file", edit))

    def _take_setting(self, key: str) -> None:
        if key == HIDDEN_RULES:
            self._refresh()

    def _open_menu(self, point: QPoint) -> None:
        menu = self._menu(self._list.indexAt(point))
        if not menu.isEmpty():
            pop_up(menu, self._list.viewport().mapToGlobal(point))

    def _menu(self, index: QModelIndex) -> QMenu:
        """Returns the menu of a row, which also shows hidden rules again."""
        menu = named(QMenu(self), "problem_menu")
        row = self._row(index)
        if row is not None and row.at:
            _add(menu, tr("Show the place"), "show_place", partial(self._choose, index))
        if row is not None and row.code == "tie":
            show = partial(self._show_conventions, index)
            _add(menu, tr("What frameworks do at this point"), "show_conventions", show)
        if row is not None and row.fix is not None:
            _add(menu, fix_text(row.fix), "fix_problem", partial(self._fix, row))
        if row is not None and row.check is not None:
            _add(menu, tr("Remove check"), "remove_check", partial(self._remove_check, index))
        if row is not None and row.rule:
            _add(menu, tr("Do not show this advice in this file"), "silence_rule", partial(self._silence, row.rule))
            _add(menu, tr("Never show this advice"), "hide_rule", partial(self._hide, row.rule))
        if self.session.graph.silenced:
            apply_all = partial(self.fix_chosen.emit, APPLY_ALL)
            _add(menu, tr("Show all advice in this file again"), "apply_rules", apply_all)
        if self._hidden():
            _add(menu, tr("Show all rules again"), "show_rules", partial(self._settings.set_table, HIDDEN_RULES, {}))
        return menu


def _add(menu: QMenu, text: str, name: str, call: Callable[[], None]) -> None:
    action = menu.addAction(text)
    action.setObjectName(name)
    action.triggered.connect(lambda _: call())


FEATURE = Feature(
    "problems", "Problems", "What is wrong or remarkable in this graph, with fixes, and its own checks", "warn",
    keys=("F8",), session_part=Checks,
)  # fmt: skip
