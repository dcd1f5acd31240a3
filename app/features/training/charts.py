"""The charts of a training: the loss, and beside it the series that a selector chooses."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.training.chart import Chart, Contents, Line, span_of
from gradwire.app.features.training.chart_selector import Shown
from gradwire.app.features.training.short_names import short_names
from gradwire.app.live.readings.round_log import RoundLog, Series
from gradwire.app.live.readings.series import DEAD, GRADIENT, RATE, SATURATED, STEP, TEST, is_plain
from gradwire.app.look.appearance import Appearance

# A smoothed curve is worth its place from so many rounds on.
LEAST_SMOOTHED = 30
# A series is noisy if this share of its newest numbers are turning points; in pure noise two thirds are.
NEWEST, NOISY = 512, 0.15
# Steps of a Variable that are neither timid nor wild, in shares of its size: a rule of thumb.
USUAL_STEPS = (1e-4, 1e-2)
# Pattern of the rates.
DASH_DOTTED = 3


class TrainingCharts(QSplitter):
    """The charts. `wire_name` gives the name of a tracked wire by its target.

    Where two have no room side by side, the one that the selector chooses is there alone.
    """

    def __init__(self, appearance: Appearance, wire_name: Callable[[str], str], parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent, childrenCollapsible=False)
        self._wire_name, self._shown = wire_name, Shown.GRADIENTS
        self._losses = Chart(appearance, "chart_losses", self)
        self._others = Chart(appearance, "chart_others", self)
        for chart in (self._losses, self._others):
            chart.pointed.connect(self._mark)
            self.addWidget(chart)
        self.setSizes([500, 500])

    def choose(self, shown: Shown) -> None:
        """Chooses what stands beside the loss."""
        self._shown = shown
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Returns the size that one chart needs."""
        return self._losses.minimumSize()

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Shows as many charts as have room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        has_room = self.width() >= 2 * self._losses.minimumWidth() + self.handleWidth()
        self._losses.setVisible(has_room or self._shown is Shown.LOSS)
        self._others.setVisible(self._shown is not Shown.LOSS)

    def set_log(self, is_log: bool) -> None:
        """Chooses logarithmic or linear axes."""
        for chart in (self._losses, self._others):
            chart.set_log(is_log)

    def show_log(self, log: RoundLog) -> None:
        """Shows the series as they are now, over the same rounds."""
        losses, others = _loss_lines(log), self._others_of(log)
        span = span_of([*losses, *others.lines])
        nothing = tr("Train, and the loss of each round appears here.")
        shown = Contents(tr("Loss"), losses, nothing, span=span, other_title=tr("Metrics"), has_linear_others=True)
        self._losses.show_contents(shown)
        self._others.show_contents(replace(others, span=span, other_title=tr("Rates")))

    def _others_of(self, log: RoundLog) -> Contents:
        """Returns what stands beside the loss."""
        if self._shown is Shown.GRADIENTS:
            nothing = tr("The gradient of each Variable, as long as it is trained.")
            return Contents(tr("Size of the gradients"), self._gradient_lines(log), nothing)
        if self._shown is Shown.UPDATES:
            nothing = tr("How far each round moves a Variable, in shares of its size.")
            return Contents(tr("Step / weight; shaded: 1e−4 to 1e−2"), _update_lines(log), nothing, USUAL_STEPS)
        if self._shown is Shown.DEAD:
            nothing = tr("Relu and its kin may die, Tanh and its kin saturate: their shares appear here.")
            title = tr("Share of dead units and saturated elements")
            return Contents(title, _dead_lines(log), nothing, is_share=True)
        return Contents("")

    def draw(self, painter: QPainter, width: float, height: float) -> None:
        """Draws what is shown into a picture, side by side."""
        charts = [self._losses] if self._shown is Shown.LOSS else [self._losses, self._others]
        share = width / len(charts)
        for number, chart in enumerate(charts):
            chart.draw(painter, QRectF(number * share + 12, 12, share - 24, height - 24))

    def _mark(self, n: int) -> None:
        for chart in (self._losses, self._others):
            chart.mark(n)

    def _gradient_lines(self, log: RoundLog) -> list[Line]:
        places = _of_kind(log, GRADIENT)
        variables = short_names(place for place in places if "." not in place)
        wires = {place: self._wire_name(place) for place in places if "." in place}
        return _named_lines(log, GRADIENT, variables, "grad.text") + _named_lines(log, GRADIENT, wires, "value")


