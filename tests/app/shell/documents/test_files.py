"""Opening, saving and closing: nothing is lost without a question, and every refusal is a sentence."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QMenu, QMessageBox

from gradwire.engine.base.system_reasons import REASONS
from gradwire.engine.files.files import dumps, load, save
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.graphs import chain, number
from tests.sweeps import a_third_of

Standard = QMessageBox.StandardButton
SAVE, DISCARD, CANCEL, OK = Standard.Save, Standard.Discard, Standard.Cancel, Standard.Ok


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "chain.graph"
    save(chain(), path)
    return path


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path | None], None]:
    """A function that sets the answer of the next file dialogs; None means Cancel."""

    def decide(path: Path | None) -> None:
        answer = ("" if path is None else str(path), "")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: answer)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: answer)

    return decide


def edited(user: Driver, graph: Graph | None = None) -> Graph:
    """Shows a graph and collapses one block of it."""
    user.show(graph or chain())
    user.hand.click(user.points.title("loss"))
    user.trigger("collapse")
    assert not user.session.document.is_saved
    return user.graph


def test_open_shows_the_file(user: Driver, file: Path, choose: Callable[[Path | None], None]) -> None:
    choose(file)
    user.trigger("open")
    assert user.graph == chain()
    assert user.session.document.path == file
    assert user.window.windowTitle() == "chain.graph[*] - Gradwire"
    assert user.session.document.is_saved


def test_a_cancelled_open_changes_nothing(user: Driver, choose: Callable[[Path | None], None]) -> None:
    user.show(chain())
    graph = user.graph
    choose(None)
    user.trigger("open")
    assert user.graph is graph


def test_save_writes_to_the_same_file(user: Driver, file: Path) -> None:
    user.open(file)
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_M)
    user.ctrl(Key.Key_S)
    assert load(file).graph == user.graph
    assert user.session.document.is_saved
    assert not user.window.isWindowModified()


def test_save_as_adds_the_ending_and_goes_on_in_the_new_file(
    user: Driver, tmp_path: Path, choose: Callable[[Path | None], None]
) -> None:
    edited(user)
    choose(tmp_path / "other")
    user.trigger("save_as")
    assert user.session.document.path == tmp_path / "other.graph"
    assert load(tmp_path / "other.graph").graph == user.graph
    assert user.window.windowTitle().startswith("other.graph")


def test_save_as_adds_the_ending_to_a_name_with_a_dot(
    user: Driver, tmp_path: Path, choose: Callable[[Path | None], None]
) -> None:
    edited(user)
    choose(tmp_path / "sg_grad_scale_0.1")
    user.trigger("save_as")
    assert [path.name for path in tmp_path.glob("sg*")] == ["sg_grad_scale_0.1.graph"]


@pytest.mark.parametrize(("button", "is_replaced"), [(Standard.Yes, True), (CANCEL, False)])
def test_a_file_that_was_not_typed_is_replaced_only_if_the_user_says_so(
    user: Driver, tmp_path: Path, choose: Callable[[Path | None], None], button: Standard, is_replaced: bool
) -> None:
    edited(user)
    other = tmp_path / "scale_0.1.graph"
    save(number(), other)
    choose(tmp_path / "scale_0.1")
    user.popups.answer("replace_dialog", button, lambda: user.trigger("save_as"))
    assert (load(other).graph == user.graph) is is_replaced
    assert user.session.document.is_saved is is_replaced


def test_a_cancelled_save_leaves_the_graph_unsaved(user: Driver, choose: Callable[[Path | None], None]) -> None:
    edited(user)
    choose(None)
    user.trigger("save")
    assert not user.session.document.is_saved


def test_where_nothing_can_be_written_the_work_is_still_there(
    user: Driver, tmp_path: Path, choose: Callable[[Path | None], None]
) -> None:
    graph = edited(user)
    choose(tmp_path / "no such folder" / "x.graph")
    said = user.popups.answer("error_dialog", CANCEL, lambda: user.trigger("save"))
    assert said.endswith("Your work is still here; save it elsewhere.")
    assert user.graph is graph
    assert not user.session.document.is_saved


def test_where_nothing_can_be_written_save_as_takes_the_work_elsewhere(
    user: Driver, file: Path, tmp_path: Path, choose: Callable[[Path | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    user.open(file)
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_M)
    choose(tmp_path / "other.graph")
    monkeypatch.setattr(os, "replace", replacing_all_but(file, errno.ENOSPC))
    said = user.popups.answer("error_dialog", "answer_save_as", lambda: user.trigger("save"))
    assert said.startswith(f'The graph was not saved "{file}" cannot be written: the disk is full.')
    assert load(file).graph == chain()
    assert load(tmp_path / "other.graph").graph == user.graph
    assert user.session.document.path == tmp_path / "other.graph"
    assert user.session.document.is_saved


@pytest.mark.parametrize("code", a_third_of([errno.EIO, errno.EDQUOT, errno.EACCES, errno.EINTR]))
def test_whatever_fails_is_shown_and_the_document_stays_unsaved(
    user: Driver, file: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    user.open(file)
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_M)
    graph = user.graph
    monkeypatch.setattr(os, "replace", replacing_all_but(file, code))
    said = user.popups.answer("error_dialog", CANCEL, lambda: user.trigger("save"))
    assert f'"{file}" cannot be written: {REASONS[code]}.' in said
    assert load(file).graph == chain()
    assert user.graph is graph
    assert not user.session.document.is_saved


@pytest.fixture(params=[errno.EACCES, errno.ENOTCONN, errno.ESTALE, errno.EIO], ids=errno.errorcode.get)
def shut_off(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """A function after which nothing in a folder can be seen, as with mode 000 or a dead mount."""

    def shut(folder: Path) -> None:
        for name in ("stat", "lstat", "open", "access", "scandir", "listdir"):
            call = getattr(os, name)

            def failing(path: Any = ".", *more: Any, _call: Any = call, **keys: Any) -> Any:  # Any: calls of the system
                if isinstance(path, str | os.PathLike) and folder in Path(path).parents:
                    raise OSError(request.param, os.strerror(request.param), str(path))
                return _call(path, *more, **keys)

            monkeypatch.setattr(os, name, failing)

    return shut


def test_where_the_folder_cannot_be_looked_into_save_as_takes_the_work_elsewhere(
    user: Driver, tmp_path: Path, choose: Callable[[Path | None], None], shut_off: Callable[[Path], None]
) -> None:
    folder, other = tmp_path / "folder", tmp_path / "other.graph"
    folder.mkdir()
    save(chain(), folder / "a.graph")
    user.open(folder / "a.graph")
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_M)
    shut_off(folder)
    QApplication.sendEvent(user.window, QEvent(QEvent.Type.WindowActivate))
    choose(other)
    said = user.popups.answer("error_dialog", "answer_save_as", lambda: user.trigger("save"))
    assert said.startswith(f'The graph was not saved "{folder}/a.graph" cannot be written: ')
    assert said.endswith(". Your work is still here; save it elsewhere.")
    assert user.session.document.path == other and user.session.document.is_saved
    assert load(other).graph == user.graph


def test_a_file_in_a_folder_that_cannot_be_looked_into_is_not_taken_for_a_new_one(
    user: Driver, tmp_path: Path, shut_off: Callable[[Path], None]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    shut_off(folder)
    start = user.window.parts.documents.opening.open_or_begin
    said = user.popups.answer("error_dialog", OK, lambda: start(folder / "a.graph"))
    assert said.startswith("The file cannot be opened")
    assert not user.window.parts.has_document


def test_other_names_of_a_file_are_told_of_once(user: Driver, file: Path, tmp_path: Path) -> None:
    os.link(file, tmp_path / "second.graph")
    user.open(file)
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_M)
    said = user.popups.answer("info_dialog", OK, lambda: user.trigger("save"))
    assert said.startswith("chain.graph is a file of its own now The file had 2 names (hard links).")
    assert load(file).graph == user.graph and load(tmp_path / "second.graph").graph == chain()
    user.key(Key.Key_M)
    user.trigger("save")
    assert user.session.document.is_saved and QApplication.activeModalWidget() is None


def replacing_all_but(path: Path, code: int) -> Callable[[str, str], None]:
    """Returns a replacement of `os.replace` that fails for this file."""
    replace = os.replace

    def failing(source: str, target: str) -> None:
        if target == str(path):
            raise OSError(code, os.strerror(code))
        replace(source, target)

    return failing


def test_save_as_proposes_home_where_the_folder_is_gone(
    user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "chain.graph"
    save(chain(), file)
    user.open(file)
    proposed: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *asked: (proposed.append(asked[2]), ("", ""))[1])
    user.trigger("save_as")
    file.unlink()
    folder.rmdir()
    user.trigger("save_as")
    assert proposed == [str(file), str(Path.home() / file.name)]


def test_recent_files_can_be_opened_again(user: Driver, file: Path) -> None:
    user.open(file)
    user.trigger("new")
    menu = user.child(QMenu, "menu_recent")
    menu.aboutToShow.emit()
    assert menu.actions()[0].text() == str(file)
    menu.actions()[0].trigger()
    user.settle()
    assert user.graph == chain()


def test_a_recent_file_opens_from_the_welcome_page(user: Driver, file: Path) -> None:
    user.open(file)
    user.trigger("close")
    assert user.window.parts.layout.shows_welcome
    user.qtbot.mouseClick(user.child(QAbstractButton, "recent_0"), LEFT)
    user.settle()
    assert user.graph == chain()
    assert user.canvas.isVisible()


def test_a_file_that_is_gone_cannot_be_chosen(user: Driver, file: Path) -> None:
    user.open(file)
    file.unlink()
    menu = user.child(QMenu, "menu_recent")
    menu.aboutToShow.emit()
    assert not menu.actions()[0].isEnabled()


def test_a_dropped_file_is_opened(user: Driver, file: Path) -> None:
    user.show(number())
    user.hand.drop_file(file)
    assert user.graph == chain()


def test_a_file_dropped_on_the_welcome_page_is_opened(user: Driver, file: Path) -> None:
    user.hand.drop_file(file)
    assert user.graph == chain()


def test_a_saved_graph_is_left_without_a_question(user: Driver) -> None:
    user.show(chain())
    user.trigger("new")
    assert not user.page.blocks


@pytest.mark.parametrize("command", ["new", "close"])
def test_cancel_keeps_the_unsaved_graph(user: Driver, command: str) -> None:
    graph = edited(user)
    said = user.popups.answer("unsaved_dialog", CANCEL, lambda: user.trigger(command))
    assert 'Save the changes to "untitled"?' in said
    assert user.graph is graph


def test_escape_in_the_question_keeps_the_graph(user: Driver) -> None:
    graph = edited(user)
    user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy)
    user.popups.answer("unsaved_dialog", CANCEL, lambda: user.window.close())
    assert user.graph is graph
    assert user.window.isVisible()


def test_discard_leaves_the_unsaved_graph(user: Driver) -> None:
    edited(user)
    user.popups.answer("unsaved_dialog", DISCARD, lambda: user.trigger("new"))
    assert not user.page.blocks
    assert user.session.document.is_saved


def test_save_in_the_question_saves_first(user: Driver, file: Path) -> None:
    user.open(file)
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_M)
    changed = user.graph
    user.popups.answer("unsaved_dialog", SAVE, lambda: user.trigger("new"))
    assert load(file).graph == changed
    assert not user.page.blocks


def test_a_save_that_fails_in_the_question_keeps_the_graph(user: Driver, choose: Callable[[Path | None], None]) -> None:
    graph = edited(user)
    choose(None)
    user.popups.answer("unsaved_dialog", SAVE, lambda: user.trigger("new"))
    assert user.graph is graph


def text_of_chain() -> str:
    return dumps(chain())


BROKEN = {
    "cut off": lambda text: text[: len(text) // 2],
    "no JSON": lambda text: text.replace('"Exp"', "Exp"),
    "wrong field": lambda text: text.replace('"type": "Exp"', '"type": 7'),
    "newer version": lambda text: text.replace('"version": [1, 0]', '"version": [2, 0]'),
    "no graph": lambda _: '{"hello": 1}',
    "empty": lambda _: "",
    "binary": lambda _: "\0\1\2" * 40,
}


def test_a_dropped_file_of_another_program_is_called_what_it_is(user: Driver, tmp_path: Path) -> None:
    user.show(number())
    graph = user.graph
    (tmp_path / "net.pt").write_bytes(b"\x80\x02")
    (tmp_path / "saved_model.pb").touch()
    said = user.popups.answer("error_dialog", OK, lambda: user.hand.drop_file(tmp_path / "net.pt"))
    assert said.startswith("The file cannot be opened It is a pickle of PyTorch")
    said = user.popups.answer("error_dialog", OK, lambda: user.hand.drop_file(tmp_path))
    assert "It is a model of TensorFlow" in said
    assert user.graph is graph


@pytest.mark.parametrize("damage", a_third_of(BROKEN))
def test_a_broken_file_is_told_in_a_sentence_with_its_place(user: Driver, tmp_path: Path, damage: str) -> None:
    user.show(number())
    graph = user.graph
    path = tmp_path / "broken.graph"
    path.write_text(BROKEN[damage](text_of_chain()), encoding="utf-8")
    said = user.popups.answer("error_dialog", OK, lambda: user.open(path))
    if damage in ("binary", "empty"):
        assert "is not a Gradwire graph" in said
    else:
        assert said.startswith("The file cannot be opened broken.graph, line ") and ", column " in said
    assert said.partition("\n")[0].endswith(".")
    assert user.graph is graph
    assert user.canvas.isVisible()
    assert user.session.document.is_saved


def test_a_missing_file_is_told_in_a_sentence(user: Driver, tmp_path: Path) -> None:
    user.show(number())
    graph = user.graph
    said = user.popups.answer("error_dialog", OK, lambda: user.open(tmp_path / "gone.graph"))
    assert "gone.graph" in said
    assert said.endswith(".")
    assert user.graph is graph


def test_a_broken_file_on_the_welcome_page_leaves_it_there(user: Driver, tmp_path: Path) -> None:
    (tmp_path / "broken.graph").write_text("{")
    user.popups.answer("error_dialog", OK, lambda: user.open(tmp_path / "broken.graph"))
    assert user.window.parts.layout.shows_welcome
    assert not user.window.parts.has_document


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A file that needs features which this version does not have."""
    path = tmp_path / "strange.graph"
    path.write_text(text_of_chain().replace('"needs": []', '"needs": ["quantum"]'), encoding="utf-8")
    return path


