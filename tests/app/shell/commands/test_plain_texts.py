"""The window shows any text of a file as letters: no markup, no hidden or reversed text, nothing loaded."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QLabel, QLineEdit, QMenu, QTableView, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.access.sentences import (
    block_sentence,
    frame_sentence,
    note_sentence,
    port_sentence,
    wire_sentence,
)
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.live.selection import Selection
from gradwire.app.shell.commands.context_menus import context_menu
from gradwire.app.shell.features import LENSES
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Wire
from tests.app.painted import painted_texts
from tests.app.window.brackets import entries_of, texts_of
from tests.app.window.driver import Driver
from tests.torture.support.hostile_names import unseen

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who opens a file"), pytest.mark.long]
TURNED, BELL = "<b>bold</b> \u202egnp.exe\u2066", "ring\x07\x1b[31m\x9b\u200b\U000e0041"
COMMANDS = ("wires", "settings", "shortcuts", "keyboard_map", "wire_help", "about", "commands", "save_picture", "find",
            "search", "export_code")  # fmt: skip


# The only markup: a tooltip around a text without any.
OURS = re.compile("<div style='white-space: pre-wrap'>[^<]*</div>", re.DOTALL)


def may_be_rich(text: str) -> bool:
    """Returns whether Qt, left to guess, would interpret a text as markup."""
    return "<" in text or "&lt;" in text


class Watched:
    """A file that records whether any code opened it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(b"no picture")
        self._libc = ctypes.CDLL(None)
        self._watch = self._libc.inotify_init1(os.O_NONBLOCK)
        is_open = 0x20
        assert self._libc.inotify_add_watch(self._watch, str(path).encode(), is_open) >= 0

    def was_opened(self) -> bool:
        try:
            return bool(os.read(self._watch, 4096))
        except BlockingIOError:
            return False

    def close(self) -> None:
        os.close(self._watch)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """The picture that harmful texts would show."""
    with closing(Watched(tmp_path_factory.mktemp("watched") / "secret.png")) as file:
        yield file


def hostile_graph(picture: Path) -> Graph:
    """Returns a graph with a harmful text wherever a file may hold one; read back from a file."""
    image = f'<img src="{picture.as_uri()}"> <a href="{picture.as_uri()}">link</a> &lt;i&gt; &File'
    three = np.array([-1.0, 0.5, 2.0])
    blocks = [
        Block("x", "Variable", label=image, at=(0, 0), parameters={"value": three}),
        Block("c", "Constant", label=BELL, at=(0, 200), parameters={"value": np.array([[1.0, np.nan]])}),
        Block("e", "Exp", label=TURNED, at=(300, 0)),
        Block("ln", "Log", label="long " * 12_000, at=(300, 200)),
        Block("odd", image, label=BELL, at=(300, 400), parameters={image: TURNED, BELL: [image, 1]}),
        Block("odder", BELL, at=(300, 600)),
        Block("stop", "StopGradient", label="two\nlines\r\nthree", at=(600, 0)),
        Block("guard", "PreventGradient", label="\0", at=(600, 200), parameters={"message": f"{BELL} {image}"}),
        Block("bad", "ReduceMax", at=(600, 400), parameters={"axis": image, TURNED: 1}),
        Block("use", "Page", label="e" + "\u0301" * 3_000, at=(600, 600), parameters={"page": "inner"}),
        Block("lost", "Page", at=(600, 800), parameters={"page": image}),
        Block("loss", "Loss", label=f"{image}{BELL}", at=(900, 0)),
        Block("other", "Loss", label="[*] & \u2028", at=(900, 200)),
    ]
    wires = [
        ("x.y", "e.x"), ("e.y", "stop.x"), ("stop.y", "loss.x"), ("x.y", "ln.x"), ("ln.y", "other.x"),
        (f"odd.{image}", "bad.x"), ("x.y", f"odd.{BELL}"), ("c.y", f"odd.{image}"), (f"odder.{TURNED}", "guard.x"),
        (f"nobody.{image}", f"x.{BELL}"), ("x.y", "use.in"),
    ]  # fmt: skip
    inner = Page(
        "inner",
        {
            "i": Block("i", "PageInput", at=(0, 0), parameters={"name": f"in {TURNED}", "value": three}),
            "o": Block("o", "PageOutput", at=(300, 0), parameters={"name": f"{image} out"}),
            "p": Block("p", "PageOutput", at=(300, 200), parameters={"name": BELL}),
        },
        {Port(end, "x"): Wire(Port("i", "y"), Port(end, "x")) for end in ("o", "p")},
    )
    ends = [(Port(*source.split(".", 1)), Port(*target.split(".", 1))) for source, target in wires]
    main = Page(
        "main",
        {block.id: block for block in blocks},
        {target: Wire(source, target) for source, target in ends},
        surplus=(Wire(Port("c", "y"), Port("e", "x")),),
        frames=(Frame("f", title=f"{image} {TURNED}", blocks=("x", "e")), Frame("g", title=BELL, blocks=("c",))),
        notes=(Note("n", text=f"{image}\n{BELL}\n{TURNED}", at=(0, 900)), Note("m", text=BELL, at=(300, 900))),
    )
    checks = ({"at": "main/x.y", "finite": True, "title": f"{image} {BELL}"}, {"at": f"main/{TURNED}", "finite": True})
    graph = Graph((main, inner), loss=f"main/{TURNED} & {image}", checks=checks)
    return loads(dumps(graph)).graph


