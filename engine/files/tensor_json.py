"""Tensors as JSON: small ones as readable numbers, large ones as bytes; all checks precede decoding."""

from __future__ import annotations

import base64
import binascii
import math
import re
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradwire.engine.base.limits import LIMITS, Limits, size_text
from gradwire.engine.base.reading_time import in_time
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape
from gradwire.engine.files.json_text import JsonFault, shown

READABLE_ELEMENTS = 1_024
# Key of the file beside the graph's in which the numbers of a tensor lie.
BESIDE = "in"
Scalar = bool | int | float | str

_SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_CRC = re.compile(r"[0-9a-fA-F]{8}")
_READABLE_KEYS = {"dtype", "shape", "data"}
_PACKED_KEYS = {"dtype", "shape", "bytes", "crc32", "base64"}


class TensorBudget:
    """Counter of the bytes of one file's tensors, before they are decoded or written."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits, self.used, self.used_beside = limits, 0, 0

    def take(self, size: int) -> None:
        """Adds one tensor.

        Raises: JsonFault if it, or all together, are too large.
        """
        if size > self.limits.tensor_bytes:
            raise JsonFault(f"a tensor may have at most {size_text(self.limits.tensor_bytes)}, not {size_text(size)}")
        if self.used + size > self.limits.tensors_bytes:
            raise JsonFault(f"all tensors of a file together may have at most {size_text(self.limits.tensors_bytes)}")
        self.used += size

    def take_beside(self, size: int) -> None:
        """Adds one tensor that lies beside the file: its bytes are on the disk, and swell to nothing larger.

        Raises: JsonFault if it, or all of them together, are too large.
        """
        most, of_all = self.limits.beside_bytes, self.limits.weights_bytes
        if size > most:
            raise JsonFault(f"a tensor beside the file may have at most {size_text(most)}, not {size_text(size)}")
        if self.used_beside + size > of_all:
            raise JsonFault(f"all tensors beside a file together may have at most {size_text(of_all)}")
        self.used_beside += size


def is_tensor(value: Mapping[str, object]) -> bool:
    """Returns whether a JSON object is meant as a tensor."""
    return "dtype" in value and "shape" in value and not value.keys().isdisjoint(("data", "base64", BESIDE))


def tensor_from_json(value: object, budget: TensorBudget | None = None) -> Array:
    """Returns the read-only array of a tensor object.

    Raises: JsonFault, a FileError whose path leads to the faulty part.
    """
    if not isinstance(value, dict):
        raise JsonFault(f"must be a tensor, not {shown(value)}")
    dtype, shape = read_head(value, budget or TensorBudget())
    if "data" in value:
        check_keys(value, _READABLE_KEYS)
        array = _read_numbers(value["data"], dtype, math.prod(shape)).reshape(shape)
    else:
        check_keys(value, _PACKED_KEYS, optional="zlib")
        array = _unpacked(value, shape, dtype)
    array.setflags(write=False)
    return array


def tensor_to_json(array: Array) -> dict[str, Any]:
    """Returns the tensor object of a file for a JSON writer: readable up to 1,024 elements, packed above.

    Raises: JsonFault for a dtype that files do not have.
    """
    return flat_tensor(array) if array.size <= READABLE_ELEMENTS else _packed(array)


def flat_tensor(array: Array) -> dict[str, Any]:
    """Returns the tensor object with all its elements written out, whatever their number, for a JSON writer.

    Raises: JsonFault for a dtype that files do not have.
    """
    return {**_head(array), "data": flat_values(array)}


def flat_values(array: Array) -> list[Scalar]:
    """Returns the elements in row-major order, as JSON values that print as the shortest text in their dtype."""
    if array.dtype.kind != "f":
        found: list[Scalar] = array.ravel().tolist()
        return found
    return [_shortest(number) for number in _doubles(array).tolist()]


def _shortest(number: float) -> Scalar:
    """Returns a number as JSON; integers below 1e16 lose their point, but never minus zero."""
    if number.is_integer() and abs(number) < 1e16 and (number or math.copysign(1, number) > 0):
        return int(number)
    if math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"


def _doubles(array: Array) -> Array:
    """Returns the float64 numbers that print like the shortest text of the elements in their own dtype."""
    exact = array.ravel().astype(np.float64)
    if array.dtype == np.float64:
        return exact
    found = array.ravel().astype("U").astype(np.float64)
    # If double rounding would change the element, the exact digits win.
    with np.errstate(all="ignore"):
        is_same = found.astype(array.dtype) == array.ravel()
    return np.where(is_same, found, exact)


def _head(array: Array) -> dict[str, Any]:
    if array.dtype.name not in DTYPES:
        raise JsonFault(f"{array.dtype.name} values cannot be saved; use one of {', '.join(DTYPES)}")
    return {"dtype": array.dtype.name, "shape": list(array.shape)}


def _packed(array: Array) -> dict[str, Any]:
    head = _head(array)
    raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    squeezed = zlib.compress(raw)
    head |= {"bytes": len(raw), "crc32": f"{zlib.crc32(raw):08x}"}
    if len(squeezed) <= 0.8 * len(raw):
        head["zlib"], raw = True, squeezed
    return {**head, "base64": base64.b64encode(raw).decode("ascii")}


def read_head(
    value: Mapping[str, object], budget: TensorBudget, is_beside: bool = False
) -> tuple[np.dtype[Any], Shape]:
    """Returns dtype and shape of a tensor object, and takes its bytes from the budget.

    Raises: JsonFault for either, and for a tensor that is too large.
    """
    dtype, shape = _read_dtype(value), _read_shape(value, budget.limits.rank)
    take = budget.take_beside if is_beside else budget.take
    take(_bytes_of(shape, dtype))
    return dtype, shape


def check_keys(value: Mapping[str, object], required: set[str], optional: str = "") -> None:
    """Raises: JsonFault for a key that a tensor object does not have, and for one that is missing."""
    for key in value:
        if key not in required and key != optional:
            raise JsonFault(f"a tensor has the keys {', '.join(sorted(required))}, not {shown(key)}", (key,))
    missing = sorted(required - value.keys())
    if missing:
        raise JsonFault(f"{missing[0]} is missing in a tensor")


def _read_dtype(value: Mapping[str, object]) -> np.dtype[Any]:
    name = value.get("dtype")
    if not isinstance(name, str) or name not in DTYPES:
        raise JsonFault(f"dtype must be one of {', '.join(DTYPES)}, not {shown(name)}", ("dtype",))
    return DTYPES[name]


def _read_shape(value: Mapping[str, object], rank: int) -> Shape:
    sizes = value.get("shape")
    if not isinstance(sizes, list | tuple):
        raise JsonFault(f"shape must be a list of sizes, not {shown(sizes)}", ("shape",))
    if len(sizes) > rank:
        raise JsonFault(f"a tensor may have at most {rank} axes, not {len(sizes)}", ("shape",))
    for index, size in enumerate(sizes):
        # NumPy could not handle even an empty tensor with a size above 2**31.
        if type(size) is not int or not 0 <= size < 2**31:
            raise JsonFault(f"a size must be a whole number of at least 0, not {shown(size)}", ("shape", index))
    return tuple(sizes)


def _bytes_of(shape: Shape, dtype: np.dtype[Any]) -> int:
    # NumPy also multiplies the other sizes of an empty tensor, and their product must not overflow.
    if math.prod(size or 1 for size in shape) * dtype.itemsize >= 2**63:
        raise JsonFault(f"a tensor of shape {list(shape)} is too large", ("shape",))
    return math.prod(shape) * dtype.itemsize


def _read_numbers(data: object, dtype: np.dtype[Any], count: int) -> Array:
    if not isinstance(data, list | tuple):
        raise JsonFault(f"data must be a flat list, not {shown(data)}", ("data",))
    if len(data) != count:
        raise JsonFault(f"data must have {count:,} elements as shape says, not {len(data):,}", ("data",))
    if dtype.kind == "f":
        return _read_floats(data, dtype)
    expected, name = (bool, "true or false") if dtype.kind == "b" else (int, "whole numbers")
    for index, item in enumerate(in_time(data)):
        if type(item) is not expected:
            raise JsonFault(f"{dtype.name} data must be {name}, not {shown(item)}", ("data", index))
    if dtype.kind != "b":
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        _refuse_first([low <= item <= high for item in data], data, dtype)
    return np.array(data, dtype=dtype)


def _read_floats(data: list[Any] | tuple[Any, ...], dtype: np.dtype[Any]) -> Array:  # Any: checked here
    if not set(map(type, data)) <= {int, float}:
        data = [_read_float(item, index, dtype) for index, item in enumerate(in_time(data))]
    numbers = np.array(data, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):
        array = numbers.astype(dtype)
    if dtype != np.float64:
        _refuse_first((np.isfinite(array) | ~np.isfinite(numbers)).tolist(), data, dtype)
    return array


def _read_float(item: object, index: int, dtype: np.dtype[Any]) -> float:
    if type(item) is int or type(item) is float:
        return float(item)
    if isinstance(item, str) and item in _SPECIAL:
        return _SPECIAL[item]
    raise JsonFault(f'{dtype.name} data must be numbers, "nan", "inf" or "-inf", not {shown(item)}', ("data", index))


def _refuse_first(is_held: list[bool], data: list[Any] | tuple[Any, ...], dtype: np.dtype[Any]) -> None:
    if not all(is_held):
        index = is_held.index(False)
        raise JsonFault(f"{shown(data[index])} is beyond the range of {dtype.name}", ("data", index))


def _unpacked(value: Mapping[str, Any], shape: Shape, dtype: np.dtype[Any]) -> Array:  # Any: checked here
    size, checksum = read_size(value, shape, dtype), read_checksum(value)
    if type(value.get("zlib", False)) is not bool:
        raise JsonFault(f"zlib must be true or false, not {shown(value['zlib'])}", ("zlib",))
    is_squeezed = value.get("zlib", False)
    packed = _decoded(value["base64"], None if is_squeezed else size)
    raw = _inflated(packed, size) if is_squeezed else packed
    if zlib.crc32(raw) != checksum:
        raise JsonFault("the bytes of a tensor are damaged: crc32 does not match", ("base64",))
    if dtype.kind == "b" and raw.translate(None, b"\x00\x01"):
        raise JsonFault("the bytes of a bool tensor must be 0 or 1", ("base64",))
    return np.ndarray(shape, dtype.newbyteorder("<"), raw).astype(dtype, copy=False)


def read_size(value: Mapping[str, object], shape: Shape, dtype: np.dtype[Any]) -> int:
    """Returns the number of bytes that a tensor object gives.

    Raises: JsonFault if dtype and shape say otherwise.
    """
    size = math.prod(shape) * dtype.itemsize
    if type(value["bytes"]) is not int or value["bytes"] != size:
        raise JsonFault(f"bytes must be {size} as dtype and shape say, not {shown(value['bytes'])}", ("bytes",))
    return size


def read_checksum(value: Mapping[str, object]) -> int:
    """Returns the CRC-32 that a tensor object gives.

    Raises: JsonFault if it is none.
    """
    text = value["crc32"]
    if not isinstance(text, str) or not _CRC.fullmatch(text):
        raise JsonFault(f"crc32 must be 8 hexadecimal digits, not {shown(text)}", ("crc32",))
    return int(text, 16)


def _decoded(text: object, size: int | None) -> bytes:
    if not isinstance(text, str):
        raise JsonFault(f"base64 must be text, not {shown(text)}", ("base64",))
    if size is not None and len(text) != -(-size // 3) * 4:
        raise JsonFault(f"base64 must hold {size:,} bytes as bytes says", ("base64",))
    try:
        packed = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise JsonFault("this is not base64", ("base64",)) from None
    if size is not None and len(packed) != size:
        raise JsonFault(f"base64 must hold {size:,} bytes as bytes says, not {len(packed):,}", ("base64",))
    return packed


def _inflated(packed: bytes, size: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        # One byte more than allowed distinguishes a stream that is too long from one that fits.
        raw = inflater.decompress(packed, size + 1)
    except zlib.error:
        raise JsonFault("the bytes of a tensor are damaged: they cannot be inflated", ("base64",)) from None
    if len(raw) != size or not inflater.eof or inflater.unused_data:
        raise JsonFault(f"base64 must inflate to {size:,} bytes as bytes says", ("base64",))
    return raw
