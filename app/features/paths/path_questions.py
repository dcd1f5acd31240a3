"""Questions for the paths from a port or wire to the loss, at one element of the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gradwire.app.live.questions.questions import OwnTopic, Question
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.derivation import LATEX, MARKDOWN, derivation
from gradwire.engine.explain.paths import Branch, cancelling_pairs, paths_from

Choices = tuple[int, ...]


@dataclass(frozen=True)
class PathReading:
    """A path, or a group of paths with the same beginning: its blocks and its amount at one element.

    `partner` is the row with which it cancels, `own` a page by whose own gradient it ends. None: an unknown amount.
    """

    blocks: tuple[str, ...]
    links: tuple[Link, ...]
    count: int
    amount: float | None
    cuts: tuple[str, ...]
    choices: Choices
    partner: int | None = None
    own: str = ""


@dataclass(frozen=True)
class PathsAnswer:
    """The open paths and the cut paths, largest amounts first, at one element of a shape.

    `gradient` is the sum over the open ones.
    """

    total: int
    cut: int
    shape: tuple[int, ...]
    element: int
    gradient: float
    rows: tuple[PathReading, ...]


@dataclass(frozen=True)
class PathsName(Question):
    """A question for the paths from a place. `element` counts in row-major order; None means the largest amounts.

    `unfolded` are the beginnings of paths that the answer lists separately.
    """

    place: PortName | Link
    element: int | None = None
    unfolded: frozenset[Choices] = frozenset()

    def answer(self, run: Evaluation) -> PathsAnswer | None:
        """Returns the paths, or None if the place is gone or its value is unknown."""
        source = self.place.source if isinstance(self.place, Link) else self.place
        port = run.snapshot.ports.get(source)
        is_gone = isinstance(self.place, Link) and self.place not in run.snapshot.wires
        if is_gone or port is None or port.value is None:
            return None
        paths = paths_from(run, self.place, self.unfolded)
        element = self._element(paths.branches, port.value.size)
        amounts = [_amount(branch, element) for branch in paths.branches]
        pairs = zip(paths.branches, amounts, strict=True)
        gradient = sum(amount for branch, amount in pairs if not branch.cuts and amount is not None)
        rows = _rows(paths.branches, amounts)
        return PathsAnswer(paths.total, paths.cut, port.value.shape, element, gradient, rows)

    def _element(self, branches: Sequence[Branch], size: int) -> int:
        if self.element is not None:
            return min(self.element, max(size - 1, 0))
        known = [branch.contribution for branch in branches if branch.contribution is not None]
        if not known or not size:
            return 0
        with np.errstate(all="ignore"):
            return int(np.argmax(sum(np.abs(np.nan_to_num(item)).reshape(-1) for item in known)))


def _amount(branch: Branch, element: int) -> float | None:
    if branch.contribution is None or not branch.contribution.size:
        return None
    return float(branch.contribution.reshape(-1)[element])


def _rows(branches: Sequence[Branch], amounts: Sequence[float | None]) -> tuple[PathReading, ...]:
    """Returns the open paths, then the cut ones, each sorted by the size of its amount."""
    order = sorted(range(len(branches)), key=lambda row: (bool(branches[row].cuts), -abs(amounts[row] or 0.0)))
    waiting = [None if branches[row].cuts or amounts[row] is None else np.array(amounts[row]) for row in order]
    partners: dict[int, int] = {}
    for first, second in cancelling_pairs(waiting):
        partners |= {first: second, second: first}
    return tuple(
        PathReading(
            branches[row].blocks, branches[row].links, branches[row].count, amounts[row], branches[row].cuts,
            branches[row].choices, partners.get(place), branches[row].own,
        )
        for place, row in enumerate(order)
    )  # fmt: skip


@dataclass(frozen=True)
class DerivationName(OwnTopic):
    """A question for the derivation of a gradient, or of one path of it, by its choices."""

    place: PortName | Link
    path: Choices | None = None
    is_cut: bool = False
    is_latex: bool = False

    def answer(self, run: Evaluation) -> str:
        """Returns the derivation, or "" if there is nothing to derive."""
        return derivation(run, self.place, self.path, self.is_cut, LATEX if self.is_latex else MARKDOWN)
