"""A time in which a document is only looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gradwire.app.live.gradient_mask import GradientMask


class Pause(Protocol):
    """What a feature does with a document while edits wait; it may hide gradients."""

    @property
    def gradient_mask(self) -> GradientMask | None:
        """The mask over gradients that are not to be seen; None if all are."""

    def hold(self, edit: Callable[[], object]) -> None:
        """Lets an edit wait; of several the last one does."""

    def forget(self) -> None:
        """Lets no edit wait any more."""

    def leave(self) -> None:
        """Ends the pause; an edit that waits is forgotten."""
