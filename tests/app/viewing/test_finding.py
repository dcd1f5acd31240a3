"""Ctrl F: finding blocks, frames and notes on all pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView

from gradwire.app.kit.search.entries import ENTRY
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import MAIN


@pytest.fixture
def finding(here: Driver) -> Iterator[Driver]:
    here.ctrl(Key.Key_F)
    yield here
    here.window.parts.editor.placer.popup.close()


def field(user: Driver) -> QLineEdit:
    return user.child(QLineEdit, "search_field")


def type_in(user: Driver, text: str) -> list[str]:
    field(user).selectAll()
    QTest.keyClicks(field(user), text)
    rows = user.child(QListView, "search_list").model()
    found = [rows.index(row, 0).data(ENTRY) for row in range(rows.rowCount())]
    kinds = ("block:", "frame:", "note:")
    return [entry.id.rpartition("/")[2] for entry in found if entry.id.startswith(kinds)]


def enter(user: Driver, keys: Mod = Mod.NoModifier) -> frozenset[str]:
    QTest.keyClick(field(user), Key.Key_Return, keys)
    user.settle()
    return user.selection.blocks


def test_enter_selects_what_was_found_and_brings_it_into_the_middle(finding: Driver) -> None:
    assert type_in(finding, "tanh") == ["t"]
    assert enter(finding) == {"t"}
    canvas = finding.canvas
    middle = canvas.camera.to_scene(QPointF(canvas.width() / 2, canvas.height() / 2))
    assert (middle - canvas.mirror.rect("t").center()).manhattanLength() < 4
    assert canvas.camera.scale >= 0.75


def test_a_block_of_another_page_is_gone_to(finding: Driver) -> None:
    page = finding.session.apply("Add page", edits.add_page)
    finding.session.apply("Add", edits.add_block, page, "Sigmoid", id="far")
    finding.window.parts.editor.placer.popup.close()
    finding.ctrl(Key.Key_F)
    assert type_in(finding, "far") == ["far"]
    assert enter(finding) == {"far"}
    assert finding.session.page_name == page
    finding.ctrl(Key.Key_BracketLeft)
    assert finding.session.page_name == MAIN


def test_frames_and_notes_are_found(finding: Driver) -> None:
    type_in(finding, "remember")
    enter(finding)
    assert finding.selection == Selection(notes=frozenset(["note"]))
    finding.ctrl(Key.Key_F)
    type_in(finding, "spare")
    enter(finding)
    assert finding.selection == Selection(frames=frozenset(["spare"]))


def test_escape_closes_it_and_gives_the_keys_back(finding: Driver) -> None:
    type_in(finding, "tanh")
    QTest.keyClick(field(finding), Key.Key_Escape)
    assert not finding.window.parts.editor.placer.popup.isVisible()
    assert finding.window.focusWidget() is finding.canvas


def test_nothing_found_changes_nothing(finding: Driver) -> None:
    before = finding.canvas.camera
    assert type_in(finding, "qqq") == []
    QTest.keyClick(field(finding), Key.Key_Escape)
    assert finding.canvas.camera == before
