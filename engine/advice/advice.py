"""All advice on a finished run: what the linter finds, and the fixes for other problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.evaluate import Evaluation
from engine.problems import Problem
from lint.finding import Finding, Fix
from lint.linter import lint
from lint.remedies import remedies


@dataclass(frozen=True)
class Advice:
    """The findings of the linter, and fixes by the problem of the run that they end."""

    findings: tuple[Finding, ...] = ()
    remedies: Mapping[Problem, Fix] = field(default_factory=dict)


def advise(run: Evaluation) -> Advice:
    """The advice on a run."""
    return Advice(tuple(lint(run)), remedies(run))