def test_a_file_with_unknown_needs_is_read_only(user: Driver, strange: Path) -> None:
    user.open(strange)
    graph, said = user.graph, user.listen()
    assert any("quantum" in problem.message for problem in user.session.problems)
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_Delete)
    assert user.graph is graph
    assert len(said) == 1
    assert "read-only" in said[0]


def test_a_file_with_unknown_needs_is_not_evaluated(user: Driver, strange: Path) -> None:
    user.open(strange)
    user.key(Key.Key_F5)
    user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy)
    assert user.session.results is None


def test_a_file_with_unknown_needs_is_not_saved(user: Driver, strange: Path) -> None:
    before, stamp = strange.read_bytes(), strange.stat().st_mtime_ns
    user.open(strange)
    user.popups.answer("error_dialog", OK, lambda: user.trigger("save"))
    assert strange.read_bytes() == before
    assert strange.stat().st_mtime_ns == stamp


def test_start_with_a_file_that_is_not_there_begins_it(user: Driver, tmp_path: Path) -> None:
    user.window.start(tmp_path / "fresh.graph")
    user.settle()
    assert not user.page.blocks
    assert user.window.windowTitle().startswith("fresh.graph")
    user.ctrl(Key.Key_S)
    assert load(tmp_path / "fresh.graph").graph == user.graph


def test_ctrl_q_asks_too(user: Driver) -> None:
    graph = edited(user)
    user.popups.answer("unsaved_dialog", CANCEL, lambda: QTest.keyClick(user.canvas, Key.Key_Q, Mod.ControlModifier))
    assert user.graph is graph


@pytest.mark.long
def test_save_as_never_replaces_a_file_of_another_format(user: Driver, file: Path, tmp_path: Path) -> None:
    user.open(file)
    state = tmp_path / "state.npz"
    np.savez(state, x=np.zeros(2))
    before = state.read_bytes()
    saving = user.window.parts.documents.saving
    said = user.popups.answer("error_dialog", Standard.Cancel, lambda: saving.save_to(state))
    assert "is a graph, but ends in .npz" in said
    assert state.read_bytes() == before
