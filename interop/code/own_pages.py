"""Pages with gradients of their own, made of functions of a program whose gradient it says.

What the gradient computes with of the function's own steps is computed again on the page that gives it.
"""

from __future__ import annotations

import ast
import dataclasses
import itertools
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from gradwire.blocks.names.table import ours
from gradwire.engine.autodiff.graph_from_expressions import page_input, trace_page
from gradwire.engine.autodiff.used_pages import AppliedPage, UsedPage
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.graph.own_gradients import PREFIX
from gradwire.interop.code.block_names import block_names, plain_name
from gradwire.interop.code.machine import Machine, identity, left_otherwise
from gradwire.interop.code.refusals import refusal
from gradwire.interop.code.values import Data, GradientOf, Value

if TYPE_CHECKING:
    from gradwire.interop.code.calls import Calls

_MOST_USES: Final = 1000
Arguments = list[Value]
Keywords = dict[str, Value]
# Gives the gradients of the arguments for those that arrive at the results.
Backward = Callable[[Value], Sequence[Value]]


@dataclass(eq=False)
class OwnGradient:
    """A function of the program with a gradient of its own.

    `forward` returns its value and what gives its gradients; `plain` the value alone, where it is used inside itself.
    `node` is where refusals point.
    """

    name: str
    node: ast.AST
    parameters: Sequence[str]
    forward: Callable[[ast.AST, Arguments, Keywords], tuple[Value, Backward]]
    plain: Callable[[ast.AST, Arguments, Keywords], Value]
    is_read: bool = False
    is_in_gradient: bool = False


class _Page(NamedTuple):
    """What a function became, inside: its arguments with the tensors that they stand for, results and gradients."""

    inputs: Mapping[Expression, tuple[str, Expression]]
    outputs: Sequence[Expression]
    incoming: Sequence[Expression]
    gradients: Mapping[Expression, Expression]


