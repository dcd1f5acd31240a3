"""Shape and dtype inference: specs of all ports and problems of all blocks, without a run."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradwire.engine.autodiff.expand import (
    EXPANDED_LIMIT,
    Check,
    Instance,
    PortName,
    can_be_muted,
    expand,
    unchecked,
)
from gradwire.engine.autodiff.inferred import (
    Arrival,
    Inferred,
    Measure,
    MutedPages,
    all_problems,
    blocks_before,
    chosen_losses,
    connected,
)
from gradwire.engine.autodiff.page_uses import PageUses
from gradwire.engine.autodiff.round_checks import check_helper, check_round, collected, element_of
from gradwire.engine.base.errors import BlockError, MissingInputError, OutOfMemoryError, ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import TensorSpec, check_fits
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.progress import Watch, telling, unwatched
from gradwire.engine.graph.graph import NAME, Graph, Page
from gradwire.engine.graph.loops import loop_of
from gradwire.engine.graph.paths import is_in_gradient
from gradwire.engine.graph.ports import page_ports, used_page

__all__ = ["Arrival", "Inferred", "Measure", "MutedPages", "infer_instance", "infer_specs"]


_NOBODY = contextlib.nullcontext()
# A block that differentiates element by element walks through so many blocks in all.
MOST_WALKED = 100_000


class _Unknown(Exception):
    """Unknown spec: its cause is already reported, or it depends on values that nobody computes."""


def infer_specs(
    graph: Graph,
    muted: MutedPages | None = None,
    measure: Measure | None = None,
    watch: Watch = unwatched,
    inside: int = EXPANDED_LIMIT,
    check: Check = unchecked,
) -> Inferred:
    """Infers every port of a graph; a misfit becomes a problem, and inference continues.

    `muted` carries cached results of muted pages into the graphs that are made to infer them. `measure` computes the
    specs of blocks whose specs depend on values; without it their specs and all later ones stay unknown. `watch` learns
    of blocks of plug-ins and of measured blocks while they run. `inside` and `check` are those of `expand`.
    """
    result = Inferred(graph, expand(graph, inside, check), muted=muted or MutedPages(), measure=measure, watch=watch)
    for instance in result.expanded.instances.values():
        check()
        infer_instance(instance, result)
    result.shared.clear()
    result.losses = connected(chosen_losses(graph, result.expanded), result.expanded)
    result.leading = blocks_before(result.expanded, result.losses)
    result.problems = all_problems(result)
    return result


def infer_instance(instance: Instance, result: Inferred) -> None:
    """Adds the specs of one block to a result that has all of its producers."""
    is_told = instance.type is not None and (instance.type.from_plugin or instance.type.infer is None)
    try:
        with telling(result.watch, instance.path) if is_told else _NOBODY:
            _infer(instance, result)
    except _Unknown:
        return
    except BlockError as error:
        sentence = error.sentence if instance.type is None else instance.type.sentence(error)
        result.report("error", instance.loop or instance.path, error.code, sentence, error.plugin)


def _infer(instance: Instance, result: Inferred) -> None:
    block_type, path = instance.type, instance.path
    if block_type is None:
        result.report("error", path, "unknown_type", _unknown_sentence(instance.block.type))
        raise _Unknown
    if instance.block.is_muted and not can_be_muted(instance.block):
        result.report("info", path, "muted", f"A {block_type.name} block cannot be muted; it works as usual.")
    if instance.is_muted:
        _infer_muted(instance, block_type, result)
    elif block_type.role is Role.PAGE:
        _infer_page(instance, result)
    else:
        _infer_ordinary(instance, block_type, result)


def _unknown_sentence(type_name: str) -> str:
    plugin, dot, _ = type_name.partition(".")
    known = library.plugins.get(plugin)
    if dot and known is not None and known.fault:
        return f"The plug-in {plugin} is disabled; the block is kept as it is. The reason: {known.fault}."
    message = f'There is no block type "{type_name}"; it is kept as it is.'
    if dot and NAME.fullmatch(plugin):
        message += f" The plug-in {plugin} is not loaded: it is not installed or not enabled."
        message += " If a script declares the block, import that script first."
    return message


def _infer_ordinary(instance: Instance, block_type: BlockType, result: Inferred) -> None:
    parameters = result.parameters[instance.path] = _normal_parameters(instance, block_type, result)
    outputs: Mapping[str, TensorSpec | None]
    if block_type.role is Role.PAGE_INPUT and instance.port is not None:
        arrivals = [Arrival(instance.port, instance.inputs["x"])]
        outputs = {"y": _known_spec(arrivals[0], instance, result)}
    elif block_type.role is Role.PAGE_OUTPUT:
        arrivals = _arrivals(instance, block_type)
        outputs = {"y": _known_spec(arrivals[0], instance, result)}
    else:
        arrivals = _arrivals(instance, block_type)
        known = [_known_spec(arrival, instance, result) for arrival in arrivals]
        if instance.loop:
            check_helper(instance, known)
        _check_stops(instance, block_type, parameters, result)
        outputs = _shared_outputs(instance, block_type, arrivals, known, result)
    _accept(instance, arrivals, outputs, result)


def _normal_parameters(instance: Instance, block_type: BlockType, result: Inferred) -> dict[str, Any]:
    """Returns the parameters in normal form; all uses of a block share them."""
    if not instance.is_used or instance.is_helper:
        return block_type.normalize(instance.parameters)
    key = id(instance.block)
    if key not in result.shared:
        result.shared[key] = block_type.normalize(instance.parameters)
    found: dict[str, Any] = result.shared[key]
    return found


def _shared_outputs(
    instance: Instance,
    block_type: BlockType,
    arrivals: list[Arrival],
    known: list[TensorSpec | None],
    result: Inferred,
) -> Mapping[str, TensorSpec]:
    """Returns the specs of the outputs; uses of a block with inputs of the same specs share them."""
    key = (id(instance.block), *known) if instance.is_used and not instance.is_helper and block_type.infer else None
    if key is not None and key in result.shared:
        found: Mapping[str, TensorSpec] = result.shared[key]
        return found
    specs = _output_specs(instance, block_type, arrivals, known, result)
    _check_passes(block_type, known, len(result.expanded.instances))
    outputs = dict(zip(block_type.output_names(len(specs)), specs, strict=True))
    if key is not None:
        result.shared[key] = outputs
    return outputs


def _output_specs(
    instance: Instance,
    block_type: BlockType,
    arrivals: list[Arrival],
    known: list[TensorSpec | None],
    result: Inferred,
) -> tuple[TensorSpec, ...]:
    if block_type.infer is not None:
        return block_type.infer_outputs(known, result.parameters[instance.path])
    if is_in_gradient(instance.path):
        raise ShapeError(
            f"{block_type.name} has no place on a page that gives a gradient: its output's shape depends on values"
        )
    measured = None if result.measure is None else result.measure(instance.path, arrivals, result)
    if measured is None:
        raise _Unknown
    return measured


def _infer_page(instance: Instance, result: Inferred) -> None:
    if not instance.is_entered:  # The expansion has already reported the reason.
        raise _Unknown
    outputs = {name: result.specs.get(inner) for name, inner in instance.inputs.items()}
    if instance.loop:
        check_round(instance, outputs, result.specs, result.graph)
    elif instance.path in result.found:  # One of its rounds or helpers has reported the reason.
        raise _Unknown
    _accept(instance, [], outputs, result)


def _infer_muted(instance: Instance, block_type: BlockType, result: Inferred) -> None:
    is_page = block_type.role is Role.PAGE
    names = _page_inputs_in_order(instance, result) if is_page else _wired_in_order(instance, block_type)
    if not names:
        raise MissingInputError("muted, it needs a wire into it to pass on")
    specs = {name: result.specs.get(instance.inputs[name]) for name in names}
    outputs = _page_outputs if is_page else _outputs
    passing = {}
    for output, wanted in outputs(instance, block_type, result).items():
        fitting = [name for name in names if wanted is not None and specs[name] == wanted]
        passing[output] = (fitting or names)[0]
    result.passing[instance.path] = passing
    arrivals = [Arrival(PortName(instance.path, name), instance.inputs[name]) for name in names]
    _accept(instance, arrivals, {output: specs[name] for output, name in passing.items()}, result)


def _outputs(instance: Instance, block_type: BlockType, result: Inferred) -> dict[str, TensorSpec | None]:
    """Returns the output ports of a muted block with the specs that it would have unmuted; None if unknown."""
    if block_type.infer is None:
        return dict.fromkeys(block_type.output_names(len(block_type.outputs)))
    try:
        sources = [arrival.source for arrival in _arrivals(instance, block_type)]
        known = [None if source is None else result.specs[source] for source in sources]
        specs = block_type.infer_outputs(known, block_type.normalize(instance.block.parameters))
    except (BlockError, KeyError):
        return dict.fromkeys(block_type.output_names(len(block_type.outputs)))
    return dict(zip(block_type.output_names(len(specs)), specs, strict=True))


def _page_outputs(instance: Instance, block_type: BlockType, result: Inferred) -> dict[str, TensorSpec | None]:
    """Returns the same for a page, inferred alone with the incoming specs at its PageInput blocks."""
    page = used_page(result.graph, instance.block)
    if page is None:
        return {}
    loop, ports = loop_of(instance.block), page_ports(page, Role.PAGE_OUTPUT)
    if page.name in result.muted.above:
        return dict.fromkeys(port.name for port in ports)
    sources = [(port, instance.inputs.get(port.name)) for port in page_ports(page, Role.PAGE_INPUT)]
    arriving = {port.block.id: result.specs.get(source) for port, source in sources if source is not None}
    if loop is not None:
        each = {port.block.id for port, _ in sources if port.name in loop.each}
        arriving = {name: element_of(spec) if name in each else spec for name, spec in arriving.items()}
    key = (page.name, tuple(arriving.items()))
    if key not in result.muted.outputs:
        inner = _infer_alone(page, arriving, result)
        path = f"{page.name} alone"
        found = {port.name: inner.specs.get(PortName(f"{path}/{port.block.id}", "y")) for port in ports}
        result.muted.outputs[key] = found
    outputs = result.muted.outputs[key]
    return (
        outputs
        if loop is None
        else {name: collected(spec, loop.times) if name in loop.collect else spec for name, spec in outputs.items()}
    )


def _infer_alone(page: Page, arriving: Mapping[str, TensorSpec | None], result: Inferred) -> Inferred:
    blocks = dict(page.blocks)
    for block_id, spec in arriving.items():
        if spec is not None:
            value = np.broadcast_to(np.zeros((), spec.dtype), spec.shape)
            parameters = {**blocks[block_id].parameters, "value": value}
            blocks[block_id] = dataclasses.replace(blocks[block_id], parameters=parameters)
    alone = dataclasses.replace(page, name=f"{page.name} alone", blocks=blocks)
    tops = PageUses(result.graph).top_pages()
    graph = Graph(pages=(alone, *(other for other in result.graph.pages if other not in tops)))
    return infer_specs(graph, MutedPages(result.muted.outputs, result.muted.above | {page.name}))


def _page_inputs_in_order(instance: Instance, result: Inferred) -> list[str]:
    page = used_page(result.graph, instance.block)
    ports = [] if page is None else page_ports(page, Role.PAGE_INPUT)
    return [port.name for port in ports if port.name in instance.inputs]


def _accept(
    instance: Instance, arrivals: list[Arrival], outputs: Mapping[str, TensorSpec | None], result: Inferred
) -> None:
    """Records a computable block, without the outputs of unknown spec."""
    known = {name: spec for name, spec in outputs.items() if spec is not None}
    for name, spec in known.items():
        try:
            check_fits(spec.shape, spec.dtype)
        except OutOfMemoryError as error:
            result.report("error", instance.loop or instance.path, error.code, f"Output {name}: {error}.")
            raise _Unknown from error
    result.specs.update({PortName(instance.path, name): spec for name, spec in known.items()})
    result.inputs[instance.path] = arrivals
    result.outputs[instance.path] = list(known)


def _wired_in_order(instance: Instance, block_type: BlockType) -> list[str]:
    """Returns the names of the wired input ports, in port order."""
    order = {port.name: index for index, port in enumerate(block_type.inputs)}

    def position(name: str) -> tuple[int, int]:
        port = block_type.input_port(name)
        number = int(name.rpartition("_")[2]) if port is not None and port.variadic else 0
        return (order[port.name] if port is not None else 0, number)

    return sorted(instance.inputs, key=position)


def _arrivals(instance: Instance, block_type: BlockType) -> list[Arrival]:
    """Returns the producer of each input port, in port order.

    Raises: MissingInputError where a required port has no wire.
    """
    names: list[str] = []
    for port in block_type.inputs:
        if port.variadic:
            names += _variadic_names(instance, block_type, port.name)
        elif port.name in instance.inputs or port.optional:
            names.append(port.name)
        else:
            raise MissingInputError(f"input {port.name} is not connected")
    if instance.port is not None:
        return [Arrival(instance.port, instance.inputs[name]) for name in names]
    return [Arrival(PortName(instance.path, name), instance.inputs.get(name)) for name in names]


def _variadic_names(instance: Instance, block_type: BlockType, stem: str) -> list[str]:
    fixed = {port.name for port in block_type.inputs if not port.variadic}
    count = len(instance.inputs.keys() - fixed)
    if count == 0:
        raise MissingInputError(f"connect {stem}_0: {block_type.name} needs at least one of {stem}")
    names = [f"{stem}_{index}" for index in range(count)]
    for name in names:
        if name not in instance.inputs:
            raise MissingInputError(f"connect {name}: the ports of {stem} must be connected without a gap")
    return names


def _known_spec(arrival: Arrival, instance: Instance, result: Inferred) -> TensorSpec | None:
    if arrival.source is None:
        return None
    spec = result.specs.get(arrival.source)
    if spec is None:
        _report_missing_output(arrival.source, instance, result)
        raise _Unknown
    return spec


def _report_missing_output(port: PortName, instance: Instance, result: Inferred) -> None:
    """Reports a wire from an output that the producer lacks, such as the fifth part of a Split into four."""
    if result.is_computable(port.path) and result.expanded.instances[port.path].role is not Role.PAGE:
        name = port.path.rpartition("/")[2]
        message = f"A wire leaves {name}.{port.port}, but {name} has no output {port.port}."
        result.report("error", instance.path, "broken_wire", message)


def _check_stops(instance: Instance, block_type: BlockType, parameters: dict[str, Any], result: Inferred) -> None:
    if block_type.role is not Role.GRADIENTS:
        return
    prefix = instance.path.rpartition("/")[0]
    for name in parameters["stop_gradients"]:
        block_id = name.partition(".")[0]
        if f"{prefix}/{block_id}" not in result.expanded.instances or "." not in name:
            raise ParameterError(f'parameter stop_gradients names "{name}", but there is no such port on this page')


def _check_passes(block_type: BlockType, specs: list[TensorSpec | None], blocks: int) -> None:
    derivative = block_type.derivative
    if derivative is None or None in specs:
        return
    passes = derivative.passes(*specs)
    if passes * blocks > MOST_WALKED:
        raise ShapeError(
            f"it walks back {passes:,} times, once for each element, through up to {blocks:,} blocks; {MOST_WALKED:,} "
            "in all is the limit, so make the tensor smaller"
        )
