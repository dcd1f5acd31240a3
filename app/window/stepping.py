"""Step mode in a window: its commands and keys, the question before an edit, and what is said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMessageBox

from app.canvas.step_marks import StepMarks
from app.live.session import Selection
from app.live.walk import Walk
from app.look.icons import icon_pixmap
from app.navigation import go_to
from app.panels.step_words import spoken
from app.words import tr
from engine.expand import Link
from engine.graph import Port

if TYPE_CHECKING:
    from app.main_window import MainWindow

LENS = "steps"
# What of the page is to be seen around the block whose turn it is. Units: px of the scene.
ROOM = 48.0


class Stepping(QObject):
    """Brings step mode to whatever document a window shows."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._canvas = window, window.canvas
        self._seen: tuple[bool, bool, str] = (False, False, "")
        self._said = ""
        self.marks = StepMarks(window.canvas)
        self.marks.walk_changed.connect(self._follow)
        self.marks.interrupted.connect(self._ask_soon)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._ask)
        window.canvas.key_takers.append(self._press)
        window.canvas.escapes.append(self.leave)

    @property
    def walk(self) -> Walk:
        """The step mode of the document shown."""
        return self._window.session.walk

    def toggle(self, is_forward: bool = False) -> None:
        """Begins in a direction, or leaves if that is under way."""
        if self.walk.is_on and self.walk.is_forward is is_forward:
            self.walk.leave()
        else:
            self.walk.enter(is_forward)

    def step_here(self) -> None:
        """Steps back to what is selected, a block or a wire."""
        session = self._window.session
        chosen = session.selection
        goal: str | Link | None = next((session.port_name(Port(name, "")).path for name in sorted(chosen.blocks)), None)
        goal = goal or next((session.link(wire) for wire in chosen.wires), None)
        if goal is None:
            return
        if not self.walk.is_on or self.walk.is_forward:
            self.walk.enter()
        self.walk.head_for(goal)

    def leave(self) -> bool:
        """Ends step mode; whether it was on."""
        was_on = self.walk.is_on
        self.walk.leave()
        return was_on

    # Keys

    def _press(self, event: QKeyEvent) -> bool:
        """In step mode arrows and Space belong to it first."""
        walk = self.walk
        if not walk.is_on or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or self._canvas.is_dragging:
            return False
        if event.key() == Qt.Key.Key_Right:
            walk.next()
        elif event.key() == Qt.Key.Key_Left:
            walk.back()
        elif event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                walk.play(not walk.is_playing)
        else:
            return False
        return True

    # Following

    def _follow(self) -> None:
        """Shows the block whose turn it is, and says what it does."""
        walk = self.walk
        before, self._seen = self._seen, (walk.is_on, walk.is_forward, walk.path)
        if before[:2] != self._seen[:2]:
            if walk.is_on:
                self._open()
            self._window.refresh()
        if walk.is_on and walk.path and before != self._seen:
            self._bring_in(walk.path)
        sentence = spoken(self._window.session) if walk.is_on else ""
        if sentence and sentence != self._said:
            self._window.live_region.say(sentence)
        self._said = sentence

    def _open(self) -> None:
        """Shows the lens with all steps; the keyboard stays on the canvas."""
        docking = self._window.docking
        docking.docks["problems"].set_folded(False)
        docking.lenses.open(LENS)
        self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _bring_in(self, path: str) -> None:
        session, canvas = self._window.session, self._canvas
        prefix, _, name = path.rpartition("/")
        if prefix != session.prefix:
            go_to(canvas, path)
            session.select(Selection())
        elif name in canvas.mirror.rows:
            canvas.show_rect(QRectF(canvas.mirror.rect(name)).adjusted(-ROOM, -ROOM, ROOM, ROOM))

    # Edits

    def _ask_soon(self) -> None:
        """Asks once what was being done is over: the edit may come from the middle of a drag."""
        self._later.start(0)

    def _ask(self) -> None:
        walk, buttons = self.walk, QMessageBox.StandardButton
        if not walk.is_on or not walk.has_waiting:
            return
        box = QMessageBox(self._window)
        box.setObjectName("leave_steps_dialog")
        color = self._window.appearance.theme.css("accent")
        box.setIconPixmap(icon_pixmap("step-back", color, 32, self._window.devicePixelRatioF()))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Gradwire")
        box.setText(tr("Leave step mode?"))
        box.setInformativeText(tr("Editing is paused in step mode. Yes leaves it and makes the change."))
        box.setStandardButtons(buttons.Yes | buttons.No)
        box.setDefaultButton(buttons.Yes)
        edit = walk.take_waiting()
        self._canvas.let_go()
        is_wanted = box.exec() == buttons.Yes
        box.deleteLater()
        if is_wanted and edit is not None:
            walk.leave()
            edit()
