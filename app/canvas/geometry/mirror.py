"""What the canvas draws of one page, as arrays: rectangles of blocks, corner points of wires, states.

It is rebuilt from the session's graph, specs and results; nothing in it is decided here.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainterPath

from app.canvas.curves import point_count, routed
from app.canvas.kept_rows import KeptRows
from app.canvas.page_arrays import Flags, Rows
from app.canvas.page_shapes import PageShapes, wires_of
from app.canvas.paths import path_of
from app.canvas.progress import Progress, norms_told_apart
from app.canvas.result_rows import ResultRows
from app.canvas.routing import Ends, Points, boxes
from app.canvas.shapes import (
    HEADER,
    NOT_WIRED,
    PortsByRow,
    PortShape,
)
from app.garbage import without_collection
from app.live.readings import gradient_range
from app.live.session import Session
from app.look.categories import color_token
from app.look.theme import font
from engine.annotations import frames_inside_out
from engine.expand import Link, PortName
from engine.framed_layers import FRAME_BOTTOM, FRAME_SIDE, FRAME_TOP
from engine.glance import STATUS_ROW
from engine.graph import Block, Frame, Graph, Note, Page, Port, Wire, changes
from engine.infer import Inferred
from engine.infer_again import retold
from engine.status import Status
from engine.tensor_spec import TensorSpec

NOTE_WIDTH, NOTE_PAD, EMPTY_FRAME = 352.0, 10.0, (240, 120)
NO_ROWS: Rows = np.zeros(0, np.int64)
UNKNOWN_ROW = STATUS_ROW[Status.UNKNOWN]


@dataclass(frozen=True)
class Shift:
    """What moves along with blocks: notes and empty frames. `loose` blocks no longer count for their frames."""

    notes: frozenset[str] = frozenset()
    frames: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()


STILL = Shift()


class _Paths(dict[str, str]):
    """The paths of blocks by their ids, each made once."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def __missing__(self, name: str) -> str:
        path = self[name] = f"{self._prefix}/{name}"
        return path


