"""Files of examples: what is read, what is filled in, and hostile files, refused quickly and with little memory."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import pickle
import struct
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks import library
from gradwire.engine.base.errors import FileError
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.data_files import path_in, read_examples
from gradwire.engine.files.data_kinds import DataOptions
from gradwire.engine.files.given_files import with_files
from gradwire.engine.files.wanted_files import wanted_files, without_files
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.trainer import Trainer
from tests.sweeps import a_third_of


def npy(array: Any, **how: Any) -> bytes:
    written = io.BytesIO()
    np.save(written, array, **how)
    return written.getvalue()


def npz(**arrays: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in arrays.items():
            archive.writestr(f"{name}.npy", content)
    return written.getvalue()


def idx(array: np.ndarray) -> bytes:
    return struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.astype("u1").tobytes()


def heading(text: str) -> bytes:
    """An NPY file that has only this heading."""
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


X = np.arange(12.0).reshape(4, 3) / 8
Y = np.array([0, 1, 2, 1])


def text(heading: str, row: str) -> bytes:
    """A table of X and Y, with rows written in this way."""
    return (heading + "".join(row.format(*x, y) for x, y in zip(X.tolist(), Y, strict=True))).encode()


@pytest.mark.parametrize(
    ("name", "content", "label"),
    [
        ("a.csv", text("a,b,c,kind\n", "{0},{1},{2},{3}\n"), ""),
        ("a.tsv", text("kind\ta\tb\tc\r\n", "{3}\t{0}\t{1}\t{2}\r\n"), "kind"),
        ("b.csv", text("", "{0};{1};{2};{3}\n"), "3"),
        ("c.csv", text("\ufeffa,b,c,kind\n", '{0},{1},{2},"kind, {3}"\n'), ""),
        ("a.npy", npy(np.column_stack([X, Y])), ""),
        ("f.npy", npy(np.asfortranarray(np.column_stack([X, Y]))), ""),
        ("a.npz", npz(x=npy(X), y=npy(Y)), ""),
        ("b.npz", npz(x=npy(X.astype(">f8")), kinds=npy(Y.astype(np.uint16))), "kinds"),
    ],
)
def test_each_kind_of_file_gives_its_numbers(name: str, content: bytes, label: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    found = read_examples(tmp_path, name, DataOptions(label))
    assert found.inputs.tolist() == X.tolist()
    assert found.targets.dtype == np.int64
    assert found.targets.tolist() == Y.tolist()
    assert found.sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("packed", [False, True])
def test_idx_has_images_and_labels_in_two_files(packed: bool, tmp_path: Path) -> None:
    images = np.arange(4 * 5 * 6).reshape(4, 5, 6)
    end = ".gz" if packed else ""
    for name, array in (("images-idx3-ubyte", images), ("labels-idx1-ubyte", Y)):
        content = idx(array)
        (tmp_path / f"{name}{end}").write_bytes(gzip.compress(content) if packed else content)
    found = read_examples(tmp_path, f"images-idx3-ubyte{end}", DataOptions(f"labels-idx1-ubyte{end}"))
    assert found.inputs.tolist() == images.tolist()
    assert found.targets.tolist() == Y.tolist()


def test_missing_numbers_are_counted_and_refused_or_filled(tmp_path: Path) -> None:
    (tmp_path / "gaps.csv").write_text("a,b,y\n1,2,0.5\n,4,1.5\n3,NA,2.5\n5,9,0.25\n")
    with pytest.raises(FileError, match=r"lacks 2 numbers, the first in row 2; set missing to zero or mean"):
        read_examples(tmp_path, "gaps.csv")
    zero, mean = (read_examples(tmp_path, "gaps.csv", DataOptions(missing=how)) for how in ("zero", "mean"))
    assert zero.filled == mean.filled == 2
    assert zero.inputs.tolist() == [[1, 2], [0, 4], [3, 0], [5, 9]]
    assert mean.inputs.tolist() == [[1, 2], [3, 4], [3, 5], [5, 9]]
    assert mean.targets.tolist() == [0.5, 1.5, 2.5, 0.25]


def test_a_large_table_is_read_whole(tmp_path: Path) -> None:
    row = b"0.123456,-1.25,3.5,1\n"
    (tmp_path / "large.csv").write_bytes(b"a,b,c,y\n" + row * 100_000)
    found = read_examples(tmp_path, "large.csv")
    assert found.inputs.shape == (100_000, 3)
    assert found.inputs.sum(axis=0).tolist() == pytest.approx([12345.6, -125_000, 350_000], rel=1e-9)


class Bad:
    """An object whose pickle would run code."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (os.abort, ())


