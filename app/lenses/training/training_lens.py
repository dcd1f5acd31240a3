"""The lens of training: controls and plan at the left, charts or their table at the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPaintDevice, QPainter, QShowEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.lenses.base.lens import Lens
from gradwire.app.lenses.training.chart import Chart, Line
from gradwire.app.lenses.training.controls import TrainingControls
from gradwire.app.lenses.training.plan_view import PlanView
from gradwire.app.lenses.training.training_table import TrainingTable
from gradwire.app.live.session import Session
from gradwire.app.live.training.training_service import GRADIENT, STEP
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.panels.controls.switch import Switch
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.disk import write_file

LEFT = 316
PICTURE = QSize(1200, 480)
# A smoothed curve is worth its place from so many rounds on.
LEAST_SMOOTHED = 30


class TrainingLens(Lens):
    """Who trains whom, the controls, and the numbers on the way."""

    tells_gradients = False

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(session, appearance, parent)
        self._buttons = TrainingControls(session, appearance, self)
        self._plan = PlanView(session, appearance, self)
        self._losses = Chart(appearance, "chart_losses", tr("Loss"), self)
        self._sizes = Chart(appearance, "chart_sizes", tr("Size of the gradients"), self)
        self._table = TrainingTable(self)
        self._stack = QStackedWidget(self)
        self._log, self._as_table = Switch(appearance, tr("log scale")), Switch(appearance, tr("table"))
        self._save = QToolButton()
        self.controls = self._made_controls()
        self._lay_out()
        self._log.toggled.connect(self._set_log)
        self._as_table.toggled.connect(lambda _: self.refresh())
        for chart in (self._losses, self._sizes):
            chart.pointed.connect(self._mark)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self._follow()

    def set_session(self, session: Session) -> None:
        """Shows another document."""
        self.session.training.changed.disconnect(self.refresh_soon)
        self.session.training.advanced.disconnect(self._refresh_in_drag)
        self.session.graph_changed.disconnect(self._look_again)
        super().set_session(session)
        self._buttons.set_session(session)
        self._plan.set_session(session)
        self._follow()

    def refresh(self) -> None:
        """Shows the plan and the numbers as they are."""
        training = self.session.training
        self._buttons.refresh()
        self._plan.refresh()
        self._stack.setCurrentIndex(1 if self._as_table.isChecked() else 0)
        names = self._loss_names()
        if self._as_table.isChecked():
            self._table.numbers.show_log(training.log, [*names, *self._named(GRADIENT), *self._named(STEP)])
            return
        nothing = tr("Train, and the loss of each round appears here.")
        self._losses.show_lines(self._loss_lines(names), nothing)
        self._sizes.show_lines(self._size_lines(), tr("The gradient of each Variable, as long as it is trained."))

    # What is shown

    def _loss_names(self) -> list[str]:
        return [name for name in self.session.training.log.names if not name.startswith((GRADIENT, STEP))]

    def _named(self, prefix: str) -> list[str]:
        return [name for name in self.session.training.log.names if name.startswith(prefix)]

    def _loss_lines(self, names: list[str]) -> list[Line]:
        log, lines = self.session.training.log, []
        for name in names:
            series = log.series(name)
            token = "ok" if "." in name else "value"
            is_long = len(names) == 1 and series.rounds.size >= LEAST_SMOOTHED
            lines.append(Line(name, series.rounds, series.numbers, token, is_faint=is_long))
            if is_long:
                lines.append(Line(name, series.rounds, series.smoothed, token))
        return lines

    def _size_lines(self) -> list[Line]:
        series = {name: self.session.training.log.series(name) for name in self._named(GRADIENT)}
        return [Line(_short(name), item.rounds, item.numbers, "grad.text") for name, item in series.items()]

    def _mark(self, n: int) -> None:
        for chart in (self._losses, self._sizes):
            chart.mark(n)

    def _set_log(self, is_log: bool) -> None:
        for chart in (self._losses, self._sizes):
            chart.set_log(is_log)

    # Following the session

    def _follow(self) -> None:
        self.session.training.changed.connect(self.refresh_soon)
        self.session.training.advanced.connect(self._refresh_in_drag)
        self.session.graph_changed.connect(self._look_again)
        self._look_again()

    def showEvent(self, event: QShowEvent) -> None:  # Qt's name
        """Asks for the plan that the hidden lens has missed."""
        super().showEvent(event)
        self._look_again()

    def _look_again(self, *_: object) -> None:
        if self.isVisible() and not self.session.training.is_applying:
            self.session.training.look()

    # Building

    def _made_controls(self) -> QWidget:
        self._log.setChecked(True)
        self._log.setObjectName("training_log_scale")
        self._as_table.setObjectName("training_as_table")
        self._save.setObjectName("training_save")
        self._save.setToolTip(tr("Copy or save the numbers and charts"))
        self._save.setAccessibleName(tr("Copy or save the numbers and charts"))
        self._save.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._save)
        menu.addAction(tr("Copy as CSV")).triggered.connect(self.copy_csv)
        menu.addAction(tr("Save as CSV, PNG or SVG …")).triggered.connect(self._ask_for_file)
        self._save.setMenu(menu)
        # The strip above takes it over, where there is one.
        box = QWidget(self)
        box.hide()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 4, 0)
        for widget in (self._log, self._as_table, self._save):
            row.addWidget(widget)
        return box

    def _lay_out(self) -> None:
        left, inner = QWidget(self), QVBoxLayout()
        inner.setContentsMargins(12, 8, 8, 8)
        inner.setSpacing(8)
        inner.addWidget(self._buttons)
        inner.addWidget(self._plan, 1)
        left.setLayout(inner)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setWidget(left)
        scroll.setMinimumWidth(LEFT - 60)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        charts = QSplitter(Qt.Orientation.Horizontal, self)
        charts.addWidget(self._losses)
        charts.addWidget(self._sizes)
        charts.setChildrenCollapsible(False)
        self._stack.addWidget(charts)
        self._stack.addWidget(self._table)
        right = QWidget(self)
        margins = QVBoxLayout(right)
        margins.setContentsMargins(10, 4, 10, 2)
        margins.addWidget(self._stack)
        whole = QSplitter(Qt.Orientation.Horizontal, self)
        whole.addWidget(scroll)
        whole.addWidget(right)
        whole.setStretchFactor(1, 1)
        whole.setSizes([LEFT, 600])
        whole.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(whole)

    def _restyle(self, *_: object) -> None:
        self._save.setIcon(icon(self.appearance.theme, "copy", "text.secondary"))

    # Leaving the program

    def copy_csv(self) -> None:
        """Copies all numbers as CSV."""
        log = self.session.training.log
        QGuiApplication.clipboard().setText(log.as_csv(log.names))

    def save_to(self, path: Path) -> None:
        """Writes the numbers as CSV, or the charts as SVG or PNG, by the ending of the file's name.

        Raises: FileError if it cannot be written.
        """
        log = self.session.training.log
        if path.suffix == ".svg":
            written = QSvgGenerator()
            written.setFileName(str(path))
            written.setSize(PICTURE)
            written.setViewBox(QRectF(0, 0, PICTURE.width(), PICTURE.height()))
            self._draw(written)
        elif path.suffix == ".png":
            picture = QImage(PICTURE, QImage.Format.Format_RGB32)
            self._draw(picture)
            if not picture.save(str(path)):
                raise FileError(f'"{path}" cannot be written.')
        else:
            write_file(path, log.as_csv(log.names).encode())

    def _draw(self, device: QPaintDevice) -> None:
        """Draws both charts beside each other."""
        width, height = PICTURE.width() / 2, PICTURE.height()
        with QPainter(device) as painter:
            painter.fillRect(QRectF(0, 0, 2 * width, height), self.appearance.theme.color("bg.app"))
            for number, chart in enumerate((self._losses, self._sizes)):
                chart.draw(painter, QRectF(number * width + 12, 12, width - 24, height - 24))

    def _ask_for_file(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, tr("Save the training"), "training.csv", "CSV (*.csv);;PNG (*.png);;SVG (*.svg)"
        )
        if not chosen:
            return
        try:
            self.save_to(Path(chosen))
        except FileError as error:
            self.session.refused.emit(tr_sentence(str(error)))


def _short(name: str) -> str:
    return name.removeprefix(GRADIENT).rpartition("/")[2]
