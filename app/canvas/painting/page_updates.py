"""The changes of a session, carried over to the arrays of its page and to the painted page."""

from __future__ import annotations

import copy

from PySide6.QtCore import QObject

from gradwire.app.canvas.geometry.folded_page import Opened
from gradwire.app.canvas.geometry.geometry_before import moved_rows
from gradwire.app.canvas.painting.blocks.slice_maps import SliceMaps
from gradwire.app.canvas.painting.monitors.monitors import Monitors
from gradwire.app.canvas.painting.page_look import Scene
from gradwire.app.canvas.painting.painted_page import PaintedPage
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.engine.graph.graph import Graph


class PageUpdates(QObject):
    """The link from a session to its painted page, which repaints no more than each change concerns."""

    def __init__(self, scene: Scene, current: CurrentSession, painted: PaintedPage) -> None:
        super().__init__(scene.widget)
        _, self._page, self._viewport, self._look = scene
        self._painted = painted
        scene.look.appearance.changed.connect(self._restyle)
        current.changed.connect(self.begin)
        current.graph_changed.connect(self._graph_changed)
        current.results_changed.connect(self._results_changed)
        current.selection_changed.connect(self._selection_changed)
        current.page_changed.connect(self._page_changed)
        current.mode_changed.connect(painted.repaint)
        current.busy_changed.connect(self._busy_changed)
        current.of(Opened).changed.connect(self._show_folds)
        current.of(SliceMaps).changed.connect(self._repaint_block)
        current.of(Monitors).changed.connect(self._repaint_block)

    def begin(self, session: Session) -> None:
        """Shows another session."""
        self._page.show(session, self._look.appearance.has_curves)
        self._painted.begin_document()
        self._viewport.begin_document()
        self._page.mirror.rebuild()
        self._painted.repaint()

    def _graph_changed(self, old: Graph, new: Graph) -> None:
        page, mirror, painted = self._page, self._page.mirror, self._painted
        # An edit changes no array in place.
        name, before = page.session.page_name, copy.copy(mirror)
        is_painted = mirror.geometry == painted.state.geometry and not painted.hidden
        mirror.update(old, new)
        moved = moved_rows(before, mirror) if is_painted else None
        # Only a page that was there before stands in comparable arrays.
        if moved is None or not _has_same_notes(old, new, name):
            painted.repaint()
        elif any(map(len, moved)) or not page.session.runs.is_live:
            painted.repaint_moved(before.areas(*moved, self._viewport.seen), *moved)
        else:
            painted.repaint_numbers()

    def _results_changed(self, _: Results) -> None:
        mirror = self._page.mirror
        mirror.refresh_shapes()
        mirror.read_results()
        self._show_results()

    def _show_results(self) -> None:
        mirror, painted = self._page.mirror, self._painted
        is_same = mirror.geometry == painted.state.geometry and mirror.range == painted.state.range
        if is_same and painted.is_current:
            painted.repaint_rows([], [])
        else:
            painted.repaint()

    def _selection_changed(self, selection: Selection) -> None:
        hidden = self._page.mirror.hidden_of(selection)
        if hidden:
            self._page.session.part(Opened).open(hidden)
        painted, look = self._painted, self._painted.state.look
        change = (look.selection if look is not None else Selection()) ^ selection
        if change.frames or change.notes or not painted.is_current:
            painted.repaint()
            return
        rows, wires = self._page.mirror.rows, self._page.mirror.wire_rows
        blocks = [rows[name] for name in change.blocks if name in rows]
        painted.repaint_rows(blocks, [wires[item] for item in change.wires if item in wires])

    def _busy_changed(self, _: bool) -> None:
        if not self._painted.is_current:
            self._painted.repaint()

    def _page_changed(self, name: str) -> None:
        mirror = self._page.mirror
        if mirror.page is self._page.session.page:
            mirror.show_other_use()
            self._show_results()
            return
        self._look.forget_hovered()
        mirror.rebuild()
        self._painted.repaint()
        self._viewport.show_page(name)

    def _show_folds(self) -> None:
        """Shows other layers as one block, and all that stands on the page then."""
        self._look.forget_hovered()
        self._page.mirror.rebuild()
        self._painted.repaint()
        self._viewport.fly_to(self._viewport.page_camera())

    def _repaint_block(self, path: str) -> None:
        """Paints a block anew that shows another slice or picture."""
        prefix, _, name = path.rpartition("/")
        mirror = self._page.mirror
        row = mirror.rows.get(name) if prefix == self._page.session.prefix else None
        if row is None:
            return
        mirror.stamp(row)
        if self._painted.is_current:
            self._painted.repaint_rows([row], [])
        else:
            self._painted.repaint()

    def _restyle(self, _: object) -> None:
        self._page.mirror.set_curved(self._look.appearance.has_curves)
        self._painted.repaint()


def _has_same_notes(old: Graph, new: Graph, name: str) -> bool:
    """Returns whether a page has the notes, frames and loss that it had."""
    before, after = old.page(name), new.page(name)
    return before.frames == after.frames and before.notes == after.notes and old.loss == new.loss
