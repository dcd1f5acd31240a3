"""Arrays of ONNX's tensors."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from gradwire.engine.base.limits import size_text
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.limits import MOST_OF_TENSOR
from gradwire.interop.onnx.file import ModelFile
from gradwire.interop.onnx.messages import TensorMessage

# ONNX's codes of dtypes: those that Gradwire computes, and the names of the others.
DTYPES: Final[Mapping[int, str]] = {
    1: "float32", 2: "uint8", 3: "int8", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16", 11: "float64",
}  # fmt: skip
OTHERS: Final[Mapping[int, str]] = {
    4: "uint16", 8: "string", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16",
    17: "float8e4m3fn", 18: "float8e4m3fnuz", 19: "float8e5m2", 20: "float8e5m2fnuz", 21: "uint4", 22: "int4",
    23: "float4e2m1", 24: "float8e8m0", 25: "uint2", 26: "int2",
}  # fmt: skip
FLOATS: Final = frozenset((1, 10, 11))
_OUTSIDE: Final = 1
_DEEPEST: Final = 32


def dtype_of(file: ModelFile, name: str, code: int) -> np.dtype[Any]:
    """Returns a dtype by ONNX's code.

    Raises: ModelRefusal for those that no block computes.
    """
    if code not in DTYPES:
        raise file.refusal(f"{name} is {OTHERS.get(code, 'of an unknown dtype')}, which Gradwire does not compute")
    return np.dtype(DTYPES[code])


def array_of(file: ModelFile, tensor: TensorMessage, name: str) -> Array:
    """Returns the numbers of a tensor.

    Raises: ModelRefusal for dtypes without blocks, sizes that are none, and more or fewer numbers than they say.
    """
    dtype, shape = dtype_of(file, name, tensor.data_type), [int(size) for size in tensor.dims]
    if len(shape) > _DEEPEST or any(size < 0 for size in shape):
        raise file.refusal(f"{name} has the sizes {shape[:8]}, which are none")
    size = math.prod(shape) * dtype.itemsize
    if size > MOST_OF_TENSOR:
        raise file.refusal(f"{name} wants {size:,} bytes, and {size_text(MOST_OF_TENSOR)} are the limit")
    if tensor.segment is not None:
        raise file.refusal(f"{name} lies in segments, which are not read")
    if tensor.data_location == _OUTSIDE:
        numbers = _raw(_outside(file, tensor, name, size), dtype)
    elif tensor.raw_data is not None:
        numbers = _raw(tensor.raw_data, dtype) if len(tensor.raw_data) % dtype.itemsize == 0 else np.zeros(0, dtype)
    else:
        numbers = _typed(tensor, dtype)
    if numbers.size != math.prod(shape):
        raise file.refusal(f"{name} has {numbers.size:,} numbers, and its sizes {shape} say {math.prod(shape):,}")
    return numbers.reshape(shape)


def _outside(file: ModelFile, tensor: TensorMessage, name: str, size: int) -> bytes:
    entries = {entry.key: entry.value for entry in tensor.external_data}
    places = [entries.get("offset", "0"), entries.get("length", str(size))]
    if not all(item.isascii() and item.isdigit() and len(item) < 20 for item in places) or int(places[1]) != size:
        raise file.refusal(
            f"{name} lies at byte {places[0][:20]} in {places[1][:20]} bytes, and its sizes say {size:,}"
        )
    return file.beside(name, entries.get("location", ""), int(places[0]), size)


def _raw(content: bytes | memoryview, dtype: np.dtype[Any]) -> Array:
    numbers = np.frombuffer(content, dtype.newbyteorder("<"))
    if dtype.kind == "b":
        return np.asarray(np.frombuffer(content, np.uint8) != 0)
    # A copy: numbers in a file may lie at any byte.
    return numbers.astype(dtype) if sys.byteorder == "big" else numbers.copy()


def _typed(tensor: TensorMessage, dtype: np.dtype[Any]) -> Array:
    """Returns the numbers of the field that its dtype has; those of float16 are bits."""
    if dtype.kind == "f":
        if dtype.itemsize == 2:
            return (tensor.int32_data & 0xFFFF).astype(np.uint16).view(np.float16)
        floats: Array = tensor.float_data if dtype.itemsize == 4 else tensor.double_data
        return floats.astype(dtype)
    whole: Array = tensor.int64_data if dtype.name == "int64" else tensor.int32_data
    return whole.astype(dtype)
