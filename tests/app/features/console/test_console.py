"""The console: the answers to lines of Python, and stopping."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton

from gradwire.app.base.examples import example_path
from gradwire.app.base.translation import catalogue
from gradwire.app.features.console import console as console_module
from gradwire.app.features.console.console import Console
from gradwire.app.features.console.console_prompt import ConsolePrompt
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.engine.graph.graph import Graph
from tests.app.hidden import hide
from tests.app.window.driver import Driver, Key, Mod

pytestmark = pytest.mark.long

GENERATED = Key.Key_QuoteLeft


@pytest.fixture
def console(user: Driver) -> Driver:
    """The stable softmax with its console open and the keyboard focus in the prompt."""
    return opened(user)


def opened(user: Driver) -> Driver:
    user.open(example_path("softmax_stable"))
    QTest.keyClick(user.window, GENERATED, Mod.ControlModifier)
    user.settle()
    return user


def prompt(user: Driver) -> ConsolePrompt:
    return user.child(ConsolePrompt, "console_prompt")


def log(user: Driver) -> QPlainTextEdit:
    return user.child(QPlainTextEdit, "console_log")


def lines(user: Driver) -> list[str]:
    user.settle()
    return log(user).toPlainText().splitlines()


def type_line(user: Driver, text: str) -> None:
    QTest.keyClicks(prompt(user), text)
    QTest.keyClick(prompt(user), Key.Key_Return)
    user.settle()


def press(user: Driver, *keys: Qt.Key) -> str:
    for key in keys:
        QTest.keyClick(prompt(user), key)
    user.settle()
    return prompt(user).text()


def test_its_key_opens_it_with_the_keyboard_in_the_prompt(console: Driver) -> None:
    assert console.window.parts.panels.bottom.shown == "console"
    assert prompt(console).hasFocus()
    assert lines(console) == []


def test_f6_comes_to_the_prompt(console: Driver) -> None:
    console.canvas.setFocus()
    seen = []
    # The console, the status line, the bar, and the canvas again.
    for _ in range(4):
        QTest.keyClick(console.window, Key.Key_F6)
        seen.append(prompt(console).hasFocus())
    assert seen.count(True) == 1


def test_an_empty_console_says_what_can_be_typed(console: Driver) -> None:
    said = console.child(QLabel, "console_help")
    assert said.isVisible() and 'grad("main/x.y", "main/m.x")' in said.text()
    type_line(console, 'grad("main/x.y", "main/m.x")')
    assert not said.isVisible() and lines(console)[-1] == "array([0., 0., 0.])"


def test_an_answer_stands_below_its_line(console: Driver) -> None:
    type_line(console, 'value("main/x.y") * 2')
    assert lines(console)[-2:] == ['>>> value("main/x.y") * 2', "array([2., 6., 6.])"]
    assert prompt(console).text() == ""


def test_an_error_is_one_line_with_its_place(console: Driver) -> None:
    type_line(console, "np.sin(")
    assert lines(console)[-1] == "SyntaxError: '(' was never closed (column 7)"
    type_line(console, "1 / 0")
    assert lines(console)[-1] == "ZeroDivisionError: division by zero"
    type_line(console, 'value("main/q.y")')
    assert lines(console)[-1].startswith('NameUnknownError: There is no port "main/q.y" in this run;')


def test_up_and_down_go_through_the_lines_before(console: Driver) -> None:
    for text in ("1 + 1", "2 + 2"):
        type_line(console, text)
    QTest.keyClicks(prompt(console), "3")
    up, down = Key.Key_Up, Key.Key_Down
    assert [press(console, key) for key in (up, up, up, down, down, down)] == [
        "2 + 2", "1 + 1", "1 + 1", "2 + 2", "3", "3",
    ]  # fmt: skip


def test_tab_completes_a_name_and_lists_what_it_may_become(console: Driver) -> None:
    QTest.keyClicks(prompt(console), 'value("mai')
    assert press(console, Key.Key_Tab) == 'value("main/'
    press(console, Key.Key_Tab)
    assert "main/x.y" in lines(console)[-1].split()
    QTest.keyClicks(prompt(console), "x.")
    assert press(console, Key.Key_Tab) == 'value("main/x.y'
    assert prompt(console).hasFocus()


def test_tab_leaves_an_empty_prompt_and_escape_empties_it(console: Driver) -> None:
    QTest.keyClicks(prompt(console), "abc")
    assert press(console, Key.Key_Escape) == ""
    press(console, Key.Key_Tab)
    assert not prompt(console).hasFocus()


def test_pasted_lines_are_run_one_by_one(console: Driver) -> None:
    QGuiApplication.clipboard().setText("a = 2\n\n  a + 1\nprint(a)")
    QTest.keyClick(prompt(console), Key.Key_V, Mod.ControlModifier)
    assert lines(console)[-5:] == [">>> a = 2", ">>> a + 1", "3", ">>> print(a)", "2"]
    assert prompt(console).text() == ""


def test_nothing_typed_changes_the_graph(console: Driver) -> None:
    before = console.graph
    for text in (
        "graph.page('main').blocks.clear()",
        "graph.page('main').blocks['x'].parameters['value'][...] = 9",
        "graph.loss = None",
        "a = value('main/x.y'); a[...] = 9",
    ):
        type_line(console, text)
    type_line(console, "value('main/x.y')")
    assert lines(console)[-1] == "array([1., 3., 3.])"
    assert console.graph is before and console.session.document.undo_text is None
    console.session.evaluate()
    type_line(console, "value('main/x.y')")
    assert lines(console)[-1] == "array([1., 3., 3.])"


def test_what_is_written_can_be_selected_and_copied(console: Driver) -> None:
    type_line(console, "'copied'")
    log(console).setFocus()
    cursor = log(console).textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
    log(console).setTextCursor(cursor)
    console.session.part(Console).offer(("x",))
    console.settle()
    QTest.keyClick(log(console), Key.Key_C, Mod.ControlModifier)
    assert QGuiApplication.clipboard().text() == "'copied'"
    QTest.keyClicks(log(console), "typed")
    assert "typed" not in log(console).toPlainText()


def test_a_button_clears_the_log_and_keeps_the_names(console: Driver) -> None:
    type_line(console, "a = 5")
    console.child(QPushButton, "console_clear").click()
    assert lines(console) == []
    type_line(console, "a")
    assert lines(console) == [">>> a", "5"]


def test_hidden_gradients_are_not_told(console: Driver) -> None:
    hide(console.session, GradientMask())
    type_line(console, 'grad("main/x.y")')
    assert lines(console)[-1] == "NameUnknownError: Step mode has not reached it yet."
    type_line(console, 'value("main/x.y")')
    assert lines(console)[-1] == "array([1., 3., 3.])"
    hide(console.session, None)


def test_each_document_has_a_console_of_its_own(console: Driver) -> None:
    type_line(console, "a = 5")
    console.show(Graph())
    # What was open closes with its document.
    QTest.keyClick(console.window, GENERATED, Mod.ControlModifier)
    assert not any("a = 5" in line for line in lines(console))
    type_line(console, "a")
    assert lines(console)[-1] == "NameError: name 'a' is not defined"


def test_old_lines_go(console: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = 120
    monkeypatch.setattr(console_module, "LINES_SHOWN", kept)
    for _ in range(kept + 5):
        console.session.part(Console).offer(("x",))
    assert lines(console) == ["x"] * kept
    type_line(console, "for i in range(100): print(i)")
    assert len(lines(console)) == kept and lines(console)[-1] == "99"
    assert lines(console).count("x") == kept - 101


@pytest.fixture
def _german() -> Iterator[None]:
    before, german = QLocale(), catalogue("de")
    QLocale.setDefault(QLocale("de"))
    QCoreApplication.installTranslator(german)
    yield
    QCoreApplication.removeTranslator(german)
    QLocale.setDefault(before)


@pytest.mark.usefixtures("_german")
def test_it_speaks_german_and_numpy_keeps_its_points(user: Driver) -> None:
    opened(user)
    type_line(user, 'value("main/q.y") + 0.5')
    assert "keinen Port „main/q.y“" in lines(user)[-1]
    type_line(user, "0.5")
    assert lines(user)[-1] == "0.5"


def test_an_endless_line_can_be_stopped(live_user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_module, "PATIENCE_MS", 50)
    user = opened(live_user)
    user.qtbot.waitUntil(lambda: user.session.results is not None, timeout=20_000)
    type_line(user, "a = 1")
    user.qtbot.waitUntil(lambda: user.session.part(Console).asked is None, timeout=20_000)
    type_line(user, "while True: pass")
    stop = user.child(QPushButton, "console_stop")
    user.qtbot.waitUntil(stop.isVisible, timeout=20_000)
    QTest.mouseClick(stop, Qt.MouseButton.LeftButton)
    user.settle()
    assert not stop.isVisible() and prompt(user).hasFocus()
    assert lines(user)[-1].endswith(
        "The evaluation was stopped; restarted. Names defined in the console were lost."
    )  # fmt: skip
    type_line(user, 'value("main/x.y")')
    user.qtbot.waitUntil(lambda: lines(user)[-1].startswith("array"), timeout=20_000)
    assert lines(user)[-1] == "array([1., 3., 3.])"
    type_line(user, "a")
    user.qtbot.waitUntil(lambda: lines(user)[-1].startswith("NameError"), timeout=20_000)


def test_what_a_line_does_to_its_process_costs_no_more_than_that(live_user: Driver) -> None:
    user = opened(live_user)
    user.qtbot.waitUntil(lambda: user.session.results is not None, timeout=20_000)
    type_line(user, "import os; os._exit(7)")
    user.qtbot.waitUntil(lambda: any("(exit code 7); restarted." in line for line in lines(user)), timeout=20_000)
    type_line(user, "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1)']).returncode")
    user.qtbot.waitUntil(lambda: lines(user)[-1] == "0", timeout=20_000)
    type_line(user, "input()")
    user.qtbot.waitUntil(lambda: "EOFError" in lines(user)[-1], timeout=20_000)
    type_line(user, "exit()")
    user.qtbot.waitUntil(lambda: "SystemExit" in lines(user)[-1], timeout=20_000)
    type_line(user, "print(1 + 1)")
    user.qtbot.waitUntil(lambda: lines(user)[-1] == "2", timeout=20_000)
    assert sum("exit code" in line for line in lines(user)) == 1


def test_a_window_closes_over_an_endless_line(live_user: Driver) -> None:
    user = opened(live_user)
    type_line(user, "while True: pass")
    assert user.session.part(Console).asked is not None
