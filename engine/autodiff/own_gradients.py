"""Own gradients of pages as expressions: a step that passes the outputs of a page on, with the page's rule.

The rule lowers the blocks of the giving page once for each walk that reaches it. They are ordinary expressions, so they
can be differentiated again. Only blocks without inputs are shared, so that new values of theirs reach every copy.
Source: tf.custom_gradient; Bradbury et al., JAX (2018), `jax.custom_vjp`. Cost: that of lowering the giving page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from gradwire.engine.autodiff.backward import Edge, filled
from gradwire.engine.autodiff.expand import Instance, PortName
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.own_rules import OwnRule, incoming_name, problems_of_specs
from gradwire.engine.base.errors import GradientError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import ANY, Role, block
from gradwire.engine.blocktypes.expression import Application, Expression, constant
from gradwire.engine.blocktypes.parameters import Kind
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.blocktypes.primitives import Identity
from gradwire.engine.graph.paths import is_in_gradient

# Lowers one block into a result that has all its producers.
LowerBlock = Callable[[Instance, Lowered], None]


@dataclass(frozen=True, eq=False)
class PageRule:
    """Gradient rule of one use of a page.

    `inputs` has the names of the page's inputs in the order of the step's first arguments, each with whether a wire
    leads to it; `outputs` those of its outputs. `lowered` has the blocks that all walks share.
    """

    own: OwnRule
    inputs: Mapping[str, bool]
    outputs: Sequence[str]
    lowered: Lowered
    lower_block: LowerBlock

    def gradients(self, arriving: Sequence[Expression], tensors: Sequence[Expression]) -> list[Expression | None]:
        """Returns the gradients of a step's arguments: those of the page's wired inputs, and None for its outputs.

        Raises: GradientError if the giving page has a mistake.
        """
        names = [*self.inputs, *self.outputs]
        given = dict(zip([*names, *map(incoming_name, self.outputs)], [*tensors, *arriving], strict=True))
        found = self._lowered(given)
        wanted = [name for name, is_wired in self.inputs.items() if is_wired and name in self.own.results]
        parts = {name: found.get(PortName(self.own.results[name], "y")) for name in wanted}
        has_misfit = any(True for _ in problems_of_specs([self.own], self.lowered.inferred.spec_of_port))
        if None in parts.values() or self.own.is_faulty or has_misfit:
            raise GradientError(
                f'page "{self.own.backward}", which gives its gradient, has a mistake; the gradients before this block '
                "are unknown until it is mended"
            )
        return list(map(parts.get, names))

    def _lowered(self, given: Mapping[str, Expression]) -> Mapping[PortName, Expression]:
        """Returns the ports of the giving page for what its inputs are given."""
        inferred, shared = self.lowered.inferred, self.lowered.ports
        result = self.lowered.beside()
        inputs = {path: given[name] for name, path in self.own.given.items() if name in given}
        for path in inferred.expanded.giving.get(self.own.prefix, ()):
            instance, port = inferred.expanded.instances[path], PortName(path, "y")
            if path in inputs:
                result.ports[port] = pass_on(inputs[path], path, result)
            elif is_shared(instance) and port in shared:
                result.ports[port] = shared[port]
            elif inferred.is_computable(path):
                self.lower_block(instance, result)
        return result.ports


def _kept(value: object) -> object:
    return value


Rule = Annotated[PageRule, Kind("rule", _kept)]


@block("Gradient parts", outputs=("y*",), accepts=ANY, role=Role.OWN_GRADIENT, only_moves_data=True)
def OwnGradient(*tensors: Array, rule: Rule) -> tuple[Array, ...]:
    """The last tensors, unchanged: the outputs of a page. The page's own rule gives the gradients of the first ones."""
    return tensors[len(tensors) - len(rule.outputs) :]


@OwnGradient.gradient
def _gradients(gs: Sequence[Any], tensors: Sequence[Any], values: Sequence[Any], *, rule: PageRule) -> list[Any]:
    if any(isinstance(item, Expression) for item in (*gs, *tensors)):
        return list(rule.gradients(gs, tensors))
    parts = rule.gradients(list(map(constant, gs)), list(map(constant, tensors)))
    found = run(make_plan(part for part in parts if part is not None))
    return [None if part is None else found[part] for part in parts]


def uses_among(applications: Iterable[Application]) -> list[str]:
    """Returns the uses of pages with own gradients among some applications, by their paths."""
    return [item.parameters["rule"].own.use for item in applications if item.type is OwnGradient]


def pass_on(expression: Expression, path: str, result: Lowered) -> Expression:
    """Returns the same tensor as an output of another block."""
    application = Application(Identity, (expression,), {}, (expression.spec,))
    result.owners[application] = path
    return application.outputs[0]


def is_shared(instance: Instance) -> bool:
    """Returns whether a block on a giving page has the same values in every walk."""
    return not instance.inputs and not instance.is_entered


def lower_with_rule(instance: Instance, own: OwnRule, result: Lowered, lower_block: LowerBlock) -> None:
    """Lowers the use of a page with an own gradient, whose blocks have been lowered."""
    known, path = result.ports, instance.path
    names = [name for name in result.inferred.outputs[path] if PortName(own.outputs[name], "y") in known]
    if not names:
        return
    instances = {name: result.inferred.expanded.instances[inner] for name, inner in own.inputs.items()}
    wired = {name: item.inputs["x"] for name, item in instances.items() if item.inputs and not item.is_stop}
    sources = {name: wired.get(name, PortName(inner, "y")) for name, inner in own.inputs.items()}
    inputs = {name: known[source] for name, source in sources.items() if source in known}
    outputs = [known[PortName(own.outputs[name], "y")] for name in names]
    rule = PageRule(own, {name: name in wired for name in inputs}, names, result.outermost, lower_block)
    specs = [item.spec for item in outputs]
    application = Application(OwnGradient, (*inputs.values(), *outputs), {"rule": rule}, specs)
    result.owners[application] = path
    for name, output in zip(names, application.outputs, strict=True):
        result.ports[PortName(path, name)] = output
    for slot, name in enumerate(inputs):
        port = instances[name].port
        if name in wired and port is not None:
            edge = Edge(application, slot)
            result.readers[edge] = result.edges[port]
            result.edges[port] = edge


def lower_giving_pages(result: Lowered, lower_block: LowerBlock) -> None:
    """Adds the blocks of giving pages to a differentiated graph, with what arrives at their inputs: for the reader."""
    inferred = result.inferred
    inputs = {
        path: (use, own, name) for use, own in inferred.expanded.rules.items() for name, path in own.given.items()
    }
    for path, instance in inferred.expanded.instances.items():
        if not is_in_gradient(path) or not inferred.is_computable(path):
            continue
        value = _value_given(*inputs[path], result) if path in inputs else None
        if value is not None:
            result.ports[PortName(path, "y")] = pass_on(value, path, result)
        elif path not in inputs and not is_shared(instance):
            lower_block(instance, result)


def _value_given(use: str, own: OwnRule, name: str, result: Lowered) -> Expression | None:
    """Returns what arrives at an input of a giving page: a tensor, or the gradient of an output, zero without one."""
    output, backward = own.incoming(name), result.backward
    if output is None:
        return result.ports.get(PortName(own.sources[name], "y"))
    item = result.ports.get(PortName(use, output))
    return None if item is None or item in backward.hidden else backward.totals.get(item, filled(item.spec, 0))
