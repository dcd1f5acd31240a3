"""Plug-in whose blocks end, block or starve the process that computes them; tests install it."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import numpy as np

from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import block, same_shape
from gradwire.engine.blocktypes.expression import Expression


@block("Deadly")
def Segfault(x: Array) -> Array:
    """Reads invalid memory."""
    ctypes.string_at(0)
    return x


@block("Deadly")
def Leave(x: Array) -> Array:
    """Ends the process."""
    os._exit(3)


@block("Deadly")
def Hang(x: Array) -> Array:
    """Never ends."""
    while True:
        pass


@block("Deadly")
def Raise(x: Array) -> Array:
    """Raises an exception that no block should."""
    raise RuntimeError("odd")


@block("Deadly")
def Forget(x: Array) -> Array:
    """Finds no memory."""
    raise MemoryError


@block("Deadly")
def Starve(x: Array) -> Array:
    """Asks for more memory than the process may have."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * os.sysconf("SC_PAGE_SIZE") + 2**28, hard))
    try:
        return x + np.ones(2**30)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _endless(x: TensorSpec) -> TensorSpec:
    while True:
        pass


@block("Deadly", infer=_endless)
def HangShape(x: Array) -> Array:
    """Never knows its shape."""
    return x


@block("Deadly", infer=same_shape)
def HangRule(x: Array) -> Array:
    """Hangs in its gradient rule."""
    return x


@HangRule.gradient
def hang_rule(g: Expression, x: Expression, y: Expression) -> Expression:
    """Hangs forever."""
    while True:
        pass