class OwnPages:
    """Maker of pages with gradients of their own."""

    def __init__(self, machine: Machine, calls: Calls) -> None:
        self._machine, self._calls = machine, calls
        self._made: dict[object, tuple[Value, Arguments, Keywords]] = {}

    def use(self, node: ast.AST, own: OwnGradient, args: Arguments, keywords: Keywords) -> Value:
        """Returns what a function gives, as the outputs of its page.

        Raises: CodeRefusal for what its value or gradient cannot be read of, and gradients that do not fit.
        """
        if own.is_read:
            if own.is_in_gradient:
                self._calls.notice(
                    node, f"uses {own.name} in its own gradient, where it has the gradient of its blocks"
                )
            return own.plain(node, args, keywords)
        given = self._given(own, args)
        key = (node, own, identity([*given, *keywords, *keywords.values()]))
        if key not in self._made:
            # What is given is kept, so that no other value gets its identity.
            self._made[key] = self._applied(node, own, given, keywords), given, keywords
        return self._made[key][0]

    def _given(self, own: OwnGradient, args: Arguments) -> Arguments:
        """Returns the arguments with tensors as blocks; numbers are tensors where nothing else is."""
        given = [self._as_block(item, name) for item, name in zip(args, _names(own, args), strict=True)]
        if any(isinstance(item, Expression) for item in leaves(given)):
            return given
        names = _names(own, args)
        return [
            self._as_block(Data(np.asarray(float(item))), name) if type(item) in (int, float) else item
            for item, name in zip(given, names, strict=True)
        ]

    def _as_block(self, value: Value, name: str) -> Value:
        if isinstance(value, Data):
            return self._machine.source(value, name)
        if isinstance(value, GradientOf) or self._machine.is_tensor(value):
            return self._machine.expression(ast.Pass(), value)
        return value

    def _applied(self, node: ast.AST, own: OwnGradient, given: Arguments, keywords: Keywords) -> Value:
        machine = self._machine
        if len(self._made) >= _MOST_USES:
            raise refusal(node, f"functions with gradients of their own are used more than {_MOST_USES:,} times")
        if not any(isinstance(item, Expression) for item in leaves(given)):
            raise refusal(node, f"{own.name} is given no tensor")
        own.is_read = True
        try:
            with machine.page():
                y, page = self._read(node, own, given, keywords)
                applied, inputs = self._pages(node, own.name, page)
        finally:
            own.is_read = own.is_in_gradient = False
        made = Application(UsedPage, inputs, {"page": applied}, [item.spec for item in page.outputs])
        machine.made_here(made)
        outputs = iter(made.outputs)
        return mapped(y, lambda _: next(outputs))

    def _read(self, node: ast.AST, own: OwnGradient, given: Arguments, keywords: Keywords) -> tuple[Value, _Page]:
        machine = self._machine
        inputs: dict[Expression, tuple[str, Expression]] = {}

        def inside_of(name: str, value: Value) -> Value:
            def entered(part: Value) -> Value:
                if not isinstance(part, Expression):
                    return part
                made = machine.enter(part, "x")
                inputs[made] = name, part
                return made

            return mapped(value, entered)

        inside = list(map(inside_of, _names(own, given), given))
        found, backward = own.forward(node, inside, dict(keywords))
        y = mapped(found, lambda part: self._tensor(own, part))
        outputs = leaves(y)
        if not outputs:
            raise refusal(own.node, f"{own.name} returns no tensor")
        arriving = mapped(y, lambda part: machine.enter(part, "d_y"))
        own.is_in_gradient = True
        parts = list(backward(arriving))
        if len(parts) < len(inside) or any(part is not None for part in parts[len(inside) :]):
            raise refusal(own.node, f"the gradient of {own.name} gives {len(parts)} parts for {len(inside)} arguments")
        pairs = itertools.chain.from_iterable(map(_pairs, inside, parts))
        gradients = {
            item: self._gradient(own, inputs[item][0], item.spec, part)
            for item, part in pairs
            if item.spec.is_differentiable
        }
        return y, _Page(inputs, outputs, leaves(arriving), gradients)

    def _tensor(self, own: OwnGradient, value: Value) -> Expression:
        if value is None:
            raise refusal(own.node, f"{own.name} returns no tensor")
        return self._machine.expression(own.node, value)

    def _gradient(self, own: OwnGradient, name: str, spec: TensorSpec, part: Value) -> Expression:
        """Returns the gradient of an argument, in its dtype.

        Raises: CodeRefusal unless it has the shape of the argument.
        """
        if isinstance(part, bool | int | float):
            part = Data(np.full(spec.shape, part, spec.dtype))
        found = self._machine.expression(own.node, part)
        if found.spec.is_differentiable and found.dtype != spec.dtype:
            found = self._machine.applied(own.node, ours("cast"), found, spec.dtype)
        if found.spec != spec:
            message = f"the gradient of {own.name} for {name} is {found.spec}, but {name} is {spec}"
            raise refusal(own.node, message, self._machine.blamed([found]))
        return found

    # Pages

    def _pages(self, node: ast.AST, name: str, page: _Page) -> tuple[AppliedPage, tuple[Expression, ...]]:
        """Returns the page of a function, with the one that gives its gradient, and what its inputs are given."""
        every = dict(page.inputs)
        for item in self._from_around(node, page):
            every[item] = self._machine.name_of(item) or "given", item
        ports: dict[str, Expression] = {}
        for item, (wanted, _) in every.items():
            ports[_free_port(wanted, ports)] = item
        outputs: dict[str, Expression] = {}
        for place, item in enumerate(page.outputs):
            wanted = "y" if len(page.outputs) == 1 else f"y{place}"
            outputs[_free_port(wanted, {**ports, **outputs})] = item
        incoming = {PREFIX + key: item for key, item in zip(outputs, page.incoming, strict=True)}
        gradients = {PREFIX + key: page.gradients[item] for key, item in ports.items() if item in page.gradients}
        names = block_names(self._machine.named, [*ports, *outputs, *incoming, *gradients])

        entries = {key: page_input(key, item.spec) for key, item in ports.items()}
        replaced = {item: entries[key] for key, item in ports.items()}
        results = dict(zip(outputs, _copied(outputs.values(), replaced, names), strict=True))
        forward, needed = trace_page(plain_name(name), entries, results)

        known = {**{key: item for key, item in outputs.items() if _is_whole(item, outputs, ports)}, **incoming, **ports}
        entries = {key: page_input(key, item.spec) for key, item in known.items()}
        replaced = {item: entries[key] for key, item in known.items()}
        results = dict(zip(gradients, _copied(gradients.values(), replaced, names), strict=True))
        reached = set(topological_order(results.values()))
        entries = {key: item for key, item in entries.items() if item.application in reached}
        backward, more = trace_page(plain_name(f"{name}_gradient"), entries, results)

        forward = dataclasses.replace(forward, gradient=backward.name)
        applied = AppliedPage(forward.name, tuple(ports), tuple(outputs), (*needed, *more, backward, forward))
        return applied, tuple(every[item][1] for item in ports.values())

    def _from_around(self, node: ast.AST, page: _Page) -> list[Expression]:
        """Returns the tensors of the page around that a function uses beside its arguments.

        Raises: CodeRefusal if it uses what stands inside another function's page.
        """
        roots = [*page.outputs, *page.gradients.values()]
        order = topological_order(roots, _Around(self._machine))
        own = {*page.inputs, *page.incoming}
        if any(item.type.role is Role.PAGE_INPUT and item.outputs[0] not in own for item in order):
            raise left_otherwise(node)
        read = [*roots, *(item for application in order for item in application.inputs if item is not None)]
        return list(dict.fromkeys(item for item in read if self._machine.is_from_around(item.application)))


