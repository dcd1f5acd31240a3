"""Python's own functions, as far as programs of tensors use them."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from gradwire.blocks.names.table import ours
from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.code.classes import Class, Instance, is_part
from gradwire.interop.code.refusals import CodeRefusal, refusal, shown
from gradwire.interop.code.texts import Unread, formatted, is_known
from gradwire.interop.code.values import Builtin, Data, GradientOf, Ignored, Layer, Module, Value

if TYPE_CHECKING:
    from gradwire.interop.code.calls import Calls

Arguments = list[Value]
Keywords = dict[str, Value]
_TENSORS = (Expression, Data, GradientOf)
_TYPES: Final[Mapping[str, type]] = {item.__name__: item for item in (int, float, bool, str, list, tuple, dict)}
_OF_TENSORS = ("Tensor", "ndarray", "Array", "EagerTensor")


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
            return make(*args)
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
        if unknown := next((key for key in keywords if key != "key"), None):
            raise refusal(node, f"{name} is not read with {unknown}")
        if "key" in keywords:
            return items[choose(range(len(items)), key=_keys(calls, node, items, keywords).__getitem__)]
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
            if name == "round" and len(args) > 1:
                raise refusal(node, "a tensor is rounded to whole numbers alone")
            return calls.applied(node, ours(name), args, keywords)
        return otherwise(*args, **keywords)

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


def _keys(calls: Calls, node: ast.AST, items: Arguments, keywords: Keywords) -> list[Value]:
    """Returns by what each item is compared with the others."""
    key = keywords.get("key")
    keys = items if key is None else [calls.called(node, key, [item], {}) for item in items]
    if not all(map(is_known, keys)):
        raise refusal(node, f'"{shown(node)}" compares what the program does not say', calls.blamed(keys))
    return keys


def _sorted(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    items = calls.rows(node, args[0])
    keys = _keys(calls, node, items, keywords)
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(keywords.get("reverse", False)))
    return [items[place] for place in order]


def _zip(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    return list(zip(*(calls.rows(node, item) for item in args), strict=bool(keywords.get("strict", False))))


def _is_instance(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    value, kinds = args
    return any(_is_of(node, value, kind) for kind in (kinds if isinstance(kinds, tuple | list) else [kinds]))


def _is_of(node: ast.AST, value: Value, kind: Value) -> bool:
    """Returns whether a value is of a class, which is a type of Python, a class of the program or one of tensors."""
    if isinstance(kind, Builtin) and kind.name in _TYPES:
        return isinstance(value, _TYPES[kind.name])
    last = kind.name.rpartition(".")[2] if isinstance(kind, Module | Builtin | Class) else ""
    if last in _OF_TENSORS:
        return isinstance(value, _TENSORS)
    if isinstance(value, Instance) and value.of is kind:
        return True
    if isinstance(value, Layer) and last and not last.startswith("_"):
        return last in ("Module", "Layer", value.name.rpartition(".")[2])
    if last and not isinstance(value, _TENSORS) and (is_known(value) or isinstance(value, list | tuple | dict)):
        return False
    raise refusal(node, f'"{shown(node)}" asks for a class that nobody knows while a program is read')


def _has_attribute(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    owner, name = args
    if not isinstance(owner, Layer | Instance):
        raise refusal(node, f'"{shown(node)}" asks for what nobody knows while a program is read')
    return is_part(owner, name)


def _guarded(
    name: str, function: Callable[[Calls, ast.AST, Arguments, Keywords], Value]
) -> Callable[[Calls, ast.AST, Arguments, Keywords], Value]:
    def call(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
        known = _KEYWORDS.get(name, ())
        if known is not None and (unknown := next((key for key in keywords if key not in known), None)):
            raise refusal(node, f"{name} is not read with {unknown}")
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
    "str": lambda calls, node, args, keywords: formatted(*args) if args else "",
    "repr": lambda calls, node, args, keywords: Unread(),
    "format": lambda calls, node, args, keywords: formatted(*args),
    "sum": _sum,
    "max": _extreme("max", max),
    "min": _extreme("min", min),
    "abs": _of_tensor("abs", abs),
    "round": _of_tensor("round", round),
    "pow": _of_tensor("pow", math.pow),
    "list": _items(lambda items=(): list(items)),
    "tuple": _items(lambda items=(): tuple(items)),
    "zip": _zip,
    "reversed": _items(lambda items: list(reversed(items))),
    "sorted": _sorted,
    "dict": lambda calls, node, args, keywords: dict(*args, **keywords),
    "enumerate": _enumerate,
    "map": _map,
    "isinstance": _is_instance,
    "super": lambda calls, node, args, keywords: Ignored("super"),
    "hasattr": _has_attribute,
}
# The keywords that each reads, if any; None for all.
_KEYWORDS: Final[Mapping[str, tuple[str, ...] | None]] = {
    **dict.fromkeys(("print", "display", "dict", "super", "max", "min", "abs", "round", "pow")),
    "sum": ("start",),
    "enumerate": ("start",),
    "sorted": ("key", "reverse"),
    "zip": ("strict",),
}
BUILTINS: Final = {name: _guarded(name, function) for name, function in _READ.items()}
