"""Reads values out of JSON objects; a fault carries the way to the place, gathered while it travels outwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.graph import NAME
from engine.json_text import JsonFault, shown

T = TypeVar("T")
Record = dict[str, object]

# What is left of the longest name beside the longest suffix.
_STEM = 56


def required(record: Record, key: str, read: Callable[[object], T]) -> T:
    """The value of a key, read.

    Raises: JsonFault, with the key, if it is missing or does not fit.
    """
    if key not in record:
        raise JsonFault(f"{key} is missing")
    try:
        return read(record[key])
    except JsonFault as fault:
        raise JsonFault(f"{key} {fault.message}", (key, *fault.path)) from None


def optional(record: Record, key: str, read: Callable[[object], T]) -> T | None:
    """The value of a key, read; None where it is missing or null."""
    return None if record.get(key) is None else required(record, key, read)


def each(record: Record, key: str, read: Callable[[object], T]) -> tuple[T, ...]:
    """The entries of a list, each read; none where the key is missing."""
    if key not in record:
        return ()
    values = required(record, key, as_list)
    try:
        return tuple(read_all(values, read))
    except JsonFault as fault:
        raise fault.under(key) from None


def read_all(values: list[object], read: Callable[[object], T]) -> list[T]:
    """The entries, each read; a fault says which one it was."""
    found: list[T] = []
    try:
        for value in values:
            found.append(read(value))
    except JsonFault as fault:
        raise fault.under(len(found)) from None
    return found


def as_record(value: object) -> Record:
    """An object, else a JsonFault."""
    if not isinstance(value, dict):
        raise JsonFault(f"must be an object in braces, not {shown(value)}")
    return value


def as_list(value: object) -> list[object]:
    """A list, else a JsonFault."""
    if not isinstance(value, list):
        raise JsonFault(f"must be a list, not {shown(value)}")
    return value


def as_boolean(value: object) -> bool:
    """True or false, else a JsonFault."""
    if not isinstance(value, bool):
        raise JsonFault(f"must be true or false, not {shown(value)}")
    return value


def as_name(value: object) -> str:
    """A name of a page, block, frame or note, else a JsonFault."""
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise JsonFault(f"must be a name (letters, digits and _, at most 64, a letter first), not {shown(value)}")
    return value


def unique_names(names: Sequence[str]) -> list[str]:
    """The names, those that occurred before replaced by the next free `name_1`, `name_2`."""
    taken, seen, numbers, unique = set(names), set[str](), Counter[str](), []
    for name in names:
        # Long names that begin alike are cut to the same stem, and count together: each number is tried once.
        free, stem = name, name[:_STEM]
        while free in seen or (free is not name and free in taken):
            numbers[stem] += 1
            suffix = f"_{numbers[stem]}"
            free = name[: 64 - len(suffix)] + suffix
        seen.add(free)
        unique.append(free)
    return unique
