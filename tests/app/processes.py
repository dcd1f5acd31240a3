"""The fixture of tests whose sessions evaluate and train in processes of their own."""

from __future__ import annotations

import pytest

from gradwire.app.live.process.evaluator import ProcessEvaluator
from gradwire.app.live.process.process import Starter
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.start.deferred_startup import TRAINING


@pytest.fixture(scope="session")
def in_process() -> MakeEvaluator:
    """Makes evaluators in processes, which start as those of the program do."""
    starter = Starter(TRAINING)
    return lambda answer: ProcessEvaluator(answer, starter.start())
