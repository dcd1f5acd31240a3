"""The compiled interpreter of plans, where it could be built."""

from collections.abc import Sequence

from engine.loops import Loop
from engine.tensor_spec import Array

OWN_LOOPS: list[str]

class Program:
    """Instructions over an arena."""

    def __init__(self, memory: Array, table: Array, loops: Sequence[Loop], rows: Array) -> None: ...
    def run_some(self, places: Array) -> None: ...
    def run_tiles(self, first: int, end: int, pitches: Array, tile: int, last: int, chunk: int, lane: int) -> None: ...

def survey(memory: Array, spans: Array, rows: Array) -> None:
    """Writes a row of numbers for each span (offset, count, whether it is of doubles)."""
