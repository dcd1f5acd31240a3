"""Edits of the wires around blocks: detaching, bypassing, and inserting into a wire.

They check specs, so that no new wire is a misfit; `edits` has edits without such checks. `known` is the
inference of this graph, or of a similar one, and saves a full inference.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from itertools import product

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred, infer_specs
from gradwire.engine.autodiff.infer_update import known_after
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.edits.wiring import check_numbers, check_port, runs_in_circles
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import block_of, ids_of, page_of, title_of
from gradwire.engine.graph.ports import has_input, has_output, page_ports, role_of, used_page

_MISFITS = ("dtype", "shape", "parameter")
# The input of a loss or a metric that takes what is known of the examples.
_LABELS = "labels"


def detach_blocks(graph: Graph, page_name: str, ids: str | Iterable[str]) -> Graph:
    """Returns the graph without the wires between some blocks and all others; those among them stay.

    Raises: EditError if there is no such block.
    """
    page = page_of(graph, page_name)
    return edits.disconnect(graph, page_name, *wires_around(page, set(ids_of(page, ids))))


def bypass_blocks(
    graph: Graph, page_name: str, ids: str | Iterable[str], known: Inferred | None = None
) -> tuple[Graph, tuple[str, ...]]:
    """Returns the graph with some blocks detached and their neighbours joined, and reasons for wires that could not be.

    Consumers of a block are joined to the input that the block would pass on if it were muted.
    Raises: EditError if there is no such block.
    """
    page = page_of(graph, page_name)
    chosen = set(ids_of(page, ids))
    before = _known(graph, known)
    passing = _Passing(graph, page, chosen, before)
    joins, reasons = _Joins(graph, page), list[str]()
    for wire in [wire for wire in page.wires.values() if _leads_out(wire, chosen)]:
        origin = passing.origin(wire.source)
        if origin.block in chosen:
            title = title_of(page.blocks[origin.block])
            reasons.append(_left_open(page, wire, f"{title} has no input whose value it could pass on."))
            continue
        try:
            joins.add(Wire(origin, wire.target))
        except EditError as error:  # A file may hold cycles and wires from missing ports.
            reasons.append(_left_open(page, wire, str(error)))
    changed = joins.graph()
    misfits = list(_new_misfits(before, known_after(before, changed), page_name, joins.made))
    reasons += [_left_open(page, wire, message) for wire, message in misfits]
    changed = edits.disconnect(changed, page_name, *(wire for wire, _ in misfits))
    return detach_blocks(changed, page_name, chosen), tuple(reasons)


def dissolve_blocks(
    graph: Graph, page_name: str, ids: str | Iterable[str], known: Inferred | None = None
) -> tuple[Graph, tuple[str, ...]]:
    """Returns the graph without some blocks, their neighbours joined, and reasons for wires that could not be.

    Raises: EditError if there is no such block.
    """
    chosen = ids_of(page_of(graph, page_name), ids)
    changed, reasons = bypass_blocks(graph, page_name, chosen, known)
    return edits.remove_blocks(changed, page_name, chosen), reasons


def insert_block(graph: Graph, page_name: str, block_id: str, wire: Wire, known: Inferred | None = None) -> Graph:
    """Returns the graph with a block in the middle of a wire, at its first open ports that fit.

    Raises: EditError if there is no such block or wire, or no open ports fit.
    """
    page = page_of(graph, page_name)
    block = block_of(page, block_id)
    if page.wires.get(wire.target) != wire:
        raise EditError(f"There is no wire from {wire.source} to {wire.target}; choose one that is there.")
    reason = f"{title_of(block)} has no open ports that fit; it cannot stand in the middle of a wire."
    inputs, outputs = _open_inputs(graph, page, block), _open_outputs(graph, page, block)
    if not inputs or not outputs:
        raise EditError(reason)
    before = _known(graph, known)
    spec = _spec(before, page, wire.source)
    taking = [name for name in inputs if _takes(block, name, spec)]
    for name, output in product(in_order_for(page, wire.source, taking), outputs):
        into, out = Wire(wire.source, Port(block_id, name)), Wire(Port(block_id, output), wire.target)
        try:
            changed = edits.connect(edits.connect(graph, page_name, *into), page_name, *out)
        except EditError as error:
            reason = str(error)
            continue
        found = next(_new_misfits(before, known_after(before, changed), page_name, [into, out]), None)
        if found is None:
            return changed
        reason = found[1]
    raise EditError(reason)


def in_order_for(page: Page, source: Port, inputs: Iterable[str]) -> list[str]:
    """Returns inputs of one block in the order in which an output takes one of them.

    What the page computes out of something is compared with labels, so it takes another input before those; a block
    that reads nothing may hold the labels.
    """
    is_computed = any(target.block == source.block for target in page.wires)
    return sorted(inputs, key=lambda name: is_computed and name == _LABELS)


def wires_around(page: Page, ids: set[str]) -> list[Wire]:
    """Returns the wires between some blocks of a page and all others."""
    wires = (*page.wires.values(), *page.surplus)
    return [wire for wire in wires if (wire.source.block in ids) != (wire.target.block in ids)]


def _known(graph: Graph, known: Inferred | None) -> Inferred:
    return infer_specs(graph) if known is None else known_after(known, graph)


class _Joins:
    """Batch of new wires that join both ends of paths; there may be thousands."""

    def __init__(self, graph: Graph, page: Page) -> None:
        self._graph, self._page = graph, page
        # In an acyclic page no such wire closes a cycle: a path between both ends exists already.
        self._closes_circles = runs_in_circles(page)
        self.made: list[Wire] = []

    def add(self, wire: Wire) -> None:
        """Adds one wire.

        Raises: EditError if a port does not exist or the wires would form a cycle.
        """
        if self._closes_circles:
            self._graph = edits.connect(self._graph, self._page.name, *wire)
        else:
            check_port(self._graph, self._page, wire.source, has_output, "output")
            check_port(self._graph, self._page, wire.target, has_input, "input")
            check_numbers(self._page, wire)
        self.made.append(wire)

    def graph(self) -> Graph:
        """Returns the graph with all new wires, each replacing any wire that ended there."""
        if self._closes_circles or not self.made:
            return self._graph
        wires = {wire.target: wire for wire in self.made}
        surplus = tuple(wire for wire in self._page.surplus if wire.target not in wires)
        page = dataclasses.replace(self._page, wires={**self._page.wires, **wires}, surplus=surplus)
        return self._graph.with_page(page)


class _Passing:
    """Inputs that blocks of a page pass on if they are muted."""

    def __init__(self, graph: Graph, page: Page, ids: set[str], known: Inferred) -> None:
        muted = edits.set_muted(graph, page.name, sorted(ids), True)
        self._page, self._ids, self._inferred = page, ids, known_after(known, muted)
        blocks = [muted.page(page.name).blocks[block_id] for block_id in ids]
        self._paths = _paths(self._inferred, blocks)
        if not self._paths:
            # Only muted blocks use the page, so its inner blocks are not inferred; it is inferred alone.
            self._inferred = infer_specs(_without_uses(muted, page.name))
            self._paths = _paths(self._inferred, blocks)
        self._origins: dict[Port, Port] = {}

    def origin(self, output: Port) -> Port:
        """Returns the origin of an output's value if all blocks before it pass on; the output itself if none does."""
        start = output
        for _ in self._ids:  # No more steps than blocks, because a file may hold a cycle.
            if output.block not in self._ids or output in self._origins:
                break
            passed = self._inferred.passing.get(self._paths.get(output.block, ""), {}).get(output.name)
            wire = None if passed is None else self._page.wires.get(Port(output.block, passed))
            if wire is None:
                break
            output = wire.source
        self._origins[start] = self._origins.get(output, output)
        return self._origins[start]


