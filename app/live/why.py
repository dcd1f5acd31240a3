"""What the window asks about a gradient: the chain from a wire or port to the roots of its zeros."""

from __future__ import annotations

from dataclasses import dataclass

from engine.evaluate import Evaluation
from engine.expand import Link, PortName
from engine.why_zero import Reason, why_zero


@dataclass(frozen=True)
class WhyZero:
    """Asks why the gradient of a port or wire has zeros."""

    place: PortName | Link

    @property
    def topic(self) -> WhyZero:
        """Each place is a topic of its own."""
        return self

    def answer(self, run: Evaluation) -> tuple[Reason, ...]:
        """The chain; nothing if the place is not there, or nothing is known of its gradient."""
        known = run.snapshot.wires if isinstance(self.place, Link) else run.snapshot.ports
        return why_zero(run, self.place) if self.place in known else ()
