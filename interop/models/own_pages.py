"""Pages that have a gradient of their own in the model, and their uses among expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gradwire.engine.autodiff.graph_from_expressions import PAGE, trace
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.expression import Application, Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import free_name
from gradwire.engine.graph.own_gradients import PREFIX
from gradwire.interop.models.graphs import Origin, make_names_differ
from gradwire.interop.models.names import block_name
from gradwire.interop.models.tensors import Tensor, made

_USE: Final = "Page"


class _Use(BlockType):
    """The type of the blocks that use one page: a Page with the ports of that page."""

    def __init__(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        page = library[_USE]
        super().__init__(page.function, page.category, infer=None, outputs=(), role=Role.PAGE)
        self._names = inputs, outputs

    def input_names(self, count: int) -> list[str]:
        return [*self._names[0][:count]]

    def output_names(self, count: int) -> list[str]:
        return [*self._names[1][:count]]


@dataclass(frozen=True)
class OwnPage:
    """A page and the one that gives its gradient, with its inputs and the specs of its outputs by name.

    `name` is that of the function in the model. No gradient arrives at outputs that are `stopped`.
    """

    name: str
    forward: Page
    backward: Page
    inputs: Sequence[str]
    outputs: Mapping[str, TensorSpec]
    stopped: frozenset[str] = field(default=frozenset())

    def use(self, tensors: Sequence[Tensor]) -> list[Expression]:
        """Returns the outputs of a block that uses the page."""
        given = tuple(item if isinstance(item, Expression) else constant(item) for item in tensors)
        kind, parameters = _Use(self.inputs, [*self.outputs]), {"page": self.forward.name}
        application = Application(kind, given, parameters, self.outputs.values(), block_name(self.forward.name))
        pairs = zip(self.outputs, application.outputs, strict=True)
        return [made("StopGradient", item) if name in self.stopped else item for name, item in pairs]


def with_own_pages(graph: Graph, pages: Iterable[OwnPage]) -> Graph:
    """Returns the graph with pages that its blocks use."""
    return replace(graph, pages=(*graph.pages, *(page for pair in pages for page in (pair.forward, pair.backward))))


def page_of(
    name: str,
    inputs: Mapping[str, Expression],
    outputs: Mapping[str, Tensor],
    origins: Mapping[Application, Origin],
    gradient: str | None = None,
) -> Page:
    """Returns the page that computes the outputs from the inputs, which are Inputs; all by the names of its ports."""
    for port, item in inputs.items():
        item.application.name = port
    results = {port: item if isinstance(item, Expression) else constant(item) for port, item in outputs.items()}
    roots = [*inputs.values(), *results.values()]
    make_names_differ(roots)
    traced = trace(roots)
    sources = {item: Port(found.path.rpartition("/")[2], found.port) for item, found in traced.ports.items()}
    page = traced.graph.page(PAGE)
    blocks = dict(page.blocks)
    for application, origin in origins.items():
        block = sources[application.outputs[0]].block if application.outputs[0] in sources else None
        if block is not None:
            blocks[block] = replace(blocks[block], extra=origin.notes)
    for port, item in inputs.items():
        block = sources[item].block
        blocks[block] = Block(block, library.with_role(Role.PAGE_INPUT).name, parameters={"name": port})
    wires = dict(page.wires)
    for port, item in results.items():
        block = free_name(port, blocks)
        blocks[block] = Block(block, library.with_role(Role.PAGE_OUTPUT).name, parameters={"name": port})
        wires[Port(block, "x")] = Wire(sources[item], Port(block, "x"))
    return Page(name, blocks, wires, gradient=gradient)


def port_names(inputs: Sequence[str], count: int) -> tuple[list[str], list[str]]:
    """Returns names of ports for arguments and results, which no gradient of another port is called by."""
    taken: list[str] = []
    for wanted in (*map(block_name, inputs), *(["y"] if count == 1 else [f"y_{place}" for place in range(count)])):
        name = wanted
        while name in taken or name.removeprefix(PREFIX) in taken or PREFIX + name in taken:
            name = f"of_{name}"
        taken.append(name)
    return taken[: len(inputs)], taken[len(inputs) :]
