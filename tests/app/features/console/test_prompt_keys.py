"""The keys of the prompt: its history, its completion, and what Escape does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.console.console_prompt import ConsolePrompt

UP, DOWN, ESCAPE, TAB = Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Escape, Qt.Key.Key_Tab


@pytest.fixture
def prompt(qtbot: QtBot) -> ConsolePrompt:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = ConsolePrompt(lambda: {"main/exp.y", "main/exp.x", "main/two.y"}, parent)
    made.keep = parent  # type: ignore[attr-defined]  # Qt deletes it with its parent
    made.history = ("first", "second")
    return made


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ((UP,), "second"),
        ((UP, UP), "first"),
        ((UP, UP, UP), "first"),
        ((DOWN,), "draft"),
        ((UP, DOWN), "draft"),
        ((UP, UP, DOWN), "second"),
        ((UP, UP, UP, DOWN, DOWN), "draft"),
        ((UP, UP, DOWN, DOWN, DOWN, UP), "second"),
        ((ESCAPE,), ""),
        ((UP, UP, ESCAPE, UP), "second"),
    ],
)
def test_arrows_recall_lines_and_come_back_to_what_was_typed(
    prompt: ConsolePrompt, keys: tuple[Qt.Key, ...], text: str
) -> None:
    QTest.keyClicks(prompt, "draft")
    for key in keys:
        QTest.keyClick(prompt, key)
    assert prompt.text() == text


def test_a_recalled_line_that_is_changed_is_a_new_draft(prompt: ConsolePrompt) -> None:
    QTest.keyClick(prompt, UP)
    QTest.keyClick(prompt, UP)
    QTest.keyClicks(prompt, "!")
    QTest.keyClick(prompt, UP)
    assert prompt.text() == "second"
    QTest.keyClick(prompt, DOWN)
    assert prompt.text() == "first!"


def test_escape_leaves_only_an_empty_prompt(prompt: ConsolePrompt) -> None:
    heard: list[str] = []
    prompt.cancelled.connect(lambda: heard.append("left"))
    QTest.keyClicks(prompt, "a")
    QTest.keyClick(prompt, ESCAPE)
    assert heard == []
    QTest.keyClick(prompt, ESCAPE)
    assert heard == ["left"]


def test_tab_completes_at_the_cursor_or_offers_choices(prompt: ConsolePrompt) -> None:
    offered: list[tuple[str, ...]] = []
    prompt.choices_found.connect(offered.append)
    prompt.setText('value("main/t")')
    prompt.setCursorPosition(13)
    QTest.keyClick(prompt, TAB)
    assert (prompt.text(), prompt.cursorPosition()) == ('value("main/two.y")', 17)
    QTest.keyClick(prompt, TAB)
    assert offered == []
    prompt.setText('value("main/exp.')
    QTest.keyClick(prompt, TAB)
    assert offered == [("main/exp.x", "main/exp.y")] and prompt.text() == 'value("main/exp.'


@pytest.mark.parametrize(("text", "lines"), [("a", []), ("a\nb", ["a\nb"]), ("a\n", ["a\n"])])
def test_lines_that_are_pasted_are_entered_at_once(prompt: ConsolePrompt, text: str, lines: list[str]) -> None:
    entered: list[str] = []
    prompt.entered.connect(entered.append)
    prompt.setText(text)
    assert entered == lines and prompt.text() == ("" if lines else text)
    QTest.keyClick(prompt, Qt.Key.Key_Return)
    assert entered[-1] == ("" if lines else "a")
