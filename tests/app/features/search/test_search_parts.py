"""The parts of the search: their order, how many rows each has, and what it shows before anything is typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.features.search.search_popup import USES, SearchPopup, Source
from gradwire.app.kit.search.entries import Entry
from gradwire.app.look.appearance import Appearance


def entries(part: str, *names: str, possible: bool = True) -> list[Entry]:
    return [Entry(f"{part}:{name}", name, lambda: None, is_possible=possible) for name in names]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def popup(qtbot: QtBot, settings: Settings) -> SearchPopup:
    made = SearchPopup(Appearance("dark"), settings)
    qtbot.addWidget(made)
    return made


def found(popup: SearchPopup, query: str, first: str = "do") -> list[str]:
    """Returns the rows of a query, headings with a colon."""
    popup.open_at(QPoint(300, 300), first=first)
    return [row.text + ":" * row.is_heading for row in popup.found(query)[0]]


def without_blocks(rows: list[str]) -> list[str]:
    """Returns the rows but for those of the part of blocks."""
    start = rows.index("Add:")
    end = next((row for row in range(start + 1, len(rows)) if rows[row].endswith(":")), len(rows))
    return rows[:start] + rows[end:]


NUMBERED = [f"xyzzyq {n}" for n in range(20)]


def test_the_first_part_has_fifteen_rows_and_the_others_five(popup: SearchPopup) -> None:
    popup.sources = (
        Source("do", "Do", lambda: entries("do", *NUMBERED)),
        Source("go", "Go", lambda: entries("go", *NUMBERED)),
    )
    rows = found(popup, "xyzzyq")
    assert rows[0] == "Do:" and rows[16] == "Go:" and len(rows) == 1 + 15 + 1 + 5
    assert found(popup, "xyzzyq", first="go")[0] == "Go:"


def test_a_part_alone_has_all_its_rows(popup: SearchPopup) -> None:
    popup.sources = (Source("do", "Do", lambda: entries("do", *NUMBERED)), Source("go", "Go", lambda: []))
    assert len(found(popup, "xyzzyq")) == 21


def test_before_anything_is_typed_the_first_part_shows_all_and_the_others_what_was_used(
    popup: SearchPopup, settings: Settings
) -> None:
    names = [f"xyzzyq {n}" for n in range(9)]
    popup.sources = (
        Source("do", "Do", lambda: entries("do", *names)),
        Source("go", "Go", lambda: entries("go", *names)),
    )
    assert without_blocks(found(popup, "")) == ["Do:", *names]
    for number in (3, 3, 5):
        settings.count(USES, f"do:xyzzyq {number}")
    for number in (0, 1, 2, 3, 4, 6, 7, 7):
        settings.count(USES, f"go:xyzzyq {number}")
    # What was used most is above all others; of another part six were used, and five are shown.
    rest = [name for name in names if name not in ("xyzzyq 3", "xyzzyq 5")]
    used = ["xyzzyq 7", "xyzzyq 0", "xyzzyq 1", "xyzzyq 2", "xyzzyq 3"]
    assert without_blocks(found(popup, "")) == ["Do:", "xyzzyq 3", "xyzzyq 5", *rest, "Go:", *used]
    assert found(popup, " ", first="go")[:7] == ["Go:", *used, "xyzzyq 4"]


def test_where_blocks_come_first_parts_show_what_was_used_if_anything(popup: SearchPopup, settings: Settings) -> None:
    looked: list[str] = []

    def made() -> list[Entry]:
        looked.append("do")
        return entries("do", "xyzzyq 1", "xyzzyq 2") + entries("do", "xyzzyq 3", possible=False)

    popup.sources = (Source("do", "Do", made),)
    assert "Do:" not in found(popup, "", first="add") and looked == []
    for name in ("xyzzyq 2", "xyzzyq 3"):
        settings.count(USES, f"do:{name}")
    rows = found(popup, "", first="add")
    assert rows[0] == "Add:" and rows[-2:] == ["Do:", "xyzzyq 2"]


def test_what_is_called_exactly_so_comes_first_unless_a_block_is(popup: SearchPopup) -> None:
    popup.sources = (
        Source("go", "Go", lambda: entries("go", "Xyzzyq", "Exp")),
        Source("do", "Do", lambda: entries("do", "Xyzzyq", "Exp")),
    )
    assert [row for row in found(popup, "xyzzyq", first="go") if row.endswith(":")] == ["Do:", "Go:"]
    assert [row for row in found(popup, "xyzzy", first="go") if row.endswith(":")] == ["Go:", "Do:"]
    assert [row for row in found(popup, "exp", first="go") if row.endswith(":")] == ["Go:", "Add:", "Do:"]


def test_what_is_not_possible_comes_after_what_is(popup: SearchPopup) -> None:
    popup.sources = (
        Source("do", "Do", lambda: entries("do", "xyzzyq of a", possible=False)),
        Source("go", "Go", lambda: entries("go", "xyzzyq of b")),
    )
    assert found(popup, "xyzzyq") == ["Go:", "xyzzyq of b", "Do:", "xyzzyq of a"]


def test_names_that_are_nearly_so_are_found_in_the_first_part_alone(popup: SearchPopup) -> None:
    names = [f"xyzzyq{n}" for n in "abcd"]
    popup.sources = (
        Source("do", "Do", lambda: entries("do", *names)),
        Source("go", "Go", lambda: entries("go", *names)),
    )
    rows = found(popup, "xyzqzya")
    assert rows[0] == "Do:" and len(rows) == 4 and rows[1] == "xyzzyqa"
    popup.open_at(QPoint(300, 300), first="do")
    rows_of_nothing, message = popup.found("jjkqzzw")
    assert list(rows_of_nothing) == []
    assert message.startswith('No block is called "jjkqzzw". The nearest names are ')


def test_only_the_first_part_is_searched_loosely(popup: SearchPopup) -> None:
    popup.sources = (
        Source("do", "Do", lambda: entries("do", "xyzzyq quartz"), is_loose=True),
        Source("go", "Go", lambda: entries("go", "xyzzyq quartz"), is_loose=True),
        Source("learn", "Learn", lambda: entries("learn", "xyzzyq quartz")),
    )
    assert found(popup, "xzqqz") == ["Do:", "xyzzyq quartz"]


def test_uses_are_counted_of_what_is_possible_and_no_block(popup: SearchPopup, settings: Settings) -> None:
    for entry in (
        Entry("do:a", "a", lambda: None),
        Entry("do:b", "b", lambda: None, is_possible=False),
        Entry("Exp", "Exp", lambda: None, block="Exp"),
    ):
        popup.take(entry)
    assert dict(settings.uses(USES)) == {"do:a": 1}
