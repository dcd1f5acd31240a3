"""Menus that list things are sorted in the language of the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLabel, QMenu
from pytestqt.qtbot import QtBot

from gradwire.app.base.translation import alphabetical, catalogue
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.lenses.tabs import LensTabs
from tests.app.window.graphs import chain


@pytest.fixture
def _german(qapp: QCoreApplication) -> Iterator[None]:
    german = catalogue("de")
    qapp.installTranslator(german)
    yield
    qapp.removeTranslator(german)


def test_umlauts_stand_beside_their_letters_and_case_does_not_count() -> None:
    assert sorted(["Zahl", "Übung", "unten", "Ähnlich", "am"], key=alphabetical) == [
        "Ähnlich",
        "am",
        "Übung",
        "unten",
        "Zahl",
    ]


@pytest.mark.usefixtures("_german")
def test_the_menu_of_lenses_is_sorted_in_german(qtbot: QtBot) -> None:
    tabs = LensTabs(CurrentSession(Session(chain(), InlineEvaluator)), Appearance("dark"), QLabel())
    qtbot.addWidget(tabs)
    menu = tabs.findChild(QMenu, "menu_lenses")
    assert menu is not None
    titles = [action.text() for action in menu.actions()]
    assert titles == sorted(titles, key=str.casefold) and "Genauigkeit" in titles
