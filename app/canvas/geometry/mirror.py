"""The page that a session shows, as arrays that follow it.

The arrays are rebuilt from the session's graph, specs and results; nothing in them is decided here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Set

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath

from gradwire.app.base.gc_schedule import without_collection
from gradwire.app.canvas.geometry.annotation_places import (
    NOTHING_MOVED,
    STILL,
    Moved,
    Shift,
    frames_without,
    place_annotations,
)
from gradwire.app.canvas.geometry.folded_page import FoldedPage, Folding, Opened
from gradwire.app.canvas.geometry.kept_rows import KeptRows
from gradwire.app.canvas.geometry.loop_norms import LoopReadings
from gradwire.app.canvas.geometry.main_setting import AXES
from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.page_shapes import ShapeCache, wires_of
from gradwire.app.canvas.geometry.progress import Progress, norms_told_apart
from gradwire.app.canvas.geometry.result_rows import ResultRows
from gradwire.app.canvas.geometry.routing import Points, Rows
from gradwire.app.canvas.geometry.shapes import BlockShape, Body, PortShape
from gradwire.app.canvas.geometry.slider_ranges import SliderRanges
from gradwire.app.canvas.geometry.wire_routes import WireRoutes
from gradwire.app.live.readings.readings import gradient_range
from gradwire.app.live.session import Selection, Session
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.autodiff.infer_update import retold
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Block, Graph, Page, Port, changes

NO_ROWS: Rows = np.zeros(0, np.int64)
UNKNOWN_ROW = STATUS_ROW[Status.UNKNOWN]


class _Paths(dict[str, str]):
    """The paths of blocks by their ids, each made once."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def __missing__(self, name: str) -> str:
        path = self[name] = f"{self._prefix}/{name}"
        return path


