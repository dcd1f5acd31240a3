"""The minimap and the legend of the wires, in the corner of the canvas."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QIcon,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QMenu

from gradwire.app.base.signals import call_on
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
from gradwire.app.look.drawing import clear_pixmap, draw_panel, inked, smooth
from gradwire.app.look.glossary import Term, explained
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import Theme, font, size
from gradwire.app.look.widgets import EnterButton, ThemedWidget, add_choice, named, pop_up

MARGIN = 6.0
NARROWEST, LOWEST = 600, 300
# Distances from the edges of the canvas and between, then sizes at texts of 100 %. Units: px.
LEFT, EDGE = 14, 8
# A page of fewer blocks needs no minimap.
MANY = 40
BUTTON, RAMP, SAMPLE = 26, 48, 16
# The quantity of the ramp, and how many digits its ends have.
NAME, DIGITS = "∂L", 3
# The font of the legend: its kind, size in px and weight.
NUMBERS = "mono", 10.5, 500
# The largest norm that is told apart, and over how many decades below it.
RANGES = ((1.0, 2.0), (1.0, 4.0), (1.0, 6.0), (1e3, 6.0), (1e6, 6.0))


class Minimap(ThemedWidget):
    """The whole page small, with the part that the canvas shows; a click or drag goes there."""

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        super().__init__(appearance, canvas, "minimap", cursor=Qt.CursorShape.PointingHandCursor)
        named(self, says=tr("Minimap"), tip=tr("Overview of the page: click to go there"))
        self.setFixedSize(int(size("minimap.w")), int(size("minimap.h")))
        self._canvas = canvas
        self._page = QPixmap()
        self._key: object = None
        canvas.viewport.camera_changed.connect(self.update)

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


class LegendButton(EnterButton):
    """The ramp between the smallest and the largest norm. A press turns the gradients off or on again.

    Its menu has how they are shown, and leads to the help on patterns.
    """

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        super().__init__(canvas)
        hand, focus = Qt.CursorShape.PointingHandCursor, Qt.FocusPolicy.TabFocus
        named(self, "legend_button", says=tr("Gradients on the wires"), cursor=hand, focus=focus)
        explained(self, Term.NORM, tip=tr("Gradients off or on; right click: sizes, signs, blocks, range, patterns"))
        self._canvas, self._appearance = canvas, appearance
        self._last = Overlay.MAGNITUDE
        self.clicked.connect(self._turn)
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
            is_on = self._canvas.page_look.overlay is not Overlay.OFF
            name, ink = ("eye", "grad.text") if is_on else ("eye-off", "text.secondary")
            draw_icon(painter, name, theme.color(ink), QRectF(10, BUTTON / 2 - 7, 14, 14))
            left = 30.0
            for text, token in ((NAME, ink), (low, "text.secondary")):
                painter.setPen(theme.color(token))
                left += _draw_text(painter, left, text) + 9
            _draw_ramp(painter, theme, QRectF(left - 3, BUTTON / 2 - 4, RAMP, 8), self._canvas)
            painter.setPen(theme.color("text.secondary"))
            _draw_text(painter, left + RAMP + 3, high)
        return picture

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Opens the menu."""
        self.open_menu(event.pos())

    def open_menu(self, at: QPoint) -> None:
        """Opens the menu at a point of the button."""
        pop_up(self.menu(), self.mapToGlobal(at))

    def menu(self) -> QMenu:
        """Returns the menu: sizes or signs, bars by block, the ranges, and what the patterns mean."""
        look, mirror, menu = self._canvas.page_look, self._canvas.mirror, named(QMenu(self), "legend_menu")
        for overlay, text in ((Overlay.MAGNITUDE, tr("Sizes")), (Overlay.SIGN, tr("Signs"))):
            choose = partial(look.set_overlay, overlay)
            add_choice(menu, text, look.overlay is overlay, choose).setIcon(QIcon(self._sample(overlay)))
        add_choice(menu, tr("By block"), look.is_by_block, look.turn_by_block)
        menu.addSeparator()
        fixed = [(f"{fmt(top * 10**-span)} … {fmt(top)}", (top, span)) for top, span in RANGES]
        own = (tr("Range of the page"), None), (tr("Keep this range"), (mirror.top, mirror.span))
        for text, item in (*own, *fixed):
            add_choice(menu, text, item == mirror.fixed_range, partial(look.set_range, item))
        menu.addSeparator()
        run = self._canvas.current.requests.command_chosen
        menu.addAction(tr("Wire patterns")).triggered.connect(lambda _: run.emit("wire_help"))
        return menu

    def _sample(self, overlay: Overlay) -> QPixmap:
        """Returns the colours of sizes from small to large, or those of both signs; framed if they are shown."""
        theme, sample = self._appearance.theme, clear_pixmap(QSize(SAMPLE, SAMPLE), self.devicePixelRatioF())
        with QPainter(sample) as painter:
            for step in range(SAMPLE):
                share = step / (SAMPLE - 1)
                sign = theme.diverging(-1.0 if share < 0.5 else 1.0)
                painter.fillRect(step, 4, 1, SAMPLE - 8, theme.ramp(share) if overlay is Overlay.MAGNITUDE else sign)
            if overlay is self._canvas.page_look.overlay:
                inked(painter, QPen(theme.color("accent"), 2)).drawRect(1, 1, SAMPLE - 2, SAMPLE - 2)
        return sample

    def _turn(self) -> None:
        """Turns the gradients off, or shows them as before."""
        look = self._canvas.page_look
        if look.overlay is not Overlay.OFF:
            self._last = look.overlay
        look.set_overlay(self._last if look.overlay is Overlay.OFF else Overlay.OFF)

    def _ends(self) -> tuple[str, str]:
        mirror = self._canvas.mirror
        return fmt(mirror.low, DIGITS), fmt(mirror.top, DIGITS)


