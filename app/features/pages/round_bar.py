"""The bar above the canvas inside a loop: one slider for each loop around the page, with the round that is seen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QSpinBox, QStyle, QToolButton, QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.live.page_shown import LoopShown
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import STRETCH, make_label, make_row, make_tool, named
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.graph.loops import sound_loop

_UNDO, _REDO = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
HEIGHT, BUTTON, FIELD = 32, 24, 24
# The narrowest and the widest slider, its knob, and a mark of a stop beside it. Units: px.
NARROWEST, WIDEST, KNOB, MARK = 96, 420, 12, 4.0


class RoundBar(SessionWidget):
    """The sliders of the loops around the page shown. `wanted(bool)` asks to show it there, and to hide it elsewhere.

    It listens to the session before the canvas does, which then fits the page into the room that is left.
    """

    wanted = Signal(bool)

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance, name="round_bar", says=tr("Rounds"), filled=True)
        self.setMinimumHeight(HEIGHT)
        self._rows: list[_LoopRow] = []
        self._layout = make_row(inside=self, margins=(12, 0, 12, 0), spacing=24)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()
        call_on(self._update, current.changed, current.page_changed, current.graph_changed)
        self._update()

    def step(self, direction: int) -> None:
        """Shows the next or previous round of the innermost loop."""
        for loop in self.session.view.loops[-1:]:
            self.session.view.show_round(loop, loop.round + direction)

    def _update(self, *_: object) -> None:
        loops = self.session.view.loops
        while len(self._rows) > len(loops):
            dismiss(self._rows.pop(), self._layout)
        while len(self._rows) < len(loops):
            self._rows.append(self._made_row(len(self._rows)))
        for row, loop in zip(self._rows, loops, strict=True):
            row.show_loop(loop, len(loops) > 1)
        if bool(loops) is self.isHidden():
            self.wanted.emit(bool(loops))

    def _made_row(self, number: int) -> _LoopRow:
        row = _LoopRow(number, self.current, self._appearance, self)
        self._layout.insertWidget(number, row)
        row.show()
        return row


class _LoopRow(SessionView, QWidget):
    """The controls of one loop around the page shown, of the outermost one for `number` 0."""

    def __init__(self, number: int, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.current, self._number = current, number
        self._label = make_label("", self, name=f"round_label_{number}", look="row", font=font("ui", 12))
        # The keyboard comes to the slider first.
        self._slider = named(RoundSlider(appearance, self), f"round_slider_{number}")
        self._field = named(_RoundField(self), f"round_{number}")
        self._back = themed(self._button(f"round_back_{number}", tr("Previous round")), appearance, "chev-left", px=14)
        self._next = themed(self._button(f"round_next_{number}", tr("Next round")), appearance, "chev-right", px=14)
        parts = self._label, self._back, self._slider, self._next, self._field
        make_row(*parts, STRETCH, inside=self, margins=0, spacing=6)
        self._back.clicked.connect(lambda: self._ask(self._slider.value() - 1))
        self._next.clicked.connect(lambda: self._ask(self._slider.value() + 1))
        call_on(self._ask, self._slider.valueChanged, self._field.valueChanged)

    def show_loop(self, loop: LoopShown, has_others: bool) -> None:
        """Shows the round of a loop; the name of its block stands there if there are other loops around it."""
        last = max(loop.times - 1, 0)
        name = plain(loop.block.label or loop.block.id)
        self._label.setText(tr("Round of {block}", block=name) if has_others else tr("Round"))
        for widget in (self._slider, self._field):
            with QSignalBlocker(widget):
                widget.setRange(0, last)
                widget.setValue(loop.round)
            tip = tr("Rounds count from 0: this loop has the rounds 0 to {last}.", last=last)
            named(widget, says=tr("Round of {block}", block=name), tip=tip)
        self._slider.show_stops(_stops(loop))
        self._field.show_times(loop.times)
        self._back.setEnabled(loop.round > 0)
        self._next.setEnabled(loop.round < last)

    def _button(self, name: str, text: str) -> QToolButton:
        button = make_tool(parent=self, name=name, words=text, size=(BUTTON, BUTTON), focus=Qt.FocusPolicy.StrongFocus)
        button.setIconSize(QSize(14, 14))
        button.setAutoRepeat(True)
        return button

    def _ask(self, round_number: int) -> None:
        loops = self.session.view.loops
        if self._number < len(loops):
            self.session.view.show_round(loops[self._number], round_number)


class RoundSlider(QSlider):
    """A slider whose knob comes to where it is pressed; marks above it show the rounds before which a stop stands."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._stops: list[int] = []
        self._appearance = appearance
        self.setMinimumWidth(NARROWEST)
        self.setPageStep(1)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Returns the greatest width, which it gives up first where there is little room."""
        return QSize(WIDEST, super().sizeHint().height())

    def show_stops(self, stops: list[int]) -> None:
        """Marks rounds before which a stop stands."""
        if stops != self._stops:
            self._stops = stops
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Brings the knob to the pointer, and begins to drag it."""
        if event.button() is Qt.MouseButton.LeftButton:
            span, at = self.width() - KNOB, round(event.position().x() - KNOB / 2)
            self.setValue(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), at, span))
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the slider and the marks."""
        super().paintEvent(event)
        if not self._stops:
            return
        span = self.width() - KNOB
        places = {QStyle.sliderPositionFromValue(self.minimum(), self.maximum(), item, span) for item in self._stops}
        with QPainter(self) as painter:
            for place in places:
                box = QRectF(place + KNOB / 2 - 0.5, 1, 1.5, MARK)
                painter.fillRect(box, self._appearance.theme.color("stop"))


class _RoundField(QSpinBox):
    """The number of the round, with `of 20` behind it; a typed number counts once it is finished."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, height=FIELD, font=font("mono", 11)).setKeyboardTracking(False)
        self.setStyleSheet("QSpinBox::up-button, QSpinBox::down-button { width: 0; border: none; }")
        self.lineEdit().setStyleSheet("border: none; padding: 0; background: transparent;")
        self.lineEdit().setTextMargins(6, 0, 0, 0)
        self.lineEdit().installEventFilter(self)

    def show_times(self, times: int) -> None:
        """Shows how many rounds there are."""
        self.setSuffix(tr(" of {times}", times=times))
        widest = self.fontMetrics().horizontalAdvance(f"{times}{self.suffix()}")
        self.setFixedWidth(widest + 24)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leaves undo to the document while nothing is typed."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride and not self.lineEdit().isModified()
        if is_asked and isinstance(event, QKeyEvent) and (event.matches(_UNDO) or event.matches(_REDO)):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _stops(loop: LoopShown) -> list[int]:
    settings = sound_loop(loop.block)
    return [] if settings is None else list(filter(settings.stops_before, range(loop.times)))
