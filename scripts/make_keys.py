"""Writes the table of all keys and gestures in docs/keys.md from the commands of the program: make reference."""

from __future__ import annotations

import tempfile
from pathlib import Path

from gradwire.app.base.settings import Settings
from gradwire.app.live.keys import Keys
from gradwire.app.shell.commands.commands import bindables
from gradwire.app.shell.commands.keyboard_map import Line, map_lines

PAGE = Path(__file__).parent.parent / "docs" / "keys.md"
# All below this line is made.
GENERATED = "<!-- Made by `make reference` from the commands of the program; not edited by hand. -->"


def main() -> None:
    """Writes the page with the table of this version."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def page(text: str) -> str:
    """Returns the page with another table, below what is written by hand."""
    by_hand = text.partition(GENERATED)[0]
    return f"{by_hand}{GENERATED}\n\n{tables()}"


def tables() -> str:
    """Returns a table of keys and one of gestures for each menu, with the keys that a new user has."""
    with tempfile.TemporaryDirectory() as folder:
        lines = map_lines(Keys(Settings(Path(folder) / "settings.ini"), bindables()))
    areas = dict.fromkeys(line.area for line in lines)
    return "\n".join(_table(area, [line for line in lines if line.area == area]) for area in areas)


def _table(area: str, lines: list[Line]) -> str:
    rows = [f"| {line.text} | {_how(line)} |" for line in lines]
    return "\n".join([f"### {area}", "", "| does | keys or mouse |", "|---|---|", *rows, ""])


def _how(line: Line) -> str:
    is_series = "…" in line.keys
    return line.mouse or (" " if is_series else ", ").join(line.keys).replace("|", "\\|")


if __name__ == "__main__":
    main()
