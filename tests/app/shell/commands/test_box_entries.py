"""The order of the command box before anything is typed, and the names that resemble what finds nothing."""

from __future__ import annotations

from collections import Counter

from gradwire.app.kit.search.entries import Entry
from gradwire.app.shell.commands.box_entries import _described, at_first, nearest_entries


def entry(name: str, is_possible: bool = True) -> Entry:
    return Entry(name, name.partition(":")[2], lambda: None, is_possible=is_possible)


def test_the_six_most_used_come_first_then_all_commands() -> None:
    commands, files = [entry(f"command:{letter}") for letter in "abcdefgh"], [entry("file:x"), entry("file:y")]
    entries = [*commands, *files]
    assert at_first(entries, {}) == commands
    uses = Counter({"file:x": 3, "command:c": 5, "command:gone": 9})
    assert [item.id for item in at_first(entries, uses)][:3] == ["command:c", "file:x", "command:a"]
    assert len(at_first(entries, uses)) == 9
    many = Counter({f"command:{letter}": number for number, letter in enumerate("abcdefgh", start=1)})
    assert [item.text for item in at_first(entries, many)] == list("hgfedcab")


def test_what_is_not_possible_now_is_not_among_the_most_used() -> None:
    entries = [entry("command:a"), entry("command:b", is_possible=False)]
    assert [item.text for item in at_first(entries, {"command:b": 9})] == ["a", "b"]


def test_at_most_three_names_resemble_a_word() -> None:
    entries = [entry(f"command:{name}") for name in ("Undo", "Undo all", "Undos", "Undone", "Redo", "Paste")]
    found = [item.text for item in nearest_entries(entries, "undoo")]
    assert found[0] == "Undo" and len(found) == 3 and "Paste" not in found
    assert nearest_entries(entries, "qqqq") == []


def test_an_entry_is_found_by_its_kind_and_place_for_half_of_the_score() -> None:
    command = _described(entry("command:Undo"), "Command", "Edit")
    assert (command.detail, command.tip) == ("Edit", "Command: Edit")
    page = _described(entry("page:main", is_possible=False), "Go to", "Page")
    assert (page.detail, page.tip) == ("Go to: Page", "Go to: Page. Not possible now.")
    assert [share for _, share in page.names] == [0.5]
