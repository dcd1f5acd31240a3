"""The controls of a training: its loss and round, run and pause, single rounds, the end, and the pace."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QIntValidator, QPaintEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.training.training_desk import TrainingView
from gradwire.app.features.training.until_row import UntilRow
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.themed import ThemedWidget
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import filled, smooth
from gradwire.app.look.icons import icon
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import STRETCH, make_button, make_column, make_label, make_row, named
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.number_text import read_count
from gradwire.engine.edits.training_edits import set_rounds
from gradwire.engine.training.run import USUAL_ROUNDS

# Rounds a second at most; None as many as possible.
PACES = (None, 100.0, 10.0, 1.0)
BAR, SMALL = 4, 34


class ProgressLine(ThemedWidget):
    """A thin line that is filled as far as a training has come."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, height=BAR)
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

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


class TrainingControls(TrainingView, QWidget):
    """The left of the lens, above the plan."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.current, self._appearance = current, appearance
        self._loss = make_label("–", self, name="training_loss", font=font("mono", 18, 600))
        self._round = make_label(parent=self, name="training_round", font=font("mono", 12))
        self._line = ProgressLine(appearance, self)
        run, one, ten = tr("Train or pause (F9)"), tr("Train one round (Shift+F9)"), tr("Train 10 rounds")
        epoch, reset = tr("Train one pass through the data"), tr("Return to the values before the first round")
        self._run = self._button("training_run", run, lambda: self.training.train(), look="primary")
        self._step = self._button("training_step", one, lambda: self.training.train(1), tr("1 round"))
        self._ten = self._button("training_ten", ten, lambda: self.training.train(10), tr("10"))
        self._epoch = self._button("training_epoch", epoch, self._train_epoch, tr("Epoch"))
        self._reset = self._button("training_reset", reset, lambda: self.training.reset())
        self._until = UntilRow(current, self)
        self._rounds = named(QLineEdit(self), "training_rounds", words=tr("Rounds after which the training ends"))
        self._rounds.setValidator(QIntValidator(0, 10**9, self))
        self._pace = named(ChoiceBox(self), "training_pace", words=tr("Rounds a second"))
        self._pace.addItems([_pace_text(pace) for pace in PACES])
        self._said = make_label(parent=self, name="training_said", wraps=True)
        self._lay_out()
        self._rounds.editingFinished.connect(self._take_rounds)
        self._pace.activated.connect(lambda row: self.training.set_limit(PACES[row]))
        current.changed.connect(self._begin_document)
        appearance.changed.connect(self.refresh)

    def _begin_document(self) -> None:
        self._pace.setCurrentIndex(0)
        self.refresh()

    def refresh(self) -> None:
        """Shows what the training has reached, and what can be done."""
        training, theme = self.training, self._appearance.theme
        is_running = training.is_running
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
            self._rounds.setText(str(self._planned))
        self._say(is_running)

    @property
    def _planned(self) -> int:
        """The rounds after which the training ends."""
        rounds = self.training.plan.until.steps
        return USUAL_ROUNDS if rounds is None else rounds

    def _loss_shown(self) -> float | None:
        """Returns the loss that the canvas shows: that of the first step that trains, or of all Losses."""
        losses = [row.loss for row in self.training.plan.rows if row.trains]
        names = self.session.losses if not losses or losses[0] is None else [losses[0]]
        results = self.session.results
        ports = [] if results is None else [results.port(PortName(name, "y")) for name in names]
        values = [port.value.first[0] for port in ports if port is not None and port.value is not None]
        return sum(values) if values and len(values) == len(names) else None

    def _epoch_tip(self) -> str:
        batches = self.training.plan.batches
        if batches:
            return tr("Train one pass through the data: {count} rounds", count=f"{batches:,}")
        return tr("No Data block has batches here: every round takes all data, so a round is an epoch")

    def _say(self, is_running: bool) -> None:
        training = self.training
        text = training.fault or ("" if training.overflow is None else training.overflow.sentence)
        text = text or training.end_text
        if not text:
            pace = f"{training.pace:,.0f}" if training.pace >= 10 else fmt(training.pace)
            parts = [tr("{count} epochs", count=f"{training.epochs:,.1f}")] if training.epochs else []
            parts += [tr("{pace} rounds/s", pace=pace)] if training.pace else []
            text = " · ".join(parts)
        self._said.setText(text)
        self._said.setToolTip(text)
        is_wrong = bool(training.fault or training.overflow) and not is_running
        self._said.setStyleSheet(f"color: {self._appearance.theme.css('alarm' if is_wrong else 'text.tertiary')}")

    def _train_epoch(self) -> None:
        self.training.train(self.training.plan.batches)

    def _take_rounds(self) -> None:
        rounds = read_count(self._rounds.text())
        if rounds is not None and rounds != self._planned:
            self.session.apply(tr("Change the number of rounds"), set_rounds, rounds)

    def _button(self, name: str, words: str, does: Callable[[], None], text: str = "", look: str = "") -> QPushButton:
        made = make_button(text, does, self, name=name, words=words, look=look)
        made.setMinimumWidth(SMALL)
        return made

    def _lay_out(self) -> None:
        head = make_row(make_label(tr("Loss"), self, look="quiet"), self._loss, STRETCH, self._round)
        buttons = make_row((self._run, 1), self._step, self._ten, self._epoch, self._reset, spacing=4)
        rounds = QLabel(tr("Rounds"), self)
        rounds.setBuddy(self._rounds)
        end = make_row(rounds, (self._rounds, 1), (self._pace, 2))
        make_column(head, self._line, buttons, end, self._until, self._said, inside=self, margins=0, spacing=6)


def _pace_text(pace: float | None) -> str:
    if pace is None:
        return tr("As fast as possible")
    return tr("1 round/s") if pace == 1 else tr("{pace} rounds/s", pace=f"{pace:g}")
