"""All advice on a finished run: the findings of the linter, and the fixes for other problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.linter import RULE_OF, RULES, Rule, lint
from gradwire.engine.advice.offers import TRIAL_SECONDS, Complaint, Edit, Offers
from gradwire.engine.advice.remedies import remedies
from gradwire.engine.advice.trials import Trial
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import Evaluation

# The rules whose fixes keep an input away from an infinite slope.
_STEEP = ("guarded_by_where", "root_at_zero")


@dataclass(frozen=True)
class Advice:
    """Findings of the linter, and fixes by the problem of the run that they solve."""

    findings: tuple[Finding, ...] = ()
    remedies: Mapping[Problem, Fix] = field(default_factory=dict)


def advise(run: Evaluation, rules: Iterable[Rule] = RULES, seconds: float = TRIAL_SECONDS) -> Advice:
    """Returns the advice on a run, with the fixes that help.

    Cost: one evaluation of the graph for each fix, until the time is over. Units: `seconds`.
    """
    offers, found = Offers(run, seconds), dict[Problem, Fix]()
    findings = tuple(_with_offer(finding, offers) for finding in lint(run, rules))
    for problem, candidates in remedies(run).items():
        fix = offers.best(Complaint(problem.at, problem.code), *candidates)
        found |= {} if fix is None else {problem: fix}
    return Advice(findings, found)


def _with_offer(finding: Finding, offers: Offers) -> Finding:
    fixes = (finding.fix, *finding.others)
    return replace(finding, fix=offers.best(Complaint(finding.at, finding.code), *fixes), others=())


def slope_fix(run: Evaluation, at: str) -> Fix | None:
    """Returns a tried fix that keeps the input of the block `at` away from its infinite slope; None if none helps.

    Cost: one evaluation of the graph for each fix.
    """
    rules = [RULE_OF[name] for name in _STEEP]
    fixes = [fix for item in lint(run, rules) if item.at == at for fix in (item.fix, *item.others) if fix is not None]
    return Offers(run).best(Complaint(at, "nonfinite"), *sorted(fixes, key=lambda fix: fix.changes_loss))


def broken_fix(run: Evaluation, at: str) -> Fix | None:
    """Returns a tried fix of the NaN or infinity that the block `at` makes; None if none helps.

    Cost: that of the linter, and one evaluation of the graph for each fix.
    """
    known = [fix for item in lint(run) for fix in (item.fix, *item.others) if fix is not None]
    known += [fix for problem, fixes in remedies(run).items() if problem.code == "nonfinite" for fix in fixes]
    return Offers(run).best(Complaint(at, "nonfinite"), *sorted(known, key=lambda fix: fix.changes_loss))


def fix_trial(run: Evaluation, edit: Edit, place: PortName | Link) -> Trial | None:
    """Returns the trial of an edit that is to give a wire or port a gradient; None if the edit is impossible."""
    return Offers(run).trial(Complaint(place=place), edit)