def _paths(inferred: Inferred, blocks: list[Block]) -> dict[str, str]:
    """Maps each block's id to the path of its first use."""
    wanted = {id(block) for block in blocks}
    found: dict[str, str] = {}
    for path, instance in inferred.expanded.instances.items():
        if id(instance.block) in wanted:
            found.setdefault(instance.block.id, path)
    return found


def _without_uses(graph: Graph, page_name: str) -> Graph:
    for page in graph.pages:
        found = ((block.id, used_page(graph, block)) for block in page.blocks.values() if role_of(block) is Role.PAGE)
        uses = [block_id for block_id, used in found if used is not None and used.name == page_name]
        graph = edits.remove_blocks(graph, page.name, uses) if uses else graph
    return graph


def _leads_out(wire: Wire, ids: set[str]) -> bool:
    return wire.source.block in ids and wire.target.block not in ids


def _left_open(page: Page, wire: Wire, reason: str) -> str:
    return f"{title_of(page.blocks[wire.target.block])}: {wire.target.name} is left open. {reason}"


def _new_misfits(before: Inferred, after: Inferred, page_name: str, wires: list[Wire]) -> Iterator[tuple[Wire, str]]:
    """Yields the wires that are new in a graph and do not fit at their ends, with the reasons."""
    blocks = after.graph.page(page_name).blocks
    ends = [blocks[wire.target.block] for wire in wires if wire.target.block in blocks]
    known = {(problem.at, problem.code, problem.message) for problem in before.problems}
    new = [problem for problem in after.problems if (problem.at, problem.code, problem.message) not in known]
    reasons = {
        problem.at: problem.message for problem in new if problem.severity != "info" and problem.code in _MISFITS
    }
    paths = _paths(after, ends)
    for wire in wires:
        reason = reasons.get(paths.get(wire.target.block, ""))
        if reason is not None:
            yield wire, reason


