"""How large a block is, where its ports are and what its body shows; decided by type and specs, never by values."""

from __future__ import annotations

import enum
import functools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.main_setting import chip_of, field_of
from gradwire.app.look.categories import type_title
from gradwire.app.look.theme import font, size
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.loops import rounds_of
from gradwire.engine.graph.ports import page_ports, used_page

HEADER, PAD, ROW = size("block.header"), 6.0, size("block.port.row")
WIDTH, WIDTH_MIN, WIDTH_MAX = size("block.width"), size("block.width.min"), size("block.width.max")
BARS_AT_MOST, SLIDERS_AT_MOST, NUMBERS_AT_MOST = 16, 6, 4
REROUTE_SIZE, FIELD = 16.0, size("control.small")
# How much of the header the text at its right may take, but for what is known by its name. Units: px at 100 %.
RIGHT_AT_MOST = 60.0


class Body(enum.Enum):
    """The kinds of bodies that blocks show, with their heights. Units: px at 100 %."""

    NONE = "none", 0.0
    NUMBER = "number", 26.0
    NUMBERS = "numbers", 26.0
    BARS = "bars", 50.0
    CURVE = "curve", 48.0
    HEAT = "heat map", 50.0
    SLIDER = "slider", 44.0
    SLIDERS = "sliders", 70.0
    TRAINABLE = "value and gradient", 104.0
    LOSS = "loss", 36.0
    STOP = "stop", 26.0
    MESSAGE = "message", 46.0
    HINT = "hint", 34.0
    MUTED = "muted", 34.0
    PAGE = "page", 56.0
    LOOP = "loop", 68.0
    COLLAPSED = "collapsed", 0.0
    REROUTE = "dot", 0.0
    PICTURE = "picture", 140.0
    ROWS = "rows", 108.0
    FOLD = "fold", 0.0

    def __init__(self, _: str, height: float) -> None:
        self.height = height


# Blocks that show a picture beside their ports, not below them, and their width. Units: px at 100 %.
_PICTURED, _PICTURE_WIDTH, _PICTURE_WIDTH_MAX = ("Monitor", "Chart"), 352.0, 720.0
_NAMED = (Role.SOURCE, Role.PAGE, Role.PAGE_INPUT, Role.PAGE_OUTPUT)
_ROLE_BODIES = {Role.STOP: Body.STOP, Role.LOSS: Body.LOSS, Role.PAGE: Body.PAGE, Role.PAGE_OUTPUT: Body.NONE}


class PortShape(NamedTuple):
    """A port: where its middle is, from the block's corner; `is_free` is the next number of a variadic input.

    On a fold it is the port of a `block` inside.
    """

    name: str
    is_input: bool
    x: float
    y: float
    spec: TensorSpec | None
    is_connected: bool
    is_free: bool = False
    block: str = ""


class BlockShape(NamedTuple):
    """A block as it is drawn, its corner at 0, 0."""

    type: BlockType | None
    title: str
    name: str
    chip: str
    width: float
    height: float
    ports: tuple[PortShape, ...]
    body: Body
    body_box: QRectF
    sliders: int = 0
    field: str = ""

    @property
    def widest(self) -> float:
        """The greatest width that a drag of its edge gives it. Units: px at 100 %."""
        return _PICTURE_WIDTH_MAX if self.body is Body.PICTURE else WIDTH_MAX

    @property
    def role(self) -> Role | None:
        """The role of its type; None for an unknown type."""
        return None if self.type is None else self.type.role

    @property
    def is_known_by_name(self) -> bool:
        """Whether its own name says enough of it, without its type."""
        return self.type is not None and (self.type.role in _NAMED or self.type.name in _PICTURED)

    @property
    def own_name(self) -> str:
        """The name by which it is known where there is little room: its own one, or its type where it has none."""
        return self.title if self.role is Role.PAGE or not self.name else self.name

    @property
    def inputs(self) -> list[PortShape]:
        """The input ports, top to bottom."""
        return [port for port in self.ports if port.is_input]

    @property
    def outputs(self) -> list[PortShape]:
        """The output ports, top to bottom."""
        return [port for port in self.ports if not port.is_input]

    def port(self, name: str, is_input: bool, block: str = "") -> PortShape | None:
        """Returns the port of that name on one side; on a fold, that of a `block` inside."""
        sought = name, is_input, block if self.body is Body.FOLD else ""
        return next((port for port in self.ports if (port.name, port.is_input, port.block) == sought), None)

    @property
    def field_box(self) -> QRectF:
        """The row above the body in which the main setting is chosen; empty where there is none."""
        box = self.body_box
        return QRectF(box.left(), box.top() - FIELD, box.width(), FIELD) if self.field else QRectF()

    def slider_box(self, index: int) -> QRectF:
        """Returns the column (or row) that belongs to one slider, numbers included."""
        box = self.body_box
        if self.body is Body.SLIDER:
            return box
        each = box.width() / max(self.sliders, 1)
        return QRectF(box.left() + index * each, box.top(), each, box.height())

    def slider_track(self, index: int) -> QRectF:
        """Returns the line on which the middle of a slider's knob may be, as a rectangle without breadth."""
        box = self.slider_box(index)
        if self.body is Body.SLIDER:
            return QRectF(box.left() + 8, box.top() + 31, box.width() - 16, 0)
        return QRectF(box.center().x(), box.top() + 8, 0, 44)


