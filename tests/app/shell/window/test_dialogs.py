"""Dialogs of a window: their choices, their rows and their room. Units: px."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.documents.exports.code_dialog import CodeDialog, _complaint
from gradwire.app.shell.documents.exports.page_dialog import PageDialog, PageWanted
from gradwire.app.shell.documents.exports.pictures import PictureDialog, Wanted, to_draw
from gradwire.app.shell.documents.graphs_dialog import GraphsDialog
from gradwire.app.shell.documents.messages import Messages
from gradwire.app.shell.window import bookmarks, settings_dialog
from gradwire.app.shell.window.bookmarks import Bookmarks
from gradwire.app.shell.window.settings_dialog import SettingsDialog
from gradwire.engine.graph.graph import Frame, Graph, Page
from tests.app.drawn_shapes import room_of, rooms
from tests.app.window.graphs import chain

DARK = Appearance("dark")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_the_page_dialog_offers_training_only_with_a_plan(parent: QWidget) -> None:
    for has_plan in (True, False):
        made, wanted = PageDialog(has_plan, parent), list[PageWanted]()
        made.wanted.connect(wanted.append)
        assert made._train.isEnabled() is has_plan and made.findChildren(QLabel)[0].minimumWidth() == 380
        assert ("data of its plan" in made._train.text()) is has_plan
        assert ("no plan" in made._train.text()) is not has_plan
        assert rooms(made)[0] == "16 · 12"
        made._train.setChecked(True)
        made._finish()
        assert wanted == [PageWanted(True, False)]


@pytest.mark.parametrize("has_selection", [True, False])
def test_the_picture_dialog_begins_with_what_is_there(parent: QWidget, has_selection: bool) -> None:
    made, wanted = PictureDialog(has_selection, "light", parent), list[Wanted]()
    made.wanted.connect(wanted.append)
    assert made._button("what", "selection").isEnabled() is has_selection
    layout = made.layout()
    assert layout is not None and room_of(layout) == "16 · 16" and room_of(made._grid).endswith("16 10")
    rows = [made._grid.itemAtPosition(row, 1) for row in range(1, made._grid.rowCount())]
    lines = [item.layout() for item in rows if item is not None]
    assert len(lines) == 3
    for line in lines:
        assert line is not None and line.spacing() == 16
        assert made._grid.itemAtPosition(1, 0) is not None
    made._finish()
    made._button("format", "pdf").setChecked(True)
    made._finish()
    assert wanted == [Wanted(has_selection, "light", suffix) for suffix in ("svg", "pdf")]


def test_a_picture_of_frames_has_what_is_in_them_and_wires_between() -> None:
    graph = chain()
    frames = (
        Frame("outer", "", ("x",), frames=("inner", "gone")),
        Frame("inner", "", ("e", "lost"), frames=("outer",)),
    )
    page = Page("main", graph.page("main").blocks, graph.page("main").wires, frames=frames)
    found = to_draw(page, Selection(frames=frozenset(["outer"]), notes=frozenset("n")))
    assert found.blocks == {"x", "e"} and found.frames == {"outer", "inner"} and found.notes == {"n"}
    assert {str(wire.target) for wire in found.wires} == {"e.x"}
    alone = to_draw(page, Selection(frozenset("s")))
    assert (alone.blocks, alone.wires) == ({"s"}, frozenset())


def test_a_list_of_graphs_has_its_room_and_its_buttons(parent: QWidget) -> None:
    frame: Any = parent
    frame.appearance = DARK
    made = GraphsDialog("old", "Old graphs", QSize(500, 300), frame)
    pressed = list[int]()
    first = made.button("open", "Open", lambda: pressed.append(1), is_default=True)
    second = made.button("drop", "Drop", lambda: None, is_possible=False)
    made.lay_out("Old", "These are old.", [], [first, second])
    layout = made.layout()
    assert isinstance(layout, QVBoxLayout) and room_of(layout) == "20 18 20 16 · 10"
    assert [layout.stretch(row) for row in range(4)] == [0, 0, 1, 0] and made.size() == QSize(500, 300)
    assert (first.isEnabled(), first.isDefault(), second.isEnabled(), second.isDefault()) == (True, True, False, False)
    assert made.row == -1


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("noise\ngradwire: -: It has no loss.\nmore", "It has no loss."),
        (" only noise \n", "only noise"),
        ("", ""),
        ("gradwire: -: one\ngradwire: -: two", "one"),
    ],
)
def test_a_complaint_about_the_graph_is_told_from_noise(said: str, complaint: str) -> None:
    assert _complaint(said) == complaint


def test_the_code_dialog_begins_with_the_first_framework(parent: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CodeDialog, "_write", lambda *_: None)
    made = CodeDialog(chain(), "a", parent)
    assert made.size() == QSize(760, 620) and made._code.font().pixelSize() == 12
    layout = made.layout()
    assert isinstance(layout, QVBoxLayout) and [layout.stretch(row) for row in range(4)] == [0, 1, 0, 0]
    choices = [item for item in made.findChildren(QPushButton) if item.objectName().startswith("framework_")]
    assert [item.isChecked() for item in choices] == [True] + [False] * (len(choices) - 1) and len(choices) > 1
    for source in ("print()", ""):
        made._show(source, "a status")
        assert made._copy.isEnabled() is made._save.isEnabled() is bool(source)
        assert made._status.text() == "A status"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "s.ini")


def test_the_slider_of_texts_has_steps_from_90_to_200(settings: Settings, parent: QWidget) -> None:
    made = SettingsDialog(settings, DARK, parent)
    slider = made.findChild(QSlider, "setting_text_scale")
    assert isinstance(slider, QSlider) and slider.pageStep() == 2
    (number,) = slider.parentWidget().findChildren(QLabel)
    seen = dict[int, str]()
    for step in range(slider.minimum(), slider.maximum() + 1):
        slider.setValue(step)
        seen[step] = number.text()
        assert f"{settings.text('text_scale')} %" == number.text()
    assert (seen[slider.minimum()], seen[slider.maximum()]) == ("90 %", "200 %")
    assert settings.text("text_scale") == "200"
    again = SettingsDialog(settings, DARK, parent).findChild(QSlider, "setting_text_scale")
    assert isinstance(again, QSlider) and again.value() == slider.maximum()


@pytest.mark.parametrize(("hidden", "allowed"), [(0, 0), (1, 0), (0, 1), (2, 25)])
def test_what_was_hidden_or_allowed_can_be_taken_back(
    settings: Settings, parent: QWidget, monkeypatch: pytest.MonkeyPatch, hidden: int, allowed: int
) -> None:
    settings.set_table(settings_dialog.HIDDEN_RULES, {str(number): True for number in range(hidden)})
    folders = SimpleNamespace(always=[Path(f"/f{number}") for number in range(allowed)])
    monkeypatch.setattr(settings_dialog, "AllowedFolders", lambda *_: folders)
    made = SettingsDialog(settings, DARK, parent)
    show = made.findChild(QPushButton, "settings_show_rules")
    ask = made.findChild(QPushButton, "settings_ask_again")
    assert (show is not None, ask is not None) == (hidden > 0, allowed > 0)
    texts = [item.text() for item in made.findChildren(QLabel)]
    assert (f"Advice: {hidden} rule{'' if hidden == 1 else 's'} hidden" in texts) is (hidden > 0)
    assert (f"Data: {allowed} folder{'' if allowed == 1 else 's'} may be read" in texts) is (allowed > 0)
    tip = ask.toolTip().splitlines() if isinstance(ask, QPushButton) else []
    assert tip == [f"/f{number}" for number in range(min(allowed, 20))]


def test_bookmarks_of_a_hundred_files_are_kept(settings: Settings) -> None:
    places: Any = SimpleNamespace(here=lambda: SimpleNamespace(page="main"), go_to=lambda _: None)
    made = Bookmarks(places, settings)
    settings.set_table("bookmarks", {f"/{number}": {} for number in range(100)})
    session: Any = SimpleNamespace(document=SimpleNamespace(path=Path("/new")), graph=chain())
    made._session, made._found = session, {}
    made.write(session)
    assert "/new" not in settings.table("bookmarks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bookmarks, "as_list", lambda _: [1])
        made.set(session, 3)
    table = settings.table("bookmarks")
    assert len(table) == 100 and next(iter(table)) == "/1" and table["/new"] == {"3": [1]}
    assert made.go(session, 3) and not made.go(session, 4)
    session.graph = Graph()
    made._found = {3: SimpleNamespace(page="gone")}  # type: ignore[dict-item]
    assert not made.go(session, 3)


def test_a_question_has_an_icon_of_32_px_and_plain_text(parent: QWidget) -> None:
    made = Messages(parent, DARK)
    for box in (made.question("ask", "Title", "A sentence."), made.error("Title", "A sentence.")):
        assert box.iconPixmap().deviceIndependentSize().toTuple() == (32, 32)  # type: ignore[attr-defined]
        assert (box.text(), box.informativeText(), box.windowTitle()) == ("Title", "A sentence.", "Gradwire")
