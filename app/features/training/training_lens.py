"""The lens of training: its strip, and as the panel the charts or their table, the Variables, and the plan."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QImage, QPaintDevice, QPainter, QShowEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QFileDialog,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.training.chart_selector import ChartSelector, Shown
from gradwire.app.features.training.charts import TrainingCharts, series_order
from gradwire.app.features.training.plan_view import PlanView
from gradwire.app.features.training.train_strip import TrainStrip
from gradwire.app.features.training.trained_by import rows_of
from gradwire.app.features.training.trained_by_question import TrainedBy
from gradwire.app.features.training.training_commands import TRAINING
from gradwire.app.features.training.training_desk import TrainingDesk, TrainingView
from gradwire.app.features.training.training_table import TrainingTable
from gradwire.app.features.training.until_row import UntilRow
from gradwire.app.features.training.variable_list import VariableList
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Reply
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import fmt, shape_text
from gradwire.app.look.png import png
from gradwire.app.look.widgets import (
    STRETCH,
    make_button,
    make_column,
    make_label,
    make_row,
    make_tool,
    named,
    show_or_hide,
)
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.outputs import PICTURE, TENSOR, Output
from gradwire.engine.files.wanted_files import paths_read

# Units: px.
SIDE = 348
PICTURE_SIZE = QSize(1200, 480)


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
        self._selector = ChartSelector(self)
        self._table = TrainingTable(self)
        self._stack, self._side = QStackedWidget(self), QStackedWidget(self)
        self._log = named(Switch(appearance, tr("log")), "training_log_scale", words=tr("log scale"))
        self._as_table = named(Switch(appearance, tr("table")), "training_as_table")
        save = make_tool(name="training_save", words=tr("Copy or save the numbers and charts"))
        self._save = themed(save, appearance, "copy")
        self._until, self._said = UntilRow(current, self), make_label(parent=self, name="training_said", wraps=True)
        ten, epoch = tr("Train 10 rounds"), tr("Train one pass through the data")
        self._ten = make_button(tr("10 rounds"), self._train_ten, self, name="training_ten", words=ten)
        self._epoch = make_button(tr("Epoch"), self._train_epoch, self, name="training_epoch", words=epoch)
        self._more = named(Switch(appearance, tr("More")), "training_more", words=tr("The plan of training"))
        self._lay_out()
        self._log.toggled.connect(self._charts.set_log)
        self._selector.chosen.connect(self._choose)
        self._as_table.toggled.connect(lambda _: self.refresh())
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
        self._show_more()
        trained = dict.fromkeys(name for row in training.plan.rows for name in row.trains)
        self._variables.show_log(training.log, {name: self._shape(name) for name in trained})
        # Not in each round: what trains what changes with the graph alone.
        if self.session.results is not None and self.session.graph is not self._asked_of:
            self._asked_of = self.session.graph
            self.ask(TrainedBy())
        self._stack.setCurrentIndex(1 if self._as_table.isChecked() else 0)
        if self._as_table.isChecked():
            self._table.numbers.show_log(training.log, series_order(training.log))
        else:
            self._charts.show_log(training.log)

    def take(self, reply: Reply) -> None:
        """Shows what each loss trains."""
        rows = [] if reply.answer is None else rows_of(reply.answer)
        show_or_hide(self._trained_by, "\n".join(rows))

    # What is shown

    def _choose(self, shown: Shown) -> None:
        self._charts.choose(shown)
        self._as_table.setChecked(False)
        self.refresh()

    def _shape(self, name: str) -> str:
        # A page that is used has its variables at other paths; there the name is enough.
        spec = self.session.inferred.specs.get(PortName(name, "y"))
        return "" if spec is None else shape_text(spec.shape)

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
        self.strip.show_curve(False)

    def hideEvent(self, event: QHideEvent) -> None:
        """Gives the small curve its place back."""
        super().hideEvent(event)
        self.strip.show_curve(True)

    # Building

    def _made_controls(self) -> QWidget:
        self._log.setChecked(True)
        self._save.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._save)
        menu.addAction(tr("Copy as CSV")).triggered.connect(self.copy_csv)
        menu.addAction(tr("Save as CSV, PNG or SVG …")).triggered.connect(self._ask_for_file)
        self._save.setMenu(menu)
        box = QWidget(self)
        make_row(self._selector, self._log, self._as_table, self._save, STRETCH, self._more, inside=box, margins=0,
                 spacing=8)  # fmt: skip
        return box

    def _lay_out(self) -> None:
        seen, plan = QWidget(self), QWidget(self)
        make_column(self._trained_by, self._variables, STRETCH, inside=seen, margins=(12, 0, 12, 4))
        asked = make_row(self._ten, self._epoch, (self._said, 1), spacing=6)
        make_column(asked, self._until, (self._plan, 1), inside=plan, margins=(12, 2, 12, 4), spacing=6)
        for part in (seen, plan):
            scroll = QScrollArea(self, widgetResizable=True)
            scroll.setWidget(part)
            scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self._side.addWidget(scroll)
        self._side.setFixedWidth(SIDE)
        self._stack.addWidget(self._charts)
        self._stack.addWidget(self._table)
        make_row((self._stack, 1), self._side, inside=(inner := QWidget(self)), margins=0, spacing=8)
        make_column(self._made_controls(), (inner, 1), inside=self, margins=(14, 2, 4, 2), spacing=0)
        self._more.toggled.connect(lambda is_on: self._side.setCurrentIndex(int(is_on)))

    def _show_more(self) -> None:
        """Shows what the plan lets train at once, and how the newest run has ended."""
        training, theme = self.training, self.appearance.theme
        can_run = bool(training.plan.rows) and not training.plan.fault and not training.is_running
        batches = training.plan.batches
        self._ten.setEnabled(can_run)
        self._epoch.setEnabled(can_run and bool(batches))
        none = tr("No Data block has batches here: every round takes all data, so a round is an epoch")
        tip = tr("Train one pass through the data: {count} rounds", count=f"{batches:,}") if batches else none
        self._epoch.setToolTip(tip)
        text = ended_text(training) or pace_text(training)
        self._said.setText(text)
        self._said.setToolTip(text)
        is_wrong = bool(training.fault or training.overflow) and not training.is_running
        self._said.setStyleSheet(f"color: {theme.css('alarm' if is_wrong else 'text.tertiary')}")

    def _train_ten(self) -> None:
        self.training.train(10)

    def _train_epoch(self) -> None:
        self.training.train(self.training.plan.batches)

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
            painter.fillRect(QRectF(0, 0, width, height), self.appearance.theme.color("bg.app"))
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
    return training.fault or ("" if training.overflow is None else training.overflow.sentence) or training.end_text


def pace_text(training: TrainingDesk) -> str:
    """Returns how far and how fast a training is: epochs, and rounds a second."""
    pace = f"{training.pace:,.0f}" if training.pace >= 10 else fmt(training.pace)
    parts = [tr("{count} epochs", count=f"{training.epochs:,.1f}")] if training.epochs else []
    return " · ".join([*parts, *([tr("{pace} rounds/s", pace=pace)] if training.pace else [])])


FEATURE = Feature(
    "training", "Training", "Trains the Variables, and shows loss and gradients round by round", "play", TrainingLens,
    session_part=TrainingDesk, commands=TRAINING, is_mode=True,
)  # fmt: skip
