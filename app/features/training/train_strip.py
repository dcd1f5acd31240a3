"""The strip of training: run, one round, back to the start; round, loss, its curve; rate, speed, end and metric.

Over its panel it has rule and batch in place of curve and metric, and what else there is.
"""

from __future__ import annotations

import enum
import re

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.training.plan_view import RateField, records_of
from gradwire.app.features.training.training_desk import TrainingView
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.radio_button import RadioButton, RadioGroup
from gradwire.app.kit.controls.round_curve import CURVE, LossCurve, ProgressLine
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import TEST, is_plain
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon, set_icon
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import (
    STRETCH,
    Does,
    Item,
    make_button,
    make_column,
    make_label,
    make_row,
    make_tool,
    named,
)
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.number_text import read_count
from gradwire.engine.blocktypes.update_rule import RULES
from gradwire.engine.edits import training_edits
from gradwire.engine.edits.edits import set_parameter
from gradwire.engine.training.run import USUAL_ROUNDS

# At texts of 100 %. Units: px.
RUN, BESIDE, SMALL, FIELD = (86, 34), 36, 32, 26
CAPTION, NUMBER, RATE, UNTIL, RULE, BATCH = 16, 22, 76, 104, 76, 78
SPEEDS = (49, 62, 45, 40)
# What is free above the strip alone, and over its panel.
ABOVE, ABOVE_PANEL = 11, 7
# So long a training lasts at the speed of a lesson. Units: s.
LESSON = 10.0


class Speed(enum.Enum):
    """How many rounds a second at most: so many, as many as let all last 10 s, or as many as possible."""

    ONE = "1/s"
    LESSON = "in 10 s"
    HUNDRED = "100/s"
    MOST = "max"

    def limit(self, rounds: int) -> float | None:
        """Returns the rounds a second for a training of so many rounds, None for as many as possible."""
        return {Speed.ONE: 1.0, Speed.LESSON: max(rounds, 1) / LESSON, Speed.HUNDRED: 100.0, Speed.MOST: None}[self]


