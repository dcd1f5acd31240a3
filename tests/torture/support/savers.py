"""Processes that save and die, save one file at once, or lack room; the outcome is JSON.

They are forked within milliseconds from a process without threads: `python -m tests.torture.support.savers`.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.base.errors import FileChangedError, FileError
from gradwire.engine.files.disk import Stamp
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph, Note, Page

FINE, CHANGED, FAILED = 0, 3, 4
CALLS = ("open", "write", "fchmod", "fsync", "fstat", "replace", "close", "unlink")


def graph_of(size: int, version: int) -> Graph:
    """Returns a graph whose file has about `size` bytes, another one for every version."""
    texts = [f"{version} " * (min(60_000, size) // len(f"{version} "))] * max(1, size // 60_000)
    return Graph((Page("main", notes=tuple(Note(f"n{at}", text) for at, text in enumerate(texts))),))


def in_child(work: Callable[[], object]) -> int:
    """Forks a process for some work and returns its id; its exit status tells the outcome."""
    child = os.fork()
    if child:
        return child
    status = FAILED
    try:
        work()
        status = FINE
    except FileChangedError:
        status = CHANGED
    finally:
        os._exit(status)


def litter(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".gradwire-")]


# Killed


def killed(folder: Path, size: int, rounds: int) -> dict[str, object]:
    """Kills a process at a random moment while it writes; reports the file's content and the leftovers."""
    path, choose = folder / "a.graph", random.Random(size)
    graphs = [graph_of(size, version) for version in (1, 2)]
    contents = [dumps(graph).encode() for graph in graphs]
    save(graphs[0], path)
    current, seconds, found = 0, _seconds_to_write(graphs[1], folder / "b.graph"), Counter[str]()
    for _ in range(rounds):
        _kill_while_writing(graphs[1 - current], path, choose.uniform(0, 1.2 * seconds))
        content = path.read_bytes()
        found["old" if content == contents[current] else "new" if content == contents[1 - current] else "else"] += 1
        found["litter"] += len(litter(folder))
        found["most litter"] = max(found["most litter"], len(litter(folder)))
        current = contents.index(content) if content in contents else current
    save(graphs[0], path)
    return {**found, "bytes": len(contents[0]), "left": litter(folder), "seconds to write": seconds}


def _seconds_to_write(graph: Graph, path: Path) -> float:
    """Returns the median of three times for the part of saving that uses the disk."""
    times = []
    for _ in range(3):
        with _writing(graph, path) as child:
            begin = time.perf_counter()
            os.waitpid(child, 0)
            times.append(time.perf_counter() - begin)
    path.unlink()
    return sorted(times)[1]


@contextlib.contextmanager
def _writing(graph: Graph, path: Path) -> Iterator[int]:
    """Yields a saving process at the moment when it begins to write."""
    starts, ends = os.pipe()
    child = in_child(lambda: _save_and_tell(graph, path, ends))
    os.read(starts, 1)
    yield child
    os.close(starts)
    os.close(ends)


