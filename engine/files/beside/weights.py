"""Weights of one graph that is being written: the large tensors, one after the other, as raw bytes."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gradwire.engine.base.absent_tensor import TensorPlace
from gradwire.engine.base.limits import MIB
from gradwire.engine.base.tensor_spec import DTYPES, Array
from gradwire.engine.files.beside.names import SUFFIX, digest_of
from gradwire.engine.files.beside.reading import WeightsIn
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.files.tensor_json import READABLE_ELEMENTS
from gradwire.engine.graph.graph import Graph

# Tensors above this size lie beside the graph's file. Units: bytes.
LARGE = MIB
# Where those up to that size are together above this one, only readable ones stay in the text. Units: bytes.
MOST_INSIDE = 16 * MIB
_ALIGNMENT = 64


class Weights:
    """Large tensors of one graph, in the order in which its text names them.

    Until their file has its name, the text has a name that nothing else has.
    """

    def __init__(self, graph: Graph) -> None:
        self._inside = READABLE_ELEMENTS * 8 if _small(graph) > MOST_INSIDE else LARGE
        self.name = f"{os.urandom(16).hex()}{SUFFIX}"
        self.size = 0
        self._parts = dict[int, tuple[TensorPlace, memoryview]]()

    def __bool__(self) -> bool:
        return bool(self._parts)

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits for the content."""
        return digest_of([(place.at, place.size, place.crc32) for place, _ in self._parts.values()])

    def takes(self, array: Array) -> bool:
        """Returns whether a tensor is to lie beside the text."""
        return array.nbytes > self._inside

    def place(self, array: Array) -> TensorPlace:
        """Takes a tensor; returns where its bytes will lie, little-endian, from a multiple of 64 on.

        Raises: JsonFault for a dtype that files do not have.
        """
        if array.dtype.name not in DTYPES:
            raise JsonFault(f"{array.dtype.name} values cannot be saved; use one of {', '.join(DTYPES)}")
        raw = (
            np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
            .reshape(-1)
            .view(np.uint8)
            .data
        )
        at = -(-self.size // _ALIGNMENT) * _ALIGNMENT
        found = TensorPlace(array.dtype.name, array.shape, self.name, at, raw.nbytes, zlib.crc32(raw))
        self._parts[at] = found, raw
        self.size = at + raw.nbytes
        return found

    def parts(self) -> Iterator[memoryview]:
        """Yields the content of the file."""
        end = 0
        for place, raw in self._parts.values():
            yield memoryview(bytes(place.at - end))
            yield raw
            end = place.at + place.size

    def fill(self, place: TensorPlace, raw: memoryview) -> str:
        """Fills memory from a place, as a file with this name and content would."""
        found, part = self._parts.get(place.at, (None, raw))
        if found is None or place.file != self.name or place.size != found.size:
            return "is missing"
        raw[:] = part
        return ""

    def is_in(self, folder: str, name: str) -> bool:
        """Returns whether a file has exactly this content."""
        try:
            if os.lstat(os.path.join(folder, name)).st_size != self.size:
                return False
        except (OSError, ValueError):
            return False
        files = WeightsIn(folder)
        return all(_is_at(files, replace(place, file=name)) for place, _ in self._parts.values())


def _small(graph: Graph) -> int:
    """Returns the size of all tensors that are not large. Units: bytes."""
    blocks = (block for page in graph.pages for block in page.blocks.values())
    arrays = (value for block in blocks for value in block.parameters.values() if isinstance(value, np.ndarray))
    return sum(array.nbytes for array in arrays if array.nbytes <= LARGE)


def _is_at(files: WeightsIn, place: TensorPlace) -> bool:
    raw = np.empty(place.size, np.uint8).data
    return not files.fill(place, raw) and zlib.crc32(raw) == place.crc32