class TrainStrip(TrainingView, SessionWidget):
    """All that is needed to train and to watch; whoever shows it lets its button `more` offer the rest."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent, own_sizes=True)
        self.speed = Speed.LESSON
        self._captions: list[QLabel] = []
        self._shows_curve = True
        self._run = make_button("", lambda: self.training.train(), self, name="training_run",
                                words=tr("Train or pause (F9)"), look="primary")  # fmt: skip
        self._one = self._tool("training_step", tr("Train one round (Shift+F9)"), lambda: self.training.train(1))
        self._reset = self._tool("training_reset", tr("Back to the start"), lambda: self.training.reset())
        self._round, self._of = self._big("training_round"), self._small("training_of")
        self._line = named(ProgressLine(appearance, self), own_sizes=True)
        self._loss, self._was = self._big("training_loss"), self._small("training_was")
        self._curve = named(LossCurve(appearance, self), own_sizes=True)
        self._rate = named(RateField(current, self), "training_rate", says=tr("Learning rate"))
        self._speeds = {speed: self._speed_button(speed, place) for place, speed in enumerate(Speed)}
        self._until = named(QLineEdit(self), "training_rounds", words=tr("Rounds after which the training ends"))
        self._metric, self._value = self._small("training_metric"), self._big("training_value")
        self._unseen = self._small("training_unseen")
        self._rule = named(ChoiceBox(self), "training_rule", says=tr("Rule"))
        self._batch = named(QLineEdit(self), "training_batch", words=tr("Rows of the data in each round"))
        self.more = make_button(tr("More"), parent=self, name="training_more", look="link")
        self._rate.setFont(font("mono", 12))
        for field in (self._until, self._rule, self._batch, self.more):
            field.setFont(font("ui", 12, 600))
        self._lay_out()
        self._rate.changed.connect(self._take_rate)
        self._rule.activated.connect(self._take_rule)
        self._batch.editingFinished.connect(self._take_batch)
        self._until.editingFinished.connect(self._take_rounds)
        current.changed.connect(self._begin_document)
        current.graph_changed.connect(self._look_again)
        appearance.restyled.connect(self._restyle)
        self._restyle()
        self._pace()

    def showEvent(self, event: QShowEvent) -> None:  # Qt's name
        """Asks for the plan that the hidden strip has missed."""
        super().showEvent(event)
        self._look_again()

    def _look_again(self, *_: object) -> None:
        if self.isVisible() and not self.training.is_applying:
            self.training.look()

    @property
    def planned(self) -> int:
        """The rounds after which the training ends."""
        rounds = self.training.plan.until.steps
        return USUAL_ROUNDS if rounds is None else rounds

    @property
    def end(self) -> int:
        """The last round of the training as it is shown."""
        return self.training.plan.until.end_of(self.training.shown_round, USUAL_ROUNDS)

    def show_curve(self, is_shown: bool) -> None:
        """Shows the small curve and the metric, or leaves the curve's place to the large one below."""
        self._shows_curve = is_shown
        self._restyle()

    def minimumSizeHint(self) -> QSize:
        """Returns a small width: what has no room goes."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows what there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        is_over_panel = not self._shows_curve
        self.more.setMinimumWidth(self.more.sizeHint().width())
        self._curve_box.setVisible(self._shows_curve)
        self._metric_box.setVisible(self._shows_curve and bool(self._metric.text()))
        self._more_box.setVisible(is_over_panel)
        self._chosen_box.setVisible(is_over_panel)
        self._batch_box.setVisible(is_over_panel and self._data is not None)
        for box in (self._metric_box, self._batch_box, self._chosen_box):
            if self._layout.minimumSize().width() > self.width():
                box.hide()

    def set_speed(self, speed: Speed) -> None:
        """Chooses how fast rounds follow each other."""
        self.speed = speed
        self._speeds[speed].setChecked(True)
        self._pace()

    def refresh(self) -> None:
        """Shows what the training has reached, and what can be done."""
        training, theme, n, end = self.training, self._appearance.theme, self.training.shown_round, self.end
        self._pace()
        self._round.setText(f"{n:,}")
        self._of.setText(tr("of {count}", count=f"{end:,}"))
        self._line.set_share(n / end if end else 0.0)
        self._show_loss(training.log)
        self._show_metric(training.log)
        if (self._shows_curve and bool(self._metric.text())) is self._metric_box.isHidden():
            self._fit()
        is_running, can_run = training.is_running, bool(training.plan.rows) and not training.plan.fault
        self._run.setText(tr("Pause") if is_running else tr("Train") if not n else tr("Go on"))
        set_icon(self._run, theme, "pause" if is_running else "play", "text.on-accent")
        self._run.setEnabled(is_running or can_run)
        self._one.setEnabled(can_run and not is_running)
        self._reset.setEnabled(training.can_reset)
        self._curve.show_log(training.log, _loss_name(training.log), end, n)
        if not self._until.hasFocus():
            self._until.setText(tr("round {count}", count=f"{self.planned:,}"))
        records = records_of(self.session.graph.training)
        row = next((place for place, item in enumerate(training.plan.rows) if item.trains), None)
        is_known = row is not None and row < len(records)
        for field in (self._rate, self._rule):
            field.setEnabled(is_known)
        if row is not None and is_known:
            self._rate.show_rule(records[row].get("rule"))
            self._rule.offer({name: name.capitalize() for name in RULES}, self._rate.kind)
        self._show_batch()

    def _show_batch(self) -> None:
        data = self._data
        if (data is not None and not self._shows_curve) is self._batch_box.isHidden():
            self._fit()
        if data is not None and not self._batch.hasFocus():
            name, batch = data
            spec = next((spec for port, spec in self.session.inferred.specs.items() if port.path == name), None)
            count = 0 if spec is None or not spec.shape else spec.shape[0]
            self._batch.setText(f"{batch:,}" if batch else tr("all {count}", count=f"{count:,}"))

    @property
    def _data(self) -> tuple[str, int] | None:
        """The name of the first Data block, and the rows that it gives to each round, 0 for all; None without one."""
        page = self.session.graph.pages[0]
        found = next((block for block in page.blocks.values() if block.type == "Data"), None)
        batch = 0 if found is None else found.parameters.get("batch", 0)
        return None if found is None else (f"{page.name}/{found.id}", batch if isinstance(batch, int) else 0)

    def _show_loss(self, log: RoundLog) -> None:
        loss, name = self._loss_shown(), _loss_name(log)
        first = log.points(name).numbers[:1] if name else np.zeros(0)
        self._loss.setText("–" if loss is None else fmt(loss))
        self._was.setText(tr("was {number}", number=fmt(float(first[0]))) if first.size else "")

    def _loss_shown(self) -> float | None:
        """Returns the loss that the canvas shows: that of the first step that trains, or of all Losses."""
        losses = [row.loss for row in self.training.plan.rows if row.trains]
        names = self.session.losses if not losses or losses[0] is None else [losses[0]]
        results = self.session.results
        ports = [] if results is None else [results.port(PortName(name, "y")) for name in names]
        values = [port.value.first[0] for port in ports if port is not None and port.value is not None]
        return sum(values) if values and len(values) == len(names) else None

    def _show_metric(self, log: RoundLog) -> None:
        name = next((name for name in log.names if is_plain(name) and "." in name), None)
        tested = None if name is None else log.newest(TEST + name)
        self._unseen.setVisible(tested is not None)
        if name is None:
            self._metric.clear()
            return
        newest, path = log.newest(name), name.rpartition(".")[0]
        block = self.session.inferred.expanded.instances.get(path)
        kind = path.rpartition("/")[2] if block is None else block.block.type
        self._metric.setText(kind)
        self._value.setText("–" if newest is None else _metric_text(kind, newest))
        self._unseen.setText("" if tested is None else tr("unseen {number}", number=_metric_text(kind, tested)))

    # What is chosen

    def _begin_document(self, *_: object) -> None:
        self.set_speed(Speed.LESSON)
        self._look_again()
        self.refresh()

    def _pace(self) -> None:
        limit = self.speed.limit(self.planned)
        if limit != self.training.limit:
            self.training.set_limit(limit)

    def _take_rate(self, rule: object) -> None:
        row = next((place for place, item in enumerate(self.training.plan.rows) if item.trains), 0)
        self.session.apply(tr("Change the plan of training"), training_edits.set_in_step, row, "rule", rule)

    def _take_rule(self) -> None:
        self._take_rate(self._rate.with_type(self._rule.currentData()))

    def _take_batch(self) -> None:
        digits, data = re.search(r"^\d[\d.,\s]*$", self._batch.text().strip()), self._data
        rows = 0 if digits is None else read_count(re.sub(r"\D", "", digits[0]))
        if data is not None and rows is not None and rows != data[1]:
            page, _, block = data[0].partition("/")
            self.session.apply(tr("Change the batch"), set_parameter, page, block, "batch", rows)
        self.refresh()

    def _take_rounds(self) -> None:
        digits = re.search(r"\d[\d.,\s]*", self._until.text())
        rounds = None if digits is None else read_count(re.sub(r"\D", "", digits[0]))
        if rounds is not None and rounds != self.planned:
            self.session.apply(tr("Change the number of rounds"), training_edits.set_rounds, rounds)
        self.refresh()

    # Its parts

    def _lay_out(self) -> None:
        speeds = named(RadioGroup(tr("Speed"), self), own_sizes=True)
        make_row(*self._speeds.values(), inside=speeds, margins=0, spacing=0)
        self._captions.append(self._metric)
        buttons = make_row(self._run, 8, self._one, 6, self._reset, spacing=0)
        counted = make_row((self._round, 0, Qt.AlignmentFlag.AlignBottom), self._of, STRETCH, spacing=5)
        self._curve_box, self._metric_box, self._batch_box = QWidget(self), QWidget(self), QWidget(self)
        make_column(7, self._curve, STRETCH, inside=self._curve_box, margins=(0, 0, 18, 0), spacing=0)
        metric = (self._metric, 4, self._value, self._unseen, STRETCH)
        make_column(*metric, inside=self._metric_box, margins=(4, 0, 0, 0), spacing=0)
        make_column(*self._column(tr("Batch"), self._batch), inside=self._batch_box, margins=(14, 0, 0, 0), spacing=0)
        self._chosen_box, self._more_box = QWidget(self), QWidget(self)
        make_column(*self._column("", self.more), inside=self._more_box, margins=0, spacing=0)
        make_column(*self._column(tr("Rule"), self._rule), inside=self._chosen_box, margins=0, spacing=0)
        self._layout = make_row(
            make_column(self._caption(""), buttons, STRETCH, spacing=0), 22,
            make_column(self._caption(tr("Round")), 4, counted, 4, self._line, STRETCH, spacing=0), 26,
            make_column(self._caption(tr("Loss")), 4, self._loss, self._was, STRETCH, spacing=0), 18, self._curve_box,
            make_column(*self._column(tr("Learning rate"), self._rate), spacing=0), 14,
            make_column(*self._column(tr("Speed"), speeds), spacing=0), 14,
            make_column(*self._column(tr("Until"), self._until), spacing=0), 14, self._metric_box,
            self._chosen_box, self._batch_box, STRETCH, self._more_box, inside=self, margins=0, spacing=0,
        )  # fmt: skip

    def _column(self, caption: str, field: QWidget) -> tuple[Item, ...]:
        return self._caption(caption), 4, field, STRETCH

    def _restyle(self) -> None:
        scale, theme = self._appearance.text_scale, self._appearance.theme
        needed = self._run.fontMetrics().horizontalAdvance(self._run.text()) + round(BESIDE * scale)
        self._run.setFixedSize(max(round(RUN[0] * scale), needed), round(RUN[1] * scale))
        for tool, name in ((self._one, "step-fwd"), (self._reset, "refresh")):
            tool.setFixedSize(QSize(SMALL, SMALL) * scale)
            tool.setIcon(icon(theme, name, "text.primary"))
        for label, token in ((self._round, "text.primary"), (self._loss, "value"), (self._value, "value")):
            label.setStyleSheet(f"color: {theme.css(token)}")
            label.setFixedHeight(round(NUMBER * scale))
        self._loss.setMinimumWidth(round(60 * scale))
        for field, width in ((self._rate, RATE), (self._until, UNTIL), (self._rule, RULE), (self._batch, BATCH)):
            field.setFixedSize(QSize(width, FIELD) * scale)
        for button, width in zip(self._speeds.values(), SPEEDS, strict=True):
            button.setFixedSize(QSize(width, FIELD) * scale)
        for caption in self._captions:
            caption.setFixedHeight(round(CAPTION * scale))
        self.more.setFixedHeight(round(FIELD * scale))
        above = ABOVE if self._shows_curve else ABOVE_PANEL
        self.setContentsMargins(14, round(above * scale), 14, 0)
        self._fit()
        self._line.setFixedWidth(round(92 * scale))
        self._curve.setFixedHeight(round(52 * scale))
        self._curve.setMaximumWidth(round(CURVE * scale))
        self.refresh()

    def _caption(self, text: str) -> QLabel:
        self._captions.append(make_label(text, self, look="row"))
        return self._captions[-1]

    def _big(self, name: str) -> QLabel:
        return make_label(parent=self, name=name, font=font("mono", 16, 500))

    def _small(self, name: str) -> QLabel:
        return make_label(parent=self, name=name, look="quiet")

    def _tool(self, name: str, words: str, does: Does) -> QToolButton:
        return make_tool(does, self, name=name, words=words, look="boxed", focus=Qt.FocusPolicy.TabFocus)

    def _speed_button(self, speed: Speed, place: int) -> RadioButton:
        text = {Speed.LESSON: tr("in 10 s"), Speed.MOST: tr("max")}.get(speed, speed.value)
        made = named(RadioButton(self), f"training_speed_{place}", focus=Qt.FocusPolicy.TabFocus)
        named(made, look=("first", "middle", "middle", "last")[place]).setText(text)
        made.setStyleSheet("padding: 0")
        made.setChecked(speed is self.speed)
        made.clicked.connect(lambda: self.set_speed(speed))
        return made


def _metric_text(kind: str, number: float) -> str:
    return f"{100 * number:.1f} %" if kind == "Accuracy" else fmt(number)


def _loss_name(log: RoundLog) -> str:
    """Returns the first series of a loss, "" before there is one."""
    return next((name for name in log.names if is_plain(name) and "." not in name), "")