class Reader:
    """A reader of a window; `faults` has every text that is not plain, each with its place."""

    def __init__(self, user: Driver, painted: list[str]) -> None:
        self.user, self._painted = user, painted
        self.faults: dict[str, str] = {}
        self.seen = 0
        self._known: set[str] = set()

    def read(self, where: str) -> None:
        """Reads all widgets of the program, and all texts painted since the last call."""
        self.user.settle()
        for root in QApplication.topLevelWidgets():
            self.read_part(where, root)
        for text in self._painted:
            self.take(f"{where}: painted", text)
        self._painted.clear()

    def read_part(self, where: str, root: QWidget) -> None:
        """Reads a part of the program; fields for editing a text show it unchanged."""
        edited = {field.text() for field in root.findChildren(QLineEdit) if not field.isReadOnly()}
        for place, text in texts_of(root):
            if not (place.startswith(("QLineEdit", "LineField")) and text in edited):
                self.take(f"{where}: {place}", text)
        for label in root.findChildren(QLabel):
            if label.textFormat() is not Qt.TextFormat.PlainText:
                self._refuse_markup(f"{where}: label {label.objectName()}", label.text())
        for item in [root, *root.findChildren(QWidget)]:
            tips = [item.toolTip(), *(action.toolTip() for action in item.actions())]
            for tip in [*tips, *(tips_of(item) if isinstance(item, QAbstractItemView) else ())]:
                self._refuse_markup(f"{where}: tip of {item.objectName()}", tip)

    def take(self, place: str, text: str) -> None:
        """Reads one text, unless it was read before."""
        self.seen += 1
        if text in self._known:
            return
        self._known.add(text)
        hidden = unseen(text, also="\n\t")
        if hidden:
            self.faults.setdefault(text[:300], f"{place}: {hidden}")
        if "\u0301" * 8 in text or len(text) > 20_000:
            self.faults.setdefault(text[:300], f"{place}: too long")

    def _refuse_markup(self, place: str, text: str) -> None:
        if may_be_rich(text) and not OURS.fullmatch(text):
            self.faults.setdefault(text[:300], f"{place}: markup")


@pytest.fixture(scope="module")
def painted() -> Iterator[list[str]]:
    """The texts painted since they were last read: a picture of one is painted once for all tests."""
    with pytest.MonkeyPatch.context() as patched:
        yield painted_texts(patched)


@pytest.fixture(scope="module")
def hostile_file(watched: Watched) -> Path:
    """The file of the hostile graph, in a folder; both have harmful names."""
    folder = watched.path.parent / "a&b\n\u202e[*]<img src=secret.png>"
    folder.mkdir()
    path = folder / "x&y[*]\x07<b>.graph"
    path.write_text(dumps(hostile_graph(watched.path)), encoding="utf-8")
    return path


def tips_of(view: QAbstractItemView) -> Iterator[str]:
    """Yields the tooltips of a list or table."""
    model = view.model()
    for row in range(min(model.rowCount(), 100) if model is not None else 0):
        columns = model.columnCount() if isinstance(view, QTableView) else 1
        for column in range(columns):
            tip = model.index(row, column).data(Qt.ItemDataRole.ToolTipRole)
            yield tip if isinstance(tip, str) else ""


def close_dialogs(user: Driver) -> None:
    for dialog in user.window.findChildren(QDialog):
        dialog.reject()
    user.window.parts.editor.placer.popup.close()
    user.settle()


def show_tips(part: QWidget) -> None:
    """Makes every widget show its tooltip."""
    for item in [part, *part.findChildren(QWidget)]:
        if item.isVisible() and item.toolTip():
            middle = item.rect().center()
            QApplication.sendEvent(item, QHelpEvent(QEvent.Type.ToolTip, middle, item.mapToGlobal(middle)))


def read_selections(reader: Reader) -> None:
    """Reads each wire and block with its inspector, card and sentences."""
    user, mirror = reader.user, reader.user.canvas.mirror
    page = user.page
    for selection in [
        *(Selection(wires=frozenset([wire])) for wire in (*page.wires.values(), *page.surplus)),
        *(Selection(frozenset([block])) for block in page.blocks),
        Selection(frozenset(page.blocks)),
        Selection(),
    ]:
        user.session.select(selection)
        user.trigger("card")
        reader.read("a selection")
        show_tips(user.window.parts.panels.inspector)
    for wire in page.wires.values():
        reader.take("spoken", wire_sentence(mirror, wire))
        for socket in ((wire.source, False), (wire.target, True)):
            if socket[0].block in page.blocks:
                reader.take("spoken", port_sentence(mirror, socket))
    for block in page.blocks:
        reader.take("spoken", block_sentence(mirror, block, user.selection))
    for frame in page.frames:
        reader.take("spoken", frame_sentence(mirror, frame.id))
    for note in page.notes:
        reader.take("spoken", note_sentence(mirror, note.id))


