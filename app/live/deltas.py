"""Results on their way to the window: what is as it was in the results before stays at home."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

from app.live.pictures import Pictures
from app.live.readings import Results, Table

# Seldom the same objects, but mostly equal: names, shapes and dtypes change only with the graph.
_COMPARED = ("port_rows", "wire_rows", "shapes", "dtypes", "places")


class _Kept(enum.Enum):
    """Stands in place of what the other side has already."""

    KEPT = enum.auto()


class Sender:
    """Leaves out of results what went with those before."""

    def __init__(self) -> None:
        self._last: Results | None = None

    def delta(self, results: Results) -> Results:
        """The results without all that is the same as in those before."""
        found = results if self._last is None else _without(results, self._last)
        self._last = results
        return found


class Receiver:
    """Puts back what `Sender` leaves out."""

    def __init__(self) -> None:
        self._last: Results | None = None

    def whole(self, results: Results) -> Results:
        """The results with all that belongs to them."""
        self._last = results if self._last is None else _with(results, self._last)
        return self._last


# Any: fields of all kinds, and a mark in the place of some.
def _without(new: Any, old: Any) -> Any:
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(new):
        value, before = getattr(new, field.name), getattr(old, field.name)
        if value is before or (field.name in _COMPARED and _is_equal(value, before)):
            changed[field.name] = _Kept.KEPT
        elif isinstance(value, Table | Results | Pictures) and before is not None:
            changed[field.name] = _without(value, before)
    return dataclasses.replace(new, **changed)


def _with(new: Any, old: Any) -> Any:
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(new):
        value, before = getattr(new, field.name), getattr(old, field.name)
        if value is _Kept.KEPT:
            changed[field.name] = before
        elif isinstance(value, Table | Results | Pictures) and before is not None:
            changed[field.name] = _with(value, before)
    return dataclasses.replace(new, **changed)


def _is_equal(a: Any, b: Any) -> bool:
    """Whether two tuples or mappings are equal, the order of names included."""
    return bool(a == b) and (not isinstance(a, dict) or list(a) == list(b))
