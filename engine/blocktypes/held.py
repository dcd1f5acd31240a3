"""Regions of a program whose results are held: no gradient passes what leaves them, as with `torch.no_grad`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class Region:
    """One region; `stops` has the stopped form of each tensor that has left it: expressions, which hold regions."""

    def __init__(self) -> None:
        self.stops: dict[Any, Any] = {}


# Of each thread, and of each task.
_open: ContextVar[Region | None] = ContextVar("region", default=None)


def current() -> Region | None:
    """Returns the region in which blocks are applied now, or None."""
    return _open.get()


@contextmanager
def holding(*, is_on: bool = True) -> Iterator[None]:
    """A region: what is computed inside is stopped where it is used outside. Inside of one it changes nothing.

    With `is_on=False` blocks inside are applied as if outside.
    """
    before = _open.set((_open.get() or Region()) if is_on else None)
    try:
        yield
    finally:
        _open.reset(before)
