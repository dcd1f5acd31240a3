"""Backward pass as a page: a copy of the forward blocks, wired to the blocks of every gradient."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from gradwire.engine.autodiff.backward import Edge, filled
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.lower import infer_and_measure, lower
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Function, Role, arrange_inputs
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.primitives import BroadcastTo, Constant, Identity
from gradwire.engine.edits.edits import normal_parameters
from gradwire.engine.graph.graph import NAME, Block, Frame, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import FreeNames, free_name
from gradwire.engine.graph.paths import flat_name
from gradwire.engine.layout.layout import CANVAS, Outline, arrange

FORWARD, BACKWARD = "forward", "backward"
FRAMES = ("Forward", "Backward")
_LABELS_SHOWN = 3
_LONGEST = 50
_BACKWARD, _NUMBER = re.compile(r"grad\d*_"), re.compile(r"_\d+$")


def add_backward_page(graph: Graph, page_name: str) -> tuple[Graph, str]:
    """Returns the graph with the backward pass of a page as one more page, and that page's name.

    Raises: EditError if nothing on the page is differentiated.
    """
    return add_page_of(graph, backward_page(lower(infer_and_measure(graph)), page_name), page_name)


def add_page_of(graph: Graph, page: Page | None, page_name: str) -> tuple[Graph, str]:
    """Inserts a page made by `backward_page` after its original; returns the graph and the page's name."""
    if page is None:
        raise EditError(f'Page "{page_name}" has no loss that could be differentiated; add a Loss first.')
    names = [item.name for item in graph.pages]
    name = free_name(f"{page_name[:_LONGEST]}_backward", names)
    place = names.index(page_name) + 1 if page_name in names else len(names)
    pages = (*graph.pages[:place], dataclasses.replace(page, name=name), *graph.pages[place:])
    return dataclasses.replace(graph, pages=pages), name


def backward_page(lowered: Lowered, page_name: str, frames: tuple[str, str] = FRAMES) -> Page | None:
    """Returns a page that computes the gradients of all sources of a page; None without a loss.

    Sources of the pages it uses are included. Every application of a block type becomes a block. Forward blocks keep
    their names. The blocks from the gradient rule of block `e` are called `grad_e`, `grad_e_1` ... (`grad2_e` where
    forward blocks have such names already), and their labels name the gradients they hold. The gradient of source `x`
    ends in the Identity `grad_x`. Blocks have no places yet. A page with an own gradient becomes its blocks and those
    of that gradient; the result differentiates both as they are.
    `frames` are the titles of the two frames.
    """
    writer = _Writer(lowered, page_name)
    if not writer.losses:
        return None
    writer.write()
    forward = tuple(block_id for block_id in writer.blocks if block_id not in writer.backward)
    both = zip((FORWARD, BACKWARD), frames, (forward, tuple(writer.backward)), strict=True)
    made = tuple(Frame(frame_id, title, held) for frame_id, title, held in both if held)
    return Page(page_name, writer.blocks, {wire.target: wire for wire in writer.wires}, frames=made)


def forward_of(page: Page, block_id: str) -> str | None:
    """Returns the forward block of a backward page whose gradient rule made this one; None for any other block."""
    return _forward_of(page, block_id) if block_id in _held(page, BACKWARD) else None


def _forward_of(page: Page, block_id: str) -> str | None:
    start = _BACKWARD.match(block_id)
    if start is None:
        return None
    name = block_id[start.end() :]
    return next((found for found in (name, _NUMBER.sub("", name)) if found in page.blocks), None)


def partners_of(page: Page, block_id: str) -> frozenset[str]:
    """Returns a forward block together with all blocks made by its gradient rule; any of them may be given.

    Empty where a block stands alone, and on other pages.
    """
    forward = forward_of(page, block_id) or block_id
    made = [name for name in _held(page, BACKWARD) if _forward_of(page, name) == forward]
    return frozenset([forward, *made]) if made else frozenset()


def arranged(page: Page, outlines: Mapping[str, Outline]) -> Page:
    """Returns the backward page with a position for every block; the forward part lies above the backward part.

    Units: px at 100 %.
    """
    places = arrange(page, outlines, room=CANVAS)
    above, below = (_band(_held(page, name), places, outlines) for name in (FORWARD, BACKWARD))
    if below and above and below[1] <= above[0]:
        shifts = {FORWARD: below[0] - above[0], BACKWARD: above[1] - below[1]}
        for name, shift in shifts.items():
            places |= {held: (places[held][0], places[held][1] + shift) for held in _held(page, name)}
    blocks = {name: dataclasses.replace(block, at=places[name]) for name, block in page.blocks.items()}
    return dataclasses.replace(page, blocks=blocks)


