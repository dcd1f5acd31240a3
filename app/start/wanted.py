"""The choice between window and command: it imports nothing, so that commands start without the parts of a window."""

from __future__ import annotations

import os
from collections.abc import Sequence

SAFE = "--safe"
# The exit code of wrong usage and of files that cannot be read.
UNREADABLE = 2
COMMANDS = ("run", "check", "train", "diff", "show", "render", "code", "import", "export", "examples", "blocks",
            "plugins", "completion", "desktop")  # fmt: skip


def wants_window(arguments: Sequence[str]) -> bool:
    """Returns whether the arguments ask for the window: none at all, `--safe`, or a file first, and no command."""
    if not arguments or arguments[0] == SAFE:
        return True
    word = arguments[0]
    return not word.startswith("-") and word not in COMMANDS and (word.endswith(".graph") or os.path.exists(word))
