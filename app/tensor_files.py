"""Tensors in files of their own: NumPy's `.npy` and tables in `.csv`, within the limits of a `.graph` file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app.table_text import natural_shape, read_table, table_text
from app.words import grouped, tr, tr_sentence
from engine.errors import FileError, ParameterError
from engine.limits import LIMITS, Limits, size_text
from engine.tensor_spec import DTYPES, Array

SUFFIXES = (".npy", ".csv", ".tsv", ".txt")


def read_tensor_file(path: Path, point: str = ".", limits: Limits = LIMITS) -> Array:
    """The tensor in a file; nothing in it is ever carried out.

    Raises: FileError if it cannot be read, is none, or is too large.
    """
    try:
        size = path.stat().st_size
        if size > limits.tensor_bytes:
            sizes = {"size": grouped(size), "limit": size_text(limits.tensor_bytes)}
            raise FileError(tr("{file} has {size} bytes; a tensor may have {limit}.", file=path.name, **sizes))
        array = _read_npy(path, limits) if path.suffix.lower() == ".npy" else _read_text(path, point)
    except OSError as error:
        raise FileError(tr("{file} cannot be read: {reason}.", file=path.name, reason=_reason(error))) from error
    if array.ndim > limits.rank:
        ranks = {"axes": array.ndim, "limit": limits.rank}
        raise FileError(tr("{file} has {axes} axes; a tensor may have {limit}.", file=path.name, **ranks))
    return array


def write_tensor_file(path: Path, array: Array) -> None:
    """Writes a tensor, as NumPy's file or as text according to the name's ending.

    Raises: FileError if it cannot be written.
    """
    try:
        if path.suffix.lower() == ".npy":
            np.save(path, array, allow_pickle=False)
        else:
            path.write_text(table_text(array, "\t" if path.suffix.lower() == ".tsv" else ","), encoding="utf-8")
    except OSError as error:
        raise FileError(tr("{file} cannot be written: {reason}.", file=path.name, reason=_reason(error))) from error


def _read_npy(path: Path, limits: Limits) -> Array:
    try:
        # Mapped, not read: the head says how large the array would be before any room is made for it.
        mapped: np.ndarray[Any, Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, SyntaxError, OverflowError, MemoryError) as error:
        raise FileError(tr("{file} is damaged or no file of NumPy numbers.", file=path.name)) from error
    if not isinstance(mapped, np.ndarray):
        raise FileError(tr("{file} holds several arrays; save one of them as .npy.", file=path.name))
    if mapped.dtype.newbyteorder("=").name not in DTYPES:
        dtypes = {"dtype": mapped.dtype.name, "dtypes": ", ".join(DTYPES)}
        raise FileError(tr("{file} holds {dtype} values; use one of {dtypes}.", file=path.name, **dtypes))
    if mapped.nbytes > limits.tensor_bytes:
        limit = size_text(limits.tensor_bytes)
        raise FileError(tr("{file} is too large; a tensor may have {limit}.", file=path.name, limit=limit))
    return np.array(mapped, dtype=mapped.dtype.newbyteorder("="), order="C")


def _read_text(path: Path, point: str) -> Array:
    try:
        return natural_shape(read_table(path.read_text(encoding="utf-8-sig"), point=point))
    except UnicodeDecodeError as error:
        raise FileError(tr("{file} is no text in UTF-8.", file=path.name)) from error
    except ParameterError as error:
        raise FileError(f"{path.name} {tr_sentence(str(error)).rstrip('.')}.") from error


def _reason(error: OSError) -> str:
    return tr_sentence(error.strerror or str(error))
