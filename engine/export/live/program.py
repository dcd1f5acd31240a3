"""The programs of a graph for a living page: one for each state of its stops, which share their forward pass.

The format is in docs/live-pages.md.
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, takewhile

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.lower import NOTHING_DRAWN
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.status_table import STATUSES
from gradwire.engine.export.live.laid_plan import Row
from gradwire.engine.export.live.loops import DTYPES, TOTAL
from gradwire.engine.export.live.variant import Json, Numbers, Variant, variant_of
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.ports import pages_along

FORMAT = 1
# Up to so many stops a page has all their states, beyond that two: all closed and all open.
ONE_BY_ONE = 3
# Larger memories are not written. Units: bytes.
LARGEST_MEMORY = 8 << 20
# Numbers that a source may have to be changed in a page.
MOST_NUMBERS = 64


@dataclass(frozen=True)
class LiveProgram:
    """All that a page's script computes with: `run` is the run that it shows first, `called` what needs Python.

    `opened` has the stops that are open in that run, `noise` the constants that stand for what blocks draw.
    """

    run: Evaluation
    document: Json
    memories: tuple[bytes, ...]
    called: tuple[str, ...]
    variants: tuple[Variant, ...]
    numbers: Numbers
    opened: frozenset[str]
    noise: Mapping[str, Sequence[Expression]]

    @property
    def size(self) -> int:
        """Size of what the memories hold, without the zeros that a run will fill. Units: bytes."""
        return sum(map(held_bytes, self.memories))

    @property
    def functions(self) -> frozenset[str]:
        """Names of the functions that all instructions call."""
        names = [name.removesuffix(TOTAL) for name, *_ in self.numbers.loops]
        # Loops that move elements tell their dtype behind an underscore.
        return frozenset(part for name in names for part in (name, name.partition("_")[0]))

    def packed(self, more: Mapping[str, object], behind: Iterable[bytes] = ()) -> str:
        """Returns the programs with more entries of the document as text: JSON and memories, deflated, in base64.

        `behind` has the bytes that come after the memories of the variants.
        """
        text = json.dumps({**self.document, **self.numbers.entries, **more}, separators=(",", ":")).encode()
        whole = struct.pack("<I", len(text)) + text + b"".join([*self.memories, *behind])
        return deflated(whole)


def live_program(
    graph: Graph,
    ignored_stops: Set[str] | None = frozenset(),
    noise: Mapping[str, Sequence[Expression]] = NOTHING_DRAWN,
) -> LiveProgram:
    """Returns the programs of a graph as data, at first with some stops open, given by their paths; None means all.

    `noise` has constants for what blocks draw, which a page can then change.
    """
    closed = run_graph(graph, drawn=noise)
    numbers = Numbers()
    stops = stops_of(closed)
    begin = tuple(stop for stop in stops if ignored_stops is None or stop in ignored_stops)
    states = list(dict.fromkeys([*_states(stops), begin]))
    variants = [
        variant_of(run_graph(graph, frozenset(opened), drawn=noise) if opened else closed, opened, numbers)
        for opened in states
    ]
    sources = _sources(graph, variants, numbers)
    first = variants[0]
    parts = [difference(item.laid.memory, first.laid.memory if item is not first else b"") for item in variants]
    document: Json = {
        "format": FORMAT,
        "statuses": [str(status) for status in STATUSES],
        "sources": sources,
        "variants": [
            _variant_json(item, first, [len(item.laid.memory), same])
            for item, (same, _) in zip(variants, parts, strict=True)
        ],
    }
    shown = variants[states.index(begin)]
    if shown is not first:
        document["start"] = states.index(begin)
    owners = closed.lowered.owners
    called = {owners.get(step.application, "") for step in first.laid.called} - {""}
    memories = tuple(rest for _, rest in parts)
    found = shown.run, document, memories, tuple(sorted(called)), tuple(variants), numbers
    return LiveProgram(*found, frozenset(shown.opened), noise)


def deflated(data: bytes) -> str:
    """Returns bytes in fewer letters: without a header, in base64."""
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(pack.compress(data) + pack.flush()).decode()


def stops_of(run: Evaluation) -> list[str]:
    """Returns the paths of all StopGradient blocks that are not muted."""
    instances = run.lowered.inferred.expanded.instances.items()
    return sorted(path for path, item in instances if item.role is Role.STOP and not item.is_muted)


def _states(stops: Sequence[str]) -> list[tuple[str, ...]]:
    """Returns the sets of open stops that a page can show, none first."""
    if len(stops) > ONE_BY_ONE:
        return [(), tuple(stops)]
    return [chosen for count, _ in enumerate(((), *stops)) for chosen in combinations(stops, count)]


def _variant_json(item: Variant, first: Variant, memory: list[int]) -> Json:
    shared = 0 if item is first else count_shared(item.rows, first.rows)
    return {"open": item.opened, "shared": shared, "rows": item.rows[shared:], "memory": memory, **item.entries}


def held_bytes(memory: bytes) -> int:
    """Returns how many bytes of a memory are not zero: only these take room in a page."""
    return len(memory) - memory.count(0)


def count_shared(rows: Sequence[Row], base: Sequence[Row]) -> int:
    """Returns how many rows stand at the beginning of both."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(rows, base, strict=False)))


def difference(memory: bytes, base: bytes) -> tuple[int, bytes]:
    """Returns up to which byte a memory equals another, and the rest."""
    common = min(len(memory), len(base))
    differs = np.frombuffer(memory[:common], np.uint8) != np.frombuffer(base[:common], np.uint8)
    same = int(np.argmax(differs)) if differs.any() else common
    return same, memory[same:]


def _sources(graph: Graph, variants: Sequence[Variant], numbers: Numbers) -> list[list[object]]:
    """Returns each source by its path in files: its views in every variant, and whether Python is behind it.

    A block of a used page stands in as many places as its page.
    """
    found: dict[str, list[PortName]] = {}
    run = variants[0].run
    for path, instance in run.lowered.inferred.expanded.instances.items():
        if instance.role is Role.SOURCE and instance.type is not None and "value" in instance.type.parameters:
            page, _, block = path.rpartition("/")
            name = pages_along(graph, page)[-1].name
            found.setdefault(f"{name}/{block}", []).append(PortName(path, "y"))
    return [
        [path, [[view_of(item, name, numbers) for name in names] for item in variants], _freezes(variants[0], names)]
        for path, ports in found.items()
        if (names := [name for name in ports if _is_laid(run, name)])
    ]


def place_of(item: Variant, expression: Expression, numbers: Numbers) -> list[int]:
    """Returns the number of the view of an expression in a variant; none if that does not compute it."""
    slots = item.run.structure.plan.slots
    return [numbers.of_view(item.laid.view(slots[expression]))] if expression in slots else []


def _is_laid(run: Evaluation, name: PortName) -> bool:
    found = run.lowered.ports.get(name)
    return found is not None and found in run.structure.plan.slots and found.dtype.name in DTYPES


def _slot(item: Variant, name: PortName) -> int:
    return item.run.structure.plan.slots[item.run.lowered.ports[name]]


def view_of(item: Variant, name: PortName, numbers: Numbers) -> int:
    """Returns the number of the view of a port in a variant."""
    return numbers.of_view(item.laid.view(_slot(item, name)))


def _freezes(item: Variant, names: Sequence[PortName]) -> bool:
    return item.laid.freezes({_slot(item, name) for name in names})
