"""The path of the block in progress, in memory that the window can read even if the evaluator hangs."""

from __future__ import annotations

import mmap

from gradwire.app.live.process.shared_memory import NOTE, NOTE_SIZE

_HEAD = 2


class RunningNote:
    """A path in memory that two processes share; one writes it, the other reads it at any moment."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._bytes = memoryview(memory)[NOTE : NOTE + NOTE_SIZE]

    def write(self, path: str) -> None:
        """Writes the path of the block that begins, "" when it is over."""
        text = path.encode("utf-8", "replace")[: NOTE_SIZE - _HEAD]
        # A reader in between finds nothing, never half of two paths.
        self._bytes[:_HEAD] = bytes(_HEAD)
        self._bytes[_HEAD : _HEAD + len(text)] = text
        self._bytes[:_HEAD] = len(text).to_bytes(_HEAD, "little")

    def read(self) -> str:
        """Returns the path; "" if no block takes long."""
        size = int.from_bytes(self._bytes[:_HEAD], "little")
        return bytes(self._bytes[_HEAD : _HEAD + size]).decode("utf-8", "replace")
