"""The fixture of tests whose sessions evaluate and train in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gradwire.app.live.process.evaluator import ProcessEvaluator
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.process.starters import fastest_starter
from gradwire.app.start.deferred_startup import TRAINING


@pytest.fixture(scope="session")
def in_process() -> Iterator[MakeEvaluator]:
    """Makes evaluators in processes, which start as those of the program do: from one that has imported everything."""
    starter = fastest_starter(TRAINING)
    yield lambda answer: ProcessEvaluator(answer, starter.start())
    starter.close()
