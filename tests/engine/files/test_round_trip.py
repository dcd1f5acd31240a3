"""Round trip: saving refuses any graph that would not open as the same one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.beside import writing
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.files import save
from gradwire.engine.files.round_trip import check_reads_back
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire

FOLDER = Path(__file__).parents[3]
EXAMPLE = (FOLDER / "tests" / "data" / "example.graph").read_text(encoding="utf-8")


def content_of(graph: Graph) -> bytes:
    return dumps(graph).encode()


@pytest.mark.parametrize(
    "path", sorted((FOLDER / "assets" / "examples").glob("*.graph"))[::8], ids=lambda path: path.stem
)
def test_every_example_reads_back(path: Path) -> None:
    graph = loads(path.read_bytes()).graph
    check_reads_back(graph, content_of(graph))


def test_defaults_numbers_of_numpy_and_lists_read_back_as_what_they_mean() -> None:
    parameters = {"axis": [np.int64(0)], "keepdims": False, "odd": {"a": np.float64(0.5), "b": np.bool_(True)}}
    used = {"x": Block("x", "Input", parameters={"value": 2.0}), "r": Block("r", "ReduceMax", parameters=parameters)}
    crossed = (Wire(Port("x", "y"), Port("r", "x")), Wire(Port("r", "y"), Port("r", "x")))
    page = Page("main", used, {Port("r", "x"): Wire(Port("x", "y"), Port("r", "x"))}, surplus=crossed)
    graph = Graph((page,), loss=None, extra={"by": ["hand", np.int32(3)]})
    check_reads_back(graph, content_of(graph))


def changed(old: str, new: str) -> bytes:
    assert old in EXAMPLE
    return EXAMPLE.replace(old, new, 1).encode()


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ('"type": "ReduceMax"', '"type": "ReduceMin"', 'block "m" of page "main"'),
        ("[1, 3, 3]", "[1, 3, 4]", 'block "x" of page "main"'),
        ('{"id": "m", "type": "ReduceMax", "at": [208, 96]},\n        ', "", 'block "m" of page "main"'),
        ('["x.y", "m.x"]', '["z.z", "m.x"]', 'page "main"'),
        ("Shift by", "Shifted by", 'page "main"'),
        ("Why is max", "Why was max", 'page "main"'),
        ('"name": "main"', '"name": "other"', 'page "main"'),
        ('"main/loss"', '"main/m"', "what belongs to no page"),
        ("[1, 0]", "[1, 3]", "what belongs to no page"),
    ],
)
def test_what_would_be_lost_is_named(old: str, new: str, lost: str) -> None:
    with pytest.raises(FileError, match=f"^The graph cannot be saved: {lost} would not be the same"):
        check_reads_back(loads(EXAMPLE).graph, changed(old, new))


def test_what_could_not_be_read_is_refused_with_the_reason() -> None:
    with pytest.raises(FileError, match=r"what was written could not be read: .*conventions is missing"):
        check_reads_back(loads(EXAMPLE).graph, changed('"conventions"', '"convention"'))


def test_minus_zero_is_not_zero() -> None:
    graph = Graph((Page("main", {"b": Block("b", "my.Own", parameters={"k": 0.0})}),))
    with pytest.raises(FileError, match='block "b"'):
        check_reads_back(graph, content_of(graph).replace(b"0.0", b"-0.0"))


@pytest.mark.parametrize(
    "forget",
    [
        lambda block: dataclasses.replace(block, label=None),
        lambda block: dataclasses.replace(block, at=None),
        lambda block: dataclasses.replace(block, is_muted=False),
        lambda block: dataclasses.replace(block, is_collapsed=False),
        lambda block: dataclasses.replace(block, parameters={}),
        lambda block: dataclasses.replace(block, extra={}),
    ],
)
def test_a_writer_that_forgets_something_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget: Callable[[Block], Block]
) -> None:
    whole = Block("b", "Exp", "label", (1, 2), 200, True, True, {"k": 1}, {"more": "x"})
    path = tmp_path / "a.graph"
    path.write_text("old")
    monkeypatch.setattr(writing, "dumps", lambda *_, **__: dumps(Graph((Page("main", {"b": forget(whole)}),))))
    with pytest.raises(FileError, match='block "b" of page "main" would not be the same'):
        save(Graph((Page("main", {"b": whole}),)), path)
    assert path.read_text() == "old"
