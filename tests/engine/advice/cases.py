"""Files with known mistakes of users, and sane ones that look alike."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph

HERE = Path(__file__).parents[2] / "data"
# The mistake in each graph of the folder `lint`; "none" where the graph is sane.
LINT: dict[str, str] = json.loads((HERE / "lint" / "expected.json").read_text())
FIELD = tuple(sorted(path.stem for path in (HERE / "field").glob("*.graph")))


@cache
def case(name: str) -> Graph:
    """Returns the graph of a file; tests share it, for graphs never change."""
    folder = "lint" if name in LINT else "field"
    return load(HERE / folder / f"{name}.graph").graph
