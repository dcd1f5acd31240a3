"""Results on their way to the window: what is as it was in the results before stays at home."""

from __future__ import annotations

import dataclasses
import enum
import operator
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from app.live.pictures import Pictures
from app.live.readings import Results, Table

_ROWS = ("port_rows", "wire_rows")
_Rows = Mapping[Any, int]  # Any: names of ports, or links
# Seldom the same objects, but mostly equal: names, shapes and dtypes change only with the graph.
_COMPARED = (*_ROWS, "shapes", "dtypes", "places")


class _Kept(enum.Enum):
    """Stands in place of what the other side has already."""

    KEPT = enum.auto()


class _Edited(NamedTuple):
    """Names of rows of which some went and some came."""

    gone: Collection[Any]
    come: _Rows


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
        elif field.name in _ROWS and before is not None:
            changed[field.name] = _rows_without(value, before)
        elif isinstance(value, Table | Results | Pictures) and before is not None:
            changed[field.name] = _without(value, before)
    return dataclasses.replace(new, **changed)


def _rows_without(new: _Rows, old: _Rows) -> _Rows | _Edited:
    """The names that came and went, where all others kept their rows and few came."""
    come = dict(sorted(new.items() - old.items(), key=operator.itemgetter(1)))
    is_edited = len(come) < len(new) / 4 and come.keys().isdisjoint(old)
    return _Edited(old.keys() - new.keys(), come) if is_edited else new


def _with(new: Any, old: Any) -> Any:
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(new):
        value, before = getattr(new, field.name), getattr(old, field.name)
        if value is _Kept.KEPT:
            changed[field.name] = before
        elif isinstance(value, _Edited):
            left = {name: row for name, row in before.items() if name not in value.gone}
            changed[field.name] = left | dict(value.come)
        elif isinstance(value, Table | Results | Pictures) and before is not None:
            changed[field.name] = _with(value, before)
    return dataclasses.replace(new, **changed)


def _is_equal(a: Any, b: Any) -> bool:
    """Whether two tuples or mappings are equal, the order of names included."""
    return bool(a == b) and (not isinstance(a, dict) or list(a) == list(b))
