"""Weights beside a graph's file: what is written, what is read back, and what is refused."""

from __future__ import annotations

import json
import os
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.base.absent_tensor import AbsentTensor
from gradwire.engine.base.errors import FileChangedError, FileError
from gradwire.engine.base.limits import LIMITS, Limits
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.beside import reading, weights, writing
from gradwire.engine.files.beside.weights import Weights
from gradwire.engine.files.disk import NO_FILE
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.interop.models.limits import MOST_BYTES, MOST_OF_TENSOR

LARGE = np.arange(140_000, dtype=np.float64).reshape(400, 350)
OTHER = np.arange(300_001, dtype=np.float32)


def graph_of(**values: Array) -> Graph:
    blocks = {name: Block(name, "Variable", parameters={"value": value}) for name, value in values.items()}
    return Graph((Page("main", blocks),))


def value(graph: Graph, name: str = "w") -> Any:
    return graph.page("main").blocks[name].parameters["value"]


def record(path: Path, name: str = "w") -> dict[str, Any]:
    blocks = json.loads(path.read_text())["pages"][0]["blocks"]
    found: dict[str, Any] = next(block["parameters"]["value"] for block in blocks if block["id"] == name)
    return found


def with_record(path: Path, **changed: object) -> None:
    """Rewrites what the text says about where w lies."""
    data = json.loads(path.read_text())
    data["pages"][0]["blocks"][0]["parameters"]["value"] |= changed
    path.write_text(json.dumps(data))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "m.graph"
    save(graph_of(w=LARGE), path)
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_tensor_above_one_mib_lies_beside_the_file_as_raw_bytes(tmp_path: Path) -> None:
    path, just = tmp_path / "m.graph", np.zeros(2**17)
    save(graph_of(a=LARGE, b=OTHER, c=just), path)
    assert names(tmp_path) == ["m.graph", "m.weights"]
    content = (tmp_path / "m.weights").read_bytes()
    for name, array in (("a", LARGE), ("b", OTHER)):
        where = record(path, name)
        assert list(where) == ["dtype", "shape", "in", "at", "bytes", "crc32"]
        assert where["in"] == "m.weights"
        assert where["at"] % 64 == 0
        raw = content[where["at"] : where["at"] + where["bytes"]]
        assert raw == array.astype(array.dtype.newbyteorder("<")).tobytes()
        assert int(where["crc32"], 16) == zlib.crc32(raw)
    assert "base64" in record(path, "c")
    assert json.loads(path.read_text())["version"] == [1, 2]


def test_reading_gives_the_same_graph_and_saving_again_the_same_bytes(saved: Path) -> None:
    before = saved.read_bytes(), (saved.parent / "m.weights").stat().st_ino
    loaded = load(saved).graph
    assert loaded == graph_of(w=LARGE)
    assert not value(loaded).flags.writeable
    save(loaded, saved)
    assert (saved.read_bytes(), (saved.parent / "m.weights").stat().st_ino) == before


def test_changed_weights_take_the_place_of_the_old_ones(saved: Path) -> None:
    for array in (LARGE + 1, LARGE + 2, LARGE):
        save(graph_of(w=array), saved)
        assert np.array_equal(value(load(saved).graph), array)
        assert names(saved.parent) == sorted(["m.graph", record(saved)["in"]])
    save(graph_of(w=np.zeros(3)), saved)
    assert names(saved.parent) == ["m.graph"]


class Killed(BaseException):
    """The end of a process."""


