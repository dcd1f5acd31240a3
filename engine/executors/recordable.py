"""Functions of arrays that tracers replace, as they replace NumPy's own functions (`__array_function__`)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

_Function = TypeVar("_Function", bound=Callable[..., Any])


def recordable(function: _Function) -> _Function:
    """Makes a function overridable by tracers; its first argument is an array, or a sequence of arrays."""

    @functools.wraps(function)
    def asking(first: Any, *others: Any) -> Any:
        one = first[0] if isinstance(first, list | tuple) else first
        if isinstance(one, np.ndarray | np.generic):
            return function(first, *others)
        return one.__array_function__(asking, (type(one),), (first, *others), {})

    # mypy does not see that the signature is the same.
    return asking  # type: ignore[return-value]


@recordable
def holds(condition: Any) -> bool:
    """Returns whether all elements of a condition are true.

    A tracer assumes that they are. The arena checks this in each run, and calls the function itself where they are not.
    """
    return bool(np.all(condition))
