"""The question for the loss along one element."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.slices import Slice, slice_around

# A slice has fewer points if it takes longer. Units: seconds.
SLICE_SECONDS = 0.05


@dataclass(frozen=True)
class SliceName(Question):
    """A question for a slice: the loss along one element of a port, within `half` of its value."""

    port: PortName
    index: tuple[int, ...]
    half: float

    def answer(self, run: Evaluation) -> Slice | None:
        """Returns the slice, or None if the element does not exist or is not finite."""
        try:
            return slice_around(run, self.port, self.index, self.half, SLICE_SECONDS)
        except NameUnknownError:
            return None
