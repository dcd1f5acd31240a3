"""The entries of the console as text: how a run ended, names to choose from, and answers."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtCore import QLocale

from gradwire.app.features.console.console import Choices, Ended, Entry
from gradwire.app.features.console.console_line import ConsoleAnswer, ConsoleLine
from gradwire.app.features.console.console_texts import answer_text, clock_text, entry_parts

AT = datetime(2026, 1, 2, 14, 3, 5)


@pytest.fixture(autouse=True)
def locale() -> object:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("entry", "parts"),
    [
        (Ended(AT, None, False), [("The evaluation was stopped; restarted.", "warn")]),
        (
            Ended(AT, 0, True),
            [
                (
                    "The evaluation ended (exit code 0); restarted. Names defined in the console were lost.",
                    "warn",
                )
            ],
        ),
        (Ended(AT, 3, False, 'Exp "e"'), [('The evaluation ended at Exp "e" (exit code 3); restarted.', "warn")]),
        (ConsoleLine(1, "x + 1"), [(">>> x + 1", "accent")]),
        (Choices(("a", "b")), [("a   b", "text.secondary")]),
        (Choices(tuple("n" * 40)), [("   ".join("n" * 40), "text.secondary")]),
        (Choices(tuple("n" * 42)), [("   ".join("n" * 40) + "   and 2 more", "text.secondary")]),
        (ConsoleAnswer(), []),
        (ConsoleAnswer("2"), [("2", "text.primary")]),
        (
            ConsoleAnswer("22", 1),
            [("22", "text.primary"), ("… 1 more letter is not shown.", "text.secondary")],
        ),
        (ConsoleAnswer(error="KeyError"), [("KeyError", "error")]),
        (
            ConsoleAnswer(error="SyntaxError", message="It is odd.", column=3),
            [("SyntaxError: It is odd. (column 3)", "error")],
        ),
    ],
)  # fmt: skip
def test_an_entry_is_lines_in_their_colours(entry: Entry, parts: list[tuple[str, str]]) -> None:
    found = [(part.text.removeprefix("14:03:05  "), part.token) for part in entry_parts(entry)]
    assert found == parts


def test_a_clock_has_seconds_in_the_format_of_the_locale() -> None:
    assert clock_text(AT) == "14:03:05"
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    assert clock_text(AT).replace("\u202f", " ") == "2:03:05 PM"


def test_an_answer_is_one_text_for_screen_readers() -> None:
    assert answer_text(ConsoleAnswer("2", 5, "KeyError")) == "2\n… 5 more letters are not shown.\nKeyError"
