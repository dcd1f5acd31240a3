"""Messages are opened as they were packed, whichever side is faster; neither side leaves anything behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.app.live.process import shared_arrays as shelf_module
from gradwire.app.live.process.evaluator import ProcessEvaluator
from gradwire.app.live.process.process import ROOT
from gradwire.app.live.process.shared_arrays import LARGE, PART_SIZE, PARTS, SharedArrays
from gradwire.app.live.process.shared_memory import memory_at, new_memory
from gradwire.engine.graph.graph import Graph

PATIENCE = 30.0
NUMBERS = LARGE // 8

# A window that reports when it has an answer with a large array.
WINDOW = """
import queue, time
import numpy as np
import gradwire.blocks
from gradwire.app.live.process.evaluator import ProcessEvaluator
from gradwire.app.live.questions.questions import TensorName
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.graph.graph import Block, Graph, Page
answers = queue.Queue()
evaluator = ProcessEvaluator(answers.put)
x = Block("x", "Input", parameters={"value": np.arange(100_000.0)})
evaluator.evaluate(1, Graph((Page("main", {"x": x}),)), None)
answers.get(timeout=30)
evaluator.ask(TensorName(PortName("main/x", "y")))
assert answers.get(timeout=30).answer[-1] == 99_999
print("ready", flush=True)
time.sleep(60)
"""


@pytest.fixture
def shared_arrays() -> Iterator[SharedArrays]:
    with new_memory() as (memory, _):
        yield SharedArrays(memory)


def array(number: int, size: int = NUMBERS) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.full(size, float(number))


def test_large_arrays_lie_beside_a_message_and_small_ones_in_it(shared_arrays: SharedArrays) -> None:
    parcel = shared_arrays.pack((array(1), array(2, NUMBERS - 1), "text"))
    assert [size for _, size in parcel.places] == [LARGE]
    large, small, text = shared_arrays.open(parcel)
    assert (large == 1).all() and (small == 2).all() and text == "text"


def test_what_has_been_opened_stays_as_it_is(shared_arrays: SharedArrays) -> None:
    opened = [shared_arrays.open(shared_arrays.pack(array(number))) for number in range(3 * PARTS)]
    assert [item.tolist() for item in opened] == [[float(number)] * NUMBERS for number in range(3 * PARTS)]


def test_what_is_opened_is_not_copied_as_long_as_there_is_room_for_the_next_message() -> None:
    with new_memory() as (memory, _):
        shared_arrays, whole = SharedArrays(memory), np.frombuffer(memory, np.uint8)
        held = [shared_arrays.open(shared_arrays.pack({"number": array(number)})) for number in range(PARTS + 2)]
        shared = [np.shares_memory(item["number"], whole) for item in held]
        assert shared == [True] * (PARTS - 1) + [False] * 3
        del held[0]
        again = shared_arrays.open(shared_arrays.pack([array(-1), array(-2)]))
        assert all(np.shares_memory(item, whole) for item in again)
        assert [item["number"][-1] for item in held] == [*range(1, PARTS + 2)]


def test_a_part_of_a_message_that_is_kept_is_not_written_over(shared_arrays: SharedArrays) -> None:
    kept = [
        shared_arrays.open(shared_arrays.pack([array(number), array(-number)]))[1][5:] for number in range(3 * PARTS)
    ]
    assert [item[0] for item in kept] == [-number for number in range(3 * PARTS)]


@settings(deadline=None)
@given(st.lists(st.booleans(), max_size=30))
def test_messages_are_opened_as_they_were_packed_however_many_wait(is_packing: list[bool]) -> None:
    waiting, expected, packed = deque[object](), deque[int](), 0
    with new_memory() as (memory, _):
        shared_arrays = SharedArrays(memory)
        for number, packs in enumerate([*is_packing, *[False] * len(is_packing)]):
            if packs:
                parcel = shared_arrays.pack({"number": array(number)})
                assert bool(parcel.places) is (packed < PARTS)
                packed += bool(parcel.places)
                waiting.append(parcel)
                expected.append(number)
            elif waiting:
                parcel = waiting.popleft()
                packed -= bool(parcel.places)
                assert (shared_arrays.open(parcel)["number"] == expected.popleft()).all()


def test_what_has_no_room_stays_in_its_message(shared_arrays: SharedArrays, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf_module, "PART_SIZE", LARGE + 8)
    parcel = shared_arrays.pack([array(1), array(2)])
    assert len(parcel.places) == 1 and len(parcel.content) > LARGE
    assert [item[0] for item in shared_arrays.open(parcel)] == [1.0, 2.0]
    assert PART_SIZE > LARGE + 8


@pytest.mark.skipif(sys.platform == "win32", reason="file descriptors are handed over")
def test_the_other_side_sees_the_same_memory() -> None:
    with new_memory() as (memory, handle):
        assert isinstance(handle, int)
        here, there = SharedArrays(memory), SharedArrays(memory_at(os.dup(handle)))
    assert (here.open(there.pack(array(7))) == 7).all()


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are counted")
def test_an_evaluator_that_is_closed_leaves_no_open_file() -> None:
    def evaluate() -> None:
        evaluator = ProcessEvaluator(lambda _: None)
        evaluator.evaluate(1, Graph(()), None)
        evaluator.close()

    # The first one may open what all share; what earlier tests left is closed now, not meanwhile.
    evaluate()
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        evaluate()
    # On a busy machine a pipe closes a moment after its process.
    end = time.monotonic() + 10
    while len(os.listdir("/proc/self/fd")) > before and time.monotonic() < end:
        time.sleep(0.01)
    assert len(os.listdir("/proc/self/fd")) <= before


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by a signal")
def test_a_window_that_is_killed_leaves_neither_a_process_nor_files_nor_warnings(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", WINDOW], cwd=ROOT, env=environment, **pipes) as window:  # type: ignore[call-overload]
        assert window.stdout.readline() == b"ready\n"
        window.send_signal(signal.SIGKILL)
        # The evaluator writes its errors into the same pipe, which ends only when both processes have ended.
        _, said = window.communicate(timeout=PATIENCE)
    assert said == b"" and not list(tmp_path.iterdir())
