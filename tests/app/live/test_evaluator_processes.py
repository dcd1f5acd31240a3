"""Processes of evaluators know nothing of each other, and none outlives the window."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gradwire.app.features.console.console_line import ConsoleLine
from gradwire.app.live.process.evaluator import Answer, Died, ProcessEvaluator
from gradwire.app.live.process.process import Starter
from gradwire.app.live.questions.questions import Reply

if sys.platform != "linux":
    pytest.skip("looks at processes as Linux tells of them", allow_module_level=True)

PATIENCE = 30.0
ROOT = Path(__file__).parents[3]
# This line never releases the interpreter lock: no other thread of its process runs.
ENDLESS = ConsoleLine(1, "3 ** 10**9")
# A program to be killed while the processes that it has started are busy.
WINDOW = f"""
import pickle, sys, time
from gradwire.app.features.console.console_line import ConsoleLine
from gradwire.app.live.process.process import Starter

process = Starter().start().process
pickle.dump({ENDLESS!r}, process.stdin)
process.stdin.flush()
# Units: hundredths of a second.
while int(open(f"/proc/{{process.pid}}/stat").read().split()[13]) < 20:
    time.sleep(0.01)
print(process.pid, flush=True)
time.sleep(1000)
"""


@pytest.fixture
def starter() -> Starter:
    return Starter()


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
    """An evaluator in a process, with its answers."""

    def __init__(self, starter: Starter) -> None:
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


def test_processes_know_nothing_of_each_other(starter: Starter) -> None:
    one, other = Asked(starter), Asked(starter)
    assert one.line("a = 1") == ""
    assert "NameError" in other.line("a")
    assert one.line("a") == "1"
    assert one.evaluator.pid != other.evaluator.pid
    one.evaluator.close()
    assert other.line("1 + 1") == "2"
    other.evaluator.close()


@pytest.mark.long
def test_products_may_have_more_than_one_thread(starter: Starter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    asked = Asked(starter)
    # Large enough for more than one thread.
    assert asked.line("import numpy; float((numpy.ones((400, 400)) @ numpy.ones((400, 400))).sum())") == "64000000.0"
    asked.evaluator.close()


def test_products_have_one_thread_where_the_user_has_not_said_otherwise(
    starter: Starter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    asked = Asked(starter)
    assert asked.line("import os; os.environ['OPENBLAS_NUM_THREADS']") == "'1'"
    asked.evaluator.close()


def test_a_process_says_how_it_ended(starter: Starter) -> None:
    asked = Asked(starter)
    asked.evaluator.ask(ConsoleLine(1, "__import__('os')._exit(7)"))
    assert asked.answers.get(timeout=PATIENCE) == Died(7)
    asked.evaluator.close()


def test_a_window_that_is_killed_leaves_no_process_behind() -> None:
    with subprocess.Popen([sys.executable, "-c", WINDOW], stdout=subprocess.PIPE, text=True, cwd=ROOT) as window:
        assert window.stdout is not None
        pid = int(window.stdout.readline())
        assert is_alive(pid)
        window.kill()
    wait_until(lambda: not is_alive(pid))


def test_a_process_that_is_not_wanted_any_more_is_not_waited_for(starter: Starter) -> None:
    """Starts a process and ends it before it can have imported anything."""
    process = starter.start().process
    process.kill()
    assert process.wait() == -signal.SIGKILL
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        pipe.close()


def test_an_import_of_a_plug_in_that_never_ends_holds_up_its_process_alone(
    starter: Starter, plugin: Callable[[str], None], tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    plugin(f"open({str(begun)!r}, 'w').close()\nwhile True:\n    pass\n")
    asked = Asked(starter)
    asked.evaluator.ask(ConsoleLine(1, "1"))
    wait_until(begun.exists)
    asked.evaluator.close()
    assert not is_alive(asked.evaluator.pid)
    assert asked.answers.empty()


def test_threads_that_a_plug_in_begins_are_there(starter: Starter, plugin: Callable[[str], None]) -> None:
    plugin("import threading\nthreading.Thread(target=threading.Event().wait, name='odd', daemon=True).start()\n")
    asked = Asked(starter)
    assert asked.line("'odd' in str(__import__('threading').enumerate())") == "True"
    asked.evaluator.close()


def test_a_plug_in_that_is_enabled_meanwhile_is_there_in_the_next_process(
    starter: Starter, plugin: Callable[[str], None]
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
