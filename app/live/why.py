"""The questions why a gradient is zero, and where a rule is not the derivative."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import OwnTopic
from gradwire.app.live.readings.readings import PlaceReading
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.causes.deviations import deviations_at
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.why_zero import Reason, why_zero


@dataclass(frozen=True)
class WhyZero(OwnTopic):
    """A question for the cause of zeros in the gradient of a port or wire."""

    place: PortName | Link

    def answer(self, run: Evaluation) -> tuple[Reason, ...]:
        """Returns the chain; empty if the place does not exist or its gradient is unknown."""
        known = run.snapshot.wires if isinstance(self.place, Link) else run.snapshot.ports
        return why_zero(run, self.place) if self.place in known else ()


@dataclass(frozen=True)
class WhyDeviates(OwnTopic):
    """A question for the blocks whose rule, TensorFlow's, gives a port or wire another gradient than the derivative."""

    place: PortName | Link

    def answer(self, run: Evaluation) -> tuple[str, ...]:
        """Returns one sentence for each of these blocks that the place leads into."""
        lowered, here = run.lowered, self.place
        targets = (
            [here.target]
            if isinstance(here, Link)
            else [link.target for link in run.snapshot.wires if link.source == here]
        )
        edges = [lowered.edges[target] for target in targets if target in lowered.edges]
        found = deviations_at(lowered, run.results.__getitem__, edges)
        instances = lowered.inferred.expanded.instances
        return tuple(item.remark(instances[item.path].title).message for item in found)


def has_reasons(reading: PlaceReading) -> bool:
    """Returns whether a gradient has zeros to explain, or ends at one block without a derivative."""
    return reading.zero is not None or (reading.status is Status.NON_DIFFERENTIABLE and len(reading.by) == 1)
