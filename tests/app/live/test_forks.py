"""Forks of one process evaluate independently, and none outlives the window or the server."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gradwire.app.features.console.console_line import ConsoleLine
from gradwire.app.live.process.evaluator import Answer, Died, ProcessEvaluator
from gradwire.app.live.questions.questions import Reply

if sys.platform != "linux":
    pytest.skip("copies are made on Linux alone", allow_module_level=True)

from gradwire.app.live.process.forks import ForkStarter

PATIENCE = 30.0
ROOT = Path(__file__).parents[3]
# This line never releases the interpreter lock: no other thread of its process runs.
ENDLESS = ConsoleLine(1, "3 ** 10**9")
# A program to be killed while the processes that it has started are busy.
WINDOW = f"""
import pickle, sys, time
from gradwire.app.features.console.console_line import ConsoleLine
from gradwire.app.live.process.forks import ForkStarter

starter = ForkStarter()
process = starter.start().process
pickle.dump({ENDLESS!r}, process.stdin)
process.stdin.flush()
# Units: hundredths of a second.
while not process.pid or int(open(f"/proc/{{process.pid}}/stat").read().split()[13]) < 20:
    time.sleep(0.01)
print(starter._server.pid, process.pid, flush=True)
time.sleep(1000)
"""


@pytest.fixture
def starter() -> Iterator[ForkStarter]:
    made = ForkStarter()
    yield made
    made.close()


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that installs and enables a plug-in with the given source."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def install(source: str) -> None:
        info = tmp_path / "odd-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[gradwire.blocks]\nodd = odd\n")
        (tmp_path / "odd.py").write_text(source)
        (tmp_path / "gradwire").mkdir()
        (tmp_path / "gradwire" / "plugins.txt").write_text("odd\n")

    return install


class Asked:
    """An evaluator in a fork, with its answers."""

    def __init__(self, starter: ForkStarter) -> None:
        self.answers: queue.Queue[Answer] = queue.Queue()
        self.evaluator = ProcessEvaluator(self.answers.put, starter.start())

    def line(self, text: str) -> str:
        """Returns the output of a line of Python there."""
        self.evaluator.ask(ConsoleLine(1, text))
        reply = self.answers.get(timeout=PATIENCE)
        assert isinstance(reply, Reply)
        return str(reply.answer.output or reply.answer.error)


def is_alive(pid: int | None) -> bool:
    """Returns whether a process still runs: a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_copies_know_nothing_of_each_other(starter: ForkStarter) -> None:
    one, other = Asked(starter), Asked(starter)
    assert one.line("a = 1") == ""
    assert "NameError" in other.line("a")
    assert one.line("a") == "1"
    assert one.evaluator.pid != other.evaluator.pid
    one.evaluator.close()
    assert other.line("1 + 1") == "2"
    other.evaluator.close()


@pytest.mark.long
def test_threads_of_products_start_again_in_a_copy(starter: ForkStarter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    asked = Asked(starter)
    # Large enough for more than one thread.
    assert asked.line("import numpy; float((numpy.ones((400, 400)) @ numpy.ones((400, 400))).sum())") == "64000000.0"
    asked.evaluator.close()


def test_products_have_one_thread_where_the_user_has_not_said_otherwise(
    starter: ForkStarter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    asked = Asked(starter)
    assert asked.line("import os; os.environ['OPENBLAS_NUM_THREADS']") == "'1'"
    asked.evaluator.close()


def test_a_copy_says_how_it_ended(starter: ForkStarter) -> None:
    asked = Asked(starter)
    asked.evaluator.ask(ConsoleLine(1, "__import__('os')._exit(7)"))
    assert asked.answers.get(timeout=PATIENCE) == Died(7)
    asked.evaluator.close()


@pytest.mark.long
def test_with_the_process_they_were_made_of_all_copies_end_and_the_next_has_another(starter: ForkStarter) -> None:
    asked = Asked(starter)
    asked.line("1")
    server = starter._server
    assert server is not None
    asked.evaluator.ask(ENDLESS)
    server.kill()
    assert asked.answers.get(timeout=PATIENCE) == Died(-signal.SIGKILL)
    wait_until(lambda: not is_alive(asked.evaluator.pid))
    following = Asked(starter)
    assert following.line("1 + 1") == "2"
    following.evaluator.close()
    asked.evaluator.close()


def test_a_window_that_is_killed_leaves_no_process_behind() -> None:
    with subprocess.Popen([sys.executable, "-c", WINDOW], stdout=subprocess.PIPE, text=True, cwd=ROOT) as window:
        assert window.stdout is not None
        started = [int(word) for word in window.stdout.readline().split()]
        assert [is_alive(pid) for pid in started] == [True, True]
        window.kill()
    wait_until(lambda: not any(is_alive(pid) for pid in started))


def test_a_copy_that_is_not_wanted_any_more_is_not_waited_for(starter: ForkStarter) -> None:
    """Requests a copy and ends it before the server can have imported anything."""
    process = starter.start().process
    process.kill()
    assert process.wait() == -signal.SIGKILL
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        pipe.close()


def test_an_import_of_a_plug_in_that_never_ends_holds_up_its_copy_alone(
    starter: ForkStarter, plugin: Callable[[str], None], tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    plugin(f"open({str(begun)!r}, 'w').close()\nwhile True:\n    pass\n")
    asked = Asked(starter)
    asked.evaluator.ask(ConsoleLine(1, "1"))
    wait_until(begun.exists)
    asked.evaluator.close()
    assert not is_alive(asked.evaluator.pid)
    assert asked.answers.empty()


def test_threads_that_a_plug_in_begins_are_there(starter: ForkStarter, plugin: Callable[[str], None]) -> None:
    """Checks a thread of a plug-in, which would be missing if the server had imported the plug-in."""
    plugin("import threading\nthreading.Thread(target=threading.Event().wait, name='odd', daemon=True).start()\n")
    asked = Asked(starter)
    assert asked.line("'odd' in str(__import__('threading').enumerate())") == "True"
    asked.evaluator.close()


def test_a_plug_in_that_is_enabled_meanwhile_is_there_in_the_next_copy(
    starter: ForkStarter, plugin: Callable[[str], None]
) -> None:
    asked = Asked(starter)
    assert asked.line("'odd' in __import__('sys').modules") == "False"
    plugin("")
    following = Asked(starter)
    assert following.line("'odd' in __import__('sys').modules") == "True"
    following.evaluator.ask(ConsoleLine(1, "__import__('os')._exit(7)"))
    assert following.answers.get(timeout=PATIENCE) == Died(7)
    assert asked.line("1 + 1") == "2"
    for one in (asked, following):
        one.evaluator.close()
