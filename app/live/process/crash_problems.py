"""What is said when evaluators end one after the other."""

from __future__ import annotations

from app.live.evaluator import Died
from app.live.scheduler import DEATHS_ALLOWED
from engine.inferred import Inferred
from engine.lookup import title_of
from engine.problems import Problem


def title_at(path: str, inferred: Inferred) -> str:
    """How a sentence names the block at a path: `Divide "p"`; the path itself if it is gone."""
    instance = inferred.expanded.instances.get(path)
    return path if instance is None else title_of(instance.block)


def problem_of(died: Died, inferred: Inferred) -> Problem:
    """Why a graph is not evaluated any more, at the block that was running the last time if that is known."""
    title = title_at(died.running, inferred)
    message = (
        f"The evaluation ended {DEATHS_ALLOWED} times in a row, the last time at {title} (exit code {died.code}). "
        "Live evaluation is off; change the graph and press F5 to try again."
        if died.running
        else f"The evaluation ended {DEATHS_ALLOWED} times in a row (exit code {died.code}). "
        "Live evaluation is off; change the graph and press F5 to try again."
    )
    return Problem("error", died.running, "ended", message)
