"""The rows of the welcome page, shape by shape: icons, names, times, keys, and how they grow. Units: px."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import RecentFile
from gradwire.app.features.welcome.welcome_rows import BigButton, LearnRow, RecentRow
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from tests.app.drawn_shapes import drawn


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    found = QWidget()
    qtbot.addWidget(found)
    return found


@pytest.fixture
def appearance(qapp: object) -> Appearance:
    return Appearance("dark")


def recent(path: Path, appearance: Appearance, parent: QWidget) -> RecentRow:
    row = RecentRow(RecentFile(path, datetime(2001, 3, 4, 9, 5)), appearance)
    row.setParent(parent)
    return row


def test_a_big_button_has_its_icon_and_its_keys_15_px_from_the_ends(appearance: Appearance, parent: QWidget) -> None:
    for is_primary, icon, ink in ((False, "text.primary", "text.tertiary"), (True, "text.on-accent", "text.on-accent")):
        button = BigButton(appearance, "New", "add", is_primary=is_primary)
        button.setParent(parent)
        button.set_key("Ctrl+N")
        assert drawn(button, 240, 38) == [
            f"icon 15 11 16 16 {icon} add",
            f"text 0 0 225 38 right 11px {ink} “Ctrl+N”",
        ]
        assert drawn(button, 240, 76)[1] == f"text 0 0 225 76 right 22px {ink} “Ctrl+N”"


def test_a_recent_file_has_its_name_folder_and_time(appearance: Appearance, parent: QWidget, tmp_path: Path) -> None:
    path = tmp_path / "a.graph"
    path.write_text("{}")
    row = recent(path, appearance, parent)
    icon, time, folder, name = drawn(row, 300, 44)
    assert (icon, time) == (
        "icon 11 14 16 16 text.tertiary file",
        "text 38 6 252 32 right 11px text.tertiary “4 Mar 2001”",
    )
    # 12 px are free before the time.
    left, top, width, height = map(float, name.split()[1:5])
    assert (left, top, height) == (38, 6, 32) and name.endswith("left 12px text.primary “a.graph”")
    free = 252 - QFontMetrics(font("ui", 11)).horizontalAdvance("4 Mar 2001") - 12
    assert width == free and folder.startswith(f"text 38 6 {width:g} 32 left 11px text.tertiary “")
    assert row.accessibleDescription().endswith(tmp_path.name)
    cross = row.findChild(QToolButton, "remove_recent")
    assert isinstance(cross, QToolButton) and cross.isHidden()


def test_a_file_that_is_gone_is_grey_and_has_a_cross(appearance: Appearance, parent: QWidget, tmp_path: Path) -> None:
    row = recent(tmp_path / "b.graph", appearance, parent)
    assert drawn(row, 300, 44) == [
        "icon 11 14 16 16 text.tertiary file",
        "text 38 6 252 32 right 11px text.tertiary “”",
        "text 38 6 222 32 left 11px text.tertiary “This file is gone”",
        "text 38 6 222 32 left 12px text.disabled “b.graph”",
    ]
    assert row.accessibleDescription() == "This file is gone."
    cross = row.findChild(QToolButton, "remove_recent")
    assert isinstance(cross, QToolButton) and not cross.isHidden()
    assert cross.geometry().getRect() == (266, 10, 24, 24)
    # Twice as high, it is drawn twice as large; the cross keeps its size.
    assert drawn(row, 300, 88)[0] == "icon 22 28 32 32 text.tertiary file"
    assert cross.geometry().getRect() == (266, 32, 24, 24)
    chosen, removed = list[Path](), list[Path]()
    row.chosen.connect(chosen.append)
    row.removed.connect(removed.append)
    QTest.keyClick(row, Qt.Key.Key_Return)
    QTest.keyClick(row, Qt.Key.Key_Delete)
    assert (chosen, removed) == ([], [tmp_path / "b.graph"])


def test_a_lesson_has_icon_text_and_key(appearance: Appearance, parent: QWidget) -> None:
    row = LearnRow("tour", "Take the tour", "play", appearance)
    row.setParent(parent)
    row.set_key("F1")
    assert drawn(row, 300, 28) == [
        "icon 11 7 14 14 accent play",
        "text 36 0 224 28 left 12px text.secondary “Take the tour”",
        "rect 268.5 5.5 21 16 round 4 1px border.default",
        "text 268.5 5.5 21 16 middle 10px text.secondary “F1”",
    ]
    plain = LearnRow("tour", "Take the tour", "book", appearance)
    plain.setParent(parent)
    assert drawn(plain, 300, 56) == [
        "icon 22 14 28 28 text.secondary book",
        "text 72 0 148 56 left 12px text.secondary “Take the to…”",
    ]


def test_rows_light_up_and_have_a_ring(
    appearance: Appearance, parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.graph"
    path.write_text("{}")
    there, gone = recent(path, appearance, parent), recent(tmp_path / "b.graph", appearance, parent)
    usual = len(drawn(there, 300, 44))
    monkeypatch.setattr(RecentRow, "hasFocus", lambda _: True)
    found = drawn(there, 300, 44)
    assert len(found) == usual + 1 and found[0] == "rect 1 1 298 42 round 8 2px focus"
    monkeypatch.setattr(RecentRow, "hasFocus", lambda _: False)
    monkeypatch.setattr(RecentRow, "underMouse", lambda _: True)
    assert drawn(there, 300, 44)[0] == "rect 0 0 300 44 round 8 on bg.hover"
    assert drawn(gone, 300, 44)[0] == "icon 11 14 16 16 text.tertiary file"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_A])
def test_enter_clicks_as_space_does(appearance: Appearance, parent: QWidget, key: Qt.Key) -> None:
    clicked: list[str] = []
    button = BigButton(appearance, "New", "add")
    button.clicked.connect(lambda: clicked.append("big"))
    row = LearnRow("tour", "Take the tour", "play", appearance)
    row.chosen.connect(clicked.append)
    for widget in (button, row):
        widget.setParent(parent)
        QTest.keyClick(widget, key)
    assert clicked == ([] if key == Qt.Key.Key_A else ["big", "tour"])
    assert row.sizeHint().toTuple() == (200, 28)
