"""The rule of one step back with its numbers: `∂L/∂z ÷ y = [1 2 3] ÷ 2.14`, read off the blocks of the gradient."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.operation import Operation
from gradwire.engine.evaluation.evaluate import Evaluation

# A longer rule says less than its name; so many numbers of a tensor are shown.
LONGEST, SHOWN = 44, 3
# How NumPy spells what changes neither the numbers nor, for a reader, their place.
_SAME = ("np.broadcast_to(", "np.reshape(", "np.expand_dims(", "{x}.astype(")
_OPERATOR, _CALL = re.compile(r"\{\w+\} (\S+) \{\w+\}"), re.compile(r"np\.(\w+)\([^()]*\)")
_WITHOUT_NAN = "np.where({y} == 0, 0, {x} * {y})"
_SIGNS = {
    "+": "+", "-": "\N{MINUS SIGN}", "@": "@", "**": "^", ">": ">", ">=": "≥", "<": "<", "<=": "≤", "==": "=",
    "!=": "≠",
}  # fmt: skip
_POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Numbers(NamedTuple):
    """The first elements of a tensor, and how many it has."""

    first: tuple[float, ...]
    size: int


@dataclass(frozen=True)
class Rule:
    """How a step makes one gradient: by names, and in pieces that are signs or numbers."""

    names: str
    numbers: tuple[str | Numbers, ...]


@dataclass(frozen=True)
class _Factor:
    name: str
    value: Array | None
    power: int = 1

    @property
    def text(self) -> str:
        return self.name if self.power == 1 else f"{self.name}{str(self.power).translate(_POWERS)}"


@dataclass(frozen=True)
class _Product:
    """A sign, factors, and divisors; with `sums` its elements are added up."""

    over: tuple[_Factor, ...] = ()
    under: tuple[_Factor, ...] = ()
    is_negative: bool = False
    sums: bool = False

    def times(self, other: _Product) -> _Product:
        is_negative = self.is_negative is not other.is_negative
        return _Product(_gathered(self.over + other.over), _gathered(self.under + other.under), is_negative)

    @property
    def inverse(self) -> _Product:
        return _Product(self.under, self.over, self.is_negative)


def rule_of(run: Evaluation, link: Link) -> Rule | None:
    """Returns how the block at the end of a wire makes the wire's gradient; None where that is too long to read."""
    edge = run.lowered.edges.get(link.target)
    expression = None if edge is None else run.lowered.backward.edges.get(edge)
    if edge is None or expression is None:
        return None
    product = _Reader(run, edge).product(expression)
    names = _names(product)
    if product == _Product(product.over) and len(product.over) == 1 and _is_bracketed(names):
        names = names[1:-1]
    return Rule(names, tuple(_numbers(product))) if len(names) <= LONGEST else None


