"""The controls of a training: its loss and round, run and pause, single rounds, the end, and the pace."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QIntValidator, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.training.until_row import UntilRow
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import filled, smooth
from gradwire.app.look.icons import icon
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import make_button, make_column, make_label
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.number_text import read_count
from gradwire.engine.edits.training_edits import set_rounds
from gradwire.engine.training.run import USUAL_ROUNDS

# Rounds a second at most; None as many as possible.
PACES = (None, 100.0, 10.0, 1.0)
BAR, SMALL = 4, 34


class ProgressLine(QWidget):
    """A thin line that is filled as far as a training has come."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._share = appearance, 0.0
        self.setFixedHeight(BAR)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def set_share(self, share: float) -> None:
        """Fills the line to a share from 0 to 1."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the track and what is filled of it."""
        theme, whole = self._appearance.theme, QRectF(self.rect())
        with smooth(self) as painter:
            filled(painter, theme.color("bg.hover")).drawRoundedRect(whole, BAR / 2, BAR / 2)
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(QRectF(0, 0, whole.width() * self._share, BAR), BAR / 2, BAR / 2)


class TrainingControls(SessionView, QWidget):
    """The left of the lens, above the plan."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.current, self._appearance = current, appearance
        self._loss = make_label("–", self, name="training_loss")
        self._round = make_label(parent=self, name="training_round")
        self._line = ProgressLine(appearance, self)
        self._run = make_button("", lambda: self.session.train(), self, look="primary")
        self._step = make_button(tr("1 round"), lambda: self.session.train(1), self)
        self._ten = make_button(tr("10"), lambda: self.session.train(10), self)
        self._epoch = make_button(tr("Epoch"), lambda: self.session.train(self.session.training.plan.batches), self)
        self._reset = make_button("", lambda: self.session.training.reset(), self)
        self._until = UntilRow(current, self)
        self._rounds, self._pace = QLineEdit(self), ChoiceBox(self)
        self._said = make_label(parent=self, name="training_said", wraps=True)
        self._name_all()
        self._lay_out()
        self._rounds.editingFinished.connect(self._take_rounds)
        self._pace.activated.connect(self._take_pace)
        current.changed.connect(self._begin_document)
        appearance.changed.connect(self.refresh)

    def _begin_document(self) -> None:
        self._pace.setCurrentIndex(0)
        self.refresh()

    def refresh(self) -> None:
        """Shows what the training has reached, and what can be done."""
        training, theme = self.session.training, self._appearance.theme
        is_running = training.is_running
        usual = training.plan.rounds if training.plan.rounds is not None else USUAL_ROUNDS
        n = training.shown_round
        end = training.plan.until.end_of(n, USUAL_ROUNDS)
        loss = self._loss_shown()
        self._loss.setText("–" if loss is None else fmt(loss))
        self._round.setText(f"{n:,} / {end:,}")
        self._line.set_share(n / end if end else 0.0)
        self._run.setText(tr("Pause") if is_running else tr("Train") if not n else tr("Go on"))
        self._run.setIcon(icon(theme, "pause" if is_running else "play", "text.on-accent"))
        can_run = bool(training.plan.rows) and not training.plan.fault
        self._run.setEnabled(is_running or can_run)
        for button in (self._step, self._ten):
            button.setEnabled(can_run and not is_running)
        self._epoch.setEnabled(can_run and not is_running and bool(training.plan.batches))
        self._epoch.setToolTip(self._epoch_tip())
        self._reset.setIcon(icon(theme, "refresh", "text.secondary"))
        self._reset.setEnabled(training.can_reset)
        self._until.refresh()
        if not self._rounds.hasFocus():
            self._rounds.setText(str(usual))
        self._say(is_running)

    def _loss_shown(self) -> float | None:
        """Returns the loss that the canvas shows: that of the first step that trains, or of all Losses."""
        session = self.session
        losses = [row.loss for row in session.training.plan.rows if row.trains]
        names = session.losses if not losses or losses[0] is None else [losses[0]]
        results = session.results
        ports = [] if results is None else [results.port(PortName(name, "y")) for name in names]
        values = [port.value.first[0] for port in ports if port is not None and port.value is not None]
        return sum(values) if values and len(values) == len(names) else None

    def _epoch_tip(self) -> str:
        batches = self.session.training.plan.batches
        if batches:
            return tr("Train one pass through the data: {count} rounds", count=f"{batches:,}")
        return tr("No Data block has batches here: every round takes all data, so a round is an epoch")

    def _say(self, is_running: bool) -> None:
        training = self.session.training
        text = training.fault or ("" if training.overflow is None else training.overflow.sentence)
        text = text or training.end_text
        if not text:
            parts = [tr("{count} epochs", count=f"{training.epochs:,.1f}")] if training.epochs else []
            pace = f"{training.pace:,.0f}" if training.pace >= 10 else fmt(training.pace)
            parts += [tr("{pace} rounds/s", pace=pace)] if training.pace else []
            text = " · ".join(parts)
        self._said.setText(text)
        self._said.setToolTip(text)
        is_wrong = bool(training.fault or training.overflow) and not is_running
        self._said.setStyleSheet(f"color: {self._appearance.theme.css('alarm' if is_wrong else 'text.tertiary')}")

    def _take_rounds(self) -> None:
        rounds = read_count(self._rounds.text())
        training = self.session.training
        known = training.plan.rounds if training.plan.rounds is not None else USUAL_ROUNDS
        if rounds is not None and rounds != known:
            self.session.apply(tr("Change the number of rounds"), set_rounds, rounds)

    def _take_pace(self, row: int) -> None:
        self.session.training.set_limit(PACES[row])

    def _name_all(self) -> None:
        names = {
            self._run: ("training_run", tr("Train or pause (F9)")),
            self._step: ("training_step", tr("Train one round (Shift+F9)")),
            self._ten: ("training_ten", tr("Train 10 rounds")),
            self._epoch: ("training_epoch", tr("Train one pass through the data")),
            self._reset: ("training_reset", tr("Return to the values before the first round")),
            self._rounds: ("training_rounds", tr("Rounds after which the training ends")),
            self._pace: ("training_pace", tr("Rounds a second")),
        }
        for widget, (name, tip) in names.items():
            widget.setObjectName(name)
            widget.setToolTip(tip)
            widget.setAccessibleName(tip)
        self._rounds.setValidator(QIntValidator(0, 10**9, self))
        self._pace.addItems([_pace_text(pace) for pace in PACES])

    def _lay_out(self) -> None:
        self._loss.setFont(font("mono", 18, 600))
        self._round.setFont(font("mono", 12))
        head, buttons, end = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        title = make_label(tr("Loss"), self, look="quiet")
        for widget in (title, self._loss):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self._round)
        for button in (self._run, self._step, self._ten, self._epoch, self._reset):
            button.setMinimumWidth(SMALL)
            buttons.addWidget(button, 1 if button is self._run else 0)
        buttons.setSpacing(4)
        rounds = QLabel(tr("Rounds"), self)
        rounds.setBuddy(self._rounds)
        end.addWidget(rounds)
        end.addWidget(self._rounds, 1)
        end.addWidget(self._pace, 2)
        make_column(head, self._line, buttons, end, self._until, self._said, inside=self, margins=0, spacing=6)


def _pace_text(pace: float | None) -> str:
    if pace is None:
        return tr("As fast as possible")
    return tr("1 round/s") if pace == 1 else tr("{pace} rounds/s", pace=f"{pace:g}")
