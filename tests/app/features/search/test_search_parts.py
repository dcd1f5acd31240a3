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


def found(popup: SearchPopup, query: str, first: str = "do", adds: bool = False) -> list[str]:
    """Returns the rows of a query, headings with a colon."""
    popup.open_at(QPoint(300, 300), first=first, adds=adds)
    return [row.text + ":" * row.is_heading for row in popup.found(query)[0]]


NUMBERED = [f"relation {n}" for n in range(20)]


def test_the_first_part_has_fifteen_rows_and_the_others_five(popup: SearchPopup) -> None:
    popup.sources = (
        Source("do", "Do", lambda: entries("do", *NUMBERED)),
        Source("go", "Go", lambda: entries("go", *NUMBERED)),
    )
    rows = found(popup, "relation")
    assert rows[0] == "Do:" and rows[16] == "Go:" and len(rows) == 1 + 15 + 1 + 5
    assert found(popup, "relation", first="go")[0] == "Go:"


def test_a_part_alone_has_all_its_rows(popup: SearchPopup) -> None:
    popup.sources = (Source("do", "Do", lambda: entries("do", *NUMBERED)), Source("go", "Go", lambda: []))
    assert len(found(popup, "relation")) == 21


def test_before_anything_is_typed_the_first_part_shows_all_and_the_others_what_was_used(
    popup: SearchPopup, settings: Settings
) -> None:
    names = [f"relation {n}" for n in range(9)]
    popup.sources = (
        Source("do", "Do", lambda: entries("do", *names)),
        Source("go", "Go", lambda: entries("go", *names)),
    )
    assert found(popup, "") == ["Do:", *names]
    for number in (3, 3, 5):
        settings.count(USES, f"do:relation {number}")
    for number in (0, 1, 2, 3, 4, 6, 7, 7):
        settings.count(USES, f"go:relation {number}")
    # What was used most is above all others; of another part six were used, and five are shown.
    rest = [name for name in names if name not in ("relation 3", "relation 5")]
    used = ["relation 7", "relation 0", "relation 1", "relation 2", "relation 3"]
    assert found(popup, "") == ["Do:", "relation 3", "relation 5", *rest, "Go:", *used]
    assert found(popup, " ", first="go")[:7] == ["Go:", *used, "relation 4"]


def test_where_blocks_come_first_parts_show_what_was_used_if_anything(popup: SearchPopup, settings: Settings) -> None:
    looked: list[str] = []

    def made() -> list[Entry]:
        looked.append("do")
        return entries("do", "relation 1", "relation 2") + entries("do", "relation 3", possible=False)

    popup.sources = (Source("do", "Do", made),)
    assert "Do:" not in found(popup, "", first="add", adds=True) and looked == []
    for name in ("relation 2", "relation 3"):
        settings.count(USES, f"do:{name}")
    rows = found(popup, "", first="add", adds=True)
    assert rows[0] == "Add:" and rows[-2:] == ["Do:", "relation 2"]


def test_what_is_called_exactly_so_comes_first_unless_a_block_is(popup: SearchPopup) -> None:
    popup.sources = (
        Source("go", "Go", lambda: entries("go", "Relation", "Exp")),
        Source("do", "Do", lambda: entries("do", "Relation", "Exp")),
    )
    assert [row for row in found(popup, "relation", first="go") if row.endswith(":")] == ["Do:", "Go:"]
    assert [row for row in found(popup, "relatio", first="go") if row.endswith(":")] == ["Go:", "Do:"]
    assert [row for row in found(popup, "exp", first="go", adds=True) if row.endswith(":")] == ["Go:", "Add:", "Do:"]


def test_what_is_not_possible_comes_after_what_is(popup: SearchPopup) -> None:
    popup.sources = (
        Source("do", "Do", lambda: entries("do", "relation of a", possible=False)),
        Source("go", "Go", lambda: entries("go", "relation of b")),
    )
    assert found(popup, "relation") == ["Go:", "relation of b", "Do:", "relation of a"]


def test_names_that_are_nearly_so_are_found_in_the_first_part_alone(popup: SearchPopup) -> None:
    names = [f"relation{n}" for n in "abcd"]
    popup.sources = (
        Source("do", "Do", lambda: entries("do", *names)),
        Source("go", "Go", lambda: entries("go", *names)),
    )
    rows = found(popup, "relatoina")
    assert rows[0] == "Do:" and len(rows) == 4 and rows[1] == "relationa"
    popup.open_at(QPoint(300, 300), first="do", adds=False)
    rows_of_nothing, message = popup.found("xyzzyq")
    assert list(rows_of_nothing) == []
    assert message == 'No entry is called "xyzzyq". Try a word of a command, a block or a file.'


def test_only_the_first_part_is_searched_loosely(popup: SearchPopup) -> None:
    popup.sources = (
        Source("do", "Do", lambda: entries("do", "attention layer"), is_loose=True),
        Source("go", "Go", lambda: entries("go", "attention layer"), is_loose=True),
        Source("learn", "Learn", lambda: entries("learn", "attention layer")),
    )
    assert found(popup, "atnlr") == ["Do:", "attention layer"]


def test_uses_are_counted_of_what_is_possible_and_no_block(popup: SearchPopup, settings: Settings) -> None:
    for entry in (
        Entry("do:a", "a", lambda: None),
        Entry("do:b", "b", lambda: None, is_possible=False),
        Entry("Exp", "Exp", lambda: None, block="Exp"),
    ):
        popup.take(entry)
    assert dict(settings.uses(USES)) == {"do:a": 1}