class Mirror(PageArrays):
    """The arrays of the page that a session shows. What has not changed is kept from one graph to the next."""

    def __init__(self, session: Session, is_curved: bool = False, opened: Opened | None = None) -> None:
        """`opened` says which layers are shown block by block; without it all are."""
        super().__init__()
        self.session = session
        # The page as it was taken over last, and as it is shown.
        self.page: Page | None = None
        self._shown = session.page
        self.folding = None if opened is None else Folding(opened)
        self.is_curved = is_curved
        self.loops = LoopReadings(session)
        self._shapes = ShapeCache(session, self)
        self._routes = WireRoutes(self)
        self._slider_ranges = SliderRanges()
        self._result_rows: ResultRows | None = None
        self._inferred: Inferred | None = None
        self._moved = NOTHING_MOVED

    # Bringing it up to date

    @without_collection()
    def rebuild(self) -> None:
        """Takes everything over from the session; shapes of unchanged blocks are kept."""
        self._inferred = self.session.inferred
        page = self.page = self.session.page
        self._shapes.read_problems()
        shapes = dict(zip(page.blocks, self._shapes.shapes_of(page), strict=True))
        if self.folding is not None:
            self.folding.find(page, shapes)
        self._fold(page)
        self.blocks = list(self._shown.blocks.values())
        self.ids = [block.id for block in self.blocks]
        self._number_rows()
        self.shapes = [self.folds[name].shape if name in self.folds else shapes[name] for name in self.ids]
        boxes = zip(self.blocks, self.shapes, strict=True)
        rects = [(*(block.at or (0, 0)), shape.width, shape.height) for block, shape in boxes]
        self.rects = np.array(rects, float).reshape(-1, 4)
        self.wires = wires_of(self._shown)
        self.wire_rows = {wire: row for row, wire in enumerate(self.wires)}
        self._routes.join_all(self._shown)
        self._stamp_all()
        self._moved = NOTHING_MOVED
        # Wires are led round frames, too.
        place_annotations(self, self._shown)
        self._routes.route_all()
        self.read_results()

    def _fold(self, page: Page) -> None:
        """Takes over how the page is shown, with the layers that were found last as one block each."""
        folded = FoldedPage(page) if self.folding is None else self.folding.folded(page, self._shapes.known)
        self._shown, self.folds, self.fold_of = folded

    def _number_rows(self) -> None:
        self.rows = dict(zip(self.ids, itertools.count(), strict=False))
        self.rows |= {name: self.rows[first] for name, first in self.fold_of.items()}

    def show_other_use(self) -> None:
        """Takes over the results of another use of the page, as another round of a loop: all stands where it stood."""
        told = self._shapes.read_problems()
        if told or any(self._shapes.renew(block) for block in self.session.page.blocks.values()):
            self.rebuild()
            return
        self._stamp_all()
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
            stale |= {path.removeprefix(prefix) for path in found if path.startswith(prefix)}
            stale |= self._shapes.read_problems()
            self._inferred = inferred
        self._take_over(stale)

    def refresh_shapes(self) -> None:
        """Takes over new problems, which may change what the bodies show."""
        if self._shapes.has_other_problems:
            self._take_over(self._shapes.read_problems())

    def _take_over(self, stale: Set[str]) -> None:
        """Takes the page over; `stale` names all blocks that are new or may look otherwise, or stand elsewhere."""
        page = self.page = self.session.page
        stale = (stale & page.blocks.keys()) | self._shapes.share_labels(page)
        if len(stale) > len(self.ids) // 4 + 8:
            self.rebuild()
            return
        # Whoever remembers where everything was has the arrays of before.
        self.rects = self.rects.copy()
        is_rewired = self._shapes.update_wires(page, stale)
        others = [name for name in stale if self._shapes.renew(page.blocks[name])]
        before = self.folds
        if self.folding is not None and (is_rewired or others):
            self.folding.find(page, {name: self._shapes.known(name) for name in page.blocks})
        self._fold(page)
        shown = self._shown
        has_other_rows = is_rewired or list(shown.blocks) != self.ids
        if self.folds != before or (self.folds and has_other_rows):
            self.rebuild()
            return
        others = [name for name in others if name in shown.blocks]
        anew = self._keep_rows(shown) if has_other_rows else NO_ROWS
        moved = {name for name in (shown.blocks if self.folds else stale) if self._put(shown.blocks[name])}
        if others and self._result_rows is not None:
            rows = [self.rows[name] for name in others]
            self._result_rows.keep_blocks(None, np.array(rows, np.int64), self._outputs(rows))
        self._routes.join_and_route(anew, self.wires_of(frozenset(moved)))
        annotations = self.frames, self.notes
        place_annotations(self, shown, self._moved)
        if moved or has_other_rows or annotations != (self.frames, self.notes):
            self._routes.settle()
        if has_other_rows:
            self._routes.note_broken(shown)
            self.read_results()

    def _keep_rows(self, page: Page) -> Rows:
        """Takes over which blocks and wires there are; returns the rows of the wires that have to run anew."""
        blocks, wires = KeptRows(self.ids, page.blocks), KeptRows(list(map(id, self.wires)), map(id, wires_of(page)))
        self._keep_blocks(blocks, page)
        self.wires = wires_of(page)
        self.wire_rows = dict(zip(self.wires, itertools.count(), strict=False))
        self.wire_stamps = wires.carried(self.wire_stamps)
        anew = self._routes.keep(wires)
        if self._result_rows is not None:
            self._result_rows.keep_wires(wires, self._links(wires.new))
            self._result_rows.keep_blocks(blocks, NO_ROWS, ())
        self.tick += 1
        self.block_stamps[blocks.new] = self.wire_stamps[anew] = self.tick
        displaced = self.wires_of(self._put_back())
        lost = np.flatnonzero((self.joins < 0).any(axis=1))
        return np.union1d(np.union1d(anew, lost), np.array(displaced, np.int64))

    def _keep_blocks(self, kept: KeptRows, page: Page) -> None:
        self._shapes.forget(self.rows.keys() - page.blocks.keys())
        self.blocks, self.ids = list(page.blocks.values()), list(page.blocks)
        self._number_rows()
        before = [*self.shapes, None]
        self.shapes = [before[row] or self._shapes.known(name) for name, row in zip(self.ids, kept.before, strict=True)]
        self.rects, self.block_stamps = kept.carried(self.rects), kept.carried(self.block_stamps)
        self.joins = kept.now[self.joins]

    def _put_back(self) -> frozenset[str]:
        """Puts blocks that were only shown elsewhere where they stand; returns those."""
        corners = itertools.chain.from_iterable([block.at or (0, 0) for block in self.blocks])
        places = np.fromiter(corners, float, 2 * len(self.blocks)).reshape(-1, 2)
        displaced = np.flatnonzero((self.rects[:, :2] != places).any(axis=1))
        self.rects[displaced, :2] = places[displaced]
        self._moved = NOTHING_MOVED
        return frozenset(self.ids[row] for row in displaced.tolist())

    def _put(self, block: Block) -> bool:
        """Takes one block over with its newest shape; returns whether its wires have to run anew."""
        row = self.rows[block.id]
        shape = self.folds[block.id].shape if block.id in self.folds else self._shapes.known(block.id)
        before, old = self.blocks[row], self.shapes[row]
        rect = np.array((*(block.at or (0, 0)), shape.width, shape.height), float)
        stays = shape is old and bool((rect == self.rects[row]).all())
        self.blocks[row], self.shapes[row], self.rects[row] = block, shape, rect
        if shape is not old or block.parameters is not before.parameters:
            self.stamp(row)
        return not stays

    # Results

    def read_results(self) -> None:
        """Takes over statuses, norms and sums of the wires from the newest results.

        While another state of the stops is compared, the wires look as in that state; their labels say both.
        """
        results = self.session.results
        count = len(self.wires)
        self.wire_status = np.full(count, UNKNOWN_ROW, np.uint8)
        self.wire_breaks, self.wire_blocked = np.zeros(count, bool), np.zeros(count, bool)
        self.wire_norm, self.wire_total = np.zeros(count), np.zeros(count)
        if results is None:
            return
        self.tick += 1
        if self._result_rows is None:
            self._result_rows = ResultRows(self._links(range(count)), self._outputs(range(len(self.ids))))
        blocks, wires = self._result_rows.read(results)
        self.block_stamps[blocks] = self.wire_stamps[wires] = self.tick
        loops = (row for row, shape in enumerate(self.shapes) if shape.body is Body.LOOP)
        self.block_stamps[[row for row in loops if self.loops.has_news(self.blocks[row])]] = self.tick
        known = np.flatnonzero(self._result_rows.wires >= 0)
        rows = self._result_rows.wires[known]
        self.wire_blocked[known] = results.wires.statuses[rows] == STATUS_ROW[Status.BLOCKED]
        # The stops' results alone decide the scale: the switch must not recolour wires that do not change.
        self.top, self.span = self.fixed_range or gradient_range(norms_told_apart(self.session, rows))
        if results.compared is not None:
            results = results.compared
            others = self._result_rows.wires_in(results)
            known = np.flatnonzero(others >= 0)
            rows = others[known]
        self.wire_status[known] = results.wires.statuses[rows]
        self.wire_norm[known] = results.wires.gradients.rows["norm"][rows]
        self.wire_total[known] = results.wires.gradients.rows["total"][rows]
        self.wire_breaks = self._result_rows.breaks
        if self.progress is not None:
            self.wire_status = self.progress.statuses(self.wires, self.wire_status)
            # A value that step mode has not reached is not known yet.
            self.wire_breaks &= self.wire_status != UNKNOWN_ROW

    def show_progress(self, progress: Progress | None) -> None:
        """Shows how far step mode is on this page; None shows everything."""
        before, had = self.wire_status, [self.shows_gradient(name) for name in self.ids]
        asked = [item.asked for item in (self.progress, progress) if item is not None and item.asked in self.wire_rows]
        self.progress = progress
        self.read_results()
        self.wire_stamps[before != self.wire_status] = self.tick
        self.wire_stamps[[self.wire_rows[wire] for wire in asked if wire is not None]] = self.tick
        has = [self.shows_gradient(name) for name in self.ids]
        self.block_stamps[np.not_equal(had, has)] = self.tick

    def _stamp_all(self) -> None:
        """Notes that everything is new, and has to be looked up in the results anew."""
        self.tick += 1
        self.block_stamps = np.full(len(self.ids), self.tick)
        self.wire_stamps = np.full(len(self.wires), self.tick)
        self._result_rows = None

    def _links(self, rows: Iterable[int]) -> list[Link]:
        """Returns the names under which results know some wires."""
        paths, wires = _Paths(self.session.prefix), (self.wires[row] for row in rows)
        return [Link(PortName(paths[a], x), PortName(paths[b], y)) for (a, x), (b, y) in wires]

    def _outputs(self, rows: Iterable[int]) -> list[tuple[int, PortName]]:
        """Returns the outputs of some blocks, of folds those of all blocks inside, each with its block's row."""
        paths = _Paths(self.session.prefix)
        return [
            (row, PortName(paths[name], port.name))
            for row in rows
            for name in self.inside(self.ids[row])
            for port in self.outline(name).outputs
        ]

    def outline(self, block_id: str) -> BlockShape:
        """Returns the shape of a block, also of one inside a fold."""
        return self._shapes.known(block_id)

    def on_page(self, places: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
        """Returns the places in the file of blocks that are to be shown at some places."""
        return dict(places) if self.folding is None else self.folding.on_page(places)

    # Showing things elsewhere

    def moved(self, ids: frozenset[str], dx: float, dy: float, shift: Shift = STILL) -> bool:
        """Shows some blocks elsewhere while they are dragged; `update` or `rebuild` brings them back.

        `shift` says what else moves along. Returns whether frames or notes have thereby changed.
        """
        before = self._moved
        for group, x, y in ((before.blocks, -before.dx, -before.dy), (ids, dx, dy)):
            rows = [self.rows[name] for name in group if name in self.rows]
            self.rects[rows, :2] += (x, y)
        self._moved = Moved(ids, dx, dy, shift)
        self._routes.route(self.wires_of(ids | before.blocks))
        annotations = self.frames, self.notes
        place_annotations(self, self._shown, self._moved)
        return annotations != (self.frames, self.notes)

    def place_at(self, ids: list[str], corners: Points) -> None:
        """Shows some blocks elsewhere, each with its own corner; `rebuild` brings them back. Shapes: (n, 2)."""
        self.rects[[self.rows[name] for name in ids], :2] = corners
        self._routes.route(self.wires_of(frozenset(ids)))
        place_annotations(self, self._shown, self._moved)

    def set_curved(self, is_curved: bool) -> None:
        """Lets all wires run as curves, or with corners."""
        if is_curved != self.is_curved:
            self.is_curved = is_curved
            self._routes.route_all()

    # Questions about blocks and wires

    def path(self, row: int) -> QPainterPath:
        """Returns the path of a wire. The caller must not change it."""
        return self._routes.path(row)

    def spec_of(self, block_id: str, port: PortShape) -> TensorSpec | None:
        """Returns the spec of a port, or of what its wire brings."""
        if port.spec is not None:
            return port.spec
        place = Port(port.block or block_id, port.name)
        if port.is_input:
            wire = self.session.page.wires.get(place)
            return None if wire is None else self.session.spec(wire.source)
        return self.session.spec(place)

    def setting_of(self, block_id: str) -> str:
        """Returns the parameter that a block shows as its main setting; "" if it shows none."""
        shape = self.shapes[self.rows[block_id]]
        parameters = {} if shape.type is None else shape.type.parameters
        # A chip begins with the name of its parameter, or tells in words of an axis.
        names = (shape.field,) if shape.field else (shape.chip.partition(" ")[0], *AXES) if shape.chip else ()
        return next((name for name in names if name in parameters), "")

    def is_stopped(self, block_id: str) -> bool:
        """Returns whether a block is an input of a page at which a loop stops the gradient of what it carries."""
        instance = self.session.inferred.expanded.instances.get(f"{self.session.prefix}/{block_id}")
        return instance is not None and instance.is_stop

    def is_used_loss(self, block_id: str) -> bool:
        """Returns whether the gradients are those of a Loss of the page, alone or with all others."""
        return self.session.graph.loss in (None, f"{self.session.page_name}/{block_id}")

    def shows_gradient(self, block_id: str) -> bool:
        """Returns whether the gradient of a block is shown in it; in step mode not before it has all arrived."""
        return self.progress is None or self.progress.has_gradient(block_id)

    def slider_range(self, block_id: str) -> tuple[float, float]:
        """Returns the bounds of a block's sliders; without bounds a round range that only ever widens."""
        return self._slider_ranges.range_of(self.session.page.blocks[block_id])

    def hidden_of(self, chosen: Selection) -> frozenset[str]:
        """Returns the chosen blocks, and ends of chosen wires, inside folds; none of a fold that is chosen whole."""
        ends = {port.block for wire in chosen.wires if wire not in self.wire_rows for port in wire}
        names = (chosen.blocks | ends) & self.fold_of.keys()
        whole = {first for first in map(self.shown, names) if chosen.blocks.issuperset(self.inside(first))}
        return frozenset(name for name in names if self.shown(name) not in whole)

    def frames_apart(self, blocks: frozenset[str], frames: frozenset[str]) -> dict[str, QRectF]:
        """Returns where frames would be without some blocks and frames."""
        return frames_without(self, self._shown, self._moved, blocks, frames)
