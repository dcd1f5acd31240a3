"""The inspector over the canvas: it opens with a selection, and the page gives way to it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.inspection import CLOSE
from gradwire.app.live.current_session import SessionView
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import make_column, make_tool, named

# Units: px at texts of 100 %.
WIDTH, GAP = 286, 8
# Above and below the inspector, where the corners of the card are round.
ROUND = 6
# The button stands in the head of the inspector, left of its scroll bar.
TOP, RIGHT = 12, 12


class InspectorOverlay(SessionView, QWidget):
    """A card at the right side of the canvas, as high as its content, from behind which the page moves.

    `held` is the inspector. `moved()` comes when the card opens or closes; the user closes it by its button or
    Escape.
    """

    moved = Signal()

    def __init__(self, held: Inspector, canvas: Canvas, look: Appearance, over: QWidget) -> None:
        """`over` is the widget that holds the canvas."""
        super().__init__(over)
        self._held, self._canvas, self._over, self.current = held, canvas, over, canvas.current
        self._is_allowed = self._is_open = False
        named(self, "inspector_overlay", says=tr("Card"), filled=True, width=WIDTH)
        close, size = tr("Close the card (Esc)"), (CLOSE, CLOSE)
        self._close = make_tool(self.close_by_user, self, name="leave_inspector", words=close, size=size)
        themed(self._close, look, "close")
        make_column((held, 1), inside=self, margins=(1, ROUND, 1, ROUND), spacing=0)
        held.fitted.connect(self._fit)
        self._close.raise_()
        # The size of the canvas changes in several steps, and a press that selects may begin a drag.
        self._later = make_timer(self, self.follow)
        canvas.resized.connect(self._later.start)
        canvas.gestures.active_changed.connect(self._take_gesture)
        canvas.keys.escapes.append(self._take_escape)
        self.current.changed.connect(self._begin_document)
        self.current.selection_changed.connect(self._take_selection)
        self.hide()

    def set_allowed(self, is_allowed: bool) -> None:
        """Lets the column be seen, or hides it."""
        self._is_allowed = is_allowed
        self.follow()

    def open(self) -> None:
        """Opens the column, also without a selection, for the page."""
        self._is_open = True
        self.follow()

    def close_by_user(self) -> None:
        """Closes the column until something else is selected; the keyboard returns to the canvas."""
        self._is_open = False
        self.follow()
        self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Closes the column by Escape, if no field in it has used the key."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_by_user()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the button in the corner of the head."""
        super().resizeEvent(event)
        self._close.move(self.width() - RIGHT - self._close.width(), TOP)

    def follow(self) -> None:
        """Shows the column where it belongs, or hides it."""
        is_shown = self._is_allowed and self._is_open and not self._canvas.gestures.is_dragging
        if is_shown:
            self._place()
            self.raise_()
        self._canvas.viewport.beside.setRight(self.width() + GAP if is_shown else 0)
        if is_shown or not self.isHidden():
            self.setVisible(is_shown)
            self.moved.emit()

    # Following the session

    def _begin_document(self, *_: object) -> None:
        self._is_open = False
        self.follow()

    def _take_selection(self, *_: object) -> None:
        chosen = self.session.selection
        # Of notes the inspector knows nothing that they do not say themselves. What an edit makes opens nothing.
        is_there = chosen != Selection(notes=chosen.notes)
        self._is_open = is_there and (self._is_open or not self.session.view.is_made)
        self.follow()

    def _take_gesture(self, is_active: bool) -> None:
        if not is_active:
            self.follow()

    def _take_escape(self) -> bool:
        """Closes the column that shows the page; with a selection Escape clears that, which closes it too."""
        if self.isHidden() or self.session.selection != Selection():
            return False
        self.close_by_user()
        return True

    # Its place

    def _place(self) -> None:
        room = self._canvas.rect().translated(self._canvas.mapTo(self._over, QPoint()))
        most = room.height() - 2 * GAP
        needed = self._held.content_height(self.width() - 2) + 2 * ROUND
        self._held.let_scroll(needed > most)
        height = min(needed, most)
        self.setGeometry(room.right() + 1 - GAP - self.width(), room.top() + GAP, self.width(), height)

    def _fit(self) -> None:
        if self.isVisible():
            self._place()
