"""The gradient of what is carried into each round of a loop, as its block shows it; from the readings of a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradwire.app.canvas.geometry.routing import Rows
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Block, Page, Port
from gradwire.engine.graph.loops import Loop, carried_names, sound_loop
from gradwire.engine.graph.own_gradients import PREFIX
from gradwire.engine.graph.paths import gradient_path, part_path
from gradwire.engine.graph.ports import gradient_page, page_ports, used_page

_UNKNOWN, _NO_PATH = STATUS_ROW[Status.UNKNOWN], STATUS_ROW[Status.NO_PATH]


@dataclass(frozen=True, eq=False)
class LoopNorms:
    """The norms of the gradients that arrive where a loop's rounds begin, and the rounds before which a stop stands.

    `names` are the inputs that are looked at together: what is carried, else those of which each round gets an element.
    A norm that is not known is NaN. Shapes: `norms` (rounds,).
    """

    names: tuple[str, ...]
    norms: Array
    stops: tuple[int, ...]
    has_path: bool = True


class LoopReadings:
    """The norms of the loops on the page that a session shows. Looked up once a structure, then read by row."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._rows: dict[str, tuple[object, object, Rows]] = {}
        self._found: dict[str, tuple[object, LoopNorms | None]] = {}

    def norms(self, block: Block) -> LoopNorms | None:
        """Returns the norms of a loop by the newest results; None without any, and for other blocks."""
        results, path = self._session.results, self._path(block)
        shown = results if results is None or results.compared is None else results.compared
        known = self._found.get(path)
        if known is None or known[0] is not shown:
            found = None if shown is None else self._read(block, shown)
            known = self._found[path] = shown, found
        return known[1]

    def has_news(self, block: Block) -> bool:
        """Returns whether the newest results say something else of a loop than those that were read last."""
        before = self._found.get(self._path(block), (None, None))[1]
        after = self.norms(block)
        if before is None or after is None:
            return before is not after
        are_alike = (before.stops, before.has_path) == (after.stops, after.has_path)
        return not are_alike or not np.array_equal(before.norms, after.norms, equal_nan=True)

    def _path(self, block: Block) -> str:
        return f"{self._session.prefix}/{block.id}"

    def _rows_in(self, results: Results, block: Block, loop: Loop, page: Page) -> Rows:
        """Returns the rows of the watched ports, -1 for what the run did not know. Shapes: (inputs, rounds)."""
        giving, path, row_of = gradient_page(self._session.graph, page), self._path(block), results.ports.row_of
        key, known = (page, loop, giving), self._rows.get(path)
        if known is None or known[0] is not row_of or known[1] != key:
            ports = _inputs(page) if giving is None else _results(giving)
            rounds = [part_path(path, number) for number in range(loop.times)]
            rounds = rounds if giving is None else list(map(gradient_path, rounds))
            watched = [ports[name] for name in _watched(page, loop) if name in ports]
            names = [PortName(f"{here}/{port.block}", port.name) for port in watched for here in rounds]
            rows = np.array([row_of.get(name, -1) for name in names], np.int64)
            known = self._rows[path] = row_of, key, rows.reshape(len(watched), len(rounds))
        return known[2]

    def _read(self, block: Block, results: Results) -> LoopNorms | None:
        loop, page = sound_loop(block), used_page(self._session.graph, block)
        if loop is None or page is None:
            return None
        rows = self._rows_in(results, block, loop, page)
        if not len(rows):
            return None
        # Row -1 is that of what the run did not know.
        status = np.append(results.ports.statuses, np.uint8(_UNKNOWN))[rows]
        # The page that gives the gradient computes it as a value.
        is_own = gradient_page(self._session.graph, page) is not None
        table = results.values if is_own else results.ports.gradients
        norms = np.append(table.rows["norm"], np.nan)[rows]
        norms[status == _UNKNOWN] = np.nan
        lets_pass = results is not self._session.results and self._session.runs.ignores_stops
        stops = () if lets_pass else tuple(filter(loop.stops_before, range(loop.times)))
        has_path = is_own or bool((status != _NO_PATH).any())
        # Not the root of a sum of squares, which might overflow or vanish.
        return LoopNorms(tuple(_watched(page, loop)), np.hypot.reduce(norms, axis=0), stops, has_path)


def _inputs(page: Page) -> dict[str, Port]:
    """Returns the ports on a page at which its inputs arrive, by their names."""
    return {port.name: Port(port.block.id, "y") for port in page_ports(page, Role.PAGE_INPUT)}


def _results(giving: Page) -> dict[str, Port]:
    """Returns the ports whose values are the gradients that a page gives, by the names of the inputs they belong to."""
    ends = {port.name: Port(port.block.id, "x") for port in page_ports(giving, Role.PAGE_OUTPUT)}
    found = {name.removeprefix(PREFIX): giving.wires.get(end) for name, end in ends.items()}
    return {name: wire.source for name, wire in found.items() if wire is not None}


def _watched(page: Page, loop: Loop) -> list[str]:
    return carried_names(page) or list(loop.each)
