"""Classes of a program: modules of layers with their parameters, and what calls of their methods give."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.code.refusals import refusal
from gradwire.interop.code.values import Builtin, Function, Ignored, Layer, Value

if TYPE_CHECKING:
    from gradwire.interop.code.calls import Calls

# What is called when a module is called, in the order of frameworks.
_CALLED: Final = ("forward", "call", "__call__")
# Methods of modules that give the module itself, and those whose result nobody sees.
_SAME: Final = {"to", "train", "eval", "cuda", "cpu", "double", "float", "half", "requires_grad_", "apply"}
_WITHOUT_EFFECT: Final = {"zero_grad", "build", "summary", "register_buffer", "register_parameter", "named_modules"}
_PARAMETERS: Final = {"parameters", "trainable_variables", "trainable_weights", "variables", "weights"}


@dataclass(eq=False)
class Class:
    """A class of the program: its methods and values by name."""

    name: str
    parts: Mapping[str, Value]


@dataclass(eq=False)
class Instance:
    """An object of a class of the program, with its attributes."""

    of: Class
    parts: dict[str, Value] = field(default_factory=dict)


Owner = Layer | Instance


def instance_of(calls: Calls, node: ast.AST, made: Class, args: list[Value], keywords: dict[str, Value]) -> Instance:
    """Returns a new object of a class, after its `__init__`."""
    found = Instance(made)
    start = made.parts.get("__init__")
    if isinstance(start, Function):
        calls.called(node, start, [found, *args], keywords)
    elif args or keywords:
        raise refusal(node, f"{made.name} takes no arguments")
    return found


def module_called(calls: Calls, node: ast.AST, owner: Instance, args: list[Value], keywords: dict[str, Value]) -> Value:
    """Returns what an object gives when it is called, by its `forward` or `call`.

    Raises: CodeRefusal if it has none.
    """
    for name in _CALLED:
        method = owner.of.parts.get(name)
        if isinstance(method, Function):
            return calls.called(node, method, [owner, *args], keywords)
    raise refusal(node, f"{owner.of.name} has no forward, which would say what a call gives")


def is_part(owner: Owner, name: str) -> bool:
    """Returns whether a layer or object has an attribute of a name."""
    return name in owner.parts or (isinstance(owner, Instance) and name in owner.of.parts) or name in _PARAMETERS


def part_of(owner: Owner, name: str) -> Value:
    """Returns an attribute of a layer or object; `parameters` gives all Variables inside."""
    if name in owner.parts:
        return owner.parts[name]
    if isinstance(owner, Instance) and name in owner.of.parts:
        return owner.of.parts[name]
    return list(parameters(owner))


def method_called(
    calls: Calls, node: ast.AST, owner: Owner, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """Returns what a method of a layer or object gives.

    Raises: CodeRefusal if there is no such method.
    """
    if isinstance(owner, Instance):
        own = owner.parts.get(name, owner.of.parts.get(name))
        is_static = isinstance(own, Function) and own.is_static
        if isinstance(own, Function | Builtin) and name not in owner.parts and not is_static:
            return calls.called(node, own, [owner, *args], keywords)
        if own is not None:
            return calls.called(node, own, args, keywords)
        if name in _CALLED:
            return module_called(calls, node, owner, args, keywords)
    elif name in _CALLED:
        return owner.call(node, args, keywords)
    if name in _SAME:
        return owner
    if name in _WITHOUT_EFFECT:
        return Ignored(name)
    if name == "named_parameters":
        return [("", item) for item in parameters(owner)]
    if name in _PARAMETERS:
        return list(parameters(owner))
    if name in ("append", "add", "add_module") and "layers" in owner.parts:
        owner.parts["layers"].append(args[-1])
        return owner
    owned = node.func if isinstance(node, ast.Call) else node
    raise refusal(node, f"{ast.unparse(owned)} is not known here")


def parameters(value: Value) -> Iterator[Expression]:
    """Yields the Variables of a layer, an object, or of all in a list, each once."""
    seen: set[int] = set()
    for item in _parameters(value):
        if id(item) not in seen:
            seen.add(id(item))
            yield item


def _parameters(value: Value) -> Iterator[Expression]:
    if isinstance(value, Expression) and value.application.type.name == "Variable":
        yield value
    elif isinstance(value, Layer | Instance):
        yield from _parameters(list(value.parts.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _parameters(item)
    elif isinstance(value, Mapping):
        yield from _parameters(list(value.values()))
