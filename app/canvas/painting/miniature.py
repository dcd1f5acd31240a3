"""A page very small: where its blocks are and how gradients flow between them, for cards and menus."""

from __future__ import annotations

from operator import itemgetter

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.curves import point_count, routed
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import ENTER, LEAVE, Ends, Points, corner_points
from gradwire.app.canvas.geometry.shapes import REROUTE_SIZE, Body
from gradwire.app.canvas.geometry.wire_paths import path_of
from gradwire.app.canvas.painting.blocks.block_painter import octagon
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.wires.wire_painter import WirePainter, with_width
from gradwire.app.look.categories import color_token, icon_name
from gradwire.app.look.drawing import inked, kept
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.theme import font
from gradwire.engine.blocktypes.block_type import Role

WIDTH, HEIGHT, ICON, DOT = 24.0, 20.0, 11.0, 4.0
# Blocks side by side and below each other: how far apart they are at least, and how small they may become for it.
BETWEEN, BELOW, SMALLEST = 12.0, 3.0, 0.5
MARGIN, ICONS_AT_MOST, THINNER = 12.0, 60, 0.7
# Wires are routed at this many times their size: the bends of the real ones are too wide for so small a picture.
FINER = 2.5
# The height at which blocks of all sizes count as standing in one row. Units: px at 100 %, from the top.
ROW = 45.0


