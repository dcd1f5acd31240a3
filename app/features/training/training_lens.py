"""The lens of training: its strip, and as the panel the charts and the Variables, or the plan in their place."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QImage, QPaintDevice, QPainter, QResizeEvent, QShowEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QFrame, QMenu, QScrollArea, QStackedWidget, QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.training.charts import TrainingCharts
from gradwire.app.features.training.plan_view import PlanView
from gradwire.app.features.training.short_names import short_names
from gradwire.app.features.training.train_strip import TrainStrip
from gradwire.app.features.training.trained_by import rows_of
from gradwire.app.features.training.trained_by_question import TrainedBy
from gradwire.app.features.training.training_commands import TRAINING
from gradwire.app.features.training.training_desk import TrainingDesk, TrainingView
from gradwire.app.features.training.until_row import UntilRow
from gradwire.app.features.training.variable_list import VariableList, VariableRow
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.series import GRADIENT
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.png import png
from gradwire.app.look.widgets import (
    STRETCH,
    add_choice,
    make_column,
    make_label,
    make_row,
    named,
    pop_up,
    show_or_hide,
)
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.outputs import PICTURE, TENSOR, Output
from gradwire.engine.files.wanted_files import paths_read

# The widths of the Variables beside the charts, at texts of 100 % and at most as a share, and what is left free at
# their right. Units: px.
SIDE, SIDE_SHARE, RIGHT_FREE = 472, 0.45, 14
PICTURE_SIZE = QSize(1200, 480)
# The heights of the strip alone, and over its panel. Units: px.
ALONE, OVER_PANEL = 84, 76


class TrainingLens(TrainingView, Lens):
    """The strip with all that trains; below it the numbers on the way, and behind *More* the plan."""

    tells_gradients = False

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(current, appearance, parent)
        self.strip: TrainStrip = TrainStrip(current, appearance, self)
        self._plan = PlanView(current, appearance, self)
        self._variables = VariableList(appearance, self)
        self._trained_by = make_label(parent=self, name="trained_by", look="quiet", wraps=True)
        self._asked_of: object = None
        self._charts = TrainingCharts(appearance, self._wire_name, self)
        self._until, self._side = UntilRow(current, self), QStackedWidget(self)
        self._lay_out()
        self.strip.more.clicked.connect(self._open_more)
        current.of(TrainingDesk).changed.connect(self.refresh_soon)
        current.of(TrainingDesk).advanced.connect(self._refresh_in_drag)

    def refresh(self) -> None:
        """Shows the plan and the numbers as they are."""
        training = self.training
        self.strip.refresh()
        if not self.isVisible():
            return
        self._plan.refresh()
        self._until.refresh()
        self._variables.show_rows(*self._rows())
        # Not in each round: what trains what changes with the graph alone.
        if self.session.results is not None and self.session.graph is not self._asked_of:
            self._asked_of = self.session.graph
            self.ask(TrainedBy())
        self._charts.show_log(training.log, self.strip.end, training.shown_round)

    def take(self, reply: Reply) -> None:
        """Shows what each loss trains."""
        rows = [] if reply.answer is None else rows_of(reply.answer)
        show_or_hide(self._trained_by, "\n".join(rows))

    # What is shown

    def _rows(self) -> tuple[list[VariableRow], str]:
        """Returns a row for each Variable that is trained, and what heads the losses that train them."""
        by: dict[str, list[str]] = {}
        for row in self.training.plan.rows:
            for name in row.trains:
                by.setdefault(name, []).append("Loss" if row.loss is None else row.loss)
        losses = dict.fromkeys(loss for names in by.values() for loss in names)
        short, short_loss = short_names(by), short_names(losses)
        expanded = self.session.inferred.expanded
        order = {name: place for place, name in enumerate(expanded.instances)}
        uses = {name: min(map(order.__getitem__, expanded.consumers.get(name, ())), default=0) for name in by}
        is_one = len(losses) <= 1
        rows = [
            VariableRow(short[name], self._shape(name), self._gradient(name), self._first(name),
                        "✓" if is_one else ", ".join(short_loss[loss] for loss in found))
            for name, found in sorted(by.items(), key=lambda item: uses[item[0]])
        ]  # fmt: skip
        return rows, tr("trained by Loss") if is_one else tr("trained by")

    def _shape(self, name: str) -> str:
        # A page that is used has its variables at other paths; there the name is enough.
        spec = self.session.inferred.specs.get(PortName(name, "y"))
        return "" if spec is None else "×".join(map(str, spec.shape))

    def _gradient(self, name: str) -> float | None:
        """Returns the size of the gradient that the page shows, else of the one that was logged last."""
        results = self.session.results
        found = None if results is None else results.port(PortName(name, "y"))
        if found is not None and found.gradient is not None:
            return found.gradient.norm
        return self.training.log.newest(GRADIENT + name)

    def _first(self, name: str) -> float | None:
        numbers = self.training.log.points(GRADIENT + name).numbers
        return float(numbers[0]) if numbers.size else None if self.training.shown_round else self._gradient(name)

    def _wire_name(self, target: str) -> str:
        """Returns the name of a wire by its target, from the block where it begins."""
        path, _, port = target.rpartition(".")
        arrivals = self.session.inferred.inputs.get(path, ())
        source = next((item.source for item in arrivals if item.target.port == port and item.source is not None), None)
        end = path.rpartition("/")[2]
        return f"{end}.{port}" if source is None else f"{source.path.rpartition('/')[2]} → {end}.{port}"

    # Following the session

    def showEvent(self, event: QShowEvent) -> None:  # Qt's name
        """Leaves the loss to the large chart."""
        super().showEvent(event)
        self.strip_height = OVER_PANEL
        self.strip.show_curve(False)

    def hideEvent(self, event: QHideEvent) -> None:
        """Gives the small curve its place back."""
        super().hideEvent(event)
        self.strip_height = ALONE
        self.strip.show_curve(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the Variables their width."""
        super().resizeEvent(event)
        wide = (SIDE + RIGHT_FREE) * self._appearance.text_scale
        self._side.setFixedWidth(round(min(wide, SIDE_SHARE * self.width())))

    # Building

    def _lay_out(self) -> None:
        seen, plan = QWidget(self), QWidget(self)
        make_column(self._variables, self._trained_by, STRETCH, inside=seen, margins=(0, 0, RIGHT_FREE, 4), spacing=2)
        make_column(self._until, (self._plan, 1), inside=plan, margins=(0, 4, RIGHT_FREE, 4), spacing=6)
        for part in (seen, plan):
            scroll = QScrollArea(self, widgetResizable=True)
            scroll.setWidget(part)
            scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self._side.addWidget(scroll)
        line, seen_all = named(QFrame(self), look="line"), make_row((self._charts, 1), self._side, spacing=0)
        make_column(line, (seen_all, 1), inside=self, margins=0, spacing=0)

    def show_plan(self, is_shown: bool) -> None:
        """Shows the plan of training, with what is not trained, in place of the Variables."""
        self._side.setCurrentIndex(int(is_shown))

    def _open_more(self) -> None:
        more = self.strip.more
        pop_up(self.made_menu(), more.mapToGlobal(QPoint(0, more.height())))

    def made_menu(self) -> QMenu:
        """Returns the menu of what is seldom needed."""
        menu, batches = named(QMenu(self), "training_menu"), self.training.plan.batches
        is_shown = self._side.currentIndex() == 1
        add_choice(menu, tr("Plan, and what is not trained"), is_shown, partial(self.show_plan, not is_shown))
        menu.addSeparator()
        can_run = bool(self.training.plan.rows) and not self.training.plan.fault and not self.training.is_running
        menu.addAction(tr("Train 10 rounds")).triggered.connect(lambda: self.training.train(10))
        epoch = tr("Train one epoch: {count} rounds", count=f"{batches:,}") if batches else tr("A round is an epoch")
        menu.addAction(epoch).triggered.connect(lambda: self.training.train(batches))
        for action, is_possible in zip(menu.actions()[2:], (can_run, can_run and bool(batches)), strict=True):
            action.setEnabled(is_possible)
        menu.addSeparator()
        menu.addAction(tr("Copy as CSV")).triggered.connect(self.copy_csv)
        menu.addAction(tr("Save as CSV, PNG or SVG …")).triggered.connect(self._ask_for_file)
        return menu

    # Leaving the program

    def copy_csv(self) -> None:
        """Copies all numbers as CSV."""
        log = self.training.log
        QGuiApplication.clipboard().setText(log.as_csv(log.names))

    def save_to(self, path: Path) -> None:
        """Writes the numbers as CSV, or the charts as SVG or PNG, by the ending of the file's name.

        Raises: FileError if it cannot be written.
        """
        kind = PICTURE if path.suffix.lower() in (".svg", ".png") else TENSOR
        target = Output(path, kind, paths_read(self.session.graph, self.session.document.path))
        target.write(self._content(path.suffix.lower()))

    def _content(self, ending: str) -> bytes:
        log = self.training.log
        if ending == ".png":
            picture = QImage(PICTURE_SIZE, QImage.Format.Format_RGB32)
            self._draw(picture)
            return png(picture)
        if ending == ".svg":
            data, written = QByteArray(), QSvgGenerator()
            buffer = QBuffer(data)
            written.setSize(PICTURE_SIZE)
            written.setViewBox(QRect(QPoint(0, 0), PICTURE_SIZE))
            written.setOutputDevice(buffer)
            self._draw(written)
            return bytes(data.data())
        return log.as_csv(log.names).encode()

    def _draw(self, device: QPaintDevice) -> None:
        """Draws the charts beside each other."""
        width, height = PICTURE_SIZE.width(), PICTURE_SIZE.height()
        with QPainter(device) as painter:
            painter.fillRect(QRectF(0, 0, width, height), self._appearance.theme.color("bg.app"))
            self._charts.draw(painter, width, height)

    def _ask_for_file(self) -> None:
        kinds = "CSV (*.csv);;PNG (*.png);;SVG (*.svg)"
        chosen, _ = QFileDialog.getSaveFileName(self, tr("Save the training"), "training.csv", kinds)
        if not chosen:
            return
        try:
            self.save_to(Path(chosen))
        except FileError as error:
            self.session.refused.emit(tr_sentence(str(error)))


def ended_text(training: TrainingDesk) -> str:
    """Returns how the newest run has ended, if not by its last round."""
    return training.fault or training.reached.overflow or training.end_text


FEATURE = Feature(
    "training", "Training", "Trains the Variables, and shows loss and gradients round by round", "play", TrainingLens,
    session_part=TrainingDesk, commands=TRAINING, is_mode=True,
)  # fmt: skip
