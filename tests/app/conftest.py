"""Fixtures of all window tests: the language is English on every machine; widgets stay until the end, none longer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base import pace
from gradwire.app.canvas.painting import painted_page
from tests.app.processes import in_process  # noqa: F401  # pytest finds the fixture in this module
from tests.app.window.fixtures import (  # noqa: F401  # pytest finds fixtures and hooks in this module
    live_user,
    make_window,
    one_window,
    pytest_collection_modifyitems,
    pytest_runtest_call,
    pytest_runtest_teardown,
    shared_window,
    user,
    window,
)

QLocale.setDefault(QLocale.c())


@pytest.fixture(autouse=True)
def _fonts_are_there(qapp: QApplication) -> None:
    """An application, without which Qt measures no text: a test may be the first of its process."""


@pytest.fixture(autouse=True)
def _nothing_put_off_is_left() -> Iterator[None]:
    """The deletion of widgets after each test.

    Outside an event loop Qt never deletes objects after `deleteLater`, and styles them again with every theme.
    """
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture(autouse=True)
def _panels_follow_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels without the pace of a drag, which would let each test of a panel wait."""
    monkeypatch.setattr(pace, "BEAT", 0)


@pytest.fixture(autouse=True)
def _labels_are_placed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All labels in the first frame, however busy the machine is."""
    monkeypatch.setattr(painted_page, "LABELS_SECONDS", math.inf)


@pytest.fixture(autouse=True)
def _widgets_stay(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The widgets of a test, which pytest-qt refers to weakly.

    It paints them once more behind the last line of the test, where a collection of garbage would end them meanwhile.
    """
    kept, add = list[QWidget](), QtBot.addWidget

    def add_and_keep(bot: QtBot, widget: QWidget, **more: Callable[..., Any]) -> None:
        kept.append(widget)
        add(bot, widget, **more)

    monkeypatch.setattr(QtBot, "addWidget", add_and_keep)
    yield
    kept.clear()
