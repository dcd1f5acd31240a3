"""Findings as problems of a graph: one for each cause, for lists that show all problems at their blocks."""

from __future__ import annotations

from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.interop.why.finding import Finding, State, of_one_cause
from gradwire.interop.why.rectifiers import RULE
from gradwire.interop.why.why import why_run

CODE = "why"


def problems_of(run: Evaluation) -> tuple[Problem, ...]:
    """Returns what keeps parameters from learning, the most important first; what other problems say is left out."""
    if run.loss is None:
        return ()
    found = [item for item in why_run(run).findings if not item.is_note]
    known = (State.NONFINITE, State.CROSSED_SHAPES, State.UNKNOWN)
    return tuple(_problem(group) for group in of_one_cause(found) if group[0].status not in known)


def _problem(group: list[Finding]) -> Problem:
    first, more = group[0], len(group) - 1
    code = f"lint_{RULE}" if first.status is State.DEAD_UNITS else CODE
    who = f"{first.parameter} and {more} more" if more else first.parameter
    return Problem("warning", first.spot.path, code, f"{who}: {first.words}. {first.reason}")
