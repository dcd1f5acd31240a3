"""Menus that documents and sentences lead through, as "Help > Tour", are those that the window has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gradwire.app.shell.bar.main_menu import SUBMENUS
from gradwire.app.shell.commands.commands import COMMANDS

ROOT = Path(__file__).parents[4]
SOURCES = [path for folder in ("app", "engine", "blocks", "interop") for path in (ROOT / folder).rglob("*.py")]
TEXTS = [ROOT / "README.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "assets").rglob("*.graph")]
TITLES = {command.id: command.text.rstrip(" …") for command in COMMANDS}
HEADS = {title for title, _ in SUBMENUS.values()} | {command.topic for command in COMMANDS} | {"Menu"}
PATH = re.compile(rf"\b({'|'.join(HEADS)}) > ([A-Z][^*\"\n]*)")


def is_there(menu: str, entry: str) -> bool:
    return any(title == menu and entry.startswith(TITLES[name]) for title, names in SUBMENUS.values() for name in names)


@pytest.mark.parametrize("folder", [TEXTS, SOURCES], ids=["documents", "sentences"])
def test_every_menu_that_is_named_has_the_entry(folder: list[Path]) -> None:
    named = {(path.name, *found) for path in folder for found in PATH.findall(path.read_text())}
    assert len(named) > 1
    assert [(file, f"{menu} > {entry}") for file, menu, entry in named if not is_there(menu, entry)] == []
