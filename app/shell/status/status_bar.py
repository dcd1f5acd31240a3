"""The status bar: the state of the evaluation, the size of the graph, and an alarm for NaN."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QStatusBar, QWidget

from gradwire.app.base.pace import Pace
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr, tr_count, tr_sentence
from gradwire.app.features.checks.checks_button import ChecksButton
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_texts import place_in_steps, progress_text
from gradwire.app.features.stops.stop_button import StopButton
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.live.file_status import FileStatus
from gradwire.app.live.loss_prediction import LossPrediction
from gradwire.app.live.process.crash_problems import title_at
from gradwire.app.live.readings.loss_state import LossState, loss_state
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon_pixmap
from gradwire.app.look.numbers import duration_text
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import make_label, make_row, named
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.executors.chosen import EXECUTOR, NOTICE
from gradwire.engine.graph.graph import Block, Graph, Page, keeps_blocks
from gradwire.engine.graph.loops import carried_names, is_loop, sound_loop
from gradwire.engine.graph.ports import used_page

HEIGHT = 26
# A shorter run shows no state: it would flicker at every edit.
PATIENCE_MS = 120
DTYPES_SHOWN = 3
# A narrow window drops these in this order; state, alarm and unsaved changes always stay.
DISPENSABLE = ("device", "time", "dtype", "size", "stops", "finite")
# Qt's gap between the two halves. Units: px.
_BETWEEN = 24


class Counts(NamedTuple):
    """The size of a page or graph."""

    blocks: int = 0
    wires: int = 0
    stops: int = 0


class StatusBar(SessionView, QStatusBar):
    """The last line of the window. `alarm_clicked(Link)` carries the first wire that holds NaN or infinity.

    A click on the number of passing checks emits `checks_clicked()`.
    """

    alarm_clicked = Signal(object)
    checks_clicked = Signal()

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__()
        self.current, self._appearance = current, appearance
        # The graph whose StopGradients have been counted, and how many they are.
        self._counted: tuple[Graph | None, int, list[tuple[str, str]]] = None, 0, []
        self._first_alarm: Link | None = None
        self.setObjectName("status_bar")
        self.setSizeGripEnabled(False)
        self.setFixedHeight(HEIGHT)
        self.setContentsMargins(8, 0, 8, 0)
        self._items = {
            name: _Item(name, self)
            for name in ("state", "prediction", "time", "size", "stops", "loss", "finite", "dtype", "device", "saved")
        }
        self._alarm = named(QPushButton(self), "alarm_button", tip=tr("Show the first wire with NaN or infinity"))
        self._alarm.setFont(font("ui", 11, 600))
        self._alarm.clicked.connect(self._sound_alarm)
        self._checks = ChecksButton(current, appearance, self)
        self._checks.clicked.connect(self.checks_clicked)
        # One widget a side: Qt hides the left one during a message, and its items may change meanwhile.
        left = [self._items[name] for name in ("state", "prediction", "time", "size", "stops")]
        right = [self._items[name] for name in ("loss", "finite", "dtype", "device", "saved")]
        self._stop = StopButton(current, self)
        self._stop.looked.connect(self._show_state)
        self.addWidget(_Side([left[0], self._stop, *left[1:], self._checks], self))
        self.addPermanentWidget(_Side([self._alarm, *right], self))
        self._items["device"].show_text(tr("CPU, compiled") if EXECUTOR == "compiled" else "CPU, NumPy")
        self._items["device"].setToolTip(tr_sentence(NOTICE))
        self._pace = Pace(self)
        self._pace.due.connect(lambda: self._take_results(self.session.results))
        # Rounds of a training come more often than anybody can read them.
        self._rounds = Pace(self)
        self._rounds.due.connect(self._show_state)
        self._busy = make_timer(self, self._show_state, PATIENCE_MS)
        appearance.changed.connect(self._repaint)
        current.changed.connect(self._repaint)
        current.busy_changed.connect(self._take_busy)
        current.mode_changed.connect(self._show_state)
        current.results_changed.connect(self._pace.soon)
        current.graph_changed.connect(self._take_graph)
        current.of(FileStatus).saved_changed.connect(self._show_saved)
        current.of(StepMode).changed.connect(self._repaint)
        current.of(TrainingDesk).changed.connect(self._show_state)
        current.of(TrainingDesk).advanced.connect(self._rounds.soon)
        current.caught_up.connect(self._pace.flush)
        current.caught_up.connect(self._rounds.flush)
        current.of(LossPrediction).changed.connect(self._show_prediction)
        self._repaint()

    def event(self, event: QEvent) -> bool:
        """Fits the items to a new width of the window or of a text."""
        is_done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return is_done

    def _fit(self) -> None:
        """Shows all items with a text; if they do not fit, hides the least needed ones."""
        shown = [name for name, item in self._items.items() if item.text]
        buttons = [button for button in (self._alarm, self._checks, self._stop) if not button.isHidden()]
        taken = sum(button.sizeHint().width() for button in buttons)
        room = self.contentsRect().width() - taken - _BETWEEN
        for name in DISPENSABLE:
            if sum(self._items[item].sizeHint().width() for item in shown) <= room:
                break
            shown = [item for item in shown if item != name]
        for name, item in self._items.items():
            item.setVisible(name in shown)

    def _repaint(self) -> None:
        self._show_state()
        self._take_graph(None, self.session.graph)
        self._take_results(self.session.results)
        self._show_saved(self.session.document.is_saved)

    def _take_busy(self, is_busy: bool) -> None:
        if is_busy:
            self._busy.start()
        else:
            self._busy.stop()
            self._show_state()

    def _take_graph(self, _: Graph | None, graph: Graph) -> None:
        counts = self._counts(graph)
        blocks = tr_count("{count} block", "{count} blocks", counts.blocks)
        wires = _wires(counts.wires)
        steps = self.session.part(StepMode)
        self._items["size"].show_text(
            progress_text(steps, _wires(self._steps_wires(counts))) if steps.is_on else f"{blocks} · {wires}"
        )
        self._show_stops(counts, self.session.results)
        # In Live a run follows at once: its end says more than its beginning.
        if not self.session.runs.is_live:
            self._show_state()

    def _take_results(self, results: Results | None) -> None:
        theme, items = self._appearance.theme, self._items
        items["time"].show_text("" if results is None else _passes_text(results), theme, "clock")
        items["time"].setToolTip("" if results is None else _whole_text(results))
        items["dtype"].show_text("" if results is None else _dtype_text(results.values.dtypes))
        self._show_stops(self._counts(self.session.graph), results)
        self._show_alarm(results)
        self._show_prediction()

    def _show_state(self) -> None:
        session, theme, item = self.session, self._appearance.theme, self._items["state"]
        if session.part(StepMode).is_on:
            icon, token = ("step-fwd", "value") if session.part(StepMode).is_forward else ("step-back", "grad.text")
            item.show_text(place_in_steps(session.part(StepMode)), theme, icon, token)
        elif (training := session.part(TrainingDesk)).is_running:
            item.show_text(tr("Training · round {round}", round=f"{training.round:,}"), theme, "play", "accent")
        elif session.scheduler.is_busy:
            item.show_text(_evaluating_text(session) if self._stop.is_long else tr("Evaluating"), theme, "refresh")
        elif session.is_stale and session.runs.is_live and session.scheduler.has_lost_run:
            item.show_text(tr("Stopped; F5 evaluates"), theme, "clock", "warn")
        elif session.is_stale:
            item.show_text(tr("Stale") if session.runs.is_live else tr("Stale (Manual)"), theme, "clock", "warn")
        else:
            item.show_text(tr("Up to date"), theme, "check-circle", "ok")

    def _show_stops(self, counts: Counts, results: Results | None) -> None:
        blocked = 0
        if results is not None:
            blocked = int(np.count_nonzero(results.wires.statuses == STATUS_ROW[Status.BLOCKED]))
        stops = tr_count("{count} StopGradient", "{count} StopGradients", counts.stops)
        text = tr("{stops}, {wires} blocked", stops=stops, wires=_wires(blocked))
        if not counts.stops:  # The rounds of a loop and pages with own gradients block wires, too.
            text = tr("{wires} blocked", wires=_wires(blocked))
        elif self.session.runs.ignores_stops:
            text = tr("{stops} ignored", stops=stops)
        if self.session.part(StepMode).is_on:
            self._items["stops"].show_text(tr("Step mode pauses editing"))
            return
        is_worth_it = counts.stops or blocked
        self._items["stops"].show_text(text if is_worth_it else "", self._appearance.theme, "stopgrad")

    def _show_alarm(self, results: Results | None) -> None:
        broken = [] if results is None else results.nonfinite_wires
        self._first_alarm = broken[0] if broken else None
        self._alarm.setVisible(bool(broken))
        if results is not None and broken:
            what = "NaN" if any((table.rows["nan"] > 0).any() for table in results.tables) else "Inf"
            self._alarm.setText(tr("{what} in {wires}", what=what, wires=_wires(len(broken))))
            self._alarm.setIcon(icon_pixmap("warn", self._appearance.theme.css("text.on-accent"), 12, 2))
        self._items["loss"].show_text(_loss_text(results), self._appearance.theme, "warn", "alarm")
        text = "" if broken or results is None else tr("No NaN or Inf")
        if text and results is not None and (results.values.rows["infinite"] > 0).any():
            text = tr("No NaN, Inf is absorbed")
        self._items["finite"].show_text(text, self._appearance.theme, "check")

    def _show_prediction(self) -> None:
        newest = self.session.part(LossPrediction).newest
        self._items["prediction"].show_text(newest.text if newest else "", self._appearance.theme, "target")

    def _show_saved(self, is_saved: bool) -> None:
        self._items["saved"].show_text(tr("Saved") if is_saved else tr("Not saved"))

    def _sound_alarm(self) -> None:
        if self._first_alarm is not None:
            self.alarm_clicked.emit(self._first_alarm)

    def _steps_wires(self, counts: Counts) -> int:
        """Returns the number of wires that steps lead over: those of a used page count once for each use."""
        results = self.session.results
        return counts.wires if results is None else len(results.wires.row_of)

    def _counts(self, graph: Graph) -> Counts:
        """Returns the size of a graph; StopGradients are not counted again while its blocks stay."""
        counted, stops, loops = self._counted
        if counted is None or not keeps_blocks(counted, graph):
            stops = sum(map(_stops_of, graph.pages))
            loops = [(page.name, block.id) for page in graph.pages for block in page.blocks.values() if is_loop(block)]
        self._counted = graph, stops, loops
        stops += sum(_stops_in(graph, graph.page(page).blocks[name]) for page, name in loops)
        wires = sum(len(page.wires) + len(page.surplus) for page in graph.pages)
        return Counts(sum(len(page.blocks) for page in graph.pages), wires, stops)


class _Side(QWidget):
    """One half of the bar: items beside each other."""

    def __init__(self, items: Sequence[QWidget], parent: QWidget) -> None:
        super().__init__(parent)
        layout = make_row(inside=self, margins=0, spacing=0)
        for item in items:
            layout.addWidget(item)


class _Item(QWidget):
    """An icon and a short text; without a text it is hidden."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"status_{name}")
        self._icon, self._text = QLabel(self), make_label(parent=self, name=f"status_{name}_text")
        self._icon.hide()
        self._shown: tuple[object, ...] = ()
        self.text = ""
        make_row(self._icon, self._text, inside=self, margins=(4, 0, 8, 0), spacing=5)

    def show_text(self, text: str, theme: Theme | None = None, icon: str = "", token: str = "text.secondary") -> None:
        """Shows a text, with an icon if a theme is given."""
        if (text, theme, icon, token) == self._shown:
            return
        has_same_look = (theme, icon, token) == self._shown[1:]
        self._shown = (text, theme, icon, token)
        self.text = text
        self._text.setText(text)
        self.setVisible(bool(text))
        if has_same_look:
            return
        self._icon.setVisible(theme is not None)
        if theme is not None:
            self._icon.setPixmap(icon_pixmap(icon, theme.css(token), 13, self.devicePixelRatioF()))
            self._text.setStyleSheet(f"color: {theme.css(token)}")


