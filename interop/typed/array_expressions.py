"""Expressions of arrays, such as `zeros((2, 8))`, `sqrt(2)` or `randn(2, 3)`, computed by their syntax tree.

Nothing of a text is run: what the tables here and in `array_makers` do not have is refused by a sentence.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.number_text import MINUS
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.typed.array_makers import ELEMENTWISE, MAKERS, MOST_ELEMENTS, RANDOM, Value, checked_size, product
from gradwire.interop.typed.exact_arrays import array_of, natural_array
from gradwire.interop.typed.printed_words import MAKERS as PRINTED
from gradwire.interop.typed.printed_words import dtype_called, scalar_type_called

# Units: characters, bits of a whole number.
_LONGEST, _MOST_BITS = 2000, 2048
_MODULES = re.compile(r"(?:np|numpy|math|torch|tf|tensorflow|jnp|jax|mx|K|nn|functional|random|linalg|lax)\Z")
CONSTANTS: Final = {"pi": math.pi, "inf": math.inf, "nan": math.nan, "tau": math.tau}
_ONLY_DOTTED = {"e": math.e, "euler_gamma": np.euler_gamma}
_WORDS = {"true": True, "false": False}
# A matrix of NumPy multiplies and takes shapes by rules of its own.
_TENSORS = PRINTED - {"matrix"}
# A blank before a sign and none behind it: two numbers in a list without commas look so, too.
_TWO_NUMBERS = re.compile(r"[\w.)\]]\s+[+-](?=[\w.(\[])")


class NoExpression(ParameterError):
    """A text that computes nothing: it is a number, a list, or no expression at all."""


class Computed(NamedTuple):
    """The result of an expression, whether the text names its dtype, and the seed if numbers were drawn."""

    array: Array
    is_typed: bool
    seed: int | None


def computed(text: str, most_elements: int = MOST_ELEMENTS) -> Computed:
    """Returns the result of an expression of arrays; `most_elements` bounds all that is made on the way.

    Raises: NoExpression if nothing in the text is to be computed, ParameterError that says what cannot be.
    """
    tree, evaluator = _tree(text.strip().replace(MINUS, "-")), _Evaluator(most_elements)
    try:
        with np.errstate(all="ignore"):
            array = natural_array(evaluator.value(tree))
    except RecursionError:  # A thousand operations, one behind the other.
        raise ParameterError("computes too many numbers") from None
    checked_size(array.shape)
    return Computed(array, evaluator.is_typed, evaluator.seed if evaluator.has_drawn else None)


def computed_number(text: str) -> int | float | None:
    """Returns the one number that an expression such as `sqrt(2)` or `1/3` comes to; None for other texts."""
    try:
        array = computed(text).array
    except ParameterError:
        return None
    number: int | float = array.item() if not array.ndim and array.dtype.kind in "iuf" else math.nan
    return number if math.isfinite(number) else None


def _tree(text: str) -> ast.expr:
    if len(text) > _LONGEST or "\n" in text or _TWO_NUMBERS.search(text):
        raise NoExpression("computes nothing")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NoExpression("computes nothing") from error
    if not any(isinstance(node, ast.BinOp | ast.Call | ast.Name | ast.Attribute) for node in ast.walk(tree)):
        raise NoExpression("computes nothing")
    return tree


def _power(x: Value, y: Value) -> Value:
    if isinstance(x, int) and isinstance(y, int) and (y < 0 or x.bit_length() * y > _MOST_BITS):
        x = float(x)
    checked_size(np.broadcast_shapes(np.shape(x), np.shape(y)))
    try:
        return np.power(x, y) if np.ndim(x) or np.ndim(y) else x**y
    except (OverflowError, ZeroDivisionError) as error:
        raise ParameterError("computes a number that is too large") from error


def _numbers(apply: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    """Returns an operator that takes lists as arrays, and refuses whole numbers of more digits than anyone means."""

    def operate(x: Value, y: Value) -> Value:
        checked_size(np.broadcast_shapes(np.shape(x), np.shape(y)))
        try:
            result = apply(x, y)
        except (ZeroDivisionError, OverflowError) as error:
            raise ParameterError("divides by 0, or computes a number that is too large") from error
        if isinstance(result, int) and result.bit_length() > _MOST_BITS:
            raise ParameterError("computes a number that is too large")
        return result

    return operate


BINARY: Final[Mapping[type[ast.operator], Callable[[Value, Value], Value]]] = {
    ast.Add: _numbers(operator.add),
    ast.Sub: _numbers(operator.sub),
    ast.Mult: _numbers(operator.mul),
    ast.Div: _numbers(operator.truediv),
    ast.FloorDiv: _numbers(operator.floordiv),
    ast.Mod: _numbers(operator.mod),
    ast.Pow: _power,
    ast.MatMult: product,
}
UNARY: Final[Mapping[type[ast.unaryop], Callable[[Value], Value]]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


class _Evaluator:
    """A walk over a syntax tree; it counts the elements of all arrays on the way."""

    def __init__(self, most_elements: int) -> None:
        self.is_typed, self.seed, self.has_drawn = False, 0, False
        self._left = most_elements
        self._rng: np.random.Generator | None = None

    def value(self, node: ast.expr) -> Value:
        value = self._value(node)
        if isinstance(value, np.ndarray):
            self._left -= value.size
            if self._left < 0:
                raise ParameterError("computes too many numbers")
        return value

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return number
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self.value(item) for item in items]
            case ast.Name() | ast.Attribute():
                return self._named(node)
            case ast.UnaryOp(op=op, operand=operand) if type(op) in UNARY:
                return UNARY[type(op)](_arithmetic(self.value(operand)))
            case ast.BinOp(op=op, left=left, right=right) if type(op) in BINARY:
                return self._binary(type(op), _arithmetic(self.value(left)), _arithmetic(self.value(right)))
            case ast.Call():
                return self._call(node)
        raise ParameterError(f"has {_shown(node)}, which is not computed; write its result")

    def _binary(self, op: type[ast.operator], x: Value, y: Value) -> Value:
        try:
            return BINARY[op](x, y)
        except (ValueError, TypeError) as error:
            raise ParameterError(
                f"combines shapes that do not fit: {list(np.shape(x))}, {list(np.shape(y))}"
            ) from error

    def _named(self, node: ast.Name | ast.Attribute) -> Value:
        module, name = _dotted(node)
        if name in CONSTANTS and (not module or _is_module(module)):
            return CONSTANTS[name]
        if name in _WORDS and not module:
            return _WORDS[name]
        if name in _ONLY_DOTTED and _is_module(module):
            return _ONLY_DOTTED[name]
        if isinstance(node, ast.Attribute) and name in ("T", "mT"):
            return np.transpose(self.value(node.value))
        raise ParameterError(f"has {_shown(node)}, which is not computed; write its result")

    def _call(self, node: ast.Call) -> Value:
        if any(isinstance(item, ast.Starred) for item in node.args):
            raise ParameterError(f"has {_shown(node)}, which is not computed; write its result")
        name, given = self._function(node.func)
        given += [self.value(item) for item in node.args]
        named = {item.arg: item.value for item in node.keywords if item.arg is not None}
        dtype = self._dtype(named)
        seed = named.pop("seed", None)
        if seed is not None:
            self._seed(self.value(seed))
        numbers = {key: self.value(item) for key, item in named.items()}
        try:
            made = self._made(name, given, numbers)
        except (TypeError, ValueError) as error:
            raise ParameterError(f"calls {name} with arguments that do not fit") from error
        return made if dtype is None else array_of(made, dtype)

    def _function(self, function: ast.expr) -> tuple[str, list[Value]]:
        """Returns the name of what is called, and the tensor whose method it is."""
        module, name = _dotted(function)
        if module and _is_module(module) and scalar_type_called(f"{module}.{name}") is not None:
            return f"{module}.{name}", []
        if not any(name in table for table in (MAKERS, ELEMENTWISE, RANDOM, _TENSORS)):
            raise ParameterError(f"has {_shown(function)}, which is not computed; write its result")
        if not module or _is_module(module):
            return name, []
        assert isinstance(function, ast.Attribute)
        return name, [self.value(function.value)]

    def _made(self, name: str, given: list[Value], named: dict[str, Value]) -> Array:
        scalar_type = scalar_type_called(name)
        if scalar_type is not None and len(given) == 1 and not named:
            self.is_typed = True
            return array_of(given[0], scalar_type)
        if name in _TENSORS and len(given) == 1 and not named:
            # PyTorch takes a lone whole number here as a size.
            if name == "Tensor" and isinstance(given[0], int):
                raise ParameterError(f"has no numbers in {name}; write them")
            return natural_array(given[0])
        if name in RANDOM:
            self.has_drawn = True
            return np.asarray(RANDOM[name](self._random(), *given, **named))
        if name in MAKERS:
            return np.asarray(MAKERS[name](*given, **named))
        if name in ELEMENTWISE and not named:
            checked_size(np.broadcast_shapes(*(np.shape(item) for item in given)))
            return np.asarray(ELEMENTWISE[name](*(_arithmetic(item) for item in given)))
        raise ParameterError(f"has {name[:40]}, which is not computed; write its result")

    def _dtype(self, named: dict[str, ast.expr]) -> np.dtype[Any] | None:
        node = named.pop("dtype", None)
        if node is None:
            return None
        text = node.value if isinstance(node, ast.Constant) else ast.unparse(node)
        of_python = {"float": "float64", "int": "int64", "bool": "bool"}.get(str(text), "V")
        dtype = dtype_called(str(text)) or np.dtype(of_python)
        if dtype.kind == "V":
            raise ParameterError(f"has dtype {str(text)[:20]}, which is unknown")
        self.is_typed = True
        return dtype

    def _seed(self, seed: Value) -> None:
        if not isinstance(seed, int) or seed < 0:
            raise ParameterError("needs a whole number of at least 0 as its seed")
        self.seed, self._rng = seed, np.random.default_rng(seed)

    def _random(self) -> np.random.Generator:
        if self._rng is None:
            self._seed(0)
        assert self._rng is not None
        return self._rng


def _arithmetic(value: Value) -> Value:
    """Returns a list as an array: between lists of Python `+` would join them."""
    return natural_array(value) if isinstance(value, list) else value


def _dotted(node: ast.expr) -> tuple[str, str]:
    """Returns the module and the last part of a dotted name; of anything else a module that is none."""
    if isinstance(node, ast.Name):
        return "", node.id
    if isinstance(node, ast.Attribute):
        module, name = _dotted(node.value)
        return (f"{module}.{name}" if module else name), node.attr
    return "?", "?"


def _is_module(name: str) -> bool:
    return all(_MODULES.match(part) for part in name.split("."))


def _shown(node: ast.AST) -> str:
    return ast.unparse(node)[:40]
