"""Protocol buffers: messages as dataclasses whose fields say their numbers. Other fields of a file are passed over.

Source: protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.base.untrusted_text import plain

# A file may have so many messages, and one may lie so deep in others.
MOST_MESSAGES: Final = 1_500_000
DEEPEST_MESSAGE: Final = 64
MOST_OF_TEXT: Final = 100_000
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5
_SIZES: Final = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}
_NUMBERS: Final = {"float": (_FOUR_BYTES, "<f4"), "double": (_EIGHT_BYTES, "<f8")}
_LONGEST_VARINT: Final = 10
M = TypeVar("M")


class ProtobufError(ValueError):
    """Bytes that are no message of the kind that was expected."""


@dataclass(frozen=True)
class _Field:
    """One field: `kind` is int, float, double, text (for sentences), lines, bytes, or the message that it holds."""

    name: str
    kind: str | Callable[[], type]
    is_many: bool


def one(number: int, kind: str | Callable[[], type], default: Any = None) -> Any:
    """Declares a field of a message; a message is given by a function, since it may come later in the module."""
    return dataclasses.field(default=default, metadata={"number": number, "kind": kind, "many": False})


def many(number: int, kind: str | Callable[[], type]) -> Any:
    """Declares a field that may be repeated: a tuple, or an array of numbers."""
    empty = np.zeros(0, "<f4" if kind == "float" else "<f8" if kind == "double" else np.int64)
    default = empty if kind in ("int", *_NUMBERS) else ()
    made = (lambda: empty) if default is empty else tuple
    return dataclasses.field(default_factory=made, metadata={"number": number, "kind": kind, "many": True})


def decode(message: type[M], content: bytes | memoryview) -> M:
    """Returns a message; bytes in it are views of the content.

    Raises: ProtobufError for what is cut off or no such message, and for more, or deeper, messages than are read.
    """
    found: M = _Decoder().message(message, memoryview(content), 0)
    return found


class _Decoder:
    """Counts the messages of one file."""

    def __init__(self) -> None:
        self._left = MOST_MESSAGES

    def message(self, message: type, content: memoryview, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ProtobufError(f"it has more than {MOST_MESSAGES:,} parts")
        if depth > DEEPEST_MESSAGE:
            raise ProtobufError(f"its parts lie more than {DEEPEST_MESSAGE} deep")
        fields, found, place = _fields(message), dict[str, Any](), 0
        while place < len(content):
            number, wire, value, place = _part(content, place)
            field = fields.get(number)
            if field is None:
                continue
            item = self._value(field, wire, value, depth)
            if field.is_many:
                found.setdefault(field.name, []).append(item)
            else:
                found[field.name] = item
        for name, items in found.items():
            if isinstance(items, list):
                found[name] = np.concatenate(items) if isinstance(items[0], np.ndarray) else tuple(items)
        return message(**found)

    def _value(self, field: _Field, wire: int, value: Any, depth: int) -> Any:  # Any: a number, or bytes, by `wire`
        if field.kind == "int":
            if wire == _VARINT:
                return np.array([_signed(value)]) if field.is_many else _signed(value)
            if field.is_many and wire == _LENGTH:
                return _packed(value)
        elif field.kind in _NUMBERS:
            single, dtype = _NUMBERS[str(field.kind)]
            if wire in (single, _LENGTH) and not len(value) % np.dtype(dtype).itemsize:
                numbers = np.frombuffer(value, dtype)
                return numbers if field.is_many else float(numbers[0]) if numbers.size else 0.0
        elif wire == _LENGTH:
            if field.kind == "bytes":
                return value
            if field.kind in ("text", "lines"):
                text = bytes(value).decode("utf-8", "replace")
                return text if field.kind == "lines" or text.isprintable() else plain(text, MOST_OF_TEXT)
            assert callable(field.kind)
            return self.message(field.kind(), value, depth + 1)
        raise ProtobufError("it is damaged, or no model")


@cache
def _fields(message: type) -> dict[int, _Field]:
    declared = dataclasses.fields(message)
    rows = ((item.metadata["number"], item.name, item.metadata["kind"], item.metadata["many"]) for item in declared)
    return {number: _Field(name, kind, is_many) for number, name, kind, is_many in rows}


def _part(content: memoryview, place: int) -> tuple[int, int, int | memoryview, int]:
    """Returns the number of a field, the form of its value, the value, and the place behind it."""
    key, place = _varint(content, place)
    number, wire = key >> 3, key & 7
    if wire == _VARINT:
        return number, wire, *_varint(content, place)
    size = _SIZES.get(wire)
    if wire == _LENGTH:
        size, place = _varint(content, place)
    if size is None or not number or place + size > len(content):
        raise ProtobufError("it is cut off, or damaged")
    return number, wire, content[place : place + size], place + size


def _varint(content: memoryview, place: int) -> tuple[int, int]:
    """Returns a number of up to 64 bits, least significant bits first, and the place behind it."""
    result = shift = 0
    try:
        for position in range(place, place + _LONGEST_VARINT):
            byte = content[position]
            result |= (byte & 0x7F) << shift
            if byte < 0x80:
                return result & 0xFFFFFFFFFFFFFFFF, position + 1
            shift += 7
    except IndexError:
        pass
    raise ProtobufError("it is cut off, or damaged")


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _packed(content: Any) -> Array:
    """Returns numbers that stand one behind the other. Cost: O(bytes), without a loop over them."""
    raw = np.frombuffer(content, np.uint8)
    ends = np.flatnonzero(raw < 0x80)
    if not raw.size:
        return np.zeros(0, np.int64)
    if not ends.size or ends[-1] != raw.size - 1:
        raise ProtobufError("it is cut off, or damaged")
    starts = np.concatenate([[0], ends[:-1] + 1])
    if int((ends - starts).max()) >= _LONGEST_VARINT:
        raise ProtobufError("it is damaged, or no model")
    places = np.arange(raw.size) - np.repeat(starts, ends - starts + 1)
    bits = (raw & 0x7F).astype(np.uint64) << (7 * places).astype(np.uint64)
    return np.add.reduceat(bits, starts).astype(np.int64)
