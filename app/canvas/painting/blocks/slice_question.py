"""The question for the heat map of one slice of a tensor."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question, TensorName
from gradwire.app.live.readings.pictures import thumbnail_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation


@dataclass(frozen=True)
class SliceThumbnail(Question):
    """The question for the heat map of one slice along the leading axes, counted through all of them."""

    tensor: TensorName
    index: int

    @property
    def topic(self) -> Hashable:
        """The tensor: one slice of each is shown at a time."""
        return SliceThumbnail, self.tensor

    @property
    def reveals(self) -> tuple[PortName | Link, ...]:
        """What the tensor tells of."""
        return self.tensor.reveals

    def answer(self, run: Evaluation) -> Array | None:
        """Returns the heat map, None if there is no such slice."""
        found = self.tensor.answer(run)
        if found is None or found.ndim < 3 or not found.size:
            return None
        slices = found.reshape(-1, *found.shape[-2:])
        return thumbnail_of(slices[min(self.index, len(slices) - 1)])
