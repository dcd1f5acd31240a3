"""Differences between results on their way to the window: the evaluator does not send unchanged parts again."""

from __future__ import annotations

import dataclasses
import enum
import operator
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from gradwire.app.live.readings.pictures import Pictures
from gradwire.app.live.readings.readings import Places, Results, Table
from gradwire.engine.base.problems import listed

_Rows = Mapping[Any, int]  # Any: names of ports, or links
# These are seldom the same objects but mostly equal: names, shapes and dtypes change only with the graph.
_COMPARED = ("row_of", "shapes", "dtypes", "places")


class _Kept(enum.Enum):
    """A mark in place of a part that the receiver already has."""

    KEPT = enum.auto()


class _Edited(NamedTuple):
    """The difference between two mappings of names to rows: the names that went and the rows that came."""

    gone: Collection[Any]
    come: _Rows


class Sender:
    """The sending side: it leaves out everything that the previous results contained."""

    def __init__(self) -> None:
        self._last: Results | None = None

    def delta(self, results: Results) -> Results:
        """Returns the results without the parts that equal those of the previous results, and with few problems."""
        results = dataclasses.replace(results, problems=listed(results.problems))
        found = results if self._last is None else _without(results, self._last)
        self._last = results
        return found


class Receiver:
    """The receiving side: it puts back the parts that `Sender` left out."""

    def __init__(self) -> None:
        self._last: Results | None = None

    def whole(self, results: Results) -> Results:
        """Returns the complete results."""
        self._last = results if self._last is None else _with(results, self._last)
        return self._last


# Any: fields of all types, some replaced by a mark.
def _without(new: Any, old: Any) -> Any:
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(new):
        value, before = getattr(new, field.name), getattr(old, field.name)
        if value is before or (field.name in _COMPARED and _is_equal(value, before)):
            changed[field.name] = _Kept.KEPT
        elif field.name == "row_of" and before is not None:
            changed[field.name] = _rows_without(value, before)
        elif isinstance(value, Table | Places | Results | Pictures) and before is not None:
            changed[field.name] = _without(value, before)
    return dataclasses.replace(new, **changed)


def _rows_without(new: _Rows, old: _Rows) -> _Rows | _Edited:
    """Returns the names that came and went, or `new` itself if other names changed rows or many came."""
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
        elif isinstance(value, Table | Places | Results | Pictures) and before is not None:
            changed[field.name] = _with(value, before)
    return dataclasses.replace(new, **changed)


def _is_equal(a: Any, b: Any) -> bool:
    """Returns whether two tuples or mappings are equal, including the order of names."""
    return bool(a == b) and (not isinstance(a, dict) or list(a) == list(b))
