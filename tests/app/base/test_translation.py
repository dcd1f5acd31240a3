"""Texts and sentences in another language."""

from __future__ import annotations

import gc
import json
import re
import weakref
from collections.abc import Iterator
from datetime import date, datetime

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtGui import QKeySequence
from pytestqt.qtbot import QtBot

from gradwire.app.base.translation import FOLDER, Catalogue, catalogue, tr, tr_count, tr_sentence
from gradwire.app.features.welcome.page_parts import time_text
from gradwire.app.kit.controls.parameter_text import value_text
from gradwire.app.look.numbers import fmt, fmt_list
from gradwire.blocks.support.conventions import CONVENTIONS
from gradwire.engine.autodiff.expand import broken_sentence, reason_surplus
from gradwire.engine.base.system_reasons import REASONS
from gradwire.engine.graph.graph import Port, Wire
from tests.app.base.test_words import found_in
from tests.app.spoken import not_written_out, sentences, texts, untranslated

FIELDS = re.compile(r"\{\w+\}")


def tables(code: str) -> dict[str, dict[str, str]]:
    return json.loads((FOLDER / f"{code}.json").read_text(encoding="utf-8"))


def known(table: dict[str, str]) -> set[str]:
    """Returns the sentences with a translation, with and without capital and full stop."""
    return {form for text in table for plain in (text, text[:1].upper() + text[1:]) for form in (plain, plain + ".")}


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
def test_what_the_catalogue_does_not_have_is_left_to_qt() -> None:
    assert QKeySequence("Ctrl+Del").toString(QKeySequence.SequenceFormat.NativeText) == "Ctrl+Del"


@pytest.mark.usefixtures("_german")
def test_a_text_without_translation_stays_english() -> None:
    assert tr("Open {name}", name="a.graph") == "Open a.graph"


def test_an_empty_translation_is_none(qtbot: QtBot) -> None:
    german = Catalogue({"Save": "", "Add {type}": "{type} dazu"}, {})
    QCoreApplication.installTranslator(german)
    assert (tr("Save"), tr("Add {type}", type="<Exp>"), tr_sentence("Odd.")) == ("Save", "<Exp> dazu", "Odd.")
    QCoreApplication.removeTranslator(german)


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


@pytest.mark.usefixtures("_german")
def test_a_sentence_keeps_its_capital_and_its_full_stop() -> None:
    assert tr_sentence("Axis 2 is not in x.") == "X hat keine Achse 2."


def test_no_text_of_the_window_stays_english() -> None:
    assert not untranslated()


def test_every_text_can_be_found_by_translators() -> None:
    tables = {"self.text", "part", "command.tip", "title"}
    tables |= {"self.title", "term.value"}
    categories = {"block_type.category", "item.category", "self._type.category"}
    categories |= {"shape.type.category"}
    causes, by_number = {"cause.word", "cause.clause"}, {"one if count == 1 else many"}
    causes |= {"CAUSE_LOOKS[cause].because"}
    fields = ("label", "word", "name", "spoken", "sentence", "help", "step")
    statuses = {"LOOKS[found.status].about", *(f"LOOKS[status].{field}" for field in fields)}
    checks = {"SAID[verdict].word", "said.one", "said.several"}
    assert not_written_out() == tables | categories | causes | statuses | checks | by_number
    assert {"Go to bookmark {number}", "Move left by 1", "Plain wires", "Text size", "Elementwise"} <= texts()


@pytest.fixture
def _whole_german(qtbot: QtBot) -> Iterator[None]:
    before, german = QLocale(), catalogue("de")
    QLocale.setDefault(QLocale("de"))
    QCoreApplication.installTranslator(german)
    yield
    QCoreApplication.removeTranslator(german)
    QLocale.setDefault(before)


@pytest.mark.usefixtures("_whole_german")
def test_german_numbers_have_a_comma_and_points_between_thousands() -> None:
    assert (fmt(0.5), fmt(-2.1e-5), fmt_list([0.14, -2.0])) == ("0,5", "−2,1e−5", "0,14 −2")
    assert tr_count("{count} wire", "{count} wires", 12345) == "12.345 Leitungen"


@pytest.mark.usefixtures("_whole_german")
def test_lists_of_numbers_to_edit_keep_the_point() -> None:
    assert value_text([0.5, 2.0]) == "[0.5, 2]"


@pytest.mark.usefixtures("_whole_german")
def test_german_dates_have_a_point_after_the_day() -> None:
    assert time_text(datetime(2026, 3, 1, 14, 2), date(2026, 3, 1)) == "heute, 14:02"
    assert time_text(datetime(2026, 3, 1, 14, 2), date(2026, 3, 9)) == "1. März"
    assert time_text(datetime(2024, 11, 18, 14, 2), date(2026, 3, 9)) == "18. Nov. 2024"


@pytest.mark.usefixtures("_whole_german")
def test_german_has_its_own_quotation_marks_around_the_name_of_a_block() -> None:
    assert tr_sentence('Exp "e"') == "Exp „e“"


