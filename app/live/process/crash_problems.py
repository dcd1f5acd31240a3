"""The messages shown when several evaluators end in a row."""

from __future__ import annotations

from gradwire.app.live.process.evaluator import Died
from gradwire.app.live.process.scheduler import DEATHS_ALLOWED
from gradwire.engine.autodiff.inferred import Inferred
from gradwire.engine.base.problems import Problem


def title_at(path: str, inferred: Inferred) -> str:
    """Returns the name of a block for a sentence, such as `Divide "p"`; its path if the block is gone."""
    instance = inferred.expanded.instances.get(path)
    return path if instance is None else instance.title


def problem_of(died: Died, inferred: Inferred) -> Problem:
    """Returns the problem that explains why evaluation is off, at the block that was running last if it is known."""
    if died.running:
        title = title_at(died.running, inferred)
        message = (
            f"The evaluation ended {DEATHS_ALLOWED} times in a row, the last time at {title} (exit code {died.code}). "
            "Computing is paused; change the graph and press F5 to try again."
        )
    else:
        reason = died.reason or f"exit code {died.code}"
        message = (
            f"The evaluation ended {DEATHS_ALLOWED} times in a row ({reason}). An edit or Try again starts it anew."
        )
    return Problem("error", died.running, "ended", message)
