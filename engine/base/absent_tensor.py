"""Tensors that lie in a file beside the graph's: where, and why one could not be taken from there."""

from __future__ import annotations

from dataclasses import dataclass


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


class AbsentTensor(dict[str, object]):
    """Tensor whose numbers could not be taken from their file; as an object of JSON it stays in the graph.

    `reason` follows the name of the file: "is missing".
    """

    def __init__(self, place: TensorPlace, reason: str) -> None:
        super().__init__(place.to_json())
        self.place, self.reason = place, reason
