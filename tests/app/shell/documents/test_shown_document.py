"""The document of a window: its titles, its files, and what is asked about folders of data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from gradwire.app.base.settings import Settings
from gradwire.app.base.state_folder import DATA_FOLDERS, state_folder
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.documents import shown_document as module
from gradwire.app.shell.documents.exports.pictures import Pictures, Wanted
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.app.shell.window import settings_dialog
from gradwire.app.shell.window.settings_dialog import SettingsDialog
from gradwire.engine.graph.graph import Graph
from tests.app.window.graphs import chain, number


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files in which allowed folders are looked up."""
    found, real = list[Path](), module.AllowedFolders

    def noted(path: Path) -> Any:
        found.append(path)
        return real(path)

    for place in (module, settings_dialog):
        monkeypatch.setattr(place, "AllowedFolders", noted)
    return found


@pytest.fixture
def document(asked: list[Path], qapp: QObject) -> Iterator[ShownDocument]:
    made = ShownDocument(InlineEvaluator, qapp)
    yield made
    made.session.close()
    made.deleteLater()


def test_window_and_settings_look_up_the_same_allowed_folders(
    document: ShownDocument, asked: list[Path], tmp_path: Path
) -> None:
    dialog = SettingsDialog(Settings(tmp_path / "s.ini"), Appearance("dark"), None)  # type: ignore[arg-type]
    assert asked == [state_folder() / DATA_FOLDERS] * 2
    dialog.deleteLater()


def test_a_document_is_called_by_its_file_or_its_title(document: ShownDocument, tmp_path: Path) -> None:
    assert (document.is_open, document.path, document.name, document.has_changes) == (False, None, "", False)
    document.show(chain(), title="Lesson")
    assert (document.name, document.title, document.path, document.original) == ("Lesson", "Lesson", None, None)
    document.show(chain())
    assert (document.name, document.is_open) == ("untitled", True)
    file = tmp_path / "a.graph"
    document.show(number(), file, title="Lesson")
    assert (document.name, document.title, document.path, document.original) == ("a.graph", "a", file, file)
    copy: Any = SimpleNamespace(original=tmp_path / "old.graph", title="Old")
    document.recovered = copy
    assert (document.original, document.base_title) == (file, "Old")
    document.leave()
    assert (document.is_open, document.path, document.original, document.title) == (False, None, None, "untitled")
    assert document.session.graph == Graph()
    document.recovered = copy
    assert (document.original, document.base_title, document.name) == (copy.original, "Old", "untitled")
    document.recovered = None
    assert (document.original, document.base_title) == (None, "untitled")


def test_only_an_open_document_has_changes(document: ShownDocument, tmp_path: Path) -> None:
    document.show(chain(), tmp_path / "a.graph")
    assert not document.has_changes
    document.session.apply("Change", lambda _: number())
    assert document.has_changes
    document.is_open = False
    assert not document.has_changes and document.path is None


@pytest.mark.parametrize(
    ("answer", "saved"), [("", None), ("/x/b", "/x/b.png"), ("/x/b.svg", "/x/b.svg"), ("/x/b.c", "/x/b.c")]
)
def test_a_picture_is_offered_beside_the_document_under_its_title(
    monkeypatch: pytest.MonkeyPatch, answer: str, saved: str | None
) -> None:
    offered, found = list[tuple[str, ...]](), list[tuple[Any, ...]]()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: offered.append(given[2:]) or (answer, ""))
    made = Pictures.__new__(Pictures)
    made._context = SimpleNamespace(dialogs=SimpleNamespace(folder=lambda: Path("/home/a")))  # type: ignore[assignment]
    made._document = SimpleNamespace(title="net")  # type: ignore[assignment]
    made._canvas = SimpleNamespace(window=lambda: None)  # type: ignore[assignment]
    monkeypatch.setattr(made, "save", lambda *given: found.append(given))
    made.ask_where(Wanted(True, "dark", "png"))
    assert offered == [(str(Path("/home/a/net.png")), "PNG (*.png)")]
    assert found == ([] if saved is None else [(Path(saved), "dark", True)])
