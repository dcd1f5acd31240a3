"""Reading of tensors from files of weights: name and size are checked before reading, the checksum before use."""

from __future__ import annotations

import os
import stat
import zlib
from io import FileIO
from os import PathLike
from typing import Protocol

import numpy as np

from gradwire.engine.base.absent_tensor import AbsentTensor, TensorPlace
from gradwire.engine.base.memory import limit
from gradwire.engine.base.system_reasons import reason_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.files.beside.names import NAME
from gradwire.engine.files.json_text import JsonFault, shown
from gradwire.engine.files.tensor_json import TensorBudget, check_keys, read_checksum, read_head, read_size

_KEYS = {"dtype", "shape", "in", "at", "bytes", "crc32"}
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


class Beside(Protocol):
    """Files beside a graph's text, from which its tensors are taken."""

    def fill(self, place: TensorPlace, raw: memoryview, /) -> str:
        """Fills memory from a place; returns why that is not possible, as a clause, else an empty text."""


class NothingBeside:
    """Files beside a text that comes from no folder: there are none."""

    def fill(self, *_: object) -> str:
        """Returns that there is no file."""
        return "is not there, as this text comes from no folder"


class WeightsIn:
    """Files of weights in one folder. They are read, not mapped: who shortens a mapped file kills its readers."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self._folder = os.fspath(folder)

    def fill(self, place: TensorPlace, raw: memoryview) -> str:
        """Reads the bytes of one tensor; links are not followed."""
        path = os.path.join(self._folder, place.file)
        try:
            # Opening a device may have side effects, so its kind is checked first.
            if not stat.S_ISREG(os.lstat(path).st_mode):
                return "is no ordinary file"
            with FileIO(os.open(path, _READ)) as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    return "is no ordinary file"
                if status.st_size < place.at + place.size:
                    return "is shorter than the graph says"
                file.seek(place.at)
                return "" if _fill(file, raw) else "is shorter than the graph says"
        except FileNotFoundError:
            return "is missing"
        except OSError as error:
            return f"cannot be read ({reason_of(error)})"
        except ValueError:  # halves of letters that no disk takes
            return "is missing"


def _fill(file: FileIO, raw: memoryview) -> bool:
    """Reads until the memory is full; False if the file ends before."""
    while raw and (count := file.readinto(raw)):
        raw = raw[count:]
    return not raw


def tensor_beside(value: dict[str, object], budget: TensorBudget, beside: Beside) -> Array | AbsentTensor:
    """Returns the read-only array of a tensor object whose numbers lie in another file, or why they are not there.

    Raises: JsonFault for a name with a folder in it, and for sizes that contradict each other.
    """
    dtype, shape = read_head(value, budget, is_beside=True)
    check_keys(value, _KEYS)
    name, at = value["in"], value["at"]
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise JsonFault(f"in must be the name of a file beside, such as model.weights, not {shown(name)}", ("in",))
    if type(at) is not int or not 0 <= at < 2**62:
        raise JsonFault(f"at must be a whole number of at least 0, not {shown(at)}", ("at",))
    place = TensorPlace(dtype.name, shape, name, at, read_size(value, shape, dtype), read_checksum(value))
    if place.size > limit():
        return AbsentTensor(place, "is larger than the memory that is free")
    array = np.empty(shape, dtype.newbyteorder("<"))
    raw = array.reshape(-1).view(np.uint8)
    reason = beside.fill(place, raw.data)
    if not reason and (zlib.crc32(raw.data) != place.crc32 or (dtype.kind == "b" and raw.max(initial=0) > 1)):
        reason = "has changed since the graph was saved"
    if reason:
        return AbsentTensor(place, reason)
    array = array.astype(dtype, copy=False)
    array.setflags(write=False)
    return array
