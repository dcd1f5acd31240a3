"""Dtypes of the operands of loops, native ones and those of ufuncs."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.engine.executors.ufunc_loops import Loop

EXTREMES = ("argmax", "argmin")
CAST, COPY, GREATEST, INCREMENT, PUT, TAKE = "cast", "copy", "greatest", "increment", "put", "take"


def operand_dtypes(loop: Loop) -> list[np.dtype[Any]]:
    """Returns the dtypes of a loop's operands, without the table of offsets that some have as their first."""
    if not isinstance(loop, str):
        return [np.dtype(kind) for kind in loop[0].types[loop[1]] if kind not in "->"]
    kind, *names = loop.split("_")
    if kind == CAST:
        return [np.dtype(name) for name in names]
    if kind in EXTREMES:
        return [np.dtype(names[0]), np.dtype(np.int64)]
    if kind == INCREMENT:
        return [np.dtype(names[0]), np.dtype(names[0]), np.dtype(np.int64), np.dtype(names[0])]
    if kind == TAKE:
        return [np.dtype(f"u{names[0]}"), np.dtype(np.int64), np.dtype(f"u{names[0]}")]
    if kind == GREATEST:
        return [np.dtype(names[0]), np.dtype(np.int32)]
    bits = np.dtype(f"u{names[0]}")
    if kind == PUT:
        return [bits, np.dtype(np.int32), bits]
    return [bits, bits] if kind == COPY else [np.dtype(bool), bits, bits, bits]
