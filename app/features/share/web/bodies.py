"""What blocks show of their numbers as elements of SVG; the page's script (`draw.js`) writes the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.shapes import BlockShape, Body
from gradwire.app.canvas.painting.blocks.heat_map import GAP, NOTCH
from gradwire.app.canvas.painting.blocks.thumbnails import ARROW, KNOB, NUMBERS_OVERLAP
from gradwire.app.features.share.web.texts import attributes, coordinate, exact
from gradwire.app.features.share.web.token_theme import CELL_STEPS
from gradwire.app.live.readings.notes import VALUES_KEPT
from gradwire.app.live.readings.pictures import thumbnail_of
from gradwire.app.look.numbers import fmt, fmt_short
from gradwire.engine.base.tensor_spec import Array

# The width of a letter below bars, and its base line above the end of its row. Units: px.
LETTER, BASE = 6.0, 2.41
Bounds = tuple[float, float]


class Column(NamedTuple):
    """One number under a slider: its place among the numbers of `path`, and whether it can be moved."""

    path: str
    place: int
    label: str
    can_move: bool


def values_markup(array: Array, box: QRectF, has_numbers: bool, token: str = "") -> str:
    """Returns a tensor as bars, a curve or cells, whichever suits its shape; `token` marks gradients."""
    picture = thumbnail_of(array)
    if picture is None:
        return bars_markup(array.astype(float).ravel().tolist(), box, has_numbers, token)
    return cells_markup(picture, box) if picture.ndim == 2 else curve_markup(picture.tolist(), box, token)


def bars_markup(numbers: Sequence[float], box: QRectF, has_numbers: bool, token: str = "") -> str:
    """Returns at most 16 numbers as bars from a zero line, with the numbers below where all of them fit."""
    numbers = numbers[:VALUES_KEPT]
    if not numbers:
        return ""
    left, top, width, height = box.left(), box.top(), box.width(), box.height()
    room = width / len(numbers) + NUMBERS_OVERLAP
    forms = ([fmt_short(item, digits) for item in numbers] for digits in (3, 2) if has_numbers)
    texts = next((texts for texts in forms if all(len(text) * LETTER <= room for text in texts)), [])
    tall = height - (14 if texts else 4)
    finite = [item for item in numbers if math.isfinite(item)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    span = (high - low) or 1.0
    zero, each = top + 2 + tall * high / span, width / len(numbers)
    inset = min(2.0, each / 6)
    bars = crosses = words = ""
    for index, item in enumerate(numbers):
        x, wide = left + index * each + inset, each - 2 * inset
        if math.isfinite(item):
            bars += _bar(x, wide, zero, tall * item / span)
        else:
            crosses += _cross(x + wide / 2, top + 2 + tall / 2)
    for index, text in enumerate(texts):
        words += _number("m", left + (index + 0.5) * each, top + height - BASE, text)
    line = f'<path class="zl" d="M{coordinate(left)} {coordinate(zero)}h{coordinate(width)}"></path>'
    cross = f'<path class="al" d="{crosses}"></path>' if crosses else ""
    return f'<path class="ba{token}" d="{bars}"></path>{cross}{line}{words}'


def _bar(left: float, width: float, zero: float, height: float) -> str:
    is_seen = abs(height) >= 1
    top = min(zero, zero - height) if is_seen else zero - 0.5
    tall = abs(height) if is_seen else 1.0
    return f"M{coordinate(left)} {coordinate(top)}h{coordinate(width)}v{coordinate(tall)}h{coordinate(-width)}z"


def _cross(x: float, y: float) -> str:
    return f"M{coordinate(x - 4)} {coordinate(y - 4)}l8 8m0 -8l-8 8"


def _number(look: str, x: float, y: float, text: str) -> str:
    return f'<text class="{look}" x="{coordinate(x)}" y="{coordinate(y)}">{text}</text>'


def curve_markup(points: Sequence[float], box: QRectF, token: str = "") -> str:
    """Returns a sampled vector as a line, with gaps where it is not finite."""
    left, top, width, height = box.left(), box.top(), box.width(), box.height()
    ground = _rect("sk", box)
    finite = [item for item in points if math.isfinite(item)]
    if not finite:
        return f'{ground}<path class="al" d="{_cross(left + width / 2, top + height / 2)}"></path>'
    low = min(finite)
    span, step = (max(finite) - low) or 1.0, (width - 6) / max(len(points) - 1, 1)
    data, is_on = "", False
    for index, item in enumerate(points):
        if math.isfinite(item):
            y = top + height - 4 - (item - low) / span * (height - 8)
            data += f"{'L' if is_on else 'M'}{coordinate(left + 3 + index * step)} {coordinate(y)}"
        is_on = math.isfinite(item)
    return f'{ground}<path class="cu{token}" d="{data}"></path>'


def _rect(look: str, box: QRectF) -> str:
    sides = (box.left(), box.top(), box.width(), box.height())
    names = zip(("x", "y", "width", "height"), map(coordinate, sides), strict=True)
    return f"<rect{attributes(class_=look, **dict(names))}></rect>"


def cells_markup(picture: Array, box: QRectF) -> str:
    """Returns a sampled matrix as cells, a path for each colour, with notches in the negative ones."""
    rows, columns = picture.shape
    wide, tall = box.width() / columns, box.height() / rows
    most = max((abs(item) for item in picture.ravel().tolist() if math.isfinite(item)), default=0.0) or 1.0
    notch = min(wide, tall) * NOTCH
    paths: dict[str, str] = {}
    notches = ""
    for row, line in enumerate(picture.tolist()):
        for column, item in enumerate(line):
            look = f"c{math.floor(item / most * CELL_STEPS + 0.5)}".replace("-", "m") if math.isfinite(item) else "cx"
            x, y = box.left() + column * wide, box.top() + row * tall
            cell = f"M{coordinate(x)} {coordinate(y)}h{coordinate(wide - GAP)}v{coordinate(tall - GAP)}"
            paths[look] = paths.get(look, "") + f"{cell}h{coordinate(GAP - wide)}z"
            if math.isfinite(item) and item < 0:
                end = coordinate(x + wide - GAP)
                notches += f"M{end} {coordinate(y)}h{coordinate(-notch)}L{end} {coordinate(y + notch)}z"
    found = "".join(f'<path class="{look}" d="{data}"></path>' for look, data in paths.items())
    return found + (f'<path class="no" d="{notches}"></path>' if notches else "")


def trainable_markup(value: Array, gradient: Array | None, box: QRectF) -> str:
    """Returns the value of a Variable above its gradient."""
    half = (box.height() - 8) / 2
    area = QRectF(box.left(), box.top() + 14, box.width(), half - 14)
    found = values_markup(value, area, False)
    if gradient is None:
        return found
    below = area.translated(0, half + 8)
    norm = math.sqrt(sum(item * item for item in gradient.astype(float).ravel().tolist()))
    text = _number("gn", box.right(), box.top() + half + 8 + 10, f"|∂L| {fmt(norm)}")
    return found + text + values_markup(gradient, below, False, " g")


def sliders_markup(
    shape: BlockShape, numbers: Sequence[float], gradients: Sequence[float], bounds: Bounds, columns: Sequence[Column]
) -> str:
    """Returns the sliders of an Input with arrows as long as the gradients are large."""
    top = max((abs(item) for item in gradients if math.isfinite(item)), default=0.0)
    found = ""
    for index, number in enumerate(numbers):
        slope = gradients[index] / top if top and index < len(gradients) and math.isfinite(gradients[index]) else 0.0
        found += _slider(shape, columns[index], number, slope, bounds)
    return found


def _slider(shape: BlockShape, column: Column, number: float, slope: float, bounds: Bounds) -> str:
    index, is_level = column.place, shape.body is Body.SLIDER
    place, track = shape.slider_box(index), shape.slider_track(index)
    x, y, length = track.left(), track.top(), track.width() if is_level else track.height()
    parts = slider_parts(is_level, x, y, length, number, slope, bounds)
    text = fmt(number) if is_level else fmt_short(number)
    at = (place.left(), place.top() + 14.7) if is_level else (place.center().x(), place.bottom() - 4.4)
    numeric = math.isfinite(number)
    told = attributes(
        class_="sl",
        role="slider",
        tabindex=0,
        aria_valuemin=exact(bounds[0]),
        aria_valuemax=exact(bounds[1]),
        aria_valuenow=exact(number) if numeric else None,
        aria_valuetext=None if numeric else exact(number),
        aria_orientation=None if is_level else "vertical",
        aria_disabled=None if column.can_move else "true",
        aria_label=f"{column.label} {column.path}[{index}]",
    )
    return (
        f'<g{told}>{_rect("hit", place)}<path class="tr" d="{parts[0]}"></path><path class="fi" d="{parts[1]}"></path>'
        f'<path class="sa" d="{parts[2]}"></path>'
        f'<circle class="kn" cx="{parts[3]}" cy="{parts[4]}" r="{KNOB}"></circle>'
        f"{_number('sn' if is_level else 'm', *at, text)}</g>"
    )


def slider_parts(
    is_level: bool, x: float, y: float, length: float, number: float, slope: float, bounds: Bounds
) -> tuple[str, str, str, str, str]:
    """Returns the track, its filled part, the arrow, and the middle of the knob."""
    low, high = bounds

    def share(item: float) -> float:
        return min(max((item - low) / (high - low), 0.0), 1.0) if math.isfinite(item) else 0.0

    if is_level:
        knob, zero = x + share(number) * length, x + share(0.0) * length
        track = f"M{coordinate(x)} {coordinate(y)}h{coordinate(length)}"
        filled = f"M{coordinate(zero)} {coordinate(y)}H{coordinate(knob)}"
        return track, filled, _arrow(knob, y - 9, slope * ARROW, 0.0), coordinate(knob), coordinate(y)
    knob, zero = y + length - share(number) * length, y + length - share(0.0) * length
    track = f"M{coordinate(x)} {coordinate(y)}v{coordinate(length)}"
    filled = f"M{coordinate(x)} {coordinate(zero)}V{coordinate(knob)}"
    return track, filled, _arrow(x + 8, knob, 0.0, -slope * ARROW), coordinate(x), coordinate(knob)


def _arrow(x: float, y: float, across: float, down: float) -> str:
    length = abs(across) + abs(down)
    if length < 0.5:
        return ""
    ux, uy, ex, ey = across / length, down / length, x + across, y + down
    left = f"{coordinate(ex - ux * 3.5 - uy * 3)} {coordinate(ey - uy * 3.5 + ux * 3)}"
    right = f"{coordinate(ex - ux * 3.5 + uy * 3)} {coordinate(ey - uy * 3.5 - ux * 3)}"
    end = f"{coordinate(ex)} {coordinate(ey)}"
    return f"M{coordinate(x)} {coordinate(y)}L{end}M{left}L{end}L{right}"


def numbers_of(array: Array | None) -> list[float]:
    """Returns the elements of an array as Python's numbers."""
    return [] if array is None else np.asarray(array, float).ravel().tolist()
