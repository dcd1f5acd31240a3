"""Menus that list things are sorted in the language of the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication

from gradwire.app.base.translation import alphabetical, catalogue


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
