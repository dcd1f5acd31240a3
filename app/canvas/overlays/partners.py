"""The partners on a backward page: a forward block, and the blocks that its gradient rule made."""

from __future__ import annotations

from PySide6.QtCore import QObject

from gradwire.app.base.timers import make_timer
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.overlays.spotlight import Spotlight
from gradwire.engine.explain.backward_page import partners_of
from gradwire.engine.graph.graph import Page

# A pointer that only crosses a block does not mean it.
WAIT_MS = 120


class Partners(QObject):
    """The light on the partners of the block under the pointer, else of the one block that is selected."""

    def __init__(self, canvas: Canvas, spotlight: Spotlight) -> None:
        super().__init__(canvas)
        self._canvas, self._spotlight = canvas, spotlight
        self._pointed: str | None = None
        self._seen: tuple[Page, str | None, str | None] | None = None
        self._lit: frozenset[str] = frozenset()
        self._later = make_timer(self, self._follow, WAIT_MS)
        canvas.painted.repainted.connect(self._follow)
        canvas.mouse.pointed_at.connect(self._point_at)

    def _point_at(self, target: Target) -> None:
        if target.block != self._pointed:
            self._pointed = target.block
            self._later.start()

    def _follow(self) -> None:
        session = self._canvas.session
        chosen = min(session.selection.blocks) if len(session.selection.blocks) == 1 else None
        # A way that the user has asked for is not put out by the pointer.
        pointed = None if self._spotlight.is_asked_for else self._pointed
        if self._later.isActive() or _is_same(self._seen, (session.page, pointed, chosen)):
            return
        self._seen = session.page, pointed, chosen
        lit = _partners(session.page, pointed) or _partners(session.page, chosen)
        if lit != self._lit:
            self._lit = lit
            inner = [wire for wire in session.page.wires.values() if {wire.source.block, wire.target.block} <= lit]
            self._spotlight.show_path([f"{session.prefix}/{name}" for name in lit], map(session.link, inner))


def _is_same(before: tuple[Page, str | None, str | None] | None, now: tuple[Page, str | None, str | None]) -> bool:
    # A page is not compared block by block at every painting.
    return before is not None and before[0] is now[0] and before[1:] == now[1:]


def _partners(page: Page, name: str | None) -> frozenset[str]:
    return partners_of(page, name) if name is not None and name in page.blocks else frozenset()