class Corner(QObject):
    """Minimap and legend in a corner of a canvas, the lower left one if it is free; hidden during a drag.

    The minimap comes only where a part of a page of many blocks is out of view, or all of any page.
    """

    def __init__(self, canvas: Canvas, appearance: Appearance, round_of: Callable[[], int]) -> None:
        """`round_of` gives the number of rounds behind the results shown."""
        super().__init__(canvas)
        self._canvas = canvas
        self.minimap, self.button = Minimap(canvas, appearance), LegendButton(canvas, appearance)
        self.round_mark = RoundMark(canvas, appearance, round_of)
        self.is_shown, self._is_presenting = True, False
        canvas.gestures.active_changed.connect(self._set_dragging)
        call_on(self.place, canvas.resized, appearance.changed)
        call_on(self._update, canvas.painted.repainted, canvas.viewport.camera_changed)
        self.place()

    def set_presenting(self, is_on: bool) -> None:
        """Shows nothing while the page is presented."""
        self._is_presenting = is_on
        self.place()

    def set_shown(self, is_shown: bool) -> None:
        """Shows both, or neither."""
        self.is_shown = is_shown
        self.place()

    def place(self, *_: object) -> None:
        """Puts all where they belong: the button in a corner, and the minimap."""
        self.button.fit()
        usual = self._usual()
        # A page is fitted above the usual corner, wherever the button stands afterwards.
        self._canvas.viewport.covered = usual if self._has_room() else QRect()
        self._set_dragging(False)
        corner = self._free_corner()
        self.button.move(corner)
        self._place_round()
        is_low = corner.y() == usual.top()
        at = corner.y() - EDGE - self.minimap.height() if is_low else corner.y() + self.button.height() + EDGE
        self.minimap.move(corner.x(), at)

    def _usual(self) -> QRect:
        """Returns where the button is at the lower left."""
        return QRect(QPoint(LEFT, self._canvas.height() - EDGE - self.button.height()), self.button.size())

    def _free_corner(self) -> QPoint:
        """Returns where the button stands in the first corner that is free for all, or for the button.

        It is the lower left one, if there is none.
        """
        viewport, usual, minimap = self._canvas.viewport, self._usual(), self.minimap.size()
        beside = QSize(max(minimap.width(), usual.width()), usual.height() + EDGE + minimap.height())
        sizes = [usual.size()] if self.minimap.isHidden() else [beside, usual.size()]
        for taken, is_low, is_left in itertools.product(sizes, (True, False), (True, False)):
            x = LEFT if is_left else self._canvas.width() - viewport.beside.right() - LEFT - taken.width()
            y = usual.bottom() + 1 - taken.height() if is_low else EDGE
            area = viewport.destination.rect_to_scene(QRectF(QRect(QPoint(x, y), taken)))
            if not len(self._canvas.mirror.visible_blocks(area, 0)):
                return QPoint(x, usual.top() if is_low else EDGE)
        return usual.topLeft()

    def _has_room(self) -> bool:
        is_wanted = self.is_shown and not self._is_presenting
        return is_wanted and self._canvas.width() > NARROWEST and self._canvas.height() > LOWEST

    def _set_dragging(self, is_dragging: bool) -> None:
        is_wanted = self._has_room() and not is_dragging and bool(self._canvas.mirror.ids)
        # Before there is a loss there are no gradients to explain.
        self.button.setVisible(is_wanted and bool(self._canvas.session.losses))
        mirror, seen = self._canvas.mirror, self._canvas.viewport.seen
        is_cut = len(mirror.ids) >= MANY and not seen.contains(mirror.block_bounds())
        self.minimap.setVisible(is_wanted and (is_cut or not len(mirror.visible_blocks(seen, 0))))

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
            self._set_dragging(False)
            if self._free_corner() != self.button.pos():
                self.place()
        for widget in (self.minimap, self.button):
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
