"""Draws blocks: header, ports, body and states, as far as the zoom allows."""

from __future__ import annotations

import functools

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import HEADER, BlockShape, Body, text_width
from gradwire.app.canvas.painting.block_problems import has_severity, has_warning
from gradwire.app.canvas.painting.blocks.body_painter import BodyPainter
from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_number, draw_text
from gradwire.app.canvas.painting.blocks.small_body import SmallBody
from gradwire.app.canvas.painting.blocks.thumbnails import draw_hatched_wall
from gradwire.app.canvas.painting.glyphs import draw_port
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.look.categories import color_token, icon_name
from gradwire.app.look.drawing import CENTRE, LEFT, RIGHT, filled, inked, kept
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.numbers import shape_words
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Block, Port

RADIUS, STRIPE, CUT = 8.0, 3.0, 12.0
MUTED_OPACITY = 0.72
WALL_ROOM = 36.0
# Between the name of an input and what stands beside an output in the same row. Units: px.
APART = 6.0
# The tag where NaN or infinity arises, its height, and how far it stands above its block or, among names, out of it.
BIRTH, TAG, TAG_ABOVE, TAG_OUT = Style("ui", 11, 600, "text.on-accent"), 19, 7, 13
TITLE, SHAPE = Style("ui", 12, 600, "text.primary"), Style("mono", 10, token="text.tertiary")