@pytest.mark.usefixtures("_whole_german")
@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            'Exp "e" makes inf at element 0: exp(1000) = inf, since 1000 > 709.78, the largest argument in float64.',
            "Exp „e“ ergibt inf bei Element 0: exp(1000) = inf, denn 1000 > 709.78, das größte Argument in float64.",
        ),
        (
            'Log "l" makes the gradient of x NaN at element [0, 1]: log\'(0) = inf, and 0 × inf = NaN.',
            "Log „l“ macht den Gradienten von x zu NaN bei Element [0, 1]: log'(0) = inf, und 0 × inf = NaN.",
        ),
        (
            'Norm "n" makes the gradient of x NaN: its value is 0, and in its derivative 1 / 0 = inf.',
            "Norm „n“ macht den Gradienten von x zu NaN: sein Wert ist 0, und in seiner Ableitung ist 1 / 0 = inf.",
        ),
        (
            'Pow "p" makes the gradient of x inf: the derivative of 0 ^ 0.5 by x is inf.',
            "Pow „p“ macht den Gradienten von x zu inf: die Ableitung von 0 ^ 0.5 nach x ist inf.",
        ),
        ('Input "x" holds NaN at element 1.', "Input „x“ enthält NaN bei Element 1."),
    ],
)
def test_german_says_where_nan_comes_from(english: str, german: str) -> None:
    assert tr_sentence(english) == german


@pytest.mark.long
def test_the_sentences_of_the_conventions_are_among_those_to_translate() -> None:
    spoken = {rule.sentence for item in CONVENTIONS for rule in item.rules} | {item.point for item in CONVENTIONS}
    assert spoken
    assert spoken <= sentences()


def test_german_knows_every_sentence_of_the_engine() -> None:
    assert not sentences() - known(tables("de")["sentences"])


@pytest.mark.usefixtures("_whole_german")
@pytest.mark.parametrize("reason", sorted(set(REASONS.values())))
def test_german_says_why_a_file_cannot_be_written(reason: str) -> None:
    said = tr_sentence(f'"a.graph" cannot be written: {reason}.')
    assert said.startswith("„a.graph“ lässt sich nicht schreiben: ")
    assert reason not in said


@pytest.mark.usefixtures("_whole_german")
def test_german_says_why_a_second_wire_leads_nowhere() -> None:
    wire = Wire(Port("x", "y"), Port("z", "y"))
    said = tr_sentence(broken_sentence(wire, reason_surplus(wire)))
    assert said == "Die Leitung von x.y nach z.y ist nicht verbunden: mit z.y ist schon eine andere Leitung verbunden."


def test_german_knows_every_text_of_the_window_and_no_other() -> None:
    assert texts() ^ tables("de")["texts"].keys() == set()


def test_texts_of_the_window_use_the_terms_of_the_field() -> None:
    assert len(texts()) > 1000
    assert not {text for text in texts() if found_in(text)}


def test_sentences_of_the_engine_use_the_terms_of_the_field() -> None:
    assert len(sentences()) > 500
    assert not {text for text in sentences() if found_in(text)}


@pytest.mark.parametrize("code", ["de"])
def test_a_catalogue_is_sorted_as_it_is_written(code: str) -> None:
    text = (FOLDER / f"{code}.json").read_text(encoding="utf-8")
    ordered = {name: dict(sorted(table.items())) for name, table in tables(code).items()}
    assert text == json.dumps(ordered, ensure_ascii=False, indent=1) + "\n"


@pytest.mark.parametrize("table", ["texts", "sentences"])
def test_german_fills_in_what_english_fills_in(table: str) -> None:
    for english, german in tables("de")[table].items():
        assert sorted(FIELDS.findall(english)) == sorted(FIELDS.findall(german)), english


def test_without_a_catalogue_everything_is_english(qtbot: QtBot) -> None:
    assert tr("Save") == "Save"
    assert tr_sentence("axis 2 is not in x") == "axis 2 is not in x"


def test_a_catalogue_goes_with_its_last_reference() -> None:
    """Checks that references alone free a catalogue.

    The garbage collector could free it in the middle of a translation, which would cause a deadlock.
    """
    german = Catalogue({}, {"{0} is wrong": "{0} ist falsch"})
    assert german.translate("sentences", "x is wrong") == "x ist falsch"
    kept = weakref.ref(german)
    gc.disable()
    try:
        del german
        assert kept() is None
    finally:
        gc.enable()


def test_three_dots_at_the_end_of_a_sentence_are_no_full_stop() -> None:
    german = Catalogue({}, {"reading {0}...": "{0} wird gelesen..."})
    assert german.translate("sentences", "Reading x...") == "X wird gelesen..."
    assert german.translate("sentences", "Reading x.") is None


@pytest.mark.parametrize(
    ("english", "other"),
    [
        ("There is no b.", "Kein b."), ("there is no b", "kein b"), ("x is y of z", "z hat y von x"),
        ("X is y of z", "Z hat y von x"), ("x is y of z.", "Z hat y von x."), ("z is y of z.", "z hat y von z."),
        ("what is this?", ""), ("There is no line\nb.", "Kein line\nb."),
        ("there is no x is y of z", "kein z hat y von x"),
    ],
)  # fmt: skip
def test_sentences_are_told_as_they_are_dressed(english: str, other: str) -> None:
    table = {"there is no {0}": "kein {0}", "{0} is {1} of {2}": "{2} hat {1} von {0}"}
    found = Catalogue({"there is no b": "text"}, table)
    assert (found.translate("sentences", english) or "") == other
    assert found.translate("buttons", english) is None
    assert not found.isEmpty() and Catalogue({}, {}).isEmpty()
