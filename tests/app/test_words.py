"""Texts and sentences in another language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.words import Catalogue, tr, tr_count, tr_sentence


@pytest.fixture
def _german(qtbot: QtBot) -> Iterator[None]:
    texts = {"Save": "Speichern", "Add {type}": "{type} hinzufügen", "{count} block": "{count} Block"}
    sentences = {
        "axis {0} is not in {1}": "{1} hat keine Achse {0}",
        "{0}: {1}": "{0}: {1}",
        "{0} is wrong": "{0} ist falsch",
        "{0} shape is wrong": "Die Form von {0} ist falsch",
    }
    german = Catalogue(texts, sentences)
    QCoreApplication.installTranslator(german)
    yield
    QCoreApplication.removeTranslator(german)


@pytest.mark.usefixtures("_german")
def test_a_text_is_translated_with_its_fields() -> None:
    assert tr("Save") == "Speichern"
    assert tr("Add {type}", type="Exp") == "Exp hinzufügen"


@pytest.mark.usefixtures("_german")
def test_a_text_without_translation_stays_english() -> None:
    assert tr("Open {name}", name="a.graph") == "Open a.graph"


@pytest.mark.usefixtures("_german")
def test_a_count_chooses_the_text() -> None:
    assert tr_count("{count} block", "{count} blocks", 1) == "1 Block"
    assert tr_count("{count} block", "{count} blocks", 3) == "3 blocks"


@pytest.mark.usefixtures("_german")
def test_a_sentence_is_recognised_by_its_pattern() -> None:
    assert tr_sentence("axis 2 is not in [3, 4]") == "[3, 4] hat keine Achse 2"


@pytest.mark.usefixtures("_german")
def test_the_pattern_with_more_words_wins() -> None:
    assert tr_sentence("the shape is wrong") == "Die Form von the ist falsch"


@pytest.mark.usefixtures("_german")
def test_a_sentence_inside_a_sentence_is_translated() -> None:
    assert tr_sentence('Exp "e": axis 2 is not in x') == 'Exp "e": x hat keine Achse 2'


def test_without_a_catalogue_everything_is_english(qtbot: QtBot) -> None:
    assert tr("Save") == "Save"
    assert tr_sentence("axis 2 is not in x") == "axis 2 is not in x"