def lying_zip() -> bytes:
    """A ZIP whose entry says to be small and is not."""
    content = bytearray(npz(x=npy(np.zeros(100_000)), y=npy(Y)))
    size = struct.pack("<I", len(npy(np.zeros(100_000))))
    return bytes(content).replace(size, struct.pack("<I", 128))


def many_entries() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for number in range(2_000):
            archive.writestr(f"{number}.npy", b"")
    return written.getvalue()


def encrypted() -> bytes:
    content = npz(x=npy(X), y=npy(Y))
    return content.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00")


def twice() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("x.npy", npy(X))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("x.npy", npy(X))
    return written.getvalue()


DICT = "{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}\n"
HOSTILE: dict[str, bytes | Callable[[], bytes]] = {
    "pickle.npy": lambda: npy(np.array([Bad()], object), allow_pickle=True),
    "only_pickle.npy": lambda: pickle.dumps([1]),
    "pickle.npz": lambda: npz(x=npy(np.array([Bad()], object), allow_pickle=True), y=npy(Y)),
    "record.npy": lambda: npy(np.zeros(3, [("a", "f8"), ("b", "O")]), allow_pickle=True),
    "complex.npy": lambda: npy(np.zeros((3, 3), complex)),
    "text.npy": lambda: npy(np.array([["a", "b"]])),
    "huge_shape.npy": heading(DICT.format("<f8", (2**40, 2**20))),
    "negative_shape.npy": heading(DICT.format("<f8", (-1, 4))),
    "true_shape.npy": heading(DICT.format("<f8", "(True, 4)")),
    "shape_lies.npy": heading(DICT.format("<f8", (1000, 4))) + b"\0" * 64,
    "many_axes.npy": heading(DICT.format("<f8", (1,) * 40)),
    "code.npy": heading("__import__('os').abort()"),
    "nested.npy": heading("(" * 3_000 + ")" * 3_000),
    "long_heading.npy": b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**31) + b" " * 1000,
    "version.npy": b"\x93NUMPY\x09\x00" + b"\0" * 100,
    "cut.npy": npy(X)[:-9],
    "empty.npy": b"",
    "bomb.npz": lambda: npz(x=npy(np.zeros(30_000_000)), y=npy(Y)),
    "lying.npz": lying_zip,
    "entries.npz": many_entries,
    "encrypted.npz": encrypted,
    "twice.npz": twice,
    "cut.npz": npz(x=npy(X), y=npy(Y))[:-40],
    "no_y.npz": npz(x=npy(X)),
    "rows.npz": npz(x=npy(X), y=npy(Y[:3])),
    "no_zip.npz": b"PK\x05\x06" + b"\xff" * 18,
    "bomb.gz": lambda: gzip.compress(struct.pack(">HBBII", 0, 8, 2, 50_000, 5_000) + bytes(50_000_000)),
    "huge.idx": struct.pack(">HBBIII", 0, 8, 3, 2**31, 2**31, 2**31),
    "kind.idx": struct.pack(">HBBI", 0, 99, 1, 4) + b"\0" * 4,
    "cut.gz": gzip.compress(idx(np.zeros((40, 40))))[:-12],
    "more.gz": gzip.compress(idx(Y) + b"\0"),
    "line.csv": b"1," * 3_000_000,
    "columns.csv": b",".join(b"%d" % number for number in range(20_000)),
    "ragged.csv": b"a,b,y\n1,2,3\n4,5\n",
    "binary.csv": bytes(range(256)) * 100,
    "nul.csv": b"a,b\n1,\0\n",
    "words.csv": b"a,y\nhello,1\n",
    "infinite.csv": b"a,y\ninf,1\n2,1\n",
    "no_label.csv": b"a,y\n1,\n",
    "quote.csv": b'a,y\n"1,2\n' + b"x" * 200_000,
    "open_quote.csv": b'a,y\n"' + b"b\n" * 60_000,
    "field.csv": b"a" * 200_000 + b",b\n1,2\n",
    "latin.csv": "a,größe\n1,2\n".encode("latin-1"),
    "latin_rows.csv": "a,y\n1,größe\n".encode("latin-1"),
    "same.csv": b"a,a,y\n1,2,3\n",
    "no_rows.csv": b"a,b,y\n",
    "empty.csv": b"",
    "program.py": b"print(1)",
}


