"""The minimap and the legend of the wires, in the corner of the canvas."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QLinearGradient, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.camera import Camera, fitted
from gradwire.app.canvas.geometry.curves import from_afar
from gradwire.app.canvas.geometry.routing import segments
from gradwire.app.canvas.painting.arrays import draw_lines, draw_rects
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.canvas.painting.wires.wire_painter import status_pens
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.categories import color_token
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import Theme, font, size
from gradwire.engine.autodiff.status import Status

MARGIN, RADIUS = 6.0, 8.0
NARROWEST, LOWEST = 600, 300
# The largest norm that is told apart, and over how many decades below it.
RANGES = ((1.0, 2.0), (1.0, 4.0), (1.0, 6.0), (1e3, 6.0), (1e6, 6.0))


class Minimap(QWidget):
    """The whole page small, with the part that the canvas shows; a click or drag goes there."""

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        super().__init__(canvas)
        self.setObjectName("minimap")
        self.setAccessibleName(tr("Minimap"))
        self.setToolTip(tr("Overview of the page: click to go there"))
        self.setFixedSize(int(size("minimap.w")), int(size("minimap.h")))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._canvas, self._appearance = canvas, appearance
        self._page: QPixmap | None = None
        self._key: tuple[object, ...] = ()
        canvas.viewport.camera_changed.connect(self.update)
        appearance.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the page, anew only when it has changed, and the frame of the canvas's view."""
        theme, camera = self._appearance.theme, self._camera()
        key = (id(self._canvas.mirror), self._canvas.mirror.geometry, theme, self.devicePixelRatioF())
        if self._page is None or key != self._key:
            self._page, self._key = self._painted(camera), key
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._page)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(QPen(theme.color("accent"), 1.5))
            painter.drawRect(self.frame())

    def frame(self) -> QRectF:
        """Returns the rectangle of the canvas's view on the minimap, as far as it lies inside."""
        view = self._canvas.viewport.seen
        return self._camera().transform().mapRect(view) & QRectF(self.rect()).adjusted(3, 3, -3, -3)

    def _painted(self, camera: Camera) -> QPixmap:
        """Blocks as rectangles of their category, wires as lines."""
        theme, mirror, ratio = self._appearance.theme, self._canvas.mirror, self.devicePixelRatioF()
        page = QPixmap(self.size() * ratio)
        page.setDevicePixelRatio(ratio)
        page.fill(Qt.GlobalColor.transparent)
        with QPainter(page) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(mirror.wires) < 2000)
            _draw_panel(painter, theme, QRectF(self.rect()))
            painter.setTransform(camera.transform())
            painter.setPen(QPen(theme.color("border.default"), 1 / camera.scale))
            draw_lines(painter, segments(from_afar(mirror.points)).reshape(-1, 4))
            painter.setPen(Qt.PenStyle.NoPen)
            tokens: dict[str, list[int]] = {}
            for row, shape in enumerate(mirror.shapes):
                tokens.setdefault(color_token(shape.type), []).append(row)
            for token, rows in tokens.items():
                painter.setBrush(theme.color(token))
                draw_rects(painter, mirror.rects[rows])
        return page

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Goes to the point."""
        self._canvas.viewport.centre_at(self._camera().to_scene(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follows the pointer."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.mousePressEvent(event)

    def _camera(self) -> Camera:
        mirror = self._canvas.mirror
        area = mirror.block_bounds()
        if area.isEmpty():
            area = self._canvas.viewport.seen
        # Always room around the page, so that the frame of the view is seen beside it.
        grown = area.adjusted(-area.width() * 0.06, -area.height() * 0.06, area.width() * 0.06, area.height() * 0.06)
        size_inside = self.rect().adjusted(int(MARGIN), int(MARGIN), -int(MARGIN), -int(MARGIN)).size().toSizeF()
        camera = fitted(grown, size_inside, 0.25, 0.001)
        return camera.moved(MARGIN, MARGIN)


class Legend(QWidget):
    """The meaning of the wires' widths, colours and patterns; a click chooses the range of the widths."""

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        super().__init__(canvas)
        self.setObjectName("legend")
        self.setAccessibleName(tr("Legend of the wires"))
        self.setFixedSize(344, 46)
        self.setToolTip(tr("What the wires mean; click to choose the range of magnitudes"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._canvas, self._appearance = canvas, appearance
        appearance.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the ramp with its range, then the patterns."""
        theme, mirror = self._appearance.theme, self._canvas.mirror
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            _draw_panel(painter, theme, QRectF(self.rect()))
            painter.setFont(font("mono", 11, 500))
            painter.setPen(theme.color("grad.text"))
            painter.drawText(QPointF(10, 18), "|∂L|")
            self._draw_ramp(painter)
            painter.setFont(font("mono", 9))
            painter.setPen(theme.color("text.tertiary"))
            painter.drawText(QRectF(46, 27, 40, 12), Qt.AlignmentFlag.AlignLeft, fmt(mirror.top * 10**-mirror.span))
            painter.drawText(
                QRectF(86, 27, 26, 12),
                Qt.AlignmentFlag.AlignCenter,
                tr("log") if mirror.fixed_range is None else tr("fixed"),
            )
            painter.drawText(QRectF(106, 27, 40, 12), Qt.AlignmentFlag.AlignRight, fmt(mirror.top))
            entries = (
                (Status.BLOCKED, tr("blocked")),
                (Status.ZERO, "≈ 0"),
                (Status.NO_PATH, tr("no path")),
                (Status.NONFINITE, "NaN"),
            )
            for index, (status, text) in enumerate(entries):
                self._draw_entry(painter, QRectF(156 + index * 47, 0, 44, 46), status, text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Opens the menu of ranges."""
        self.open_menu(event.position().toPoint())

    def open_menu(self, at: QPoint) -> None:
        """Opens the menu of ranges at a point of the legend."""
        menu = self.range_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(at))

    def range_menu(self) -> QMenu:
        """Returns the menu of ranges: that of the page, the one shown now for good, and fixed ones."""
        canvas, menu = self._canvas, QMenu(self)
        menu.setObjectName("range_menu")
        mirror, chosen = canvas.mirror, canvas.mirror.fixed_range
        own: list[tuple[str, tuple[float, float] | None]] = [
            (tr("Range of the page"), None),
            (tr("Keep this range"), (mirror.top, mirror.span)),
        ]
        for text, item in [*own, *((f"{fmt(top * 10**-span)} … {fmt(top)}", (top, span)) for top, span in RANGES)]:
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(item == chosen)
            action.triggered.connect(lambda _=False, item=item: canvas.page_look.set_range(item))
        menu.insertSeparator(menu.actions()[2])
        return menu

    def _draw_ramp(self, painter: QPainter) -> None:
        theme = self._appearance.theme
        ramp = QLinearGradient(46, 0, 146, 0)
        for step in range(11):
            ramp.setColorAt(step / 10, theme.ramp(step / 10))
        painter.setPen(Qt.PenStyle.NoPen)
        if self._canvas.page_look.overlay in (Overlay.OFF, Overlay.LABELS):
            painter.setBrush(theme.color("wire.value"))
            painter.drawRect(QRectF(46, 13, 100, 2))
            return
        painter.setBrush(ramp)
        corners = [QPointF(46, 12.5), QPointF(146, 10), QPointF(146, 18), QPointF(46, 15.5)]
        painter.drawPolygon(corners)

    def _draw_entry(self, painter: QPainter, box: QRectF, status: Status, text: str) -> None:
        theme = self._appearance.theme
        for item in status_pens(theme, status):
            painter.setPen(item)
            painter.drawLine(QLineF(box.left() + 4, 14, box.right() - 4, 14))
        painter.setFont(font("ui", 10))
        painter.setPen(theme.color("text.secondary"))
        painter.drawText(QRectF(box.left() - 2, 25, box.width() + 4, 14), Qt.AlignmentFlag.AlignCenter, text)


class Corner:
    """Minimap and legend in the lower left corner of a canvas, hidden while something is dragged."""

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        self._canvas = canvas
        self.minimap, self.legend = Minimap(canvas, appearance), Legend(canvas, appearance)
        self.is_shown = True
        canvas.gestures.active_changed.connect(self._set_dragging)
        canvas.resized.connect(self.place)
        canvas.painted.repainted.connect(self._update)
        canvas.viewport.camera_changed.connect(self._update)
        self.place()

    def set_shown(self, is_shown: bool) -> None:
        """Shows both, or neither."""
        self.is_shown = is_shown
        self.place()

    def place(self) -> None:
        """Puts both where they belong."""
        bottom = self._canvas.height() - 16
        self.minimap.move(16, bottom - self.minimap.height())
        self.legend.move(16 + self.minimap.width() + 12, bottom - self.legend.height())
        has_room = self.is_shown and self._canvas.width() > NARROWEST and self._canvas.height() > LOWEST
        self._canvas.viewport.covered = self.legend.geometry() if has_room else QRect()
        self._set_dragging(False)

    def _set_dragging(self, is_dragging: bool) -> None:
        has_room = self._canvas.width() > NARROWEST and self._canvas.height() > LOWEST
        for widget in (self.minimap, self.legend):
            is_wanted = self.is_shown and has_room and not is_dragging and bool(self._canvas.mirror.ids)
            widget.setVisible(is_wanted and not (widget is self.minimap and self._is_in_the_way()))

    def _is_in_the_way(self) -> bool:
        """Returns whether the minimap would cover a block although the whole page is in view."""
        mirror, camera = self._canvas.mirror, self._canvas.camera
        view = self._canvas.viewport.seen
        under = camera.rect_to_scene(QRectF(self.minimap.geometry()))
        return view.contains(mirror.block_bounds()) and len(mirror.visible_blocks(under, 0)) > 0

    def _update(self) -> None:
        if not self._canvas.gestures.is_dragging:
            self._set_dragging(False)
        self.minimap.update()
        self.legend.update()


def _draw_panel(painter: QPainter, theme: Theme, box: QRectF) -> None:
    painter.setPen(QPen(theme.color("border.subtle"), 1))
    painter.setBrush(theme.color("bg.overlay"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
