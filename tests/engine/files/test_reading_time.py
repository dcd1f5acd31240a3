"""The processor time of readers: each of them ends in one sentence when its time is up."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base import reading_time
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.data_files import read_examples
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.files.json_places import offset_of
from gradwire.engine.files.json_text import JsonFault, parse
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.state import State, state_from_bytes
from tests.engine.files.test_data_images import folder_of, png

SAID = "takes more than 8 seconds of processor time to read, the most allowed; make it smaller."
MANY = 100


LOOKS = itertools.count()


def later() -> float:
    """The time of a clock that runs on by an hour whenever somebody looks at it."""
    return 3600.0 * next(LOOKS)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which a tenth of a second passes from one item to the next."""
    used = itertools.count()
    monkeypatch.setattr(reading_time, "ITEMS", 1)
    monkeypatch.setattr(reading_time, "time", SimpleNamespace(thread_time=lambda: next(used) / 10, perf_counter=later))


def graph(plan: dict[str, object] | None = None) -> Graph:
    variable = gw.Variable([1.0, 2.0], name="w")
    return dataclasses.replace(gw.graph(gw.Loss(gw.ReduceSum(variable), name="loss")), training=plan)


def file(training: object) -> str:
    return json.dumps({**json.loads(dumps(graph())), "training": training})


def table(folder: Path) -> object:
    (folder / "t.csv").write_text("a,b\n" + "1,x\n" * MANY)
    return read_examples(folder, "t.csv")


def images(folder: Path) -> object:
    image = png(np.zeros((2, 2, 1), np.uint8))
    return read_examples(folder_of(folder, **{f"a__{number}": image for number in range(MANY)}), "set")


def state(_: Path) -> object:
    variables = {f"main/w{number}": np.zeros(1) for number in range(MANY)}
    return state_from_bytes(State(0, variables, {}, {}).to_bytes(), "a.npz")


READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file of lists": (lambda _: loads(file({"x": [[]] * MANY})), "The file"),
    "a file of keys": (lambda _: loads(file({str(number): 1 for number in range(MANY)})), "The file"),
    "a file of words in a tensor": (
        lambda _: loads(file({"initial": {"dtype": "float64", "shape": [MANY], "data": ["nan"] * MANY}})),
        "The file",
    ),
    "a state": (state, "a.npz"),
    "a table": (table, "t.csv"),
    "images": (images, "set"),
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.usefixtures("slow")
def test_a_reader_whose_time_is_up_says_so(tmp_path: Path, name: str) -> None:
    read, what = READERS[name]
    with pytest.raises(FileError) as caught:
        read(tmp_path)
    assert str(caught.value) == f"{what} {SAID}"


@pytest.mark.usefixtures("slow")
def test_a_plan_whose_time_is_up_is_refused_at_its_place() -> None:
    with pytest.raises(JsonFault) as caught:
        plan_of(graph({"metrics": ["main/loss.y"] * MANY}))
    assert caught.value.path == ("training",)
    assert f"{caught.value.message}." == f"it {SAID}"


@pytest.mark.usefixtures("slow")
def test_each_reader_has_a_time_of_its_own() -> None:
    for _ in range(20):
        assert loads(file({"metrics": ["main/loss.y"]})).graph.training


@pytest.mark.usefixtures("slow")
def test_reading_within_other_reading_shares_its_time() -> None:
    texts = [file({"metrics": ["main/loss.y"]})] * MANY
    with pytest.raises(FileError) as caught, reading_time.reading_time("All of it"):
        list(map(loads, texts))
    assert str(caught.value) == f"All of it {SAID}"


def test_waiting_takes_no_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_time, "ITEMS", 1)
    monkeypatch.setattr(reading_time, "time", SimpleNamespace(thread_time=lambda: 0.0, perf_counter=later))
    assert loads(file({"x": [[]] * MANY})).graph.training


@pytest.mark.usefixtures("slow")
def test_a_reading_that_failed_leaves_no_time_behind() -> None:
    with pytest.raises(FileError), reading_time.reading_time("It"):
        list(reading_time.in_time(range(MANY)))
    assert len(list(reading_time.in_time(range(MANY)))) == MANY


@pytest.mark.parametrize("before", [0, 1, 2**18 - 7, 2**18])
def test_places_are_found_on_both_sides_of_a_mebibyte(before: int) -> None:
    """NumPy looks at one mebibyte at a time; a text, a key or an escape may lie across its end."""
    value = {"é": [[]] * before, 'a"\\]': {"b": ["x,:", {"c": 1}]}, "d": "\\" * 3, "e": [5, 6]}
    for escaped in (True, False):
        text = json.dumps(value, ensure_ascii=escaped)
        assert text[offset_of(text, ('a"\\]', "b", 1, "c")) :].startswith("1}")
        assert text[offset_of(text, ("e", 1)) :] == "6]}"
        assert parse(text) == value