def killed_save(path: Path, array: Array, steps: int, patch: pytest.MonkeyPatch) -> bool:
    """Saves over a graph, and ends at a step on the disk, after which none happens; False if it ended."""
    calls = 0

    def counted(real: Any) -> Any:
        def call(*args: Any, **keywords: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls >= steps:
                raise Killed
            return real(*args, **keywords)

        return call

    for name in ("replace", "unlink", "fsync"):
        patch.setattr(os, name, counted(getattr(os, name)))
    try:
        save(graph_of(w=array), path)
    except Killed:
        return False
    return True


def test_a_save_that_ends_at_any_moment_leaves_a_pair_that_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = []
    for steps in range(1, 20):
        path = tmp_path / str(steps) / "m.graph"
        path.parent.mkdir()
        save(graph_of(w=LARGE), path)
        with monkeypatch.context() as patch:
            is_done = killed_save(path, LARGE + 1, steps, patch)
        found = value(load(path).graph)
        outcomes.append((int(found[0, 0]), is_done))
        assert np.array_equal(found, LARGE + outcomes[-1][0])
        save(graph_of(w=LARGE + 2), path)
        # Who is killed between the last two steps leaves the old file, which looks like one of somebody else.
        left = {name for name in names(path.parent) if not name.endswith(".tmp")}
        assert left - {"m.weights"} <= {"m.graph", record(path)["in"]}
    assert outcomes == sorted(outcomes)
    assert {(0, False), (1, False), (1, True)} == set(outcomes)


def test_a_refused_save_leaves_no_weights(saved: Path) -> None:
    before = names(saved.parent)
    with pytest.raises(FileChangedError):
        save(graph_of(w=LARGE + 1), saved, over=NO_FILE._replace(digest=b"other"))
    assert names(saved.parent) == before
    assert np.array_equal(value(load(saved).graph), LARGE)


def test_a_file_of_somebody_else_with_that_name_stays(tmp_path: Path) -> None:
    (tmp_path / "m.weights").write_text("mine")
    save(graph_of(w=LARGE), tmp_path / "m.graph")
    save(graph_of(w=LARGE + 1), tmp_path / "m.graph")
    assert (tmp_path / "m.weights").read_text() == "mine"
    assert np.array_equal(value(load(tmp_path / "m.graph").graph), LARGE + 1)


def test_weights_that_another_graph_names_stay(saved: Path) -> None:
    copy = saved.with_name("copy.graph")
    copy.write_bytes(saved.read_bytes())
    save(graph_of(w=LARGE + 1), saved)
    assert np.array_equal(value(load(copy).graph), LARGE)


def test_weights_that_go_while_the_graph_is_written_are_written_again(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(content: bytes) -> None:
        saved.write_bytes(content)
        for path in saved.parent.glob("*.weights"):
            path.unlink()

    writing.write_beside(graph_of(w=LARGE + 1), saved, write)
    assert np.array_equal(value(load(saved).graph), LARGE + 1)


def test_weights_of_a_private_graph_are_private(saved: Path) -> None:
    saved.chmod(0o600)
    save(graph_of(w=LARGE + 1), saved)
    assert (saved.parent / record(saved)["in"]).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (Path.unlink, "is missing"),
        (lambda path: os.truncate(path, 1000), "is shorter than the graph says"),
        (lambda path: path.write_bytes(bytes(2 * LARGE.nbytes)), "has changed since the graph was saved"),
        (lambda path: (path.unlink(), path.mkdir()), "is no ordinary file"),
        (lambda path: (path.rename(path.with_name("x")), path.symlink_to("x")), "is no ordinary file"),
        (lambda path: (path.unlink(), os.mkfifo(path)), "is no ordinary file"),
    ],
)
def test_weights_that_are_missing_or_changed_are_a_problem_of_their_block(
    saved: Path, damage: Any, reason: str
) -> None:
    save(graph_of(w=LARGE, small=np.ones(2)), saved)
    text = saved.read_text()
    damage(saved.parent / "m.weights")
    graph = load(saved).graph
    assert np.array_equal(value(graph, "small"), np.ones(2))
    (problem,) = [item for item in run_graph(graph).snapshot.problems if item.code == "weights"]
    assert (problem.at, problem.severity) == ("main/w", "error")
    assert f"value lies in m.weights, which {reason}; put it beside the graph's file." in problem.message
    save(graph, saved)
    assert saved.read_text() == text, "the graph still says where its numbers were"


