"""Small ONNX files, written by hand: messages of protocol buffers, by their fields' numbers in onnx.proto."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array

CODES = {
    "float32": 1,
    "uint8": 2,
    "int8": 3,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "bool": 9,
    "float16": 10,
    "float64": 11,
}
_FLOAT, _INT, _TEXT, _TENSOR, _GRAPH, _FLOATS, _INTS = 1, 2, 3, 4, 5, 6, 7


def varint(number: int) -> bytes:
    number &= 2**64 - 1
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def tensor(name: str, array: Array, **beside: str) -> bytes:
    """Returns a tensor; `beside` says where its numbers lie, if not in it."""
    sizes = b"".join(field(1, size) for size in array.shape)
    if beside:
        entries = b"".join(field(13, field(1, key) + field(2, value)) for key, value in beside.items())
        return sizes + field(2, CODES[str(array.dtype)]) + field(8, name) + entries + field(14, 1)
    return sizes + field(2, CODES[str(array.dtype)]) + field(8, name) + field(9, array.tobytes())


def attribute(name: str, value: Any) -> bytes:
    if isinstance(value, Reference):
        return field(1, name) + field(20, value.type_code) + field(21, value.name)
    if isinstance(value, bytes):  # a graph
        return field(1, name) + field(6, value) + field(20, _GRAPH)
    if isinstance(value, np.ndarray):
        return field(1, name) + field(5, tensor("", value)) + field(20, _TENSOR)
    if isinstance(value, float):
        return field(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + field(20, _FLOAT)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, _TEXT)
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, _INT)
    if value and isinstance(value[0], float):
        numbers = b"".join(varint(7 << 3 | 5) + struct.pack("<f", item) for item in value)
        return field(1, name) + numbers + field(20, _FLOATS)
    return field(1, name) + b"".join(field(8, item) for item in value) + field(20, _INTS)


class Reference:
    """A setting of a function's node that is one of its call."""

    def __init__(self, name: str, type_code: int = _FLOAT) -> None:
        self.name, self.type_code = name, type_code


def node(
    op_type: str, inputs: Sequence[str], outputs: Sequence[str], name: str = "", domain: str = "",
    notes: Mapping[str, str] | None = None, **settings: Any,
) -> bytes:  # fmt: skip
    parts = [field(1, item) for item in inputs] + [field(2, item) for item in outputs]
    parts += [field(3, name), field(4, op_type), field(7, domain)]
    parts += [field(5, attribute(key, value)) for key, value in settings.items()]
    parts += [field(9, field(1, key) + field(2, value)) for key, value in (notes or {}).items()]
    return b"".join(parts)


def value(name: str, shape: Sequence[int | str] | None = None, dtype: str = "float32") -> bytes:
    dims = b"" if shape is None else b"".join(field(1, field(2 if isinstance(d, str) else 1, d)) for d in shape)
    kind = field(1, CODES.get(dtype, 16)) + (b"" if shape is None else field(2, dims))
    return field(1, name) + field(2, field(1, kind))


def graph(
    nodes: Sequence[bytes], inputs: Sequence[bytes], outputs: Sequence[str], weights: Mapping[str, Array] | None = None,
    raw: Sequence[bytes] = (),
) -> bytes:  # fmt: skip
    parts = [field(1, item) for item in nodes] + [field(11, item) for item in inputs]
    parts += [field(12, field(1, name)) for name in outputs]
    parts += [field(5, tensor(name, array)) for name, array in (weights or {}).items()] + [
        field(5, item) for item in raw
    ]
    return b"".join(parts)


def function(name: str, inputs: Sequence[str], outputs: Sequence[str], nodes: Sequence[bytes], domain: str) -> bytes:
    parts = [field(1, name)] + [field(4, item) for item in inputs] + [field(5, item) for item in outputs]
    parts += [field(7, item) for item in nodes] + [field(9, field(2, 20)), field(10, domain)]
    return b"".join(parts)


def model(whole: bytes, opset: int = 20, functions: Sequence[bytes] = (), domains: Sequence[str] = ()) -> bytes:
    """Returns a file: a graph with the version of its operators."""
    parts = [field(1, 10), field(2, "tests"), field(7, whole), field(8, field(1, "") + field(2, opset))]
    parts += [field(8, field(1, domain) + field(2, 1)) for domain in domains] + [field(25, item) for item in functions]
    return b"".join(parts)
