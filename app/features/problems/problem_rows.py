"""The rows of the list of problems: one for each problem, and one for each finding of the linter."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from gradwire.app.base.translation import listed, tr, tr_count, tr_sentence
from gradwire.app.live.readings.readings import Results
from gradwire.engine.advice.advice import Advice
from gradwire.engine.advice.finding import Fix
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.errors import CodeError
from gradwire.engine.base.problems import SEVERITIES, Problem, Severity
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.paths import name_in_rounds
from gradwire.engine.graph.ports import pages_along
from gradwire.interop.models.graphs import origin_at

WIRES_LISTED = 4
# The code of a block type failed; no edit of the graph can repair that.
FAULT = CodeError.code
# All checks together, one that holds, and one of recorded numbers that differ, as after any change of an input: no
# problem.
CHECKS, PASSES, DIFFERS = QUIET = "checks", "check_passes", "check_differs"


def _unchanged(graph: Graph) -> Graph:
    return graph


# Opens the list of plug-ins; users can enable plug-ins only there.
ASK_FOR_PLUGIN = Fix("Plug-ins …", _unchanged)


@dataclass(frozen=True)
class Row:
    """One row of the list; `at` is the qualified name of the block, "" for the file as a whole.

    `rule` names the linter's rule behind the row, if there is one; `line` is the line in the file, or 0; `origin` is
    that of the block in the source of a model, or "". `check` is the number of a check of the graph, `link` its wire.
    With `names_layer` the sentence says itself where: the block stands for one of many layers.
    """

    severity: Severity
    sentence: str
    detail: str
    at: str
    code: str
    fix: Fix | None = None
    rule: str = ""
    line: int = 0
    origin: str = ""
    check: int | None = None
    link: Link | None = None
    names_layer: bool = False

    @property
    def place(self) -> str:
        """The block's page and name as the row shows them, with the line in the file if there is one."""
        place = plain(", ".join(part for part in (self.at.replace("/", " / "), self.origin) if part))
        if not self.line:
            return place
        return tr("{place}, line {line}", place=place, line=self.line) if place else tr("line {line}", line=self.line)


def rows_of(
    problems: Sequence[Problem],
    results: Results | None,
    graph: Graph,
    advice: Advice,
    hidden: Container[str],
    lines: Mapping[Problem, int] = MappingProxyType({}),
    culprits: Sequence[Problem] = (),
    checks: Sequence[Row] = (),
) -> list[Row]:
    """Returns the rows: errors first, then NaN; one for all blocked wires together, and the advice.

    `hidden` names the linter's rules that are not shown; `lines` maps problems to lines of the file. `culprits` keep
    parameters from learning; advice on the same place, which also has a fix, takes their rows. `checks` are the rows
    of the graph's own checks, the last of their severity.
    """
    rows = []
    for problem in problems:
        fix = advice.remedies.get(problem) or _plugin_fix(problem)
        rows.append(replace(_problem_row(problem, graph, fix), line=lines.get(problem, 0)))
    found = [finding for finding in advice.findings if finding.rule not in hidden]
    advised = {(finding.at, finding.code) for finding in advice.findings}
    told = [item for item in culprits if item.code.removeprefix("lint_") not in hidden]
    rows += [_problem_row(item, graph, None) for item in told if (item.at, item.code) not in advised]
    rows += [_problem_row(finding.problem, graph, finding.fix, finding.rule) for finding in found]
    if results is not None and (blocked := _blocked_row(results, graph)) is not None:
        rows.append(blocked)
    rows += checks
    rows = [replace(row, origin=origin_at(graph, row.at)) if row.at else row for row in rows]
    return sorted(rows, key=lambda row: (SEVERITIES.index(row.severity), row.code != "nonfinite"))


def fix_text(fix: Fix) -> str:
    """Returns the text of a fix for the user; it says so where the loss changes too."""
    text = tr_sentence(fix.text)
    return tr("{fix} (changes the loss)", fix=text) if fix.changes_loss else text


def key_of(row: Row) -> tuple[str, str, str]:
    """Returns the key of a row, which stays while its numbers change."""
    return row.at, row.code, re.sub(r"[-\d.]+", "", row.sentence)


def _problem_row(problem: Problem, graph: Graph, fix: Fix | None, rule: str = "") -> Row:
    """Returns the row of a problem: the first sentence, below it the block and the rest.

    For NaN, the rest is the reason.
    """
    message = tr_sentence(problem.message)
    if problem.code == FAULT:
        said = tr("{block} has failed", block=name_in_rounds(problem.at))
        return Row(problem.severity, said, message, problem.at, FAULT)
    sentence, _, rest = message.partition(": " if problem.code == "nonfinite" else ". ")
    sentence = sentence if not rest or sentence.endswith(".") else sentence + "."
    names_layer = re.search(r"\b[Ll]ayer \d", problem.message) is not None
    subject = "" if names_layer else _subject(problem, graph)
    detail = f"{subject}: {rest}" if subject and rest else subject or rest
    return Row(problem.severity, sentence, detail, problem.at, problem.code, fix, rule, names_layer=names_layer)


def _plugin_fix(problem: Problem) -> Fix | None:
    return ASK_FOR_PLUGIN if problem.code == "unknown_type" and "The plug-in " in problem.message else None


def _subject(problem: Problem, graph: Graph) -> str:
    """Returns the type of the block, with the port if it has the problem: `MatMul, port b`."""
    page_name, _, inner = problem.at.partition("/")
    page = graph.page(page_name) if graph.has_page(page_name) else None
    block = None if page is None or "/" in inner else page.blocks.get(inner)
    words = [plain(block.type if block is not None else name_in_rounds(inner))]
    words += [tr("port {port}", port=problem.port)] if problem.port else []
    return ", ".join(word for word in words if word)


def _blocked_row(results: Results, graph: Graph) -> Row | None:
    rows = np.flatnonzero(results.wires.statuses == STATUS_ROW[Status.BLOCKED]).tolist()
    # What the own gradient of a page leaves out is meant, and no StopGradient is to blame.
    pages = {name for names in map(results.wires.by.get, rows) for name in names or () if pages_along(graph, name)}
    rows = [row for row in rows if not pages.issuperset(results.wires.by.get(row, ("",)))]
    if not rows:
        return None
    by_row = {row: link for link, row in results.wires.row_of.items()} if results.wires.row_of else {}
    wires = [" → ".join(name_in_rounds(end.path) for end in by_row[row]) for row in rows if row in by_row]
    cuts = {name: None for row in rows for name in results.wires.by.get(row, ())}
    sentence = tr_count(
        "{count} wire receives 0 because StopGradient blocks it",
        "{count} wires receive 0 because StopGradient blocks them",
        len(rows),
    )
    return Row("info", sentence, listed(wires, WIRES_LISTED), next(iter(cuts), ""), "blocked")
