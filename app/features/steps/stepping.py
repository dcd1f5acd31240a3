"""Step mode in a window: its commands and keys, the question before an edit, and its announcements."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMessageBox

from gradwire.app.base.signals import call_on
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr
from gradwire.app.canvas.access.live_region import LiveRegion
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.input.navigation import go_to
from gradwire.app.features.steps.step_marks import StepMarks
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_texts import spoken
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon_pixmap
from gradwire.app.look.widgets import named

# The part of the page that stays visible around the block of the current step. Units: px of the scene.
ROOM = 48.0


class Stepping(QObject):
    """Brings step mode to whatever document a canvas shows.

    `mode_changed(bool)` comes when it begins, turns or ends, with whether it is on.
    """

    mode_changed = Signal(bool)

    def __init__(self, canvas: Canvas, appearance: Appearance, live_region: LiveRegion) -> None:
        super().__init__(canvas)
        self._canvas, self._appearance, self._live_region = canvas, appearance, live_region
        self._seen: tuple[bool, bool, str] = (False, False, "")
        self._said = ""
        self.marks = StepMarks(canvas)
        # After the marks, which place the current block in the mirror.
        call_on(self._show, canvas.current.changed, canvas.current.of(StepMode).changed, canvas.current.page_changed)
        # Asked after the current event: the edit may come from the middle of a drag.
        self._later = make_timer(self, self._ask)
        canvas.current.of(StepMode).interrupted.connect(self._later.start)
        canvas.keys.key_takers.append(self._press)
        canvas.keys.escapes.append(self._escape)

    @property
    def steps(self) -> StepMode:
        """The step mode of the document shown."""
        return self._canvas.session.part(StepMode)

    def leave(self) -> bool:
        """Leaves step mode and returns whether it was on."""
        was_on = self.steps.is_on
        self.steps.leave()
        return was_on

    def _escape(self) -> bool:
        """Leaves step mode, once the card of what is selected is closed; returns whether it did."""
        return not self._canvas.session.selection and self.leave()

    def _press(self, event: QKeyEvent) -> bool:
        """Handles arrows and Space in step mode, before other handlers; the right arrow goes on in both directions."""
        steps, other_keys = self.steps, event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        moves: dict[int, Callable[[], None]] = {
            Qt.Key.Key_Right: steps.next, Qt.Key.Key_Left: steps.back, Qt.Key.Key_Space: steps.next,
        }  # fmt: skip
        move = moves.get(event.key())
        if move is None or not steps.is_on or other_keys or self._canvas.gestures.is_dragging:
            return False
        if event.key() != Qt.Key.Key_Space or not event.isAutoRepeat():
            move()
        return True

    # Showing

    def _show(self) -> None:
        """Shows the block of the current step, and says what it does."""
        steps = self.steps
        before, self._seen = self._seen, (steps.is_on, steps.is_forward, steps.path)
        if before[:2] != self._seen[:2]:
            self.mode_changed.emit(steps.is_on)
            if steps.is_on:
                # The lens with all steps is shown; the keyboard stays on the canvas.
                self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        if steps.is_on and steps.path and before != self._seen:
            self._bring_in(steps.path)
        sentence = spoken(self._canvas.session) if steps.is_on else ""
        if sentence and sentence != self._said:
            self._live_region.say(sentence)
        self._said = sentence

    def _bring_in(self, path: str) -> None:
        session, canvas = self._canvas.session, self._canvas
        prefix, _, name = path.rpartition("/")
        if prefix != session.prefix:
            go_to(canvas, path)
            session.select(Selection())
        elif name in canvas.mirror.rows and not canvas.viewport.room.contains(area := canvas.mirror.rect(name)):
            canvas.viewport.show_rect(area.adjusted(-ROOM, -ROOM, ROOM, ROOM), is_unasked=True)

    def _ask(self) -> None:
        steps, buttons = self.steps, QMessageBox.StandardButton
        if not steps.is_on or steps.held is None:
            return
        box = named(QMessageBox(self._canvas.window()), "leave_steps_dialog")
        color = self._appearance.theme.css("accent")
        box.setIconPixmap(icon_pixmap("step-back", color, 32, self._canvas.devicePixelRatioF()))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Gradwire")
        box.setText(tr("Leave step mode?"))
        box.setInformativeText(tr("Step mode pauses editing. Yes leaves step mode and makes the change."))
        box.setStandardButtons(buttons.Yes | buttons.No)
        box.setDefaultButton(buttons.Yes)
        edit, steps.held = steps.held, None
        self._canvas.gestures.let_go()
        is_wanted = box.exec() == buttons.Yes
        box.deleteLater()
        if is_wanted:
            steps.leave()
            edit()
