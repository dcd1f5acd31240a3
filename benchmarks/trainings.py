"""A benchmark of the trainings of the gallery: all of their rounds, with the checks of their files.

The output has rounds, seconds and rounds a second by one thread, and each check that fails. With names, only these.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.examples import TRAINING, example_names, example_path, example_topic
from gradwire.engine.files.files import load
from gradwire.engine.training.run import TrainingRun


def main(names: Sequence[str]) -> int:
    """Prints a line for each training; returns 1 if a check fails."""
    failed = 0
    for name in names or [name for name in example_names() if example_topic(name) == TRAINING]:
        began = time.perf_counter()
        run = TrainingRun(load(example_path(name)).graph)
        ready = time.perf_counter()
        for _ in run.rounds():
            pass
        seconds = time.perf_counter() - ready
        pace = run.trainer.round / seconds
        print(f"{name:20} {run.trainer.round:6,} rounds {seconds:7.2f} s {pace:9,.0f}/s, ready {ready - began:.2f} s")
        for outcome in run.outcomes():
            if not outcome.is_met:
                failed = 1
                print(f"  failed: {outcome.title}: {outcome.sentence}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
