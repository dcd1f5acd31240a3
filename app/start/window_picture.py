"""A picture of the window with a graph, for systems that cannot show a window."""

from __future__ import annotations

from pathlib import Path

from gradwire.app.base.settings import Settings
from gradwire.app.start.settled_window import settle, unseen_window


def save_window_picture(path: Path, target: Path) -> None:
    """Writes a picture of the window with a graph open, without showing it."""
    with unseen_window(Settings(target.with_suffix(".ini"))) as window:
        window.parts.documents.opening.open(path)
        settle(window)
        window.grab().save(str(target))
