"""The tour: six cards on the stable softmax, each of which goes on by itself when the user does what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app.canvas.look import Overlay
from app.live.session import Selection, Session
from app.panels.welcome_rows import LearnRow
from app.tour_card import TourCard
from app.words import tr
from engine.graph import Graph, Port, Wire

if TYPE_CHECKING:
    from app.main_window import MainWindow

EXAMPLE = "softmax_stable"
OFFERED = "tour_offered"
# How far labels reach above and below their wire. Units: px at 100 %.
LABELS = 24
# From this scale on blocks have their sliders.
USABLE = 0.75
_DASHED = (Wire(Port("x", "y"), Port("m", "x")), Wire(Port("m", "y"), Port("stop", "x")))
_PLAIN = Wire(Port("x", "y"), Port("z", "x"))


@dataclass(frozen=True)
class State:
    """What a card can tell apart: the graph, the selection, how gradients are shown, and the search."""

    graph: Graph
    selection: Selection
    overlay: Overlay
    ignores_stops: bool
    is_searching: bool


@dataclass(frozen=True)
class Step:
    """One card: its sentence, what of the window it points at, and whether the user has done what it says.

    `block` has to be seen large enough to be used.
    """

    sentence: Callable[[MainWindow], str]
    target: Callable[[MainWindow], QRect]
    is_done: Callable[[State, State], bool]
    block: str = ""


STEPS = (
    Step(
        lambda _: tr("Drag a slider of x: every number on every wire follows your hand."),
        lambda window: _block(window, "x"),
        lambda before, now: now.graph is not before.graph,
        "x",
    ),
    Step(
        lambda _: tr("Blue is the value, flowing right: click this wire to see all of it in the inspector."),
        lambda window: _wires(window, _PLAIN),
        lambda before, now: bool(now.selection.wires - before.selection.wires),
        "x",
    ),
    Step(
        lambda window: tr(
            "Amber is the gradient, flowing back left, and wider where it is larger: {key} shows it in other ways.",
            key=window.keys.shown("overlay_next") or tr("this switch"),
        ),
        lambda window: _overlay_buttons(window),
        lambda before, now: now.overlay is not before.overlay,
    ),
    Step(
        lambda _: tr("These wires are dashed because StopGradient blocks the gradient: click one and read why."),
        lambda window: _wires(window, *_DASHED),
        lambda before, now: bool(now.selection.wires - before.selection.wires),
        "m",
    ),
    Step(
        lambda _: tr("Turn StopGradient off: labels now show what it holds back, and the graph stays as it is."),
        lambda window: _widget(window, window.toolbar.findChild(QWidget, "stop_switch")),
        lambda before, now: now.ignores_stops and not before.ignores_stops,
    ),
    Step(
        lambda window: tr(
            "Now build your own: press {key} over the canvas and type the name of a block.",
            key=window.keys.shown("search") or tr("Ctrl+K"),
        ),
        lambda window: _middle(window),
        lambda _, now: now.is_searching,
    ),
)


class Tour(QObject):
    """Runs in one window. It ends with the last card, with Skip, with Escape, and when another document is shown."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._card = TourCard(window.appearance, window)
        self._number: int | None = None
        self._session: Session | None = None
        self._before = self._state()
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), window, self._cancel)
        self._escape.setEnabled(False)
        window.refreshed.connect(self._check)
        window.canvas.active_changed.connect(self._check)
        for signal in (window.canvas.repainted, window.canvas.camera_changed, window.canvas.resized):
            signal.connect(self._place)
        window.installEventFilter(self)

    @property
    def number(self) -> int | None:
        """Which card is shown, from 0; None while there is no tour."""
        return self._number

    def start(self) -> None:
        """Opens the example and shows the first card; nothing if unsaved changes keep the user where they are."""
        before = self._window.session
        self._window.documents.open_example(EXAMPLE)
        if self._window.session is not before:
            self._session = self._window.session
            self._window.settings.set_flag(OFFERED, True)
            self._show(0)

    def offer(self) -> None:
        """Asks on the welcome page, once, whether the user wants the tour."""
        if not self._window.shows_welcome or self._window.settings.flag(OFFERED):
            return
        self._window.settings.set_flag(OFFERED, True)
        self._card.say(
            "",
            tr("First time here? Six cards show how values and gradients flow, in two minutes."),
            [(tr("&No, thanks"), "tour_skip", self.stop), (tr("&Take the tour"), "tour_start", self.start)],
        )
        self._escape.setEnabled(True)
        self._card.point_at(self._offer_target())

    def stop(self) -> None:
        """Ends the tour."""
        self._number, self._session = None, None
        self._escape.setEnabled(False)
        self._card.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The card goes where its target goes."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)

    # Cards

    def _show(self, number: int) -> None:
        self._number, self._before = number, self._state()
        back = (tr("&Back"), "tour_back", self._back)
        is_last = number == len(STEPS) - 1
        answers = [(tr("&Skip the tour"), "tour_skip", self.stop), *([back] if number else [])]
        answers.append((tr("&Done") if is_last else tr("&Next"), "tour_next", self._next))
        place = tr("{number} of {count}", number=number + 1, count=len(STEPS))
        self._card.say(place, STEPS[number].sentence(self._window), answers)
        self._escape.setEnabled(True)
        self._place()
        # After the page of a document just opened has been fitted to the window.
        QTimer.singleShot(0, self, self._bring_in)

    def _bring_in(self) -> None:
        """In a small window the whole page is too small for what the card asks."""
        canvas, block = self._window.canvas, "" if self._number is None else STEPS[self._number].block
        if block in canvas.mirror.rows and canvas.camera.scale < USABLE:
            canvas.centre_on(block)

    def _next(self) -> None:
        if self._number is not None and self._number + 1 < len(STEPS):
            self._show(self._number + 1)
        else:
            self.stop()
            self._window.status.showMessage(tr("That was the tour. Help > Tour shows it again."), 8000)

    def _back(self) -> None:
        if self._number:
            self._show(self._number - 1)

    def _check(self, _: object = None) -> None:
        """Goes on when the user has done what the card says, once the hand is off the mouse."""
        window = self._window
        if self._number is None:
            if not window.shows_welcome and self._card.isVisible():
                self.stop()
        elif window.session is not self._session or window.shows_welcome:
            self.stop()
        elif not window.canvas.is_dragging and STEPS[self._number].is_done(self._before, self._state()):
            self._next()

    def _place(self) -> None:
        if self._number is not None:
            self._card.point_at(STEPS[self._number].target(self._window))
        elif self._card.isVisible():
            self._card.point_at(self._offer_target())

    def _cancel(self) -> None:
        if self._window.canvas.is_dragging:
            self._window.canvas.let_go()
        else:
            self.stop()

    def _state(self) -> State:
        window, session = self._window, self._window.session
        is_searching = window.search.isVisible()
        return State(session.graph, session.selection, window.canvas.overlay, session.ignores_stops, is_searching)

    def _offer_target(self) -> QRect:
        learn = self._window.welcome.findChildren(LearnRow)
        return reduce(QRect.united, (_widget(self._window, row) for row in learn), QRect())


