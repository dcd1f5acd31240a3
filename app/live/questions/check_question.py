"""What the inspector asks of a run when the user wants a gradient checked."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from engine.element_check import PlaceCheck, check_place
from engine.errors import GradwireError
from engine.evaluate import Evaluation
from engine.expand import Link, PortName


@dataclass(frozen=True)
class CheckName:
    """Asks for the gradient of a wire or port beside central differences."""

    place: Link | PortName

    @property
    def topic(self) -> Hashable:
        """One gradient is checked at a time."""
        return CheckName

    def answer(self, run: Evaluation) -> PlaceCheck | str:
        """The comparison, or a sentence that says why there is none."""
        try:
            return check_place(run.graph, self.place, run.keeping)
        except GradwireError as error:
            return str(error)
