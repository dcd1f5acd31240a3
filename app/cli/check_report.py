"""The outcome of `gradwire check` for one file, which each format prints in its own way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gradwire.app.cli.fail_on import failure_sentence
from gradwire.app.cli.graph_files import Fault
from gradwire.engine.advice.finding import Finding
from gradwire.engine.base.problems import Problem, listed
from gradwire.engine.base.untrusted_text import plain, plain_lines
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.explain.checks.check import GradientCheck, Mismatch
from gradwire.engine.explain.contracts import CheckResult
from gradwire.engine.files.files import Loaded
from gradwire.engine.files.problem_places import ProblemPlaces

if TYPE_CHECKING:
    from gradwire.engine.training.side_by_side import SideBySide  # training is imported where it is asked for

UNREADABLE_RULE, FAULT_RULE, GRADIENT_RULE, CHECK_RULE = "unreadable", "fault", "gradient_mismatch", "failed_check"
OWN_RULE = "own_gradient"


@dataclass(frozen=True)
class TriedFix:
    """Fix of a problem at a block, and the losses of trainings with and without it; None if none could be run."""

    at: str
    text: str
    rounds: SideBySide | None

    @property
    def sentence(self) -> str:
        """What the fix would give, in words."""
        if self.rounds is None:
            return f"{self.text}: no training could be run to compare."
        without, loss = (f"from {first:.6g} to {last:.6g}" for first, last in (self.rounds.before, self.rounds.after))
        return f"{self.text}: in {self.rounds.rounds} rounds the loss goes {loss}, without the fix {without}."


@dataclass(frozen=True)
class Report:
    """Everything found in a file; `failed_on` maps the conditions of `--fail-on` that hold to their places.

    `tried` has the fixes that were tried for some rounds, each with the place of its problem, and what they gave.
    """

    file: str
    loaded: Loaded
    snapshot: Snapshot
    compared: GradientCheck
    contracts: Sequence[CheckResult]
    advice: Sequence[Finding]
    failed_on: Mapping[str, Sequence[str]]
    tried: Sequence[TriedFix] = field(default=())

    @property
    def is_fine(self) -> bool:
        """True if nothing makes the check fail; advice and warnings never do by themselves."""
        holds = all(item.holds for item in self.contracts)
        return holds and not (self.snapshot.has_errors or self.compared.mismatches or self.failed_on)


@dataclass(frozen=True)
class Remark:
    """One sentence for a program that shows it beside the file: the rule is a problem code or a rule of advice."""

    rule: str
    severity: str
    message: str
    at: str = ""
    line: int = 0
    column: int = 0


def remarks(report: Report | Fault) -> list[Remark]:
    """Returns everything to say about a file, each with its place there as far as it is known."""
    if isinstance(report, Fault):
        rule = UNREADABLE_RULE if report.code > 1 else FAULT_RULE
        return [Remark(rule, "error", report.message, "", report.line, report.column)]
    places = ProblemPlaces(report.loaded)
    meant = (Problem("info", at, OWN_RULE, sentence) for at, sentence in meant_sentences(report.compared))
    problems = (*listed(report.snapshot.problems), *failures_of(report), *meant)
    return [_remark(problem, places) for problem in problems]


def failures_of(report: Report) -> Iterator[Problem]:
    """Yields each failure that is no problem of the run: of the gradient check, the file's checks, and `--fail-on`."""
    for at, sentence in mismatch_sentences(report.compared):
        yield Problem("error", at, GRADIENT_RULE, sentence)
    for contract in report.contracts:
        if not contract.holds:
            block = contract.place.split(" -> ")[-1].rpartition(".")[0] or contract.place
            yield Problem("error", block, CHECK_RULE, contract_sentence(contract))
    for name, places in report.failed_on.items():
        # Places are wires, ports, blocks, or "" for the file as a whole; a wire is shown at its target.
        block = places[0].split(" -> ")[-1].partition(".")[0]
        yield Problem("error", block, f"fail_on_{name}", failure_sentence(name, places))


def mismatch_sentences(compared: GradientCheck) -> Iterator[tuple[str, str]]:
    """Yields the path of a block and a sentence for each mismatch, one sentence for all with the same known reason."""
    known: dict[str, list[Mismatch]] = {}
    for item in compared.mismatches:
        if item.by is None:
            yield item.link.target.path, mismatch_sentence(item)
        else:
            known.setdefault(item.by.path, []).append(item)
    for path, items in known.items():
        yield path, _known_sentence(path, items, compared.elements)


def _known_sentence(path: str, items: Sequence[Mismatch], elements: int) -> str:
    by = items[0].by
    assert by is not None
    count = f"{len(items)} of {elements} elements"
    return f"{path} {by.reason}. So {count} differ from their difference quotients. {by.elsewhere}"


def meant_sentences(compared: GradientCheck) -> Iterator[tuple[str, str]]:
    """Yields the path of a use and a sentence for each page whose own gradient differs on purpose."""
    known: dict[str, list[Mismatch]] = {}
    for item in compared.meant:
        known.setdefault(item.own, []).append(item)
    for path, items in known.items():
        here = [item for item in items if item.link.target.path == path] or items
        most = max(here, key=lambda item: abs(item.gradient - item.difference))
        yield path, f"differs on purpose, by its own gradient: {mismatch_sentence(most)}"


def mismatch_sentence(item: Mismatch) -> str:
    """Returns a sentence about a gradient that differs from the difference quotient."""
    where = f"element {list(item.index)} of {item.link.source} -> {item.link.target}"
    return f"the gradient of {where} is {item.gradient:g}, but the difference quotient {item.difference:g}."


def contract_sentence(contract: CheckResult) -> str:
    """Returns a sentence about a check of the file that does not hold."""
    title = contract.title if contract.place in contract.title else f"{contract.title} ({contract.place})"
    return f"{plain(title)}: {contract.message}"


def _remark(problem: Problem, places: ProblemPlaces) -> Remark:
    message = f"{problem.at}: {problem.message}" if problem.at else problem.message
    rule = problem.code.removeprefix("lint_")
    return Remark(rule, problem.severity, plain_lines(message), problem.at, *places.find(problem))
