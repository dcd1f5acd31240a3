"""A console without a window: its entries, what it keeps of them, the view of them, and the strip around its prompt."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.console import console as module
from gradwire.app.features.console import console_lens
from gradwire.app.features.console.console import Choices, Console, Ended, Entry
from gradwire.app.features.console.console_lens import ConsoleLens
from gradwire.app.features.console.console_line import ConsoleAnswer, ConsoleLine
from gradwire.app.features.console.console_log import ConsoleLog
from gradwire.app.features.console.console_prompt import ConsolePrompt
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.process.evaluator import Died, InlineEvaluator
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.edits import edits
from tests.app.hidden import hide


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(gw.graph(gw.Loss(gw.Square(gw.Input(np.array(3.0), name="x"), name="q"))), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


@pytest.fixture
def console(session: Session) -> Console:
    return session.part(Console)


def test_a_closed_session_goes_with_its_console(qapp: QApplication) -> None:
    session = Session(gw.graph(gw.Loss(gw.Input(np.array(3.0), name="x"))), InlineEvaluator)
    session.part(Console)
    session.close()
    known = weakref.ref(session)
    del session
    gc.collect()
    assert known() is None


def told(console: Console) -> list[str]:
    """Each entry in a word or two: its text, its output, its error, or its kind."""
    found = []
    for entry in console.entries:
        match entry:
            case ConsoleLine():
                found.append(entry.text)
            case ConsoleAnswer():
                found.append(entry.output or entry.error)
            case _:
                found.append(type(entry).__name__)
    return found


def test_runs_write_nothing(console: Console, session: Session, qtbot: QtBot) -> None:
    session.apply("Set", edits.set_parameter, "main", "x", "value", np.array(np.nan))
    qtbot.waitUntil(lambda: session.results is not None and bool(session.results.nonfinite_wires))
    assert told(console) == [] and console.asked is None and not console.is_slow


def test_lines_are_answered_one_after_the_other(console: Console, qtbot: QtBot) -> None:
    heard: list[int] = []
    console.changed.connect(lambda: heard.append(len(console.entries)))
    console.run("a = 2\n\n  a + 1\n1 / 0\n")
    qtbot.waitUntil(lambda: console.asked is None)
    # A line that prints nothing has no answer.
    assert told(console) == ["a = 2", "a + 1", "3", "1 / 0", "ZeroDivisionError"]
    assert heard == [1, 2, 3, 4, 5]
    assert list(console.history) == ["a = 2", "a + 1", "1 / 0"]
    assert [entry.number for entry in console.entries if isinstance(entry, ConsoleLine)] == [1, 2, 3]
    assert not console._patience.isActive()


def test_nothing_typed_asks_nothing(console: Console) -> None:
    console.run(" \n\n")
    assert told(console) == [] and not console.history and console.asked is None


@pytest.fixture
def silent(console: Console, session: Session, monkeypatch: pytest.MonkeyPatch) -> Console:
    """A console whose lines are never answered."""
    monkeypatch.setattr(session, "ask", lambda *_, **__: None)
    return console


def test_a_line_that_takes_long_is_slow_until_it_is_answered(silent: Console) -> None:
    heard: list[bool] = []
    silent.run("a\nb")
    assert silent.asked is not None and told(silent) == ["a"]
    assert silent._patience.isActive() and silent._patience.interval() == 3000 == module.PATIENCE_MS
    silent._patience.stop()
    silent._set_slow(True)
    silent._set_slow(True)
    assert silent.is_slow
    silent.changed.connect(lambda: heard.append(silent.is_slow))
    first = silent.asked
    assert first is not None
    other = ConsoleLine(9, "a")
    silent._take_reply(Reply(other, 0, ConsoleAnswer("1")))
    assert silent.asked is first and heard == []
    # The next line does not wait anew: the user already knows.
    silent._take_reply(Reply(first, 0, ConsoleAnswer()))
    assert told(silent) == ["a", "b"] and heard == [True] and not silent._patience.isActive()
    assert silent.asked is not None
    silent._take_reply(Reply(silent.asked, 0, ConsoleAnswer("", error="KeyError")))
    assert told(silent) == ["a", "b", "KeyError"] and not silent.is_slow and silent.asked is None
    silent._take_reply(Reply(first, 0, ConsoleAnswer("late")))
    assert told(silent)[-1] == "KeyError"


def test_a_waiting_line_does_not_begin_its_patience_anew(silent: Console) -> None:
    silent.run("a")
    assert silent._patience.isActive()
    silent._patience.start(77)
    first = silent.asked
    silent.run("b")
    assert silent.asked is first and silent._patience.interval() == 77
    assert first is not None
    silent._take_reply(Reply(first, 0, ConsoleAnswer()))
    assert silent.asked is not None and silent.asked.text == "b" and silent._patience.interval() == 77


def test_the_end_of_the_evaluator_ends_all_lines(silent: Console) -> None:
    silent._end(Died(7, "main/q"))
    (ended,) = [entry for entry in silent.entries if isinstance(entry, Ended)]
    assert (ended.code, ended.has_lost_names, ended.running) == (7, False, 'Square "q"')
    silent.run("a\nb")
    silent.stop()
    last = silent.entries[-1]
    assert isinstance(last, Ended)
    assert (last.code, last.has_lost_names, last.running) == (None, True, "")
    assert silent.asked is None and not silent._waiting and not silent._patience.isActive()
    assert told(silent) == ["Ended", "a", "Ended"]


def test_a_line_knows_what_is_hidden_from_it(
    silent: Console, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(session, GradientMask())
    silent.run("a")
    assert silent.asked is not None and silent.asked.hidden == "Step mode has not reached it yet."
    other = Session(gw.graph(gw.Input(1.0)), InlineEvaluator)
    monkeypatch.setattr(other, "ask", lambda *_, **__: None)
    fresh = other.part(Console)
    fresh.run("a")
    assert fresh.asked is not None and fresh.asked.hidden == ""
    other.close()


def test_only_the_newest_lines_are_kept(silent: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer counts its lines, anything else one."""
    assert (module.LINES_SHOWN, module.LINES_TYPED, silent.history.maxlen) == (400, 400, 400)
    silent.clear()
    assert told(silent) == []
    monkeypatch.setattr(module, "LINES_SHOWN", 6)
    silent._add(ConsoleAnswer("-1\n0\n0"))
    silent._add(ConsoleAnswer("1\n2"))
    silent.offer(("x", "y"))
    assert told(silent) == ["-1\n0\n0", "1\n2", "Choices"]
    silent.offer(("z",))
    assert told(silent) == ["1\n2", "Choices", "Choices"]
    silent._add(ConsoleAnswer("3\n4\n5\n6\n7\n8\n9"))
    assert told(silent) == ["3\n4\n5\n6\n7\n8\n9"]
    assert silent.entries[-1] == ConsoleAnswer("3\n4\n5\n6\n7\n8\n9")