# Ports by name, side and block inside.
PortsByName = dict[tuple[str, bool, str], PortShape]


def ports_by_name(ports: Sequence[PortShape]) -> PortsByName:
    """Returns the ports of a shape, which may be thousands, by all that names them: the first of each name."""
    return {(port.name, port.is_input, port.block): port for port in reversed(ports)}


def loss_row(loss: BlockShape) -> QRectF:
    """Returns the row in which a Loss has its number, or in which a click makes it the used one."""
    box = loss.body_box
    return QRectF(box.left() + 1, box.top() + 6, box.width() - 3, 24)


class Wired(NamedTuple):
    """The names of ports that have a wire, of one block."""

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()


NOT_WIRED = Wired()


def wired_ports(page: Page) -> dict[str, Wired]:
    """Returns the ports of every block that have a wire, surplus wires included."""
    inputs: defaultdict[str, dict[str, None]] = defaultdict(dict)
    outputs: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for (source, output), (target, port) in (*page.wires.values(), *page.surplus):
        inputs[target][port] = outputs[source][output] = None
    names = inputs.keys() | outputs.keys()
    return {name: Wired(tuple(inputs.get(name, ())), tuple(outputs.get(name, ()))) for name in names}


def shape_like(shape: BlockShape, block: Block) -> BlockShape | None:
    """Returns the shape of a block that differs from another only in its names; None where these need another width."""
    if shape.body is Body.REROUTE:
        return shape._replace(name=block.id)
    title, name = _names(block, shape.type)
    if (title, name) == (shape.title, shape.name):
        return shape
    fits = bool(block.width) or _width(shape.type, title, name or shape.chip, shape.body) == shape.width
    # `_replace` would take four times as long.
    return BlockShape(shape.type, title, name, *shape[3:]) if fits else None


def shape_of(graph: Graph, block: Block, path: str, wired: Wired, inferred: Inferred, message: str = "") -> BlockShape:
    """Returns the shape of a block whose results have the name `path`; with a `message` its body holds an error."""
    block_type = library.get(block.type)
    outputs = _output_names(graph, block, block_type, path, wired, inferred)
    specs = [inferred.specs.get(PortName(path, name)) for name in outputs]
    if block_type is not None and block_type.role is Role.REROUTE:
        return _reroute(block, block_type, outputs[0], specs[0], wired)
    inputs = _input_names(graph, block, block_type, wired)
    free = _free_name(block_type, inputs)
    body = _body(block, block_type, specs, bool(message), wired)
    if body is Body.NONE and outputs and specs[0] is None and path in inferred.awaiting:
        # Only the values say how large the result is; bars, a curve and a matrix have room in this.
        body = Body.BARS
    title, name = _names(block, block_type)
    instance = inferred.expanded.instances.get(path)
    sources = {} if instance is None else instance.inputs
    given = {item: inferred.specs.get(source) for item, source in sources.items()}
    chip, field = chip_of(block, block_type, next(iter(given.values()), None)), _field(block_type, body)
    if block_type is not None and block_type.role is Role.LOSS and "weights" in given:
        chip = "Σ w x"
    width = float(block.width) if block.width else _width(block_type, title, name or chip, body)
    names = [*((item, False) for item in inputs), *([(free, True)] if free else [])]
    rows = 0 if body is Body.PICTURE else max(len(names), len(outputs), 0 if body is Body.COLLAPSED else 1)
    tall, above = body.height, FIELD if field else 0.0
    if body is Body.PICTURE and block.width:
        # A plane is as high as it is wide; other pictures keep their proportions.
        is_plane = block.parameters.get("kind") == "boundary"
        tall = width - 2 * PAD if is_plane else tall * width / _PICTURE_WIDTH
    step, top, height = ROW, HEADER + PAD + ROW / 2, HEADER + PAD + ROW * rows + above + tall + PAD
    if body is Body.COLLAPSED:
        step, top, height = 0.0, HEADER / 2, HEADER
    ports = [
        PortShape(item, True, 0.0, top + step * row, given.get(item), item in wired.inputs, is_free)
        for row, (item, is_free) in enumerate(names)
    ]
    ports += [
        PortShape(item, False, width, top + step * row, spec, item in wired.outputs)
        for row, (item, spec) in enumerate(zip(outputs, specs, strict=True))
    ]
    beside = _beside(inputs) if body is Body.PICTURE else 0.0
    box = QRectF(10 + beside, HEADER + PAD + ROW * rows + above, width - 20 - beside, tall)
    first = specs[0] if specs else None
    sliders = first.size if body in (Body.SLIDERS, Body.SLIDER) and first is not None else 0
    return BlockShape(block_type, title, name, chip, width, height, tuple(ports), body, box, sliders, field)


