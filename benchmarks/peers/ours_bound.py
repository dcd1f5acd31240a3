"""Our engine without its compiled interpreter: NumPy calls, bound in advance."""

from __future__ import annotations

from unittest.mock import patch

from benchmarks.peers import ours
from benchmarks.peers.case import Case, Prepared
from gradwire.engine.executors import arena, numpy_program
from gradwire.engine.step_compiler import tiled_arena

NAME, VERSION = "Gradwire, NumPy", ours.VERSION


def prepare(case: Case) -> Prepared:
    """Returns the case as `ours` prepares it, with bound calls."""
    names = ("Program", "spread", "survey")
    patch.multiple(arena, **{name: getattr(numpy_program, name) for name in names}).start()
    patch.object(tiled_arena, "Program", numpy_program.Program).start()
    return ours.prepare(case)