def test_new_weights_keep_off_the_name_of_missing_ones(saved: Path) -> None:
    kept = (saved.parent / "m.weights").read_bytes()
    (saved.parent / "m.weights").unlink()
    blocks = load(saved).graph.page("main").blocks
    more = graph_of(v=OTHER).page("main").blocks
    save(Graph((Page("main", {**blocks, **more}),)), saved)
    (saved.parent / "m.weights").write_bytes(kept)
    assert load(saved).graph == graph_of(w=LARGE, v=OTHER)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"in": "../m.weights"}, "in must be the name of a file beside"),
        ({"in": "/etc/m.weights"}, "in must be the name of a file beside"),
        ({"in": "c:m.weights"}, "in must be the name of a file beside"),
        ({"in": "a\\m.weights"}, "in must be the name of a file beside"),
        ({"in": "m.graph"}, "in must be the name of a file beside"),
        ({"in": 3}, "in must be the name of a file beside"),
        ({"at": -64}, "at must be a whole number of at least 0"),
        ({"at": 0.0}, "at must be a whole number of at least 0"),
        ({"bytes": 8}, "bytes must be 1120000 as dtype and shape say"),
        ({"crc32": "zz"}, "crc32 must be 8 hexadecimal digits"),
        ({"shape": [2**20, 2**20]}, "a tensor beside the file may have at most 512 MiB"),
        ({"more": 1}, "a tensor has the keys"),
    ],
)
def test_a_place_that_cannot_be_is_refused_with_its_line(
    saved: Path, changed: dict[str, object], sentence: str
) -> None:
    with_record(saved, **changed)
    with pytest.raises(FileError, match=re.escape(sentence)) as caught:
        load(saved)
    assert caught.value.line


def test_a_place_beyond_the_end_reads_nothing(saved: Path) -> None:
    with_record(saved, at=2**60)
    assert value(load(saved).graph).reason == "is shorter than the graph says"


def test_a_text_from_no_folder_has_no_weights(saved: Path) -> None:
    assert isinstance(value(loads(saved.read_bytes()).graph), AbsentTensor)


def test_a_text_without_a_folder_holds_all_numbers() -> None:
    assert loads(dumps(graph_of(w=LARGE))).graph == graph_of(w=LARGE)


def test_a_graph_behind_a_link_has_its_weights_beside_the_file_itself(saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link = folder / "l.graph"
    link.symlink_to(saved)
    save(graph_of(w=LARGE + 1), link)
    assert np.array_equal(value(load(link).graph), LARGE + 1)
    assert names(folder) == ["l.graph"]


def test_a_name_that_is_long_or_odd_leaves_room(tmp_path: Path) -> None:
    for stem in ("ä" * 120, "a:b"):
        save(graph_of(w=LARGE), tmp_path / f"{stem}.graph")
        assert load(tmp_path / f"{stem}.graph").graph == graph_of(w=LARGE)


def test_many_smaller_tensors_lie_beside_too_so_that_the_text_stays_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "MOST_INSIDE", 2**18)
    arrays = {f"w{place}": np.full((2**14,), place, np.float64) for place in range(3)}
    small = {"few": np.arange(1024.0)}
    path = tmp_path / "m.graph"
    save(graph_of(**arrays, **small), path)
    assert path.stat().st_size < 2**16
    assert (tmp_path / "m.weights").stat().st_size == 3 * 2**17
    assert "data" in record(path, "few")
    assert load(path).graph == graph_of(**arrays, **small)
    save(graph_of(**{name: arrays[name] for name in ("w1", "w2")}), path)
    assert names(tmp_path) == ["m.graph"]


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(beside_bytes=LARGE.nbytes - 1), "a tensor beside the file may have at most 1,119,999 bytes"),
        (
            Limits(weights_bytes=LARGE.nbytes + OTHER.nbytes - 1),
            "all tensors beside a file together may have at most 2,320,003 bytes",
        ),
    ],
)
def test_tensors_beside_have_limits_of_their_own(saved: Path, limits: Limits, said: str) -> None:
    graph = graph_of(w=LARGE, v=OTHER)
    in_text = Limits(tensor_bytes=2**20, tensors_bytes=2**20)
    text = dumps(graph, in_text, Weights(graph))
    with pytest.raises(FileError, match=said):
        dumps(graph, limits, Weights(graph))
    with pytest.raises(FileError, match=said):
        loads(text.encode(), limits)
    with pytest.raises(FileError, match="a tensor may have at most 1 MiB"):
        dumps(graph, in_text)


def test_a_tensor_beside_that_memory_has_no_room_for_is_a_problem(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "limit", lambda: LARGE.nbytes - 1)
    found = value(load(saved).graph)
    assert isinstance(found, AbsentTensor)
    assert found.reason == "is larger than the memory that is free"


def test_what_models_may_bring_in_can_be_saved() -> None:
    assert LIMITS.beside_bytes >= MOST_OF_TENSOR
    assert LIMITS.weights_bytes >= MOST_BYTES