def _spec(inferred: Inferred, page: Page, output: Port) -> TensorSpec | None:
    """Returns the spec of an output in the first use of its page, None if it is unknown."""
    block = page.blocks.get(output.block)
    path = None if block is None else _paths(inferred, [block]).get(block.id)
    return None if path is None else inferred.specs.get(PortName(path, output.name))


def _takes(block: Block, name: str, spec: TensorSpec | None) -> bool:
    """Returns whether an input accepts this dtype; inference says so only once all inputs have a wire."""
    block_type = library.get(block.type)
    port = None if block_type is None else block_type.input_port(name)
    return spec is None or port is None or port.accepts.accepts(spec.dtype)


def _open_inputs(graph: Graph, page: Page, block: Block) -> list[str]:
    names = _port_names(graph, page, block, Role.PAGE_INPUT)
    return [name for name in names if Port(block.id, name) not in page.wires]


def _open_outputs(graph: Graph, page: Page, block: Block) -> list[str]:
    names = _port_names(graph, page, block, Role.PAGE_OUTPUT)
    return [name for name in names if next(page.wires_from(Port(block.id, name)), None) is None]


def _port_names(graph: Graph, page: Page, block: Block, role: Role) -> list[str]:
    """Returns the inputs or outputs of a block, as `role` says; of variadic ones the next, or the first."""
    block_type = library.get(block.type)
    if block_type is None:
        return []
    if block_type.role is Role.PAGE:
        return _names_of_page(graph, block, role)
    if role is Role.PAGE_INPUT:
        return [_next(page, block.id, port.name) if port.variadic else port.name for port in block_type.inputs]
    return [f"{port.name}_0" if port.variadic else port.name for port in block_type.outputs]


def _names_of_page(graph: Graph, block: Block, role: Role) -> list[str]:
    page = used_page(graph, block)
    return [] if page is None else [port.name for port in page_ports(page, role)]


def _next(page: Page, block_id: str, stem: str) -> str:
    number = 0
    while Port(block_id, f"{stem}_{number}") in page.wires:
        number += 1
    return f"{stem}_{number}"
