"""Python's own functions, as far as programs of tensors use them."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.code.meanings import ours
from gradwire.interop.code.refusals import CodeRefusal, refusal
from gradwire.interop.code.values import Data, GradientOf, Ignored, Value

if TYPE_CHECKING:
    from gradwire.interop.code.calls import Calls

Arguments = list[Value]
Keywords = dict[str, Value]
_TENSORS = (Expression, Data, GradientOf)


def _print(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    calls.quietly(args)


def _len(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    (value,) = args
    if isinstance(value, Data):
        return len(value.array)
    if isinstance(value, Expression):
        if not value.shape:
            raise refusal(node, "a single number has no length")
        return value.shape[0]
    return len(value)


def _range(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    if not all(isinstance(item, int) for item in args) or not args:
        message = "a range goes over whole numbers that the program says"
        raise refusal(node, message, calls.blamed(args))
    return range(*args)


def _number(make: Callable[..., Value]) -> Callable[[Calls, ast.AST, Arguments, Keywords], Value]:
    """Returns a conversion to a number; of a tensor it gives its numbers, for which no gradient is asked."""

    def convert(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
        if not args:
            return make()
        value = args[0]
        if isinstance(value, _TENSORS):
            return value if isinstance(value, GradientOf) else calls.stopped(node, value)
        try:
            return make(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise refusal(node, f"{make.__name__} takes a number") from error

    return convert


def _sum(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    if isinstance(args[0], _TENSORS):
        return calls.applied(node, ours("sum"), [args[0]], {"axis": 0} if not calls.is_formula else {})
    items = calls.rows(node, args[0])
    total = args[1] if len(args) > 1 else keywords.get("start", 0)
    for item in items:
        total = item if isinstance(total, int) and total == 0 else calls.binary(node, ast.Add, total, item)
    return total


def _extreme(name: str, choose: Callable[..., Value]) -> Callable[[Calls, ast.AST, Arguments, Keywords], Value]:
    def extreme(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
        items = calls.rows(node, args[0]) if len(args) == 1 and not isinstance(args[0], _TENSORS) else args
        if len(args) == 1 and isinstance(args[0], _TENSORS):
            return calls.applied(node, ours(f"a{name}"), args, keywords)
        if not any(isinstance(item, _TENSORS) for item in items):
            return choose(items)
        found = items[0]
        for item in items[1:]:
            found = calls.applied(node, ours(f"{name}imum"), [found, item], {})
        return found

    return extreme


def _of_tensor(name: str, otherwise: Callable[..., Value]) -> Callable[[Calls, ast.AST, Arguments, Keywords], Value]:
    def apply(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
        if any(isinstance(item, _TENSORS) for item in args):
            return calls.applied(node, ours(name), args[: 1 if name == "round" else None], keywords)
        return otherwise(*args)

    return apply


def _items(make: Callable[..., Value]) -> Callable[[Calls, ast.AST, Arguments, Keywords], Value]:
    def build(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
        return make(*(calls.rows(node, item) for item in args))

    return build


def _enumerate(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    start = args[1] if len(args) > 1 else keywords.get("start", 0)
    return [(place, item) for place, item in enumerate(calls.rows(node, args[0]), start)]


def _map(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    function, *lists = args
    rounds = zip(*(calls.rows(node, item) for item in lists), strict=False)
    return [calls.called(node, function, list(items), {}) for items in rounds]


def _is_instance(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    return isinstance(args[0], _TENSORS)


def _guarded(
    function: Callable[[Calls, ast.AST, Arguments, Keywords], Value],
) -> Callable[[Calls, ast.AST, Arguments, Keywords], Value]:
    def call(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
        try:
            return function(calls, node, args, keywords)
        except CodeRefusal:
            raise
        except (TypeError, ValueError, LookupError, ArithmeticError) as error:
            raise refusal(node, "the arguments do not fit") from error

    return call


_READ: Final[Mapping[str, Callable[[Calls, ast.AST, Arguments, Keywords], Value]]] = {
    "print": _print,
    "display": _print,
    "len": _len,
    "range": _range,
    "float": _number(float),
    "int": _number(int),
    "bool": _number(bool),
    "str": lambda calls, node, args, keywords: "",
    "repr": lambda calls, node, args, keywords: "",
    "format": lambda calls, node, args, keywords: "",
    "sum": _sum,
    "max": _extreme("max", max),
    "min": _extreme("min", min),
    "abs": _of_tensor("abs", abs),
    "round": _of_tensor("round", round),
    "pow": _of_tensor("pow", math.pow),
    "list": _items(lambda items=(): list(items)),
    "tuple": _items(lambda items=(): tuple(items)),
    "zip": _items(lambda *lists: list(zip(*lists, strict=False))),
    "reversed": _items(lambda items: list(reversed(items))),
    "sorted": _items(lambda items: sorted(items)),
    "dict": lambda calls, node, args, keywords: dict(*args, **keywords),
    "enumerate": _enumerate,
    "map": _map,
    "isinstance": _is_instance,
    "super": lambda calls, node, args, keywords: Ignored("super"),
    "hasattr": lambda calls, node, args, keywords: False,
}
BUILTINS: Final = {name: _guarded(function) for name, function in _READ.items()}
