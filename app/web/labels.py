"""The labels of wires as elements of SVG; the page's script (`draw.js`) writes the same when numbers change."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QPointF

from gradwire.app.canvas.geometry.shapes import font_metrics
from gradwire.app.canvas.painting.glyphs import draw_value_arrow
from gradwire.app.canvas.painting.labels.label_places import leader_end
from gradwire.app.canvas.painting.labels.labels import (
    ARROW,
    DOT,
    PX,
    ROW_HEIGHT,
    Box,
    Form,
    GradientText,
    Placed,
    Pose,
    label_width,
    row_margin,
)
from gradwire.app.look.status_glyphs import MARKS, draw_mark
from gradwire.app.look.statuses import mark_token
from gradwire.app.look.svg.svg_painter import SvgPainter
from gradwire.app.look.theme import Theme
from gradwire.app.web.texts import attributes, coordinate, quoted

VALUE = "value"
# The bars of components beside a text. Units: px.
_BARS, _BAR_TOP, _BAR_HEIGHT = 22.0, 2.0, 11.0


def metrics() -> dict[str, float]:
    """Returns what the script must know of the font of labels: the width of a letter, and the base line of a row."""
    large = font_metrics("mono", 2 * PX, 500)
    return {"letter": label_width("0"), "base": (large.ascent() - large.descent()) / 4}


def marks(painter: SvgPainter, dress: Theme) -> dict[str, str]:
    """Returns the glyphs of all statuses, causes and ties, and the arrow of a value, as definitions by their names."""
    found = {}
    for mark in MARKS:
        draw_mark(painter, QPointF(0, 0), dress.color(mark_token(mark)), mark)
        found[mark] = f'<g id="m-{mark}">{painter.take()}</g>'
    draw_value_arrow(painter, QPointF(0, 0), dress.color("value"))
    return {**found, VALUE: f'<g id="m-{VALUE}">{painter.take()}</g>'}


def label_markup(placed: Placed) -> str:
    """Returns the rows of a label, seen from its spot on the wire."""
    return "".join(_parts(placed, metrics()["base"]))


def _parts(placed: Placed, base: float) -> Iterator[str]:
    label, form = placed.label, placed.form
    value, gradient = placed.boxes()
    if placed.pose is Pose.LEADER:
        yield _leader(placed)
    if value is not None:
        margin = row_margin(form)
        yield _plate(value)
        if form <= Form.PLAIN:
            yield _mark(value[0] + margin, value, VALUE)
        before = margin + (ARROW if form <= Form.PLAIN else 0.0)
        yield _text("lv", value[0] + before, value, base, label.value_shown(form))
    if gradient is not None and label.gradient is not None:
        yield from _gradient(gradient, label.gradient, form, base)


def _gradient(box: Box, gradient: GradientText, form: Form, base: float) -> Iterator[str]:
    yield _plate(box, "pl bx" if gradient.is_boxed else "pl")
    margin = gradient.margin(form)
    left, glyphs = box[0] + margin, gradient.glyphs(form)
    marks: list[str] = [gradient.status] if not gradient.mark or gradient.has_second_mark else []
    marks += [gradient.mark] if gradient.mark else []
    for number, mark in enumerate(marks if glyphs else []):
        yield _mark(left + number * ARROW, box, mark)
    yield _text("lg", left + glyphs * ARROW, box, base, gradient.shown(form))
    if gradient.has_bars(form):
        yield bars_path(gradient.bars, box[2] - margin - _BARS, box[1] + _BAR_TOP)


def bars_path(numbers: tuple[float, ...], left: float, top: float) -> str:
    """Returns up to 16 components as bars in one path, as `draw_component_bars` draws them."""
    finite = [item for item in numbers if math.isfinite(item)]
    most = max(map(abs, finite), default=0.0)
    if most == 0:
        return ""
    has_both = min(numbers) < 0 < max(numbers)
    base = top + _BAR_HEIGHT / 2 if has_both else (top + _BAR_HEIGHT if max(numbers) > 0 else top)
    reach = _BAR_HEIGHT / 2 if has_both else _BAR_HEIGHT
    each = _BARS / len(numbers)
    width = max(each - 0.6, 0.8)
    data = ""
    for index, item in enumerate(numbers):
        if math.isfinite(item):
            height = item / most * reach
            data += (
                f"M{coordinate(left + index * each)} {coordinate(min(base, base - height))}h{coordinate(width)}"
                f"v{coordinate(max(abs(height), 1.0))}h{coordinate(-width)}z"
            )
    return f'<path class="lb" d="{data}"></path>'


def _leader(placed: Placed) -> str:
    widths = placed.label.widths(placed.form)
    rows = 1.0 if all(widths) else 0.5
    x, y = leader_end(placed.apart, max(widths) / 2, rows * ROW_HEIGHT)
    return f'<path class="ld" d="M0 0L{coordinate(x)} {coordinate(y)}"></path><circle class="dt" r="{DOT}"></circle>'


def _plate(box: Box, look: str = "pl") -> str:
    """Returns the ground of a row, whose height the style sheet has."""
    left, top, right, _ = box
    sides = attributes(class_=look, x=coordinate(left), y=coordinate(top), width=coordinate(right - left))
    return f"<rect{sides}></rect>"


def _mark(left: float, box: Box, mark: str) -> str:
    return f'<use href="#m-{mark}" x="{coordinate(left)}" y="{coordinate((box[1] + box[3]) / 2)}"></use>'


def _text(look: str, left: float, box: Box, base: float, text: str) -> str:
    y = coordinate((box[1] + box[3]) / 2 + base)
    return f'<text class="{look}" x="{coordinate(left)}" y="{y}">{quoted(text)}</text>'
