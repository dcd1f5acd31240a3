"""What a rule finds: where, a sentence, and an edit that puts it right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.graph import Graph
from engine.problems import Problem, Severity


@dataclass(frozen=True)
class Fix:
    """An edit that is offered. It travels between processes: `edit` is a function of a module, or a partial of one."""

    text: str
    edit: Callable[[Graph], Graph]


@dataclass(frozen=True)
class Finding:
    """One place where a rule of the linter applies; `at` is the path of the block, "" where the rule itself failed."""

    rule: str
    severity: Severity
    at: str
    message: str
    fix: Fix | None = None

    @property
    def code(self) -> str:
        """The code under which it is listed among problems."""
        return f"lint_{self.rule}"

    @property
    def problem(self) -> Problem:
        """The finding as a problem."""
        return Problem(self.severity, self.at, self.code, self.message)
