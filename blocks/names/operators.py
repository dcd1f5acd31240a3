"""Python's operators between tensors, as NumPy reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradwire.blocks.names.linear import matmul
from gradwire.blocks.names.promotion import (
    Operand,
    Tensor,
    as_tensor,
    cast,
    common_dtype,
    is_number,
    together,
)
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library

_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "floor_divide": "//", "mod": "%", "power": "**"}
_SIGNS |= {"and": "&", "or": "|", "xor": "^", "negative": "-", "positive": "+"}
_ARITHMETIC = {"add": "Add", "subtract": "Subtract", "multiply": "Multiply", "mod": "FloorMod", "power": "Pow"}
_OF_MASKS = {"add": "LogicalOr", "multiply": "LogicalAnd"}
_ORDERS = {"greater": "Greater", "less": "Less", "greater_equal": "GreaterEqual", "less_equal": "LessEqual"}
_LOGIC = {"and": "LogicalAnd", "or": "LogicalOr", "xor": "LogicalXor"}


def operate(name: str, *operands: Operand) -> Tensor:
    """Returns the result of an operator by its name in `OPERATIONS`.

    Raises: CallError for dtypes that NumPy refuses too, and for bits of integers.
    """
    return OPERATIONS[name](*operands)


def _arithmetic(name: str) -> Callable[[Operand, Operand], Tensor]:
    def compute(x: Operand, y: Operand) -> Tensor:
        dtype = common_dtype((x, y))
        if dtype.kind != "b":
            return _result(_ARITHMETIC[name], *together(x, y))
        if name in _OF_MASKS:
            return _result(_OF_MASKS[name], *together(x, y))
        raise _refusal_of_masks(name)

    return compute


def _refusal_of_masks(name: str) -> CallError:
    return CallError(f"{_SIGNS[name]} is for numbers, not for masks (bool); cast one of them, or use & | ^ ~")


def _power(x: Operand, y: Operand) -> Tensor:
    dtype = common_dtype((x, y))
    if dtype.kind in "iu" and is_number(y) and y < 0:
        raise CallError(f"an integer cannot be taken to the power of {y}; cast it to floating point")
    return _arithmetic("power")(x, y)


def _divide(x: Operand, y: Operand) -> Tensor:
    dtype = common_dtype((x, y))
    x, y = (as_tensor(item, None) if not is_number(item) else item for item in (x, y))
    to = dtype if dtype.kind == "f" else np.dtype(np.float64)
    return _result("Divide", *(np.asarray(item, to) if is_number(item) else cast(item, to) for item in (x, y)))


def _floor_divide(x: Operand, y: Operand) -> Tensor:
    if common_dtype((x, y)).kind == "b":
        raise _refusal_of_masks("floor_divide")
    return _result("FloorDiv", *together(x, y), exact=True)


def _compare(block: str) -> Callable[[Operand, Operand], Tensor]:
    def compute(x: Operand, y: Operand) -> Tensor:
        one, other = together(x, y)
        if one.dtype.kind == "b" and block in _ORDERS.values():
            one, other = cast(one, np.uint8), cast(other, np.uint8)
        return _result(block, one, other)

    return compute


def _logic(name: str) -> Callable[[Operand, Operand], Tensor]:
    def compute(x: Operand, y: Operand) -> Tensor:
        one, other = as_tensor(x), as_tensor(y)
        if one.dtype.kind != "b" or other.dtype.kind != "b":
            raise CallError(f"{_SIGNS[name]} is for masks (bool), not for numbers; compare them first, as in x > 0")
        return _result(_LOGIC[name], one, other)

    return compute


def _invert(x: Operand) -> Tensor:
    if as_tensor(x).dtype.kind != "b":
        raise CallError("~ is for masks (bool), not for numbers; compare them first, as in x > 0")
    return _result("LogicalNot", x)


def _negative(x: Operand) -> Tensor:
    if as_tensor(x).dtype.kind == "b":
        raise _refusal_of_masks("negative")
    return _result("Negative", as_tensor(x))


def _positive(x: Operand) -> Tensor:
    if as_tensor(x).dtype.kind == "b":
        raise _refusal_of_masks("positive")
    return as_tensor(x)


def absolute(x: Operand) -> Tensor:
    """Returns the absolute value; of a mask itself, and of integers without sign too."""
    found = as_tensor(x)
    return found if found.dtype.kind in "bu" else _result("Abs", found)


def _result(block: str, *inputs: Tensor, **parameters: Any) -> Tensor:
    result: Tensor = library[block](*inputs, **parameters)
    return result


OPERATIONS: dict[str, Callable[..., Any]] = {  # Any: tensors of either kind
    "add": _arithmetic("add"),
    "subtract": _arithmetic("subtract"),
    "multiply": _arithmetic("multiply"),
    "mod": _arithmetic("mod"),
    "divide": _divide,
    "floor_divide": _floor_divide,
    "power": _power,
    "matmul": matmul,
    "equal": _compare("Equal"),
    "not_equal": _compare("NotEqual"),
    **{name: _compare(block) for name, block in _ORDERS.items()},
    **{name: _logic(name) for name in _LOGIC},
    "invert": _invert,
    "negative": _negative,
    "positive": _positive,
    "absolute": absolute,
}
