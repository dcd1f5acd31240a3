"""The evaluator that is started ahead: taken by the next document, replaced if it has ended, and closed if unused."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from gradwire.app.live.process import evaluator as evaluator_module
from gradwire.app.live.process.evaluator import Answer, Spare, Starter


class Fake:
    """An evaluator's process, which may have ended while it waited."""

    def __init__(self, answer: Callable[[Answer], None], started: object) -> None:
        self.answer, self.started = answer, started
        self.has_ended = self.is_closed = False

    def redirect(self, answer: Callable[[Answer], None]) -> bool:
        self.answer = answer
        return not self.has_ended

    def close(self) -> None:
        self.is_closed = True


class Starting:
    """A starter of processes, each a number; the system may refuse."""

    def __init__(self) -> None:
        self.count, self.refuses = 0, False

    def start(self) -> int:
        if self.refuses:
            raise OSError("no process more")
        self.count += 1
        return self.count


@pytest.fixture
def starting(monkeypatch: pytest.MonkeyPatch) -> Starting:
    monkeypatch.setattr(evaluator_module, "ProcessEvaluator", Fake)
    return Starting()


def test_a_process_that_waits_is_taken_and_the_next_one_is_new(starting: Starting) -> None:
    taken, heard = list[int](), list[Answer]()
    spare = Spare(cast("Starter", starting), taken=lambda: taken.append(starting.count))
    ready = spare.prepare()
    assert spare.prepare() is ready is not None and starting.count == 1
    made = cast("Fake", spare(heard.append))
    assert made is ready and made.answer == heard.append
    assert (made.is_closed, starting.count, taken) == (False, 1, [1])
    other = cast("Fake", spare(heard.append))
    assert (other.started, other.answer, taken) == (2, heard.append, [1, 2])
    spare.close()
    assert not made.is_closed and not other.is_closed


def test_a_process_that_ended_while_it_waited_is_closed_and_replaced(starting: Starting) -> None:
    spare = Spare(cast("Starter", starting))
    ready = cast("Fake", spare.prepare())
    ready.has_ended = True
    made = cast("Fake", spare(print))
    assert ready.is_closed and made is not ready and (made.started, made.answer) == (2, print)


def test_a_process_that_was_started_before_is_the_first(starting: Starting) -> None:
    spare = Spare(cast("Starter", starting), started=9)  # type: ignore[arg-type]  # any process
    assert cast("Fake", spare(print)).started == 9 and starting.count == 0


def test_what_the_system_refuses_is_tried_again_by_the_document(starting: Starting) -> None:
    spare = Spare(cast("Starter", starting))
    starting.refuses = True
    assert spare.prepare() is None
    spare.close()
    with pytest.raises(OSError, match="no process more"):
        spare(print)
    starting.refuses = False
    ready = cast("Fake", spare.prepare())
    spare.close()
    assert ready.is_closed and spare.prepare() is not ready
