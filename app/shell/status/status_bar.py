"""The last line of the window: one state, one sentence with its buttons, and the zoom."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QStatusBar, QToolButton, QWidget

from gradwire.app.base.pace import Pace
from gradwire.app.base.signals import call_on
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr, tr_count, tr_sentence
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_texts import heading, progress_text
from gradwire.app.features.stops.stop_button import StopButton
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.live.data_files import DataFiles
from gradwire.app.live.file_status import FileStatus
from gradwire.app.live.loss_prediction import LossPrediction
from gradwire.app.live.process.crash_problems import title_at
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon_pixmap, set_icon
from gradwire.app.look.numbers import duration_text
from gradwire.app.look.tips import literal_tip, plain_entry
from gradwire.app.look.widgets import make_label, make_row, make_tool, named
from gradwire.app.shell.status.counts import Counter, Counts
from gradwire.app.shell.status.sentence import HINT, SILENT, Sentence
from gradwire.app.shell.status.sentences import sentence_of
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.executors.chosen import EXECUTOR, NOTICE

# So many buttons a sentence has at most.
MOST_ACTIONS = 3
# At texts of 100 %: what stays, and what grows with texts. Units: px.
HEIGHT, CONTROL = (4, 20), (2, 20)
# A shorter run shows no state: it would flicker at every edit.
PATIENCE_MS = 120
DTYPES_SHOWN = 3
_ICON = 13


class StatusBar(SessionView, QStatusBar):
    """The state, the gravest sentence with its buttons, and the zoom.

    `acted(str)` carries the purpose of a button; the sentence and the zoom are the buttons `said` and `zoom`.
    """

    acted = Signal(str)

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__()
        self.current, self._appearance = current, appearance
        self._counter, self._problem, self._note, self.sentence = Counter(), SILENT, SILENT, SILENT
        self._shown: tuple[object, ...] = ()
        named(self, "status_bar", own_sizes=True).setSizeGripEnabled(False)
        self.setContentsMargins(8, 0, 8, 0)
        self._mark, self._state = make_label(parent=self), make_label(parent=self, name="status_state_text")
        self._line = named(QWidget(self), look="upright", size=(17, 12))
        self.said = make_tool(parent=self, name="status_sentence", focus=Qt.FocusPolicy.TabFocus)
        self.said.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._actions = [self._made_action(number) for number in range(MOST_ACTIONS)]
        self._stop = StopButton(current, self)
        # One widget: Qt hides it during a message, and what is in it may change meanwhile.
        self._left, self.zoom = named(QWidget(self), own_sizes=True), make_tool(parent=self, name="status_zoom")
        self._state_parts = named(QWidget(self), "status_state")
        make_row(self._mark, self._state, inside=self._state_parts, margins=(4, 0, 4, 0), spacing=5)
        make_row(self._state_parts, self._stop, self._line, self.said, *self._actions, (None, 1), inside=self._left,
                 margins=0, spacing=0)  # fmt: skip
        self.addWidget(self._left, 1)
        self.addPermanentWidget(named(self.zoom, focus=Qt.FocusPolicy.TabFocus, says=tr("Zoom")))
        # Rounds of a training come more often than anybody can read them.
        self._pace, self._rounds = Pace(self), Pace(self)
        self._busy = make_timer(self, self._show_state, PATIENCE_MS)
        call_on(self._repaint, appearance.restyled, current.changed)
        current.busy_changed.connect(self._take_busy)
        # Saving ends what was said of the file; every edit tells whether it is saved.
        call_on(self._pace.soon, current.results_changed, current.of(FileStatus).saved_changed)
        current.graph_changed.connect(self._take_graph)
        call_on(self._show, self._stop.looked, self._pace.due, self._rounds.due, current.mode_changed,
                current.of(StepMode).changed, current.of(LossPrediction).changed, current.of(FileStatus).turned,
                current.of(DataFiles).changed, current.of(TrainingDesk).changed)  # fmt: skip
        current.of(TrainingDesk).advanced.connect(self._rounds.soon)
        current.caught_up.connect(self._pace.flush)
        current.caught_up.connect(self._rounds.flush)
        self._repaint()

    @property
    def state(self) -> str:
        """The word of the state, "" where a grave sentence stands in its place."""
        return "" if self._state_parts.isHidden() else self._state.text()

    def show_problem(self, problem: Sentence) -> None:
        """Takes the gravest problem of the graph; silence if there is none."""
        self._problem = problem
        self._show()

    def show_zoom(self, scale: float, unread: str) -> None:
        """Shows the zoom of the page, and the first line of a note that cannot be read at it."""
        self.zoom.setText(f"{scale * 100:.0f} %")
        note = Sentence(unread, tr("Read the note"), "read_note", "comment", weight=HINT) if unread else SILENT
        if note != self._note:
            self._note = note
            self._show()

    def event(self, event: QEvent) -> bool:
        """Shortens the sentence to a new width of the window."""
        is_done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return is_done

    def _repaint(self, *_: object) -> None:
        scale = self._appearance.text_scale
        self.setFixedHeight(grown(HEIGHT, scale))
        for button in (self.said, *self._actions, self.zoom):
            button.setFixedHeight(grown(CONTROL, scale))
        self._shown = ()
        self._show()

    def _take_busy(self, is_busy: bool) -> None:
        if is_busy:
            self._busy.start()
        else:
            self._busy.stop()
            # Together with the results that have just come.
            self._pace.now()

    def _take_graph(self, *_: object) -> None:
        # In Live a run follows at once: its end says more than its beginning.
        if not self.session.runs.is_live or not self.session.losses:
            self._show()

    def _show(self, *_: object) -> None:
        """Shows sentence and state."""
        self.sentence = sentence_of(self.session, self._problem, self._note)
        actions = self.sentence.actions
        for number, button in enumerate(self._actions):
            button.setText(plain_entry(actions[number][1]) if number < len(actions) else "")
            button.setVisible(number < len(actions))
        self.said.setVisible(bool(self.sentence.text))
        self._show_state()

    def _show_state(self) -> None:
        session, theme = self.session, self._appearance.theme
        text, name, token = _state_of(session, self._stop.is_long)
        is_quiet = token != "ok" or not self.sentence.is_grave
        self._state_parts.setVisible(is_quiet)
        self._line.setVisible(is_quiet and bool(self.sentence.text))
        tip = "\n".join(self.details)
        self._state_parts.setToolTip(literal_tip(tip))
        self._state.setAccessibleDescription(tip)
        shown = (text, name, token, self.sentence, theme)
        if shown != self._shown:
            self._shown = shown
            self._state.setText(text)
            self._state.setStyleSheet(f"color: {theme.css('text.primary' if token == 'ok' else token)}")
            side = round(_ICON * self._appearance.text_scale)
            self._mark.setPixmap(icon_pixmap(name, theme.css(token), side, self.devicePixelRatioF()))
            self._fit()
            set_icon(self.said, theme, self.sentence.icon, self.sentence.token, side)

    def _fit(self) -> None:
        """Shortens the sentence where it has no room."""
        taken = (self._state_parts, self._stop, self._line, *self._actions, self.zoom)
        used = sum(part.sizeHint().width() for part in taken if not part.isHidden())
        room = self.contentsRect().width() - used - 60
        full = plain_entry(self.sentence.text)
        shown = self.said.fontMetrics().elidedText(full, Qt.TextElideMode.ElideRight, max(room, 60))
        if shown != self.said.text():
            self.said.setText(shown)
        self.said.setAccessibleName(self.sentence.text)
        self.said.setToolTip(literal_tip(self.sentence.text))

    @property
    def details(self) -> list[str]:
        """Returns what the state has beside its word: times, sizes, stops, and by what it was computed."""
        results, session = self.session.results, self.session
        counts = self._counter.count(session.graph)
        size = f"{tr_count('{count} block', '{count} blocks', counts.blocks)} · {_wires(counts.wires)}"
        steps = session.part(StepMode)
        if steps.is_on:
            size = progress_text(steps, _wires(counts.wires if results is None else len(results.wires.row_of)))
        lines = [size, _stops_text(session, counts, results)]
        if results is not None:
            lines = [_passes_text(results), *lines, _finite_text(results), _dtype_text(results.values.dtypes)]
        device = tr("CPU, compiled") if EXECUTOR == "compiled" else "CPU, NumPy"
        return [line for line in (*lines, device, tr_sentence(NOTICE)) if line]

    def _made_action(self, number: int) -> QToolButton:
        name = f"status_action_{number}" if number else "status_action"
        made = make_tool(lambda: self.acted.emit(self.sentence.actions[number][0]), self, name=name, look="action")
        return named(made, focus=Qt.FocusPolicy.TabFocus)


def _state_of(session: Session, is_long: bool) -> tuple[str, str, str]:
    """Returns the word of the state, its icon and the token of its colour."""
    steps, training = session.part(StepMode), session.part(TrainingDesk)
    if steps.is_on:
        look = ("step-fwd", "value") if steps.is_forward else ("step-back", "grad.text")
        return (heading(session), *look)
    if training.is_running:
        return tr("Training"), "play", "accent"
    if session.scheduler.is_busy:
        return _evaluating_text(session) if is_long else tr("Computing"), "refresh", "text.secondary"
    if session.is_stale and session.runs.is_live and session.scheduler.has_lost_run:
        return tr("Stopped; F5 computes"), "clock", "warn"
    if session.is_stale:
        return tr("Stale") if session.runs.is_live else tr("Stale (paused)"), "clock", "warn"
    return tr("Up to date"), "check-circle" if session.runs.is_live else "pause", "ok"


def _evaluating_text(session: Session) -> str:
    """Returns which block a long run evaluates, and for how long."""
    path, time = session.scheduler.running, tr("{number} s", number=int(session.scheduler.seconds))
    if not path:
        return tr("Computing for {time}", time=time)
    return tr("Computing {block} for {time}", block=tr_sentence(title_at(path, session.inferred)), time=time)


def _stops_text(session: Session, counts: Counts, results: Results | None) -> str:
    """Returns how many stops there are, and how many wires something blocks; "" if there is neither."""
    blocked = 0
    if results is not None:
        blocked = int(np.count_nonzero(results.wires.statuses == STATUS_ROW[Status.BLOCKED]))
    stops = tr_count("{count} StopGradient", "{count} StopGradients", counts.stops)
    if not counts.stops:  # The rounds of a loop and pages with own gradients block wires, too.
        return tr("{wires} blocked", wires=_wires(blocked)) if blocked else ""
    if session.runs.ignores_stops:
        return tr("{stops} open", stops=stops)
    return tr("{stops}, {wires} blocked", stops=stops, wires=_wires(blocked))


def _finite_text(results: Results) -> str:
    if results.nonfinite_wires:
        return ""
    return tr("No NaN, Inf is absorbed") if (results.values.rows["infinite"] > 0).any() else tr("No NaN or Inf")


def _passes_text(results: Results) -> str:
    """Returns the time of the forward pass, and of the backward pass if there is a loss."""
    forward, backward = map(duration_text, results.passes)
    if results.loss is None:
        return tr("forward {time}", time=forward)
    return tr("forward {forward}, backward {backward}", forward=forward, backward=backward)


def _wires(count: int) -> str:
    return tr_count("{count} wire", "{count} wires", count)


def _dtype_text(dtypes: tuple[str, ...]) -> str:
    """Returns the dtypes in use, floating point first: `float64, int32`."""
    found = sorted(set(dtypes) - {""}, key=lambda name: (not name.startswith("float"), name))
    text = ", ".join(found[:DTYPES_SHOWN])
    return f"{text} +{len(found) - DTYPES_SHOWN}" if len(found) > DTYPES_SHOWN else text


def grown(length: tuple[int, int], scale: float) -> int:
    """Returns a height, of which the second part grows with texts."""
    return round(length[0] + length[1] * scale)