# Where things are, in px of the window


def _widget(window: MainWindow, widget: QWidget | None) -> QRect:
    if widget is None or not widget.isVisible():
        return _middle(window)
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def _middle(window: MainWindow) -> QRect:
    """Nothing, in the middle of the canvas."""
    return QRect(window.canvas.mapTo(window, window.canvas.rect().center()), QSize())


def _overlay_buttons(window: MainWindow) -> QRect:
    buttons = (window.toolbar.findChild(QWidget, f"tool_overlay_{overlay}") for overlay in Overlay)
    return reduce(QRect.united, (_widget(window, button) for button in buttons))


def _on_canvas(window: MainWindow, scene: QRectF) -> QRect:
    """A rectangle of the page as far as the canvas shows it."""
    shown = window.canvas.camera.rect_to_view(scene).toAlignedRect() & window.canvas.rect()
    return shown.translated(window.canvas.mapTo(window, QPoint())) if not shown.isEmpty() else _middle(window)


def _block(window: MainWindow, name: str) -> QRect:
    mirror = window.canvas.mirror
    return _on_canvas(window, mirror.rect(name)) if name in mirror.rows else _middle(window)


def _wires(window: MainWindow, *wires: Wire) -> QRect:
    """The last straight piece of each wire, with its labels."""
    mirror, box = window.canvas.mirror, QRectF()
    for wire in wires:
        if wire in mirror.wire_rows:
            points = mirror.points[mirror.wire_rows[wire]]
            end = points[-1]
            run = [x for x, y in points if abs(y - end[1]) < 1]
            box |= QRectF(QPointF(min(run), end[1] - LABELS), QPointF(max(run), end[1] + LABELS))
    return _on_canvas(window, box) if not box.isNull() else _middle(window)
