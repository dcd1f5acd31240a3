"""The lens of training: controls and plan at the left, charts or their table at the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPaintDevice, QPainter, QShowEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QFileDialog,
    QMenu,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.training.chart_selector import ChartSelector, Shown
from gradwire.app.features.training.charts import TrainingCharts, series_order
from gradwire.app.features.training.controls import TrainingControls
from gradwire.app.features.training.plan_view import PlanView
from gradwire.app.features.training.training_commands import TRAINING
from gradwire.app.features.training.training_desk import TrainingDesk, TrainingView
from gradwire.app.features.training.training_table import TrainingTable
from gradwire.app.features.training.variable_list import VariableList
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import shape_text
from gradwire.app.look.png import png
from gradwire.app.look.widgets import make_column, make_row, make_tool, named
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.outputs import PICTURE, TENSOR, Output
from gradwire.engine.files.wanted_files import paths_read

LEFT = 348
PICTURE_SIZE = QSize(1200, 480)


class TrainingLens(TrainingView, Lens):
    """Who trains whom, the controls, and the numbers on the way."""

    tells_gradients = False

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(current, appearance, parent)
        self._buttons = TrainingControls(current, appearance, self)
        self._plan = PlanView(current, appearance, self)
        self._variables = VariableList(appearance, self)
        self._charts = TrainingCharts(appearance, self._wire_name, self)
        self._selector = ChartSelector(self)
        self._table = TrainingTable(self)
        self._stack = QStackedWidget(self)
        self._log = named(Switch(appearance, tr("log")), "training_log_scale", words=tr("log scale"))
        self._as_table = named(Switch(appearance, tr("table")), "training_as_table")
        save = make_tool(name="training_save", words=tr("Copy or save the numbers and charts"))
        self._save = themed(save, appearance, "copy")
        self.controls = self._made_controls()
        self._lay_out()
        self._log.toggled.connect(self._charts.set_log)
        self._selector.chosen.connect(self._choose)
        self._as_table.toggled.connect(lambda _: self.refresh())
        current.of(TrainingDesk).changed.connect(self.refresh_soon)
        current.of(TrainingDesk).advanced.connect(self._refresh_in_drag)
        for signal in (current.changed, current.graph_changed):
            signal.connect(self._look_again)
        self._look_again()

    def refresh(self) -> None:
        """Shows the plan and the numbers as they are."""
        training = self.training
        self._buttons.refresh()
        self._plan.refresh()
        trained = dict.fromkeys(name for row in training.plan.rows for name in row.trains)
        self._variables.show_log(training.log, {name: self._shape(name) for name in trained})
        self._stack.setCurrentIndex(1 if self._as_table.isChecked() else 0)
        if self._as_table.isChecked():
            self._table.numbers.show_log(training.log, series_order(training.log))
        else:
            self._charts.show_log(training.log)

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
        """Asks for the plan that the hidden lens has missed."""
        super().showEvent(event)
        self._look_again()

    def _look_again(self, *_: object) -> None:
        if self.isVisible() and not self.training.is_applying:
            self.training.look()

    # Building

    def _made_controls(self) -> QWidget:
        self._log.setChecked(True)
        self._save.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._save)
        menu.addAction(tr("Copy as CSV")).triggered.connect(self.copy_csv)
        menu.addAction(tr("Save as CSV, PNG or SVG …")).triggered.connect(self._ask_for_file)
        self._save.setMenu(menu)
        # The strip above takes it over, where there is one.
        box = QWidget(self)
        box.hide()
        make_row(self._selector, self._log, self._as_table, self._save, inside=box, margins=0, spacing=2)
        return box

    def _lay_out(self) -> None:
        left, right = QWidget(self), QWidget(self)
        parts = self._buttons, self._variables, (self._plan, 1)
        make_column(*parts, inside=left, margins=(12, 8, 10, 8), spacing=8)
        scroll = QScrollArea(self, widgetResizable=True)
        scroll.setWidget(left)
        scroll.setMinimumWidth(LEFT)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack.addWidget(self._charts)
        self._stack.addWidget(self._table)
        make_column(self._stack, inside=right, margins=(10, 4, 10, 2))
        whole = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        whole.addWidget(scroll)
        whole.addWidget(right)
        whole.setStretchFactor(1, 1)
        whole.setSizes([LEFT, 600])
        make_column(whole, inside=self, margins=0)

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
            data = QByteArray()
            buffer, whole = QBuffer(data), QRectF(QPointF(0, 0), PICTURE_SIZE)
            written = QSvgGenerator(size=PICTURE_SIZE, viewBox=whole)
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


FEATURE = Feature(
    "training", "Training", "Trains the Variables, and shows loss and gradients round by round", "play", TrainingLens,
    session_part=TrainingDesk, commands=TRAINING,
)  # fmt: skip
