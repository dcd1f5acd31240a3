"""Gradients that a pause hides, for tests."""

from __future__ import annotations

from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.session import Session


def hide(session: Session, mask: GradientMask | None) -> None:
    """Hides the gradients that a mask does not reveal; None shows all of them."""
    session.runs.mask_of_pause = lambda: mask
    session.runs.refresh_mask()
