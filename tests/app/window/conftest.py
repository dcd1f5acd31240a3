"""A real window for each test, or one for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.live.evaluator import InlineEvaluator, ProcessEvaluator
from app.main_window import MainWindow
from tests.app.window.driver import Driver
from tests.app.windows import Make, windows


@pytest.fixture
def make_window(tmp_path: Path, qapp: object) -> Iterator[Make]:
    with windows(tmp_path) as make:
        yield make


@pytest.fixture
def window(make_window: Make) -> MainWindow:
    """A window that evaluates at once."""
    return make_window(InlineEvaluator)


@pytest.fixture(scope="module")
def one_window(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Iterator[MainWindow]:
    """The window of all tests of a file that uses this: each shows a graph of its own, and leaves all else alone."""
    with windows(tmp_path_factory.mktemp("settings")) as make:
        yield make(InlineEvaluator)


@pytest.fixture
def user(request: pytest.FixtureRequest, qtbot: QtBot) -> Driver:
    """Somebody with mouse and keyboard in front of the window."""
    window = request.getfixturevalue("one_window" if "one_window" in request.fixturenames else "window")
    # What the test before has left unsaved in it is not asked about.
    window.session.document.mark_saved()
    return Driver(window, qtbot)


@pytest.fixture
def live_user(make_window: Make, qtbot: QtBot) -> Driver:
    """Somebody in front of a window whose graphs are evaluated in a process of its own."""
    return Driver(make_window(ProcessEvaluator), qtbot)
