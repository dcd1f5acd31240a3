"""The tour: six cards on the stable softmax; each advances when the user does its task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.features.help.tour_card import TourCard
from gradwire.app.live.keys import Keys
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.graph.graph import Graph, Port, Wire

EXAMPLE = "softmax_stable"
# The height of labels above and below their wire. Units: px at 100 %.
LABELS = 24
# From this scale on blocks show their sliders.
USABLE = 0.75
_DASHED = (Wire(Port("x", "y"), Port("m", "x")), Wire(Port("m", "y"), Port("stop", "x")))
_PLAIN = Wire(Port("x", "y"), Port("z", "x"))


@dataclass(frozen=True)
class State:
    """The things that a card can tell apart: graph, selection, how gradients are shown, and the search."""

    graph: Graph
    selection: Selection
    overlay: Overlay
    ignores_stops: bool
    is_searching: bool


@dataclass(frozen=True)
class TourStage:
    """The widgets of a window that the cards point at and look at, with what the window shares with them.

    `open_example` shows an example, if it may.
    """

    frame: QWidget
    canvas: Canvas
    search: QWidget
    appearance: Appearance
    settings: Settings
    keys: Keys
    open_example: Callable[[str], None]


@dataclass(frozen=True)
class Step:
    """One card: its sentence, its target in the window, and the check whether the user has done its task.

    `block` must be large enough on the screen to be used.
    """

    sentence: Callable[[Keys], str]
    target: Callable[[TourStage], QRect]
    is_done: Callable[[State, State], bool]
    block: str = ""


STEPS = (
    Step(
        lambda _: tr("Drag a slider of x: every number on every wire follows your hand."),
        lambda stage: _block(stage, "x"),
        lambda before, now: now.graph is not before.graph,
        "x",
    ),
    Step(
        lambda _: tr("Blue is the value, flowing right: click this wire to see all of it in its card."),
        lambda stage: wires_rect(stage, _PLAIN),
        lambda before, now: bool(now.selection.wires - before.selection.wires),
        "x",
    ),
    Step(
        lambda keys: tr(
            "Amber is the gradient, flowing back to the left, and a wider wire has a larger one: {key} changes "
            "the view.",
            key=keys.shown("overlay_next") or tr("this switch"),
        ),
        lambda stage: _overlay_buttons(stage),
        lambda before, now: now.overlay is not before.overlay,
    ),
    Step(
        lambda _: tr("These wires are dashed because StopGradient blocks the gradient: click one and read why."),
        lambda stage: wires_rect(stage, *_DASHED),
        lambda before, now: bool(now.selection.wires - before.selection.wires),
        "m",
    ),
    Step(
        lambda _: tr(
            "Turn StopGradient off: labels show each gradient with and without it, and the graph does not change."
        ),
        lambda stage: _widget(stage, stage.frame.findChild(QWidget, "stop_switch")),
        lambda before, now: now.ignores_stops and not before.ignores_stops,
    ),
    Step(
        lambda keys: tr(
            "Now build your own: press {key} over the canvas and type the name of a block.",
            key=keys.shown("search") or tr("Ctrl+K"),
        ),
        lambda stage: middle(stage),
        lambda _, now: now.is_searching,
    ),
)


class Tour(QObject):
    """The tour of one window. It ends with the last card, Skip, Escape, and another document.

    `number` is the index of the card shown, from 0, None while there is none. `ended(str)` carries what is said after
    the last card; `left()` comes after any end.
    """

    ended = Signal(str)
    left = Signal()

    def __init__(self, stage: TourStage, shows_welcome: Callable[[], bool]) -> None:
        """`shows_welcome` tells whether the welcome page is shown."""
        super().__init__(stage.frame)
        self._stage, self._canvas, self._shows_welcome = stage, stage.canvas, shows_welcome
        self._card = TourCard(stage.appearance, stage.frame)
        self.number: int | None = None
        self._session: Session | None = None
        self._before = self._state()
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), stage.frame, self._cancel)
        self._escape.setEnabled(False)
        self._canvas.gestures.active_changed.connect(self.check)
        call_on(self._place, self._canvas.painted.repainted, self._canvas.viewport.camera_changed, self._canvas.resized)
        stage.frame.installEventFilter(self)

    def start(self) -> None:
        """Opens the example and shows the first card; does nothing if unsaved changes keep the user here."""
        before = self._canvas.session
        self._stage.open_example(EXAMPLE)
        if self._canvas.session is not before:
            self._session = self._canvas.session
            self._show(0)

    def stop(self) -> None:
        """Ends the tour, with all StopGradients as they are in the graph."""
        was_on, session = self.number is not None, self._session
        self.number, self._session = None, None
        self._escape.setEnabled(False)
        self._card.hide()
        if session is not None and session is self._canvas.session:
            session.runs.set_ignores_stops(False)
        if was_on:
            self.left.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Moves the card along with its target."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)

    def _show(self, number: int) -> None:
        self.number, self._before = number, self._state()
        back = (tr("&Back"), "tour_back", self._back)
        is_last = number == len(STEPS) - 1
        answers = [(tr("&Skip the tour"), "tour_skip", self.stop), *([back] if number else [])]
        answers.append((tr("&Done") if is_last else tr("&Next"), "tour_next", self._next))
        place = tr("{number} of {count}", number=number + 1, count=len(STEPS))
        self._card.say(place, STEPS[number].sentence(self._stage.keys), answers)
        self._escape.setEnabled(True)
        self._place()
        # This comes after the page of a newly opened document has been fitted to the window.
        QTimer.singleShot(0, self, self._bring_in)

    def _bring_in(self) -> None:
        """Centres the block of a card, because a small window shows the whole page too small."""
        canvas, block = self._canvas, "" if self.number is None else STEPS[self.number].block
        if block in canvas.mirror.rows and canvas.camera.scale < USABLE:
            canvas.viewport.centre_on(block)

    def _next(self) -> None:
        if self.number is not None and self.number + 1 < len(STEPS):
            self._show(self.number + 1)
        else:
            self.ended.emit(tr("That was the tour. Type tour in the search to see it again."))
            self.stop()

    def _back(self) -> None:
        if self.number:
            self._show(self.number - 1)

    def check(self, _: object = None) -> None:
        """Goes on when the user has done what the card says, once the hand is off the mouse."""
        if self.number is None:
            return
        if self._canvas.session is not self._session or self._shows_welcome():
            self.stop()
        elif not self._canvas.gestures.is_dragging and STEPS[self.number].is_done(self._before, self._state()):
            self._next()

    def _place(self) -> None:
        if self.number is not None:
            self._card.point_at(STEPS[self.number].target(self._stage))

    def _cancel(self) -> None:
        if self._canvas.gestures.is_dragging:
            self._canvas.gestures.let_go()
        else:
            self.stop()

    def _state(self) -> State:
        session, is_searching = self._canvas.session, self._stage.search.isVisible()
        overlay, ignores = self._canvas.page_look.overlay, session.runs.ignores_stops
        return State(session.graph, session.selection, overlay, ignores, is_searching)


# The functions below return rectangles in px of the window.


def _widget(stage: TourStage, widget: QWidget | None) -> QRect:
    if widget is None or not widget.isVisible():
        return middle(stage)
    return QRect(widget.mapTo(stage.frame, QPoint()), widget.size())


def middle(stage: TourStage) -> QRect:
    """Returns an empty rectangle in the middle of the canvas."""
    return QRect(stage.canvas.mapTo(stage.frame, stage.canvas.rect().center()), QSize())


def _overlay_buttons(stage: TourStage) -> QRect:
    buttons = (stage.frame.findChild(QWidget, f"tool_overlay_{overlay}") for overlay in Overlay)
    shown = [_widget(stage, button) for button in buttons if button is not None and button.isVisible()]
    return reduce(QRect.united, shown) if shown else middle(stage)


def _on_canvas(stage: TourStage, scene: QRectF) -> QRect:
    """Returns the visible part of a rectangle of the page."""
    shown = stage.canvas.camera.rect_to_view(scene).toAlignedRect() & stage.canvas.rect()
    return shown.translated(stage.canvas.mapTo(stage.frame, QPoint())) if not shown.isEmpty() else middle(stage)


def _block(stage: TourStage, name: str) -> QRect:
    mirror = stage.canvas.mirror
    return _on_canvas(stage, mirror.rect(name)) if name in mirror.rows else middle(stage)


def wires_rect(stage: TourStage, *wires: Wire) -> QRect:
    """Returns the last straight piece of each wire, with its labels. Units: px of the window."""
    mirror, box = stage.canvas.mirror, QRectF()
    for wire in wires:
        if wire in mirror.wire_rows:
            points = mirror.points[mirror.wire_rows[wire]]
            end = points[-1]
            run = [x for x, y in points if abs(y - end[1]) < 1]
            box |= QRectF(QPointF(min(run), end[1] - LABELS), QPointF(max(run), end[1] + LABELS))
    return _on_canvas(stage, box) if not box.isNull() else middle(stage)
