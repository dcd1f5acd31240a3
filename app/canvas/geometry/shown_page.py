"""The page that a canvas shows, as all parts of the canvas share it."""

from __future__ import annotations

from gradwire.app.canvas.geometry.folded_page import Opened
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.live.session import Session


class ShownPage:
    """The session of a canvas, and the arrays of the page that the session shows."""

    def __init__(self, session: Session, is_curved: bool) -> None:
        self.session, self.mirror = session, Mirror(session, is_curved, session.part(Opened))

    def show(self, session: Session, is_curved: bool) -> None:
        """Takes over another session."""
        self.session, self.mirror = session, Mirror(session, is_curved, session.part(Opened))
