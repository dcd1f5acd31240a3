"""The bodies of blocks in a page: painted as on the canvas, and what follows the numbers where the script finds it."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from PySide6.QtCore import QRectF

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import BlockShape, Body
from gradwire.app.canvas.painting.block_problems import notice
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter
from gradwire.app.canvas.painting.blocks.body_painter import NUMBER, BodyPainter, number_digits
from gradwire.app.canvas.painting.blocks.slice_picker import draw_picker, picker_of
from gradwire.app.canvas.painting.look import Look
from gradwire.app.features.share.web.bodies import Column, numbers_of, sliders_markup, trainable_markup, values_markup
from gradwire.app.features.share.web.sources import Sources
from gradwire.app.features.share.web.texts import coordinate, quoted
from gradwire.app.look.numbers import fmt
from gradwire.app.look.svg.svg_painter import SvgPainter
from gradwire.app.look.theme import ThemeName, font, theme
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.export.live.program import LiveProgram

_SLIDERS = {Body.SLIDER: "level", Body.SLIDERS: "upright"}
_NUMBERS = (Body.NUMBER, Body.LOSS, Body.STOP)
_PICTURES = (Body.PICTURE, Body.ROWS)
_THEMES: tuple[ThemeName, ...] = ("light", "dark")
_VALUES = (Body.BARS, Body.CURVE, Body.HEAT)


class BodyMarkup(NamedTuple):
    """A body as SVG, and what the script needs to write it anew; None where it never does."""

    markup: str
    script: dict[str, object] | None = None


class BlockBodies:
    """Writer of the bodies of one page's blocks."""

    def __init__(self, painter: SvgPainter, mirror: Mirror, look: Look, program: LiveProgram, sources: Sources) -> None:
        self._painter, self._mirror, self._look, self._program = painter, mirror, look, program
        self._sources = sources

    def body(self, row: int) -> BodyMarkup:
        """Returns the body of one block with its corner at 0, 0."""
        shape, block = self._mirror.shapes[row], self._mirror.blocks[row]
        name = self._output(row, shape)
        value = None if name is None else self._program.run.tensor(name, False)
        is_passed = block.is_muted and shape.role not in (None, Role.SOURCE, Role.LOSS)
        if name is None or value is None or not value.size or is_passed or notice(self._mirror, block.id) is not None:
            return self._painted(row)
        if shape.body in _SLIDERS:
            return self._sliders(row, name, value)
        if shape.body in _NUMBERS:
            return self._number(row, name, value)
        if shape.body is Body.TRAINABLE:
            return self._trainable(row, name, value)
        return self._values(row, name, value) if shape.body in _VALUES else self._painted(row)

    def _output(self, row: int, shape: BlockShape) -> PortName | None:
        outputs = shape.outputs
        return PortName(f"{self._mirror.session.prefix}/{self._mirror.ids[row]}", outputs[0].name) if outputs else None

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

    def _sliders(self, row: int, name: PortName, value: Array) -> BodyMarkup:
        shape, block = self._mirror.shapes[row], self._mirror.blocks[row]
        bounds = self._mirror.slider_range(block.id)
        path = self._sources.path_of(name.path)
        can_move = self._sources.can_move(path)
        columns = [Column(path, place, shape.own_name, can_move) for place in range(value.size)]
        gradients = numbers_of(self._program.run.tensor(name, True))
        markup = sliders_markup(shape, numbers_of(value), gradients, bounds, columns)
        tracks = [shape.slider_track(place) for place in range(value.size)]
        script: dict[str, object] = {
            "kind": _SLIDERS[shape.body],
            "path": path,
            "range": bounds,
            "tracks": [[track.left(), track.top(), track.width() or track.height()] for track in tracks],
        }
        if shape.body is Body.SLIDER:
            # Its bounds stand beside the number.
            markup += _bounds(shape, bounds)
        return _live(name, self._settings(row), markup, script)

    def _number(self, row: int, name: PortName, value: Array) -> BodyMarkup:
        body = self._painted(row).markup
        if value.size != 1:
            return BodyMarkup(body)
        dress = self._look.theme
        for anchor in ("", "end"):
            look = self._painter.styles.text(dress.color("value"), font(*NUMBER[:3]), 1.0, 1.0, anchor)
            body = body.replace(f'<text class="{look}"', f'<text class="{look} nu"', 1)
        look = self._painter.styles.text(dress.color("text.primary"), font("mono", 11), 1.0, 1.0)
        body = body.replace(f'<text class="{look}"', f'<text class="{look} an"', 1)
        return _live(name, "", body, {"kind": "number", "digits": number_digits(self._mirror.shapes[row])})

    def _values(self, row: int, name: PortName, value: Array) -> BodyMarkup:
        box, picker = self._mirror.shapes[row].body_box, picker_of(self._mirror, self._mirror.ids[row])
        box = box if picker is None else box.adjusted(0, 0, 0, -picker.box.height())
        return _live(name, self._settings(row), values_markup(value, box, True), {"kind": "values", **_placed(box)})

    def _trainable(self, row: int, name: PortName, value: Array) -> BodyMarkup:
        static, box = self._settings(row), self._mirror.shapes[row].body_box
        half = (box.height() - 8) / 2
        for text, look, top in ((tr("value"), "tw", box.top()), ("∂L", "tg", box.top() + half + 8)):
            static += f'<text class="{look}" x="{coordinate(box.left())}" y="{coordinate(top + 10)}">{text}</text>'
        markup = trainable_markup(value, self._program.run.tensor(name, True), box)
        return _live(name, static, markup, {"kind": "trainable", **_placed(box)})


def _live(name: PortName, static: str, markup: str, script: dict[str, object]) -> BodyMarkup:
    return BodyMarkup(f'{static}<g class="v">{markup}</g>', {"port": str(name), **script})


def _bounds(shape: BlockShape, bounds: tuple[float, float]) -> str:
    box, text = shape.slider_box(0), f"{fmt(bounds[0])} … {fmt(bounds[1])}"
    return f'<text class="rg" x="{coordinate(box.right())}" y="{coordinate(box.top() + 14)}">{text}</text>'


def _placed(box: QRectF) -> dict[str, object]:
    return {"box": [box.left(), box.top(), box.width(), box.height()]}
