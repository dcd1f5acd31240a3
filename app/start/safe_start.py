"""The start without the program's own records: asked for by `--safe`, or after two starts that failed in a row."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from gradwire.app.base.state_folder import private_folder
from gradwire.app.base.translation import tr
from gradwire.engine.plugins.import_marks import left_behind, marked
from gradwire.engine.plugins.safe_mode import SAFE

FAILURES = 2
_KIND = "starting"


class Start:
    """One start of the window. `is_safe` says whether it leaves settings, plug-ins and recovery copies alone.

    A mark in the state folder outlives a start that fails; one that succeeds removes all of them.
    """

    def __init__(self, state: Path, is_asked_for: bool = False) -> None:
        self._marks: Sequence[Path] = ()
        self._mark = contextlib.ExitStack()
        with contextlib.suppress(OSError):
            folder = private_folder(state)
            self._marks = tuple(left_behind(folder, _KIND))
            self._mark.enter_context(marked(folder, "", _KIND))
        self.has_failed = len(self._marks) >= FAILURES
        self.is_safe = is_asked_for or self.has_failed
        if self.is_safe:
            # Evaluators inherit it.
            os.environ[SAFE] = "1"

    def succeed(self) -> None:
        """Notes that the window stands; the starts before it no longer count."""
        self._mark.close()
        for mark in self._marks:
            with contextlib.suppress(OSError):
                mark.unlink(missing_ok=True)
        self._marks = ()

    def sentence(self) -> str:
        """Returns the sentence about a safe start; "" for a usual one."""
        if not self.is_safe:
            return ""
        left = tr("Gradwire does not change settings, plug-ins and copies of unsaved graphs until you restart it.")
        return f"{tr('The last two starts failed.')} {left}" if self.has_failed else left


def aside_sentence(paths: Sequence[Path]) -> str:
    """Returns the sentence about records that were put aside; "" without any."""
    if not paths:
        return ""
    names = ", ".join(map(str, paths))
    return tr("Gradwire could not read its own settings files. It moved them to: {names}.", names=names)