def _held(page: Page, frame_id: str) -> tuple[str, ...]:
    return next((frame.blocks for frame in page.frames if frame.id == frame_id), ())


def _band(
    names: Sequence[str], places: Mapping[str, tuple[int, int]], outlines: Mapping[str, Outline]
) -> tuple[int, int] | None:
    """Returns the smallest and the largest y of some blocks."""
    if not names:
        return None
    return min(places[name][1] for name in names), max(places[name][1] + int(outlines[name].height) for name in names)


class _Writer:
    """Writer of applications as blocks: each once, after the ones it reads."""

    def __init__(self, lowered: Lowered, page_name: str) -> None:
        self._lowered, self._prefix = lowered, f"{page_name}/"
        self._backward = lowered.backward
        self._start = "grad_"
        self.losses = [loss for loss in lowered.losses if self._is_here(lowered.owners[loss.application])]
        self._names = FreeNames()
        self._ids: dict[Application, str] = {}
        self._ports: dict[Expression, Port] = {}
        self.blocks: dict[str, Block] = {}
        self.wires: list[Wire] = []
        self.backward: dict[str, None] = {}

    def write(self) -> None:
        """Writes the losses and the gradients of all sources, with all applications that they need."""
        sources = self._sources()
        gradients = [self._gradient(source) for source in sources]
        needed = topological_order([*self.losses, *sources, *gradients])
        self._start = _free_start(map(_short, self._lowered.owners.values()))
        outputs = [f"{self._start}{_short(self._lowered.owners[source.application])}" for source in sources]
        self._name(needed, outputs)
        labels = self._labels()
        for application in needed:
            self._write(application, labels.get(application))
        for source, gradient in zip(sources, gradients, strict=True):
            self._write_output(self._ids[source.application], gradient)

    def _is_here(self, path: str) -> bool:
        return path.startswith(self._prefix)

    def _sources(self) -> list[Expression]:
        """Returns the sources whose gradients are known."""
        instances = self._lowered.inferred.expanded.instances.items()
        paths = [path for path, item in instances if item.role is Role.SOURCE and self._is_here(path)]
        found = [self._lowered.ports.get(PortName(path, "y")) for path in paths]
        known = [item for item in found if item is not None and item not in self._backward.hidden]
        return [item for item in known if item.spec.is_differentiable]

    def _gradient(self, source: Expression) -> Expression:
        """Returns the gradient of a source; zeros if no path from the loss reaches it."""
        total = self._backward.totals.get(source)
        return filled(source.spec, 0) if total is None else total

    # Names

    def _name(self, needed: Sequence[Application], outputs: Iterable[str]) -> None:
        """Gives every application an id outside `outputs`; forward ones come first, so that they keep their names."""
        names = self._names = FreeNames(outputs)
        for application in needed:
            if application in self._lowered.owners:
                self._ids[application] = names.take(_short(self._lowered.owners[application]))
        makers = self._makers()
        for application in needed:
            if application not in self._ids:
                maker = makers.get(application)
                wanted = f"{self._start}{self._ids[maker]}" if maker in self._ids else "zeros"
                self._ids[application] = names.take(wanted)

    def _makers(self) -> dict[Application, Application]:
        """Maps each backward application to the forward application whose gradients it adds up or changes."""
        makers: dict[Application, Application] = {}
        known, totals = makers.keys() | self._lowered.owners.keys(), self._backward.totals
        for forward in reversed(self._backward.order):
            arriving = [totals[output] for output in forward.outputs if output in totals]
            leaving = [self._backward.edges.get(Edge(forward, slot)) for slot in range(len(forward.inputs))]
            gradients = [*arriving, *(item for item in leaving if item is not None)]
            for application in topological_order(gradients, known=known):
                makers[application] = forward
                known.add(application)
        return makers

    def _labels(self) -> dict[Application, str]:
        """Returns labels that name the gradients of backward applications; one application may hold several."""
        found: dict[Application, list[str]] = {}
        for target, total in self._backward.totals.items():
            if total.application not in self._lowered.owners and target.application in self._ids:
                names = target.application.type.output_names(len(target.application.outputs))
                port = f".{names[target.index]}" if len(names) > 1 else ""
                found.setdefault(total.application, []).append(f"∂L/∂{self._ids[target.application]}{port}")
        return {application: ", ".join(labels[:_LABELS_SHOWN]) for application, labels in found.items()}

    # Blocks

    def _write(self, application: Application, label: str | None) -> None:
        block_id = self._ids[application]
        if application.type.role is Role.LOSS and application.type.decomposition is not None:
            self._write_decomposed(application, application.type.decomposition)
            return
        path = self._lowered.owners.get(application)
        if path is None:
            self.backward[block_id] = None
        else:
            label = self._lowered.inferred.expanded.instances[path].block.label
        if application.type is Constant and _is_one_number(application.parameters["value"]):
            self._write_filled(application, block_id, label)
            return
        if application.type.role is Role.OWN_GRADIENT:
            self._write_passed_on(application, block_id, label)
            return
        self._place(Block(block_id, application.type.name, label, parameters=_parameters(application)), application)
        self._wire_inputs(application, block_id)

    def _write_decomposed(self, application: Application, decompose: Function) -> None:
        """Writes a Loss as ordinary blocks: a second Loss would change the derivative of the graph."""
        result: Expression = decompose(*arrange_inputs(application.type, application.inputs), **application.parameters)
        known = {item.application for item in application.inputs if item is not None}
        *parts, last = topological_order([result], known=known)
        block_id = self._ids[application]
        self._place(Block(block_id, last.type.name, parameters=_parameters(last)), last)
        for part in parts:
            name = self._names.take(f"{block_id}_{part.name or 'part'}")
            self._place(Block(name, part.type.name, parameters=_parameters(part)), part)
        for part in (*parts, last):
            self._wire_inputs(part, self._ports[part.outputs[0]].block)
        self._ports[application.outputs[0]] = self._ports[result]

    def _write_filled(self, application: Application, block_id: str, label: str | None) -> None:
        """Writes a constant array as a broadcast number without allocating it; sums over it then agree bit for bit."""
        value = application.parameters["value"]
        number = self._names.take(f"{block_id}_number")
        self.blocks[number] = Block(number, Constant.name, parameters={"value": np.asarray(value.flat[0])})
        self.backward[number] = None
        self._place(Block(block_id, BroadcastTo.name, label, parameters={"shape": value.shape}), application)
        self.wires.append(Wire(Port(number, "y"), Port(block_id, "x")))

    def _write_passed_on(self, application: Application, block_id: str, label: str | None) -> None:
        """Writes the outputs of a page with an own gradient, which that gradient's blocks read, as copies."""
        passed = application.inputs[-len(application.outputs) :]
        for output, source in zip(application.outputs, passed, strict=True):
            name = self._names.take(block_id) if block_id in self.blocks else block_id
            self.blocks[name] = Block(name, Identity.name, label)
            self._ports[output] = Port(name, "y")
            self._wire(source, Port(name, "x"))

    def _write_output(self, source: str, gradient: Expression) -> None:
        name = free_name(f"{self._start}{source}", self.blocks)
        self.blocks[name] = Block(name, Identity.name, f"∂L/∂{source}")
        self.backward[name] = None
        self._wire(gradient, Port(name, "x"))

    def _place(self, block: Block, application: Application) -> None:
        self.blocks[block.id] = block
        kind = application.type if application.type.name == block.type else None
        names = ["y"] if kind is None else kind.output_names(len(application.outputs))
        self._ports.update(
            (output, Port(block.id, name)) for output, name in zip(application.outputs, names, strict=True)
        )

    def _wire_inputs(self, application: Application, block_id: str) -> None:
        for name, source in zip(application.type.input_names(len(application.inputs)), application.inputs, strict=True):
            self._wire(source, Port(block_id, name))

    def _wire(self, source: Expression | None, target: Port) -> None:
        if source is not None:
            self.wires.append(Wire(self._ports[source], target))


def _parameters(application: Application) -> dict[str, object]:
    return normal_parameters(application.type.name, application.parameters)


def _is_one_number(value: Array) -> bool:
    return value.size > 1 and not any(value.strides)


def _free_start(names: Iterable[str]) -> str:
    """Returns the prefix of backward blocks: `grad_`, on a backward page of a backward page `grad2_`, and so on."""
    taken = {found.group() for name in names if (found := _BACKWARD.match(name)) is not None}
    numbered = (f"grad{number}_" for number in itertools.count(2))
    return next(start for start in itertools.chain(["grad_"], numbered) if start not in taken)


def _short(path: str) -> str:
    """Returns a path as the name of a block: `main/use/x` becomes `use_x`."""
    name = flat_name(path)[:_LONGEST]
    return name if NAME.fullmatch(name) else f"b_{name}"
