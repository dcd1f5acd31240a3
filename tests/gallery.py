"""The example graphs that come with the program, for tests that know nothing of the app."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gradwire import HOME
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph

FOLDER = HOME / "assets" / "examples"


@cache
def example_names() -> tuple[str, ...]:
    """Returns the names of all examples, sorted."""
    names = tuple(sorted(path.stem for path in FOLDER.glob("*.graph")))
    assert len(names) > 60, "the examples are not where this module looks"
    return names


def example_path(name: str) -> Path:
    """Returns the path of an example."""
    path = FOLDER / f"{name}.graph"
    assert path.exists(), f"there is no example {name}"
    return path


@cache
def example(name: str) -> Graph:
    """Returns the graph of an example; tests share it, for graphs never change."""
    return load(example_path(name)).graph
