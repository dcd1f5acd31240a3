"""The announcements of a screen reader: edits, stops and the ends of runs calmly, the appearance of NaN at once."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import decimal, tr
from gradwire.app.canvas.access.edit_sentences import edit_sentence
from gradwire.app.canvas.access.name_changes import NameChanges
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.live.current_session import SessionView
from gradwire.app.live.readings.readings import Results
from gradwire.app.look.numbers import MINUS
from gradwire.engine.graph.graph import Graph, Page
from gradwire.engine.graph.paths import name_in_rounds

# While a slider is dragged, runs follow one another: only the last one is spoken of.
PATIENCE_MS = 500


class LiveRegion(SessionView, QObject):
    """Announcements of runs, edits, stops and wires that do not fit.

    `said(str, bool)` has a text, and whether it is urgent. Where no screen reader listens, edits are not compared.
    """

    said = Signal(str, bool)

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas, self.current = canvas, canvas.current
        self._name_changes = NameChanges(canvas)
        self._after_edit = make_timer(self, self._speak_of_edit)
        self._later = make_timer(self, self._speak_of_run, PATIENCE_MS)
        canvas.said.connect(self._speak_of_reason)
        self.current.changed.connect(self._begin_document)
        self.current.results_changed.connect(self._take_results)
        self.current.graph_changed.connect(self._take_edit)
        self.current.mode_changed.connect(self._speak_of_stops)
        self._begin_document()

    def _begin_document(self, *_: object) -> None:
        self._alarm, self._last = "", ""
        self._edited_from: Page | None = None
        self._later.stop()
        self._ignores_stops = self.session.runs.ignores_stops
        if self.session.results is not None:
            self._take_results(self.session.results)

    def _take_results(self, results: Results | None) -> None:
        self._name_changes.follow_results()
        alarm = "" if results is None else alarm_sentence(results)
        if alarm and alarm != self._alarm:
            self.say(alarm, is_urgent=True)
        self._alarm = alarm
        self._later.start()

    def _take_edit(self, old: Graph, _: Graph) -> None:
        """Remembers the page before an edit; edits of one event are told together."""
        if QAccessible.isActive() and self._edited_from is None:
            self._edited_from = next((page for page in old.pages if page.name == self.session.page_name), None)
            self._after_edit.start()

    def _speak_of_edit(self) -> None:
        old, self._edited_from = self._edited_from, None
        sentence = "" if old is None else edit_sentence(old, self.session.page)
        if sentence and old is not None and old.name == self.session.page_name:
            self.say(sentence)

    def _speak_of_stops(self) -> None:
        ignores = self.session.runs.ignores_stops
        if ignores is not self._ignores_stops:
            self._ignores_stops = ignores
            off = tr("StopGradient off: wires that change say both gradients")
            self.say(off if ignores else tr("StopGradient on"))

    def _speak_of_run(self) -> None:
        results = self.session.results
        sentence = "" if results is None or self._alarm else run_sentence(results)
        if sentence and sentence != self._last:
            self._last = sentence
            self.say(sentence)

    def _speak_of_reason(self, reason: str) -> None:
        if reason and self._canvas.keyboard.wire is not None:
            self.say(reason, is_urgent=True)

    def say(self, text: str, is_urgent: bool = False) -> None:
        """Says something after what is being said, or at once if it is urgent."""
        announce(self._canvas, text, is_urgent)
        self.said.emit(text, is_urgent)


def run_sentence(results: Results) -> str:
    """Returns the sentence that a run is over, with the loss."""
    value = None if results.loss is None else results.loss.value
    if value is None or value.size != 1:
        return tr("Computed")
    number = decimal(f"{float(value.reshape(-1)[0]):.4g}".replace("-", MINUS))
    return tr("Computed, L {number}", number=number)


def alarm_sentence(results: Results) -> str:
    """Names the first wire that holds NaN or infinity by its block and number; "" if none does."""
    broken = results.nonfinite_wires
    if not broken:
        return ""
    row = results.wires.row_of[broken[0]]
    value = results.values[results.ports.row_of.get(broken[0].source, -1)]
    gradient = results.wires.gradients[row]
    what = "NaN" if any(item is not None and item.nan for item in (value, gradient)) else "Inf"
    block = name_in_rounds(broken[0].source.path)
    return tr("{what} in {block}, wire {number}", what=what, block=block, number=row + 1)


def announce(widget: QWidget, text: str, is_urgent: bool) -> None:
    """Lets a screen reader say a text: after what it is saying, or at once if it is urgent."""
    if QAccessible.isActive():
        event, levels = QAccessibleAnnouncementEvent(widget, text), QAccessible.AnnouncementPoliteness
        event.setPoliteness(levels.Assertive if is_urgent else levels.Polite)
        QAccessible.updateAccessibility(event)
