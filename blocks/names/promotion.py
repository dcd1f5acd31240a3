"""Dtypes by NumPy's rules: operands of different dtypes become one by a visible Cast, where blocks refuse them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gradwire.engine.base.errors import CallError
from gradwire.engine.base.tensor_spec import DTYPES, Array, StandIn
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library

# What functions take: expressions, arrays, Python's numbers and lists of those.
Operand = Any
Tensor = Expression | Array

# PyTorch's dtypes of these names are functions here: `gw.float` casts, and `dtype=gw.float` is float32.
_TORCH_DTYPES = {"double": "float64", "float": "float32", "half": "float16", "long": "int64", "int": "int32"}
_TENSORS = (Expression, np.ndarray, np.generic, StandIn)


def is_number(value: object) -> bool:
    """Returns whether a value is one of Python's numbers, whose dtype a tensor beside it decides."""
    return isinstance(value, bool | int | float) and not isinstance(value, np.generic)


def as_tensor(value: Operand, dtype: np.dtype[Any] | None = None) -> Tensor:
    """Returns an expression or array; numbers and lists become arrays as NumPy makes them, or of `dtype`.

    Raises: CallError for what is no tensor, and for lists of expressions.
    """
    if isinstance(value, _TENSORS):
        found: Any = np.asarray(value) if isinstance(value, np.generic) else value
    elif isinstance(value, list | tuple) and any(isinstance(item, Expression) for item in value):
        raise CallError("a list of expressions is no tensor; make one with stack")
    else:
        found = _array(value, dtype)
    if found.dtype.name not in DTYPES:
        raise CallError(f"{_said(value)} is no tensor of numbers or truths")
    tensor: Tensor = found
    return tensor


def _array(value: object, dtype: np.dtype[Any] | None) -> Array:
    try:
        return np.asarray(value, dtype)
    except (ValueError, TypeError, OverflowError):
        raise CallError(f"{_said(value)} is no tensor, or does not fit into {dtype or 'one'}") from None


def _said(value: object) -> str:
    return f"{value!r}" if isinstance(value, int | float | str | None) else f"a {type(value).__name__}"


def common_dtype(values: Iterable[Operand]) -> np.dtype[Any]:
    """Returns the dtype that NumPy gives operands together; Python's numbers take that of the tensors if they can."""
    known = [value if is_number(value) else as_tensor(value).dtype for value in values]
    try:
        return np.result_type(*known)
    except (TypeError, OverflowError):
        raise CallError("the operands have no dtype in common") from None


def together(*values: Operand) -> list[Tensor]:
    """Returns operands in their common dtype, by a Cast where an expression has another."""
    dtype = common_dtype(values)
    return [cast(as_tensor(value, dtype if is_number(value) else None), dtype) for value in values]


def cast(x: Operand, dtype: object) -> Tensor:
    """Returns a tensor in another dtype, itself if it has it already.

    Raises: CallError for a dtype that is not supported.
    """
    name, found = dtype_name(dtype), as_tensor(x)
    if found.dtype.name == name:
        return found
    cast_to: Tensor = library["Cast"](found, dtype=name)
    return cast_to


def dtype_name(dtype: object) -> str:
    """Returns the name of a dtype, given by its name, as NumPy's, as Python's type, or by PyTorch's word.

    Raises: CallError if there is none, or it is not supported.
    """
    name = _TORCH_DTYPES.get(getattr(dtype, "name", ""), "") if callable(dtype) else ""
    try:
        name = name or np.dtype(dtype).name  # type: ignore[call-overload]  # asks whether it is one
    except TypeError:
        name = ""
    if name not in DTYPES or dtype is None:
        raise CallError(f"{dtype} is no dtype here; use one of {', '.join(DTYPES)}")
    return name


def as_float(x: Operand) -> Tensor:
    """Returns a tensor of floating point; integers and truths become what NumPy's functions make of them."""
    found = as_tensor(x)
    return found if found.dtype.kind == "f" else cast(found, np.result_type(found.dtype, np.float16))


def as_real(x: Operand) -> Tensor:
    """Returns a tensor of floating point; integers and truths become float64, as in NumPy's means and lengths."""
    found = as_tensor(x)
    return found if found.dtype.kind == "f" else cast(found, np.float64)


def as_mask(x: Operand) -> Tensor:
    """Returns truths: numbers are true unless they are 0, as in NumPy."""
    found = as_tensor(x)
    mask: Tensor = found if found.dtype.kind == "b" else library["NotEqual"](found, np.zeros((), found.dtype))
    return mask


def apply(name: str, *inputs: Operand, **parameters: Any) -> Any:  # Any: an output, or a tuple of several
    """Returns a block's outputs, its inputs promoted together and to a dtype that it takes."""
    block = library[name]
    return block(*promoted(block, inputs), **parameters)


def promoted(block: BlockType, inputs: Iterable[Operand]) -> list[Operand]:
    """Returns inputs as a block takes them: shared ports in one dtype, integers as floats where it wants those."""
    values = list(inputs)
    shared = [index for index, item in enumerate(values) if item is not None and block.port_at(index).accepts.shared]
    for index, item in zip(shared, together(*(values[index] for index in shared)) if shared else (), strict=True):
        values[index] = item
    return [None if item is None else _accepted(block, index, item) for index, item in enumerate(values)]


def _accepted(block: BlockType, index: int, value: Operand) -> Operand:
    found, kinds = as_tensor(value), block.port_at(index).accepts.kinds
    if found.dtype.kind in kinds:
        return found
    if found.dtype.kind == "b" and "i" in kinds:
        return cast(found, np.int64)
    if "f" in kinds and found.dtype.kind != "f":
        return as_float(found)
    return found
