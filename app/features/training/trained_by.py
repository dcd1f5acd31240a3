"""Losses and the Variables that each of them alone trains, does not reach, or is kept from."""

from __future__ import annotations

from gradwire.app.base.translation import listed, tr
from gradwire.app.features.training.short_names import short_names
from gradwire.app.look.numbers import fmt
from gradwire.app.look.status_texts import status_label, status_spoken
from gradwire.engine.autodiff.status import Status
from gradwire.engine.explain.loss_matrix import LossMatrix, Pull

# So many Variables are named in one part of a row.
NAMED = 8


def rows_of(matrix: LossMatrix) -> list[str]:
    """Returns a row for each loss: what it trains and how strongly, what blocks the rest, and what has no path.

    Of a single loss that trains all there is nothing to say: its gradients stand at the Variables.
    """
    if len(matrix.losses) == 1 and all(pull.status is Status.FLOW for pull in matrix.pulls[0]):
        return []
    short = short_names([*matrix.losses, *matrix.variables])
    rows = []
    for loss, pulls in zip(matrix.losses, matrix.pulls, strict=True):
        parts: dict[str, list[str]] = {}
        for variable, pull in sorted(zip(matrix.variables, pulls, strict=True), key=lambda pair: _order(pair[1])):
            name = short[variable]
            found = f"{name} {fmt(pull.norm)}" if _trains(pull) and pull.norm is not None else name
            parts.setdefault(_heading(pull, short), []).append(found)
        said = [f"{heading} {listed(names, NAMED)}" for heading, names in parts.items()]
        rows.append(f"{short[loss]}: {' · '.join(said)}")
    return rows


def _trains(pull: Pull) -> bool:
    return pull.status in (Status.FLOW, Status.NONFINITE)


def _order(pull: Pull) -> int:
    return 0 if _trains(pull) else 1 if pull.status is Status.BLOCKED else 2


def _heading(pull: Pull, short: dict[str, str]) -> str:
    if _trains(pull):
        return tr("trains")
    if pull.by:
        return f"{status_spoken(pull.status, [short.get(name, name.partition('/')[2]) for name in pull.by])}:"
    return f"{status_label(pull.status, pull.norm)}:"
