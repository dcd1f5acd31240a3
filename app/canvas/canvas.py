"""The canvas: the widget that shows a page, and hands Qt's events to its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTouchEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.geometry.view.viewport import Viewport
from gradwire.app.canvas.input.controls import Controls
from gradwire.app.canvas.input.gesture_course import GestureCourse
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.app.canvas.input.key_presses import KeyPresses
from gradwire.app.canvas.input.keyboard import Keyboard
from gradwire.app.canvas.input.mouse import Mouse
from gradwire.app.canvas.input.page_actions import PageActions
from gradwire.app.canvas.input.touch import Touch
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.page_look import PageLook, Scene
from gradwire.app.canvas.painting.page_updates import PageUpdates
from gradwire.app.canvas.painting.painted_page import PaintedPage
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import named
from gradwire.engine.graph.graph import Port


class Canvas(QWidget):
    """The page of a session, which the user changes by mouse, fingers and keys.

    `said(str)` carries the reason why a wire does not fit, "" when it does, and `resized()` comes with a new size.
    `overlays` draw above the page. `glide` lets blocks glide from where they were before an edit that is shown already.
    The parts do the work: `viewport` has the camera, `page_look` decides how the page is drawn, `painted` keeps the
    painted page, `gestures` carries out drags, `page_actions` opens and edits what is at a point, and `mouse`, `keys`
    and `keyboard` take the events of their devices.
    """

    said = Signal(str)
    resized = Signal()
    # Events come already while the widget is being made.
    _touch: Touch | None = None

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.current = current
        self.overlays: list[Callable[[QPainter, Look], None]] = []
        self.glide: Callable[[Mapping[str, tuple[float, float]]], None] = lambda _: None
        self.page = ShownPage(current.session, appearance.has_curves)
        self.viewport = Viewport(self, self.page)
        self.page_look = PageLook(appearance, self.page, self.viewport)
        self.gestures: GestureCourse = GestureCourse(self, self, self.viewport, self.page_look)
        self.page_actions: PageActions = PageActions(self, self, self.page, self.viewport)
        scene = Scene(self, self.page, self.viewport, self.page_look)
        self.painted = PaintedPage(scene, self.gestures.hidden)
        # Never its own methods: PySide adds a method that is connected to the meta-object of the canvas, and for a new
        # meta-object Qt makes another accessible object, of which one outlives the other.
        # First: a gesture on one page must not end on another.
        call_on(self.gestures.let_go, current.changed, current.page_changed)
        current.changed.connect(self.page_actions.field.close_without_edit)
        self._updates = PageUpdates(scene, current, self.painted)
        self.gestures.ended.connect(self.painted.repaint)
        controls = Controls(self, self, self.page, self.viewport, self.page_look, self.gestures, self.page_actions)
        self.keyboard = Keyboard(controls)
        self.keys = KeyPresses(controls, self.keyboard)
        self.mouse = Mouse(controls, self.keys)
        self._touch = Touch(controls)
        self._updates.begin(current.session)
        current.changed.connect(self.viewport.fit_page)
        # Last: setting its name lets Qt ask for the accessible tree of the canvas.
        named(self, "canvas", says=tr("Canvas"), focus=Qt.FocusPolicy.StrongFocus).setMinimumSize(200, 120)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)

    # The host of gestures

    @property
    def session(self) -> Session:
        """The document that is shown."""
        return self.page.session

    @property
    def mirror(self) -> Mirror:
        """The arrays of the page that is shown."""
        return self.page.mirror

    @property
    def camera(self) -> Camera:
        """The camera through which the page is seen."""
        return self.viewport.camera

    @property
    def pointer(self) -> Pointer:
        """The newest place of the pointer."""
        return self.gestures.pointer

    def say(self, reason: str) -> None:
        """Tells the user why a wire does not fit; "" when it does."""
        self.said.emit(reason)

    def request_search(self, scene: QPointF, *ends: Port, are_outputs: bool = True, is_beside: bool = False) -> None:
        """Asks for the search popup at a point of the scene, for a block that is joined to some ports."""
        self.page_actions.request_search(scene, *ends, are_outputs=are_outputs, is_beside=is_beside)

    # Qt's events

    def paintEvent(self, event: QPaintEvent) -> None:
        """Shows the painted page and draws above it what moves."""
        with QPainter(self) as painter:
            self.painted.show(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setTransform(self.camera.transform())
            look = self.page_look.now()
            if self.gestures.is_dragging:
                self.painted.draw_hidden(painter, look)
                self.gestures.paint(painter, look)
            for draw in self.overlays:
                draw(painter, look)
            self.keyboard.paint(painter, look)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits the page when the widget gets its first size."""
        self.viewport.fit_first()
        self.painted.repaint()
        self.resized.emit()

    def event(self, event: QEvent) -> bool:
        """Takes fingers and gestures of trackpads."""
        return self._takes(event) or super().event(event)

    def _takes(self, event: QEvent) -> bool:
        if self._touch is None:
            return False
        if isinstance(event, QTouchEvent):
            return self._touch.takes(event)
        if isinstance(event, QNativeGestureEvent):
            return self.mouse.takes_native(event)
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            # Letters are shortcuts, except for a wire that looks for the block of that name, and in a talk.
            is_letter = self.keys.holds_letters and event.text().isprintable() and bool(event.text())
            event.setAccepted(is_letter or self.keyboard.takes_text(event))
            return event.isAccepted()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Hands a press to the mouse, which hides the ring of the keyboard."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.keyboard.show(False)
        self.mouse.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hands a move to the mouse."""
        self.mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Hands a release to the mouse."""
        self.mouse.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Hands a double click to the mouse; on a port or a slider it is one more press."""
        if self.mouse.double_click(event):
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Hands the wheel to the mouse."""
        self.mouse.wheel(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Tells the mouse that the pointer has come."""
        self.mouse.enter(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Tells the mouse that the pointer is gone."""
        self.mouse.leave()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Shows where the keyboard is when it has come by a key."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.keyboard.show(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Lets go of all keys that are held."""
        self.keys.leave()
        super().focusOutEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Opens the menu at the keyboard by the key for menus; a click of the mouse does so by its release."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            self.keyboard.open_menu()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hands a key to the parts that take keys; other keys belong to the actions."""
        if not self.keys.press(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Hands the release of a key to the parts that take keys."""
        self.keys.release(event)
        super().keyReleaseEvent(event)

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Keeps Tab for the search for blocks; F6 goes to the next widget."""
        return False
