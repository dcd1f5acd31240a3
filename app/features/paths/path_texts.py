"""The texts about paths."""

from __future__ import annotations

import math

import numpy as np

from gradwire.app.base.translation import grouped, tr, tr_count
from gradwire.app.features.paths.path_questions import PathReading, PathsAnswer
from gradwire.app.kit.lens.rows import TableRow
from gradwire.app.look.numbers import equals, fmt, index_text
from gradwire.engine.graph.paths import name_in_rounds

# A greater number of paths is written as a power of two.
WRITTEN_OUT = 10**9
Key = tuple[tuple[int, ...], bool]


def path_headings() -> tuple[str, ...]:
    """Returns the headings of the columns."""
    return tr("Path"), tr("Contribution")


def key_of(row: PathReading) -> Key:
    """Returns the key of a row, which stays while its numbers change."""
    return row.choices, bool(row.cuts)


def path_rows(answer: PathsAnswer) -> list[TableRow]:
    """Returns one row for each path."""
    return list(map(_row, answer.rows))


def _row(row: PathReading) -> TableRow:
    names = " → ".join(name_in_rounds(path) for path in row.blocks)
    is_whole = row.count == 1
    text = names if is_whole else tr("{path} → … {paths}", path=names, paths=_counted(row.count))
    amount = "?" if row.amount is None else fmt(row.amount)
    token = "text.tertiary" if row.cuts else "text.primary"
    icon = "stopgrad" if row.cuts else "route" if is_whole else "branch"
    tip = "\n".join(filter(None, (text, _remark(row))))
    return TableRow(key_of(row), (text, amount), (token,), icon, tip)


def _remark(row: PathReading) -> str:
    if row.cuts:
        return tr("blocked by {block}; without it", block=", ".join(name_in_rounds(path) for path in row.cuts))
    if row.partner is not None:
        return tr("cancels with row {row}", row=row.partner + 1)
    if row.own:
        return tr("ends at the own gradient of {block}", block=row.own.rpartition("/")[2])
    return tr("Press Enter for details") if row.count > 1 else ""


def _counted(count: int) -> str:
    if count > WRITTEN_OUT:
        return tr("(about {count} paths)", count=f"2^{math.log2(count):.4g}")
    return tr("({count} paths)", count=grouped(count))


def summary(answer: PathsAnswer, place: str) -> str:
    """Returns the number of paths and their sum; there is at least one path."""
    cut = answer.cut
    if not answer.total:
        return tr_count("The only path to the loss is blocked.", "All {count} paths to the loss are blocked.", cut)
    element = index_text(map(int, np.unravel_index(answer.element, answer.shape)))
    said = tr_count(
        "{count} path leads to the loss: ∂L/∂{place} {sum}.",
        "{count} paths to the loss add up to ∂L/∂{place} {sum}.",
        answer.total, place=place + element, sum=equals(answer.gradient),
    )  # fmt: skip
    return said + (tr_count(" {count} more is blocked.", " {count} more are blocked.", cut) if cut else "")
