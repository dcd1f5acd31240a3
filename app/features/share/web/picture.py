"""One page of a graph as elements of SVG, drawn by the canvas' own painters at the canvas' own places.

What follows the numbers is written anew by the page's script; `Picture.script` tells it where.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.annotations import draw_frames, draw_notes
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter
from gradwire.app.canvas.painting.labels.label_painter import LabelPainter
from gradwire.app.canvas.painting.labels.labels import Placed
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.magnitudes import magnitude
from gradwire.app.canvas.painting.page_labels import InView, PageLabels
from gradwire.app.canvas.painting.wires.branch_dots import BranchDots
from gradwire.app.features.share.web.block_bodies import BlockBodies, BodyMarkup
from gradwire.app.features.share.web.sources import Sources
from gradwire.app.features.share.web.texts import attributes, coordinate, exact
from gradwire.app.features.share.web.token_theme import ramp_step
from gradwire.app.look.svg.shared_shapes import unshared
from gradwire.app.look.svg.svg_painter import SvgPainter, path_data
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.status_table import STATUSES
from gradwire.engine.export.live.program import LiveProgram

MARGIN, DOT = 32.0, 4.0
BROKEN, BREAKS = "broken", "breaks"


class Picture(NamedTuple):
    """A page as elements of SVG, its box, and what the script must know of it.

    `kinds` are those of the bodies that the script writes, its ways to show numbers, and the marks of its labels.
    """

    name: str
    markup: str
    box: tuple[float, float, float, float]
    script: dict[str, object]
    kinds: Set[str]


class PictureWriter:
    """Writer of the page that a mirror shows; `number` is its place among the pages."""

    def __init__(
        self, mirror: Mirror, painter: SvgPainter, look: Look, program: LiveProgram, sources: Sources, number: int
    ) -> None:
        self._mirror, self._painter, self._look, self._number = mirror, painter, look, number
        self._program, self._sources = program, sources
        self._bodies = BlockBodies(painter, mirror, look, sources)
        self._area = mirror.bounds().adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)

    def picture(self) -> Picture:
        """Returns the page: frames and notes, wires, dots, blocks, and the labels above all."""
        mirror = self._mirror
        draw_frames(self._painter, mirror, self._look, mirror.frames.keys())
        draw_notes(self._painter, mirror, self._look, mirror.notes.keys())
        ground = self._painter.take()
        wires = "".join(map(self._wire, range(len(mirror.wires))))
        branches = BranchDots(mirror).branches()
        dots = "".join(self._dot(*item) for item in zip(branches.at.tolist(), branches.pairs.tolist(), strict=True))
        blocks, bodies = self._blocks()
        placed = self._placed()
        for item in placed.values():
            LabelPainter(self._painter, self._look, 1.0).draw(item)
        # The script writes labels where the last ones are, and takes away those that are painted.
        labels = f'<g class="was">{self._painter.take()}</g>'
        labels += "".join(self._label(row, item) for row, item in placed.items())
        script: dict[str, object] = {
            "name": mirror.session.page_name,
            "wires": [self._key(row) for row in range(len(mirror.wires))],
            "breaks": [row for row in range(len(mirror.wires)) if mirror.wire_breaks[row]],
            "dots": branches.pairs.tolist(),
            "bodies": bodies,
            "labels": [self._place_of(row, item) for row, item in placed.items()],
        }
        area = self._area.toAlignedRect()
        box = (float(area.left()), float(area.top()), float(area.width()), float(area.height()))
        kinds = {str(body[key]) for body in bodies for key in ("kind", "way") if key in body}
        kinds |= {item.label.gradient.mark for item in placed.values() if item.label.gradient is not None}
        return Picture(mirror.session.page_name, ground + wires + dots + blocks + labels, box, script, kinds)

    # Wires

    def _key(self, row: int) -> str:
        """Returns the name of a wire in results; "" of one that leads nowhere."""
        if row in self._mirror.broken:
            return ""
        (source, output), (target, port) = self._mirror.wires[row]
        prefix = self._mirror.session.prefix
        return f"{prefix}/{source}.{output}>{prefix}/{target}.{port}"

    def _wire(self, row: int) -> str:
        """Returns the strokes of a wire, one above the other: casing, pipe and core."""
        name, data = f"w{self._number}-{row}", path_data(self._mirror.path(row))
        again = f'<use href="#{name}"></use>'
        return f'<g class="w {self._class(row)}"><g><path id="{name}" d="{data}"></path></g>{again}{again}</g>'

    def _magnitude(self, row: int) -> float:
        is_flow = STATUSES[self._mirror.wire_status[row]] is Status.FLOW
        return magnitude(self._mirror, row) if is_flow else 0.0

    def _class(self, row: int) -> str:
        """Returns the classes of a wire: its status, its step on the scale of magnitudes, and what else there is."""
        if row in self._mirror.broken:
            return BROKEN
        status, t = STATUSES[self._mirror.wire_status[row]], self._magnitude(row)
        return f"{status} r{ramp_step(t)}" + (f" {BREAKS}" if self._mirror.wire_breaks[row] else "")

    def _dot(self, at: Sequence[float], pair: Sequence[int]) -> str:
        rank = [self._rank(row) for row in pair]
        row = pair[rank.index(max(rank))]
        sides = attributes(class_=f"dot {self._class(row)}", cx=coordinate(at[0]), cy=coordinate(at[1]), r=f"{DOT:g}")
        return f"<circle{sides}></circle>"

    def _rank(self, row: int) -> float:
        """Returns how important a wire is where it parts from another: broken, breaking, then by its gradient."""
        if row in self._mirror.broken:
            return 4.0
        status = STATUSES[self._mirror.wire_status[row]]
        if self._mirror.wire_breaks[row] or status is Status.NONFINITE:
            return 3.0
        return 1.0 + self._magnitude(row) if status is Status.FLOW else int(self._mirror.wire_status[row]) / 100

    # Labels

    def _placed(self) -> dict[int, Placed]:
        rows = np.arange(len(self._mirror.wires), dtype=np.int64)
        area = QRectF(self._area)
        found = PageLabels(self._mirror).settle(InView(self._look, rows, area))
        return {row: found[row] for row in sorted(found)}

    def _label(self, row: int, placed: Placed) -> str:
        sides = attributes(
            class_=f"l {STATUSES[self._mirror.wire_status[row]]}",
            data_wire=self._key(row),
            transform=f"translate({coordinate(placed.x)} {coordinate(placed.y)})",
        )
        return f"<g{sides}></g>"

    def _place_of(self, row: int, placed: Placed) -> list[object]:
        """Returns what the script must know of a label: form, pose, place, room, and the cause that is said first."""
        gradient = placed.label.gradient
        cause = [] if gradient is None else [gradient.mark]
        room = map(max, placed.widths, placed.label.widths(placed.form))
        return [row, int(placed.form), placed.pose.name, *placed.apart, *room, *cause]

    # Blocks

    def _blocks(self) -> tuple[str, list[dict[str, object]]]:
        """Returns the blocks in the order in which they are evaluated, and what the script must know of bodies."""
        markup, bodies = "", []
        order = {path: place for place, path in enumerate(self._program.run.lowered.inferred.expanded.instances)}
        prefix = self._mirror.session.prefix
        rows = sorted(
            range(len(self._mirror.ids)), key=lambda row: order.get(f"{prefix}/{self._mirror.ids[row]}", len(order))
        )
        for row in rows:
            inside, script = self._drawn(row)
            markup += f"<g{self._block(row)}>{inside}</g>"
            bodies += [script] if script is not None else []
        return markup, bodies

    def _drawn(self, row: int) -> BodyMarkup:
        """Returns a block as it is drawn; what it tells of the numbers in the file is hidden when these have moved."""
        told, problems = self._painted(row), self._mirror.problems
        block_type, block_id = self._mirror.shapes[row].type, self._mirror.ids[row]
        found = problems.get(block_id, [])
        others = [problem for problem in found if problem.code != "nonfinite"]
        if len(others) == len(found) or block_type is None or block_type.role is not Role.ORDINARY:
            return told
        problems[block_id] = others
        plain_one = self._painted(row)
        problems[block_id] = found
        return BodyMarkup(f'<g class="past">{told.markup}</g><g class="now">{plain_one.markup}</g>', plain_one.script)

    def _painted(self, row: int) -> BodyMarkup:
        body = self._bodies.body(row)
        BlockPainter(self._painter, self._mirror, self._look).draw_ground(row)
        ground = self._painter.take()
        # The style sheet knows the outline of a stop as its child, and dashes it.
        ground = unshared(ground) if self._is_stop(row) else ground
        return BodyMarkup(ground + body.markup, body.script)

    def _block(self, row: int) -> str:
        shape, (left, top) = self._mirror.shapes[row], self._mirror.rects[row, :2]
        result = f"{self._mirror.session.prefix}/{self._mirror.ids[row]}"
        path = self._sources.path_of(result)
        is_stop = self._is_stop(row)
        names = " ".join(filter(None, [shape.title, shape.name]))
        return attributes(
            class_="b stop" if is_stop else "b",
            data_path=path,
            data_result=None if result == path else result,
            tabindex=0,
            role="switch" if is_stop else "group",
            aria_checked=("false" if result in self._program.opened else "true") if is_stop else None,
            aria_label=f"{names} {result if is_stop else path}",
            transform=f"translate({exact(left)} {exact(top)})",
        )

    def _is_stop(self, row: int) -> bool:
        found = self._mirror.shapes[row].type
        return found is not None and found.role is Role.STOP and not self._mirror.blocks[row].is_muted
