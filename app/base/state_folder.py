"""The private folder for files that the program keeps itself: recovery files, saved versions, open files."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from gradwire.app.base.translation import tr_sentence
from gradwire.engine.base import system_reasons

PRIVATE = 0o700
# The record of folders whose files of data may be read.
DATA_FOLDERS = "data-folders.json"


def state_folder() -> Path:
    """Returns the path of `gradwire` in the system's state folder, on Linux `XDG_STATE_HOME`. It may not exist yet."""
    base = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)
    return Path(base) / "gradwire"


def reason_of(error: OSError) -> str:
    """Returns the reason of a failure in the folder, in the current language."""
    return tr_sentence(system_reasons.reason_of(error))


def private_folder(path: Path) -> Path:
    """Returns the folder, which it makes with its parents if needed, readable by this user only.

    Raises: OSError if that is not possible.
    """
    path.mkdir(PRIVATE, parents=True, exist_ok=True)
    # An existing folder, or one made as a parent, may have another mode.
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE)
    return path


def time_of(status: os.stat_result) -> datetime:
    """Returns when a file was last written; a time that no calendar has is the oldest."""
    try:
        return datetime.fromtimestamp(status.st_mtime)
    except (OSError, OverflowError, ValueError):
        return datetime.fromtimestamp(0)
