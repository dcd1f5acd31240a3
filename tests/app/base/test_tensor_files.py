"""Tensors in `.npy` and `.csv` files: they read back as written, and all other files are refused."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from gradwire.app.base.tensor_files import read_tensor_file, write_tensor_file
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import Limits
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.files.files import save
from gradwire.engine.graph.graph import Graph
from tests.systems.marks import needs_pipes


@pytest.mark.parametrize(
    "array",
    [np.array(2.5), np.zeros((0, 3)), np.arange(24, dtype=np.int16).reshape(2, 3, 4), np.array([True, False])],
)
def test_a_tensor_is_read_back_from_npy(tmp_path: Path, array: Array) -> None:
    write_tensor_file(tmp_path / "a.npy", array)
    again = read_tensor_file(tmp_path / "a.npy")
    assert (again.tobytes(), again.shape, again.dtype) == (array.tobytes(), array.shape, array.dtype)


def test_the_other_byte_order_and_column_order_are_put_right(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.asfortranarray(np.arange(6.0).reshape(2, 3).astype(">f4")))
    again = read_tensor_file(tmp_path / "a.npy")
    assert (again.dtype, again.tolist()) == (np.dtype("float32"), [[0, 1, 2], [3, 4, 5]])
    assert again.dtype.isnative


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_table_is_read_back_from_text(tmp_path: Path, suffix: str) -> None:
    array = np.array([[0.1, -2.0], [np.inf, 1e-9]])
    write_tensor_file(tmp_path / f"a.{suffix}", array)
    np.testing.assert_array_equal(read_tensor_file(tmp_path / f"a.{suffix}"), array)


def test_one_column_is_a_vector(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("loss\n1\n2\n", encoding="utf-8")
    assert read_tensor_file(tmp_path / "a.csv").tolist() == [1, 2]


def test_objects_are_never_loaded(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(FileError, match=r"a\.npy is damaged or no file of NumPy numbers"):
        read_tensor_file(tmp_path / "a.npy")


@pytest.mark.parametrize("kind", ["array", "archive", "objects"])
def test_a_file_cut_or_flipped_anywhere_is_read_or_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.npy"
    save = {"archive": np.savez, "array": np.save}.get(kind, partial(np.save, allow_pickle=True))
    with path.open("wb") as file:
        save(file, np.array([{}], dtype=object) if kind == "objects" else np.arange(6.0).reshape(2, 3))
    content = path.read_bytes()
    flipped = (
        content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :]
        for place in range(128)
        for bit in (1, 32)
    )
    for damaged in (*(content[:length] for length in range(len(content))), *flipped):
        path.write_bytes(damaged)
        with suppress(FileError):
            assert read_tensor_file(path).size <= 6


def test_a_line_that_is_no_row_of_cells_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1,2\n3," + "4" * 200_000, encoding="utf-8")
    with pytest.raises(FileError, match="holds a cell that is too long or breaks its line"):
        read_tensor_file(tmp_path / "a.csv")


def test_a_file_may_be_as_large_as_a_tensor(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("1,2\n3,4\n", encoding="utf-8")
    assert read_tensor_file(path, limits=Limits(tensor_bytes=8)).tolist() == [[1, 2], [3, 4]]
    with pytest.raises(FileError, match=r"a\.csv has 8 bytes; a tensor may have 7 bytes"):
        read_tensor_file(path, limits=Limits(tensor_bytes=7))
    np.save(tmp_path / "a.npy", np.zeros((1, 1, 1)))
    assert read_tensor_file(tmp_path / "a.npy", limits=Limits(rank=3)).shape == (1, 1, 1)
    with pytest.raises(FileError, match="has 3 axes; a tensor may have 2"):
        read_tensor_file(tmp_path / "a.npy", limits=Limits(rank=2))


def test_a_head_that_promises_too_much_is_refused_before_room_is_made(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros(4))
    with pytest.raises(FileError, match="may have 16 bytes"):
        read_tensor_file(tmp_path / "a.npy", limits=Limits(tensor_bytes=16))
    raw = (tmp_path / "a.npy").read_bytes().replace(b"(4,), }       ", b"(4000000000,),}")
    (tmp_path / "b.npy").write_bytes(raw)
    with pytest.raises(FileError, match=r"b\.npy"):
        read_tensor_file(tmp_path / "b.npy")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.npy", b"", "damaged"),
        ("a.npy", b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'shape': (3,), }", "damaged"),
        ("a.csv", b"\xff\xfe\x00", "no text in UTF-8"),
        ("a.csv", b"1,2\n3,x\n", "line 2, column 2"),
        ("gone.npy", None, "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=said):
        read_tensor_file(tmp_path / name)


def test_complex_numbers_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([1j]))
    with pytest.raises(FileError, match="complex128"):
        read_tensor_file(tmp_path / "a.npy")


@needs_pipes
@pytest.mark.parametrize("name", ["a.npy", "a.csv"])
def test_a_pipe_is_neither_read_nor_written_and_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(FileError, match="not an ordinary file"):
        read_tensor_file(tmp_path / name)
    with pytest.raises(FileError, match="not an ordinary file"):
        write_tensor_file(tmp_path / name, np.zeros(2))


@pytest.mark.parametrize("name", ["a.npy", "a.csv"])
def test_a_tensor_that_cannot_be_written_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write_tensor_file(tmp_path / name, np.array([1.0, 2.0]))
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(FileError, match="the disk is full"):
        write_tensor_file(tmp_path / name, np.array([3.0, 4.0]))
    assert read_tensor_file(tmp_path / name).tolist() == [1, 2]


def test_a_tensor_never_replaces_a_graph(tmp_path: Path) -> None:
    save(Graph(), tmp_path / "a.csv")
    before = (tmp_path / "a.csv").read_bytes()
    with pytest.raises(FileError, match="holds a graph, not numbers"):
        write_tensor_file(tmp_path / "a.csv", np.zeros(3))
    assert (tmp_path / "a.csv").read_bytes() == before
