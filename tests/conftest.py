"""Prints, at the end of a test run, how many recorded results were run and agree, and how closely."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import gradwire.blocks  # noqa: F401  # fills the library, whichever file is run alone
from gradwire.app.base import gc_schedule
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.executors import arena, numpy_program
from scripts.choose_tests import COSTS
from tests.gallery import example_names
from tests.recorded import recorded_graphs, recorded_types

# A deadline would be a test of time, and fail on a machine that is busy. Each run draws other examples, so that many
# runs see more of them than one long run.
settings.register_profile("brief", deadline=None, max_examples=12)
settings.register_profile("patient", deadline=None, max_examples=30)

# Real widgets on no screen; a set platform (xcb under a virtual screen) wins.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# What the program keeps by itself never lies among what the user's own has kept.
_STATES = tempfile.TemporaryDirectory(prefix="gradwire-tests-")
os.environ["XDG_STATE_HOME"] = _STATES.name


@pytest.fixture(params=["compiled", "bound"])
def executor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each test runs twice: with the compiled interpreter of plans, and with calls of NumPy instead."""
    if request.param == "bound":
        for name in ("Program", "spread", "survey"):
            monkeypatch.setattr(arena, name, getattr(numpy_program, name))
    elif arena.Program is numpy_program.Program:
        pytest.skip("no compiler was there when the program was installed")
    return str(request.param)


@pytest.fixture
def garbage_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing asks for a collection of garbage: among the objects of all tests each one takes a second."""
    monkeypatch.setattr(gc, "collect", lambda: 0)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests that take long, too")


def pytest_configure(config: pytest.Config) -> None:
    """Lets the tests of files that are named run all of them, with more examples.

    Other processes get the option from the first one.
    """
    if not hasattr(config, "workerinput"):
        config.option.long |= config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    settings.load_profile("patient" if config.option.long else "brief")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Returns one process more than processors: some tests wait for a pause or another program."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Rewrites the asserts of all tests once: it takes three times as long as the rest of the collection."""
    folder = Path(__file__).parent
    is_alone = hasattr(session.config, "workerinput") and os.name == "posix" and not is_rewritten(folder)
    # All tests stay until the end: collecting among them is in vain.
    with collection_paused(), one_before_the_others(folder) if is_alone else contextlib.nullcontext():
        return (yield)


def is_rewritten(folder: Path) -> bool:
    """Returns whether a cache of each file of tests is there, or none is ever kept."""
    cached = {path.name.partition(".")[0] for path in folder.rglob("test_*-pytest-*.pyc")}
    return sys.dont_write_bytecode or {path.stem for path in folder.rglob("test_*.py")} <= cached


@contextlib.contextmanager
def one_before_the_others(folder: Path) -> Iterator[None]:
    """Lets the first process go on alone; the others wait for its end, then go on together."""
    import fcntl

    file = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
        yield
    finally:
        os.close(file)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests that take long, unless they are asked for, and sets those side by side that share a run."""
    if not config.option.long:
        long = [item for item in items if item.get_closest_marker("long") is not None]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item.get_closest_marker("long") is None]
    share_runs(items)


def share_runs(items: list[pytest.Item]) -> None:
    """Sets the tests of a recorded operation, graph or example side by side at the end."""
    names = {*recorded_types(), *recorded_graphs(), *example_names()}
    named: dict[str, list[pytest.Item]] = {}
    for item in items:
        # Those of the app share windows instead.
        if isinstance(item, pytest.Function) and hasattr(item, "callspec") and "app" not in item.path.parts:
            params = item.callspec.params
            if (name := params.get("name", params.get("op"))) in names:
                named.setdefault(name, []).append(item)
    last = [item for name in sorted(named) for item in named[name]]
    chosen = set(last)
    items[:] = [item for item in items if item not in chosen] + last


def pytest_collection_finish() -> None:
    """Excludes the tests themselves from collection: they stay until the end, and looking through them takes long."""
    gc.collect()
    gc.freeze()
    # It counts frozen objects one by one, which takes longer than most tests.
    gc_schedule._make_all_old = lambda: None
    # Of 700 new objects most are still in use; looking so often takes a tenth of some tests.
    gc.set_threshold(50_000, 20, 50)


def pytest_unconfigure() -> None:
    """Shows what was left open, then freezes what remains: pytest looks through it five times more."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    totals: Counter[str] = Counter()
    deviations: dict[str, float] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                totals.update({name: n for name, n in report.user_properties if name.startswith("recorded")})
                for name, number in report.user_properties:
                    if name.startswith("deviation in "):
                        family = name.removeprefix("deviation in ")
                        deviations[family] = max(deviations.get(family, 0.0), number)
    for what in ("cases", "graphs"):
        if totals[f"recorded {what} run"]:
            run, passed = totals[f"recorded {what} run"], totals[f"recorded {what} passed"]
            terminalreporter.write_line(f"recorded {what}: {run} run, {passed} passed")
    if deviations:
        texts = (f"{family} {number:.0e}" for family, number in sorted(deviations.items()))
        terminalreporter.write_line(f"largest deviation in float64, by family: {', '.join(texts)}")
    if totals["recorded tensors compared"]:
        terminalreporter.write_line(f"recorded tensors in graphs: {totals['recorded tensors compared']} compared")
    if terminalreporter.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        write_costs(terminalreporter.stats)


def write_costs(stats: dict[str, list[Any]]) -> None:
    """Writes the seconds of each file of a whole run, by which `scripts/choose_tests.py` chooses."""
    costs: Counter[str] = Counter()
    for report in (report for reports in stats.values() for report in reports if hasattr(report, "duration")):
        costs[report.nodeid.partition("::")[0]] += report.duration
    COSTS.parent.mkdir(exist_ok=True)
    COSTS.write_text(json.dumps({name: round(cost, 1) for name, cost in sorted(costs.items())}, indent=1))
