"""Shape and dtype of a tensor without its values, and the rules of broadcasting."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from gradwire.engine.base.errors import DtypeError, OutOfMemoryError, ShapeError
from gradwire.engine.base.reading_time import in_time

type_names = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool")

# Any: the dtype of an array is known only at run time.
Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int, ...]

DTYPES: dict[str, np.dtype[Any]] = {name: np.dtype(name) for name in type_names}
_COMMON = frozenset(DTYPES.values())
# As many axes has an array at most; lists nested deeper, or in themselves, are refused by NumPy.
_MOST_LEVELS = 64
_NUMBERS = frozenset((bool, int, float))


class TensorSpec(NamedTuple):
    """Shape and dtype of a tensor."""

    shape: Shape
    dtype: np.dtype[Any]

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def is_differentiable(self) -> bool:
        """True if a gradient can exist here, that is for floating-point dtypes."""
        return self.dtype.kind == "f"

    def __str__(self) -> str:
        return f"{self.dtype.name}{list(self.shape)}"


TENSOR_LIMIT = 2**31


class StandIn(NDArrayOperatorsMixin):
    """Base of tracers, which functions of blocks take in the place of arrays."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the array."""
        raise NotImplementedError


def check_fits(shape: Shape, dtype: np.dtype[Any]) -> None:
    """Checks the size of a tensor before it is made.

    Raises: OutOfMemoryError if it would take more than 2 GiB: a single large number is enough for that.
    """
    if math.prod(shape) * dtype.itemsize > TENSOR_LIMIT:
        raise OutOfMemoryError(f"{TensorSpec(shape, dtype)} would take more than {TENSOR_LIMIT // 2**20:,} MiB")


def spec_of(value: Array) -> TensorSpec:
    """Returns the spec of an array."""
    return TensorSpec(value.shape, value.dtype)


def as_array(value: object, dtype: np.dtype[Any] | None = None) -> Array:
    """Returns `value` as an array of a supported dtype.

    NumPy arrays and scalars keep their dtype. Python numbers and nested lists become float64, even without a decimal
    point: a user who types 1, 2, 3 wants a gradient. Python booleans become bool. With `dtype`, that of the tensor they
    meet, they become that instead.
    Raises: DtypeError for text, complex numbers, ragged lists, and numbers that `dtype` cannot hold.
    """
    if isinstance(value, list | tuple):
        _refuse_texts(value)
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError) as error:
        raise DtypeError("the rows of a nested list have different lengths") from error
    if not isinstance(value, np.ndarray | np.generic):
        array = _from_python(array, dtype)
    # NumPy makes a dtype's name anew whenever it is asked for; only dtypes of another byte order need it.
    if array.dtype not in _COMMON and array.dtype.name not in DTYPES:
        kind = {"U": "text", "S": "text", "O": "such"}.get(array.dtype.kind, array.dtype.name)
        raise DtypeError(f"{kind} values are not supported; use one of {', '.join(DTYPES)}")
    return array


def _refuse_texts(values: Sequence[object], levels: int = _MOST_LEVELS) -> None:
    """Raises: DtypeError for a text, before NumPy gives each item as many bytes as the longest one has."""
    if set(map(type, values)) <= _NUMBERS or not levels:
        return
    for value in in_time(values):
        if isinstance(value, str | bytes):
            raise DtypeError(f"text values are not supported; use one of {', '.join(DTYPES)}")
        if isinstance(value, list | tuple):
            _refuse_texts(value, levels - 1)


def _from_python(array: Array, dtype: np.dtype[Any] | None) -> Array:
    if array.dtype.kind in "iu":
        array = array.astype(np.float64)
    if dtype is None or array.dtype.kind not in "fb":
        return array
    if dtype.kind != "f" and not np.array_equal(array, array.astype(dtype)):
        raise DtypeError(f"{array} cannot be written as {dtype.name} without loss; insert a Cast")
    return array.astype(dtype)


def broadcast_shapes(shapes: Iterable[Shape]) -> Shape:
    """Returns the broadcast shape of several shapes.

    Raises: ShapeError if two sizes differ and neither is 1.
    """
    shapes = tuple(shapes)
    if not shapes or shapes.count(shapes[0]) == len(shapes):
        return shapes[0] if shapes else ()
    try:
        return tuple(np.broadcast_shapes(*shapes))
    except ValueError as error:
        listed = " and ".join(str(list(shape)) for shape in shapes)
        raise ShapeError(
            f"shapes {listed} do not broadcast: sizes must be equal or 1, counted from the last axis"
        ) from error


def broadcast_axes(small: Shape, large: Shape) -> tuple[int, ...]:
    """Returns the axes of `large` along which broadcasting repeats a tensor of shape `small`."""
    lead = len(large) - len(small)
    inner = (axis + lead for axis, size in enumerate(small) if size == 1 and large[axis + lead] != 1)
    return (*range(lead), *inner)


def normalize_axis(axis: int, ndim: int) -> int:
    """Returns `axis` counted from the front.

    Raises: ShapeError if the tensor has no such axis.
    """
    if not -ndim <= axis < ndim:
        raise ShapeError(f"axis {axis} is out of range for a tensor of rank {ndim}")
    return axis % ndim
