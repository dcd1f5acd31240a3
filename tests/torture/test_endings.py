"""Windows that are ended by signals, Ctrl C, a broken display or force: the copies hold what was not saved."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gradwire.app.base.run_folder import RunFolder, runs
from gradwire.app.shell.documents.recovery_files import Copy, abandoned
from gradwire.engine.files.files import load, save
from tests.app.programs import Program
from tests.app.window.graphs import number
from tests.torture.support.counts import count
from tests.torture.support.window_process import WINDOW

pytestmark = pytest.mark.long

# No copy is written in this time: those that are found were written at the end. Units: ms.
NEVER = "10000000"
PATIENCE = 120.0
# More than the window waits before it tells of an edit, on a busy machine. Units: seconds.
LOST = 5.0
SEEDS = range(count(1, 25))


class Editing:
    """A window in a process of its own, in a group of its own, which edits without an end."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.file, self._journal, self._state = folder / "number.graph", folder / "journal", folder / "state"
        save(number(), self.file)
        arguments = str(self.file), str(self._journal), str(seed), NEVER, NEVER
        self.process = Program(WINDOW, folder, *arguments, variables={"XDG_STATE_HOME": str(self._state)})

    def wait_for_copies(self) -> None:
        """Waits until the program is one that could leave copies."""
        self.wait_for(lambda: any(self._state.glob("gradwire/running/*/*.json")))

    def wait_for(self, is_so: Callable[[], bool]) -> None:
        """Waits for something that the program does."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, "the program does not go on"
            time.sleep(0.01)

    @property
    def lines(self) -> list[list[str]]:
        """The complete lines of the journal."""
        text = self._journal.read_text("utf-8")
        return [line.split() for line in text.splitlines(keepends=True) if line.endswith("\n")]

    @property
    def edits(self) -> list[tuple[float, int]]:
        """The times and numbers of all edits."""
        return [(float(line[0]), int(line[1])) for line in self.lines if line[1].isdigit()]

    @property
    def is_asking(self) -> bool:
        """Whether the user was asked."""
        return any(line[1] == "asked" for line in self.lines)

    def break_display(self) -> None:
        """Ends the process as Qt does when the connection to the display breaks."""
        self._journal.with_suffix(".end").touch()

    def copy(self) -> Copy:
        """Returns the one copy, once all processes of the run have ended."""
        self.process.wait(PATIENCE)
        self.wait_for(lambda: not runs(self._state / "gradwire", alive=True))
        (copy,) = abandoned(RunFolder(self._state / "gradwire"))
        return copy

    def lost_seconds(self) -> float:
        """Returns the age of the oldest edit that the copy lacks at the time of the last edit."""
        held = int(load(self.copy().file).graph.page("main").blocks["a"].parameters["value"])
        first_lost = next((moment for moment, value in self.edits if value > held), None)
        return 0.0 if first_lost is None else self.edits[-1][0] - first_lost


Start = Callable[[str, int], Editing]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts programs with a name and a seed; those that a failing test leaves are killed with their groups."""
    started: list[Editing] = []

    def begin(name: str, seed: int) -> Editing:
        folder = tmp_path / name
        folder.mkdir()
        program = Editing(folder, seed)
        started.append(program)
        program.wait_for_copies()
        return program

    yield begin
    for program in started:
        if program.process.poll() is None:
            program.process.signal_group(signal.SIGKILL)
            program.process.wait()


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_that_signals_end_lose_nothing(start: Start, seed: int) -> None:
    programs = {name: start(name, seed) for name in ("SIGTERM", "SIGHUP")}
    before = {name: program.file.read_bytes() for name, program in programs.items()}
    time.sleep(random.Random(seed).uniform(0, 1))
    for name, program in programs.items():
        number = getattr(signal, name)
        # The whole group, as a terminal or a session does that goes.
        program.process.signal_group(number)
        assert program.process.wait(PATIENCE) == 128 + number
        assert program.lost_seconds() == 0.0
        assert program.file.read_bytes() == before[name]
        assert program.copy().original == program.file


@pytest.mark.parametrize("seed", SEEDS)
def test_an_interrupt_asks_and_a_second_one_loses_nothing(start: Start, seed: int) -> None:
    program = start("SIGINT", seed)
    program.process.signal_group(signal.SIGINT)
    program.wait_for(lambda: program.is_asking)
    assert program.process.poll() is None
    program.process.signal_group(signal.SIGINT)
    assert program.process.wait(PATIENCE) == 130
    assert program.lost_seconds() == 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_that_end_at_once_lose_what_was_not_yet_told(
    start: Start, seed: int, record_property: Callable[[str, object], None]
) -> None:
    killed, without_display = start("killed", seed), start("display", seed)
    time.sleep(random.Random(seed).uniform(0.5, 3))
    killed.process.kill()
    without_display.break_display()
    for ending, program in {"killed": killed, "display": without_display}.items():
        program.process.wait(PATIENCE)
        lost = program.lost_seconds()
        record_property(f"figure: lost seconds, {ending}", round(lost, 2))
        print(f"figure: {ending}: {lost:.2f} s of edits lost")
        assert lost < LOST
