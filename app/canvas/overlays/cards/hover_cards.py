"""Shows hover cards over a canvas: after a moment, live while values change, pinned by a click."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF
from PySide6.QtWidgets import QApplication

from gradwire.app.base.timers import make_timer
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.geometry.view.extent import extent
from gradwire.app.canvas.overlays.cards.card import Card
from gradwire.app.canvas.overlays.cards.card_facts import facts_of
from gradwire.app.canvas.overlays.cards.card_place import obstacles, place
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance

WAIT_MS, LEAVE_MS = 350, 400


@dataclass(eq=False)
class _Open:
    """A card with what it speaks of, where on the page that was pointed at, and on which page."""

    card: Card
    target: Target
    at: QPointF
    session: Session
    prefix: str


class HoverCards(QObject):
    """At most one card that comes and goes, and the pinned ones."""

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        super().__init__(canvas)
        self._canvas, self._appearance = canvas, appearance
        self._shown: list[_Open] = []
        self._waiting = Target()
        self._wait = make_timer(self, self._open_waiting, WAIT_MS)
        self._leave = make_timer(self, self.close_passing, LEAVE_MS)
        canvas.mouse.pointed_at.connect(self._point_at)
        canvas.gestures.active_changed.connect(self._set_active)
        canvas.painted.repainted.connect(self._refresh)
        canvas.viewport.camera_changed.connect(self._follow_camera)
        canvas.keys.escapes.append(self.close_one)

    @property
    def cards(self) -> list[Card]:
        """All cards that are open, the oldest first."""
        return [item.card for item in self._shown]

    def show_selection(self) -> None:
        """Opens the card of what is selected; pins it if it is open already."""
        chosen = self._canvas.session.selection
        if chosen.wires:
            target = Target(wire=min(chosen.wires))
        elif chosen.blocks:
            target = Target(block=min(chosen.blocks))
        else:
            return
        passing = self._passing()
        if passing is not None and passing.target == target:
            passing.card.pin()
            return
        self._open(target, extent(self._canvas.mirror, target.selection()).center())

    def close_one(self) -> bool:
        """Closes the newest card; whether there was one to see."""
        seen = [item for item in self._shown if item.card.isVisible()]
        if seen:
            self._close(seen[-1])
        return bool(seen)

    def close_passing(self) -> None:
        """Closes the card that is not pinned."""
        passing = self._passing()
        if passing is not None:
            self._close(passing)

    # The pointer

    def _point_at(self, target: Target) -> None:
        target = Target(target.port, None, target.block, wire=target.wire)
        if target == self._waiting and self._wait.isActive():
            return
        self._waiting = target
        passing = self._passing()
        if passing is not None and passing.target == target:
            self._leave.stop()
            self._wait.stop()
            return
        if passing is not None and not self._leave.isActive():
            # Time to go over to the card and read it, or click it.
            self._leave.start()
        if target == Target() or any(item.target == target for item in self._shown):
            self._wait.stop()
        else:
            self._wait.start()

    def _open_waiting(self) -> None:
        if not self._canvas.gestures.is_dragging and QApplication.activePopupWidget() is None:
            self._open(self._waiting, self._canvas.pointer.scene)

    def _set_active(self, is_dragging: bool) -> None:
        self._wait.stop()
        self.close_passing()

    # Opening and closing

    def _passing(self) -> _Open | None:
        return next((item for item in self._shown if not item.card.is_pinned), None)

    def _open(self, target: Target, at: QPointF) -> None:
        facts = facts_of(self._canvas.mirror, target)
        if facts is None:
            return
        self.close_passing()
        self._leave.stop()
        session = self._canvas.session
        opened = _Open(Card(self._appearance, self._canvas), target, at, session, session.prefix)
        opened.card.closed.connect(self._close_sender)
        opened.card.touched.connect(self._touch)
        opened.card.show_facts(facts)
        self._shown.append(opened)
        self._place(opened)
        opened.card.show()

    def _close_sender(self) -> None:
        sender = self.sender()
        for item in [item for item in self._shown if item.card is sender]:
            self._close(item)

    def _touch(self, has_come: bool) -> None:
        self._wait.stop()
        if has_come:
            self._leave.stop()
        else:
            self._leave.start()

    def _close(self, item: _Open) -> None:
        self._shown.remove(item)
        item.card.hide()
        item.card.deleteLater()

    # Keeping up

    def _refresh(self) -> None:
        """Takes over new values, another graph, another page or another document."""
        session = self._canvas.session
        for item in list(self._shown):
            if item.session is not session:
                self._close(item)
                continue
            is_here = item.prefix == session.prefix
            facts = facts_of(self._canvas.mirror, item.target) if is_here else item.card.facts
            if facts is None:
                self._close(item)
                continue
            size = item.card.size()
            item.card.show_facts(facts)
            item.card.setVisible(is_here)
            if item.card.size() != size:
                self._place(item)

    def _follow_camera(self) -> None:
        self.close_passing()
        for item in self._shown:
            if item.prefix == self._canvas.session.prefix and facts_of(self._canvas.mirror, item.target) is not None:
                self._place(item)

    def _place(self, item: _Open) -> None:
        canvas = self._canvas
        others = [[QRectF(other.card.geometry()).getCoords()] for other in self._shown if other is not item]
        taken = np.concatenate([obstacles(canvas.mirror, item.target, canvas.camera), *others])
        anchor = canvas.camera.to_view(item.at)
        item.card.move(place(QSizeF(item.card.size()), anchor, QSizeF(canvas.size()), taken))