@pytest.fixture
def shown(
    one_window: MainWindow, user: Driver, painted: list[str], hostile_file: Path, watched: Watched
) -> Iterator[Reader]:
    """A reader of the window, which all tests share, with the hostile graph; at the end all texts must be plain."""
    if one_window.parts.layout.shows_welcome:
        user.open(hostile_file)
    user.session.view.show("main")
    user.session.select(Selection())
    user.canvas.page_look.set_overlay(Overlay.MAGNITUDE)
    user.canvas.viewport.zoom_to(1.0)
    reader = Reader(user, painted)
    yield reader
    close_dialogs(user)
    reader.read("the end")
    assert not reader.faults, "\n".join(f"{place}: {text[:80]!r}" for text, place in reader.faults.items())
    assert not watched.was_opened()


def test_the_watch_sees_what_markup_loads(tmp_path: Path, qtbot: QtBot) -> None:
    with closing(Watched(tmp_path / "secret.png")) as watched:
        label = QLabel(f'<img src="{watched.path}">')
        qtbot.addWidget(label)
        label.show()
        assert watched.was_opened()


def test_page_inspector_and_cards_are_plain(shown: Reader) -> None:
    shown.read("page")
    assert shown.seen > 500
    for overlay in Overlay:
        shown.user.canvas.page_look.set_overlay(overlay)
        for scale in (0.3, 1.0, 2.0):
            shown.user.canvas.viewport.zoom_to(scale)
            shown.read(f"overlay {overlay}")
    read_selections(shown)
    shown.user.session.view.show("inner")
    read_selections(shown)


def test_every_lens_is_plain(shown: Reader) -> None:
    user = shown.user
    bottom = user.window.parts.panels.bottom
    for kind in LENSES:
        user.window.parts.panels.show_lens(kind.id)
        for block in ("loss", "x", "stop"):
            user.session.select(Selection(frozenset([block])))
            shown.read(f"lens {kind.id}")
        show_tips(bottom)
    bottom.close_panel()


def test_every_dialog_is_plain(shown: Reader) -> None:
    user = shown.user
    for command in COMMANDS:
        if command in user.window.parts.actions_by_id:
            user.trigger(command)
            for field in user.window.findChildren(QLineEdit):
                if field.isVisible() and field.objectName() in ("find_query", "command_query", "box_query"):
                    field.setText("<")
            shown.read(command)
            for place, text in entries_of(user.window.parts.editor.placer.popup):
                shown.take(place, text)
            for dialog in user.window.findChildren(QDialog):
                show_tips(dialog)
            close_dialogs(user)


def test_every_menu_is_plain_and_underlines_nothing(shown: Reader) -> None:
    user = shown.user
    targets = [Target(), Target(note="n"), Target(frame="f"), *(Target(block=block) for block in user.page.blocks)]
    menus = [
        context_menu(user.window.parts, target)
        for target in (*targets, *(Target(wire=wire) for wire in user.page.wires.values()))
    ]
    for menu in [*menus, *user.window.bars.top.findChildren(QMenu)]:
        menu.aboutToShow.emit()
        for place, text in texts_of(menu):
            shown.take(place, text)
        for action in menu.actions():
            assert "&" not in action.text().replace("&&", ""), "an ampersand underlines a letter"
    for menu in menus:
        menu.deleteLater()


def test_the_title_shows_the_name_of_the_file(shown: Reader) -> None:
    title = shown.user.window.windowTitle()
    assert title == "x&y[*][*][U+0007]<b>.graph[*] - Gradwire"
    shown.read("title")


def test_welcome_and_what_cannot_be_opened_are_plain(shown: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    user = shown.user
    user.trigger("welcome")
    shown.read("welcome")
    assert user.session.document.path is not None
    broken = user.session.document.path.with_name("broken \x07<b>.graph")
    seen: list[str] = []
    messages = user.window.parts.documents.context.messages
    monkeypatch.setattr(messages, "complain", lambda title, sentence: seen.extend([title, sentence]))
    broken.write_text('{"format": "<b>\u202e\\u0007"}', encoding="utf-8")
    user.window.parts.documents.opening.open(broken)
    assert seen
    for text in seen:
        shown.take("complaint", text)


def test_a_field_edits_the_true_text(shown: Reader) -> None:
    user = shown.user
    user.canvas.page_actions.field.open(Target(block="stop"))
    field = user.popups.inline()
    assert isinstance(field, QLineEdit)
    assert field.text() == "two\nlines\r\nthree"
    user.canvas.page_actions.field.close_without_edit()
    assert user.block("stop").label == "two\nlines\r\nthree"
