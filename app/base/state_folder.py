"""The private folder for what the program keeps by itself: copies of unsaved graphs, saved versions, open files."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from app.words import tr_sentence

PRIVATE = 0o700


def state_folder() -> Path:
    """Where it is: `gradwire` in what the system has for states, on Linux `XDG_STATE_HOME`. It may not exist yet."""
    base = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)
    return Path(base) / "gradwire"


def reason_of(error: OSError) -> str:
    """Why something in it cannot be done, in the language in use."""
    return tr_sentence(error.strerror or str(error))


def private_folder(path: Path) -> Path:
    """The folder, made with all that lead to it where it is missing, and open to nobody else.

    Raises: OSError if that is not possible.
    """
    path.mkdir(PRIVATE, parents=True, exist_ok=True)
    # The mode of one that was there already, or was made as a parent, depends on others.
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE)
    return path
