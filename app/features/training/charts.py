"""The charts of a training: the loss, and beside it the gradient of each Variable at every round."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.training.chart import Chart, Contents, Line
from gradwire.app.features.training.short_names import short_names
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import GRADIENT, TEST, is_plain
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import make_row


class TrainingCharts(QWidget):
    """The charts beside each other. `wire_name` gives the name of a tracked wire by its target."""

    def __init__(self, appearance: Appearance, wire_name: Callable[[str], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._wire_name = wire_name
        self._charts = [Chart(appearance, name, self) for name in ("chart_losses", "chart_gradients")]
        for chart in self._charts:
            chart.pointed.connect(self._mark)
        make_row(*((chart, 1) for chart in self._charts), inside=self, margins=0, spacing=0)

    def show_log(self, log: RoundLog, end: int, at: int) -> None:
        """Shows the series as they are now, over the same rounds to the end; `at` is the round shown."""
        losses, gradients = self._charts
        nothing = tr("Train, and the loss of each round appears here.")
        losses.show_contents(Contents(tr("Loss"), loss_lines(log), nothing, has_legend=True), end, at)
        nothing = tr("The gradient of each Variable, as long as it is trained.")
        lines = self._gradient_lines(log)
        note = tr("|∂L|, every round") if all(line.is_whole for line in lines) else "|∂L|"
        shown = Contents(tr("Gradient of each Variable"), lines, nothing, note, is_log=True)
        gradients.show_contents(shown, end, at)

    def draw(self, painter: QPainter, width: float, height: float) -> None:
        """Draws the charts into a picture, side by side."""
        for place, chart in enumerate(self._charts):
            chart.draw(painter, QRectF(place * width / 2, 0, width / 2, height))

    def _mark(self, n: int) -> None:
        for chart in self._charts:
            chart.mark(n)

    def _gradient_lines(self, log: RoundLog) -> list[Line]:
        places = [name.removeprefix(GRADIENT) for name in log.names if name.startswith(GRADIENT)]
        variables = short_names(place for place in places if "." not in place)
        wires = {place: self._wire_name(place) for place in places if "." in place}
        return _named_lines(log, variables, "grad.text") + _named_lines(log, wires, "value")


def loss_lines(log: RoundLog) -> list[Line]:
    """Returns a line for each loss, and a dashed one for its value on rows that training does not see."""
    names, found = [name for name in log.names if is_plain(name) and "." not in name], list[Line]()
    for place, name in enumerate(names):
        trained, unseen = tr("training"), tr("unseen")
        if len(names) > 1:
            trained, unseen = name, tr("{name}, unseen", name=name)
        found.append(_line(log, name, trained, "value", 2 * place))
        if TEST + name in log.names:
            found.append(_line(log, TEST + name, unseen, "text.secondary", 2 * place + 1))
    return found


def _line(log: RoundLog, series: str, text: str, token: str, place: int) -> Line:
    found = log.points(series)
    return Line(text, found.rounds, found.numbers, token, place)


def _named_lines(log: RoundLog, names: Mapping[str, str], token: str) -> list[Line]:
    return [_line(log, GRADIENT + name, text, token, place) for place, (name, text) in enumerate(names.items())]
