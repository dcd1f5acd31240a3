"""Sweeps: laws over so many names that `make test` tries a third of them, and `make test-all` the others, too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest

Item = TypeVar("Item")


def a_third_of(items: Iterable[Item], first: int = 0) -> list[Item]:
    """Returns the items as parameters, of which all but every third one, from `first` on, are marked long.

    Sweeps over the same names begin in different places, so that each name is tried somewhere every time.
    """
    return [long(item) if number % 3 != first else item for number, item in enumerate(items)]


def long(item: Item) -> Item:
    """Returns a parameter, or a tuple of several, whose test is marked long."""
    values = item if isinstance(item, tuple) else (item,)
    # What `parametrize` takes for an item.
    return pytest.param(*values, marks=pytest.mark.long)  # type: ignore[return-value]
