"""Our engine without its compiled interpreter: calls of NumPy, bound in advance."""

from __future__ import annotations

from unittest.mock import patch

from benchmarks.peers import ours
from benchmarks.peers.case import Case, Prepared
from engine import arena, bound_calls, lean_arena

NAME, VERSION = "Gradwire, NumPy", ours.VERSION


def prepare(case: Case) -> Prepared:
    """The case as `ours` prepares it, over bound calls."""
    names = ("Program", "spread", "survey")
    patch.multiple(arena, **{name: getattr(bound_calls, name) for name in names}).start()
    patch.object(lean_arena, "Program", bound_calls.Program).start()
    return ours.prepare(case)
