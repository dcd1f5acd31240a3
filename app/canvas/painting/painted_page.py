"""The painted page of a canvas, and the parts of it that are to be repainted."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QRect, QRectF, Signal
from PySide6.QtGui import QPainter, QRegion

from gradwire.app.base.timers import make_timer
from gradwire.app.canvas.geometry.annotation_places import STILL, Shift
from gradwire.app.canvas.geometry.routing import Points, Rows
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.geometry.view.extent import hover_area
from gradwire.app.canvas.painting.cache.base_layer import BaseLayer
from gradwire.app.canvas.painting.cache.sprites import Sprites
from gradwire.app.canvas.painting.empty import draw_empty
from gradwire.app.canvas.painting.grid import draw_grid
from gradwire.app.canvas.painting.labels.labels import Placed
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.page_look import Scene
from gradwire.app.canvas.painting.page_painter import PagePainter, Part
from gradwire.engine.graph.graph import Wire

# Numbers that were edited wait so long for those that follow from them: one frame shows all. Units: ms.
NUMBERS_WAIT = 12
# One frame looks so long for places of labels that stood nowhere; the rest follows with the next ones. Units: s.
LABELS_SECONDS = 0.01


@dataclass(frozen=True)
class PaintedState:
    """The look and the state of the arrays from which the page was painted."""

    look: Look | None = None
    tick: int = 0
    range: tuple[float, float] = (0.0, 0.0)
    geometry: int = 0


class PaintedPage(QObject):
    """The page as a pixmap, of which no more is painted anew than looks otherwise than in the `state` painted last.

    `repainted()` comes when something looks otherwise from the next frame on. `hidden` returns the blocks that a
    gesture draws itself. `search_key` is the key that the words on an empty page name.
    """

    repainted = Signal()

    def __init__(self, scene: Scene, hidden: Callable[[], frozenset[str]]) -> None:
        super().__init__(scene.widget)
        (self._widget, self._page, self._viewport, self._look), self._hidden = scene, hidden
        self.search_key = "Tab"
        self._painter = PagePainter(scene.page.mirror)
        self._base = BaseLayer(self._paint_part)
        self._refining = make_timer(self, scene.widget.update)
        self.state = PaintedState()
        # The areas of the scene that are still to be painted anew; None where nothing has changed.
        self._unpainted: Points | None = None
        self._waiting = make_timer(self, self._show_numbers)
        self._placing = make_timer(self, self._place_more)
        # The labels in view, while a part of the page is painted for which they have been placed.
        self._labels: dict[int, Placed] | None = None
        self.hidden: frozenset[str] = frozenset()
        scene.viewport.panned.connect(self._scroll)
        scene.look.changed.connect(self.repaint)
        scene.look.hover_changed.connect(self._show_hovered)

    # The painted page

    @property
    def is_crisp(self) -> bool:
        """Whether the page is painted for the zoom at which it is seen."""
        return self._base.fits(self._viewport.camera)

    @property
    def is_current(self) -> bool:
        """Whether the page is painted, and looks as it would now but for its selection and its values."""
        return self._was_painted_with(self._look.now())

    def _was_painted_with(self, look: Look) -> bool:
        painted = self.state.look
        return (
            painted is not None
            and self._base.fits(self._viewport.camera)
            and dataclasses.replace(painted, selection=look.selection) == look
        )

    # Painting anew

    def begin_document(self) -> None:
        """Paints the page of another session from now on."""
        sprites, self._painter = self._painter.sprites, PagePainter(self._page.mirror)
        if sprites is not None:
            sprites.begin_document()
            self._painter.sprites = sprites
        self._page.mirror.label_at = self._painter.labels.wire_at

    def repaint(self) -> None:
        """Paints the whole page anew at the next frame."""
        self._waiting.stop()
        self._unpainted = None
        self._base.discard()
        self._widget.update()
        self.repainted.emit()

    def repaint_rows(self, blocks: Rows | list[int], wires: Rows | list[int]) -> None:
        """Paints some blocks and wires anew at the next frame, and all that shows something else than when painted."""
        self._owe_changes(blocks, wires)
        self.state = dataclasses.replace(self.state, look=self._look.now())
        self._show_numbers()

    def repaint_numbers(self) -> None:
        """Paints anew what shows other numbers, with the results of the edit if they come soon."""
        self._owe_changes([], [])
        self._waiting.start(NUMBERS_WAIT)

    def repaint_moved(self, left: Points, blocks: Rows, wires: Rows) -> None:
        """Paints anew, at the next frame, the areas that were left, and all that has moved or shows something else."""
        self._owe(left)
        self._owe_changes(blocks, wires)
        self.state = dataclasses.replace(self.state, geometry=self._page.mirror.geometry)
        self._widget.update()
        self.repainted.emit()

    def show_moved(self, blocks: frozenset[str], dx: float, dy: float, shift: Shift = STILL) -> None:
        """Shows blocks, and all that is shifted with them, elsewhere while they are dragged."""
        has_changed = self._page.mirror.moved(blocks, dx, dy, shift)
        # The page without them is painted when the drag starts and again when it ends.
        if blocks != self.hidden or not blocks or has_changed:
            self._base.discard()
        self._widget.update()

    def _show_hovered(self, before: Target, now: Target) -> None:
        """Paints anew only the part of the page that looks otherwise under the pointer."""
        look = self._look.now()
        was_painted = self._was_painted_with(dataclasses.replace(look, hovered=before))
        areas = [hover_area(self._page.mirror, item) for item in (before, now)]
        region = self._in_view(np.array([area.getCoords() for area in areas if not area.isNull()]).reshape(-1, 4))
        if not self.is_crisp:
            return
        if was_painted:
            self.state = dataclasses.replace(self.state, look=look)
        if not region.isEmpty():
            self._base.paint(region)
            self._widget.update(region)

    def _scroll(self, before: Camera, across: int, down: int) -> None:
        """Scrolls the painted page, and paints only the strips that appear."""
        if self._base.fits(before):
            strips = self._base.scroll(self._viewport.camera, across, down)
            self._paint_base(strips + self._settled())

    def _owe_changes(self, blocks: Rows | list[int], wires: Rows | list[int]) -> None:
        """Owes some blocks and wires, and all that has changed: what is passed over now would never be painted."""
        mirror, seen = self._page.mirror, self._viewport.seen
        changed = mirror.changed_since(self.state.tick, seen)
        blocks, wires = (
            np.append(rows, np.array(more, np.int64)) for rows, more in zip(changed, (blocks, wires), strict=True)
        )
        self._owe(mirror.areas(blocks, wires, seen))
        self.state = dataclasses.replace(self.state, tick=mirror.tick)

    def _owe(self, areas: Points) -> None:
        self._unpainted = areas if self._unpainted is None else np.concatenate([self._unpainted, areas])

    def _show_numbers(self) -> None:
        """Shows all areas that are to be painted anew at the next frame."""
        self._waiting.stop()
        if self._unpainted is not None:
            self._widget.update(self._in_view(self._unpainted))
            self.repainted.emit()

    # Painting

    def show(self, painter: QPainter) -> None:
        """Shows the painted page; one of another zoom scaled, until all is ready for this one."""
        base, camera, widget = self._base, self._viewport.camera, self._widget
        ratio = widget.devicePixelRatioF()
        if not base.has_ratio(ratio):
            base.discard()
        self._paint_owed()
        if base.is_whole and not base.fits(camera) and not base.is_ready(camera, self._prepared):
            part = base.show(painter, camera)
            rest = QRegion(widget.rect()) - QRegion(part)
            if not rest.isEmpty():
                painter.setClipRegion(rest)
                painter.fillRect(widget.rect(), self._look.now().theme.color("bg.canvas"))
                painter.setClipping(False)
            self._refining.start(0)
            return
        if not base.fits(camera):
            self.hidden = self._hidden()
            mirror = self._page.mirror
            self.state = PaintedState(self._look.now(), mirror.tick, mirror.range, mirror.geometry)
            self._settled()
            base.begin(camera, widget.size(), ratio)
            self._paint_base(QRegion(widget.rect()))
        base.show(painter, camera)

    def paint_plainly(self, painter: QPainter) -> dict[Wire, Placed]:
        """Draws the page in view with shapes and texts in place of kept pictures; returns its labels.

        The labels stand where the canvas shows them.
        """
        sprites, self._painter.sprites = self._painter.sprites, None
        painter.setTransform(self._viewport.camera.transform())
        try:
            return self._painter.draw(painter, self._look.now(), Part(self._viewport.seen))
        finally:
            self._painter.sprites = sprites

    def draw_hidden(self, painter: QPainter, look: Look) -> None:
        """Draws the blocks that the painted page leaves out."""
        if self.hidden:
            self._painter.draw(painter, look, Part(self._viewport.seen, shown=self.hidden))

    def _prepared(self) -> Iterator[None]:
        self._use_sprites()
        return self._painter.prepare(self._look.now(), self._viewport.seen)

    def _settled(self) -> QRegion:
        """Places the labels in view; returns where some have come or gone since the page was painted."""
        is_late = _lateness(LABELS_SECONDS).__next__
        self._labels = self._painter.settle(self._look.now(), Part(self._viewport.seen, self.hidden), is_late)
        if self._painter.labels.layout.is_unfinished:
            self._placing.start(0)
        return self._in_view(self._painter.labels.take_moved())

    def _place_more(self) -> None:
        """Paints the next labels of a page that has more than one frame can place."""
        if self.is_current and self._unpainted is None:
            region = self._settled()
            self._paint_base(region)
            self._widget.update(region)
            self.repainted.emit()

    def _paint_base(self, region: QRegion) -> None:
        """Paints parts of the page anew with the labels that have just been placed."""
        self._base.paint(region)
        self._labels = None

    def _in_view(self, areas: Points) -> QRegion:
        """Returns the part of the view in which some areas of the scene are seen."""
        return self._viewport.camera.region_of(areas) & QRegion(self._widget.rect())

    def _paint_owed(self) -> None:
        """Paints what looks otherwise now. Only when it is shown is it known whether all else looks as before."""
        areas, self._unpainted = self._unpainted, None
        if areas is not None and self.is_current:
            labels = self._settled()
            painted = self._in_view(areas) + labels
            self._paint_base(painted)
            # This frame shows no more than the areas that it was asked for; the next one shows the rest.
            self._widget.update(painted if self._waiting.isActive() else labels)
        elif areas is not None:
            self._base.discard()
            self._widget.update()

    def _use_sprites(self) -> None:
        ratio = self._widget.devicePixelRatioF()
        if self._painter.sprites is None or self._painter.sprites.ratio != ratio:
            self._painter.sprites = Sprites(ratio)

    def _paint_part(self, painter: QPainter, part: QRect) -> None:
        look, camera = self._look.now(), self._viewport.camera
        painter.fillRect(part, look.theme.color("bg.canvas"))
        painter.setTransform(camera.transform())
        area = camera.rect_to_scene(QRectF(part))
        draw_grid(painter, look, area)
        self._use_sprites()
        if self._page.mirror.is_empty:
            draw_empty(painter, look, self.search_key)
        self._painter.draw(painter, look, Part(area, self.hidden), self._labels)


def _lateness(seconds: float) -> Iterator[bool]:
    """Says again and again whether so much time has passed since it was asked first, when it is never late."""
    until = time.perf_counter() + seconds
    yield False
    while True:
        yield time.perf_counter() > until
