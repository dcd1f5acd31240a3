"""Lowering: graphs become expressions, one for each output port, with an edge for each wire and a backward pass."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

from gradwire.engine.autodiff.backward import Backward, Edge, backward_pass, filled, ones
from gradwire.engine.autodiff.expand import Instance, PortName
from gradwire.engine.autodiff.infer import Arrival, Inferred, infer_specs
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.own_gradients import is_shared, lower_giving_pages, lower_with_rule, pass_on
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.expression import Application, Expression, constant, topological_order
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.blocktypes.primitives import Constant, Identity
from gradwire.engine.blocktypes.progress import Watch, unwatched
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.paths import is_in_gradient

NOTHING_DRAWN: Mapping[str, Sequence[Expression]] = {}


def infer_and_measure(graph: Graph, watch: Watch = unwatched) -> Inferred:
    """Infers a graph; blocks whose output shapes depend on values are computed, with all their producers."""
    return infer_specs(graph, measure=_Measure(), watch=watch)


class _Measure:
    """Evaluator of blocks whose output shapes depend on values, in the order of inference."""

    def __init__(self) -> None:
        self._lowered: Lowered | None = None
        self._waiting: Iterator[str] = iter(())
        self._measured: tuple[str, ...] = ()

    def __call__(self, path: str, arrivals: list[Arrival], result: Inferred) -> tuple[TensorSpec, ...] | None:
        """Returns the specs of the outputs of the block at `path`; None if a producer cannot be computed."""
        lowered = self._lower_before(path, result)
        arguments = [None if item.source is None else lowered.ports.get(item.source) for item in arrivals]
        results = run(make_plan(item for item in arguments if item is not None), watch=lowered.watch)
        arrays = [None if item is None else results[item] for item in arguments]
        if any(array is None and item.source is not None for array, item in zip(arrays, arrivals, strict=True)):
            return None
        block_type = result.expanded.instances[path].type
        assert block_type is not None
        return block_type.measure(arrays, result.parameters[path])

    def _lower_before(self, path: str, result: Inferred) -> Lowered:
        if self._lowered is None:
            self._lowered, self._waiting = Lowered(result), iter(result.expanded.instances)
        # The specs of the last measured block have only just become known.
        for before in itertools.chain(self._measured, self._waiting):
            if before == path:
                break
            if result.is_computable(before) and not _is_deferred(result.expanded.instances[before], result):
                lower_instance(result.expanded.instances[before], self._lowered)
        self._measured = (path,)
        return self._lowered


def lower(
    inferred: Inferred, ignored_stops: Set[str] = frozenset(), drawn: Mapping[str, Sequence[Expression]] = NOTHING_DRAWN
) -> Lowered:
    """Builds the expressions of a graph and differentiates its loss.

    `ignored_stops` names the StopGradient blocks that let gradients pass; `drawn` has the numbers that blocks draw, by
    the paths of blocks whose numbers are given from outside.
    Cost: O(blocks + wires), and one gradient rule for each application that leads to a loss.
    """
    result = Lowered(inferred)
    for path, instance in inferred.expanded.instances.items():
        if inferred.is_computable(path) and not _is_deferred(instance, inferred):
            lower_instance(instance, result, ignored_stops, drawn)
    found = [result.ports.get(PortName(path, "y")) for path in inferred.losses]
    result.losses = [loss for loss in found if loss is not None]
    result.is_partial = len(result.losses) < len(found)
    result.backward = backward_pass(
        {loss: ones(loss.spec) for loss in result.losses}, hidden=_before_errors(result), watch=result.watch
    )
    _note_faults(result.backward, result)
    if inferred.expanded.rules:
        lower_giving_pages(result, functools.partial(lower_instance, ignored_stops=ignored_stops, drawn=drawn))
    return result


def _is_deferred(instance: Instance, inferred: Inferred) -> bool:
    """Returns whether a block depends on an incoming gradient, or may: it is on a page that gives one."""
    return bool(inferred.expanded.rules) and is_in_gradient(instance.path) and not is_shared(instance)


def lower_instance(
    instance: Instance,
    result: Lowered,
    ignored_stops: Set[str] = frozenset(),
    drawn: Mapping[str, Sequence[Expression]] = NOTHING_DRAWN,
) -> None:
    """Adds the expressions of one block to a result that has those of all its producers."""
    arrivals = result.inferred.inputs[instance.path]
    arguments = [None if item.source is None else result.ports.get(item.source) for item in arrivals]
    is_incomplete = any(
        item.source is not None and found is None for item, found in zip(arrivals, arguments, strict=True)
    )
    if instance.is_muted:
        _lower_muted(instance, arguments, result)
    elif is_incomplete or not result.inferred.outputs[instance.path]:
        # A block without outputs has nothing to compute, so no tensor has it as a reader.
        return
    elif instance.path in drawn:
        _lower_drawn(instance, arguments, drawn[instance.path], result)
    elif instance.role is Role.GRADIENTS:
        _lower_gradients(instance, arguments, result)
    elif instance.role is Role.PAGE:
        _lower_page(instance, result, ignored_stops, drawn)
    else:
        block_type, parameters = _worker(instance, bool(arguments), result, ignored_stops)
        ports = [PortName(instance.path, name) for name in result.inferred.outputs[instance.path]]
        specs = [result.inferred.specs[port] for port in ports]
        application = Application(block_type, tuple(arguments), parameters, specs)
        result.owners[application] = instance.path
        result.ports.update(zip(ports, application.outputs, strict=True))
        for slot, arrival in enumerate(arrivals):
            result.edges[arrival.target] = Edge(application, slot)


def _worker(
    instance: Instance, has_arguments: bool, result: Lowered, ignored_stops: Set[str]
) -> tuple[BlockType, dict[str, Any]]:
    """Returns the block type and parameters that compute an instance; ports of pages are identities."""
    assert instance.type is not None
    parameters = result.inferred.parameters[instance.path]
    if instance.role is Role.PAGE_INPUT and not has_arguments:
        return Constant, {"value": parameters["value"]}
    is_ignored = instance.role is Role.STOP and instance.path in ignored_stops
    if instance.role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT) or is_ignored:
        return Identity, {}
    return (library.with_role(Role.STOP), {}) if instance.is_stop else (instance.type, parameters)


def _lower_page(
    instance: Instance, result: Lowered, ignored_stops: Set[str], drawn: Mapping[str, Sequence[Expression]]
) -> None:
    """Lowers the use of a page, whose blocks have been lowered."""
    if instance.rule is not None:
        lower_block = functools.partial(lower_instance, ignored_stops=ignored_stops, drawn=drawn)
        lower_with_rule(instance, instance.rule, result, lower_block)
        return
    for port, inner in instance.inputs.items():
        if inner in result.ports:
            result.ports[PortName(instance.path, port)] = pass_on(result.ports[inner], instance.path, result)


def _lower_muted(instance: Instance, arguments: list[Expression | None], result: Lowered) -> None:
    """Lowers a muted block: each output passes on one input; outputs of one input share the edge of its wire."""
    arrivals = result.inferred.inputs[instance.path]
    slots = {arrival.target.port: index for index, arrival in enumerate(arrivals)}
    shared: dict[str, Expression] = {}
    for output, name in result.inferred.passing[instance.path].items():
        source = arguments[slots[name]]
        if source is None:
            continue
        if name not in shared:
            shared[name] = pass_on(source, instance.path, result)
            result.edges[PortName(instance.path, name)] = Edge(shared[name].application, 0)
        result.ports[PortName(instance.path, output)] = pass_on(shared[name], instance.path, result)


def _lower_drawn(
    instance: Instance, arguments: list[Expression | None], numbers: Sequence[Expression], result: Lowered
) -> None:
    """Lowers a block to what it makes of numbers that are given."""
    assert instance.type is not None and instance.type.draw is not None
    apply, arrivals = instance.type.draw.apply, result.inferred.inputs[instance.path]
    outputs = numbers if apply is None else apply(numbers, *arguments, **result.inferred.parameters[instance.path])
    readers: dict[Expression, list[Edge]] = {}
    for application in topological_order(outputs, known=result.owners):
        result.owners[application] = instance.path
        for slot, item in enumerate(application.inputs):
            if item is not None:
                readers.setdefault(item, []).append(Edge(application, slot))
    for argument, arrival in zip(arguments, arrivals, strict=True):
        # The gradient of a wire that the block reads in several places is in none of them.
        places = [] if argument is None else readers.get(argument, [])
        if len(places) == 1 and sum(other is argument for other in arguments) == 1:
            result.edges[arrival.target] = places[0]
    for name, output in zip(result.inferred.outputs[instance.path], outputs, strict=True):
        result.ports[PortName(instance.path, name)] = pass_on(output, instance.path, result)


def _lower_gradients(instance: Instance, arguments: list[Expression | None], result: Lowered) -> None:
    """Lowers a block that differentiates to the expressions of its derivatives; its own wires carry nothing."""
    assert instance.type is not None and instance.type.derivative is not None
    y, *xs = [_without_reroutes(item) for item in arguments if item is not None]
    prefix = instance.path.rpartition("/")[0]
    names = [name.partition(".") for name in result.inferred.parameters[instance.path]["stop_gradients"]]
    stops = [result.ports.get(PortName(f"{prefix}/{block_id}", port)) for block_id, _, port in names]
    stopped = frozenset(_without_reroutes(stop) for stop in stops if stop is not None)

    def walk(start: Expression, seed: Array) -> Callable[[Expression], Expression | None]:
        backward = backward_pass({start: constant(seed)}, stopped, watch=result.watch)
        _note_faults(backward, result)
        return lambda x: None if x in backward.hidden else backward.totals.get(x, filled(x.spec, 0))

    found = instance.type.derivative.parts(walk, y, xs)
    for name, part in zip(result.inferred.outputs[instance.path], found, strict=True):
        if part is not None:
            for application in topological_order([part], known=result.owners):
                result.owners[application] = instance.path
            result.ports[PortName(instance.path, name)] = pass_on(part, instance.path, result)


def _note_faults(backward: Backward, result: Lowered) -> None:
    result.prevented |= dict.fromkeys(backward.prevented)
    result.failed |= backward.failed


def _without_reroutes(expression: Expression) -> Expression:
    """Returns the expression behind the dots on a wire."""
    while expression.application.type.role is Role.REROUTE:
        source = expression.application.inputs[0]
        assert source is not None
        expression = source
    return expression


def _before_errors(result: Lowered) -> list[Expression]:
    """Returns the expressions that a block with an error hides from a loss: their gradients are unknown."""
    expanded = result.inferred.expanded
    hidden = []
    for link in expanded.links:
        source = result.ports.get(link.source)
        is_lost = link.target.path in result.inferred.leading and not is_lowered(link.target.path, result)
        if source is not None and is_lost and source.spec.is_differentiable:
            hidden.append(source)
    return hidden


def is_lowered(path: str, result: Lowered) -> bool:
    """Returns whether the block at `path` has expressions; an error in it or in a producer prevents that."""
    if not result.inferred.is_computable(path):
        return False
    if result.inferred.expanded.instances[path].role is Role.GRADIENTS:
        return True
    return all(PortName(path, name) in result.ports for name in result.inferred.outputs[path])
