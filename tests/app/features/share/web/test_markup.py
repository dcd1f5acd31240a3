"""Markup that the script of a page writes: whatever a graph's author can put into a file goes through `safe`."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[5] / "assets" / "web"
# What else stands in markup, by script: numbers as texts, and names, classes and shapes of the script's own.
MADE = {
    "draw.js": "r1|cross|k|mark|GLYPH|margin|name|look|token|text|data|bars|crosses|notches|ground|more|limits",
    "page.js": "shapeText|exact|n|r",
    "training.js": "k|mark|told|trainers|look|data",
}


def markup(text: str) -> Iterator[str]:
    """Yields the expressions inside each template that has an element; templates inside templates count as well."""
    opened: list[tuple[list[str], list[str]]] = []
    # Quoted strings and regular expressions of the scripts have no backquote, so that only braces are to be told apart.
    for piece in re.split(r"(`|\$\{|[{}])", text):
        if piece == "`" and opened and not opened[-1][1]:
            literal, _ = opened.pop()
            yield from literal[1:] if re.search(r"<\w", literal[0]) else ()
        elif piece == "`":
            opened.append(([""], []))
        elif opened and not opened[-1][1] and piece == "${":
            opened[-1][0].append("")
            opened[-1][1].append(piece)
        elif opened and opened[-1][1]:
            if piece in ("{", "${"):
                opened[-1][1].append(piece)
            elif piece == "}":
                opened[-1][1].pop()
            opened[-1][0][-1] += piece if opened[-1][1] else ""
        elif opened:
            opened[-1][0][0] += piece


@pytest.mark.parametrize("name", sorted(path.name for path in SCRIPTS.glob("*.js")))
def test_only_what_is_made_safe_or_by_the_script_stands_in_markup(name: str) -> None:
    made = rf"safe\(|'AB'|({MADE.get(name, 'safe')})\b"
    assert [found for found in markup((SCRIPTS / name).read_text()) if not re.match(made, found)] == []


def test_a_name_that_is_not_made_safe_is_found() -> None:
    assert list(markup("a = `<b>${path}</b>${safe(`x${n}`)}`; b = `${path}`")) == ["path", "safe()"]
