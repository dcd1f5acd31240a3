"""What the list of problems says: one row for each problem, and for each finding of the linter."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from app.live.readings import Results
from app.words import tr, tr_count, tr_sentence
from engine.errors import CodeError
from engine.expand import Link
from engine.glance import STATUS_ROW
from engine.graph import Graph
from engine.plain_text import plain
from engine.problems import Problem, Severity
from engine.status import Status
from lint.advice import Advice
from lint.finding import Fix

WIRES_LISTED = 4
# What the code of a block type could not do, which nobody can mend in the graph.
FAULT = CodeError.code
_ORDER = {"error": 0, "warning": 1, "info": 2}


def _unchanged(graph: Graph) -> Graph:
    return graph


# Shows what is installed; only there are plug-ins enabled.
ASK_FOR_PLUGIN = Fix("Plug-ins …", _unchanged)


@dataclass(frozen=True)
class Row:
    """One row of the list; `at` is the qualified name of the block, empty for the file as a whole.

    `rule` names the rule of the linter that it comes from, if it does; `line` is that of the file, 0 if none
    is to blame.
    """

    severity: Severity
    sentence: str
    detail: str
    at: str
    code: str
    fix: Fix | None = None
    rule: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        """The block's page and name as the row shows them, with the line of the file if that is to blame."""
        place = plain(self.at.replace("/", " / "))
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
) -> list[Row]:
    """The rows for these problems, errors first and NaN next, one for all blocked wires together, and the advice.

    `hidden` names rules of the linter that are not shown, `lines` are those of the file in which problems stand.
    """
    rows = [
        replace(
            _problem_row(problem, graph, advice.remedies.get(problem) or _plugin_fix(problem)),
            line=lines.get(problem, 0),
        )
        for problem in problems
    ]
    found = [finding for finding in advice.findings if finding.rule not in hidden]
    rows += [_problem_row(finding.problem, graph, finding.fix, finding.rule) for finding in found]
    blocked = None if results is None else _blocked_row(results)
    rows += [blocked] if blocked is not None else []
    return sorted(rows, key=lambda row: (_ORDER[row.severity], row.code != "nonfinite"))


def key_of(row: Row) -> tuple[str, str, str]:
    """What stays of a row while its numbers change."""
    return row.at, row.code, re.sub(r"[-\d.]+", "", row.sentence)


def _problem_row(problem: Problem, graph: Graph, fix: Fix | None, rule: str = "") -> Row:
    """The first sentence, and below it the block with the rest of what is said; of NaN, the reason is the rest."""
    sentence, _, rest = tr_sentence(problem.message).partition(": " if problem.code == "nonfinite" else ". ")
    sentence = sentence if not rest or sentence.endswith(".") else sentence + "."
    subject = _subject(problem, graph)
    detail = f"{subject}: {rest}" if subject and rest else subject or rest
    if problem.code == FAULT:
        name = problem.at.rpartition("/")[2]
        return Row(
            problem.severity, tr("{block} has failed", block=name), tr_sentence(problem.message), problem.at, FAULT
        )
    return Row(problem.severity, sentence, detail, problem.at, problem.code, fix, rule)


def _plugin_fix(problem: Problem) -> Fix | None:
    return ASK_FOR_PLUGIN if problem.code == "unknown_type" and "The plug-in " in problem.message else None


def _subject(problem: Problem, graph: Graph) -> str:
    """The type of the block, with the port if one is to blame: `MatMul, port b`."""
    page_name, _, inner = problem.at.partition("/")
    page = graph.page(page_name) if graph.has_page(page_name) else None
    block = None if page is None or "/" in inner else page.blocks.get(inner)
    words = [plain(block.type if block is not None else inner.rpartition("/")[2])]
    words += [tr("port {port}", port=problem.port)] if problem.port else []
    return ", ".join(word for word in words if word)


def _blocked_row(results: Results) -> Row | None:
    rows = np.flatnonzero(results.wire_status == STATUS_ROW[Status.BLOCKED]).tolist()
    if not rows:
        return None
    by_row = {row: link for link, row in results.wire_rows.items()} if results.wire_rows else {}
    links = [by_row[row] for row in rows if row in by_row]
    cuts = {name: None for row in rows for name in results.wire_by.get(row, ())}
    sentence = tr_count(
        "{count} wire receives 0 because StopGradient blocks it",
        "{count} wires receive 0 because StopGradient blocks them",
        len(rows),
    )
    return Row("info", sentence, _listed(links), next(iter(cuts), ""), "blocked")


def _listed(links: list[Link]) -> str:
    shown = [f"{_name(link.source.path)} → {_name(link.target.path)}" for link in links[:WIRES_LISTED]]
    rest = len(links) - len(shown)
    listed = ", ".join(shown)
    return tr("{listed} and {rest} more", listed=listed, rest=rest) if rest else listed


def _name(path: str) -> str:
    return path.rpartition("/")[2]