@pytest.fixture
def log(qtbot: QtBot) -> ConsoleLog:
    """A log in which five lines have room."""
    made = ConsoleLog(Appearance("dark"), None)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.resize(300, made.fontMetrics().lineSpacing() * 5 + 12)
    made.show()
    return made


ANSWERS: list[Entry] = [ConsoleAnswer(f"{n}\n{n} again") for n in range(8)]


def text(log: ConsoleLog) -> list[str]:
    return [line.strip() for line in log.toPlainText().splitlines()]


def lines(*numbers: int) -> list[str]:
    return [line for n in numbers for line in (f"{n}", f"{n} again")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (range(3), range(5)),
        (range(3), range(3)),
        (range(5), range(2, 7)),
        (range(3), range(4, 6)),
        (range(4), range(0)),
        (range(0), range(2)),
        (range(1), range(1, 2)),
    ],
)
def test_a_log_shows_the_entries_that_there_are(log: ConsoleLog, first: range, second: range) -> None:
    for numbers in (first, second):
        log.show_entries([ANSWERS[n] for n in numbers])
        assert text(log) == lines(*numbers)
        assert [(entry, size) for entry, size in log._shown] == [(ANSWERS[n], 2) for n in numbers]


def test_a_log_stays_at_its_end_or_where_it_is_read(log: ConsoleLog) -> None:
    bar = log.verticalScrollBar()
    log.show_entries(ANSWERS[:6])
    assert bar.value() == bar.maximum() > 0
    bar.setValue(3)
    log.show_entries(ANSWERS)
    assert bar.value() == 3 < bar.maximum()
    log.go_to_end()
    assert bar.value() == bar.maximum()


def test_a_selection_is_as_long_as_before_and_nothing_scrolls(log: ConsoleLog) -> None:
    log.show_entries(ANSWERS[:6])
    cursor = log.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
    log.setTextCursor(cursor)
    chosen = log.textCursor().selectedText()
    bar = log.verticalScrollBar()
    bar.setValue(2)
    log.show_entries(ANSWERS[:7])
    assert log.textCursor().selectedText() == chosen == lines(5)[1]
    assert (log.textCursor().anchor() > log.textCursor().position(), bar.value()) == (True, 2)


