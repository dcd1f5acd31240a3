"""The backward pass as a page: a copy of the forward blocks, and wired to them the blocks of every gradient."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engine.block_type import Role
from engine.edits import normal_parameters
from engine.errors import EditError
from engine.expand import PortName
from engine.expression import Application, Expression, applications_before
from engine.gradients import Edge, filled
from engine.graph import NAME, Block, Frame, Graph, Page, Port, Wire
from engine.layout import Outline, arrange
from engine.lookup import FreeNames, free_name
from engine.lower import Lowered, infer_and_measure, lower
from engine.primitives import Constant
from engine.tensor_spec import Array

FORWARD, BACKWARD = "forward", "backward"
FRAMES = ("Forward", "Backward")
_LABELS_SHOWN = 3
_LONGEST = 50
_BACKWARD, _NUMBER = re.compile(r"grad\d*_"), re.compile(r"_\d+$")


def add_backward_page(graph: Graph, page_name: str) -> tuple[Graph, str]:
    """The graph with one more page, the backward pass of a page on which there is a Loss, and its name.

    Raises: EditError if nothing on the page is differentiated.
    """
    return add_page_of(graph, backward_page(lower(infer_and_measure(graph)), page_name), page_name)


def add_page_of(graph: Graph, page: Page | None, page_name: str) -> tuple[Graph, str]:
    """The graph with a page that `backward_page` made of another one beside that, and its name."""
    if page is None:
        raise EditError(f'Page "{page_name}" has no loss that could be differentiated; add a Loss first.')
    names = [item.name for item in graph.pages]
    name = free_name(f"{page_name[:_LONGEST]}_backward", names)
    place = names.index(page_name) + 1 if page_name in names else len(names)
    pages = (*graph.pages[:place], dataclasses.replace(page, name=name), *graph.pages[place:])
    return dataclasses.replace(graph, pages=pages), name


def backward_page(lowered: Lowered, page_name: str, frames: tuple[str, str] = FRAMES) -> Page | None:
    """A page that computes the gradients of all sources of a page, those on used pages included; None without a loss.

    Every application of a block type becomes a block. What is forward keeps its name; what the gradient rule of block
    `e` made is called `grad_e`, `grad_e_1` ... (`grad2_e` where such names are forward already), and its label says
    which gradient it holds. The gradient of source `x` ends in the Identity `grad_x`. Blocks have no places yet.
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
    """The block of a backward page whose gradient rule made this one; None for any other block."""
    return _forward_of(page, block_id) if block_id in _held(page, BACKWARD) else None


def _forward_of(page: Page, block_id: str) -> str | None:
    start = _BACKWARD.match(block_id)
    if start is None:
        return None
    name = block_id[start.end() :]
    return next((found for found in (name, _NUMBER.sub("", name)) if found in page.blocks), None)


def partners_of(page: Page, block_id: str) -> frozenset[str]:
    """A forward block of a backward page with all blocks that its gradient rule made, whichever of them is named.

    Nothing where a block stands alone, and on other pages.
    """
    forward = forward_of(page, block_id) or block_id
    made = [name for name in _held(page, BACKWARD) if _forward_of(page, name) == forward]
    return frozenset([forward, *made]) if made else frozenset()


def arranged(page: Page, outlines: Mapping[str, Outline]) -> Page:
    """The backward page with a place for every block: what is forward stands above.

    Units: px at 100 %.
    """
    places = arrange(page, outlines)
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
    """The highest and the lowest y of some blocks."""
    if not names:
        return None
    return min(places[name][1] for name in names), max(places[name][1] + int(outlines[name].height) for name in names)


