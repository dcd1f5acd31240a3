"""The parts of the empty page, shape by shape: what they say, and how they grow. Units: px."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import RecentFile
from gradwire.app.features.welcome.page_parts import LessonCard, RecentRow, StartField
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


def test_the_field_has_its_key_16_px_from_its_end(appearance: Appearance, parent: QWidget) -> None:
    field = StartField(appearance)
    field.setParent(parent)
    for scale in (1, 2):
        *_, chip, key = drawn(field, 640 * scale, 52 * scale)
        left, _, width, height = (float(part) / scale for part in chip.split()[1:5])
        assert (left + width + 0.5, height) == (624, 16) and key.endswith("“Enter”")


def test_a_recent_file_has_its_name_folder_and_time(appearance: Appearance, parent: QWidget, tmp_path: Path) -> None:
    path = tmp_path / "a.graph"
    path.write_text("{}")
    row = recent(path, appearance, parent)
    icon, time, name, folder = drawn(row, 600, 32)
    assert (icon, time) == (
        "icon 11 8 16 16 text.secondary file",
        "text 36 0 552 32 right 12px text.tertiary “4 Mar 2001”",
    )
    # 12 px are free before the time, and between name and folder.
    free = 552 - QFontMetrics(font("ui", 12)).horizontalAdvance("4 Mar 2001") - 12
    assert name == f"text 36 0 {free} 32 left 13px text.primary “a”"
    start = QFontMetrics(font("ui", 13, 600)).horizontalAdvance("a") + 12
    assert folder.startswith(f"text {36 + start} 0 {free - start} 32 left 12px text.tertiary “")
    assert row.accessibleDescription() == f"{tmp_path}. 4 Mar 2001" and row.accessibleName() == "a"
    assert row.cross.isHidden()


def test_a_file_that_is_gone_is_grey_and_has_a_cross(appearance: Appearance, parent: QWidget, tmp_path: Path) -> None:
    row = recent(tmp_path / "b.graph", appearance, parent)
    _, _, name, gone = drawn(row, 300, 32)
    assert name == "text 36 0 226 32 left 13px text.disabled “b”" and gone.endswith("text.tertiary “This file is gone”")
    assert not row.cross.isHidden() and row.cross.geometry().getRect() == (270, 4, 24, 24)
    # Twice as high, all is twice as large.
    assert drawn(row, 600, 64)[0] == "icon 22 16 32 32 text.secondary file"
    assert row.cross.geometry().getRect() == (546, 8, 48, 48)
    removed = list[bool]()
    row.cross.clicked.connect(lambda: removed.append(True))
    QTest.keyClick(row, Qt.Key.Key_Return)
    assert not removed and not row.is_there
    QTest.keyClick(row, Qt.Key.Key_Delete)
    assert removed == [True]


def test_rows_light_up_and_have_a_ring(
    appearance: Appearance, parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.graph"
    path.write_text("{}")
    there, gone = recent(path, appearance, parent), recent(tmp_path / "b.graph", appearance, parent)
    usual = len(drawn(there, 300, 32))
    monkeypatch.setattr(RecentRow, "hasFocus", lambda _: True)
    found = drawn(there, 300, 32)
    assert len(found) == usual + 1 and found[-1] == "rect 1 1 298 30 round 8 2px focus"
    monkeypatch.setattr(RecentRow, "hasFocus", lambda _: False)
    monkeypatch.setattr(RecentRow, "underMouse", lambda _: True)
    assert drawn(there, 300, 32)[0] == "rect 0.5 0.5 299 31 round 8 1px border.subtle on bg.raised"
    assert len(drawn(gone, 300, 32)) == usual


def test_a_lesson_has_a_picture_a_title_and_a_line(appearance: Appearance, parent: QWidget, qtbot: QtBot) -> None:
    made: list[tuple[str, tuple[int, int], float]] = []

    def make(path: Path, size: QSize, _: Appearance, ratio: float) -> QPixmap:
        made.append((path.stem, size.toTuple(), ratio))
        return QPixmap(size * ratio)

    card = LessonCard(Path("spirals.graph"), ("Spirals", "Watch it"), appearance, make)
    card.setParent(parent)
    assert drawn(card, 203, 172) == [
        "fill 0 0 203 108 on bg.canvas",
        "text 14 118 175 22 left 13px text.primary “Spirals”",
        "text 14 139 175 22 left 12px text.secondary “Watch it”",
    ]
    qtbot.waitUntil(lambda: made == [("spirals", (203, 108), 1.0)])
    drawn(card, 203, 172)
    assert len(made) == 1
    # At larger texts a card grows, and its picture is made anew.
    drawn(card, 406, 344)
    qtbot.waitUntil(lambda: made[1:] == [("spirals", (203, 108), 2.0)])
    assert (card.accessibleName(), card.accessibleDescription()) == ("Spirals", "Watch it")


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_A])
def test_enter_clicks_as_space_does(appearance: Appearance, parent: QWidget, key: Qt.Key) -> None:
    clicked: list[str] = []
    card = LessonCard(Path("a.graph"), ("A", "B"), appearance, lambda *_: QPixmap())
    card.setParent(parent)
    card.clicked.connect(lambda: clicked.append("card"))
    QTest.keyClick(card, key)
    assert clicked == ([] if key == Qt.Key.Key_A else ["card"])
