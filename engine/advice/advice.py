"""All advice on a finished run: the findings of the linter, and the fixes for other problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.linter import RULE_OF, lint
from gradwire.engine.advice.remedies import remedies
from gradwire.engine.advice.trials import tried, try_edit
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import Evaluation

# The rules whose fixes keep an input away from an infinite slope.
_STEEP = ("guarded_by_where", "root_at_zero")


@dataclass(frozen=True)
class Advice:
    """Findings of the linter, and fixes by the problem of the run that they solve."""

    findings: tuple[Finding, ...] = ()
    remedies: Mapping[Problem, Fix] = field(default_factory=dict)


def advise(run: Evaluation) -> Advice:
    """Returns the advice on a run; each fix has been tried, and those that make a finite gradient worse are left out.

    Fixes of errors are not tried: before them there is nothing to compare with.
    Cost: one evaluation of the graph for each fix, as long as `trials.TRIAL_SECONDS` last.
    """
    findings, found = lint(run), remedies(run)
    fixes = [finding.fix for finding in findings if finding.fix is not None]
    fixes += [fix for problem, fix in found.items() if problem.severity != "error"]
    trials = iter(tuple(tried(run, (fix.edit for fix in fixes))))

    def offered(fix: Fix) -> Fix | None:
        trial = next(trials)
        return None if trial is None or trial.is_worse else replace(fix, trial=trial)

    findings = [item if item.fix is None else replace(item, fix=offered(item.fix)) for item in findings]
    kept = {problem: fix if problem.severity == "error" else offered(fix) for problem, fix in found.items()}
    return Advice(tuple(findings), {problem: fix for problem, fix in kept.items() if fix is not None})


def slope_fix(run: Evaluation, at: str) -> Fix | None:
    """Returns a tried fix that keeps the input of the block `at` away from its infinite slope; None if none helps.

    Cost: one evaluation of the graph for each fix.
    """
    rules = [RULE_OF[name] for name in _STEEP]
    fixes = [item.fix for item in lint(run, rules) if item.at == at and item.fix is not None]
    for fix in sorted(fixes, key=lambda fix: fix.changes_loss):
        trial = try_edit(run, fix.edit)
        if trial is not None and not trial.is_worse and trial.after.broken_wires < trial.before.broken_wires:
            return replace(fix, trial=trial)
    return None
