"""Closed documents: descriptors, processes, and mappings of memory are as they were before."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.live.process.evaluator import ProcessEvaluator
from gradwire.app.live.session import Session
from tests.app.windows import wait_until
from tests.torture.support.counts import count
from tests.torture.test_evaluator import chain

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads what the system tells of a process")


def held() -> tuple[int, int]:
    """Returns the numbers of open descriptors, and of mappings that are shared with other processes."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8")
    return len(os.listdir("/proc/self/fd")), len(re.findall(r"^\S+ ...s ", maps, re.MULTILINE))


def open_and_close(qtbot: QtBot) -> None:
    session = Session(chain("Exp", "Tanh", value=np.full(1000, 0.5)), ProcessEvaluator)
    session.evaluate()
    qtbot.waitUntil(lambda: session.results is not None and session.runs.are_current, timeout=30_000)
    session.close()
    # Nothing is collected as garbage here: what is closed lets go by itself.


@pytest.mark.long
@pytest.mark.usefixtures("garbage_left")
def test_closed_documents_hold_no_descriptors_and_no_memory(qtbot: QtBot) -> None:
    open_and_close(qtbot)
    wait_until(lambda: False, patience=0.3)
    before = held()
    for _ in range(count(6, 40)):
        open_and_close(qtbot)
    wait_until(lambda: held() == before)
    assert held() == before