class _Writer:
    """Writes applications as blocks, each once and after what it needs."""

    def __init__(self, lowered: Lowered, page_name: str) -> None:
        self._lowered, self._prefix = lowered, f"{page_name}/"
        self._backward = lowered.backward
        self._start = "grad_"
        self.losses = [loss for loss in lowered.losses if self._is_here(lowered.owners[loss.application])]
        self._ids: dict[Application, str] = {}
        self._ports: dict[Expression, Port] = {}
        self.blocks: dict[str, Block] = {}
        self.wires: list[Wire] = []
        self.backward: dict[str, None] = {}

    def write(self) -> None:
        """Writes the losses and the gradients of all sources, with all that they need."""
        sources = self._sources()
        gradients = [self._gradient(source) for source in sources]
        needed = applications_before([*self.losses, *sources, *gradients])
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
        """The sources whose gradient is known."""
        instances = self._lowered.inferred.expanded.instances.items()
        paths = [path for path, item in instances if item.role is Role.SOURCE and self._is_here(path)]
        found = [self._lowered.ports.get(PortName(path, "y")) for path in paths]
        known = [item for item in found if item is not None and item not in self._backward.hidden]
        return [item for item in known if item.spec.is_differentiable]

    def _gradient(self, source: Expression) -> Expression:
        """The gradient of a source; zeros where none arrives."""
        total = self._backward.totals.get(source)
        return filled(source.spec, 0) if total is None else total

    # Names

    def _name(self, needed: Sequence[Application], outputs: Iterable[str]) -> None:
        """Gives every application an id, none of `outputs`: forward ones first, so that they keep theirs."""
        names = FreeNames(outputs)
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
        """The forward application that each backward one belongs to: what adds up or changes its gradient."""
        makers: dict[Application, Application] = {}
        known, totals = makers.keys() | self._lowered.owners.keys(), self._backward.totals
        for forward in reversed(self._backward.order):
            arriving = [totals[output] for output in forward.outputs if output in totals]
            leaving = [self._backward.edges.get(Edge(forward, slot)) for slot in range(len(forward.inputs))]
            gradients = [*arriving, *(item for item in leaving if item is not None)]
            for application in applications_before(gradients, known=known):
                makers[application] = forward
                known.add(application)
        return makers

    def _labels(self) -> dict[Application, str]:
        """Which gradients backward applications hold: one may be that of several tensors."""
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
        if application.type.role is Role.LOSS:
            self._write_sum(application, block_id)
            return
        path = self._lowered.owners.get(application)
        if path is None:
            self.backward[block_id] = None
        else:
            label = self._lowered.inferred.expanded.instances[path].block.label
        if application.type is Constant and _is_one_number(application.parameters["value"]):
            self._write_filled(application, block_id, label)
            return
        parameters = normal_parameters(application.type.name, application.parameters)
        self._place(Block(block_id, application.type.name, label, parameters=parameters), application)
        for name, source in zip(application.type.input_names(len(application.inputs)), application.inputs, strict=True):
            self._wire(source, Port(block_id, name))

    def _write_sum(self, application: Application, block_id: str) -> None:
        """A Loss as the same sum in ordinary blocks: a second Loss would add to what the graph differentiates."""
        x, weights = application.inputs
        kind = "ReduceMean" if application.parameters["reduction"] == "mean" else "ReduceSum"
        self._place(Block(block_id, kind), application)
        if weights is None:
            self._wire(x, Port(block_id, "x"))
            return
        product = free_name(f"{block_id}_product", self.blocks)
        self.blocks[product] = Block(product, "Multiply")
        self._wire(x, Port(product, "x"))
        self._wire(weights, Port(product, "y"))
        self.wires.append(Wire(Port(product, "z"), Port(block_id, "x")))

    def _write_filled(self, application: Application, block_id: str, label: str | None) -> None:
        """One number in every element, without the memory for them: sums over it then come out to the same bits."""
        value = application.parameters["value"]
        number = free_name(f"{block_id}_number", self.blocks)
        self.blocks[number] = Block(number, "Constant", parameters={"value": np.asarray(value.flat[0])})
        self.backward[number] = None
        self._place(Block(block_id, "BroadcastTo", label, parameters={"shape": value.shape}), application)
        self.wires.append(Wire(Port(number, "y"), Port(block_id, "x")))

    def _write_output(self, source: str, gradient: Expression) -> None:
        name = free_name(f"{self._start}{source}", self.blocks)
        self.blocks[name] = Block(name, "Identity", f"∂L/∂{source}")
        self.backward[name] = None
        self._wire(gradient, Port(name, "x"))

    def _place(self, block: Block, application: Application) -> None:
        self.blocks[block.id] = block
        kind = application.type if application.type.name == block.type else None
        names = ["y"] if kind is None else kind.output_names(len(application.outputs))
        self._ports.update(
            (output, Port(block.id, name)) for output, name in zip(application.outputs, names, strict=True)
        )

    def _wire(self, source: Expression | None, target: Port) -> None:
        if source is not None:
            self.wires.append(Wire(self._ports[source], target))


def _is_one_number(value: Array) -> bool:
    return value.size > 1 and not any(value.strides)


def _free_start(names: Iterable[str]) -> str:
    """How the names of backward blocks begin: `grad_`, on a backward page of a backward page `grad2_`, and so on."""
    taken = {found.group() for name in names if (found := _BACKWARD.match(name)) is not None}
    numbered = (f"grad{number}_" for number in itertools.count(2))
    return next(start for start in itertools.chain(["grad_"], numbered) if start not in taken)


def _short(path: str) -> str:
    """A path as the name of a block: `main/use/x` becomes `use_x`."""
    name = path.partition("/")[2].replace("/", "_")[:_LONGEST]
    return name if NAME.fullmatch(name) else f"b_{name}"
