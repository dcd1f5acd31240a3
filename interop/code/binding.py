"""Names that a program gives: to one value, or to the parts of several."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.code.classes import Instance
from gradwire.interop.code.machine import Machine
from gradwire.interop.code.refusals import refusal, shown
from gradwire.interop.code.texts import has_unread
from gradwire.interop.code.values import Data, GradientOf, Ignored, Layer, Value

if TYPE_CHECKING:
    from gradwire.interop.code.expressions import Expressions


class Binding:
    """Giver of names; numbers become sources when they get one."""

    def __init__(self, machine: Machine, expressions: Expressions) -> None:
        self._machine, self._expressions = machine, expressions

    def bind(self, target: ast.expr, value: Value) -> None:
        """Gives a value a name in the program; a tuple of names takes a value apart.

        Raises: CodeRefusal if the value has another number of parts, or the target is no name.
        """
        if isinstance(target, ast.Name):
            self._machine.scope.names[target.id] = self._named(target.id, value)
        elif isinstance(target, ast.Tuple | ast.List):
            self._take_apart(target, value)
        elif isinstance(target, ast.Attribute):
            self._bind_attribute(target, value)
        elif isinstance(target, ast.Subscript):
            self._bind_item(target, value)
        else:
            raise refusal(target, f'"{shown(target)}" cannot be given a value here')

    def _named(self, name: str, value: Value) -> Value:
        if isinstance(value, Data):
            return self._machine.source(value, name)
        if isinstance(value, int | float) and not isinstance(value, bool) and not self._machine.folds:
            return self._machine.number(name, value)
        if isinstance(value, Expression):
            self._machine.name(name, value)
        if isinstance(value, list):
            self._machine.list_named(name, value)
        if isinstance(value, Layer):
            for part, item in value.parts.items():
                if isinstance(item, Expression):
                    self._machine.name(f"{name}_{part}", item, True)
        if isinstance(value, Mapping) and value and all(isinstance(item, Data) for item in value.values()):
            return {key: self._machine.source(item, f"{name}_{key}") for key, item in value.items()}
        return value

    def _take_apart(self, target: ast.Tuple | ast.List, value: Value) -> None:
        if isinstance(value, GradientOf | Ignored):
            values: list[Value] = [value] * len(target.elts)
        else:
            values = self._expressions.items(target, value)
        stars = [place for place, item in enumerate(target.elts) if isinstance(item, ast.Starred)]
        if stars and len(values) >= len(target.elts) - 1:
            first, after = stars[0], len(target.elts) - stars[0] - 1
            middle = values[first : len(values) - after]
            values = [*values[:first], middle, *values[len(values) - after :]]
        if len(values) != len(target.elts):
            raise refusal(target, f"{len(target.elts) - len(stars)} names need as many values, not {len(values)}")
        for item, part in zip(target.elts, values, strict=True):
            self.bind(item.value if isinstance(item, ast.Starred) else item, part)

    def _bind_attribute(self, target: ast.Attribute, value: Value) -> None:
        owner = self._expressions.value(target.value)
        if isinstance(owner, Instance):
            owner.parts[target.attr] = self._named(target.attr, value)
        elif target.attr not in ("grad", "data", "requires_grad", "trainable") and not isinstance(owner, Ignored):
            raise refusal(target, f'"{shown(target)}" cannot be given a value here')

    def _bind_item(self, target: ast.Subscript, value: Value) -> None:
        owner, key = self._expressions.value(target.value), self._expressions.value(target.slice)
        if has_unread(key):
            raise refusal(target, f'"{shown(target)}" has a key that nobody knows while a program is read')
        if not isinstance(owner, list | dict):
            message = f'"{shown(target)}" writes into a tensor; make the new one with where, stack or concatenate'
            raise refusal(target, message)
        try:
            owner[key] = value
        except (LookupError, TypeError) as error:
            raise refusal(target, f'"{shown(target)}" is beyond the end, or no key') from error
