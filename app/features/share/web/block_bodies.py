"""The bodies of blocks in a page: painted as on the canvas, until the script writes anew what follows the numbers."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from PySide6.QtCore import QRectF

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.canvas.painting.block_problems import notice
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter
from gradwire.app.canvas.painting.blocks.body_painter import FINE, NUMBER, BodyPainter, number_digits
from gradwire.app.canvas.painting.blocks.grown_text import draw_number
from gradwire.app.canvas.painting.blocks.slice_picker import draw_picker, picker_of
from gradwire.app.canvas.painting.blocks.thumbnails import draw_reading, draw_sliders
from gradwire.app.canvas.painting.look import Look
from gradwire.app.features.share.web.sources import Sources
from gradwire.app.features.share.web.texts import coordinate, quoted
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.drawing import RIGHT
from gradwire.app.look.numbers import fmt
from gradwire.app.look.svg.svg_painter import SvgPainter
from gradwire.app.look.theme import ThemeName, font, theme
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Port

_SLIDERS = {Body.SLIDER: "level", Body.SLIDERS: "upright"}
_NUMBERS = (Body.NUMBER, Body.LOSS, Body.STOP)
_PICTURES = (Body.PICTURE, Body.ROWS)
_THEMES: tuple[ThemeName, ...] = ("light", "dark")
_VALUES = (Body.BARS, Body.CURVE, Body.HEAT)


# The classes of what the script writes that decide which rules a page needs, by the kinds of bodies and the ways to
# show numbers.
WRITTEN = {
    **dict.fromkeys(_SLIDERS.values(), ("fi", "hit", "kn", "rg", "sa", "sl", "sn", "tr")),
    "trainable": ("gn",),
    "curve": ("cu", "sk"),
    "cells": ("cx",),
}


class BodyMarkup(NamedTuple):
    """A body as SVG, and what the script needs to write it anew; None where it never does."""

    markup: str
    script: dict[str, object] | None = None


class BlockBodies:
    """Writer of the bodies of one page's blocks."""

    def __init__(self, painter: SvgPainter, mirror: Mirror, look: Look, sources: Sources) -> None:
        self._painter, self._mirror, self._look, self._sources = painter, mirror, look, sources

    def body(self, row: int) -> BodyMarkup:
        """Returns the body of one block with its corner at 0, 0."""
        shape, block = self._mirror.shapes[row], self._mirror.blocks[row]
        port = Port(block.id, shape.outputs[0].name) if shape.outputs else None
        shown = None if port is None else self._mirror.session.port(port)
        is_passed = block.is_muted and shape.role not in (None, Role.SOURCE, Role.LOSS)
        if port is None or shown is None or is_passed or notice(self._mirror, block.id) is not None:
            return self._painted(row)
        value, name = shown.value, self._mirror.session.port_name(port)
        if value is None or not value.size:
            return self._painted(row)
        if shape.body in _SLIDERS:
            return self._sliders(row, name, value, shown.gradient)
        if shape.body in _NUMBERS:
            return self._number(row, name, value)
        if shape.body is Body.TRAINABLE:
            return self._trainable(row, name, value, shown.gradient)
        return self._values(row, name, value) if shape.body in _VALUES else self._painted(row)

    def _painted(self, row: int) -> BodyMarkup:
        if self._mirror.shapes[row].body not in _PICTURES:
            return BodyMarkup(self._body_in(self._look, row))
        # Images have no variables: they are painted in both themes. The script does not draw them anew.
        looks = {name: dataclasses.replace(self._look, theme=theme(name)) for name in _THEMES}
        parts = (f'<g class="in-{name}">{self._body_in(look, row)}</g>' for name, look in looks.items())
        at = self._mirror.shapes[row].body_box.center()
        place, said = f'x="{coordinate(at.x())}" y="{coordinate(at.y())}"', quoted(tr("as in the file"))
        old = f'<g class="now"><text class="m" {place}>{said}</text></g>'
        return BodyMarkup(f'<g class="fixed">{"".join(parts)}</g>{old}')

    def _body_in(self, look: Look, row: int) -> str:
        BlockPainter(self._painter, self._mirror, look).draw_body(row)
        return self._painter.take()

    def _settings(self, row: int) -> str:
        BodyPainter(self._painter, self._mirror, self._look, row).draw_settings()
        picker = picker_of(self._mirror, self._mirror.ids[row])
        if picker is not None:
            draw_picker(self._painter, self._look, picker)
        return self._painter.take()

    def _sliders(self, row: int, name: PortName, value: Reading, gradient: Reading | None) -> BodyMarkup:
        shape, bounds = self._mirror.shapes[row], self._mirror.slider_range(self._mirror.ids[row])
        static, slopes = self._settings(row), None if gradient is None else gradient.first
        draw_sliders(self._painter, self._look, shape, value.first, slopes, bounds)
        path = self._sources.path_of(name.path)
        sides = [(shape.slider_track(place), shape.slider_box(place)) for place in range(shape.sliders)]
        script: dict[str, object] = {
            "kind": _SLIDERS[shape.body],
            "path": path,
            "range": bounds,
            "tracks": [
                [track.left(), track.top(), track.width() or track.height(), *_sides(box)] for track, box in sides
            ],
            "title": shape.own_name,
            "stuck": not self._sources.can_move(path),
            "ends": " … ".join(map(fmt, bounds)),
        }
        return _live(name, static, self._painter.take(), script)

    def _number(self, row: int, name: PortName, value: Reading) -> BodyMarkup:
        body = self._painted(row).markup
        if value.size != 1:
            return BodyMarkup(body)
        dress = self._look.theme
        for anchor in ("", "end"):
            look = self._painter.styles.text(dress.color("value"), font(*NUMBER[:3]), 1.0, 1.0, anchor)
            body = body.replace(f'<text class="{look}"', f'<text class="{look} nu"', 1)
        look = self._painter.styles.text(dress.color("text.primary"), font("mono", 11), 1.0, 1.0)
        body = body.replace(f'<text class="{look}"', f'<text class="{look} an"', 1)
        script: dict[str, object] = {"kind": "number", "digits": number_digits(self._mirror.shapes[row])}
        return _live(name, "", body, script)

    def _values(self, row: int, name: PortName, value: Reading) -> BodyMarkup:
        box, picker = self._mirror.shapes[row].body_box, picker_of(self._mirror, self._mirror.ids[row])
        box, static = box if picker is None else box.adjusted(0, 0, 0, -picker.box.height()), self._settings(row)
        draw_reading(self._painter, self._look, box, value, True, "value")
        return _live(name, static, self._painter.take(), {"kind": "values", "way": _way(value), "box": _sides(box)})

    def _trainable(self, row: int, name: PortName, value: Reading, gradient: Reading | None) -> BodyMarkup:
        static, box = self._settings(row), self._mirror.shapes[row].body_box
        half = (box.height() - 8) / 2
        for text, look, top in ((tr("value"), "tw", box.top()), ("∂L", "tg", box.top() + half + 8)):
            static += f'<text class="{look}" x="{coordinate(box.left())}" y="{coordinate(top + 10)}">{text}</text>'
        area = QRectF(box.left(), box.top() + 14, box.width(), half - 14)
        draw_reading(self._painter, self._look, area, value, False, "value")
        if gradient is not None:
            below, token = area.translated(0, half + 8), "grad.text"
            words = QRectF(box.left(), below.top() - 14, box.width(), 13)
            draw_number(self._painter, self._look, words, RIGHT, f"|∂L| {fmt(gradient.norm)}", FINE.inked(token))
            draw_reading(self._painter, self._look, below, gradient, False, token)
        script: dict[str, object] = {"kind": "trainable", "way": _way(value), "box": _sides(box)}
        return _live(name, static, self._painter.take(), script)


def _live(name: PortName, static: str, markup: str, script: dict[str, object]) -> BodyMarkup:
    return BodyMarkup(f'{static}<g class="v">{markup}</g>', {"port": str(name), **script})


def _way(value: Reading) -> str:
    """Returns the way in which a tensor is shown, by its shape."""
    if value.thumbnail is None:
        return "bars"
    return "cells" if value.thumbnail.ndim == 2 else "curve"


def _sides(box: QRectF) -> list[float]:
    return [box.left(), box.top(), box.width(), box.height()]
