"""Each folder is a room: its docstring says what lives there and where the way in is, and it stays small."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LARGEST = 25


def folders(*parts: str) -> list[Path]:
    """The folders with Python files below some parts of the repository."""
    files = [path for part in parts for path in (ROOT / part).rglob("*.py")]
    assert len(files) > 50, "the parts are not where this module looks"
    return sorted({path.parent for path in files})


def docstring(room: Path) -> str:
    return ast.get_docstring(ast.parse((room / "__init__.py").read_text())) or ""


def entries(room: Path) -> list[str]:
    """The names that the docstring of a room gives for its way in."""
    sentences = re.findall(r"The way in is (.*?)\.(?:\s|$)", docstring(room), re.DOTALL)
    return [name for sentence in sentences for name in re.findall(r"`([\w.]+)`", sentence)]


def found(package: str, name: str) -> object:
    """The object of a dotted name inside a package; modules are imported as far as the name goes through them."""
    thing: object = importlib.import_module(package)
    for part in name.split("."):
        package = f"{package}.{part}"
        try:
            thing = importlib.import_module(package)
        except ModuleNotFoundError:
            thing = getattr(thing, part)
    return thing


ROOMS = folders("engine", "interop", "app")
ENTRIES = [(room, name) for room in ROOMS for name in entries(room)]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_every_room_says_what_lives_there(room: Path) -> None:
    lines = docstring(room).splitlines()
    assert len(lines) >= 3
    assert lines[1] == ""
    assert "way in" in docstring(room)


@pytest.mark.parametrize(("room", "name"), ENTRIES, ids=lambda item: getattr(item, "name", item))
def test_the_way_in_exists(room: Path, name: str) -> None:
    assert found("gradwire." + ".".join(room.relative_to(ROOT).parts), name) is not None


def test_the_ways_in_are_found_in_the_docstrings() -> None:
    assert len(ROOMS) > 40
    assert len(ENTRIES) > len(ROOMS) * 3 // 4


def test_a_way_in_that_does_not_exist_is_noticed() -> None:
    with pytest.raises(AttributeError):
        found("gradwire.engine.graph", "graph.Shelf")


def test_no_room_has_too_many_files() -> None:
    counts = {
        folder: sum(path.name != "__init__.py" for path in folder.glob("*.py"))
        for folder in folders(
            "engine", "interop", "app", "gradwire", "tests", "scripts", "tools", "benchmarks", "blocks"
        )
        if folder != ROOT / "blocks"
    }
    assert not {str(folder.relative_to(ROOT)): count for folder, count in counts.items() if count > LARGEST}
