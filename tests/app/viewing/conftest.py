"""One window for all tests of a file: each shows a graph anew in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.live.evaluator import InlineEvaluator
from app.look.appearance import Appearance
from app.look.motion import set_moves
from app.main_window import MainWindow
from app.settings import Settings
from tests.app.window.driver import Driver
from tests.app.window.graphs import annotated


@pytest.fixture(scope="module")
def shared_window(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Iterator[MainWindow]:
    settings = Settings(tmp_path_factory.mktemp("settings") / "s.ini")
    window = MainWindow(settings, Appearance("dark"), InlineEvaluator)
    window.show()
    yield window
    window.session.document.mark_saved()
    window.close()
    window.deleteLater()
    set_moves(None)


@pytest.fixture
def here(shared_window: MainWindow, qtbot: QtBot) -> Driver:
    """Somebody with the annotated chain open at 100 %, the whole of it in view."""
    user = Driver(shared_window, qtbot)
    user.show(annotated())
    user.canvas.fit_page()
    user.settle()
    return user