def test_a_selection_stays_as_the_first_entries_go(log: ConsoleLog) -> None:
    log.show_entries(ANSWERS[:5])
    cursor = log.textCursor()
    cursor.setPosition(log.document().findBlockByNumber(6).position())
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    log.setTextCursor(cursor)
    assert cursor.selectedText().strip() == "3"
    log.show_entries(ANSWERS[2:7])
    assert log.textCursor().selectedText().strip() == "3" and text(log) == lines(2, 3, 4, 5, 6)


def test_a_log_wears_the_colours_of_the_theme(qtbot: QtBot) -> None:
    appearance = Appearance("dark")
    log = ConsoleLog(appearance, None)  # type: ignore[arg-type]
    qtbot.addWidget(log)
    log.show_entries([ConsoleAnswer("", error="KeyError", message="'q'"), *ANSWERS[:2]])
    for choice in ("dark", "light"):
        appearance.choose(choice)
        inks = [
            log.document().findBlockByNumber(n).begin().fragment().charFormat().foreground().color() for n in (0, 1)
        ]
        assert inks == [appearance.theme.color("error"), appearance.theme.color("text.primary")]
        assert text(log)[1:] == lines(0, 1)


@pytest.fixture
def lens(session: Session, qtbot: QtBot) -> ConsoleLens:
    made = ConsoleLens(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    qtbot.addWidget(made.controls)
    made.show()
    made.refresh()
    return made


def child(lens: ConsoleLens, name: str) -> QPushButton:
    found = lens.findChild(QPushButton, name) or lens.controls.findChild(QPushButton, name)  # type: ignore[union-attr]
    assert isinstance(found, QPushButton)
    return found


def test_help_stands_there_until_a_line_is_typed(lens: ConsoleLens, console: Console, qtbot: QtBot) -> None:
    said, prompt = lens.findChild(QLabel, "console_help"), lens.findChild(ConsolePrompt)
    assert isinstance(said, QLabel) and isinstance(prompt, ConsolePrompt)
    assert said.isVisible() and 'grad("main/x.y", "main/q.x") is the gradient of a wire' in said.text()
    QTest.keyClicks(prompt, "1 + 1")
    QTest.keyClick(prompt, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: console.asked is None)
    lens.refresh()
    assert not said.isVisible() and prompt.history is console.history and list(prompt.history) == ["1 + 1"]
    child(lens, "console_clear").click()
    lens.refresh()
    assert not console.entries and not child(lens, "console_clear").isEnabled() and lens._log.toPlainText() == ""


def test_a_slow_line_can_be_stopped_by_a_button_and_by_escape(lens: ConsoleLens, silent: Console) -> None:
    stop, prompt = child(lens, "console_stop"), lens.findChild(ConsolePrompt)
    for end in (stop.click, lambda: QTest.keyClick(prompt, Qt.Key.Key_Escape)):
        silent.run("a")
        lens.refresh()
        assert not stop.isVisible() and not lens._slow.isVisible()
        QTest.keyClick(prompt, Qt.Key.Key_Escape)
        assert silent.asked is not None
        silent._set_slow(True)
        lens.refresh()
        assert stop.isVisible() and lens._slow.isVisible()
        end()
        lens.refresh()
        assert silent.asked is None and not stop.isVisible()
        assert isinstance(silent.entries[-1], Ended)


def test_an_answer_is_spoken_once_and_not_for_ever(
    lens: ConsoleLens, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken: list[tuple[str, bool]] = []
    monkeypatch.setattr(console_lens, "announce", lambda _, said, is_urgent: spoken.append((said, is_urgent)))
    for entry in (ConsoleAnswer("7"), Choices(("x",)), ConsoleAnswer("9" * 301)):
        console._add(entry)
        lens.refresh()
        lens.refresh()
    assert spoken == [("7", False), ("9" * 300, False)]


def test_letters_grow_with_the_texts(session: Session, qtbot: QtBot) -> None:
    appearance = Appearance("dark")
    appearance.text_scale = 1.5
    lens = ConsoleLens(CurrentSession(session), appearance)
    qtbot.addWidget(lens)
    assert {widget.font().pixelSize() for widget in (lens._prompt, lens._sign, lens._log)} == {18}
    appearance.text_scale = 1.0
    lens.changeEvent(QEvent(QEvent.Type.EnabledChange))
    assert {widget.font().pixelSize() for widget in (lens._prompt, lens._sign, lens._log)} == {18}
    lens.changeEvent(QEvent(QEvent.Type.StyleChange))
    assert {widget.font().pixelSize() for widget in (lens._prompt, lens._sign, lens._log)} == {12}
