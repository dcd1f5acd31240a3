"""Several windows: each has its own document and history, and nothing is lost when all close."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMessageBox
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gradwire.app.start.main_window import place_beside
from gradwire.app.start.window import fit_into
from gradwire.engine.files.files import load, save
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import chain, number
from tests.app.windows import let_go, open_windows

Standard = QMessageBox.StandardButton


@pytest.fixture
def second(user: Driver, qtbot: QtBot) -> Iterator[Driver]:
    """A user in front of a second window, opened from the first."""
    user.show(chain())
    user.key(Key.Key_N, Mod.ControlModifier | Mod.ShiftModifier)
    (other,) = [window for window in open_windows(user.window) if window is not user.window]
    qtbot.waitExposed(other)
    driver = Driver(other, qtbot)
    yield driver
    if other in user.window.windows.windows:
        other.close_unasked()
    del other
    let_go()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "number.graph"
    save(number(), path)
    return path


def front(user: Driver) -> Driver:
    """Brings the window to the front, so that it receives the keys."""
    user.window.come_forward()
    user.settle()
    return user


def mute(user: Driver, block: str) -> None:
    front(user)
    user.hand.click(user.points.title(block))
    user.key(Key.Key_M)


@pytest.mark.long
def test_a_new_window_has_a_document_and_history_of_its_own(user: Driver, second: Driver) -> None:
    assert second.window.parts.layout.shows_welcome
    second.show(number())
    graph = second.graph
    mute(user, "e")
    assert second.graph is graph
    assert second.undo_text() is None
    user.undo()
    assert user.graph == chain()
    assert user.session.scheduler is not second.session.scheduler


@pytest.mark.long
def test_what_all_windows_share_is_said_in_those_that_are_open(user: Driver, second: Driver) -> None:
    kept = second.window.parts.layout.sayings
    second.window.close_unasked()
    let_go()
    user.window.windows.plugins.failed.emit("The plug-in odd is disabled.")
    assert user.window.parts.layout.status.currentMessage() == "The plug-in odd is disabled."
    assert not isValid(kept)


@pytest.mark.long
def test_windows_share_settings_and_theme(user: Driver, second: Driver) -> None:
    second.show(number())
    user.trigger("theme_light")
    assert second.window.appearance.theme.name == "light"
    assert second.window.settings is user.window.settings


@pytest.mark.long
def test_no_part_of_a_closed_window_hears_of_another_look(user: Driver, second: Driver) -> None:
    second.show(number())
    second.session.document.mark_saved()
    # What is still referred to lives longer than its widgets.
    parts = second.window.parts
    second.window.close()
    let_go()
    assert not isValid(parts.canvas)
    user.trigger("theme_light")
    user.window.appearance.choose_contrast("on")
    user.window.appearance.set_text_scale(1.5)


@pytest.mark.long
def test_blocks_are_copied_from_one_window_to_the_other(user: Driver, second: Driver) -> None:
    second.show(number())
    before = set(second.page.blocks)
    front(user).hand.click(user.points.title("e"))
    user.ctrl(Key.Key_C)
    front(second).ctrl(Key.Key_V)
    assert [second.block(name).type for name in second.page.blocks.keys() - before] == ["Exp"]
    second.window.session.file.mark_saved(Path("x.graph"))


@pytest.mark.long
def test_a_file_that_another_window_has_open_is_shown_there(user: Driver, second: Driver, file: Path) -> None:
    second.open(file)
    graph = user.graph
    user.open(file.parent / "." / file.name)
    assert user.graph is graph
    assert user.session.document.path is None
    assert QApplication.activeWindow() is second.window


@pytest.mark.long
def test_a_file_that_another_window_has_open_is_not_written_over(
    user: Driver, second: Driver, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second.open(file)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(file), ""))
    said = user.popups.answer("error_dialog", Standard.Cancel, lambda: user.trigger("save_as"))
    assert "is open in another window" in said
    assert load(file).graph == number()


@pytest.mark.long
def test_the_name_of_the_graph_leads_to_the_other_windows(user: Driver, second: Driver, file: Path) -> None:
    second.open(file)
    menu = user.child(QMenu, "menu_graph")
    menu.aboutToShow.emit()
    assert menu.actions()[-1].text() == "number.graph - Gradwire"
    menu.actions()[-1].trigger()
    assert QApplication.activeWindow() is second.window


@pytest.mark.long
def test_closing_a_window_leaves_the_other(user: Driver, second: Driver) -> None:
    second.window.close()
    user.settle()
    assert user.window.windows.windows == (user.window,)
    assert user.window.isVisible()
    mute(user, "e")
    assert user.undo_text() == "Mute"


PROGRAM = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gradwire.app.start.window import open_window

def all_windows():
    return [widget for widget in QApplication.topLevelWidgets() if widget.objectName() == "main_window"]

def close_one():
    window = next(window for window in all_windows() if window.isVisible())
    count = len(window.windows.windows)
    print("closing one of", count, flush=True)
    window.close()
    if count > 1:
        QTimer.singleShot(50, close_one)

def open_second():
    window = all_windows()[0] if all_windows() else None
    if window is None or not window.is_filled:
        QTimer.singleShot(10, open_second)
        return
    window.parts.actions_by_id["new_window"].trigger()
    QTimer.singleShot(50, close_one)

application = QApplication([])
QTimer.singleShot(0, open_second)
raise SystemExit(open_window(None))
"""


