"""The compiled interpreter of plans, where it could be built."""

from array import array
from collections.abc import Sequence

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.ufunc_loops import Loop

OWN_LOOPS: list[str]

class Program:
    """Instructions over an arena."""

    def __init__(self, memory: Array) -> None: ...
    def add(self, table: Array, loops: Sequence[Loop], rows: Array) -> None: ...
    def only(self, places: Array) -> Program: ...
    def run(self) -> None: ...
    def run_tiles(self, first: int, end: int, pitches: Array, tile: int, last: int, chunk: int, lane: int) -> None: ...

def spread(order: Array, steps: Array, links: Array, hit: Array, marked: Array) -> None:
    """Hits the steps that read a marked slot, and marks the slots that steps write when they are hit, in order."""

def survey(
    memory: Array, slots: Array, offsets: array[int], layouts: array[int], looks: array[int], found: Array
) -> None:
    """Writes the rows of some slots, whose elements stand in one piece: see `Places`."""
