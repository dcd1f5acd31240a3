"""What belongs together on a backward page: a forward block, and the blocks that its gradient rule made."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.canvas.canvas import Canvas
from app.canvas.spotlight import Spotlight
from app.live.session import Selection
from engine.backward_page import partners_of


class Partners(QObject):
    """Lights the partners of the one block that is selected."""

    def __init__(self, canvas: Canvas, spotlight: Spotlight) -> None:
        super().__init__(canvas)
        self._canvas, self._spotlight = canvas, spotlight
        self._seen = Selection()
        canvas.repainted.connect(self._follow)

    def _follow(self) -> None:
        session = self._canvas.session
        chosen, before = session.selection, self._seen
        if chosen == before:
            return
        self._seen = chosen
        lit = partners_of(session.page, min(chosen.blocks)) if len(chosen.blocks) == 1 else frozenset()
        was_lit = len(before.blocks) == 1 and min(before.blocks) in session.page.blocks
        if lit or (was_lit and partners_of(session.page, min(before.blocks))):
            inner = [wire for wire in session.page.wires.values() if {wire.source.block, wire.target.block} <= lit]
            self._spotlight.show_path([f"{session.prefix}/{name}" for name in lit], map(session.link, inner))
