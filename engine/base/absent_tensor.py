"""Tensors that lie in a file beside the graph's: where, and why one could not be taken from there."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class TensorPlace:
    """Place of a tensor's bytes in a file beside the graph's.

    Units: `at` and `size` in bytes; `crc32` is the checksum of those bytes.
    """

    dtype: str
    shape: tuple[int, ...]
    file: str
    at: int
    size: int
    crc32: int

    def to_json(self) -> dict[str, object]:
        """Returns the tensor object of a graph's file."""
        head: dict[str, object] = {"dtype": self.dtype, "shape": list(self.shape), "in": self.file}
        return head | {"at": self.at, "bytes": self.size, "crc32": f"{self.crc32:08x}"}


@dataclass(frozen=True)
class AbsentTensor:
    """Tensor whose numbers could not be taken from their file; its place stays in the graph, and is saved back.

    `reason` follows the name of the file: "is missing".
    """

    place: TensorPlace
    reason: str = field(compare=False)
