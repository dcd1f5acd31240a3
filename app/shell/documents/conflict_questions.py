"""The questions to the user when two programs write one file."""

from __future__ import annotations

from pathlib import Path

from gradwire.app.base.moments import moment_text
from gradwire.app.base.run_folder import Run
from gradwire.app.base.translation import tr
from gradwire.app.shell.documents.messages import Messages, ask


def ask_changed(messages: Messages, name: str) -> str:
    """Asks about a file that another program has changed: `save_as`, `overwrite`, `reload`, or "" for nothing."""
    title = tr("{name} was changed by another program", name=name)
    sentence = tr("Both versions are kept: Versions in the menu shows the other one.")
    box = messages.question("conflict_dialog", title, sentence)
    return ask(box, {"save_as": tr("Save as …"), "overwrite": tr("Overwrite"), "reload": tr("Reload")})


def ask_opened_twice(messages: Messages, path: Path, run: Run) -> str:
    """Asks whether to open a file that another process has open: `read_only`, `anyway`, or "" for not at all."""
    sentence = tr(
        "The Gradwire that was started at {time} (process {process}) has it open. If both save, the second one is "
        "asked before anything is written over.",
        time=moment_text(run.since), process=run.process,
    )  # fmt: skip
    title = tr("{name} is open already", name=path.name)
    box = messages.question("opened_twice_dialog", title, sentence)
    return ask(box, {"read_only": tr("Open read-only"), "anyway": tr("Open anyway")})
