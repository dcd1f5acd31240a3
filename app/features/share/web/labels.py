"""The labels of wires as elements of SVG; the page's script (`draw.js`) writes the same when numbers change."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QPointF

from gradwire.app.canvas.geometry.shapes import font_metrics
from gradwire.app.canvas.painting.labels.label_places import leader_end
from gradwire.app.canvas.painting.labels.labels import (
    BARE_MARGIN,
    DOT,
    GLYPH,
    PX,
    ROW_HEIGHT,
    Box,
    Form,
    GradientText,
    Placed,
    Pose,
    row_margin,
)
from gradwire.app.features.share.web.texts import attributes, coordinate, quoted
from gradwire.app.look.status_glyphs import draw_mark
from gradwire.app.look.statuses import MARKS
from gradwire.app.look.svg.svg_painter import SvgPainter
from gradwire.app.look.svg.svg_styles import number
from gradwire.app.look.theme import Theme

# The bars of components beside a text, and their height above and below the middle of a row. Units: px.
_BARS, _BAR_REACH = 22.0, 5.5


def row_style() -> str:
    """Returns the rules of a label's rows that follow from its font: where the base line is."""
    large = font_metrics("mono", 2 * PX, 500)
    return f".l text{{transform:translateY({number((large.ascent() - large.descent()) / 4)}px)}}"


def marks(painter: SvgPainter, dress: Theme) -> dict[str, str]:
    """Returns the glyphs of all statuses, causes and ties as definitions by their names."""
    found = {}
    for mark in (mark for mark, look in MARKS.items() if any(look.glyph)):
        draw_mark(painter, QPointF(0, 0), dress.color(MARKS[mark].token), mark)
        found[mark] = f'<g id="m-{mark}">{painter.take()}</g>'
    return found


def label_markup(placed: Placed) -> str:
    """Returns the rows of a label, seen from its spot on the wire."""
    return "".join(_parts(placed))


def _parts(placed: Placed) -> Iterator[str]:
    label, form = placed.label, placed.form
    value, gradient = placed.boxes()
    if placed.pose is Pose.LEADER:
        yield _leader(placed)
    if value is not None:
        yield _row("lv", value, row_margin(form), "", label.value_shown(form))
    if gradient is not None and label.gradient is not None:
        yield _gradient(gradient, label.gradient, form)


def _gradient(box: Box, gradient: GradientText, form: Form) -> str:
    margin = gradient.margin(form)
    bars = bars_path(gradient.bars, box[2] - box[0] - 2 * margin - _BARS) if gradient.has_bars(form) else ""
    look = "lg bx" if gradient.is_boxed else "lg"
    return _row(look, box, margin, gradient.glyph(form), gradient.shown(form), bars)


def _row(look: str, box: Box, margin: float, mark: str, text: str, more: str = "") -> str:
    """Returns a row, seen from the left end of its content; the style sheet has all that is the same in each."""
    look += " sh" if margin == BARE_MARGIN else ""
    place = f"translate({coordinate(box[0] + margin)} {coordinate((box[1] + box[3]) / 2)})"
    found = f'<g{attributes(class_=look, transform=place)}><rect width="{coordinate(box[2] - box[0])}"></rect>'
    found += f'<use href="#m-{mark}"></use>' if mark else ""
    x = f' x="{coordinate(GLYPH)}"' if mark else ""
    return f"{found}<text{x}>{quoted(text)}</text>{more}</g>"


def bars_path(numbers: tuple[float, ...], left: float) -> str:
    """Returns up to 16 components as bars in one path, as `draw_component_bars` draws them."""
    finite = [item for item in numbers if math.isfinite(item)]
    most = max(map(abs, finite), default=0.0)
    if most == 0:
        return ""
    has_both = min(finite) < 0 < max(finite)
    base = 0.0 if has_both else (_BAR_REACH if max(finite) > 0 else -_BAR_REACH)
    reach = _BAR_REACH if has_both else 2 * _BAR_REACH
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
    return f'<path d="{data}"></path>'


def _leader(placed: Placed) -> str:
    widths = placed.label.widths(placed.form)
    rows = 1.0 if all(widths) else 0.5
    x, y = leader_end(placed.apart, max(widths) / 2, rows * ROW_HEIGHT)
    return f'<path class="ld" d="M0 0L{coordinate(x)} {coordinate(y)}"></path><circle class="dt" r="{DOT}"></circle>'
