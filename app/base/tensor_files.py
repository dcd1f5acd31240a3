"""Tensors in files of their own: NumPy's `.npy` and tables in `.csv`, within the limits of a `.graph` file."""

from __future__ import annotations

import io
import stat
import tokenize
from pathlib import Path
from typing import Any

import numpy as np

from gradwire.app.base.table_text import natural_shape, read_table, table_text
from gradwire.engine.base.errors import FileError, ParameterError
from gradwire.engine.base.limits import LIMITS, Limits, size_text
from gradwire.engine.base.system_reasons import reason_of
from gradwire.engine.base.tensor_spec import DTYPES, Array
from gradwire.engine.files.outputs import TENSOR, Output

_ARCHIVE = b"PK\3\4"
SUFFIXES = (".npy", ".csv", ".tsv", ".txt")


def read_tensor_file(path: Path, point: str = ".", limits: Limits = LIMITS) -> Array:
    """Reads the tensor in a file, and never runs code in it.

    Raises: FileError if it cannot be read, is no tensor, or is too large.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise FileError(f"{path.name} is not an ordinary file.")
        if (size := status.st_size) > limits.tensor_bytes:
            raise FileError(f"{path.name} has {size:,} bytes; a tensor may have {size_text(limits.tensor_bytes)}.")
        array = _read_npy(path, limits) if path.suffix.lower() == ".npy" else _read_text(path, point)
    except OSError as error:
        raise FileError(f"{path.name} cannot be read: {reason_of(error)}.") from error
    if array.ndim > limits.rank:
        raise FileError(f"{path.name} has {array.ndim} axes; a tensor may have {limits.rank}.")
    return array


def write_tensor_file(path: Path, array: Array) -> None:
    """Writes a tensor completely or not at all, as NumPy's file or as text according to the name's ending.

    Raises: FileError if it cannot be written.
    """
    if path.suffix.lower() == ".npy":
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        content = buffer.getvalue()
    else:
        content = table_text(array, "\t" if path.suffix.lower() == ".tsv" else ",").encode()
    Output(path, TENSOR).write(content)


def _read_npy(path: Path, limits: Limits) -> Array:
    with path.open("rb") as file:
        if file.read(len(_ARCHIVE)) == _ARCHIVE:
            raise FileError(f"{path.name} holds several arrays; save one of them as .npy.")
    try:
        # Mapped instead of read: the header gives the size of the array before any memory is allocated.
        mapped: np.ndarray[Any, Any] = np.lib.format.open_memmap(path, mode="r")
    except (ValueError, EOFError, SyntaxError, TypeError, OverflowError, MemoryError, tokenize.TokenError) as error:
        raise FileError(f"{path.name} is damaged or no file of NumPy numbers.") from error
    if mapped.dtype.newbyteorder("=").name not in DTYPES:
        raise FileError(f"{path.name} holds {mapped.dtype.name} values; use one of {', '.join(DTYPES)}.")
    if mapped.nbytes > limits.tensor_bytes:
        raise FileError(f"{path.name} is too large; a tensor may have {size_text(limits.tensor_bytes)}.")
    return np.array(mapped, dtype=mapped.dtype.newbyteorder("="), order="C")


def _read_text(path: Path, point: str) -> Array:
    try:
        return natural_shape(read_table(path.read_text(encoding="utf-8-sig"), point=point))
    except UnicodeDecodeError as error:
        raise FileError(f"{path.name} is no text in UTF-8.") from error
    except ParameterError as error:
        raise FileError(f"{path.name} {str(error).rstrip('.')}.") from error
