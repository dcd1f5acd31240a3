"""The minimap and the legend of the wires, in the corner of the canvas."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from PySide6.QtCore import QLineF, QObject, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.curves import from_afar
from gradwire.app.canvas.geometry.routing import segments
from gradwire.app.canvas.geometry.view.camera import Camera, fitted
from gradwire.app.canvas.overlays.round_mark import RoundMark
from gradwire.app.canvas.painting.arrays import draw_lines, draw_rects
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.canvas.painting.magnitudes import position
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.categories import color_token
from gradwire.app.look.drawing import CENTRE, clear_pixmap, draw_panel, inked, smooth
from gradwire.app.look.glossary import Term, explained
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.numbers import fmt
from gradwire.app.look.status_texts import status_word
from gradwire.app.look.theme import Theme, font, size
from gradwire.app.look.widgets import ENTER_KEYS, named
from gradwire.app.look.wire_pens import status_pens
from gradwire.engine.autodiff.status import Status

MARGIN = 6.0
NARROWEST, LOWEST = 600, 300
# Distances from the edges of the canvas and between, then sizes at texts of 100 %. Units: px.
LEFT, EDGE = 14, 8
BUTTON, RAMP = 26, 48
WIDE, HIGH, ENTRY = 396, 48, 53
# The quantity of the ramp, and how many digits its ends have.
NAME, DIGITS = "∂L", 3
# The font of the folded legend: its kind, size in px and weight.
NUMBERS = "mono", 10.5, 500
# The statuses beside the ramp.
SHOWN = (Status.BLOCKED, Status.ZERO, Status.NO_PATH, Status.NONFINITE)
UNFOLDED_KEY = "legend_unfolded"
# The largest norm that is told apart, and over how many decades below it.
RANGES = ((1.0, 2.0), (1.0, 4.0), (1.0, 6.0), (1e3, 6.0), (1e6, 6.0))


class Minimap(QWidget):
    """The whole page small, with the part that the canvas shows; a click or drag goes there."""

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        super().__init__(canvas)
        own_size, tip = (int(size("minimap.w")), int(size("minimap.h"))), tr("Overview of the page: click to go there")
        named(self, "minimap", says=tr("Minimap"), tip=tip, size=own_size, cursor=Qt.CursorShape.PointingHandCursor)
        self._canvas, self._appearance = canvas, appearance
        self._page = QPixmap()
        self._key: object = None
        canvas.viewport.camera_changed.connect(self.update)
        appearance.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the page, anew only when it has changed, and the frame of the canvas's view."""
        theme, camera = self._appearance.theme, self._camera()
        key = (id(self._canvas.mirror), self._canvas.mirror.geometry, theme, self.devicePixelRatioF())
        if key != self._key:
            self._page, self._key = self._painted(camera), key
        with smooth(self) as painter:
            painter.drawPixmap(0, 0, self._page)
            inked(painter, QPen(theme.color("accent"), 1.5)).drawRect(self.frame())

    def frame(self) -> QRectF:
        """Returns the rectangle of the canvas's view on the minimap, as far as it lies inside."""
        view = self._canvas.viewport.seen
        return self._camera().transform().mapRect(view) & QRectF(self.rect()).adjusted(3, 3, -3, -3)

    def _painted(self, camera: Camera) -> QPixmap:
        """Blocks as rectangles of their category, wires as lines."""
        theme, mirror, ratio = self._appearance.theme, self._canvas.mirror, self.devicePixelRatioF()
        page = clear_pixmap(self.size(), ratio)
        with QPainter(page) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(mirror.wires) < 2000)
            draw_panel(painter, theme, QRectF(self.rect()), "border.subtle")
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


