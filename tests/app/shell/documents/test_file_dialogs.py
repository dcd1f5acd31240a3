"""The dialogs that ask for a file: where they begin, what they propose, and when they ask once more."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from gradwire.app.shell.documents import file_dialogs
from gradwire.app.shell.documents.file_dialogs import FileDialogs, with_ending


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    monkeypatch.setattr(Path, "home", lambda: made)
    return made


def dialogs(recent: tuple[Path, ...] = (), **document: Any) -> FileDialogs:
    shown = SimpleNamespace(**{"path": None, "original": None, "title": "net", **document})
    settings = SimpleNamespace(recent=lambda: [SimpleNamespace(path=path) for path in recent])
    messages = SimpleNamespace(question=lambda *_: None)
    return FileDialogs(None, shown, settings, messages)  # type: ignore[arg-type]  # as much of them as is asked


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("net", "net.graph"), ("net.graph", "net.graph"), ("NET.GRAPH", "NET.GRAPH"), ("v1.2", "v1.2.graph")],
)
def test_a_name_has_the_ending_of_graphs(typed: str, meant: str) -> None:
    assert with_ending(Path("folder") / typed) == Path("folder") / meant


def test_a_folder_is_that_of_the_document_else_of_the_newest_file_else_home(home: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    recent = (other / "b.graph", one / "c.graph")
    assert dialogs(recent, path=one / "a.graph").folder() == one
    assert dialogs(recent).folder() == other
    assert dialogs().folder() == home
    assert dialogs((tmp_path / "gone" / "b.graph",)).folder() == home
    assert dialogs(recent, path=tmp_path / "gone" / "a.graph").folder() == home


def test_what_is_proposed_can_be_written(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def proposed(found: FileDialogs) -> str:
        asked: list[str] = []
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (asked.append(given[2]), ("", ""))[1])
        assert found.ask_save() is None
        return asked[0]

    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "a.graph"
    assert proposed(dialogs(path=path, original=path)) == str(path)
    assert proposed(dialogs(original=path)) == str(path)
    assert proposed(dialogs((path,))) == str(folder / "net.graph")
    monkeypatch.setattr(os, "access", lambda place, _: place != folder)
    assert proposed(dialogs(path=path, original=path)) == str(home / "a.graph")


@pytest.mark.parametrize(
    ("typed", "exists", "answer", "found"),
    [
        ("a.graph", True, None, "a.graph"),  # the dialog has asked already
        ("a", False, None, "a.graph"),
        ("a", True, QMessageBox.StandardButton.Yes, "a.graph"),
        ("a", True, QMessageBox.StandardButton.Cancel, None),
    ],
)
def test_a_file_of_a_completed_name_is_replaced_only_if_the_user_says_so(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    exists: bool,
    answer: Any,
    found: str | None,
) -> None:
    if exists:
        (tmp_path / "a.graph").touch()
    asked: list[object] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / typed), ""))
    monkeypatch.setattr(file_dialogs, "ask_buttons", lambda *given: (asked.append(given), answer)[1])
    assert dialogs().ask_save() == (None if found is None else tmp_path / found)
    assert len(asked) == (answer is not None)


def test_models_are_shown_where_they_are_taken(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (asked.append(given[3]), ("/a.graph", ""))[1])
    for with_models in (False, True):
        assert dialogs().ask_open("Open", with_models) == Path("/a.graph")
    graphs, both = asked
    assert ".onnx" not in graphs and "*.onnx" in both and both.endswith(f";;{graphs}")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    assert dialogs().ask_open("Open") is None
