"""Unsaved graphs outlive the program: each has a copy while unsaved, and the next start offers it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import SIGNAL
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.base.run_folder import RunFolder
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.features.welcome.graph_list import DRAWN, GraphList
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.shell.documents import recovery, recovery_writer
from gradwire.app.shell.documents.recovery_dialog import RecoveryDialog, offer_copies
from gradwire.app.shell.documents.recovery_files import Copy, abandoned, claim, copy_file, write_origin
from gradwire.app.start.endings import Endings
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.kept_state import rounds_kept
from gradwire.engine.training.trainer import Trainer
from tests.app.shell.documents.test_recovery_writer import process_of
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain, number
from tests.app.windows import Make, let_go, open_windows
from tests.sweeps import a_third_of

Standard = QMessageBox.StandardButton
# Qt's name of the signal that a session emits before it ends.
LOG_OUT = SIGNAL("commitDataRequest(QSessionManager&)")
Leave = Callable[[Graph | None, str, Path | None], Path]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own, and copies without a delay."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "states"))
    monkeypatch.setattr(recovery, "REST", 0)
    return tmp_path / "states" / "gradwire"


@pytest.fixture
def leave(state: Path) -> Leave:
    """A function that leaves a copy like a killed program; without a graph the copy is damaged."""

    def make(graph: Graph | None, title: str, original: Path | None) -> Path:
        dead = RunFolder(state)
        file = copy_file(dead.path, dead.next_number())
        write_origin(file, title, original)
        if graph is None:
            file.write_text("{ damaged")
        else:
            save(graph, file)
        dead.leave()
        return file

    return make


def copy_of(user: Driver) -> Path | None:
    return user.window.parts.documents.recovery.file


def edited(user: Driver, graph: Graph | None = None) -> Path:
    """Shows a graph, edits it, and waits for the copy."""
    user.show(graph or chain())
    return edited_again(user)


def edited_again(user: Driver) -> Path:
    user.hand.click(user.points.title("loss"))
    user.trigger("collapse")
    return kept(user)


def kept(user: Driver) -> Path:
    """Returns the copy, once it holds the current graph."""

    def has_copy() -> bool:
        file = copy_of(user)
        return file is not None and file.exists() and load(file).graph == user.graph

    user.qtbot.waitUntil(has_copy, timeout=60_000)
    file = copy_of(user)
    assert file is not None
    return file


def offer(user: Driver) -> None:
    offer_copies(user.window.parts.documents.context)


def offered(user: Driver) -> RecoveryDialog:
    offer(user)
    user.settle()
    found = QApplication.activeModalWidget()
    assert isinstance(found, RecoveryDialog)
    return found


def rows(dialog: RecoveryDialog) -> list[str]:
    found = dialog.findChild(GraphList, "recovery_list")
    assert isinstance(found, GraphList)
    return [entry.spoken for entry in found.entries]


def press(user: Driver, dialog: RecoveryDialog, name: str) -> None:
    button = dialog.findChild(QPushButton, f"recovery_{name}")
    assert isinstance(button, QPushButton)
    user.qtbot.mouseClick(button, LEFT)
    user.settle()


@pytest.mark.long
def test_the_copy_of_an_untitled_graph_goes_when_undo_leads_back(user: Driver) -> None:
    file = edited(user)
    user.undo()
    assert user.session.document.is_saved
    assert not file.exists() and copy_of(user) is None and not list(file.parent.glob("*.json"))


def test_the_copy_goes_when_the_graph_is_saved_or_discarded(user: Driver, tmp_path: Path) -> None:
    path = tmp_path / "a.graph"
    save(chain(), path)
    user.open(path)
    file = edited_again(user)
    assert load(path).graph == chain()
    user.trigger("save")
    assert not file.exists()
    user.undo()
    other = kept(user)
    assert other.exists()
    user.popups.answer("unsaved_dialog", Standard.Discard, lambda: user.trigger("new"))
    assert not other.exists()


def test_a_cancelled_question_leaves_the_copy(user: Driver) -> None:
    file = edited(user)
    user.popups.answer("unsaved_dialog", Standard.Cancel, lambda: user.trigger("close"))
    assert file.exists()


@pytest.mark.long
def test_windows_do_not_mix_their_copies(user: Driver, make_window: Make) -> None:
    other = Driver(make_window(InlineEvaluator), user.qtbot)
    one, two = edited(user), edited(other, number())
    assert one != two and load(one).graph == user.graph and load(two).graph == other.graph
    assert abandoned(user.window.windows.run_folder) == []


def discards(user: Driver) -> RecoveryDialog:
    user.trigger("discards")
    found = QApplication.activeModalWidget()
    assert isinstance(found, RecoveryDialog)
    return found


def discard(user: Driver, graph: Graph) -> Graph:
    """Edits a graph and discards it; returns its last state."""
    user.show(graph)
    user.hand.click(user.points.title("loss"))
    user.trigger("collapse")
    last = user.graph
    user.popups.answer("unsaved_dialog", Standard.Discard, lambda: user.trigger("close"))
    return last


@pytest.mark.long
def test_a_discarded_graph_can_be_recovered_and_is_not_offered_by_itself(user: Driver, state: Path) -> None:
    last = discard(user, chain())
    offer(user)
    assert QApplication.activeModalWidget() is None
    dialog = discards(user)
    assert len(rows(dialog)) == 1 and rows(dialog)[0].startswith("untitled. Copy: ")
    press(user, dialog, "recover")
    assert user.graph == last and not user.session.document.is_saved
    assert list((state / "discarded").iterdir()) == []


def test_without_discarded_graphs_that_is_said(user: Driver) -> None:
    dialog = discards(user)
    assert rows(dialog) == []
    assert dialog.findChild(QLabel, "recovery_title").text() == "No graph was discarded in the last seven days"
    assert not dialog.findChild(QPushButton, "recovery_recover").isEnabled()
    press(user, dialog, "later")


@pytest.mark.parametrize(("days", "is_kept"), a_third_of([(6.9, True), (7.1, False), (-30, True)]))
def test_a_discarded_graph_stays_for_a_week_and_longer_where_the_clock_went_back(
    user: Driver, state: Path, days: float, is_kept: bool
) -> None:
    discard(user, chain())
    (file,) = (state / "discarded").glob("*.graph")
    then = time.time() - days * 86_400
    os.utime(file, (then, then))
    offer(user)
    assert len(list((state / "discarded").iterdir())) == (2 if is_kept else 0)


def test_a_program_that_is_about_to_end_writes_the_copy_at_once(
    user: Driver, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "REST", 60_000)
    other = Driver(user.window.open_beside(), user.qtbot)
    other.show(chain())
    for _ in range(2):  # a log-out may be called off
        other.hand.click(other.points.title("loss"))
        other.trigger("collapse")
        user.window.windows.keep_unsaved()
        file = copy_of(other)
        assert file is not None and load(file).graph == other.graph
    assert copy_of(user) is None


def test_a_log_out_writes_the_copy(make_window: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "REST", 60_000)
    user, application = Driver(make_window(InlineEvaluator), qtbot), QApplication.instance()
    assert isinstance(application, QApplication)
    user.show(chain())
    user.hand.click(user.points.title("loss"))
    user.trigger("collapse")
    before = application.receivers(LOG_OUT)
    endings = Endings(application, user.window.windows)
    try:
        assert application.receivers(LOG_OUT) == before + 1
        # Only Qt can make a session manager, without which the signal cannot be emitted.
        endings._commit(None)  # type: ignore[arg-type]
        file = copy_of(user)
        assert file is not None and load(file).graph == user.graph
    finally:
        endings.close()
        endings.deleteLater()


@pytest.mark.long
def test_where_the_last_copy_cannot_be_written_that_is_said(
    user: Driver, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(user)
    user.trigger("mute")
    shutil.rmtree(state)
    user.window.windows.keep_unsaved()
    assert "cannot be written" in capsys.readouterr().err


def test_a_window_that_closes_leaves_nothing(user: Driver, state: Path) -> None:
    edited(user)
    user.window.close_unasked()
    assert not list((state / "running").iterdir())


@pytest.mark.long
def test_where_no_copy_can_be_written_that_is_said_once(user: Driver, state: Path) -> None:
    state.parent.mkdir()
    state.write_text("in the way")
    said: list[str] = []
    user.window.parts.documents.recovery.failed.connect(said.append)
    user.show(chain())
    user.hand.click(user.points.title("loss"))
    user.trigger("collapse")
    user.qtbot.waitUntil(lambda: bool(said))
    user.trigger("collapse")
    user.trigger("mute")
    user.settle()
    assert len(said) == 1 and said[0].startswith("Unsaved work is not being copied: save it soon.")


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="stops a process by a signal")
def test_a_writer_that_hangs_is_told_of_and_another_one_writes_the_copy(
    make_window: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "AGAIN", 100)
    monkeypatch.setattr(recovery_writer, "PATIENCE", 2000)
    user = Driver(make_window(InlineEvaluator), qtbot)
    edited(user)
    documents = user.window.parts.documents
    said: list[str] = []
    documents.recovery.failed.connect(said.append)
    # The first copy was written without haste; now the keeper answers at once or not at all.
    documents.recovery._keeper._silence.setInterval(1000)
    hanging = process_of(documents.recovery._keeper)
    os.kill(hanging, signal.SIGSTOP)
    edited_again(user)
    assert process_of(documents.recovery._keeper) not in (0, hanging)
    assert said == ["Unsaved work is not being copied: save it soon. The process that writes copies does not answer."]
    assert user.window.parts.layout.status.currentMessage() == said[0]


def test_a_writer_that_hangs_is_noticed_within_ten_seconds_of_the_edit() -> None:
    assert recovery.LONGEST + recovery_writer.PATIENCE <= 10_000


def test_a_copy_that_failed_is_tried_again_without_another_edit(
    make_window: Make, qtbot: QtBot, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "AGAIN", 100)
    user = Driver(make_window(InlineEvaluator), qtbot)
    state.parent.mkdir()
    state.write_text("in the way")
    user.show(chain())
    user.hand.click(user.points.title("loss"))
    with user.qtbot.waitSignal(user.window.parts.documents.recovery.failed):
        user.trigger("collapse")
    state.unlink()
    kept(user)


def test_nothing_is_shown_where_there_is_nothing(user: Driver) -> None:
    offer(user)
    assert QApplication.activeModalWidget() is None


def test_a_copy_tells_name_folder_and_both_dates(user: Driver, leave: Leave, tmp_path: Path) -> None:
    path = tmp_path / "model.graph"
    save(number(), path)
    leave(chain(), "model", path)
    leave(chain(), "untitled", None)
    leave(chain(), "gone", tmp_path / "gone.graph")
    dialog = offered(user)
    model, untitled, gone = sorted(rows(dialog), key=lambda text: ("model", "untit", "gone.").index(text[:5]))
    assert ". File: " in model and model.endswith(str(tmp_path)) and "Copy: " in model
    assert "Never saved" in untitled
    assert "The file is no longer there" in gone
    dialog.reject()


def test_a_recovered_graph_is_unsaved_and_asks_where_to_save(
    user: Driver, leave: Leave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.graph"
    save(number(), path)
    left = leave(chain(), "model", path)
    press(user, offered(user), "recover")
    assert QApplication.activeModalWidget() is None
    assert user.graph == chain() and not user.session.document.is_saved
    assert user.window.windowTitle() == "model (recovered)[*] - Gradwire" and user.window.isWindowModified()
    assert user.session.document.path is None
    assert not left.exists() and load(kept(user)).graph == chain()
    proposed: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (proposed.append(args[2]), ("", ""))[1])
    user.trigger("save")
    assert proposed == [str(path)]
    assert load(path).graph == number()


@pytest.mark.long
def test_what_was_recovered_and_lost_again_is_called_as_before(
    user: Driver, leave: Leave, tmp_path: Path, state: Path
) -> None:
    leave(chain(), "model", tmp_path / "model.graph")
    press(user, offered(user), "recover")
    edited_again(user)
    user.window.windows.run_folder.leave()
    (copy,) = abandoned(RunFolder(state))
    assert (copy.name, copy.original) == ("model", tmp_path / "model.graph")


def test_a_graph_that_is_open_stays_and_the_copy_opens_beside_it(user: Driver, leave: Leave) -> None:
    user.show(number())
    leave(chain(), "a", None)
    press(user, offered(user), "recover")
    assert user.graph == number()
    (other,) = [window for window in open_windows(user.window) if window is not user.window]
    assert other.session.graph == chain() and other.parts.document.title == "a (recovered)"


@pytest.mark.long
def test_all_are_recovered_at_once(user: Driver, leave: Leave, state: Path) -> None:
    for title in ("a", "b", "c"):
        leave(chain(), title, None)
    press(user, offered(user), "recover_all")
    titles = sorted(window.parts.document.title for window in open_windows(user.window))
    assert titles == ["a (recovered)", "b (recovered)", "c (recovered)"]
    assert abandoned(RunFolder(state)) == []


def test_a_damaged_copy_is_shown_with_the_reason_and_kept(user: Driver, leave: Leave) -> None:
    left = leave(None, "broken", None)
    dialog = offered(user)
    user.qtbot.waitUntil(lambda: len(rows(dialog)[0]) > len("broken. Never saved. Copy: 22 11 2026 02:22:00"))
    press(user, dialog, "recover")
    assert left.read_text() == "{ damaged" and not user.window.parts.has_document
    assert len(rows(dialog)) == 1
    dialog.reject()


def test_discarding_asks_and_later_keeps(user: Driver, leave: Leave) -> None:
    left = leave(chain(), "a", None)
    dialog = offered(user)
    user.popups.answer("discard_dialog", Standard.Cancel, lambda: press(user, dialog, "discard"))
    assert left.exists()
    press(user, dialog, "later")
    assert left.exists() and QApplication.activeModalWidget() is None
    dialog = offered(user)
    user.popups.answer("discard_dialog", Standard.Discard, lambda: press(user, dialog, "discard"))
    assert not left.exists() and QApplication.activeModalWidget() is None


def test_the_keyboard_is_enough(user: Driver, leave: Leave) -> None:
    leave(number(), "first", None)
    leave(chain(), "second", None)
    dialog = offered(user)
    found = dialog.focusWidget()
    assert isinstance(found, GraphList)
    names = [entry.name for entry in found.entries]
    user.qtbot.keyClick(found, Key.Key_Down)
    user.qtbot.keyClick(found, Key.Key_Return)
    user.settle()
    assert user.window.parts.document.title == f"{names[1]} (recovered)"
    assert [entry.name for entry in found.entries] == names[:1]
    user.qtbot.keyClick(found, Key.Key_Escape)
    assert QApplication.activeModalWidget() is None


def test_the_picture_runs_nothing(user: Driver, leave: Leave, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(chain(), "a", None)

    def run(*_: object) -> None:
        raise AssertionError("the graph was run")

    with monkeypatch.context() as patched:
        patched.setattr(InlineEvaluator, "evaluate", run)
        dialog = offered(user)
        found = dialog.findChild(GraphList, "recovery_list")
        assert isinstance(found, GraphList)
        user.qtbot.waitUntil(lambda: found.model().index(0, 0).data(DRAWN) is not None)
        dialog.reject()


def test_of_two_who_recover_a_copy_one_gets_it(user: Driver, leave: Leave, state: Path) -> None:
    leave(chain(), "a", None)
    dialog = offered(user)
    other = RunFolder(state)
    (copy,) = abandoned(other)
    assert claim(copy, other) is not None
    press(user, dialog, "recover")
    assert "Another window has recovered or discarded it." in rows(dialog)[0]
    assert not user.window.parts.has_document
    dialog.reject()
    other.leave()


def test_a_copy_without_a_word_of_its_origin_is_offered_too(leave: Leave, state: Path) -> None:
    left = leave(chain(), "a", None)
    left.with_suffix(".json").write_text("[")
    (copy,) = abandoned(RunFolder(state))
    assert isinstance(copy, Copy) and copy.original is None and load(copy.file).graph == chain()


def test_names_are_shown_as_they_are(user: Driver, leave: Leave) -> None:
    leave(chain(), "<b>bold</b>", None)
    dialog = offered(user)
    assert rows(dialog)[0].startswith("<b>bold</b>")
    press(user, dialog, "recover")
    assert all("bold" not in label.text() or label.textFormat().name == "PlainText" for label in labels(user.window))


def labels(window: MainWindow) -> list[QLabel]:
    let_go()
    return [label for label in window.findChildren(QLabel) if isinstance(label, QLabel)]


def trained(user: Driver, rounds: int) -> None:
    """Trains some rounds, and waits for them."""
    goal = user.session.part(TrainingDesk).reached.round + rounds
    user.session.part(TrainingDesk).train(rounds)
    user.qtbot.waitUntil(
        lambda: user.session.part(TrainingDesk).reached.round == goal and not user.session.part(TrainingDesk).is_running
    )


def test_a_recovered_training_goes_on_as_if_nothing_had_happened(user: Driver, state: Path, tmp_path: Path) -> None:
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable([1.0, 2.0], name="w")), name="loss"))
    user.show(graph)
    trained(user, 3)

    def has_copy() -> bool:
        file = copy_of(user)
        return file is not None and file.exists() and rounds_kept(load(file).graph) == 3

    user.qtbot.waitUntil(has_copy, timeout=60_000)
    copy, dead = copy_of(user), RunFolder(state)
    assert copy is not None
    # What another program would have left that was killed now.
    left = copy_file(dead.path, dead.next_number())
    shutil.copy(copy, left)
    shutil.copy(copy.with_suffix(".json"), left.with_suffix(".json"))
    dead.leave()
    user.session.file.mark_saved(tmp_path / "saved.graph")
    user.window.parts.document.leave()
    press(user, offered(user), "recover")
    assert user.session.part(TrainingDesk).reached.round == 3 and not user.session.part(TrainingDesk).keeps_state
    trained(user, 2)
    whole = Trainer(graph)
    for _ in range(5):
        whole.run_round()
    assert user.session.part(TrainingDesk).state is not None
    assert user.session.part(TrainingDesk).state.to_bytes() == whole.state().to_bytes()
    # Its file keeps the state only if the user asks for it.
    assert user.window.parts.documents.saving.save_to(tmp_path / "saved.graph")
    assert rounds_kept(load(tmp_path / "saved.graph").graph) == 0