class LegendButton(QAbstractButton):
    """The folded legend: the ramp between the smallest and the largest norm; a press unfolds the legend above it."""

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        super().__init__(canvas)
        hand, focus = Qt.CursorShape.PointingHandCursor, Qt.FocusPolicy.TabFocus
        named(self, "legend_button", says=tr("Legend of the wires"), cursor=hand, focus=focus)
        self._canvas, self._appearance = canvas, appearance
        self._picture = QPixmap()
        self._key: object = None

    def show_key(self, key: str) -> None:
        """Explains the legend; `key` turns to the next view of the gradients."""
        explained(self, Term.NORM, tip=tr("What the widths, colours and patterns of the wires mean"))
        self.setAccessibleDescription(f"{self.accessibleDescription()} ({key})")

    def fit(self) -> None:
        """Takes the size that the numbers need at the size of texts."""
        scale, metrics = self._appearance.text_scale, QFontMetrics(font(*NUMBERS))
        texts = sum(metrics.horizontalAdvance(text) for text in (NAME, *self._ends()))
        self.setFixedSize(round((texts + RAMP + 61) * scale), round(BUTTON * scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the legend, anew only when it has changed: it lies over the canvas, and is drawn with each frame."""
        mirror, appearance, ratio = self._canvas.mirror, self._appearance, self.devicePixelRatioF()
        ends = position(mirror, mirror.low), *self._ends(), self._canvas.page_look.overlay
        key = (self.size(), ratio, appearance.theme, appearance.text_scale, *ends, self.hasFocus())
        if key != self._key:
            self._picture, self._key = self._painted(ratio), key
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)

    def _painted(self, ratio: float) -> QPixmap:
        """Draws an eye, the name, and the ramp between its two ends."""
        theme, scale = self._appearance.theme, self._appearance.text_scale
        picture = clear_pixmap(self.size(), ratio)
        with smooth(picture) as painter:
            draw_panel(painter, theme, QRectF(self.rect()), "focus" if self.hasFocus() else "border.default")
            painter.scale(scale, scale)
            painter.setFont(font(*NUMBERS))
            low, high = self._ends()
            draw_icon(painter, "eye", theme.color("grad.text"), QRectF(10, BUTTON / 2 - 7, 14, 14))
            left = 30.0
            for text, token in ((NAME, "grad.text"), (low, "text.secondary")):
                painter.setPen(theme.color(token))
                left += _draw_text(painter, left, text) + 9
            _draw_ramp(painter, theme, QRectF(left - 3, BUTTON / 2 - 4, RAMP, 8), self._canvas)
            painter.setPen(theme.color("text.secondary"))
            _draw_text(painter, left + RAMP + 3, high)
        return picture

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Presses the button by Enter, too."""
        if event.key() in ENTER_KEYS:
            self.click()
        else:
            super().keyPressEvent(event)

    def _ends(self) -> tuple[str, str]:
        mirror = self._canvas.mirror
        return fmt(mirror.low, DIGITS), fmt(mirror.top, DIGITS)


class Legend(QWidget):
    """The meaning of the wires' widths, colours and patterns; a click chooses the range of the widths."""

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        super().__init__(canvas)
        named(self, "legend", says=tr("Legend of the wires"), cursor=Qt.CursorShape.PointingHandCursor)
        explained(self, Term.NORM, tip=tr("What the wires mean; click to choose the range of sizes"))
        self._canvas, self._appearance = canvas, appearance
        appearance.changed.connect(self.update)

    def fit(self) -> None:
        """Takes the size that belongs to the size of texts."""
        scale = self._appearance.text_scale
        self.setFixedSize(round(WIDE * scale), round(HIGH * scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the ramp with its range, then the patterns."""
        theme, mirror, scale = self._appearance.theme, self._canvas.mirror, self._appearance.text_scale
        with smooth(self) as painter:
            draw_panel(painter, theme, QRectF(self.rect()), "border.subtle")
            painter.scale(scale, scale)
            inked(painter, theme.color("grad.text"), font=font("mono", 11, 500)).drawText(QPointF(10, 18), NAME)
            _draw_ramp(painter, theme, QRectF(46, 10, 124, 8), self._canvas)
            inked(painter, theme.color("text.secondary"), font=font("mono", 10))
            below, align = QRectF(46, 26, 124, 14), Qt.AlignmentFlag
            painter.drawText(below, align.AlignLeft, fmt(mirror.low, DIGITS))
            painter.drawText(below, align.AlignCenter, tr("log") if mirror.fixed_range is None else tr("fixed"))
            painter.drawText(below, align.AlignRight, fmt(mirror.top, DIGITS))
            for index, status in enumerate(SHOWN):
                self._draw_entry(painter, QRectF(180 + index * ENTRY, 0, ENTRY - 4, HIGH), status)

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
        canvas, menu = self._canvas, named(QMenu(self), "range_menu")
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

    def _draw_entry(self, painter: QPainter, box: QRectF, status: Status) -> None:
        theme = self._appearance.theme
        for item in status_pens(theme, status):
            inked(painter, item).drawLine(QLineF(box.left() + 4, 14, box.right() - 4, 14))
        inked(painter, theme.color("text.secondary"), font=font("ui", 10.5))
        painter.drawText(QRectF(box.left() - 2, 25, box.width() + 4, 16), CENTRE, status_word(status))


class Corner(QObject):
    """Minimap and legend in a lower corner of a canvas, the left one if it is free; hidden during a drag.

    The legend is folded into a button unless the user has left it open. The minimap comes only where a part of the
    page is out of view.
    """

    def __init__(self, canvas: Canvas, appearance: Appearance, settings: Settings, round_of: Callable[[], int]) -> None:
        """`round_of` gives the number of rounds behind the results shown."""
        super().__init__(canvas)
        self._canvas, self._settings = canvas, settings
        self.minimap, self.legend = Minimap(canvas, appearance), Legend(canvas, appearance)
        self.button = LegendButton(canvas, appearance)
        self.round_mark = RoundMark(canvas, appearance, round_of)
        self.is_shown, self._is_presenting = True, False
        self.is_unfolded = settings.flag(UNFOLDED_KEY)
        self.button.pressed.connect(self.turn_legend)
        canvas.gestures.active_changed.connect(self._set_dragging)
        canvas.resized.connect(self.place)
        canvas.painted.repainted.connect(self._update)
        canvas.viewport.camera_changed.connect(self._update)
        appearance.changed.connect(self.place)
        self.place()

    def set_presenting(self, is_on: bool) -> None:
        """Shows nothing while the page is presented."""
        self._is_presenting = is_on
        self.place()

    def set_shown(self, is_shown: bool) -> None:
        """Shows both, or neither."""
        self.is_shown = is_shown
        self.place()

    def turn_legend(self) -> None:
        """Unfolds the legend above its button, or folds it."""
        self.is_unfolded = not self.is_unfolded
        self._settings.set_flag(UNFOLDED_KEY, self.is_unfolded)
        self.place()

    def place(self, *_: object) -> None:
        """Puts all where they belong: the button in a corner, the legend above or below it, and the minimap."""
        for widget in (self.button, self.legend):
            widget.fit()
        usual = self._usual()
        # A page is fitted above the usual corner, wherever the button stands afterwards.
        self._canvas.viewport.covered = usual if self._has_room() else QRect()
        corner = self._free_corner()
        is_low = corner.y() == usual.top()
        self.button.move(corner)
        self._place_round()
        top = corner.y() + (-EDGE - self.legend.height() if is_low else self.button.height() + EDGE)
        self.legend.move(corner.x(), top)
        floor = self._canvas.height() if not is_low else top if self.is_unfolded else usual.top()
        self.minimap.move(corner.x() if is_low else LEFT, floor - EDGE - self.minimap.height())
        self._set_dragging(False)

    def _usual(self) -> QRect:
        """Returns where the button is at the lower left."""
        return QRect(QPoint(LEFT, self._canvas.height() - EDGE - self.button.height()), self.button.size())

    def _free_corner(self) -> QPoint:
        """Returns the first corner in which the button covers no block: the lower left one, if there is none."""
        viewport, usual = self._canvas.viewport, self._usual()
        right = self._canvas.width() - viewport.beside.right() - LEFT - usual.width()
        for y, x in itertools.product((usual.top(), viewport.beside.top() + EDGE), (LEFT, right)):
            area = viewport.destination.rect_to_scene(QRectF(QRect(QPoint(x, y), usual.size())))
            if not len(self._canvas.mirror.visible_blocks(area, 0)):
                return QPoint(x, y)
        return usual.topLeft()

    def _has_room(self) -> bool:
        is_wanted = self.is_shown and not self._is_presenting
        return is_wanted and self._canvas.width() > NARROWEST and self._canvas.height() > LOWEST

    def _set_dragging(self, is_dragging: bool) -> None:
        is_wanted = self._has_room() and not is_dragging and bool(self._canvas.mirror.ids)
        self.button.setVisible(is_wanted)
        self.legend.setVisible(is_wanted and self.is_unfolded)
        is_all_in_view = self._canvas.viewport.seen.contains(self._canvas.mirror.block_bounds())
        self.minimap.setVisible(is_wanted and not is_all_in_view)

    def _place_round(self) -> None:
        """Names the round beside the button, or in its place where it is hidden."""
        mark = self.round_mark
        mark.refresh()
        is_beside = self._has_room() and self.button.pos() == self._usual().topLeft()
        left = LEFT + (self.button.width() + EDGE if is_beside else 0)
        mark.move(left, self._canvas.height() - EDGE - mark.height())
        mark.setVisible(bool(mark.text))

    def _update(self) -> None:
        self._place_round()
        if not self._canvas.gestures.is_dragging:
            self.button.fit()
            if self._free_corner() != self.button.pos():
                self.place()
            self._set_dragging(False)
        for widget in (self.minimap, self.legend, self.button):
            widget.update()


def _draw_text(painter: QPainter, left: float, text: str) -> int:
    """Draws a text in the middle of the button's height; returns its width. Units: px."""
    width = painter.fontMetrics().horizontalAdvance(text)
    painter.drawText(QRectF(left, 0, width + 2, BUTTON), Qt.AlignmentFlag.AlignVCenter, text)
    return width


def _draw_ramp(painter: QPainter, theme: Theme, box: QRectF, canvas: Canvas) -> None:
    """Draws the ramp from the smallest shown magnitude to the largest; a thin line where wires have no width."""
    painter.setPen(Qt.PenStyle.NoPen)
    if canvas.page_look.overlay in (Overlay.OFF, Overlay.LABELS):
        painter.setBrush(theme.color("wire.value"))
        painter.drawRect(QRectF(box.left(), box.center().y() - 1, box.width(), 2))
        return
    begin = position(canvas.mirror, canvas.mirror.low)
    ramp = QLinearGradient(box.left(), 0, box.right(), 0)
    for step in range(11):
        ramp.setColorAt(step / 10, theme.ramp(begin + (1 - begin) * step / 10))
    painter.setBrush(ramp)
    middle = box.center().y()
    half = 1.5 + (box.height() / 2 - 1.5) * begin
    upper, lower = QPointF(box.left(), middle - half), QPointF(box.left(), middle + half)
    painter.drawPolygon([upper, box.topRight(), box.bottomRight(), lower])
