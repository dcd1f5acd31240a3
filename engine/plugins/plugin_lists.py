"""Places of the lists that store which plug-ins are enabled, and which have failed.

This module imports no NumPy: a program without plug-ins knows it at once.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def has_lists() -> bool:
    """Returns whether there may be a plug-in that is enabled or has failed."""
    return any(path.exists() and path.stat().st_size > 0 for path in (enabled_path(), faults_path()))


def enabled_path() -> Path:
    """Returns the file with the names of the enabled plug-ins, one per line."""
    return folder() / "plugins.txt"


def faults_path() -> Path:
    """Returns the file with plug-ins that were disabled after a failure, each line with a tab and the reason."""
    return folder() / "plugins-failed.txt"


def folder() -> Path:
    """Returns the folder that stores these lists."""
    given = os.environ.get("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME")
    return (Path(given) if given else Path.home() / ".config") / "gradwire"