@pytest.mark.long
def test_the_program_ends_with_its_last_window(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, env=environment, check=False
    )
    assert found.stdout.splitlines() == ["closing one of 2", "closing one of 1"]
    assert found.returncode == 0, found.stderr
    assert "Traceback" not in found.stderr


def asked_in_turn(monkeypatch: pytest.MonkeyPatch, given: list[QMessageBox.StandardButton]) -> list[str]:
    """Answers the questions about unsaved changes in turn; returns the texts of the questions."""
    asked: list[str] = []

    def answer(box: QMessageBox) -> QMessageBox.StandardButton:
        asked.append(box.text())
        return given[len(asked) - 1]

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return asked


def both_changed(user: Driver, second: Driver, file: Path) -> None:
    second.open(file)
    second.trigger("select_all")
    second.trigger("collapse")
    mute(user, "e")


@pytest.mark.long
def test_quitting_asks_for_each_window_and_cancel_keeps_all(
    user: Driver, second: Driver, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both_changed(user, second, file)
    asked = asked_in_turn(monkeypatch, [Standard.Discard, Standard.Cancel])
    user.trigger("quit")
    assert asked == ['Save the changes to "untitled"?', 'Save the changes to "number"?']
    assert user.window.isVisible() and second.window.isVisible()
    assert user.block("e").is_muted
    second.session.document.mark_saved()


@pytest.mark.long
def test_quitting_saves_where_that_is_wanted_and_closes_all(
    user: Driver, second: Driver, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both_changed(user, second, file)
    wanted = second.graph
    asked_in_turn(monkeypatch, [Standard.Discard, Standard.Save])
    windows = open_windows(user.window)
    user.trigger("quit")
    assert user.window.windows.windows == ()
    assert not windows[0].isVisible()
    assert load(file).graph == wanted


@pytest.mark.parametrize(
    ("screen", "expected"),
    [((2560, 1440), (1600, 1000)), ((1280, 720), (1272, 680)), ((800, 600), (1024, 640))],
    ids=["large", "a scale of 150 %", "smaller than can be used"],
)
def test_the_first_window_is_no_larger_than_its_screen(
    user: Driver, screen: tuple[int, int], expected: tuple[int, int]
) -> None:
    fit_into(user.window, QRect(QPoint(), QSize(*screen)))
    assert user.window.size().toTuple() == expected


SCREEN = QRect(0, 24, 1920, 1056)


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ((100, 100, 1024, 640), (132, 132, 1024, 640)),
        ((896, 440, 1024, 640), (0, 24, 1024, 640)),
        ((0, 24, 1920, 1056), (0, 24, 1920, 1056)),
        ((-50, 0, 2400, 1400), (0, 24, 1920, 1056)),
    ],
    ids=["beside", "at the lower right edge", "as large as the screen", "larger than the screen"],
)
def test_a_further_window_opens_on_the_screen(first: tuple[int, ...], expected: tuple[int, ...]) -> None:
    place = place_beside(QRect(*first), SCREEN)
    assert place.getRect() == expected and SCREEN.contains(place)


def test_a_window_at_the_lower_right_edge_opens_the_next_one_in_the_upper_left(user: Driver) -> None:
    room = user.window.screen().availableGeometry()
    user.window.move(room.bottomRight() - QPoint(200, 200))
    made = user.window.open_beside()
    assert made.frameGeometry().topLeft() == room.topLeft()
    made.close_unasked()
    del made
    let_go()