class _Around(Container[Application]):
    """The blocks of the pages around the one that is being read."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def __contains__(self, item: object) -> bool:
        return isinstance(item, Application) and self._machine.is_from_around(item)


def _is_whole(item: Expression, outputs: Mapping[str, Expression], ports: Mapping[str, Expression]) -> bool:
    """Returns whether the gradient can read an output in place of computing it: no other output of its step is read."""
    known = set(outputs.values())
    return item not in set(ports.values()) and known.issuperset(item.application.outputs)


def _copied(
    roots: Iterable[Expression], replaced: Mapping[Expression, Expression], names: Mapping[Application, str]
) -> list[Expression]:
    """Returns expressions computed anew, from others in place of those that are replaced."""
    made, wanted = dict(replaced), list(roots)
    for application in topological_order(wanted, {item.application for item in replaced}):
        inputs = tuple(None if item is None else made[item] for item in application.inputs)
        specs = [item.spec for item in application.outputs]
        copy = Application(application.type, inputs, application.parameters, specs, names.get(application))
        made |= zip(application.outputs, copy.outputs, strict=True)
    return [made[item] for item in wanted]


def _free_port(wanted: str, taken: Container[str]) -> str:
    """Returns a name that is no other port's, and no name of another one's gradient."""
    wanted = plain_name(wanted)
    names = itertools.chain([wanted], (f"{wanted}_{number}" for number in itertools.count(1)))
    return next(
        name
        for name in names
        if name not in taken and PREFIX + name not in taken and name.removeprefix(PREFIX) not in taken
    )


def _names(own: OwnGradient, args: Arguments) -> list[str]:
    """Returns the names of arguments; those beyond the parameters are counted."""
    return [own.parameters[place] if place < len(own.parameters) else f"x{place}" for place in range(len(args))]


def _pairs(value: Value, part: Value) -> Iterator[tuple[Expression, Value]]:
    """Yields the tensors of an argument with their gradients; what is no tensor has none."""
    if part is None:
        return
    if isinstance(value, Expression):
        yield value, part
    elif isinstance(value, list | tuple) and isinstance(part, list | tuple):
        for item, inner in zip(value, part, strict=False):
            yield from _pairs(item, inner)
    elif isinstance(value, Mapping) and isinstance(part, Mapping):
        for key, item in value.items():
            yield from _pairs(item, part.get(key))


def leaves(value: Value) -> list[Value]:
    """Returns what lists, tuples and dictionaries hold, in order."""
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, Mapping):
        return [leaf for item in value.values() for leaf in leaves(item)]
    return [value]


def mapped(value: Value, change: Callable[[Value], Value]) -> Value:
    """Returns lists, tuples and dictionaries of what others hold, changed one by one."""
    if isinstance(value, list | tuple):
        items = [mapped(item, change) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, Mapping):
        return {key: mapped(item, change) for key, item in value.items()}
    return change(value)
