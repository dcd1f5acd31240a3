"""Interruption of the main thread: at once where it is allowed, later where a part is protected, never elsewhere."""

from __future__ import annotations

import importlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gradwire.engine.base.processes.interruption import SIGNAL, Interrupted, Interruption

PATIENCE = 20.0


@pytest.fixture
def interruption() -> Iterator[Interruption]:
    before = signal.getsignal(SIGNAL)
    made = Interruption()
    made.listen()
    yield made
    signal.signal(SIGNAL, before)


def wish_soon(interruption: Interruption) -> None:
    threading.Timer(0.02, interruption.wish).start()


def spin(seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_a_loop_that_asks_nobody_is_left(interruption: Interruption) -> None:
    wish_soon(interruption)
    with pytest.raises(Interrupted), interruption.allowed(lambda: False):
        spin()


def test_nothing_begins_when_something_urgent_waits_already(interruption: Interruption) -> None:
    with pytest.raises(Interrupted), interruption.allowed(lambda: True):
        pytest.fail("it has begun")


def test_outside_nothing_is_interrupted(interruption: Interruption) -> None:
    interruption.wish()
    with interruption.allowed(lambda: False):
        pass
    interruption.wish()
    spin(0.01)


def test_a_protected_part_comes_to_its_end_first(interruption: Interruption) -> None:
    done = []

    def work() -> None:
        interruption.protect()
        interruption.wish()
        spin(0.01)
        done.append("protected")
        interruption.unprotect()
        done.append("behind")

    with pytest.raises(Interrupted), interruption.allowed(lambda: False):
        work()
    assert done == ["protected"]


def test_what_cleans_up_is_not_interrupted_again(interruption: Interruption) -> None:
    done = []

    def work() -> None:
        try:
            interruption.wish()
            spin()
        finally:
            interruption.wish()
            spin(0.01)
            done.append("cleaned up")

    with pytest.raises(Interrupted), interruption.allowed(lambda: False):
        work()
    assert done == ["cleaned up"]


def test_an_import_is_not_broken_off(
    interruption: Interruption, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slowly_imported.py").write_text(
        "import time\nend = time.monotonic() + 0.1\nwhile time.monotonic() < end: pass\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    wish_soon(interruption)
    with interruption.allowed(lambda: False):
        module = importlib.import_module("slowly_imported")
    assert module.end and "slowly_imported" in sys.modules
