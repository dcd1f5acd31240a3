"""The first steps: a gradient that is NaN is seen, explained and mended; then the tour, and another example."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QTimer, Signal

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.features.help.step_pill import StepPill
from gradwire.app.features.help.tour import Tour, TourStage, middle, wires_rect
from gradwire.app.features.help.tour_card import TourCard
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.status import Status
from gradwire.engine.graph.graph import Wire

FOLLOWING = "causes"
# What says in the settings that this was not the first start.
BEGUN = "tour_offered"
# The height of the pill. Units: px.
PILL = 40
# The largest share of the canvas's width that the pill takes.
WIDEST = 0.55
# The place of the page and of the pill in the canvas. Units: px.
LEFT, TOP, BOTTOM = 30, 22, 10


class FirstStep(IntEnum):
    """The four steps in order."""

    SEE = 0
    UNDERSTAND = 1
    MEND = 2
    LOOK = 3


class FirstSteps(QObject):
    """The first steps of one window. They end with the tour, Skip, and another document.

    `welcome_wanted()` asks for the welcome page, `reasons_wanted()` for the keyboard on the explanation of the selected
    wire, and `corner_shown(bool)` makes room for the pill.
    """

    welcome_wanted = Signal()
    reasons_wanted = Signal()
    corner_shown = Signal(bool)

    def __init__(self, stage: TourStage, tour: Tour, open_graph: Callable[[], None]) -> None:
        """`open_graph` shows the graph with the broken gradient."""
        super().__init__(stage.frame)
        self._stage, self._canvas, self._tour, self._open_graph = stage, stage.canvas, tour, open_graph
        self._session: Session | None = None
        self._wire: Wire | None = None
        self._has_asked = self._is_touring = False
        self._said: FirstStep | None = None
        names = (tr("See it"), tr("Understand it"), tr("Mend it"), tr("Look around"))
        self._pill = StepPill(names, stage.appearance, stage.frame)
        self._pill.skipped.connect(self.skip)
        self._bubble = TourCard(stage.appearance, stage.frame, "first", is_bubble=True)
        self._card = TourCard(stage.appearance, stage.frame, "next")
        tour.ended.connect(self._offer_following)
        tour.left.connect(self._end_with_tour)
        call_on(self._place, self._canvas.painted.repainted, self._canvas.viewport.camera_changed, self._canvas.resized)
        stage.frame.installEventFilter(self)

    @property
    def step(self) -> FirstStep | None:
        """The current step; None while there are no first steps."""
        if self._is_touring:
            return FirstStep.LOOK
        if self._session is None:
            return None
        if self._wire is not None and not self._is_broken():
            return FirstStep.MEND
        return FirstStep.UNDERSTAND if self._has_asked else FirstStep.SEE

    def begin(self) -> None:
        """Opens the graph with the broken gradient; does nothing if unsaved changes keep the user here."""
        before = self._canvas.session
        self._open_graph()
        if self._canvas.session is before:
            return
        self._session, self._wire, self._has_asked, self._said = self._canvas.session, None, False, None
        self._stage.settings.set_flag(BEGUN, True)
        self.corner_shown.emit(False)
        # This comes after the page of a newly opened document has been fitted to the window.
        QTimer.singleShot(0, self, self._look_closely)
        self.check()

    def skip(self) -> None:
        """Ends the first steps, without an alarm: what is still broken makes room for the welcome page."""
        if self._canvas.gestures.is_dragging:
            self._canvas.gestures.let_go()
            return
        if self._is_touring:
            self._tour.stop()
            return
        is_broken = self.step in (FirstStep.SEE, FirstStep.UNDERSTAND)
        self._end()
        if is_broken:
            self.welcome_wanted.emit()

    def note_fix(self, _: object = None) -> None:
        """Notes that the fix has been applied: nobody is asked to save a graph of the program's own."""
        if self._session is not None:
            self._session.document.mark_saved()
            self._session.file.saved_changed.emit(True)

    def check(self) -> None:
        """Follows the document: its gradients, the selection, and whether it is still there."""
        if self._session is None:
            return
        if self._canvas.session is not self._session:
            self._end()
            return
        self._wire = self._wire or self._broken_wire()
        self._has_asked = self._has_asked or self._is_explained()
        step = self.step
        if step is None or self._wire is None:
            return
        self._pill.show_step(step)
        if self._is_explained() and step is not FirstStep.MEND:
            self._bubble.hide()
        elif step is not self._said or self._bubble.isHidden():
            self._say(step)
        self._said = step
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Moves pill and bubble along with the canvas."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)

    def _say(self, step: FirstStep) -> None:
        if step is FirstStep.MEND:
            self._bubble.token, said = "ok", tr("Mended: every gradient is finite.")
            answer = (tr("&Look around"), "first_look", self._look_around)
        else:
            self._bubble.token, said = "alarm", tr("This gradient is NaN.")
            answer = (tr("&Find out why"), "first_why", self._find_out)
        self._bubble.say("", said, [answer])
        self._bubble.show()
        self._bubble.take_focus()

    def _find_out(self) -> None:
        if self._session is not None and self._wire is not None:
            self._session.select(Selection(wires=frozenset((self._wire,))))
            self.reasons_wanted.emit()
            self.check()

    def _look_around(self) -> None:
        self._end()
        self._is_touring = True
        self.corner_shown.emit(False)
        self._pill.show_step(FirstStep.LOOK)
        self._tour.start()
        if self._tour.number is None:
            self._end_with_tour()
        self._place()

    def _offer_following(self, _: str) -> None:
        if self._is_touring:
            self._card.say(
                "",
                tr("Next: Eleven zeros. One graph with eleven gradients that are 0, each for another reason."),
                [(tr("&Not now"), "next_later", self._card.hide), (tr("&Open it"), "next_open", self._open_following)],
            )
            self._card.point_at(middle(self._stage))

    def _open_following(self) -> None:
        self._card.hide()
        self._stage.open_example(FOLLOWING)

    def _end_with_tour(self) -> None:
        self._is_touring = False
        self._hide_pill()

    def _end(self) -> None:
        self._session = self._wire = None
        self._bubble.hide()
        self._hide_pill()

    def _hide_pill(self) -> None:
        self._pill.hide()
        self.corner_shown.emit(True)

    # What is shown

    def _broken_wire(self) -> Wire | None:
        session = self._canvas.session
        readings = {wire: session.wire(wire) for wire in session.page.wires.values()}
        return next((wire for wire, item in readings.items() if item and item.status is Status.NONFINITE), None)

    def _is_broken(self) -> bool:
        return self._canvas.session.results is None or self._broken_wire() is not None

    def _is_explained(self) -> bool:
        return self._session is not None and self._wire in self._session.selection.wires

    def _look_closely(self) -> None:
        """Shows the page at 100 % if it has room above the pill, else as large as possible."""
        canvas, page = self._canvas, self._canvas.mirror.block_bounds()
        canvas.viewport.covered = QRect(LEFT, canvas.height() - BOTTOM - PILL, canvas.width() // 2, PILL)
        if page.width() + LEFT <= canvas.width() and page.height() + TOP <= canvas.viewport.covered.top():
            canvas.viewport.look_with(Camera(1.0, LEFT - page.left(), TOP - page.top()))
        else:
            canvas.viewport.fit_page()

    def _place(self, *_: object) -> None:
        if self._pill.isVisible():
            self._pill.fit(round(self._canvas.width() * WIDEST))
            corner = self._canvas.mapTo(self._stage.frame, QPoint(LEFT, self._canvas.height() - BOTTOM))
            self._pill.move(corner - QPoint(0, self._pill.height()))
            self._pill.raise_()
        if self._bubble.isVisible() and self._wire is not None:
            self._bubble.point_at(wires_rect(self._stage, self._shown_wire(self._wire)))
        if self._card.isVisible():
            self._card.point_at(middle(self._stage))

    def _shown_wire(self, wire: Wire) -> Wire:
        """Returns the wire, or the one that leaves its source after a fix stands between."""
        wires = self._canvas.session.page.wires
        return wire if wire in wires.values() else wires.get(wire.target, wire)
