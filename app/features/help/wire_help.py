"""The meaning of the patterns of wires and the glyphs on their labels, in a sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QScrollArea,
    QWidget,
)

from gradwire.app.base.translation import capitalized, tr, tr_sentence
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked, smooth
from gradwire.app.look.status_glyphs import draw_mark
from gradwire.app.look.status_texts import cause_word
from gradwire.app.look.statuses import LOOKS, MARKS, TIE
from gradwire.app.look.widgets import (
    Dialog,
    ThemedWidget,
    add_items,
    make_column,
    make_grid,
    make_label,
    make_row,
    named,
)
from gradwire.app.look.wire_pens import flow_pens, status_pens
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause

WIDTH, HEIGHT = 920, 540


def mark_sentences() -> dict[str, tuple[str, str]]:
    """Returns the word and the sentence of each glyph: those of the causes of zeros, and that of a tie."""
    causes = {str(cause): (cause_word(cause), tr_sentence(cause.sentence)) for cause in Cause}
    tie = tr("Several elements are equal: they share the gradient, or the first one receives it.")
    return causes | {TIE: (tr("tie"), tie)}


class WireHelp(Dialog):
    """A drawn piece of wire, or a glyph, beside each sentence."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, "wire_help", tr("What the wire patterns mean"), QSize(WIDTH, HEIGHT))
        pictures = {status: WirePattern(status, appearance, QSize(72, 34)) for status in LOOKS}
        patterns = [(picture, tr(LOOKS[status].name), tr(LOOKS[status].help)) for status, picture in pictures.items()]
        marks = [(_Mark(mark, appearance), *texts) for mark, texts in mark_sentences().items()]
        content = QWidget()
        columns = make_row(inside=content, margins=(22, 20, 22, 12), spacing=36)
        add_items(columns, (_grid(tr("On a wire"), patterns), 1), (_grid(tr("On a label: why it is zero"), marks), 1))
        area = named(QScrollArea(self, widgetResizable=True), "wire_help_scroll")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(content)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        make_column((area, 1), buttons, inside=self, margins=(0, 0, 16, 16))


class WirePattern(ThemedWidget):
    """A drawn sample of a wire."""

    def __init__(self, status: Status, appearance: Appearance, room: QSize) -> None:
        super().__init__(appearance, size=room.toTuple())
        self._status = status

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the wire as the canvas does, with space for its ends."""
        theme, middle = self._appearance.theme, self.height() / 2
        is_flow = self._status is Status.FLOW
        with smooth(self) as painter:
            for stroke in flow_pens(theme, 0.75, None, True) if is_flow else status_pens(theme, self._status):
                inked(painter, stroke).drawLine(QLineF(4, middle, self.width() - 4, middle))


class _Mark(ThemedWidget):
    """The glyph of a cause."""

    def __init__(self, mark: str, appearance: Appearance) -> None:
        super().__init__(appearance, size=(26, 34))
        self._mark = mark

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the glyph as on labels, half as large again."""
        theme = self._appearance.theme
        with smooth(self) as painter:
            painter.scale(1.5, 1.5)
            draw_mark(painter, QPointF(3, 11), theme.color(MARKS[self._mark].token), self._mark)


def _grid(title: str, rows: Sequence[tuple[QWidget, str, str]]) -> QGridLayout:
    """Returns a heading, and below it pictures with their texts."""
    grid = make_grid(spacing=(16, 12))
    grid.setColumnStretch(1, 1)
    grid.addWidget(make_label(title, look="section"), 0, 0, 1, 2)
    for row, (picture, name, sentence) in enumerate(rows, start=1):
        grid.addWidget(picture, row, 0, Qt.AlignmentFlag.AlignTop)
        heading = make_label(capitalized(name), look="strong", wraps=True)
        grid.addLayout(make_column(heading, make_label(sentence, wraps=True), spacing=2), row, 1)
    grid.setRowStretch(len(rows) + 1, 1)
    return grid