class Mirror(PageShapes):
    """The page that a session shows, in arrays. What has not changed is kept from one graph to the next."""

    def __init__(self, session: Session, is_curved: bool = False) -> None:
        super().__init__(session)
        self.is_curved = is_curved
        self._offsets: Points = np.zeros((0, 4))
        self._result_rows: ResultRows | None = None
        self._inferred: Inferred | None = None
        self._paths: dict[int, QPainterPath] = {}
        self._ranges: dict[str, tuple[float, float]] = {}
        self._moved: tuple[frozenset[str], float, float] = (frozenset(), 0.0, 0.0)
        self._shift = STILL
        self.progress: Progress | None = None

    # Bringing it up to date

    def rebuild(self) -> None:
        """Takes everything over from the session; shapes of unchanged blocks are kept."""
        with without_collection():
            self._rebuild()

    def _rebuild(self) -> None:
        self._inferred, self._alike = self.session.inferred, {}
        page = self.session.page
        wired = self._wired_ports(page)
        self._read_problems()
        self.blocks = list(page.blocks.values())
        self.ids = [block.id for block in self.blocks]
        self.rows = {name: row for row, name in enumerate(self.ids)}
        self.shapes = [self._shape(block, wired.get(block.id, NOT_WIRED)) for block in self.blocks]
        self._forget_shapes(self._cache.keys() - page.blocks.keys())
        self.rects = np.array(
            [
                (*(block.at or (0, 0)), shape.width, shape.height)
                for block, shape in zip(self.blocks, self.shapes, strict=True)
            ],
            float,
        ).reshape(-1, 4)
        self.wires = wires_of(page)
        self.wire_rows = {wire: row for row, wire in enumerate(self.wires)}
        self.forks = self._found_forks()
        self.joins, self._offsets = self._ends(self.wires)
        self._note_broken(page)
        self._stamp_all()
        self._route_all()
        self.read_results()

    def update(self, old: Graph, new: Graph) -> None:
        """Takes one edit over; what it does not concern is kept."""
        name, inferred = self.session.page_name, self.session.inferred
        change = changes(old, new)
        here = change.pop(name, None)
        if not old.has_page(name) or self._inferred is None or (change and inferred is not self._inferred):
            self.rebuild()
            return
        prefix = f"{self.session.prefix}/"
        stale: set[str] = set()
        if here is not None:
            stale |= here.changed | here.added
            stale |= {end.block for wire in here.wires_added | here.wires_removed for end in wire}
        if inferred is not self._inferred:
            found = retold(self._inferred, inferred)
            stale |= {path.removeprefix(prefix) for path in found if path.startswith(prefix)} | self._read_problems()
            self._inferred = inferred
        self._take_over(stale)

    def refresh_shapes(self) -> None:
        """Takes over new problems, which may change what the bodies show."""
        if self.session.problems != self._seen_problems:
            self._take_over(self._read_problems())

    def _take_over(self, stale: Set[str]) -> None:
        """Takes the page over; `stale` names all blocks that are new or may look otherwise, or stand elsewhere."""
        page = self.session.page
        stale = stale & page.blocks.keys()
        if len(stale) > len(self.ids) // 4 + 8:
            self.rebuild()
            return
        # Who remembers where everything was has the arrays of before.
        self.rects = self.rects.copy()
        is_rewired = self._follow_wires(page, stale)
        others = [name for name in stale if self._renew_shape(page.blocks[name])]
        has_other_rows = is_rewired or list(page.blocks) != self.ids
        anew = self._keep_rows(page) if has_other_rows else NO_ROWS
        moved = {name for name in stale if self._put(page.blocks[name])}
        if others:
            self._note_outputs([self.rows[name] for name in others])
            self._read_tokens()
        self._join_and_route(anew, self.wires_of(frozenset(moved)))
        self._place_annotations()
        if has_other_rows:
            self._note_broken(page)
            self.read_results()

    def _keep_rows(self, page: Page) -> Rows:
        """Takes over which blocks and wires there are; gives the rows of the wires that have to run anew."""
        blocks, wires = KeptRows(self.ids, page.blocks), KeptRows(list(map(id, self.wires)), map(id, wires_of(page)))
        self._keep_blocks(blocks, page)
        anew = self._keep_wires(wires, page)
        if self._result_rows is not None:
            self._result_rows.keep_wires(wires, self._links(wires.new))
            self._result_rows.keep_blocks(blocks, NO_ROWS, ())
        self.tick += 1
        self.block_stamps[blocks.new] = self.wire_stamps[anew] = self.tick
        displaced = self.wires_of(self._put_back())
        lost = np.flatnonzero((self.joins < 0).any(axis=1))
        return np.union1d(np.union1d(anew, lost), np.array(displaced, np.int64))

    def _keep_blocks(self, kept: KeptRows, page: Page) -> None:
        self._forget_shapes(self.rows.keys() - page.blocks.keys())
        self.blocks, self.ids = list(page.blocks.values()), list(page.blocks)
        self.rows = dict(zip(self.ids, itertools.count(), strict=False))
        before = [*self.shapes, None]
        self.shapes = [before[row] or self._cache[name][2] for name, row in zip(self.ids, kept.before, strict=True)]
        self.rects, self.block_stamps = kept.carried(self.rects), kept.carried(self.block_stamps)
        self.token_codes, self.joins = kept.carried(self.token_codes), kept.now[self.joins]

    def _keep_wires(self, kept: KeptRows, page: Page) -> Rows:
        """Gives the rows of the wires that are new or fork otherwise."""
        self.wires = wires_of(page)
        self.wire_rows = dict(zip(self.wires, itertools.count(), strict=False))
        forks, self.forks = kept.carried(self.forks), self._found_forks()
        self.joins, self._offsets = kept.carried(self.joins), kept.carried(self._offsets)
        self.points, self.wire_boxes = kept.carried(self.points), kept.carried(self.wire_boxes)
        self.wire_stamps, self._paths = kept.carried(self.wire_stamps), {}
        return np.union1d(kept.new, np.flatnonzero(forks != self.forks))

    def _put_back(self) -> frozenset[str]:
        """Puts blocks that were only shown elsewhere where they stand; gives those."""
        corners = itertools.chain.from_iterable([block.at or (0, 0) for block in self.blocks])
        places = np.fromiter(corners, float, 2 * len(self.blocks)).reshape(-1, 2)
        displaced = np.flatnonzero((self.rects[:, :2] != places).any(axis=1))
        self.rects[displaced, :2] = places[displaced]
        self._moved, self._shift = (frozenset(), 0.0, 0.0), STILL
        return frozenset(self.ids[row] for row in displaced.tolist())

    def _put(self, block: Block) -> bool:
        """Takes one block over with its newest shape; whether its wires have to run anew."""
        row, shape = self.rows[block.id], self._cache[block.id][2]
        before, old = self.blocks[row], self.shapes[row]
        rect = np.array((*(block.at or (0, 0)), shape.width, shape.height), float)
        stays = shape is old and bool((rect == self.rects[row]).all())
        self.blocks[row], self.shapes[row], self.rects[row] = block, shape, rect
        if shape is not old or block.parameters is not before.parameters:
            self.stamp(row)
        return not stays

    def _note_outputs(self, rows: list[int]) -> None:
        if self._result_rows is not None:
            self._result_rows.keep_blocks(None, np.array(rows, np.int64), self._outputs(rows))

    def _join_and_route(self, anew: Rows, others: list[int]) -> None:
        """Joins some wires to the ports where they end, and lets them run."""
        # Not np.union1d, which would import a package of NumPy's that nothing else needs.
        rows = sorted({*anew.tolist(), *others})
        if rows:
            self.points, self.wire_boxes = self.points.copy(), self.wire_boxes.copy()
            self.joins[rows], self._offsets[rows] = self._ends([self.wires[row] for row in rows])
            self._route(rows)

    def _found_forks(self) -> Flags:
        sources = list(map(operator.itemgetter(0), self.wires))
        fanout = Counter(sources)
        return np.fromiter(map(fanout.__getitem__, sources), np.int64, len(sources)) > 1

    def _note_broken(self, page: Page) -> None:
        self.broken = set(np.flatnonzero((self.joins < 0).any(axis=1)).tolist())
        self.broken |= set(range(len(page.wires), len(self.wires)))

    def read_results(self) -> None:
        """Takes over statuses, norms and sums of the wires from the newest results."""
        results = self.session.results
        count = len(self.wires)
        self.wire_status = np.full(count, UNKNOWN_ROW, np.uint8)
        self.wire_norm, self.wire_total = np.zeros(count), np.zeros(count)
        if results is None:
            return
        self.tick += 1
        if self._result_rows is None:
            self._result_rows = self._found_rows()
        blocks, wires = self._result_rows.read(results)
        self.block_stamps[blocks] = self.wire_stamps[wires] = self.tick
        known = np.flatnonzero(self._result_rows.wires >= 0)
        rows = self._result_rows.wires[known]
        self.wire_status[known] = results.wire_status[rows]
        self.wire_norm[known] = results.wires.rows["norm"][rows]
        self.wire_total[known] = results.wires.rows["total"][rows]
        self.top, self.span = self.fixed_range or gradient_range(norms_told_apart(self.session, rows))
        if self.progress is not None:
            self.wire_status = self.progress.statuses(self.wires, self.wire_status)

    def show_progress(self, progress: Progress | None) -> None:
        """Shows how far step mode is on this page; None shows everything."""
        before, had = self.wire_status, [self.shows_gradient(name) for name in self.ids]
        self.progress = progress
        self.read_results()
        self.wire_stamps[before != self.wire_status] = self.tick
        has = [self.shows_gradient(name) for name in self.ids]
        self.block_stamps[np.not_equal(had, has)] = self.tick

    def shows_gradient(self, block_id: str) -> bool:
        """Whether the gradient of a block is shown in it; in step mode not before it has all arrived."""
        return self.progress is None or self.progress.has_gradient(block_id)

    def slider_range(self, block_id: str) -> tuple[float, float]:
        """From where to where a slider runs: the block's bounds, else a round range that only ever widens."""
        block = self.session.page.blocks[block_id]
        low, high = block.parameters.get("minimum"), block.parameters.get("maximum")
        value = block.parameters.get("value")
        numbers = np.asarray(value, float).reshape(-1) if isinstance(value, np.ndarray) else np.zeros(1)
        known = self._ranges.get(block_id, (0.0, 0.0))
        reach = max(_round_up(float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.5))), abs(known[0]), known[1])
        has_negative = known[0] < 0 or bool((numbers < 0).any())
        found = (-reach if has_negative else 0.0, reach)
        self._ranges[block_id] = found
        bottom = float(low) if isinstance(low, int | float) else found[0]
        top = float(high) if isinstance(high, int | float) else found[1]
        return (bottom, top) if top > bottom else (bottom, bottom + 1)

    def moved(self, ids: frozenset[str], dx: float, dy: float, shift: Shift = STILL) -> bool:
        """Shows some blocks elsewhere while they are dragged; `update` or `rebuild` brings them back.

        `shift` says what else moves along. Gives whether frames or notes have thereby changed.
        """
        before, old_x, old_y = self._moved
        for group, x, y in ((before, -old_x, -old_y), (ids, dx, dy)):
            rows = [self.rows[name] for name in group if name in self.rows]
            self.rects[rows, :2] += (x, y)
        self._moved, self._shift = (ids, dx, dy), shift
        self._route(self.wires_of(ids | before))
        annotations = self.frames, self.notes
        self._place_annotations()
        return annotations != (self.frames, self.notes)

    def frames_apart(self, blocks: frozenset[str], frames: frozenset[str]) -> dict[str, QRectF]:
        """Where frames would be without some blocks and frames; one with nothing left only if it is empty anyway."""
        page = self.session.page
        rects = self._frame_rects([frame for frame in page.frames if frame.id not in frames], blocks)
        return {name: rect for name, rect in rects.items() if not rect.isNull()}

    def place_at(self, ids: list[str], corners: Points) -> None:
        """Shows some blocks elsewhere, each with its own corner; `rebuild` brings them back. Shapes: (n, 2)."""
        self.rects[[self.rows[name] for name in ids], :2] = corners
        self._route(self.wires_of(frozenset(ids)))
        self._place_annotations()

    # Parts

    def _stamp_all(self) -> None:
        """Everything is new, and has to be looked up in the results anew."""
        self.tick += 1
        self.block_stamps = np.full(len(self.ids), self.tick)
        self.wire_stamps = np.full(len(self.wires), self.tick)
        self._result_rows = None
        self._read_tokens()

    def _read_tokens(self) -> None:
        # By type: a page has thousands of blocks and few types.
        types = [shape.type for shape in self.shapes]
        tokens = {block_type: color_token(block_type) for block_type in set(types)}
        self.tokens = sorted(set(tokens.values()))
        codes = {block_type: self.tokens.index(token) for block_type, token in tokens.items()}
        self.token_codes = np.fromiter(map(codes.__getitem__, types), np.int64, len(types))

    def _found_rows(self) -> ResultRows:
        return ResultRows(self._links(range(len(self.wires))), self._outputs(range(len(self.ids))))

    def _links(self, rows: Iterable[int]) -> list[Link]:
        """The names under which results know some wires."""
        paths, wires = _Paths(self.session.prefix), (self.wires[row] for row in rows)
        return [Link(PortName(paths[a], x), PortName(paths[b], y)) for (a, x), (b, y) in wires]

    def _outputs(self, rows: Iterable[int]) -> list[tuple[int, PortName]]:
        """The outputs of some blocks, each with its block's row."""
        paths = _Paths(self.session.prefix)
        return [
            (row, PortName(paths[self.ids[row]], port.name))
            for row in rows
            for port in self.shapes[row].ports
            if not port.is_input
        ]

    def spec_of(self, block_id: str, port: PortShape) -> TensorSpec | None:
        """The spec of a port, or of what its wire brings."""
        if port.spec is not None:
            return port.spec
        at = Port(block_id, port.name)
        place: Port | None = at
        if port.is_input:
            wire = self.session.page.wires.get(at)
            place = None if wire is None else wire.source
        return None if place is None else self.session.spec(place)

    def _ends(self, wires: list[Wire]) -> tuple[Rows, Points]:
        """The rows of the blocks that wires join, -1 for nowhere, and where on these they end as x, y, x, y."""
        ports = PortsByRow(self.shapes)
        sources = self._port_places(ports, (source for source, _ in wires), False)
        targets = self._port_places(ports, (target for _, target in wires), True)
        joins = np.column_stack([sources[:, 0], targets[:, 0]]).astype(np.int64)
        return joins, np.column_stack([sources[:, 1:], targets[:, 1:]])

    def _port_places(self, ports: PortsByRow, ends: Iterable[Port], are_inputs: bool) -> Points:
        """For each of some ports the row of its block, -1 for nowhere, and where on this it is. Shapes: (n, 3)."""
        found: list[tuple[int, float, float]] = []
        for block, name in ends:
            row = self.rows.get(block, -1)
            shape = ports[row].get((name, are_inputs)) if row >= 0 else None
            if shape is not None:
                found.append((row, shape.x, shape.y))
            else:
                edge = 0.0 if are_inputs or row < 0 else self.shapes[row].width
                found.append((row, edge, 0.0 if row < 0 else HEADER))
        return np.array(found, float).reshape(-1, 3)

    def _route_all(self) -> None:
        self._moved, self._shift = (frozenset(), 0.0, 0.0), STILL
        self._route_wires()
        self._place_annotations()

    def set_curved(self, is_curved: bool) -> None:
        """Lets all wires run as curves, or with corners."""
        if is_curved != self.is_curved:
            self.is_curved = is_curved
            self._route_wires()

    def _route_wires(self) -> None:
        count = len(self.wires)
        self.points, self.wire_boxes = np.zeros((count, point_count(self.is_curved), 2)), np.zeros((count, 4))
        self._paths = {}
        self._route(np.arange(count))

    def path(self, row: int) -> QPainterPath:
        """The path of a wire. The caller must not change it."""
        if row not in self._paths:
            self._paths[row] = path_of(self.points[row])
        return self._paths[row]

    def _route(self, rows: list[int] | Rows) -> None:
        self.geometry += 1
        if not len(rows):
            return
        for row in self._paths.keys() & list(rows):
            del self._paths[row]
        source, target = self.joins[rows].T
        x1, y1, x2, y2 = self._offsets[rows].T
        a, b = self._rects_of(source, target), self._rects_of(target, source)
        points = routed(
            Ends(
                a[:, 0] + x1, a[:, 1] + y1, b[:, 0] + x2, b[:, 1] + y2,
                a[:, 1], a[:, 1] + a[:, 3], b[:, 1], b[:, 1] + b[:, 3], self.forks[rows],
            ),
            self.is_curved,
        )  # fmt: skip
        self.points[rows] = points
        self.wire_boxes[rows] = boxes(points)

    def _rects_of(
        self, rows: np.ndarray[Any, np.dtype[np.int64]], others: np.ndarray[Any, np.dtype[np.int64]]
    ) -> Points:
        """The rectangles of blocks; a missing one stands 80 px beside the block at the other end."""
        found = self.rects[np.maximum(rows, 0)].copy() if len(self.rects) else np.zeros((len(rows), 4))
        lost = rows < 0
        if lost.any() and len(self.rects):
            beside = self.rects[np.maximum(others, 0)]
            found[lost] = np.column_stack([beside[:, 0] - 80, beside[:, 1] + HEADER, *np.zeros((2, len(rows)))])[lost]
        return found

    def _place_annotations(self) -> None:
        page, shift, (_, dx, dy) = self.session.page, self._shift, self._moved
        self.frames = self._frame_rects(page.frames, shift.loose)
        self.notes = {note.id: note_rect(note) for note in page.notes}
        for name in shift.notes & self.notes.keys():
            self.notes[name].translate(dx, dy)

    def _frame_rects(self, frames: Sequence[Frame], loose: frozenset[str]) -> dict[str, QRectF]:
        rects: dict[str, QRectF] = {}
        for frame in frames_inside_out(frames):
            rects[frame.id] = self._frame_rect(frame, rects, loose)
        return {frame.id: rects[frame.id] for frame in frames}

    def _frame_rect(self, frame: Frame, inner: dict[str, QRectF], loose: frozenset[str]) -> QRectF:
        """Around what a frame holds, `loose` blocks left out; nothing where only those are held."""
        whole = QRectF()
        for name in frame.blocks:
            if name in self.rows and name not in loose:
                whole = whole.united(self.rect(name))
        for name in frame.frames:
            if name in inner:
                whole = whole.united(inner[name])
        if not whole.isNull():
            return whole.adjusted(-FRAME_SIDE, -FRAME_TOP, FRAME_SIDE, FRAME_BOTTOM)
        return QRectF() if loose.intersection(frame.blocks) else self._empty_frame_rect(frame)

    def _empty_frame_rect(self, frame: Frame) -> QRectF:
        rect = QRectF(*(frame.at or (0, 0)), *(frame.size or EMPTY_FRAME))
        return rect.translated(*self._moved[1:]) if frame.id in self._shift.frames else rect


def note_rect(note: Note) -> QRectF:
    """Where a note is; its width is the saved one or the usual one."""
    width, height = note.size or (NOTE_WIDTH, note_height(note.text, NOTE_WIDTH))
    return QRectF(*(note.at or (0, 0)), width, height)


@functools.lru_cache(maxsize=512)
def note_height(text: str, width: float) -> float:
    """How high a note must be for its text. Units: px at 100 %."""
    title, _, rest = text.partition("\n")
    room = QRectF(0, 0, width - 2 * NOTE_PAD, 10_000)
    height = QFontMetricsF(font("ui", 12, 600)).boundingRect(room, Qt.TextFlag.TextWordWrap, title or " ").height()
    if rest:
        height += 4 + QFontMetricsF(font("ui", 11)).boundingRect(room, Qt.TextFlag.TextWordWrap, rest).height()
    return height + 2 * NOTE_PAD


def _round_up(number: float) -> float:
    """The next of 1, 2, 5, 10, 20 ... that leaves some room above a number."""
    exponent = 10.0 ** np.floor(np.log10(max(number, 1e-30)))
    return float(next(step * exponent for step in (1, 2, 5, 10, 20, 50) if step * exponent >= number * 1.2))
