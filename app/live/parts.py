"""Parts of a whole that knows none of them: each is asked for by its class, and made when somebody first does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self, TypeVar

P = TypeVar("P")


class Parts:
    """Something with parts. A part is made with the whole, from which it hears all that it needs."""

    @cached_property
    def _parts(self) -> dict[Callable[[Any], Any], Any]:  # Any: each class makes parts of its own
        return {}

    def part(self, kind: Callable[[Self], P]) -> P:
        """Returns the only part of a class."""
        if kind not in self._parts:
            self._parts[kind] = kind(self)
        found: P = self._parts[kind]
        return found

    def add_part(self, part: P) -> P:
        """Takes a part that needs more than the whole, and returns it."""
        self._parts[type(part)] = part
        return part