def _kill_while_writing(graph: Graph, path: Path, delay: float) -> None:
    with _writing(graph, path) as child:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _save_and_tell(graph: Graph, path: Path, to: int) -> None:
    """Saves, and reports on a pipe when its first file is created."""

    def tell(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and ".gradwire-" in str(arguments[0]):
            os.write(to, b".")

    sys.addaudithook(tell)
    save(graph, path)


# Dead at every single call


def stopped(folder: Path) -> dict[str, object]:
    """Ends a process before, and after, each system call of a save, until a save completes."""
    path, (old, new) = folder / "a.graph", (graph_of(5_000, version) for version in (1, 2))
    found, left = Counter[str](), 0
    for at, is_after in ((at, is_after) for at in itertools.count(1) for is_after in (False, True)):
        save(old, path)
        path.chmod(0o640)
        left = max(left, len(litter(folder)))
        _, status = os.waitpid(in_child(lambda at=at, is_after=is_after: _die(new, path, at, is_after)), 0)
        graph = load(path).graph
        found["old" if graph == old else "new" if graph == new else "else"] += 1
        if not os.WIFSIGNALED(status):
            save(old, path)
            return {**found, "calls": at - 1, "litter after the next save": left, "left": litter(folder)}
    raise AssertionError


def _die(graph: Graph, path: Path, at: int, is_after: bool) -> None:
    following = itertools.count(1)

    def deadly(call: Callable[..., object]) -> Callable[..., object]:
        def made(*arguments: object, **keys: object) -> object:
            is_last = next(following) == at
            if is_last and not is_after:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                return call(*arguments, **keys)
            finally:
                if is_last:
                    os.kill(os.getpid(), signal.SIGKILL)

        return made

    write = os.write
    os.write = lambda to, part: write(to, part[:1000])  # Many calls instead of one.
    for name in CALLS:
        setattr(os, name, deadly(getattr(os, name)))
    save(graph, path)


# Two at once


def two(folder: Path, rounds: int, is_careful: bool) -> dict[str, object]:
    """Lets two processes save one file simultaneously; careful ones replace only the version they know."""
    path, base = folder / "a.graph", graph_of(2_000, 0)
    found = Counter[str]()
    for number in range(rounds):
        graphs = [graph_of(2_000, 2 * number + which + 1) for which in (0, 1)]
        stamp = save(base, path)
        statuses = _saved_at_once(graphs, path, stamp if is_careful else None)
        saved = load(path).graph
        found[f"statuses {sorted(statuses)}"] += 1
        whole = [graph for graph, status in zip(graphs, statuses, strict=True) if status == FINE]
        found["one of those that say so" if saved in whole else "else"] += 1
        found["left"] += len(os.listdir(folder)) - 1
    return dict(found)


def _saved_at_once(graphs: list[Graph], path: Path, over: Stamp | None) -> list[int]:
    """Returns the exit statuses of processes that save these graphs simultaneously."""
    gate, opener = os.pipe()

    def save_at_gate(graph: Graph) -> None:
        os.close(opener)
        # It opens for all at once: when the last process that could write into it has closed it.
        os.read(gate, 1)
        save(graph, path, over)

    children = [in_child(functools.partial(save_at_gate, graph)) for graph in graphs]
    os.close(gate)
    os.close(opener)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


# No room


def full(folder: Path, rounds: int) -> dict[str, object]:
    """Saves a file again on a nearly full disk; reports the messages and the file's content."""
    path, found, choose = folder / "a.graph", Counter[str](), random.Random(7)
    for number in range(rounds):
        old, new = graph_of(choose.randrange(1_200_000, 1_700_000), 1), graph_of(2_000_000 + number, 2)
        save(old, path)
        try:
            save(new, path)
            found["saved"] += 1
        except FileError as error:
            found[str(error).rpartition(": ")[2]] += 1
        found["old" if load(path).graph == old else "else"] += 1
        found["left"] += len(os.listdir(folder)) - 1
        (folder / "room").write_bytes(b"")
        with contextlib.suppress(OSError), (folder / "room").open("wb", buffering=0) as room:
            while room.write(bytes(4096)):
                pass
        try:
            save(graph_of(9_000, 3), folder / "b.graph")
            found["saved without any room"] += 1
        except FileError as error:
            found[f"new: {str(error).rpartition(': ')[2]}"] += 1
        (folder / "room").unlink()
        found["left"] += len(os.listdir(folder)) - 1
    return dict(found)


def unwritable(folder: Path, user: int, rounds: int) -> dict[str, object]:
    """Saves a file as a user who may change it but not its folder; reports messages and content."""
    path, found = folder / "a.graph", Counter[str]()
    save(graph_of(2_000, 1), path)
    path.chmod(0o666)
    folder.chmod(0o555)
    if os.geteuid() == 0:
        os.setuid(user)
    for number in range(rounds):
        _count_refusals(found, folder, number)
    return dict(found)


def read_only(folder: Path, rounds: int) -> dict[str, object]:
    """Saves an old and a new file on a disk that has become read-only."""
    path, found = folder / "a.graph", Counter[str]()
    save(graph_of(2_000, 1), path)
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    for number in range(rounds):
        _count_refusals(found, folder, number)
    return dict(found)


def _count_refusals(found: Counter[str], folder: Path, number: int) -> None:
    """Saves the file in a folder, and a new one beside it, and counts the messages."""
    old = load(folder / "a.graph").graph
    for name in ("a.graph", "new.graph"):
        try:
            save(graph_of(2_000, number + 2), folder / name)
            found["saved"] += 1
        except FileError as error:
            found[str(error).replace(str(folder), "FOLDER").partition(": ")[2]] += 1
    found["old" if load(folder / "a.graph").graph == old else "else"] += 1
    found["left"] += len(os.listdir(folder)) - 1


def _main() -> None:
    command, folder, *numbers = sys.argv[1:]
    commands = (killed, stopped, two, full, unwritable, read_only)
    named = {made.__name__: made for made in commands}
    print(json.dumps(named[command](Path(folder), *map(int, numbers))))


if __name__ == "__main__":
    _main()