def series_order(log: RoundLog) -> list[str]:
    """Returns the names of all series as a table has them: kind by kind, losses and metrics first."""
    kinds = (TEST, RATE, GRADIENT, STEP, DEAD, SATURATED)
    plain = [name for name in log.names if is_plain(name)]
    return plain + [kind + name for kind in kinds for name in _of_kind(log, kind)]


def _line(log: RoundLog, series: str, text: str, token: str, place: int, is_other: bool = False) -> Line:
    found = log.points(series)
    return Line(text, found.rounds, found.numbers, token, place=place, joined=found.joined, is_other=is_other)


def _lines(log: RoundLog, name: str, text: str, token: str, place: int) -> list[Line]:
    """Returns a series with a name to show; one that is noisy lies behind its smoothed curve."""
    series, line = log.series(name), _line(log, name, text, token, place)
    if not _is_noisy(series):
        return [line]
    behind = replace(line, name="", is_faint=True)
    return [behind, replace(line, rounds=series.rounds, numbers=series.smoothed, joined=series.are_joined)]


def _named_lines(log: RoundLog, kind: str, names: Mapping[str, str], token: str) -> list[Line]:
    """Returns the lines of series of a kind, by name with the text to show."""
    found = (_lines(log, kind + name, text, token, place) for place, (name, text) in enumerate(names.items()))
    return list(itertools.chain.from_iterable(found))


def _loss_lines(log: RoundLog) -> list[Line]:
    found, plain = list[Line](), [name for name in log.names if is_plain(name)]
    for place, name in enumerate(name for name in plain if "." not in name):
        *behind, line = _lines(log, name, name, "value", 2 * place)
        found += [replace(item, name=name) for item in behind]
        found.append(replace(line, name=tr("{name}, smoothed", name=name)) if behind else line)
    losses = [log.series(name) for name in plain if "." not in name]
    others = [name for name in _metrics(plain) if not any(_is_part(log.series(name), loss) for loss in losses)]
    found += [_line(log, name, name, "ok", 2 * place, is_other=True) for place, name in enumerate(others)]
    tested = _of_kind(log, TEST)
    for token, names in (("value", [name for name in tested if "." not in name]), ("ok", _metrics(tested))):
        for place, name in enumerate(names):
            text = tr("{name}, test", name=name)
            found.append(_line(log, TEST + name, text, token, 2 * place + 1, is_other=token == "ok"))
    return found


def _is_part(series: Series, whole: Series) -> bool:
    """Returns whether a series is the newest part of another, as that of a Chart of a loss is: one line shows both."""
    count = series.rounds.size
    pairs = zip(series.points, whole.points, strict=True)
    return 0 < count <= whole.rounds.size and all(np.array_equal(mine, all_[-count:]) for mine, all_ in pairs)


def _is_noisy(series: Series) -> bool:
    """Returns whether the newest numbers of a long series turn often; a smooth one needs no average, which lags.

    Where most rounds were not measured, an average would be one of a few.
    """
    numbers, joined = series.numbers[-NEWEST:], series.are_joined[-NEWEST:]
    if series.numbers.size < LEAST_SMOOTHED or 2 * np.count_nonzero(joined) < joined.size:
        return False
    moves = np.sign(np.diff(numbers))
    return bool(np.mean(moves[1:] * moves[:-1] < 0) > NOISY)


def _metrics(names: Iterable[str]) -> list[str]:
    return [name for name in names if "." in name]


def _update_lines(log: RoundLog) -> list[Line]:
    rates = [
        _line(log, RATE + name, tr("rate of {name}", name=name), "text.secondary", place + DASH_DOTTED, is_other=True)
        for place, name in enumerate(_of_kind(log, RATE))
    ]
    return _named_lines(log, STEP, short_names(_of_kind(log, STEP)), "accent") + rates


def _dead_lines(log: RoundLog) -> list[Line]:
    words = {DEAD: (tr("{name} dead"), "grad.text"), SATURATED: (tr("{name} saturated"), "value")}
    short = short_names(name for kind in words for name in _of_kind(log, kind))
    return [
        _line(log, kind + name, text.format(name=short[name]), token, place)
        for kind, (text, token) in words.items()
        for place, name in enumerate(_of_kind(log, kind))
    ]


def _of_kind(log: RoundLog, kind: str) -> list[str]:
    """Returns the names of what has a series of a kind."""
    return [name.removeprefix(kind) for name in log.names if name.startswith(kind)]