@pytest.mark.parametrize("name", a_third_of(sorted(HOSTILE)))
def test_a_hostile_file_is_refused_with_little_memory(name: str, tmp_path: Path) -> None:
    content = HOSTILE[name]
    (tmp_path / name).write_bytes(content() if callable(content) else content)
    (tmp_path / "labels.idx").write_bytes(idx(Y))
    label = "labels.idx" if name.endswith((".gz", ".idx")) else ""
    tracemalloc.start()
    with pytest.raises(FileError) as refused:
        read_examples(tmp_path, name, DataOptions(label))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50 * 2**20
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "name",
    ["", "/etc/passwd", "../a.csv", "b/../../a.csv", "b/./a.csv", "~/a.csv", "b//a.csv", "b\\a.csv", "C:/a.csv",
     "a.csv\0", "a\n.csv", "out.csv", "loop.csv", "b", "pipe.csv", "x" * 5000, "...", "there/is/none.csv"],
)  # fmt: skip
def test_names_that_lead_elsewhere_are_refused(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "graph"
    (folder / "b").mkdir(parents=True)
    for place in (tmp_path, folder, folder / "b"):
        (place / "a.csv").write_text("a,y\n1,2\n")
    if sys.platform != "win32":
        (folder / "out.csv").symlink_to(tmp_path / "a.csv")
        (folder / "loop.csv").symlink_to(folder / "loop.csv")
        os.mkfifo(folder / "pipe.csv")
    with pytest.raises(FileError):
        read_examples(folder, name)
    assert path_in(folder, "b/a.csv") == (folder / "b" / "a.csv").resolve()


def test_a_file_above_the_limit_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.csv").open("wb") as stream:
        stream.truncate(2**29)
    with pytest.raises(FileError, match="is larger than 256 MiB"):
        read_examples(tmp_path, "large.csv")


def graph_of(**given: Any) -> Graph:
    x, y = library["Data"](set="file", inputs=X, targets=Y, name="data")
    w = gw.Variable(np.zeros((3, 3)), name="w")
    loss = gw.Loss(gw.ReduceMean(gw.SoftmaxCrossEntropyWithLogits(y, x @ w)), name="loss")
    graph = gw.graph(loss)
    page = graph.pages[0]
    data = replace(page.blocks["data"], parameters={"set": "file", **given})
    page = replace(page, blocks={**page.blocks, "data": data})
    return replace(graph, pages=(page,))


def test_a_graph_reads_nothing_before_it_gets_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(npz(x=npy(X), y=npy(Y)))
    graph = graph_of(file="a.npz", sha256="0" * 64)
    assert [(item.block, item.file) for item in wanted_files(graph)] == [("main/data", "a.npz")]
    assert "has not been read" in evaluate(graph).problems[0].message
    whole, notes = with_files(graph, tmp_path)
    assert notes == [
        "main/data: Read a.npz: 4 rows; x is array x with rows of [3]; y is array y.",
        "main/data: a.npz has changed since the graph was written.",
    ]
    snapshot = evaluate(whole)
    assert snapshot.port("main/data.x").value.tolist() == X.tolist()
    assert snapshot.port("main/data.y").value.tolist() == np.eye(3)[Y].tolist()
    assert float(snapshot.loss.value) == pytest.approx(np.log(3), rel=1e-12)
    assert without_files(whole, wanted_files(graph)).block("main/data").parameters["inputs"] is None
    assert wanted_files(whole) == ()


def test_the_right_sum_is_not_told(tmp_path: Path) -> None:
    content = npz(x=npy(X), y=npy(Y))
    (tmp_path / "a.npz").write_bytes(content)
    _, notes = with_files(graph_of(file="a.npz", sha256=hashlib.sha256(content).hexdigest()), tmp_path)
    assert not [note for note in notes if "changed" in note]


def test_training_takes_batches_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(npz(x=npy(X), y=npy(Y)))
    graph, _ = with_files(graph_of(file="a.npz", batch=1, order="in_order"), tmp_path)
    trainer = Trainer(graph, watch=["main/data.x"])
    for n in range(9):
        trainer.run_round()
        assert trainer.steps[0].value("main/data.x").tolist() == [X[n % 4].tolist()]
