"""Ctrl F: finding blocks, frames and notes on all pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView, QToolButton

from gradwire.app.kit.search.entries import ENTRY
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.graphs import MAIN


@pytest.fixture
def finding(here: Driver) -> Iterator[Driver]:
    here.ctrl(Key.Key_F)
    yield here
    here.window.parts.viewing.find_bar.leave()


def field(user: Driver) -> QLineEdit:
    return user.child(QLineEdit, "find_field")


def type_in(user: Driver, text: str) -> list[str]:
    field(user).selectAll()
    QTest.keyClicks(field(user), text)
    rows = user.child(QListView, "find_list").model()
    return [rows.index(row, 0).data(ENTRY).id.rpartition("/")[2] for row in range(rows.rowCount())]


def enter(user: Driver, keys: Mod = Mod.NoModifier) -> frozenset[str]:
    QTest.keyClick(field(user), Key.Key_Return, keys)
    user.settle()
    return user.selection.blocks


def test_ctrl_f_opens_the_bar_over_the_canvas(finding: Driver) -> None:
    bar, canvas = finding.window.parts.viewing.find_bar, finding.canvas
    assert bar.isVisible()
    assert canvas.rect().translated(canvas.pos()).contains(bar.geometry())


def test_enter_selects_what_was_found_and_brings_it_into_the_middle(finding: Driver) -> None:
    assert type_in(finding, "tanh") == ["t"]
    assert enter(finding) == {"t"}
    canvas = finding.canvas
    middle = canvas.camera.to_scene(QPointF(canvas.width() / 2, canvas.height() / 2))
    assert (middle - canvas.mirror.rect("t").center()).manhattanLength() < 4
    assert canvas.camera.scale >= 0.75


def test_enter_again_goes_on_and_shift_enter_back(finding: Driver) -> None:
    first, second = type_in(finding, "s")[:2]
    chosen = [enter(finding), enter(finding), enter(finding, Mod.ShiftModifier)]
    assert chosen[0] == chosen[2] == {first}
    assert second not in chosen[0]


def test_the_buttons_go_on_and_back(finding: Driver) -> None:
    found = [name for name in type_in(finding, "e") if name in finding.page.blocks]
    assert len(found) > 1
    finding.qtbot.mouseClick(finding.child(QToolButton, "find_next"), LEFT)
    finding.qtbot.mouseClick(finding.child(QToolButton, "find_previous"), LEFT)
    assert finding.selection.blocks == {found[0]}


def test_a_block_of_another_page_is_gone_to(finding: Driver) -> None:
    page = finding.session.apply("Add page", edits.add_page)
    finding.session.apply("Add", edits.add_block, page, "Sigmoid", id="far")
    assert type_in(finding, "far") == ["far"]
    assert enter(finding) == {"far"}
    assert finding.session.page_name == page
    finding.ctrl(Key.Key_BracketLeft)
    assert finding.session.page_name == MAIN


def test_frames_and_notes_are_found(finding: Driver) -> None:
    type_in(finding, "remember")
    enter(finding)
    assert finding.selection == Selection(notes=frozenset(["note"]))
    type_in(finding, "spare")
    enter(finding)
    assert finding.selection == Selection(frames=frozenset(["spare"]))


def test_escape_closes_the_bar_and_gives_the_keys_back(finding: Driver) -> None:
    type_in(finding, "tanh")
    QTest.keyClick(field(finding), Key.Key_Escape)
    assert not finding.window.parts.viewing.find_bar.isVisible()
    assert finding.window.focusWidget() is finding.canvas


def test_nothing_found_changes_nothing(finding: Driver) -> None:
    before = finding.canvas.camera
    assert type_in(finding, "qqq") == []
    enter(finding)
    assert finding.canvas.camera == before
