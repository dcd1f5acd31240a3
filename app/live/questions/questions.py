"""What panels ask of the newest run, beside the readings that every run brings: each question answers itself."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

from engine.errors import NameUnknownError
from engine.evaluate import Evaluation
from engine.expand import Link, PortName
from engine.slices import Slice, slice_around
from engine.tensor_spec import Array

# A slice must not keep the next run waiting for long.
SLICE_SECONDS = 0.02


class Question(Protocol):
    """Something to work out from a run. Questions are values: they travel between processes and are compared.

    Of those with the same topic one is worked out at a time, and only the newest waits.
    """

    @property
    def topic(self) -> Hashable:
        """What the question is about; a newer one with the same topic replaces one that waits."""

    def answer(self, run: Evaluation) -> Any:  # Any: each question knows what it gives
        """Works the answer out, in the evaluator's process."""


@dataclass(frozen=True)
class Reply:
    """The answer to a question, from the run of a revision; None if nothing has been run or it cannot be known.

    `fault` is what the mistake in the program says that kept it from being worked out, "" where there was none.
    """

    question: Question
    revision: int
    answer: Any
    fault: str = ""


@dataclass(frozen=True)
class TensorName:
    """Asks for a whole tensor: the value or gradient of a port, or the gradient of a wire."""

    place: PortName | Link
    is_gradient: bool = False

    @property
    def topic(self) -> Hashable:
        """Each tensor is a topic of its own."""
        return self

    def answer(self, run: Evaluation) -> Array | None:
        """The tensor, None if it is not there."""
        return run.tensor(self.place, self.is_gradient or isinstance(self.place, Link))


@dataclass(frozen=True)
class SliceName:
    """Asks for a slice: the loss along one element of a port, within `half` of where it is."""

    port: PortName
    index: tuple[int, ...]
    half: float

    @property
    def topic(self) -> Hashable:
        """One slice is shown at a time."""
        return SliceName

    def answer(self, run: Evaluation) -> Slice | None:
        """The slice; None if there is no such element, or it is not finite."""
        try:
            return slice_around(run.graph, str(self.port), self.index, self.half, SLICE_SECONDS, run.keeping)
        except NameUnknownError:
            return None
