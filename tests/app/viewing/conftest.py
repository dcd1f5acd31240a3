"""One window for all tests of a file: each test shows its graph in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.motion import set_moves
from gradwire.app.start.main_window import MainWindow
from tests.app.window.driver import Driver
from tests.app.window.graphs import annotated


@pytest.fixture(scope="module")
def viewed_window(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Iterator[MainWindow]:
    settings = Settings(tmp_path_factory.mktemp("settings") / "s.ini")
    window = MainWindow(settings, Appearance("dark"), InlineEvaluator)
    window.show()
    yield window
    window.session.document.mark_saved()
    window.close()
    window.deleteLater()
    set_moves(None)


@pytest.fixture
def here(viewed_window: MainWindow, qtbot: QtBot) -> Driver:
    """A user with the annotated chain open at 100 %, the whole of it in view."""
    user = Driver(viewed_window, qtbot)
    user.show(annotated())
    user.canvas.viewport.fit_page()
    user.settle()
    return user