def _beside(inputs: Iterable[str]) -> float:
    """Returns how wide the names of ports beside a picture are where texts grow most. Units: px at 100 %."""
    return 1.3 * max((text_width("ui", 11, 400, plain(name)) for name in inputs), default=0.0) + 4


def _reroute(block: Block, block_type: BlockType, output: str, spec: TensorSpec | None, wired: Wired) -> BlockShape:
    middle = REROUTE_SIZE / 2
    ports = (
        PortShape("x", True, middle, middle, spec, "x" in wired.inputs),
        PortShape(output, False, middle, middle, spec, output in wired.outputs),
    )
    box = QRectF(0, 0, REROUTE_SIZE, REROUTE_SIZE)
    return BlockShape(block_type, "", block.id, "", REROUTE_SIZE, REROUTE_SIZE, ports, Body.REROUTE, box)


def _output_names(
    graph: Graph, block: Block, block_type: BlockType | None, path: str, wired: Wired, inferred: Inferred
) -> list[str]:
    if block_type is None:
        return sorted(wired.outputs)
    if block_type.role is Role.PAGE:
        page = used_page(graph, block)
        return list(wired.outputs) if page is None else [port.name for port in page_ports(page, Role.PAGE_OUTPUT)]
    if block_type.role is Role.PAGE_OUTPUT:
        return []
    names = [port.name for port in block_type.outputs if not port.variadic]
    if len(names) < len(block_type.outputs):
        names += [name for name in inferred.outputs.get(path, wired.outputs) if name not in names]
    return names


def _input_names(graph: Graph, block: Block, block_type: BlockType | None, wired: Wired) -> list[str]:
    if block_type is None:
        return sorted(wired.inputs)
    if block_type.role is Role.PAGE:
        page = used_page(graph, block)
        return list(wired.inputs) if page is None else [port.name for port in page_ports(page, Role.PAGE_INPUT)]
    names = [port.name for port in block_type.inputs if not port.variadic]
    numbered = [name for name in wired.inputs if name not in names]
    return names + sorted(numbered, key=lambda name: (len(name), name))


def _free_name(block_type: BlockType | None, inputs: Iterable[str]) -> str | None:
    """Returns the port that the next wire into a variadic input takes."""
    variadic = None if block_type is None else next((port for port in block_type.inputs if port.variadic), None)
    if variadic is None:
        return None
    taken, number = set(inputs), 0
    while f"{variadic.name}_{number}" in taken:
        number += 1
    return f"{variadic.name}_{number}"


