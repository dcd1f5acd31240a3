"""Expressions of a program: numbers are computed, tensors become blocks."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from gradwire.blocks.names.table import ours
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.code.calls import Calls
from gradwire.interop.code.classes import Class, Instance, is_part, part_of
from gradwire.interop.code.machine import Machine
from gradwire.interop.code.modules import canonical, constant_of
from gradwire.interop.code.refusals import refusal, shown
from gradwire.interop.code.texts import Unread, formatted, has_unread, is_known, joined, percent
from gradwire.interop.code.torch_pairs import Pair
from gradwire.interop.code.values import (
    Bound,
    Builtin,
    Data,
    Function,
    GradientOf,
    Ignored,
    Layer,
    Module,
    Scope,
    Value,
)
from gradwire.interop.typed.array_expressions import BINARY, UNARY

_OPERATORS: Final[Mapping[type[ast.AST], str]] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "mod",
    ast.Pow: "power",
    ast.MatMult: "matmul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.USub: "negative",
    ast.Invert: "invert",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
}
_COMPARED: Final[Mapping[type[ast.AST], Callable[[Value, Value], bool]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda x, y: x in y,
    ast.NotIn: lambda x, y: x not in y,
}
_MOST_ITEMS: Final = 10_000
# What an expression in an f-string consists of whose text is computed.
_SAID: Final = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
# Attributes of tensors that say something about them.
_FACTS: Final[Mapping[str, Callable[[Expression], Value]]] = {
    "shape": lambda x: tuple(x.shape),
    "ndim": lambda x: x.ndim,
    "dtype": lambda x: x.dtype,
    "requires_grad": lambda x: True,
    "device": lambda x: Ignored("device"),
    "itemsize": lambda x: x.dtype.itemsize,
}


class Expressions:
    """Reader of expressions; functions and methods are carried out by `calls`."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.calls = Calls(machine, self)

    def value(self, node: ast.expr) -> Value:
        """Returns what an expression stands for.

        Raises: CodeRefusal with the place of what is not known.
        """
        self._machine.step(node)
        read = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is None:
            raise refusal(node, f'"{shown(node)}" is not read here')
        return read(node)

    def values(self, nodes: list[ast.expr]) -> list[Value]:
        """Returns several values; a starred list gives all of its items."""
        found: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += self.items(node.value, self.value(node.value))
            else:
                found.append(self.value(node))
        return found

    def items(self, node: ast.AST, value: Value) -> list[Value]:
        """Returns the items of a list, a range, or a tensor along its first axis.

        Raises: CodeRefusal if there are none, or too many.
        """
        if isinstance(value, Data):
            value = self._machine.source(value)
        if isinstance(value, Expression):
            if not value.shape:
                raise refusal(node, "a single number has no items")
            if value.shape[0] > _MOST_ITEMS:
                raise refusal(node, f"there are {value.shape[0]:,} rows; at most {_MOST_ITEMS:,} are read one by one")
            return [self._machine.applied(node, operator.getitem, value, place) for place in range(value.shape[0])]
        if isinstance(value, Mapping):
            return list(value)
        if isinstance(value, list | tuple | range | str | zip | enumerate):
            if isinstance(value, range) and len(value) > _MOST_ITEMS:
                raise refusal(
                    node, f"a loop of {len(value):,} rounds is too long; at most {_MOST_ITEMS:,} are unrolled"
                )
            return list(value)
        raise refusal(node, f'"{shown(node)}" has no items')

    # Literals and names

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, complex | bytes):
            raise refusal(node, f"{shown(node)} is no number here")
        return node.value

    def _name(self, node: ast.Name) -> Value:
        scope = self._machine.scope.find(node.id)
        if scope is not None:
            return scope.names[node.id]
        return self.calls.unbound(node)

    def _list(self, node: ast.List | ast.Set) -> Value:
        return self.values(node.elts)

    _set = _list

    def _tuple(self, node: ast.Tuple) -> Value:
        return tuple(self.values(node.elts))

    def _dict(self, node: ast.Dict) -> Value:
        found: dict[Value, Value] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            if key is None:
                found.update(self.value(item))
            else:
                found[self._key(key)] = self.value(item)
        return found

    def _key(self, node: ast.expr) -> Value:
        key = self.value(node)
        if not isinstance(key, str | int | float | bool | tuple) or has_unread(key):
            raise refusal(node, f'"{shown(node)}" is no key here')
        return key

    def _joinedstr(self, node: ast.JoinedStr) -> Value:
        parts = [self._text(part) for part in node.values]
        return Unread(shown(node)) if has_unread(parts) else joined(parts)

    def _text(self, node: ast.expr) -> Value:
        """Returns a part of an f-string; what is more than names of numbers and texts is not computed for it."""
        if not isinstance(node, ast.FormattedValue):
            return self.value(node)
        form = self._joinedstr(node.format_spec) if isinstance(node.format_spec, ast.JoinedStr) else ""
        names = [part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)]
        scopes = [(name, self._machine.scope.find(name)) for name in names]
        is_said = all(isinstance(part, _SAID) for part in ast.walk(node.value)) and node.conversion == -1
        if not is_said or not all(scope is not None and is_known(scope.names[name]) for name, scope in scopes):
            return Unread(shown(node.value))
        return formatted(self.value(node.value), form)

    def _lambda(self, node: ast.Lambda) -> Value:
        return Function(node, self._machine.scope)

    def _starred(self, node: ast.Starred) -> Value:
        return tuple(self.items(node.value, self.value(node.value)))

    def _namedexpr(self, node: ast.NamedExpr) -> Value:
        value = self._machine.scope.names[node.target.id] = self.value(node.value)
        return value

    def _slice(self, node: ast.Slice) -> Value:
        return slice(*(None if part is None else self.value(part) for part in (node.lower, node.upper, node.step)))

    # Operators

    def _binop(self, node: ast.BinOp) -> Value:
        return self.binary(node, type(node.op), self.value(node.left), self.value(node.right))

    def binary(self, node: ast.AST, op: type[ast.operator], x: Value, y: Value) -> Value:
        """Returns the result of an operator between two values."""
        if isinstance(x, list | tuple) and isinstance(y, list | tuple) and op is ast.Add:
            if len(x) + len(y) > _MOST_ITEMS:
                raise refusal(node, "a list would have too many items")
            return [*x, *y] if isinstance(x, list) else (*x, *y)
        if isinstance(x, list | tuple) and isinstance(y, int) and op is ast.Mult:
            if len(x) * max(y, 0) > _MOST_ITEMS:
                raise refusal(node, "a list would have too many items")
            return x * y
        if isinstance(x, str) and op is ast.Mod:
            return percent(x, y)
        if isinstance(x, str) and isinstance(y, str) and op is ast.Add:
            return joined((x, y))
        if self._is_number(x) and self._is_number(y) and op in BINARY:
            return self._computed(node, BINARY[op], x, y)
        if op is ast.BitXor and not self._machine.framework and not _is_mask(x):
            # In a formula x^2 is a power.
            op = ast.Pow
        if op not in _OPERATORS:
            raise refusal(node, f'"{shown(node)}" has an operator that is not read here')
        if op is ast.Pow and self._is_two(y):
            return self._machine.applied(node, ours("square"), self._machine.expression(node, x))
        x, y = (self._machine.expression(node, item) if isinstance(item, list) else item for item in (x, y))
        return self._machine.operate(node, _OPERATORS[op], x, y)

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return not self.truth(node.operand, value)
        if isinstance(node.op, ast.UAdd):
            return value
        if self._is_number(value) and type(node.op) in UNARY:
            return self._computed(node, UNARY[type(node.op)], value)
        return self._machine.operate(node, _OPERATORS[type(node.op)], value)

    @staticmethod
    def _is_two(value: Value) -> bool:
        """Returns whether a value is the exponent of a square, which is a block of its own."""
        return isinstance(value, int | float) and not isinstance(value, bool) and value == 2

    def _is_number(self, value: Value) -> bool:
        """Returns whether a value is computed at once: a number, or an array that no block holds yet."""
        if isinstance(value, Data):
            return self._machine.folds and value.kind != "Variable"
        return isinstance(value, bool | int | float)

    def _computed(self, node: ast.AST, apply: Callable[..., Value], *operands: Value) -> Value:
        arrays = [item.array if isinstance(item, Data) else item for item in operands]
        try:
            with np.errstate(all="ignore"):
                result = apply(*arrays)
        except ParameterError as error:
            raise refusal(node, str(error)) from error
        except (ValueError, TypeError) as error:
            shapes = ", ".join(str(list(np.shape(item))) for item in arrays)
            raise refusal(node, f"the shapes do not fit: {shapes}") from error
        data = [item for item in operands if isinstance(item, Data)]
        if not data:
            return _plain(result)
        return Data(self._machine.counted(node, np.asarray(result)), data[0].kind, data[0].choice)

    def _boolop(self, node: ast.BoolOp) -> Value:
        is_and = isinstance(node.op, ast.And)
        value: Value = is_and
        for item in node.values:
            value = self.value(item)
            if self.truth(item, value) is not is_and:
                break
        return value

    def _compare(self, node: ast.Compare) -> Value:
        left, result = self.value(node.left), None
        for op, part in zip(node.ops, node.comparators, strict=True):
            right = self.value(part)
            one = self._compared(node, type(op), left, right)
            result = one if result is None else self._both(node, result, one)
            left = right
        return result

    def _both(self, node: ast.AST, one: Value, other: Value) -> Value:
        if isinstance(one, bool) and isinstance(other, bool):
            return one and other
        return self._machine.operate(node, "and", one, other)

    def _compared(self, node: ast.Compare, op: type[ast.cmpop], x: Value, y: Value) -> Value:
        tensors = (Expression, Data, GradientOf)
        is_of_tensors = isinstance(x, tensors) or isinstance(y, tensors)
        if is_of_tensors and op in _OPERATORS and x is not None and y is not None:
            return self._machine.operate(node, _OPERATORS[op], x, y)
        if (has_unread(x) or has_unread(y)) and x is not None and y is not None:
            raise refusal(node, f'"{shown(node)}" compares a text that nobody knows while a program is read')
        try:
            return bool(_COMPARED[op](x, y))
        except TypeError as error:
            raise refusal(node, f'"{shown(node)}" compares what cannot be compared') from error

    def truth(self, node: ast.AST, value: Value) -> bool:
        """Returns whether a value of Python counts as true.

        Raises: CodeRefusal for a tensor, whose numbers are not known while a program is read.
        """
        if isinstance(value, Expression | Data | GradientOf | Unread):
            message = (
                f'"{shown(node)}" depends on numbers, which nobody knows while a program is read; choose with where'
            )
            raise refusal(node, message)
        return bool(value)

    def _ifexp(self, node: ast.IfExp) -> Value:
        return self.value(node.body if self.truth(node.test, self.value(node.test)) else node.orelse)

    # Parts of values

    def _attribute(self, node: ast.Attribute) -> Value:
        return self.attribute(node, self.value(node.value), node.attr)

    def attribute(self, node: ast.AST, owner: Value, name: str) -> Value:
        """Returns an attribute, or a method that is still to be called.

        Raises: CodeRefusal for one that is not known, and for all that Python keeps to itself.
        """
        if name.startswith("__") and not (isinstance(owner, Ignored) and owner.name == "super"):
            raise refusal(node, f"{name} is not read here")
        if isinstance(owner, Module):
            whole = canonical(owner.part(name).name)
            known = constant_of(whole)
            return Module(whole) if known is None else known[0]
        if isinstance(owner, Ignored):
            return Ignored(f"{owner.name}.{name}")
        if isinstance(owner, Builtin | Class) and name in owner.parts:
            return owner.parts[name]
        if isinstance(owner, Layer | Instance) and is_part(owner, name):
            return part_of(owner, name)
        if isinstance(owner, Pair) and name in Pair._fields:
            return getattr(owner, name)
        if isinstance(owner, Data) and name in ("shape", "ndim", "dtype"):
            return getattr(owner.array, name)
        if isinstance(owner, Data) and name in ("T", "mT") and self._is_number(owner):
            return Data(np.swapaxes(owner.array, -1, -2) if name == "mT" else owner.array.T, owner.kind, owner.choice)
        if isinstance(owner, Data | GradientOf) and (name in _FACTS or name in ("T", "mT", "grad", "data")):
            owner = self._machine.expression(node, owner)
        if isinstance(owner, Expression):
            return self._of_tensor(node, owner, name)
        return Bound(owner, name)

    def _of_tensor(self, node: ast.AST, owner: Expression, name: str) -> Value:
        if name in _FACTS:
            return _FACTS[name](owner)
        if name == "grad":
            return self.calls.gradients.of_backward(node, owner)
        if name == "data":
            return self._machine.stopped(owner)
        if name == "T":
            return self._machine.applied(node, ours("transpose"), owner)
        if name == "mT":
            return self._machine.applied(node, ours("swapaxes"), owner, -1, -2)
        if name == "size" and self._machine.framework in ("numpy", "jax"):
            return math.prod(owner.shape)
        return Bound(owner, name)

    def _subscript(self, node: ast.Subscript) -> Value:
        owner, key = self.value(node.value), self.value(node.slice)
        return self.item(node, owner, key)

    def item(self, node: ast.AST, owner: Value, key: Value) -> Value:
        """Returns an item of a list, a dictionary or a tensor."""
        if isinstance(owner, Data) and self._is_number(owner) and _is_static(key):
            return Data(self._static_item(node, owner.array, key), owner.kind, owner.choice)
        if isinstance(owner, Expression | Data | GradientOf):
            key = _index(self._machine.operand(node, key))
            return self._machine.applied(node, operator.getitem, owner, key)
        if isinstance(owner, Ignored):
            return owner
        if not isinstance(owner, list | tuple | Mapping | str | range) or has_unread(key):
            raise refusal(node, f'"{shown(node)}" is not read here')
        return self._static_item(node, owner, key)

    def _static_item(self, node: ast.AST, owner: Value, key: Value) -> Value:
        try:
            found = owner[key]
        except (LookupError, TypeError) as error:
            raise refusal(node, f'"{shown(node)}" is beyond the end, or no key') from error
        return found

    # Calls and comprehensions

    def _call(self, node: ast.Call) -> Value:
        return self.calls.call(node)

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Value:
        return [self.value(node.elt) for _ in self._rounds(node.generators)]

    _generatorexp = _setcomp = _listcomp

    def _dictcomp(self, node: ast.DictComp) -> Value:
        return {self._key(node.key): self.value(node.value) for _ in self._rounds(node.generators)}

    def _rounds(self, generators: list[ast.comprehension]) -> Iterator[None]:
        """Yields once for each round of comprehensions, with their names bound in a scope of their own."""
        before = self._machine.scope
        self._machine.scope = Scope({}, before)
        try:
            yield from self._inner_rounds(generators)
        finally:
            self._machine.scope = before

    def _inner_rounds(self, generators: list[ast.comprehension]) -> Iterator[None]:
        if not generators:
            yield
            return
        first, *others = generators
        for item in self.items(first.iter, self.value(first.iter)):
            self.calls.bind(first.target, item)
            if all(self.truth(test, self.value(test)) for test in first.ifs):
                yield from self._inner_rounds(others)


def _plain(result: Value) -> Value:
    return result.item() if isinstance(result, np.generic) else result


def _is_mask(value: Value) -> bool:
    return isinstance(value, Expression) and value.dtype.kind == "b"


def _is_static(key: Value) -> bool:
    if isinstance(key, tuple):
        return all(_is_static(item) for item in key)
    if isinstance(key, slice):
        return all(_is_static(item) for item in (key.start, key.stop, key.step))
    return key is None or key is Ellipsis or isinstance(key, int)


def _index(key: Value) -> Value:
    """Returns an index as expressions take it: whole numbers in a list are an array."""
    if isinstance(key, list) and all(isinstance(item, bool | int) for item in key):
        return np.asarray(key)
    return key
