"""The examples of the gallery and the trainings, for tests that need one of each kind."""

from __future__ import annotations

from functools import cache

from gradwire.app.base.examples import example_names, example_path
from gradwire.engine.files.files import load
from tests.gallery import smallest_of_each_wiring


@cache
def examples_of_each_wiring() -> tuple[str, ...]:
    """Returns the smallest example of each wiring: for laws that hold whatever the numbers and lengths of chains."""
    return smallest_of_each_wiring({name: load(example_path(name)).graph for name in example_names()})
