"""All advice on a finished run: the findings of the linter, and the fixes for other problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.linter import lint
from gradwire.engine.advice.remedies import remedies
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import Evaluation


@dataclass(frozen=True)
class Advice:
    """Findings of the linter, and fixes by the problem of the run that they solve."""

    findings: tuple[Finding, ...] = ()
    remedies: Mapping[Problem, Fix] = field(default_factory=dict)


def advise(run: Evaluation) -> Advice:
    """Returns the advice on a run."""
    return Advice(tuple(lint(run)), remedies(run))
