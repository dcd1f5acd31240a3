"""The executor that is chosen: by the variable, by what there is, and with a notice where these differ."""

from __future__ import annotations

import runpy
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import pytest

from gradwire.engine.executors import chosen

EXTENSION = "gradwire.engine.executors._arena"


def choice(monkeypatch: pytest.MonkeyPatch, wish: str) -> tuple[str, str]:
    """Returns the executor that a program chooses, and its notice."""
    monkeypatch.setenv(chosen.VARIABLE, wish)
    found: dict[str, Any] = runpy.run_path(chosen.__file__)
    assert found["Program"].__module__.endswith("_arena") == (found["EXECUTOR"] == "compiled")
    return found["EXECUTOR"], found["NOTICE"]


@pytest.fixture
def best() -> str:
    """The best executor of this installation."""
    try:
        __import__(EXTENSION)
    except ImportError:
        return "NumPy"
    return "compiled"


@pytest.mark.parametrize("wish", ["", "  "])
def test_without_a_wish_the_best_runs(monkeypatch: pytest.MonkeyPatch, best: str, wish: str) -> None:
    assert choice(monkeypatch, wish) == (best, "")


@pytest.mark.parametrize("wish", ["numpy", "NumPy"])
def test_numpy_runs_where_it_is_wished_for(monkeypatch: pytest.MonkeyPatch, wish: str) -> None:
    assert choice(monkeypatch, wish) == ("NumPy", "")


def test_a_wish_for_the_extension_is_heard_or_refused(monkeypatch: pytest.MonkeyPatch, best: str) -> None:
    executor, notice = choice(monkeypatch, "compiled")
    assert executor == best and (notice == "") == (best == "compiled")


def test_what_is_no_executor_is_named(monkeypatch: pytest.MonkeyPatch, best: str) -> None:
    assert choice(monkeypatch, "fast") == (best, 'GRADWIRE_EXECUTOR is "fast"; it can be "compiled" or "numpy".')


def test_an_extension_that_does_not_load_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = ModuleType(EXTENSION)
    broken.__spec__ = ModuleSpec(EXTENSION, None)
    monkeypatch.setitem(sys.modules, EXTENSION, broken)
    executor, notice = choice(monkeypatch, "")
    assert executor == "NumPy"
    assert notice.startswith("The compiled executor does not load; NumPy runs the graphs, more slowly.")