@dataclass
class _Reader:
    """Reads expressions of the gradient of one application, down to what the application has and receives."""

    run: Evaluation
    edge: Edge
    known: dict[Expression, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lowered, application = self.run.lowered, self.edge.application
        path = lowered.owners[application]
        instance = lowered.inferred.expanded.instances[path]
        ports = {}
        for arrival in lowered.inferred.inputs.get(path, ()):
            edge = lowered.edges.get(arrival.target)
            if edge is not None and edge.application is application:
                ports[edge.slot] = arrival.target.port
        for slot, value in enumerate(application.inputs):
            if value is not None and slot in ports:
                self.known.setdefault(value, ports[slot])
        names = lowered.inferred.outputs.get(path, [])
        for name, output in zip(names, application.outputs, strict=False):
            self.known.setdefault(output, name)
            if (total := lowered.backward.totals.get(output)) is not None:
                # The gradient of the loss with respect to itself is 1, which needs no name.
                self.known[total] = "1" if instance.role is Role.LOSS else f"∂L/∂{name}"

    def product(self, expression: Expression) -> _Product:
        """Returns an expression as a product, which may have one factor alone."""
        if (name := self.known.get(expression)) is not None:
            return _Product() if name == "1" else _Product((_Factor(name, self._value(expression)),))
        application = expression.application
        first, second = [*application.inputs, None, None][:2]
        if not application.inputs and "value" in application.parameters:
            return self._constant(expression)
        form = _form(application.type)
        if first is None:
            return self._opaque(expression)
        if form == "same":
            return self.product(first)
        if form == "negative":
            found = self.product(first)
            return replace(found, is_negative=not found.is_negative)
        if form == "sum":
            return replace(self.product(first), sums=True)
        if form in ("square", "inverse"):
            found = self._part(first)
            return found.times(found) if form == "square" else found.inverse
        if form in ("*", "/") and second is not None:
            other = self._part(second)
            return self._part(first).times(other if form == "*" else other.inverse)
        return self._opaque(expression)

    def _part(self, expression: Expression) -> _Product:
        """Returns a factor: a sum within a product stays as a whole."""
        found = self.product(expression)
        return _Product((_Factor(f"({_names(found)})", self._value(expression)),)) if found.sums else found

    def _constant(self, expression: Expression) -> _Product:
        value = self._value(expression)
        if value is None or value.size != 1:
            return self._opaque(expression)
        number = float(value.reshape(()))
        factors = (_Factor(f"{abs(number):g}", np.abs(value)),) if abs(number) != 1 else ()
        return _Product(factors, is_negative=number < 0)

    def _opaque(self, expression: Expression) -> _Product:
        return _Product((_Factor(self._text(expression), self._value(expression)),))

    def _text(self, expression: Expression) -> str:
        """Returns a function, a sum or a choice by names, in brackets where these are needed in a product."""
        application = expression.application
        form, inputs = _form(application.type), [item for item in application.inputs if item is not None]
        texts = [_names(self.product(item)) for item in inputs]
        if form in _SIGNS and len(texts) == 2:
            return f"({texts[0]} {_SIGNS[form]} {texts[1]})"
        if application.type.sums_products and len(texts) == 2 and "transpose_a" in application.parameters:
            turned = [application.parameters.get(name) for name in ("transpose_a", "transpose_b")]
            return " @ ".join(f"{text}ᵀ" if flag else text for text, flag in zip(texts, turned, strict=True))
        if form == "where" and len(texts) == 3:
            return f"({texts[1]} if {texts[0]} else {texts[2]})"
        if not texts:
            return self.run.lowered.owners[application].rpartition("/")[2]
        return f"{form}({', '.join(texts)})"

    def _value(self, expression: Expression) -> Array | None:
        return self.run.results[expression]


@cache
def _form(kind: Operation) -> str:
    """Returns what NumPy's spelling of an operation does: an operator, a word, or a function's name."""
    if kind.formula.startswith(r"y = \sum"):
        return "sum"
    spelled = kind.spelling.get("numpy")
    text = spelled if isinstance(spelled, str) else ""
    if text in ("{x}", "-{x}", "1 / {x}", "np.square({x})", _WITHOUT_NAN):
        words = {"{x}": "same", "-{x}": "negative", "1 / {x}": "inverse", "np.square({x})": "square"}
        return words.get(text, "*")
    if text.startswith(_SAME):
        return "same"
    operator, called = _OPERATOR.fullmatch(text), _CALL.fullmatch(text)
    if operator and operator[1] in (*_SIGNS, "*", "/"):
        return operator[1]
    return called[1] if called else f"{kind.name[:1].lower()}{kind.name[1:]}"


def _is_bracketed(text: str) -> bool:
    """Whether one pair of brackets stands around a text as a whole."""
    depths = list(itertools.accumulate((sign == "(") - (sign == ")") for sign in text))
    return text.startswith("(") and 0 not in depths[:-1] and depths[-1] == 0


def _gathered(factors: Sequence[_Factor]) -> tuple[_Factor, ...]:
    """Returns factors of one name as powers."""
    found: dict[str, _Factor] = {}
    for item in factors:
        known = found.get(item.name)
        found[item.name] = item if known is None else replace(known, power=known.power + item.power)
    return tuple(found.values())


def _names(product: _Product) -> str:
    sign = "\N{MINUS SIGN}" * product.is_negative + "Σ " * product.sums
    over = "·".join(item.text for item in product.over) or "1"
    return sign + " ÷ ".join([over, *(item.text for item in product.under)])


def _numbers(product: _Product) -> list[str | Numbers]:
    """Returns the same with numbers; a sum over what is divided by one number is added up."""
    found: list[str | Numbers] = ["\N{MINUS SIGN}"] if product.is_negative else []
    values, under = [_powered(item) for item in product.over], [_powered(item) for item in product.under]
    if any(value is None for value in (*values, *under)):
        return []
    over = [value for value in values if value is not None]
    if product.sums and over and all(value is not None and value.size == 1 for value in under):
        with np.errstate(all="ignore"):
            total = over[0]
            for value in over[1:]:
                total = np.asarray(total * value)
            over = [np.asarray(total.sum())]
    elif product.sums:
        found.append("Σ ")
    for place, value in enumerate(over):
        found += ["·"] * (place > 0) + [_first(value)]
    if not over:
        found.append(_first(np.ones(())))
    for divisor in under:
        assert divisor is not None
        found += [" ÷ ", _first(divisor)]
    return found


def _powered(item: _Factor) -> Array | None:
    with np.errstate(all="ignore"):
        return None if item.value is None else np.asarray(item.value**item.power) if item.power > 1 else item.value


def _first(value: Array) -> Numbers:
    return Numbers(tuple(float(item) for item in itertools.islice(value.flat, SHOWN)), int(value.size))
