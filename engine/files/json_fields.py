"""Readers for values in JSON objects; faults carry the path to the place, extended on the way out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from gradwire.engine.base.schema import JsonFault, read_each, shown
from gradwire.engine.graph.graph import NAME

T = TypeVar("T")
Record = dict[str, object]

# Length of a name's stem beside the longest suffix.
_STEM = 56


def required(record: Record, key: str, read: Callable[[object], T]) -> T:
    """Returns the value of a key, read by `read`.

    Raises: JsonFault, with the key, if it is missing or does not fit.
    """
    if key not in record:
        raise JsonFault(f"{key} is missing")
    try:
        return read(record[key])
    except JsonFault as fault:
        raise JsonFault(f"{key} {fault.message}", (key, *fault.path)) from None


def optional(record: Record, key: str, read: Callable[[object], T]) -> T | None:
    """Returns the value of a key, read by `read`; None where it is missing or null."""
    return None if record.get(key) is None else required(record, key, read)


def each(record: Record, key: str, read: Callable[[object], T]) -> tuple[T, ...]:
    """Returns the entries of a list, each read by `read`; empty where the key is missing."""
    if key not in record:
        return ()
    values = required(record, key, as_list)
    try:
        return tuple(read_each(values, read))
    except JsonFault as fault:
        raise fault.under(key) from None


def as_record(value: object) -> Record:
    """Returns an object; raises JsonFault for any other value."""
    if not isinstance(value, dict):
        raise JsonFault(f"must be an object in braces, not {shown(value)}")
    return value


def as_list(value: object) -> list[object]:
    """Returns a list; raises JsonFault for any other value."""
    if not isinstance(value, list):
        raise JsonFault(f"must be a list, not {shown(value)}")
    return value


def as_name(value: object) -> str:
    """Returns a name of a page, block, frame or note; raises JsonFault for any other value."""
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise JsonFault(f"must be a name (letters, digits and _, at most 64, a letter first), not {shown(value)}")
    return value


def unique_names(names: Sequence[str]) -> list[str]:
    """Returns the names with repetitions replaced by the next free `name_1`, `name_2`."""
    taken, seen, numbers, unique = set(names), set[str](), Counter[str](), []
    for name in names:
        # Long names with the same beginning share a stem and its counter, so each number is tried once.
        free, stem = name, name[:_STEM]
        while free in seen or (free is not name and free in taken):
            numbers[stem] += 1
            suffix = f"_{numbers[stem]}"
            free = name[: 64 - len(suffix)] + suffix
        seen.add(free)
        unique.append(free)
    return unique