def draw_miniature(painter: QPainter, mirror: Mirror, look: Look, box: QRectF) -> None:
    """Draws all blocks of a page into a box, each as large as an icon, with the wires between them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    if not mirror.ids:
        inked(painter, look.theme.color("text.tertiary"), font=font("ui", 11))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, tr("empty"))
        return
    sizes = _sizes(mirror, box)
    corners = _places(mirror, box, sizes)
    thinner = THINNER * float(sizes[:, 0].max()) / WIDTH
    wires = WirePainter(painter, mirror, look)
    with kept(painter):
        painter.scale(1 / FINER, 1 / FINER)
        for row, points in enumerate(_routes(mirror, corners, sizes)):
            for pen in wires.pens(row):
                thin = with_width(pen, max(pen.widthF() * thinner, 0.5) * FINER)
                inked(painter, thin, Qt.BrushStyle.NoBrush).drawPath(path_of(points))
    for row, edges in enumerate(np.hstack([corners, sizes]).tolist()):
        _draw_block(painter, mirror, look, row, QRectF(*edges))


def _sizes(mirror: Mirror, box: QRectF) -> Points:
    """Returns the sizes of blocks: smaller where many stand side by side or on the page. Shapes: (blocks, 2)."""
    columns, rows = _most_in_line(mirror.rects[:, [0, 2]]), _most_in_line(mirror.rects[:, [1, 3]])
    across = (box.width() - 2 * MARGIN - (columns - 1) * BETWEEN) / (columns * WIDTH)
    down = (box.height() - 2 * MARGIN - (rows - 1) * BELOW) / (rows * HEIGHT)
    scale = min(1.0, 40.0 / len(mirror.ids), max(min(across, down), SMALLEST))
    is_dot = np.array([shape.body is Body.REROUTE for shape in mirror.shapes])
    return np.where(is_dot[:, None], DOT, np.array([WIDTH, HEIGHT])) * scale


def _most_in_line(spans: Points) -> int:
    """Returns how many blocks at most stand one behind the other. Shapes: `spans` (blocks, 2), starts and lengths."""
    count, reached = 0, -np.inf
    for start, end in sorted(zip(spans[:, 0], spans.sum(axis=1), strict=True), key=itemgetter(1)):
        if start >= reached and end - start > REROUTE_SIZE:
            count, reached = count + 1, end
    return max(count, 1)


def _places(mirror: Mirror, box: QRectF, sizes: Points) -> Points:
    """Returns the corners of the small blocks: the page is squeezed, the blocks are not. Shapes: (blocks, 2)."""
    left, top, width, height = mirror.rects.T
    middles = np.column_stack([left + width / 2, top + np.minimum(ROW, height / 2)])
    low, high = middles.min(axis=0), middles.max(axis=0)
    room = np.array([box.width(), box.height()]) - sizes.max(axis=0) - 2 * MARGIN
    scale = np.minimum(room / np.maximum(high - low, 1), [0.22, 0.30])
    placed: Points = (middles - (low + high) / 2) * scale + [box.center().x(), box.center().y()]
    return placed - sizes / 2


def _routes(mirror: Mirror, corners: Points, sizes: Points) -> Points:
    known = [row for row in range(len(mirror.wires)) if row not in mirror.broken]
    points = np.zeros((len(mirror.wires), point_count(mirror.is_curved), 2))
    if not known:
        return points
    source = [mirror.rows[mirror.wires[row].source.block] for row in known]
    target = [mirror.rows[mirror.wires[row].target.block] for row in known]
    a, b, (width, height) = corners[source] * FINER, corners[target] * FINER, sizes[source].T * FINER
    down = np.array([_share(mirror, row) for row in known]) * sizes[target, 1] * FINER
    ends = Ends(
        a[:, 0] + width, a[:, 1] + height / 2, b[:, 0], b[:, 1] + down,
        a[:, 1], a[:, 1] + height, b[:, 1], b[:, 1] + sizes[target, 1] * FINER, mirror.forks[known],
    )  # fmt: skip
    goes_right = mirror.rects[target, 0] > mirror.rects[source, 0] + mirror.rects[source, 2]
    ends = ends._replace(x2=np.where(goes_right, np.maximum(ends.x1, ends.x2), ends.x2))
    points[known] = routed(ends, mirror.is_curved)
    is_tight = goes_right & (ends.x2 - ends.x1 < LEAVE + ENTER)
    if not mirror.is_curved:
        # To the right, between ends that are too near for the usual bends, wires bend halfway.
        end, middle = (ends.x2, ends.y2), (ends.x1 + ends.x2) / 2
        halfway = corner_points((ends.x1, ends.y1), (middle, ends.y1), (middle, ends.y2), end, end, end)
        points[np.array(known)[is_tight]] = halfway[is_tight]
    return points


def _share(mirror: Mirror, row: int) -> float:
    """Returns how far down on its target a wire ends, from 0 to 1."""
    wire = mirror.wires[row]
    inputs = [port.name for port in mirror.shapes[mirror.rows[wire.target.block]].inputs]
    index = inputs.index(wire.target.name) if wire.target.name in inputs else 0
    return (index + 1) / (len(inputs) + 1)


def _draw_block(painter: QPainter, mirror: Mirror, look: Look, row: int, box: QRectF) -> None:
    theme, block_type = look.theme, mirror.shapes[row].type
    if mirror.shapes[row].body is Body.REROUTE:
        inked(painter, QPen(theme.color("border.strong"), 1), theme.color("bg.raised")).drawEllipse(box)
        return
    if mirror.shapes[row].role is Role.STOP:
        outline = octagon(box.width(), box.height(), 0.0, box.height() / 4).translated(box.topLeft())
        inked(painter, QPen(theme.color("stop"), 1.4), theme.color("stop.fill")).drawPath(outline)
    else:
        inked(painter, QPen(theme.color("border.default"), 1), theme.color("bg.raised")).drawRoundedRect(box, 3, 3)
        painter.fillRect(QRectF(box.left() + 1, box.top(), box.width() - 2, 2), theme.color(color_token(block_type)))
    if len(mirror.ids) <= ICONS_AT_MOST:
        side = ICON * box.height() / HEIGHT
        at = box.center() + QPointF(0, 0.5)
        place = QRectF(at.x() - side / 2, at.y() - side / 2, side, side)
        draw_icon(painter, icon_name(block_type), theme.color(color_token(block_type)), place)
