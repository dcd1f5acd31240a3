"""The arrays of a `.pt2`: raw bytes with shape, strides and offset. Two names of one part are one tensor."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.limits import MOST_OF_TENSOR
from gradwire.interop.pt2.archive import Archive

# PyTorch's codes of dtypes: those that Gradwire computes, and the names of the others.
DTYPES: Final[Mapping[int, str]] = {
    1: "uint8", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "float16", 7: "float32", 8: "float64", 12: "bool",
}  # fmt: skip
OTHERS: Final[Mapping[int, str]] = {
    9: "complex32", 10: "complex64", 11: "complex128", 13: "bfloat16", 28: "uint16", 29: "float8_e4m3fn",
    30: "float8_e5m2", 31: "float8_e4m3fnuz", 32: "float8_e5m2fnuz", 33: "float8_e8m0fnu", 34: "uint32", 35: "uint64",
}  # fmt: skip
_STRIDED: Final = 7
_DEEPEST: Final = 32
_PART: Final = re.compile(r"[A-Za-z0-9_]+")


@dataclass
class Weights:
    """Arrays by their names in the module, and the part that each lies in: names of one part are tied."""

    arrays: dict[str, Array] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)


def read_weights(archive: Archive) -> Weights:
    """Returns parameters, buffers and constants.

    Raises: ModelRefusal for pickles, dtypes without blocks, and arrays that reach beyond their part.
    """
    found = Weights()
    for kind in ("constants", "weights"):
        if archive.has(f"data/{kind}/{archive.model}.pt"):
            raise archive.pickled(kind)
        table = f"data/{kind}/{archive.model}_{kind}_config.json"
        if archive.has(table):
            _take(archive, kind, archive.json_of(table)["config"], found)
    return found


def dtype_of(archive: Archive, name: str, code: int) -> np.dtype[Any]:
    """Returns a dtype by PyTorch's code.

    Raises: ModelRefusal for those that no block computes.
    """
    if code not in DTYPES:
        what = OTHERS.get(code, "of an unknown dtype")
        advice = "; save it as float32 with model.float()" if what == "bfloat16" else ""
        raise archive.refusal(f"{name} is {what}, which Gradwire does not compute{advice}")
    return np.dtype(DTYPES[code])


def check_size(archive: Archive, name: str, count: int, dtype: np.dtype[Any]) -> None:
    """Refuses a tensor that is too large, before it is made."""
    if count * dtype.itemsize > MOST_OF_TENSOR:
        raise archive.refusal(f"{name} wants {count * dtype.itemsize:,} bytes, and {MOST_OF_TENSOR:,} are the limit")


def _take(archive: Archive, kind: str, rows: Mapping[str, Any], found: Weights) -> None:
    known: dict[tuple[str, str], Array] = {}
    for name, row in rows.items():
        part = row["path_name"]
        if not isinstance(part, str) or _PART.fullmatch(part) is None:
            raise archive.refusal(f"{name} lies in {str(part)[:60]!r}, which is no part of the file")
        if row["use_pickle"] or not row["tensor_meta"]:
            raise archive.refusal(f"{name} is pickled, and Gradwire unpickles nothing")
        key = part, json.dumps(row["tensor_meta"], sort_keys=True)
        if key not in known:
            known[key] = _array(archive, name, f"data/{kind}/{part}", row["tensor_meta"])
        found.arrays[name], found.parts[name] = known[key], f"{kind}/{part}"


def _array(archive: Archive, name: str, part: str, meta: Mapping[str, Any]) -> Array:
    shape, strides = ([_whole(archive, name, item) for item in meta[key]] for key in ("sizes", "strides"))
    offset = _whole(archive, name, meta["storage_offset"])
    if len(shape) != len(strides) or len(shape) > _DEEPEST:
        raise archive.refusal(f"{name} has {len(shape)} sizes and {len(strides)} strides")
    if meta["layout"] != _STRIDED:
        raise archive.refusal(f"{name} is sparse; make it dense with to_dense()")
    dtype = dtype_of(archive, name, meta["dtype"])
    check_size(archive, name, math.prod(shape), dtype)
    if 0 in shape:
        return np.zeros(shape, dtype)
    raw = archive.bytes_of(part, MOST_OF_TENSOR)
    numbers = np.frombuffer(raw, dtype, count=len(raw) // dtype.itemsize)
    last = offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    if last >= numbers.size:
        raise archive.refusal(f"{name} reaches beyond its part: number {last + 1:,} of {numbers.size:,}")
    steps = [stride * dtype.itemsize for stride in strides]
    array: Array = np.array(np.lib.stride_tricks.as_strided(numbers[offset:], shape, steps, writeable=False))
    # A block would copy what can be written into.
    array.setflags(write=False)
    return array


def _whole(archive: Archive, name: str, item: Any) -> int:
    value = item.get("as_int")
    if type(value) is not int or value < 0:
        raise archive.refusal(f"{name} has a size that is no number")
    return value
