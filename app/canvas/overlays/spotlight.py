"""The light on the ways through what was chosen; everything else on the page is dimmed."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject

from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.overlays.graph_paths import PathKind, ends_of, items_on_paths
from gradwire.app.live.session import Selection, Session
from gradwire.engine.autodiff.expand import Link

_ORDER = (PathKind.TO_LOSS, PathKind.FROM_INPUTS, PathKind.BOTH)


class Spotlight(QObject):
    """The light on paths of a canvas, which follows the graph while it changes. Escape puts it out."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._session: Session | None = None
        self._page = ""
        self._start, self._kind = Selection(), PathKind.TO_LOSS
        canvas.keys.escapes.append(self.put_out)
        canvas.mouse.paths_requested.connect(self.show_paths)
        canvas.painted.repainted.connect(self._follow)

    @property
    def is_on(self) -> bool:
        """Whether something is dimmed."""
        return self._canvas.page_look.lit is not None

    @property
    def is_asked_for(self) -> bool:
        """Whether a way is lit that the user has asked for by itself."""
        return self.is_on and self._kind in _ORDER

    def show_next_paths(self) -> None:
        """Shows the ways through the selection: to the loss, from the inputs, both, and then no more."""
        chosen = self._canvas.session.selection
        if self.is_asked_for and chosen in (self._start, Selection()):
            at = _ORDER.index(self._kind) + 1
            if at == len(_ORDER):
                self.put_out()
            else:
                self._show(self._start, _ORDER[at])
        elif chosen.blocks or chosen.wires:
            self._show(chosen, PathKind.TO_LOSS)
        else:
            self._canvas.say(tr("Select a block or a wire to see its path to the loss."))

    def show_paths(self, start: Selection) -> None:
        """Shows the ways through something; the next of them where they are shown already."""
        is_next = self.is_asked_for and start == self._start
        self._show(start, _ORDER[(_ORDER.index(self._kind) + 1) % 3] if is_next else _ORDER[0])

    def show_path(self, blocks: Iterable[str], links: Iterable[Link]) -> None:
        """Lights one path, as far as it runs on the page shown; nothing to light puts out the path lit before."""
        session = self._canvas.session
        ids = {path.rpartition("/")[2] for path in blocks if path.rpartition("/")[0] == session.prefix}
        wanted = set(links)
        wires = frozenset(wire for wire in session.page.wires.values() if session.link(wire) in wanted)
        start = Selection(frozenset(ids & session.page.blocks.keys()), wires)
        if start:
            self._light(start, PathKind.ALONE)
        elif self.is_on and self._kind is PathKind.ALONE:
            self.put_out()

    def put_out(self) -> bool:
        """Dims nothing any more; whether something was."""
        was_on = self.is_on
        self._start = Selection()
        self._canvas.page_look.set_lit(None)
        if was_on:
            self._canvas.say("")
        return was_on

    def _show(self, start: Selection, way: PathKind) -> None:
        self._light(start, way)
        self._canvas.say(self._sentence())

    def _light(self, start: Selection, way: PathKind) -> None:
        session = self._canvas.session
        self._session, self._page = session, session.page_name
        self._start, self._kind = start, way
        self._canvas.page_look.set_lit(items_on_paths(session.graph, session.page, start, way))

    def _follow(self) -> None:
        """Takes over another graph or page."""
        if not self.is_on:
            return
        session, page = self._canvas.session, self._canvas.session.page
        blocks = frozenset(self._start.blocks & page.blocks.keys())
        start = Selection(blocks, self._start.wires & frozenset(page.wires.values()))
        if session is not self._session or session.page_name != self._page or not start:
            self.put_out()
        else:
            self._light(start, self._kind)

    def _sentence(self) -> str:
        session, names = self._canvas.session, sorted(self._start.blocks)
        what = names[0] if len(names) == 1 and not self._start.wires else tr("the selection")
        if not names and len(self._start.wires) == 1:
            (wire,) = self._start.wires
            what = f"{wire.source} → {wire.target}"
        if self._kind is PathKind.FROM_INPUTS:
            return tr("The paths from the inputs to {what}. P: both directions. Escape ends.", what=what)
        if self._kind is PathKind.BOTH:
            return tr("All paths through {what}. P or Escape ends.", what=what)
        lit = self._canvas.page_look.lit or Selection()
        ends = set(ends_of(session.graph, session.page)) & lit.blocks
        if not ends:
            return tr("No path leads from {what} to the loss. P: from the inputs. Escape ends.", what=what)
        return tr("The paths from {what} to the loss. P: from the inputs. Escape ends.", what=what)
