"""Findings of rules: a place, a sentence, and an edit that solves the problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gradwire.engine.advice.trials import Trial
from gradwire.engine.base.problems import Problem, Severity
from gradwire.engine.graph.graph import Graph


@dataclass(frozen=True)
class Fix:
    """Edit offered to the user. It travels between processes, so `edit` is a module's function or a partial of one.

    `changes_loss` says that the value of the loss changes too, and not only gradients. `trial` compares the graph
    before and after, once the fix has been tried. `detail` is a sentence about the new blocks, "" if `text` says all.
    `layers` are the numbers of layers, with the paths of their last blocks, whose gradients the trial is to compare.
    """

    text: str
    edit: Callable[[Graph], Graph]
    changes_loss: bool = False
    trial: Trial | None = None
    detail: str = ""
    layers: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Finding:
    """One place where a rule of the linter applies; `at` is the block's path, "" if the rule failed.

    `also` are the paths of the other blocks concerned. `others` are fixes to try where `fix` does not help.
    """

    rule: str
    severity: Severity
    at: str
    message: str
    fix: Fix | None = None
    also: tuple[str, ...] = ()
    others: tuple[Fix, ...] = ()

    @property
    def code(self) -> str:
        """Code of the finding among problems."""
        return f"lint_{self.rule}"

    @property
    def problem(self) -> Problem:
        """Finding as a problem."""
        return Problem(self.severity, self.at, self.code, self.message)