def _body(
    block: Block, block_type: BlockType | None, specs: list[TensorSpec | None], is_broken: bool, wired: Wired
) -> Body:
    if block.is_collapsed:
        return Body.COLLAPSED
    if block_type is None or is_broken:
        return Body.MESSAGE
    if block.is_muted and block_type.role not in (Role.SOURCE, Role.LOSS):
        return Body.MUTED
    if block_type.name in _PICTURED:
        return Body.PICTURE
    if _missing(block_type, wired):
        return Body.HINT
    if block_type.is_loop:
        return Body.LOOP
    if block_type.role is not Role.ORDINARY and block_type.role in _ROLE_BODIES:
        return _ROLE_BODIES[block_type.role]
    spec = specs[0] if specs else None
    if spec is None or spec.size == 0:
        return Body.NONE
    if block_type.name == "Input" and spec.ndim <= 1 and spec.size <= SLIDERS_AT_MOST and spec.dtype.kind in "fiu":
        return Body.SLIDERS if spec.ndim else Body.SLIDER
    if block_type.name == "Data":
        return Body.ROWS
    if block_type.name == "Variable" and spec.ndim >= 1:
        return Body.TRAINABLE
    if block_type.name == "Constant" and spec.ndim == 1 and 1 < spec.size <= NUMBERS_AT_MOST:
        return Body.NUMBERS
    return _value_body(spec)


def _field(block_type: BlockType | None, body: Body) -> str:
    """Returns the parameter that is chosen on the block itself; "" where there is none or no place for it."""
    parameter = None if body in (Body.COLLAPSED, Body.MUTED, Body.PICTURE) else field_of(block_type)
    return "" if parameter is None else parameter.name


def _value_body(spec: TensorSpec) -> Body:
    if spec.size == 1 and spec.ndim <= 1:
        return Body.NUMBER
    if spec.ndim >= 2:
        return Body.HEAT
    return Body.BARS if spec.size <= BARS_AT_MOST else Body.CURVE


def _missing(block_type: BlockType, wired: Wired) -> bool:
    needed = [port for port in block_type.inputs if not port.optional]
    return any(not wired.inputs if port.variadic else port.name not in wired.inputs for port in needed)


def _names(block: Block, block_type: BlockType | None) -> tuple[str, str]:
    """Returns the texts at the left and right of the header: the type, or the page that is used, and the own name."""
    title, right = _true_names(block, block_type)
    return plain(title), plain(right)


def _true_names(block: Block, block_type: BlockType | None) -> tuple[str, str]:
    own = block.label or block.id
    if block_type is not None and (block_type.role is Role.SOURCE or block_type.name in _PICTURED):
        return block_type.name, own if own != block_type.name else ""
    if block_type is not None and block_type.role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        return type_title(block_type), str(block.parameters.get("name", own))
    is_default = block.label is None and _is_numbered(block.id.lower(), block.type.rpartition(".")[2].lower())
    if block_type is not None and block_type.role is Role.PAGE:
        page = str(block.parameters.get("page", block.id))
        if block_type.is_loop:
            is_told = is_default or own == page
            return page if is_told else own, f"× {rounds_of(block):,}" + ("" if is_told else f" {page}")
        return (page, tr("page")) if is_default or own == page else (own, page)
    return block.type, "" if is_default else own


def _is_numbered(name: str, stem: str) -> bool:
    """Returns whether a name is the stem itself or `stem_1`, `stem_2` and so on."""
    return name == stem or (name.startswith(f"{stem}_") and name[len(stem) + 1 :].isdecimal())


@functools.lru_cache(maxsize=4096)
def text_width(kind: str, px: float, weight: int, text: str) -> float:
    """Returns how wide a text is in one of the program's fonts. Units: px."""
    return font_metrics(kind, px, weight).horizontalAdvance(text)


@functools.cache
def font_metrics(kind: str, px: float, weight: int) -> QFontMetricsF:
    """Returns the metrics of one of the program's fonts."""
    return QFontMetricsF(font("mono" if kind == "mono" else "ui", px, weight))


def _width(block_type: BlockType | None, title: str, right: str, body: Body) -> float:
    if body is Body.PICTURE:
        return _PICTURE_WIDTH
    needed = 28 + text_width("ui", 12, 600, title) + 12
    if not right or body is Body.NUMBER:
        return _whole_width(needed)
    # Mostly the width is the same however long the name is; measuring it takes longer than all else.
    at_most = WIDTH_MAX if block_type is not None and block_type.role in _NAMED else RIGHT_AT_MOST
    least, most = _whole_width(needed + 8), _whole_width(needed + at_most + 8)
    return least if least == most else _whole_width(needed + min(text_width("ui", 11, 400, right), at_most) + 8)


def _whole_width(needed: float) -> float:
    return min(max(WIDTH, math.ceil(needed / 16) * 16.0), WIDTH_MAX)
