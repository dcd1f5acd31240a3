"""Gradients that a program asks for: they choose the loss, and become blocks where the program computes with them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from gradwire.blocks.names.table import ours
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.library import library
from gradwire.interop.code.machine import Machine
from gradwire.interop.code.own_gradients import OWN_GRADIENTS
from gradwire.interop.code.own_pages import leaves, mapped
from gradwire.interop.code.refusals import refusal
from gradwire.interop.code.transforms import TRANSFORMS, is_without_effect
from gradwire.interop.code.values import Builtin, Data, Function, GradientOf, Ignored, Value

if TYPE_CHECKING:
    from gradwire.interop.code.calls import Calls

_GRADS: Final = {"jax.grad", "jax.value_and_grad", "torch.func.grad", "torch.func.grad_and_value"}
_WITHOUT_BLOCKS: Final = {"jax.hessian", "jax.jacobian", "jax.jacfwd", "jax.jacrev", "jax.vjp", "jax.jvp"}
Special = Callable[[ast.AST, list[Value], dict[str, Value]], Value]


class Gradients:
    """Reader of requests for gradients, and of the functions that make functions of functions."""

    def __init__(self, machine: Machine, calls: Calls) -> None:
        self._machine, self._calls = machine, calls

    @property
    def has_been_asked(self) -> bool:
        """Whether the program has asked for a gradient."""
        return bool(self._machine.losses)

    def special(self, name: str) -> Special | None:
        """Returns what carries out a function of gradients or of functions; None for all others."""
        if name in _GRADS:
            return lambda node, args, keywords: self._of_function(node, name, args, keywords)
        if name in ("torch.autograd.grad", "tf.gradients"):
            return self.of_tape
        if name == "torch.autograd.backward":
            return lambda node, args, keywords: self.backward(node, args[0], args[1:], keywords)
        if name in OWN_GRADIENTS:
            return lambda node, args, keywords: OWN_GRADIENTS[name](self._calls, node, args, keywords)
        if name in TRANSFORMS:
            return lambda node, args, keywords: TRANSFORMS[name](self._calls, node, args, keywords)
        if is_without_effect(name):
            return lambda node, args, keywords: Ignored(_short(name))
        if name in _WITHOUT_BLOCKS:
            return lambda node, args, keywords: self._refuse(node, name)
        return None

    def _refuse(self, node: ast.AST, name: str) -> Value:
        raise refusal(node, f"{name} has no block; ask for the gradient of one number with jax.grad")

    def ask(self, value: Value) -> None:
        """Notes that the gradient of a source, or of all in a list, will be looked at."""
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, Expression):
                self._machine.asked.append(item)

    def backward(self, node: ast.AST, owner: Value, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Carries out `loss.backward()`: the loss is chosen, weighted by the gradient that is given."""
        weights = args[0] if args else keywords.get("gradient")
        self._lose(node, owner, weights, True)
        return None

    def of_backward(self, node: ast.AST, x: Expression) -> Value:
        """Returns `x.grad`, the gradient of what `backward` was called for."""
        self.ask(x)
        backward = [y for y, _, is_backward in self._machine.losses if is_backward]
        return GradientOf(backward[-1], x) if backward else None

    def of_tape(self, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Returns the gradients of one loss with respect to one source, or to each in a list."""
        named = {key: keywords[key] for key in ("target", "outputs", "ys") if key in keywords}
        y = args[0] if args else next(iter(named.values()), None)
        rest = args[1:] if args else []
        sources = (
            rest[0] if rest else next((keywords[key] for key in ("sources", "inputs", "xs") if key in keywords), None)
        )
        weights = next(
            (keywords[key] for key in ("output_gradients", "grad_outputs", "grad_ys") if key in keywords), None
        )
        if len(rest) > 1:
            weights = rest[1]
        if isinstance(weights, list | tuple) and len(weights) == 1:
            weights = weights[0]
        loss = self._lose(node, y[0] if isinstance(y, list | tuple) and len(y) == 1 else y, weights, False)
        found = self._with_respect_to(node, loss, sources)
        is_torch = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("autograd.grad")
        return (found,) if is_torch and not isinstance(found, tuple | list) else found

    def _with_respect_to(self, node: ast.AST, y: Expression, sources: Value) -> Value:
        if isinstance(sources, list | tuple):
            return tuple(self._with_respect_to(node, y, item) for item in sources)
        if isinstance(sources, Mapping):
            return {key: self._with_respect_to(node, y, item) for key, item in sources.items()}
        if sources is None:
            raise refusal(node, "this asks for a gradient with respect to nothing")
        x = self._machine.expression(node, sources)
        self.ask(x)
        return GradientOf(y, x)

    def _lose(self, node: ast.AST, y: Value, weights: Value, is_backward: bool) -> Expression:
        loss = self._machine.expression(node, y)
        given, is_shared = [loss], False
        if weights is not None and not isinstance(weights, Ignored):
            factors = self._machine.expression(node, weights)
            # They are numbers here: no gradient flows through them, though they may be computed from the same tensors.
            is_shared = _share_leaves(loss, factors)
            given.append(self._machine.stopped(factors) if is_shared else factors)
        if self._machine.is_on_page:
            # What a page computes with is no loss of the program.
            if len(given) > 1:
                loss = self._machine.applied(node, ours("sum"), self._machine.operate(node, "multiply", *given))
            return self._machine.once(loss) if is_shared else loss
        is_known = any(y is loss for y, _, _ in self._machine.losses)
        if len(given) > 1 or not is_known:
            made = self._machine.applied(node, library["Loss"], *given)
            # With weights, what is differentiated is their sum of products, where a program computes with gradients.
            loss = made if len(given) > 1 else loss
            self._machine.losses.append((loss, made, is_backward))
        return self._machine.once(loss) if is_shared else loss

    def _of_function(self, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Returns the function that gives the gradient of another function."""
        if not args:
            return Builtin(name, lambda at, given, more: self._of_function(at, name, given, {**keywords, **more}))
        function, argnums = args[0], args[1] if len(args) > 1 else keywords.get("argnums", 0)
        has_aux = bool(keywords.get("has_aux", False))
        gives_value = name.endswith(("value_and_grad", "grad_and_value"))

        def call(at: ast.AST, given: list[Value], more: dict[str, Value]) -> Value:
            return self._called(at, function, argnums, (given, more), (gives_value, has_aux))

        return Builtin(name, call, held=(function,))

    def _called(
        self,
        node: ast.AST,
        function: Value,
        argnums: Value,
        given: tuple[list[Value], dict[str, Value]],
        kind: tuple[bool, bool],
    ) -> Value:
        args, keywords = list(given[0]), given[1]
        places = [argnums] if isinstance(argnums, int) else list(argnums)
        for number, place in enumerate(places):
            if not -len(args) <= place < len(args):
                raise refusal(node, f"there is no argument {place} to differentiate")
            places[number] = place = place % len(args)
            args[place] = self._leaves(node, args[place], self._written(node, function, place))
        for place in places:
            others = [*args[:place], *args[place + 1 :], keywords, function]
            args[place] = mapped(args[place], partial(self._alone, node, others, leaves(args[place])))
        result = self._calls.called(node, function, args, keywords)
        gives_value, has_aux = kind
        y, aux = (result[0], result[1]) if has_aux and isinstance(result, tuple) else (result, None)
        loss = self._lose(node, y, None, False)
        found = [self._with_respect_to(node, loss, args[place]) for place in places]
        gradient = found[0] if isinstance(argnums, int) else tuple(found)
        value = (loss, aux) if has_aux else loss
        if gives_value:
            return value, gradient
        return (gradient, aux) if has_aux else gradient

    def _alone(self, node: ast.AST, others: list[Value], siblings: list[Value], x: Value) -> Value:
        """Returns an argument as a tensor of its own where others, or the function itself, are computed from it too.

        `siblings` are all tensors of the argument of which it is one.
        """
        around = [*others, *(item for item in siblings if item is not x)]
        is_twice = sum(item is x for item in siblings) > 1
        if not isinstance(x, Expression) or not (is_twice or _reads(around, x)):
            return x
        own: Expression = self._machine.applied(node, library["Identity"], x)
        if is_twice or _reads(around, own):
            raise refusal(node, "one tensor is given for two arguments that are differentiated")
        return own

    def _written(self, node: ast.AST, function: Value, place: int) -> tuple[str, bool]:
        """Returns the name of an argument as the call writes it, else of the parameter, and whether it is written."""
        if isinstance(node, ast.Call) and place < len(node.args) and isinstance(node.args[place], ast.Name):
            return node.args[place].id, True  # type: ignore[attr-defined]  # it is a Name
        parameters = getattr(getattr(function, "node", None), "args", None)
        names = [item.arg for item in parameters.args] if parameters is not None else []
        return (names[place] if place < len(names) else f"x{place}"), False

    def _leaves(self, node: ast.AST, value: Value, written: tuple[str, bool]) -> Value:
        """Returns an argument that is differentiated with all numbers in it as sources."""
        name, is_written = written
        if isinstance(value, list | tuple):
            return type(value)(self._leaves(node, item, (f"{name}_{place}", False)) for place, item in enumerate(value))
        if isinstance(value, Mapping):
            return {key: self._leaves(node, item, (f"{name}_{key}", False)) for key, item in value.items()}
        if isinstance(value, bool | int | float):
            value = Data(np.asarray(float(value)))
        if not isinstance(value, Data):
            return value
        made = self._machine.source(value, name)
        scope = self._machine.scope.find(name) if is_written else None
        if scope is not None:
            scope.names[name] = made
        return made


def _short(name: str) -> str:
    return "tape" if name == "tf.GradientTape" else name


def _reads(value: Value, x: Expression) -> bool:
    """Returns whether something is computed from a tensor, or is it; of a function, by what it reads around it."""
    held = list(_tensors(value, set()))
    return any(item is x for item in held) or any(
        entry is x for application in topological_order(held) for entry in application.inputs
    )


def _share_leaves(one: Expression, other: Expression) -> bool:
    """Returns whether two tensors are computed from a common one that is no Constant."""
    return bool(_leaves(one) & _leaves(other))


def _leaves(value: Expression) -> set[Application]:
    made = topological_order([value])
    return {item for item in made if not item.inputs and item.type.name != "Constant"}


def _tensors(value: Value, seen: set[int]) -> Iterator[Expression]:
    """Yields the tensors that a value holds, or that a function reads around it."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, GradientOf):
        yield from (value.y, value.x)
    elif isinstance(value, list | tuple | Mapping):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _tensors(item, seen)
    elif isinstance(value, Builtin):
        yield from _tensors(value.held, seen)
    elif isinstance(value, Function):
        given = {item.arg for item in ast.walk(value.node) if isinstance(item, ast.arg)}
        for item in ast.walk(value.node):
            if isinstance(item, ast.Name) and item.id not in given and (home := value.scope.find(item.id)) is not None:
                yield from _tensors(home.names[item.id], seen)
