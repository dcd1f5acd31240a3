"""Terms that a student may not know are explained where they stand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.translation import catalogue
from gradwire.app.features.inspector.read_field import ReadField
from gradwire.app.kit.controls.form_parts import Section
from gradwire.app.look.glossary import Term, explained, meaning


@pytest.fixture
def _german(qapp: QCoreApplication) -> Iterator[None]:
    german = catalogue("de")
    qapp.installTranslator(german)
    yield
    qapp.removeTranslator(german)


@pytest.mark.parametrize("term", Term)
def test_every_term_has_one_sentence(term: Term) -> None:
    assert meaning(term).endswith(".") and "\n" not in meaning(term)


@pytest.mark.usefixtures("_german")
def test_terms_are_explained_in_german() -> None:
    assert meaning(Term.SCALAR_SHAPE) == "Form: die Größe jeder Achse; [] ist ein Skalar, eine einzelne Zahl."


def test_a_tip_of_its_own_stands_above_the_sentence(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    explained(widget, Term.SEED, tip="Loss")
    assert widget.toolTip() == "Loss\nSeed: backpropagation starts at the loss with ∂L/∂L = 1."
    assert widget.accessibleDescription() == "Seed: backpropagation starts at the loss with ∂L/∂L = 1."


def test_the_name_of_a_row_explains_its_term(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    section = Section("", parent, "section")
    section.add_row("Shape", ReadField("shape", section), Term.SCALAR_SHAPE)
    name = section.findChild(QLabel, "label_shape")
    assert name is not None and name.toolTip() == f"Shape\n{meaning(Term.SCALAR_SHAPE)}"
