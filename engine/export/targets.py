"""Targets of the export: each is one module `target_NAME.py` beside this one, found by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gradwire.engine.export.program import Program
from gradwire.engine.export.program_lines import Dialect


@dataclass(frozen=True, kw_only=True)
class Target(Dialect):
    """A library that programs are written for, called `TARGET` in its module.

    `body` returns the lines of a program below its imports. Menus list targets by `rank`, then by key.
    """

    body: Callable[[Program], list[str]]
    rank: int = 100
