"""What the lenses of numbers ask of a run; each answer is worked out by a function of the engine."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from engine.evaluate import Evaluation
from engine.expand import Link
from engine.flow import Flow, flow_of
from engine.loss_matrix import LossMatrix, loss_matrix, way_between
from engine.precision import Precision, precision_of


@dataclass(frozen=True)
class FlowName:
    """Asks how much of the gradient each block passes on."""

    @property
    def topic(self) -> Hashable:
        """There is one flow."""
        return FlowName

    def answer(self, run: Evaluation) -> Flow:
        """The flow of the run."""
        return flow_of(run)


@dataclass(frozen=True)
class MatrixName:
    """Asks how strongly each loss pulls at each variable."""

    @property
    def topic(self) -> Hashable:
        """There is one matrix."""
        return MatrixName

    def answer(self, run: Evaluation) -> LossMatrix:
        """The matrix of the graph of the run."""
        return loss_matrix(run.graph, run.keeping)


@dataclass(frozen=True)
class WayName:
    """Asks for the wires between a loss and a variable, by their paths."""

    loss: str
    variable: str

    @property
    def topic(self) -> Hashable:
        """One way is shown at a time."""
        return WayName

    def answer(self, run: Evaluation) -> tuple[Link, ...]:
        """The wires, none if there is no way."""
        return way_between(run.graph, self.loss, self.variable)


@dataclass(frozen=True)
class PrecisionName:
    """Asks how exact the gradients are."""

    @property
    def topic(self) -> Hashable:
        """There is one precision."""
        return PrecisionName

    def answer(self, run: Evaluation) -> Precision:
        """What was found of the run."""
        return precision_of(run)
