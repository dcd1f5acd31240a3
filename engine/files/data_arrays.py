"""Arrays in files of other programs (NPY, NPZ, IDX), checked before their content is read; never pickled ones."""

from __future__ import annotations

import gzip
import io
import math
import struct
import zipfile
import zlib
from typing import IO, Protocol

import numpy as np

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, MIB, size_text
from gradwire.engine.base.tensor_spec import Array

_MOST_ENTRIES, _MOST_RATIO, _LONGEST_HEADER = 1_000, 200, 4_096
_IDX = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}


class Readable(Protocol):
    """Stream of bytes."""

    def read(self, size: int = ..., /) -> bytes:
        """Returns so many bytes at most."""

    def seek(self, offset: int, whence: int = ..., /) -> int:
        """Goes to a place."""


def read_npy(stream: Readable, size: int, name: str) -> Array:
    """Returns the array of an NPY file of so many bytes.

    Raises: FileError if it is none, holds objects or records, or has another size than it says.
    """
    try:
        version = np.lib.format.read_magic(stream)
        if version not in ((1, 0), (2, 0)):
            raise FileError(f"{name} is NPY of version {version[0]}.{version[1]}, not 1.0 or 2.0.")
        number = stream.read(2 if version == (1, 0) else 4)
        length = int.from_bytes(number, "little")
        if length > _LONGEST_HEADER:
            raise FileError(f"{name} has a heading of {length:,} bytes, above {_LONGEST_HEADER:,}.")
        shape, is_fortran, dtype = _heading(stream.read(length), length)
    except FileError:
        raise
    except (ValueError, TypeError, SyntaxError, RecursionError, EOFError) as error:
        raise FileError(f"{name} is no NPY file, or is damaged.") from error
    if dtype.hasobject or dtype.kind not in "fiub" or dtype.itemsize > 8:
        raise FileError(f"{name} holds {dtype}, and only numbers and true or false are read.")
    begun = 6 + 2 + len(number) + length
    content = _checked_size(math.prod(shape) * dtype.itemsize, size - begun, name)
    array = np.frombuffer(_exactly(stream, content, name), dtype)
    return array.reshape(shape[::-1]).T if is_fortran else array.reshape(shape)


def _heading(text: bytes, length: int) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    framed = io.BytesIO(length.to_bytes(4, "little") + text)
    shape, is_fortran, dtype = np.lib.format.read_array_header_2_0(framed, max_header_size=_LONGEST_HEADER)
    if len(shape) > LIMITS.rank or any(type(item) is not int or item < 0 for item in shape):
        raise ValueError("shape")
    return shape, is_fortran, dtype


def read_npz(stream: IO[bytes], size: int, names: tuple[str, ...], name: str) -> list[Array]:
    """Returns some arrays of an NPZ file.

    Raises: FileError if it lacks one, is damaged, or would grow beyond the limits.
    """
    _check_entries(stream, size, name)
    try:
        with zipfile.ZipFile(stream) as archive:
            members = {item.filename: item for item in archive.infolist()}
            if len(members) < len(archive.infolist()):
                raise FileError(f"{name} has two entries of the same name.")
            if sum(item.file_size for item in members.values()) > LIMITS.tensors_bytes:
                raise FileError(f"{name} would grow beyond {size_text(LIMITS.tensors_bytes)}.")
            return [_member(archive, members, key, name) for key in names]
    except FileError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError) as error:
        raise FileError(f"{name} is no NPZ file, or is damaged.") from error


def names_in_npz(stream: IO[bytes], size: int, name: str) -> frozenset[str]:
    """Returns the names of all arrays of an NPZ file, none of which is read.

    Raises: FileError if it is damaged.
    """
    _check_entries(stream, size, name)
    try:
        with zipfile.ZipFile(stream) as archive:
            return frozenset(item.removesuffix(".npy") for item in archive.namelist())
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise FileError(f"{name} is no NPZ file, or is damaged.") from error


def _check_entries(stream: IO[bytes], size: int, name: str) -> None:
    """Raises: FileError if the end of the archive tells of too many entries; it is found without reading them."""
    tail = min(size, 65_557)
    stream.seek(size - tail)
    end = stream.read(tail)
    place = end.rfind(b"PK\x05\x06")
    if place < 0 or place + 12 > len(end):
        raise FileError(f"{name} is no NPZ file, or is damaged.")
    (count,) = struct.unpack_from("<H", end, place + 10)
    (directory,) = struct.unpack_from("<I", end.ljust(place + 16, b"\0"), place + 12)
    if count > _MOST_ENTRIES or directory > MIB:
        raise FileError(f"{name} has more than {_MOST_ENTRIES:,} entries.")
    stream.seek(0)


def _member(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], key: str, name: str) -> Array:
    item = members.get(f"{key}.npy")
    if item is None:
        known = ", ".join(entry.removesuffix(".npy") for entry in list(members)[:8])
        raise FileError(f"{name} has no array {key}; there are {known or 'none'}.")
    if item.flag_bits & 1 or item.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FileError(f"{name} holds {key} encrypted, or compressed by a method that is not read.")
    if item.file_size > max(MIB, _MOST_RATIO * item.compress_size):
        raise FileError(f"{name} holds {key} packed to less than a {_MOST_RATIO}th of its size.")
    with archive.open(item) as stream:
        return read_npy(stream, item.file_size, f"{name}, {key}")


def read_idx(stream: Readable, size: int, name: str) -> Array:
    """Returns the array of an IDX file, packed by gzip or not.

    Raises: FileError if it is none, has another size than it says, or would grow beyond the limits.
    """
    is_packed = stream.read(2) == b"\x1f\x8b"
    stream.seek(0)
    try:
        if not is_packed:
            return _idx(stream, size, size, name)
        with gzip.GzipFile(fileobj=stream, mode="rb") as inner:
            return _idx(inner, None, size, name)
    except (EOFError, zlib.error, OSError) as error:
        raise FileError(f"{name} is no IDX file, or is damaged.") from error


def _idx(stream: Readable, size: int | None, packed: int, name: str) -> Array:
    zeros, kind, rank = struct.unpack(">HBB", stream.read(4).ljust(4, b"\xff"))
    if zeros or kind not in _IDX or not 1 <= rank <= 8:
        raise FileError(f"{name} is no IDX file, or is damaged.")
    shape = struct.unpack(f">{rank}I", _exactly(stream, 4 * rank, name))
    dtype = np.dtype(_IDX[kind])
    wanted = math.prod(shape) * dtype.itemsize
    if size is None and wanted > max(MIB, _MOST_RATIO * packed):
        raise FileError(f"{name} holds its array packed to less than a {_MOST_RATIO}th of its size.")
    content = _checked_size(wanted, wanted if size is None else size - 4 - 4 * rank, name)
    found = np.frombuffer(_exactly(stream, content, name), dtype).reshape(shape)
    if size is None and stream.read(1):
        raise FileError(f"{name} has more bytes than it says.")
    return found.astype(dtype.newbyteorder("="))


def _checked_size(wanted: int, there: int, name: str) -> int:
    """Raises: FileError if an array is too large, or its file has other bytes than it says."""
    if wanted > LIMITS.tensor_bytes:
        raise FileError(f"{name} holds an array above {size_text(LIMITS.tensor_bytes)}.")
    if wanted != there:
        raise FileError(f"{name} should have {wanted:,} bytes of numbers, and has {there:,}.")
    return wanted


def _exactly(stream: Readable, count: int, name: str) -> bytes:
    content = stream.read(count)
    if len(content) != count:
        raise FileError(f"{name} ends too early.")
    return content