def _evaluating_text(session: Session) -> str:
    """Returns which block a long run evaluates, and for how long."""
    path, time = session.scheduler.running, tr("{number} s", number=int(session.scheduler.seconds))
    if not path:
        return tr("Evaluating for {time}", time=time)
    return tr("Evaluating {block} for {time}", block=tr_sentence(title_at(path, session.inferred)), time=time)


def _stops_of(page: Page) -> int:
    kinds = Counter(map(attrgetter("type"), page.blocks.values()))
    return sum(count for name, count in kinds.items() if name in library and library[name].role is Role.STOP)


def _stops_in(graph: Graph, block: Block) -> int:
    """Returns how many StopGradient blocks a loop stands for."""
    loop, used = sound_loop(block), used_page(graph, block)
    if loop is None or used is None or block.is_muted:
        return 0
    return len(carried_names(used)) * sum(map(loop.stops_before, range(loop.times)))


def _passes_text(results: Results) -> str:
    """Returns the time of the forward pass, and of the backward pass if there is a loss."""
    forward, backward = map(duration_text, results.passes)
    if results.loss is None:
        return tr("forward {time}", time=forward)
    return tr("forward {forward}, backward {backward}", forward=forward, backward=backward)


def _loss_text(results: Results | None) -> str:
    """Returns that the loss is no number, "" if it is one."""
    texts = {
        LossState.FINE: "",
        LossState.NAN: tr("L is NaN"),
        LossState.INFINITE: tr("L is infinite"),
        LossState.UNKNOWN: tr("L cannot be computed"),
    }
    return texts[loss_state(results)]


def _whole_text(results: Results) -> str:
    """Returns the total time of the run with these results."""
    return tr("Evaluated in {time}", time=duration_text(results.seconds))


def _wires(count: int) -> str:
    return tr_count("{count} wire", "{count} wires", count)


def _dtype_text(dtypes: tuple[str, ...]) -> str:
    """Returns the dtypes in use, floating point first: `float64, int32`."""
    found = sorted(set(dtypes) - {""}, key=lambda name: (not name.startswith("float"), name))
    text = ", ".join(found[:DTYPES_SHOWN])
    return f"{text} +{len(found) - DTYPES_SHOWN}" if len(found) > DTYPES_SHOWN else text
