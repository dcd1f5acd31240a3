"""Questions of panels about the newest run, beyond the readings of every run: each question computes its answer."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

from gradwire.app.live.parts import Parts
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation


class Question(Protocol):
    """Something to work out from a run. Questions are values: they travel between processes and can be compared.

    The evaluator answers one question of a topic at a time, and only the newest one waits.
    """

    @property
    def topic(self) -> Hashable:
        """The subject of the question; a newer question with the same topic replaces one that waits.

        It is the kind of question unless a class says otherwise.
        """
        return type(self)

    @property
    def reveals(self) -> tuple[PortName | Link, ...] | None:
        """The places whose gradients the answer tells of; None, unless a class says otherwise, if it may be any."""
        return None

    def answer(self, run: Evaluation) -> Any:  # Any: the type of the answer depends on the question
        """Computes the answer, in the evaluator's process."""


class Lasting(Question):
    """A question to what the process keeps from one question to the next; it is asked even where nothing has run.

    No run interrupts it.
    """

    def answer(self, run: Evaluation) -> Any:  # Any: the type of the answer depends on the question
        """Computes the answer as if nothing had been kept."""
        return self.answer_from(Parts(), run)

    def answer_from(self, kept: Parts, run: Evaluation | None) -> Any:
        """Computes the answer with the parts that are kept."""


class OwnTopic(Question):
    """A question that no other one replaces."""

    @property
    def topic(self) -> Hashable:
        """The question itself."""
        return self


@dataclass(frozen=True)
class Reply:
    """The answer to a question about the run of a revision; None if there is no run or no answer.

    `is_failed` says that a mistake of the program prevented the answer.
    """

    question: Question
    revision: int
    answer: Any
    is_failed: bool = False


@dataclass(frozen=True)
class CausesWanted(Question):
    """A question for the causes that the results of the newest run still owe: they come before the answer, None."""

    def answer(self, run: Evaluation) -> None:
        """Returns nothing: the results themselves come again."""


@dataclass(frozen=True)
class TensorName(OwnTopic):
    """A question for a whole tensor: the value or gradient of a port, or the gradient of a wire."""

    place: PortName | Link
    is_gradient: bool = False

    @property
    def reveals(self) -> tuple[PortName | Link, ...]:
        """The place, unless the tensor is its value."""
        return (self.place,) if self.is_gradient or isinstance(self.place, Link) else ()

    def answer(self, run: Evaluation) -> Array | None:
        """Returns the tensor, or None if it does not exist."""
        return run.tensor(self.place, self.is_gradient or isinstance(self.place, Link))
