"""Graphs from expressions written in Python: every application becomes a block, every input a wire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.used_pages import AppliedPage, PagesOfScript, UsedPage
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.starts import without_drawn
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import NAME, Block, Graph, Page, Port, Wire, same_value
from gradwire.engine.graph.lookup import free_name

PAGE = "main"


@dataclass(frozen=True)
class Trace:
    """Graph with the port of each expression."""

    graph: Graph
    ports: Mapping[Expression, PortName]


def trace(roots: Iterable[Expression]) -> Trace:
    """Returns the graph that computes the roots, on one page, and the pages that it uses.

    A block has the name of its expression, or of its type: `Exp`, then `Exp_1`.
    Raises: GradwireError for a name that is not allowed or used twice.
    """
    order = topological_order(roots)
    names = _block_names(order)
    ports: dict[Expression, Port] = {}
    blocks: dict[str, Block] = {}
    wires: dict[Port, Wire] = {}
    used = PagesOfScript(PAGE)
    for application in order:
        name = names[application]
        applied = _applied(application)
        if applied is None:
            blocks[name] = Block(name, application.type.name, parameters=_parameters(application))
            output_names: Sequence[str] = application.type.output_names(len(application.outputs))
            input_names: Sequence[str] = application.type.input_names(len(application.inputs))
        else:
            kind, parameters = library.with_role(Role.PAGE).name, {"page": used.name_of(applied)}
            blocks[name] = Block(name, kind, parameters=parameters)
            output_names, input_names = applied.outputs, applied.inputs
        for port, output in zip(output_names, application.outputs, strict=True):
            ports[output] = Port(name, port)
        for port, source in zip(input_names, application.inputs, strict=True):
            if source is not None:
                wires[Port(name, port)] = Wire(ports[source], Port(name, port))
    qualified = {expression: PortName(f"{PAGE}/{port.block}", port.name) for expression, port in ports.items()}
    return Trace(Graph(pages=(Page(PAGE, blocks, wires), *used.pages)), qualified)


def page_input(name: str, spec: TensorSpec) -> Expression:
    """Returns an input of a page."""
    kind = library.with_role(Role.PAGE_INPUT)
    return Application(kind, (), kind.normalize({"name": name}), (spec,), name).outputs[0]


def trace_page(
    name: str, inputs: Mapping[str, Expression], results: Mapping[str, Expression]
) -> tuple[Page, list[Page]]:
    """Returns the page with these inputs and outputs by their names, and the pages that it needs.

    Raises: GradwireError for a name of a block that is not allowed or used twice.
    """
    traced = trace([*inputs.values(), *results.values()])
    main, *needed = traced.graph.pages
    blocks, wires = dict(main.blocks), dict(main.wires)
    kind = library.with_role(Role.PAGE_OUTPUT).name
    for key, item in results.items():
        block_id = free_name(key, blocks)
        blocks[block_id] = Block(block_id, kind, parameters={"name": key})
        port = traced.ports[item]
        target = Port(block_id, "x")
        wires[target] = Wire(Port(port.path.partition("/")[2], port.port), target)
    return Page(name, blocks, wires), needed


def _applied(application: Application) -> AppliedPage | None:
    """Returns the page that an application stands for; None for a block."""
    found: AppliedPage | None = application.parameters["page"] if application.type is UsedPage else None
    return found


def has_loss(roots: Iterable[Expression]) -> bool:
    """Returns whether any root depends on a Loss."""
    return any(application.type.role is Role.LOSS for application in topological_order(roots))


def _block_names(order: list[Application]) -> dict[Application, str]:
    names: dict[Application, str] = {}
    taken: set[str] = set()
    for application in order:
        if application.name is not None:
            _check_name(application.name, taken)
            names[application] = application.name
            taken.add(application.name)
    counts: dict[str, int] = {}
    for application in order:
        if application not in names:
            applied = _applied(application)
            stem = application.type.name.rpartition(".")[2] if applied is None else applied.name
            names[application] = _free_name(stem, taken, counts)
    return names


def _check_name(name: str, taken: set[str]) -> None:
    if NAME.fullmatch(name) is None:
        allowed = "a letter, then letters, digits and underscores, at most 64 in all"
        raise GradwireError(f'"{name}" cannot be the name of a block: use {allowed}.')
    if name in taken:
        raise GradwireError(f'Two blocks are called "{name}"; names must differ.')


def _free_name(stem: str, taken: set[str], counts: dict[str, int]) -> str:
    """Returns `Exp`, then `Exp_1`, `Exp_2`; `counts` stores the last number of each stem."""
    name = stem
    while name in taken:
        counts[stem] = counts.get(stem, 0) + 1
        name = f"{stem}_{counts[stem]}"
    taken.add(name)
    return name


def _parameters(application: Application) -> dict[str, object]:
    declared = application.type.parameters
    given = without_drawn(application.parameters)
    return {name: value for name, value in given.items() if not same_value(value, declared[name].default)}
