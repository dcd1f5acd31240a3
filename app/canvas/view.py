"""The layers of the canvas: a camera, a pixmap with the painted page, and what moves above it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QRegion, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.canvas.base_layer import BaseLayer
from app.canvas.camera import FIT_MARGIN, STEP, Camera, fitted, way_into_view
from app.canvas.empty import draw_empty, ghost_box
from app.canvas.extent import extent, hover_area, is_used
from app.canvas.far_painter import draw_far
from app.canvas.flight import JUMP_MS, ZOOM_MS, Flight
from app.canvas.footing import Footing
from app.canvas.gestures import Gesture
from app.canvas.look import Level, Look, Overlay
from app.canvas.mirror import STILL, Mirror, Shift
from app.canvas.page_arrays import Rows
from app.canvas.page_painter import PagePainter, draw_grid
from app.canvas.picking import Target
from app.canvas.routing import Points
from app.canvas.sprites import Sprites
from app.canvas.sweep import Sweep
from app.live.readings import Results
from app.live.session import Selection, Session
from app.look.appearance import Appearance
from engine.graph import Graph

FAINT = 0.35


class CanvasView(QWidget):
    """Shows the session's page through a camera. What the pointer does is the business of `Canvas`."""

    zoom_changed = Signal(float)
    camera_changed = Signal()
    resized = Signal()
    repainted = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(200, 120)
        self._appearance = appearance
        self._base = BaseLayer(self._paint_part)
        self._refining = QTimer(self)
        self._refining.setSingleShot(True)
        self._refining.timeout.connect(self.update)
        self._painted_tick, self._painted_range, self._painted_geometry = 0, (0.0, 0.0), 0
        self._painted_look: Look | None = None
        # Where the page has still to be painted anew, in the scene; None where nothing has changed.
        self._unpainted: Points | None = None
        self._owed = QPointF()
        self._hidden_in_base: frozenset[str] = frozenset()
        self._gesture: Gesture | None = None
        self._cameras: dict[tuple[int, str], Camera] = {}
        self._overlay = Overlay.MAGNITUDE
        self._hovered = Target()
        self._has_fitted = False
        # What lies over the lower corner, in px of the view; who puts something there says so.
        self.covered = QRect()
        self.search_key = "Tab"
        self.camera = Camera()
        self.lit: Selection | None = None
        self._flight = Flight(self._look_with, self)
        self.sweep = Sweep(self.update, self)
        appearance.changed.connect(self._restyle)
        self._connect(session)

    # The session shown

    def set_session(self, session: Session) -> None:
        """Shows another document."""
        self.let_go()
        self.close_field()
        self._disconnect()
        self._connect(session)
        self.fit_page()

    def _connect(self, session: Session) -> None:
        self.session = session
        self.mirror = Mirror(session, self._appearance.has_curves)
        self._page_painter = PagePainter(self.mirror)
        self._has_fitted = False
        self.mirror.rebuild()
        self.sweep.set_busy(session.scheduler.is_busy)
        for signal, slot in self._connections():
            signal.connect(slot)
        self.repaint_page()

    def _disconnect(self) -> None:
        for signal, slot in self._connections():
            signal.disconnect(slot)
        self._cameras.clear()

    def _connections(self) -> list[tuple[SignalInstance, Callable[..., None]]]:
        session = self.session
        return [
            (session.graph_changed, self._graph_changed),
            (session.results_changed, self._results_changed),
            (session.selection_changed, self._selection_changed),
            (session.page_changed, self._page_changed),
            (session.mode_changed, self.repaint_page),
            (session.busy_changed, self._busy_changed),
            (session.busy_changed, self.sweep.set_busy),
            (session.results_changed, self.sweep.begin_anew),
        ]

    def _graph_changed(self, old: Graph, new: Graph) -> None:
        name, footing = self.session.page_name, Footing(self.mirror)
        is_painted = self.mirror.geometry == self._painted_geometry and not self._hidden_in_base
        if not old.has_page(name):
            self.mirror.rebuild()
            self.repaint_page()
            return
        self.mirror.update(old, new)
        before, after = old.page(name), new.page(name)
        has_same_notes = before.frames == after.frames and before.notes == after.notes and old.loss == new.loss
        if is_painted and has_same_notes and footing.is_comparable:
            self._owe_moved(footing)
        else:
            self.repaint_page()

    def _results_changed(self, _: Results) -> None:
        geometry = self.mirror.geometry
        self.mirror.refresh_shapes()
        self.mirror.read_results()
        if geometry == self.mirror.geometry and self.mirror.range == self._painted_range and self._is_painted_so():
            self._repaint_rows(*self.mirror.changed_since(self._painted_tick, self._seen()))
        else:
            self.repaint_page()

    def _selection_changed(self, selection: Selection) -> None:
        before = self._painted_look.selection if self._painted_look is not None else Selection()
        change = before ^ selection
        if change.frames or change.notes or not self._is_painted_so():
            self.repaint_page()
            return
        rows, wires = self.mirror.rows, self.mirror.wire_rows
        self._repaint_rows(
            [rows[name] for name in change.blocks if name in rows],
            [wires[item] for item in change.wires if item in wires],
        )

    def _busy_changed(self, _: bool) -> None:
        if not self._is_painted_so():
            self.repaint_page()

    def _page_changed(self, name: str) -> None:
        self.let_go()
        self._flight.land()
        self._hovered = Target()
        self.mirror.rebuild()
        self.repaint_page()
        known = self._cameras.get((id(self.session), name))
        if known is None:
            self.fit_page()
        else:
            self._look_with(known)
        # The same camera on another page is another view.
        self.camera_changed.emit()

    def _restyle(self, _: object) -> None:
        self.mirror.set_curved(self._appearance.has_curves)
        self.repaint_page()

    # The camera

    def look_with(self, camera: Camera) -> None:
        """Shows the page through another camera at once."""
        self._flight.land()
        self._look_with(camera)

    def _look_with(self, camera: Camera) -> None:
        camera = camera.snapped(self.devicePixelRatioF())
        self._owed = QPointF()
        if camera != self.camera:
            has_zoomed = camera.scale != self.camera.scale
            self.camera = camera
            self._cameras[id(self.session), self.session.page_name] = camera
            self.close_field()
            if has_zoomed:
                self.zoom_changed.emit(camera.scale)
            self.camera_changed.emit()
        self.update()

    @property
    def destination(self) -> Camera:
        """Where the camera is, or is on its way to."""
        return self._flight.end or self.camera

    def fly_to(self, camera: Camera, milliseconds: int = JUMP_MS) -> None:
        """Brings the camera to another place, with a short movement where motion is wanted."""
        self._flight.go(self.camera, camera, milliseconds)

    def fit_page(self) -> None:
        """Shows the whole page at once."""
        self.look_with(self.page_camera())

    def page_camera(self) -> Camera:
        """Sees the whole page, above what covers the lower corner if that would cover anything."""
        area = ghost_box() if self.mirror.is_empty else self.mirror.bounds()
        camera = fitted(area, QSizeF(self.size()), 1.0)
        covered = camera.rect_to_scene(QRectF(self.covered))
        if not self.covered.isEmpty() and is_used(self.mirror, covered):
            camera = fitted(area, QSizeF(self.width(), self.covered.top() + FIT_MARGIN / 2), 1.0)
        return camera

    def selection_camera(self) -> Camera:
        """Sees everything that is selected, or the whole page."""
        area = extent(self.mirror, self.session.selection)
        return self.page_camera() if area.isNull() else fitted(area, QSizeF(self.size()), 2.0)

    def zoom_to(self, scale: float, at: QPointF | None = None) -> None:
        """Zooms to a scale, a point of the view (by default the middle) staying where it is."""
        middle = QPointF(self.width() / 2, self.height() / 2)
        self.fly_to(self.destination.zoomed(scale, at or middle), ZOOM_MS)

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Zooms in by some steps, out where they are negative."""
        self.zoom_to(self.destination.scale * STEP**steps, at)

    def centre_on(self, block_id: str) -> None:
        """Brings a block into the middle of the view, at a zoom at which it can be read."""
        self.bring_in(self.mirror.rect(block_id))

    def bring_in(self, area: QRectF) -> None:
        """Brings a rectangle of the scene into the middle of the view, at a zoom at which it can be read."""
        camera = dataclasses.replace(self.camera, scale=max(self.destination.scale, 0.75))
        self.fly_to(camera.centred(area.center(), QSizeF(self.size())))

    def centre_at(self, point: QPointF) -> None:
        """Brings a point of the scene into the middle of the view at once."""
        self.look_with(self.camera.centred(point, QSizeF(self.size())))

    def show_rect(self, rect: QRectF) -> None:
        """Moves the page as little as it takes to see a rectangle of the scene."""
        way = way_into_view(self.camera.rect_to_view(rect), QSizeF(self.size()))
        self.pan(round(way.x()), round(way.y()))

    def pan(self, dx: int, dy: int) -> None:
        """Moves the page by whole px; what is painted is scrolled, and only the strips that appear are painted."""
        if not dx and not dy:
            return
        self._flight.land()
        ratio = self.devicePixelRatioF()
        wanted = (self._owed + QPointF(dx, dy)) * ratio
        across, down = round(wanted.x()), round(wanted.y())
        self._owed = (wanted - QPointF(across, down)) / ratio
        fits = self._base.fits(self.camera)
        self.camera = self.camera.moved(across / ratio, down / ratio).snapped(ratio)
        self._cameras[id(self.session), self.session.page_name] = self.camera
        self.close_field()
        if fits:
            strips = self._base.scroll(self.camera, across, down)
            self._base.paint(strips + self._settled())
        self.update()
        self.camera_changed.emit()

    # What is shown

    @property
    def overlay(self) -> Overlay:
        """How gradients are shown."""
        return self._overlay

    def set_overlay(self, overlay: Overlay) -> None:
        """Shows gradients in another way."""
        self._overlay = overlay
        self.repaint_page()

    def set_range(self, chosen: tuple[float, float] | None) -> None:
        """Shows magnitudes from a largest norm down over some decades; None lets them follow the page."""
        self.mirror.fixed_range = chosen
        self.mirror.read_results()
        self.repaint_page()

    def look(self) -> Look:
        """How the page is drawn now."""
        session, hovered = self.session, self._hovered
        return Look(
            self._appearance.theme,
            self.camera.scale,
            self._overlay,
            session.is_stale and session.results is not None,
            session.comparison,
            selection=session.selection,
            hovered_block=hovered.block,
            hovered_wire=hovered.wire,
            hot_port=hovered.port,
            lit=self.lit if self.mirror.progress is None else self.mirror.progress.lit,
        )

    def set_lit(self, lit: Selection | None) -> None:
        """Dims everything but some blocks and wires; None ends that."""
        if lit != self.lit:
            self.lit = lit
            self.repaint_page()

    def show_moved(self, blocks: frozenset[str], dx: float, dy: float, shift: Shift = STILL) -> None:
        """Shows blocks, and what else is shifted, elsewhere while they are dragged."""
        has_changed = self.mirror.moved(blocks, dx, dy, shift)
        # The page without them is painted when the drag starts and again when it ends.
        if blocks != self._hidden_in_base or not blocks or has_changed:
            self._base.discard()
        self.update()

    def repaint_page(self) -> None:
        """Paints the page anew at the next frame."""
        self._base.discard()
        self.update()
        self.repainted.emit()

    # Painting

    @property
    def is_crisp(self) -> bool:
        """Whether the page is painted for the zoom at which it is seen."""
        return self._base.fits(self.camera)

    @property
    def page_picture(self) -> QPixmap:
        """What is painted of the page, without what moves above it."""
        return self._base.picture

    def paintEvent(self, event: QPaintEvent) -> None:  # Qt's name
        """Shows the painted page and draws what moves above it."""
        with QPainter(self) as painter:
            self._show_base(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setTransform(self.camera.transform())
            look = self.look()
            if self._gesture is not None:
                if self._hidden_in_base:
                    self._page_painter.draw(painter, look, self._seen(), shown=self._hidden_in_base)
                self._gesture.paint(painter, look)
            self._paint_above(painter, look)

    def hover(self, target: Target) -> None:
        """Marks what is under the pointer; only the part of the page where that shows is painted anew."""
        if target == self._hovered:
            return
        was_painted = self._is_painted_so()
        areas = [hover_area(self.mirror, item) for item in (self._hovered, target)]
        self._hovered = target
        region = self._in_view(np.array([area.getCoords() for area in areas if not area.isNull()]).reshape(-1, 4))
        if not self._base.fits(self.camera) or self.look().level < Level.SHAPE:
            return
        if was_painted:
            self._painted_look = self.look()
        if not region.isEmpty():
            self._base.paint(region)
            self.update(region)

    def _show_base(self, painter: QPainter) -> None:
        """Shows the painted page; one of another zoom scaled, until all is ready for this one."""
        base, size, ratio = self._base, self.size(), self.devicePixelRatioF()
        if not base.has_ratio(ratio):
            base.discard()
        self._paint_owed()
        if base.is_whole and not base.fits(self.camera) and not base.is_ready(self.camera, self._prepared):
            part = base.show(painter, self.camera)
            rest = QRegion(self.rect()) - QRegion(part)
            if not rest.isEmpty():
                painter.setClipRegion(rest)
                self._paint_far(painter)
                painter.setClipping(False)
            self._refining.start(0)
            return
        if not base.fits(self.camera):
            self._hidden_in_base = frozenset() if self._gesture is None else self._gesture.hidden
            self._remember_painted()
            self._settled()
            base.paint_whole(self.camera, size, ratio)
        base.show(painter, self.camera)

    def _remember_painted(self) -> None:
        mirror = self.mirror
        self._painted_look = self.look()
        self._painted_tick, self._painted_range = mirror.tick, mirror.range
        self._painted_geometry = mirror.geometry

    def _prepared(self) -> Iterator[None]:
        self._use_sprites()
        return self._page_painter.prepare(self.look(), self._seen())

    def _settled(self) -> QRegion:
        """Places the labels in view; gives where some have come or gone since the page was painted."""
        self._page_painter.settle(self.look(), self._seen(), self._hidden_in_base)
        return self._in_view(self._page_painter.take_moved_labels())

    def _seen(self) -> QRectF:
        """The part of the scene that is in view."""
        return self.camera.rect_to_scene(QRectF(self.rect()))

    def _in_view(self, areas: Points) -> QRegion:
        """The part of the view in which some areas of the scene are seen."""
        return self.camera.region_of(areas) & QRegion(self.rect())

    def _is_painted_so(self) -> bool:
        """Whether the page is painted, and looks as it would now but for its selection and its values."""
        painted = self._painted_look
        look = self.look()
        return (
            painted is not None
            and self._base.fits(self.camera)
            and dataclasses.replace(painted, selection=look.selection) == look
        )

    def _repaint_rows(self, blocks: Rows | list[int], wires: Rows | list[int]) -> None:
        """Paints anew where some blocks and wires are, at the next frame: the graph may be ahead of the mirror."""
        self._remember_painted()
        areas = self.mirror.areas(blocks, wires, self._seen())
        self._owe(areas)
        self.update(self._in_view(areas))

    def _owe_moved(self, footing: Footing) -> None:
        """At the next frame paints anew where what stands elsewhere now was and is, and what shows something else."""
        mirror, seen = self.mirror, self._seen()
        blocks, wires = footing.moved()
        left = footing.areas(blocks, wires, seen)
        changed = mirror.changed_since(self._painted_tick, seen)
        blocks, wires = np.union1d(blocks, changed[0]), np.union1d(wires, changed[1])
        self._painted_tick, self._painted_geometry = mirror.tick, mirror.geometry
        self._owe(np.concatenate([left, mirror.areas(blocks, wires, seen)]))
        self.update()

    def _owe(self, areas: Points) -> None:
        self._unpainted = areas if self._unpainted is None else np.concatenate([self._unpainted, areas])
        self.repainted.emit()

    def _paint_owed(self) -> None:
        """Paints what looks otherwise now. Only when it is shown is it known whether all else looks as before."""
        areas, self._unpainted = self._unpainted, None
        if areas is not None and self._is_painted_so():
            labels = self._settled()
            self._base.paint(self._in_view(areas) + labels)
            # This frame shows no more than the areas; the next one shows the rest.
            self.update(labels)
        elif areas is not None:
            self._base.discard()
            self.update()

    def _use_sprites(self) -> None:
        ratio = self.devicePixelRatioF()
        if self._page_painter.sprites is None or self._page_painter.sprites.ratio != ratio:
            self._page_painter.sprites = Sprites(ratio)

    def _paint_far(self, painter: QPainter) -> None:
        """What is not painted yet, as one sees it from far away."""
        painter.save()
        painter.fillRect(self.rect(), self._appearance.theme.color("bg.canvas"))
        painter.setOpacity(FAINT)
        painter.setTransform(self.camera.transform())
        area = self._seen()
        mirror = self.mirror
        draw_far(painter, mirror, self.look(), mirror.visible_blocks(area), mirror.visible_wires(area))
        painter.restore()

    def _paint_part(self, painter: QPainter, part: QRect) -> None:
        look = self.look()
        painter.fillRect(part, look.theme.color("bg.canvas"))
        painter.setTransform(self.camera.transform())
        area = self.camera.rect_to_scene(QRectF(part))
        draw_grid(painter, look, area)
        self._use_sprites()
        if self.mirror.is_empty:
            draw_empty(painter, look, self.search_key)
        self._page_painter.draw(painter, look, area, hidden=self._hidden_in_base)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits the page when the widget gets its first size."""
        if not self._has_fitted and self.width() > 1:
            self._has_fitted = True
            self.fit_page()
        self.repaint_page()
        self.resized.emit()

    # What `Canvas` adds

    def _paint_above(self, painter: QPainter, look: Look) -> None:
        """Draws above everything, in scene coordinates."""
        self.sweep.paint(painter, self.mirror, look, self._seen())

    def let_go(self) -> None:
        """Ends what the pointer is in the middle of."""

    def close_field(self) -> None:
        """Closes the field that is open over the page."""
