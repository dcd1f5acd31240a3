"""Files of examples beside a graph: where they may lie, and what is read from them."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, size_text
from gradwire.engine.base.reading_time import reading_time
from gradwire.engine.base.tensor_spec import DTYPES, Array
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.data_arrays import names_in_npz, read_idx, read_npy, read_npz
from gradwire.engine.files.data_images import ImageFile, images_in, read_images
from gradwire.engine.files.data_kinds import TABLES, DataOptions, ending_of
from gradwire.engine.files.data_notes import Note, listed, note_on_rows
from gradwire.engine.files.data_tables import labels_of, read_names, read_table

_LONGEST_NAME = 1_024
_USUAL = DataOptions()
_SHEETS = ("xls", "xlsx", "xlsm", "ods", "numbers")
_KINDS = "CSV, TSV, NPY, NPZ, IDX, IDX packed as GZ, and folders of PNG"


@dataclass(frozen=True)
class Examples:
    """Inputs [rows, ...] and targets [rows] or [rows, labels] of a file, and the SHA-256 sum of its bytes.

    The last `held` rows are a test part of the file's own, `filled` numbers were missing, and `notes` say how it was
    read.
    """

    inputs: Array
    targets: Array
    sha256: str
    filled: int = 0
    held: int = 0
    notes: tuple[Note, ...] = ()

    @property
    def parameters(self) -> dict[str, object]:
        """Parameters of a Data block that hold these examples."""
        return {"inputs": self.inputs, "targets": self.targets, "held": self.held}


class _Found(NamedTuple):
    """What a file holds, before it is judged."""

    inputs: Array
    targets: Array
    sha256: str
    notes: tuple[Note, ...]
    held: int = 0


def path_in(folder: str | os.PathLike[str], name: str) -> Path:
    """Returns the path of a file by its name relative to a folder.

    Raises: FileError if the name is absolute or leaves the folder, also by a link, or there is no ordinary file.
    """
    parts = name.split("/")
    is_odd = any(ord(letter) < 32 or letter in '\\:*?"<>|' for letter in name)
    if len(name) > _LONGEST_NAME or is_odd or any(part.strip(" .") == "" for part in parts):
        raise FileError(
            "The name of a file of data must be a path inside the folder of the graph, with / between its parts."
        )
    try:
        root = Path(folder).resolve(strict=True)
        path = root.joinpath(*parts).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise FileError(f"There is no file {name}.") from error
    if not path.is_relative_to(root):
        raise FileError(f"{name} leads out of the folder of the graph.")
    return path


def is_in(folder: str | os.PathLike[str], name: str) -> bool:
    """Returns whether there is something of that name in a folder."""
    try:
        path_in(folder, name)
    except FileError:
        return False
    return True


def size_in(folder: str | os.PathLike[str], name: str) -> int | None:
    """Returns the size of a file of data, which is not opened; None if there is none that may be read.

    That of a folder is the size of its images. Units: bytes.
    """
    try:
        path = path_in(folder, name)
        files = [item.path for item in images_in(path, name)] if path.is_dir() else [path]
        return sum(os.stat(item).st_size for item in files)
    except (FileError, OSError):
        return None


def read_examples(folder: str | os.PathLike[str], name: str, options: DataOptions = _USUAL) -> Examples:
    """Returns the examples of a file; the help of Data says what its options mean.

    `label` names columns of a table or an array of an NPZ file (y, y_train) with the labels; for NPY and IDX another
    file, and without it the last column of NPY. A folder has PNG images, each in a subfolder for its class, or with a
    row in the table that `label` names. `missing` says what becomes of numbers that are missing or not finite.
    Raises: FileError if the file may not be read, is too large, damaged, or no table of numbers.
    """
    with reading_time(name):
        return _examples(folder, name, options)


def _examples(folder: str | os.PathLike[str], name: str, options: DataOptions) -> Examples:
    path = path_in(folder, name)
    label = next(iter(options.labels), "")
    if len(options.labels) > 1 and (path.is_dir() or ending_of(name) not in TABLES):
        raise FileError(f"{name} takes one label; only columns of a table can be several.")
    found = _images(path, folder, name, label) if path.is_dir() else _file(path, folder, name, options)
    inputs, targets = found.inputs, found.targets
    if targets.ndim not in (1, 2) or inputs.ndim < 1 or len(inputs) != len(targets) or not len(targets):
        raise FileError(
            f"{name} has inputs {list(inputs.shape)} and labels {list(targets.shape)}, not as many rows of both."
        )
    inputs = inputs.reshape(len(inputs), 1) if inputs.ndim == 1 else inputs
    inputs, filled = _filled(_of_known_dtype(inputs), options.missing, name)
    inputs.setflags(write=False)
    notes = (*found.notes, *([Note(f"{filled:,} missing numbers filled in")] if filled else []))
    return Examples(inputs, _as_classes(targets, name), found.sha256, filled, found.held, notes)


def _file(path: Path, folder: str | os.PathLike[str], name: str, options: DataOptions) -> _Found:
    """Returns inputs, targets and checksum of a file."""
    suffix, label = ending_of(name), next(iter(options.labels), "")
    with _opened(path, name) as (stream, size):
        if suffix in TABLES:
            table = read_table(stream.read(size), options, name)
            return _Found(table.numbers, table.labels, _digest(stream), table.notes)
        if suffix == "npz":
            return _archive(stream, size, label, name)
        if suffix == "npy":
            whole = read_npy(stream, size, name)
            inputs, targets = (whole, _labels_of(folder, label)) if label else _last_column(whole, name)
        elif suffix in ("gz", "idx") or suffix.endswith("ubyte"):
            if not label:
                raise FileError(f"{name} has no labels; name the IDX file with them as label.")
            inputs, targets = read_idx(stream, size, name), _labels_of(folder, label)
        elif suffix in _SHEETS:
            raise FileError(f"{name} is a workbook; save the sheet as CSV.")
        else:
            raise FileError(f"{name} is of no kind that is read: {_KINDS}.")
        notes = _notes_on(name, inputs, Note(f"y is file {label}") if label else Note("y is the last column"))
        return _Found(inputs, _one_column(targets), _digest(stream), notes)


def _archive(stream: IO[bytes], size: int, label: str, name: str) -> _Found:
    """Returns the arrays of an NPZ file: x and y, or x_train and y_train with x_test and y_test as the test part."""
    x, y, test = _arrays_in(names_in_npz(stream, size, name), label, name)
    inputs, targets, *more = read_npz(stream, size, (x, y, *test), name)
    targets, held = _one_column(targets), 0
    if more:
        inputs, targets = _joined(inputs, more[0], name), _joined(targets, _one_column(more[1]), name)
        held = len(more[0])
    notes = _notes_on(name, inputs, Note(f"y is array {y}"), x, held)
    notes += (Note(f"test part {', '.join(test)}: {held:,} rows"),) if more else ()
    return _Found(inputs, targets, _digest(stream), notes, held)


def _arrays_in(known: frozenset[str], label: str, name: str) -> tuple[str, str, tuple[str, ...]]:
    """Returns the names of the arrays x and y of an archive, and those of its test part; of two unknown ones the first
    is x.

    Raises: FileError if no array can be y.
    """
    y = label or next((item for item in ("y", "Y", "y_train", "Y_train", "arr_1") if item in known), "")
    if not y:
        raise FileError(f"{name} has no array y; name one of {listed(sorted(known))} as label.")
    beside = [first + y[1:] for first in "xX"] if y[0] in "yY" else []
    x = next((item for item in (*beside, "x", "X", "x_train", "X_train") if item in known), "x")
    x = next(iter(known - {y})) if x not in known and len(known) == 2 and y in known else x
    ends = [item.replace("_train", "_test") for item in (x, y)]
    has_test = x.endswith("_train") and y.endswith("_train") and known.issuperset(ends)
    return x, y, tuple(ends) if has_test else ()


def _joined(one: Array, other: Array, name: str) -> Array:
    """Returns the rows of a test part below those for training."""
    if one.shape[1:] != other.shape[1:] or not one.shape or not other.shape or one.dtype != other.dtype:
        raise FileError(f"{name} has a test part of another shape or dtype than the training part.")
    if one.nbytes + other.nbytes > LIMITS.tensor_bytes:
        raise FileError(f"{name} holds an array above {size_text(LIMITS.tensor_bytes)}.")
    return np.concatenate([one, other])


def _one_column(targets: Array) -> Array:
    """Returns labels in one column [rows, 1] as [rows]; those of several columns as they are."""
    return targets[:, 0] if targets.ndim == 2 and targets.shape[1] == 1 else targets


def _notes_on(name: str, inputs: Array, y: Note, x: str = "", held: int = 0) -> tuple[Note, ...]:
    """Returns how arrays were read; a single number has no rows."""
    count, shape = sum(inputs.shape[:1]) - held, list(inputs.shape[1:])
    what = Note(f"x is array {x} with rows of {shape}") if x else Note(f"x has rows of {shape}")
    return note_on_rows(name, count), what, y


def _images(path: Path, folder: str | os.PathLike[str], name: str, label: str) -> _Found:
    """Returns the images of a folder, their labels, and a checksum over all names and contents."""
    files, digest = images_in(path, name), hashlib.sha256()

    def read(file: ImageFile, most: int) -> bytes:
        with _opened(file.path, plain(file.name)) as (stream, _):
            return stream.read(most)

    if label:
        with _opened(path_in(folder, label), label) as (stream, size):
            named = read_names(stream.read(size), label)
        missing = next((file.name for file in files if file.name not in named), None)
        if missing is not None:
            raise FileError(f"{label} has no label for {plain(missing)}.")
        texts = [named[file.name] for file in files]
    elif files[0].group:
        texts = [file.group for file in files]
    else:
        raise FileError(
            f"{name} has no labels; sort its images into a folder for each class, or name a table as label."
        )
    targets = labels_of(texts, label or name)
    inputs = read_images(files, read, digest.update)
    y = Note(f"y is file {label}") if label else Note("y is the folder of each image")
    return _Found(inputs, targets, digest.hexdigest(), _notes_on(name, inputs, y))


@contextmanager
def _opened(path: Path, name: str) -> Iterator[tuple[IO[bytes], int]]:
    """Opens an ordinary file within the limits; others are found without blocking."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileError(f"{name} is no ordinary file.")
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        with open(os.open(path, flags), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileError(f"{name} is no ordinary file.")
            if status.st_size > LIMITS.tensor_bytes:
                raise FileError(f"{name} is larger than {size_text(LIMITS.tensor_bytes)}.")
            yield stream, status.st_size
    except OSError as error:
        raise FileError(f"{name} cannot be read.") from error


def _digest(stream: IO[bytes]) -> str:
    stream.seek(0)
    digest = hashlib.sha256()
    while part := stream.read(2**20):
        digest.update(part)
    return digest.hexdigest()


def _labels_of(folder: str | os.PathLike[str], name: str) -> Array:
    with _opened(path_in(folder, name), name) as (stream, size):
        return read_npy(stream, size, name) if name.lower().endswith(".npy") else read_idx(stream, size, name)


def _of_known_dtype(array: Array) -> Array:
    """Returns the same numbers in a dtype that tensors may have."""
    if array.dtype in DTYPES.values():
        return array
    return array.astype(np.float32 if array.dtype.itemsize < 4 else np.float64)


def _last_column(whole: Array, name: str) -> tuple[Array, Array]:
    if whole.ndim != 2 or whole.shape[1] < 2:
        raise FileError(f"{name} must have rows and at least 2 columns, the last one with the labels.")
    return whole[:, :-1], whole[:, -1]


def _filled(inputs: Array, missing: str, name: str) -> tuple[Array, int]:
    """Returns inputs without missing numbers, and how many there were."""
    if inputs.dtype.kind != "f":
        return inputs, 0
    is_missing = ~np.isfinite(inputs)
    count = int(np.count_nonzero(is_missing))
    if count and missing == "refuse":
        row = int(np.argwhere(is_missing)[0][0]) + 1
        raise FileError(f"{name} lacks {count:,} numbers, the first in row {row:,}; set missing to zero or mean.")
    if count:
        inputs = np.where(is_missing, 0 if missing == "zero" else _means(inputs, ~is_missing), inputs)
    return inputs, count


def _means(inputs: Array, is_known: Array) -> Array:
    """Returns the mean of the known numbers of each column; a power of two keeps the sums from overflow."""
    present = np.where(is_known, inputs, 0)
    counts = np.maximum(is_known.sum(axis=0), 1)
    exponents = np.frexp(np.abs(present).max(axis=0) if len(present) else counts)[1]
    means = np.add.accumulate(np.ldexp(present, -exponents), axis=0)[-1] / counts
    found: Array = np.ldexp(means, exponents)
    return found


def _as_classes(targets: Array, name: str) -> Array:
    """Returns whole numbers from 0 to 99 as indices of classes, all others and several columns as numbers."""
    if targets.dtype.kind == "f" and not np.isfinite(targets).all():
        raise FileError(f"{name} has a label that is missing or not finite.")
    is_class = targets.ndim == 1 and targets.min() >= 0 and targets.max() < 100 and (targets == np.rint(targets)).all()
    return np.asarray(targets, np.int64 if is_class else np.float64)
