"""The example graphs that come with the program, for tests that know nothing of the app."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from gradwire import HOME
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
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


# The tests of one example come one after the other (tests/conftest.py).
@lru_cache(maxsize=1)
def run_of_example(name: str) -> Evaluation:
    """Returns the run of an example; tests share it, for a run never changes what it says."""
    return run_graph(example(name))