class BlockPainter:
    """The painter of one page's blocks, in scene coordinates."""

    def __init__(self, painter: QPainter, mirror: Mirror, look: Look) -> None:
        self._painter, self._mirror, self._look = painter, mirror, look
        self._theme, self._level = look.theme, look.level

    def draw(self, row: int) -> None:
        """Draws one block with its ports."""
        left, top = self._mirror.rects[row, :2]
        with kept(self._painter):
            self._painter.translate(left, top)
            self.draw_ground(row)
            self.draw_body(row)

    def draw_ground(self, row: int) -> None:
        """Draws all but the body, which alone shows the numbers: what `ground_key` stands for changes seldom."""
        shape, block = self._mirror.shapes[row], self._mirror.blocks[row]
        if shape.body is Body.REROUTE:
            return
        self._level = _level_of(shape, self._look)
        is_passed = self._is_passed(block, shape)
        self._painter.setOpacity(MUTED_OPACITY if is_passed else 1.0)
        is_stop = shape.role is Role.STOP and not is_passed
        self._draw_frame(block, shape, is_stop, is_passed)
        if self._level is Level.SHAPE:
            self._draw_large_icon(shape)
        elif self._level is Level.COMPACT:
            SmallBody(self._painter, self._mirror, self._look).draw_icon(shape, is_stop)
        else:
            self._draw_header(block, shape)
            self._draw_port_names(block, shape)
        self._draw_ports(row)
        if self._is_walled(block, shape):
            wall = QRectF(3, HEADER + 3, 7, shape.height - HEADER - 7)
            draw_hatched_wall(self._painter, wall, self._theme.color("stop.hatch"))
        self._painter.setOpacity(1.0)
        self._draw_badge(block, shape)

    def draw_body(self, row: int) -> None:
        """Draws what stands on the ground."""
        shape, block = self._mirror.shapes[row], self._mirror.blocks[row]
        self._level = _level_of(shape, self._look)
        if shape.body is Body.REROUTE:
            self._draw_reroute(block, shape)
        elif self._level > Level.SHAPE:
            is_passed = self._is_passed(block, shape)
            self._painter.setOpacity(MUTED_OPACITY if is_passed else 1.0)
            if self._level is Level.COMPACT:
                SmallBody(self._painter, self._mirror, self._look).draw_value(block, shape, is_passed)
            else:
                BodyPainter(self._painter, self._mirror, self._look, row).draw(is_passed)
            self._painter.setOpacity(1.0)

    def ground_key(self, row: int) -> tuple[object, ...]:
        """Returns all that is seen of a block but its body: blocks of one key stand on the same ground."""
        block, shape, look = self._mirror.blocks[row], self._mirror.shapes[row], self._look
        texts, marks = (shape.title, shape.name, shape.chip, shape.body), marks_of(self._mirror, look, row)
        specs = tuple([self._mirror.spec_of(block.id, port) for port in shape.ports])
        states = self._is_passed(block, shape), self._is_active_loss(block, shape), self._is_walled(block, shape)
        kind = block.type, block.is_muted, self._badge(block)
        return shape.width, shape.height, *texts, *marks, shape.ports, specs, *states, *kind

    def _is_passed(self, block: Block, shape: BlockShape) -> bool:
        """Returns whether a block only passes its input on: muted, or a StopGradient that is ignored."""
        is_ignored = shape.role is Role.STOP and self._lets_pass(block)
        return is_ignored or (block.is_muted and shape.role not in (Role.SOURCE, Role.LOSS))

    def _is_walled(self, block: Block, shape: BlockShape) -> bool:
        """Returns whether the gradient ends at an input of a page, for what a loop carries into it is stopped."""
        is_stopped = shape.role is Role.PAGE_INPUT and self._mirror.is_stopped(block.id)
        return is_stopped and not self._lets_pass(block)

    def _lets_pass(self, block: Block) -> bool:
        """Returns whether the gradient passes a stop in the state of the stops that is compared."""
        comparison = self._look.comparison
        return comparison is not None and comparison.lets_pass(f"{self._mirror.session.prefix}/{block.id}")

    # The frame

    def _draw_frame(self, block: Block, shape: BlockShape, is_stop: bool, is_passed: bool) -> None:
        octagonal = octagon(shape.width, shape.height) if is_stop else None
        if octagonal is not None:
            self._draw_back(octagonal, "stop.fill")
        else:
            outline, stripe, header = outlines(shape.width, shape.height)
            self._draw_back(outline, "bg.raised")
            token = "grad.soft" if self._is_active_loss(block, shape) else "bg.header"
            self._painter.fillPath(header, self._theme.color(token))
            self._painter.fillPath(stripe, self._theme.color(color_token(shape.type)))
        self._draw_outline(block, shape, octagonal, self._border(block, is_stop, is_passed))

    def _draw_outline(self, block: Block, shape: BlockShape, octagonal: QPainterPath | None, border: QPen) -> None:
        painter, theme = self._painter, self._theme
        painter.setBrush(Qt.BrushStyle.NoBrush)
        around = QRectF(-4, -4, shape.width + 8, shape.height + 8)
        if shape.role is Role.PAGE:
            painter.setPen(QPen(theme.color("border.default"), 1))
            painter.drawRoundedRect(around, RADIUS + 3, RADIUS + 3)
        painter.setPen(border)
        if octagonal is None:
            painter.drawRoundedRect(QRectF(0, 0, shape.width, shape.height), RADIUS, RADIUS)
        else:
            painter.drawPath(octagonal)
            if block.id in self._look.selection.blocks:
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.drawPath(octagon(shape.width, shape.height, -4))

    def _draw_back(self, outline: QPainterPath, token: str) -> None:
        """Fills an outline; where it is large enough, it has a shadow."""
        painter = self._painter
        if self._level >= Level.FULL:
            # Two offset copies stand for a blur of 5 px: a real one would cost more than the block.
            shadow = QColor(self._theme.color("shadow"))
            shadow.setAlpha(shadow.alpha() // 3)
            with kept(painter):
                for _ in range(2):
                    painter.translate(0, 2)
                    painter.fillPath(outline, shadow)
        painter.fillPath(outline, self._theme.color(token))

    def _border(self, block: Block, is_stop: bool, is_passed: bool) -> QPen:
        theme, look = self._theme, self._look
        if block.id in look.selection.blocks and not is_stop:
            pen = QPen(theme.color("accent"), 2)
        elif has_severity(self._mirror, block.id, "error"):
            pen = QPen(theme.color("error"), 1.6)
        elif self._is_nonfinite(block):
            pen = QPen(theme.color("alarm"), 2)
        elif is_stop:
            pen = QPen(theme.color("stop"), 2.2)
        else:
            pen = QPen(theme.color("border.strong" if look.hovered.block == block.id else "border.default"), 1)
        pen.setWidthF(max(pen.widthF(), theme.line))
        if is_passed:
            pen.setDashPattern([5 / pen.widthF(), 4 / pen.widthF()])
        return pen

    def _is_active_loss(self, block: Block, shape: BlockShape) -> bool:
        return shape.role is Role.LOSS and self._mirror.is_used_loss(block.id)

    def _is_nonfinite(self, block: Block) -> bool:
        """Returns whether NaN or infinity arises here; blocks that only pass it on stay quiet."""
        return any(problem.code == "nonfinite" for problem in self._mirror.problems_of(block.id))

    def _badge(self, block: Block) -> str:
        """Returns the kind of the badge of a block, "" for none: an error comes first."""
        if has_severity(self._mirror, block.id, "error"):
            return "error"
        return "alarm" if self._is_nonfinite(block) else "warn" if has_warning(self._mirror, block.id) else ""

    def _draw_badge(self, block: Block, shape: BlockShape) -> None:
        if self._level is Level.SHAPE and self._look.reading_scale < 0.25:
            return
        kind, at, painter = self._badge(block), QPointF(shape.width, 0), self._painter
        if not kind:
            return
        if kind == "alarm" and self._level >= Level.COMPACT:
            self._draw_birth(shape)
            return
        color = self._theme.color(kind)
        inked(painter, QPen(color, 1.4), self._theme.color(f"{kind}.bg"))
        if kind == "error":
            painter.drawPath(octagon(20, 20, 0, 6).translated(at.x() - 10, at.y() - 10))
        else:
            painter.drawEllipse(at, 10, 10)
        draw_icon(painter, "error" if kind == "error" else "warn", color, QRectF(at.x() - 6, at.y() - 6.5, 12, 12))

    def _draw_birth(self, shape: BlockShape) -> None:
        """Draws the tag of a block where NaN or infinity arises."""
        text, grow = tr("starts here"), self._look.growth(11)
        width, height = (text_width("ui", 11, 600, text) + 16) * grow, TAG * grow
        out = TAG_ABOVE + height if self._level >= Level.FULL else TAG_OUT
        box = QRectF((shape.width - width) / 2, -out, width, height)
        filled(self._painter, self._theme.color("alarm")).drawRoundedRect(box, height / 2, height / 2)
        draw_text(self._painter, self._look, box, CENTRE, text, BIRTH)

    # Header and ports

    def _draw_header(self, block: Block, shape: BlockShape) -> None:
        painter, theme = self._painter, self._theme
        middle = HEADER / 2 + 1
        icon_box = QRectF(9, middle - 7, 14, 14)
        draw_icon(painter, icon_name(shape.type), theme.color(color_token(shape.type)), icon_box)
        right = self._draw_right_of_header(block, shape)
        title_box = QRectF(28, middle - 10, right - 30, 20)
        draw_text(painter, self._look, title_box, LEFT, shape.title, TITLE)

    def _draw_right_of_header(self, block: Block, shape: BlockShape) -> float:
        """Draws the clock, the instance's name or the main setting; gives where the title must end."""
        painter, theme, right = self._painter, self._theme, shape.width - 10
        for icon, is_shown in (("clock", self._look.is_stale), ("mute", block.is_muted)):
            if is_shown:
                draw_icon(painter, icon, theme.color("text.tertiary"), QRectF(right - 12, HEADER / 2 - 5, 12, 12))
                right -= 18
        text = shape.name or (shape.chip if shape.body is not Body.NUMBER else "")
        if not text:
            return right
        # The title comes first: only one that is too long for its block anyway leaves room for a name.
        title, most = TITLE.width(shape.title, self._look), right - 28
        room = most - 10 - (title if title <= most else shape.width * 0.55)
        if room < 14:
            return right
        box = QRectF(right - room, STRIPE, room, HEADER - STRIPE)
        return right - draw_text(painter, self._look, box, RIGHT, text, Style("ui", 10, token="text.tertiary")) - 6

    def _draw_port_names(self, block: Block, shape: BlockShape) -> None:
        if shape.body in (Body.COLLAPSED, Body.FOLD):
            return
        painter, look, has_several = self._painter, self._look, len(shape.outputs) > 1
        # Where the names of inputs end, by their height.
        ends = dict[float, float]()
        for port in shape.ports:
            if port.is_input:
                box = QRectF(11, port.y - 9, shape.width * 0.6, 18)
                style = Style("ui", 11, token="text.tertiary" if port.is_free else "text.secondary")
                ends[port.y] = box.left() + draw_text(painter, look, box, LEFT, plain(port.name), style) + APART
                continue
            spec = self._mirror.spec_of(block.id, port)
            # Numbers, and bars with theirs, say how many there are.
            has_count = shape.body in (Body.BARS, Body.NUMBERS)
            shape_text = "" if has_count else shape_words(None if spec is None else spec.shape)
            words = [plain(port.name) if has_several else shape_text]
            if self._level is Level.DETAIL and spec is not None:
                words.append(_dtype_letters(spec.dtype.name))
            right = shape.width - (WALL_ROOM if shape.body is Body.STOP else 11)
            left = max(shape.width * 0.3, ends.get(port.y, 0.0))
            box = QRectF(left, port.y - 9, right - left, 18)
            if text := " ".join(filter(None, words)):
                (draw_text if has_several else draw_number)(painter, look, box, RIGHT, text, SHAPE)

    def _draw_ports(self, row: int) -> None:
        if self._level < Level.COMPACT:
            return
        hot, block, shape = self._look.hovered.port, self._mirror.blocks[row], self._mirror.shapes[row]
        # Few things read a loss: what nothing reads is seen where somebody may draw a wire from it.
        is_quiet = shape.role is Role.LOSS and not any(marks_of(self._mirror, self._look, row))
        for port in [port for port in shape.ports if port.is_input or port.is_connected or not is_quiet]:
            at = QPointF(port.x, port.y)
            if hot is not None and hot == (Port(port.block or block.id, port.name), port.is_input):
                inked(self._painter, QPen(self._theme.color("accent"), 1.5), self._theme.color("accent.soft"))
                self._painter.drawEllipse(at, 11, 11)
            draw_port(self._painter, self._theme, at, self._mirror.spec_of(block.id, port), port.is_connected)

    def _draw_large_icon(self, shape: BlockShape) -> None:
        side = min(shape.width, shape.height - STRIPE) * 0.42
        middle = QPointF(shape.width / 2, (shape.height + STRIPE) / 2)
        box = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
        draw_icon(self._painter, icon_name(shape.type), self._theme.color(color_token(shape.type)), box)

    def _draw_reroute(self, block: Block, shape: BlockShape) -> None:
        painter, theme = self._painter, self._theme
        is_chosen = block.id in self._look.selection.blocks
        token = "accent" if is_chosen else "border.strong"
        inked(painter, QPen(theme.color(token), 2 if is_chosen else 1.5), theme.color("bg.raised"))
        painter.drawEllipse(QPointF(shape.width / 2, shape.height / 2), 6, 6)


def marks_of(mirror: Mirror, look: Look, row: int) -> tuple[bool, bool, tuple[Port, bool] | None]:
    """Returns whether a block is selected, whether the pointer is over it, and its port under the pointer."""
    name, hot = mirror.ids[row], look.hovered.port
    is_own = hot is not None and mirror.shown(hot[0].block) == name
    return name in look.selection.blocks, name == look.hovered.block, hot if is_own else None


def _level_of(shape: BlockShape, look: Look) -> Level:
    """Returns how much of a block is drawn: folds and pictures are large, and have room for it from afar."""
    least = {Body.FOLD: Level.FULL, Body.PICTURE: Level.COMPACT}.get(shape.body, Level.SHAPE)
    return max(look.level, least)


@functools.lru_cache(maxsize=512)
def outlines(width: float, height: float) -> tuple[QPainterPath, QPainterPath, QPainterPath]:
    """Returns the outline of a block, its stripe and its header. The caller must not change them."""
    whole, top, below = QPainterPath(), QPainterPath(), QPainterPath()
    whole.addRoundedRect(QRectF(0, 0, width, height), RADIUS, RADIUS)
    top.addRect(QRectF(0, 0, width, STRIPE))
    below.addRect(QRectF(0, STRIPE, width, HEADER - STRIPE))
    return whole, whole.intersected(top), whole.intersected(below)


@functools.lru_cache(maxsize=256)
def octagon(width: float, height: float, inset: float = 0.0, cut: float = CUT) -> QPainterPath:
    """Returns a rectangle with its corners cut off. The caller must not change it."""
    left, top, right, bottom = inset, inset, width - inset, height - inset
    corners = [
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    ]  # fmt: skip
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
    path.closeSubpath()
    return path


def _dtype_letters(name: str) -> str:
    """Returns a dtype in three letters: `f64`, `i32`, `u8`, `b`."""
    return name.replace("float", "f").replace("uint", "u").replace("int", "i").replace("bool", "b")
