"""Gradients that a program says itself: `tf.custom_gradient`, `jax.custom_vjp` and `torch.autograd.Function`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from gradwire.interop.code.classes import Class, Instance
from gradwire.interop.code.own_pages import Arguments, Backward, Keywords, OwnGradient, leaves
from gradwire.interop.code.refusals import refusal
from gradwire.interop.code.values import Builtin, Function, Value

if TYPE_CHECKING:
    from gradwire.interop.code.calls import Calls

# What a context of PyTorch is told that changes no gradient here.
_WITHOUT_EFFECT: Final = ("mark_non_differentiable", "set_materialize_grads", "save_for_forward")


def _custom_gradient(is_structured: bool) -> Callable[[Calls, ast.AST, Arguments, Keywords], Value]:
    """Returns the reader of a function that returns its value and the function of its gradient.

    That one takes the gradients of several results one by one in TensorFlow, and structured as the result in JAX.
    """

    def read(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
        function = _function(node, args)

        def forward(at: ast.AST, given: Arguments, more: Keywords) -> tuple[Value, Backward]:
            found = calls.called(at, function, given, more)
            message = f"{function.name} returns its value and the function that gives its gradient"
            y, gradient = _two(function.node, found, message)
            if not isinstance(gradient, Function | Builtin):
                raise refusal(function.node, message)

            def backward(arriving: Value) -> list[Value]:
                incoming = [arriving] if is_structured else leaves(arriving)
                # The object of a method has no gradient.
                of_object = [None for item in given[:1] if isinstance(item, Instance)]
                return [*of_object, *_parts(calls.called(at, gradient, incoming, {}))]

            return y, backward

        own = OwnGradient(
            function.name,
            function.node,
            _parameters(function),
            forward,
            lambda at, given, more: forward(at, given, more)[0],
        )
        return Builtin(function.name, lambda at, given, more: calls.own_pages.use(at, own, given, more))

    return read


def _pass_through(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    """Returns a function whose gradient is the incoming one, as `tf.grad_pass_through` does."""
    if len(args) != 1 or keywords:
        raise refusal(node, "grad_pass_through takes one function")

    def plain(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        return calls.called(at, args[0], given, more)

    def forward(at: ast.AST, given: Arguments, more: Keywords) -> tuple[Value, Backward]:
        return plain(at, given, more), lambda arriving: [arriving]

    own = OwnGradient("pass_through", node, ["x"], forward, plain)
    return Builtin(own.name, lambda at, given, more: calls.own_pages.use(at, own, given, more))


def _custom_vjp(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    """Returns a function whose gradient `defvjp` says."""
    function = _function(node, args)
    parameters = _parameters(function)
    static = keywords.get("nondiff_argnums", ())
    fixed = {*([static] if isinstance(static, int) else static)}
    fixed |= {place for place, name in enumerate(parameters) if name in keywords.get("nondiff_argnames", ())}
    rule: list[Value] = []

    def define(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        rule[:] = [*given, *(more[name] for name in ("fwd", "bwd") if name in more)][:2]
        if len(rule) != 2:
            raise refusal(at, "defvjp takes two functions: forward and backward")

    def forward(at: ast.AST, given: Arguments, more: Keywords) -> tuple[Value, Backward]:
        if not rule:
            raise refusal(at, f"{function.name} has no gradient yet; {function.name}.defvjp says it")
        found = calls.called(at, rule[0], given, more)
        message = f"the forward function of {function.name} returns its value and what its backward function needs"
        y, kept = _two(getattr(rule[0], "node", at), found, message)

        def backward(arriving: Value) -> list[Value]:
            before = [given[place] for place in sorted(fixed) if place < len(given)]
            parts = _parts(calls.called(at, rule[1], [*before, kept, arriving], {}))
            for place in sorted(fixed):
                parts.insert(place, None)
            return parts

        return y, backward

    own = OwnGradient(
        function.name,
        function.node,
        parameters,
        forward,
        lambda at, given, more: calls.called(at, function, given, more),
    )

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        bound = {**dict(zip(parameters, given, strict=False)), **more}
        calls.fill_defaults(at, function, bound)
        every = [*(bound[name] for name in parameters), *given[len(parameters) :]]
        return calls.own_pages.use(at, own, every, {key: more[key] for key in more if key not in parameters})

    return Builtin(function.name, call, {"defvjp": Builtin("defvjp", define)})


def autograd_function(calls: Calls, node: ast.ClassDef, made: Class) -> Builtin:
    """Returns a class of a forward and a backward function, which `apply` applies.

    Raises: CodeRefusal if one of them is missing.
    """
    first, second, setup = (made.parts.get(name) for name in ("forward", "backward", "setup_context"))
    if not isinstance(first, Function) or not isinstance(second, Function):
        raise refusal(node, f"{made.name} has no forward or no backward, which say its value and its gradient")
    has_setup = isinstance(setup, Function)

    def forward(at: ast.AST, given: Arguments, more: Keywords) -> tuple[Value, Backward]:
        context = _context(given)
        y = calls.called(at, first, given if has_setup else [context, *given], more)
        if has_setup:
            calls.called(at, setup, [context, tuple(given), y], {})
        return y, lambda arriving: _parts(calls.called(at, second, [context, *leaves(arriving)], {}))

    parameters = _parameters(first)[0 if has_setup else 1 :]
    own = OwnGradient(made.name, node, parameters, forward, lambda at, given, more: forward(at, given, more)[0])
    apply = Builtin("apply", lambda at, given, more: calls.own_pages.use(at, own, given, more))

    def refuse(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        raise refusal(at, f"{made.name} is applied by {made.name}.apply")

    return Builtin(made.name, refuse, {**made.parts, "apply": apply})


def _context(given: Arguments) -> Instance:
    """Returns what PyTorch gives forward and backward to pass tensors on."""
    parts: dict[str, Value] = {"saved_tensors": (), "needs_input_grad": tuple(True for _ in given)}

    def save(at: ast.AST, tensors: Arguments, more: Keywords) -> Value:
        parts["saved_tensors"] = tuple(tensors)

    known = {name: Builtin(name, lambda at, args, more: None) for name in _WITHOUT_EFFECT}
    parts |= {**known, "save_for_backward": Builtin("save_for_backward", save)}
    return Instance(Class("context", {}), parts)


def _custom_jvp(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    raise refusal(node, "jax.custom_jvp gives a gradient forward, which has no block; give it backward, by custom_vjp")


def _function(node: ast.AST, args: Arguments) -> Function:
    if len(args) != 1 or not isinstance(args[0], Function):
        raise refusal(node, "a gradient of its own is said for one function of the program")
    return args[0]


def _parameters(function: Function) -> list[str]:
    every = function.node.args
    return [item.arg for item in (*every.posonlyargs, *every.args)]


def _two(node: ast.AST, found: Value, message: str) -> tuple[Value, Value]:
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise refusal(node, message)
    return found[0], found[1]


def _parts(found: Value) -> list[Value]:
    return list(found) if isinstance(found, tuple | list) else [found]


OWN_GRADIENTS: Final[Mapping[str, Callable[[Calls, ast.AST, Arguments, Keywords], Value]]] = {
    "tf.custom_gradient": _custom_gradient(is_structured=False),
    "tf.grad_pass_through": _pass_through,
    "jax.custom_gradient": _custom_gradient(is_structured=True),
    "jax.custom_vjp": _custom_vjp,
    "jax.custom_jvp": _custom_jvp,
}
