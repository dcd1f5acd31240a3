"""Fixtures and hooks of tests in a real window: one for each test, or one for many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.live.process.evaluator import InlineEvaluator, ProcessEvaluator
from gradwire.app.start.main_window import MainWindow
from tests.app.window.driver import Driver
from tests.app.window.finding import settle
from tests.app.window.sharing import SharedWindow
from tests.app.windows import Make, windows

SHARED = pytest.StashKey[SharedWindow]()


@pytest.fixture
def make_window(tmp_path: Path, qapp: object, shared_window: SharedWindow) -> Iterator[Make]:
    shared_window.close()
    with windows(tmp_path) as make:
        yield make


@pytest.fixture(scope="session")
def shared_window(
    tmp_path_factory: pytest.TempPathFactory, qapp: object, pytestconfig: pytest.Config
) -> Iterator[SharedWindow]:
    shared = pytestconfig.stash[SHARED] = SharedWindow(lambda: windows(tmp_path_factory.mktemp("settings")))
    yield shared
    shared.close()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts tests in a shared window behind all others, wherever they lie: it is made anew after each of these."""
    items.sort(key=shares_a_window)


def shares_a_window(item: pytest.Item | None) -> bool:
    """Returns whether a test is in front of the shared window; `user` asks for that only once it runs."""
    return not {"shared_window", "user"}.isdisjoint(getattr(item, "fixturenames", ()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Lets the window be painted that was brought back before the test."""
    if (shared := item.config.stash.get(SHARED, None)) is not None:
        shared.paint()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Closes the window that tests share before one begins that does not use it."""
    if not shares_a_window(nextitem) and (shared := item.config.stash.get(SHARED, None)) is not None:
        shared.close()


@pytest.fixture
def window(request: pytest.FixtureRequest, shared_window: SharedWindow) -> Iterator[MainWindow]:
    """A window that evaluates at once, as it opens. A test that makes more of them has one of its own."""
    if "make_window" in request.fixturenames:
        yield request.getfixturevalue("make_window")(InlineEvaluator)
    else:
        yield shared_window.get()
        shared_window.bring_back()


@pytest.fixture(scope="module")
def one_window(shared_window: SharedWindow) -> Iterator[MainWindow]:
    """The window of all tests of a file: each test shows its own graph and changes nothing else."""
    yield shared_window.get()
    shared_window.bring_back()


@pytest.fixture
def user(request: pytest.FixtureRequest, qtbot: QtBot) -> Driver:
    """A user with mouse and keyboard in front of the window."""
    window = request.getfixturevalue("one_window" if "one_window" in request.fixturenames else "window")
    # The window must not ask about unsaved changes of the previous test.
    window.session.document.mark_saved()
    # A widget that another test has shown had the keys, and Qt gives them back to nobody when it closes.
    window.activateWindow()
    settle()
    return Driver(window, qtbot)


@pytest.fixture
def live_user(user: Driver) -> Iterator[Driver]:
    """A user in front of a window whose graphs are evaluated in a separate process."""
    document = user.window.parts.document
    before, document.make_evaluator = document.make_evaluator, ProcessEvaluator
    yield user
    document.make_evaluator = before
