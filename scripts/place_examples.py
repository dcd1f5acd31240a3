"""The placement of the gallery's examples: each page read as large as possible on a laptop: make examples.

A page that is placed by hand stays so if it has room for its labels and is not clearly smaller than arranged anew.
Nothing but places changes in the files.
"""

from __future__ import annotations

import dataclasses
import math
import os
from itertools import combinations
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.canvas.geometry.annotation_places import note_height
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import SMALLEST_TEXT
from gradwire.app.canvas.painting.picture import outline_of
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.theme import load_fonts
from gradwire.engine.files.files import dumps, load
from gradwire.engine.graph.graph import Graph, Note, Page
from gradwire.engine.layout.bands import zoom
from gradwire.engine.layout.layout import CANVAS, Outline, arrange

EXAMPLES = Path(__file__).parent.parent / "assets" / "examples"
# A note stands in a column at the right, or above the page. Units: px at 100 %, of the gap px of the screen: labels of
# wires that turn back stand there.
COLUMN, COLUMN_GAP, ABOVE, WIDEST = 266, 48, 32, 1024
# Blocks beside each other leave at least this for labels, but for two that stand below each other.
LEAST_GAP, LEAST_ROW = 64, 28
MUCH = 1.25
# So much farther away is nearly as good; the letters of notes have room there too.
FARTHER = 0.93


def main() -> None:
    """Places all examples anew, and says how large each page can be read."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QApplication([])
    load_fonts()
    for path in sorted(EXAMPLES.glob("*.graph")):
        text = dumps(placed(load(path).graph))
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8", newline="\n")
            print(path.name)
    application.quit()


def placed(graph: Graph) -> Graph:
    """Returns the graph with every page placed."""
    for name in [page.name for page in graph.pages]:
        outlines = _outlines(graph, name)
        noted = _with_note_beside(graph, name)
        # A note that can be read is worth a page that is a little smaller.
        present = noted if _zoom(noted, name) >= FARTHER * _zoom(graph, name) else graph
        anew = _with_note_beside(graph.with_page(_arranged(graph.page(name), outlines)), name)
        # Where blocks stand close to each other on purpose, all is read far larger.
        # A page that is placed by hand may be seen from a little farther away.
        least = FARTHER if _has_room(graph.page(name), outlines) else MUCH
        is_placed = all(block.at is not None for block in graph.page(name).blocks.values())
        keeps = is_placed and _zoom(present, name) >= least * _zoom(anew, name)
        graph = present if keeps else anew
    return graph


def _arranged(page: Page, outlines: dict[str, Outline]) -> Page:
    bare = {block.id: dataclasses.replace(block, at=None) for block in page.blocks.values()}
    places = arrange(dataclasses.replace(page, blocks=bare), outlines, room=CANVAS)
    blocks = {name: dataclasses.replace(block, at=places[name]) for name, block in bare.items()}
    return dataclasses.replace(page, blocks=blocks)


def _has_room(page: Page, outlines: dict[str, Outline]) -> bool:
    """Returns whether all blocks have a place, and labels have room between any two of them."""
    rects = [(block.at, outlines[block.id]) for block in page.blocks.values() if block.at is not None]
    return len(rects) == len(page.blocks) and all(
        one[0] + a.width + LEAST_GAP <= other[0]
        or other[0] + b.width + LEAST_GAP <= one[0]
        or one[1] + a.height + LEAST_ROW <= other[1]
        or other[1] + b.height + LEAST_ROW <= one[1]
        for (one, a), (other, b) in combinations(rects, 2)
    )


def _with_note_beside(graph: Graph, name: str) -> Graph:
    """Returns the graph with the note of a page beside or above it, whichever lets all be read larger."""
    page = graph.page(name)
    if len(page.notes) != 1 or not page.blocks:
        return graph
    bare = graph.with_page(dataclasses.replace(page, notes=()))
    area, note = _area(bare, name), page.notes[0]
    width = min(max(round(area.width()), COLUMN), WIDEST)

    def tried(seen: float) -> list[Graph]:
        letters = max(11, math.ceil(SMALLEST_TEXT / seen))
        height, tall = (round(note_height(note.text, each, letters)) for each in (width, COLUMN))
        return [
            _noted(graph, page, note, round(area.right() + COLUMN_GAP / seen), round(area.top()), COLUMN, tall),
            _noted(graph, page, note, round(area.left()), round(area.top()) - ABOVE - height, width, height),
        ]

    # Letters grow with distance, and a note with its letters: the second look is from where the first one led.
    nearest = max(_zoom(found, name) for found in tried(_zoom(bare, name)))
    return max(tried(FARTHER * nearest), key=lambda found: _zoom(found, name))


def _noted(graph: Graph, page: Page, note: Note, x: int, y: int, width: int, height: int) -> Graph:
    moved = dataclasses.replace(note, at=(x, y), size=(width, height))
    return graph.with_page(dataclasses.replace(page, notes=(moved,)))


def _zoom(graph: Graph, name: str) -> float:
    area = _area(graph, name)
    return round(zoom((area.width(), area.height()), CANVAS), 2)


def _area(graph: Graph, name: str) -> QRectF:
    """Returns the rectangle around the blocks, frames, wires and notes of a page."""
    session, mirror = _shown(graph, name)
    area = mirror.bounds()
    session.close()
    return area


def _outlines(graph: Graph, name: str) -> dict[str, Outline]:
    """Returns the outlines of a page's blocks as they are shown, inside the page that uses it."""
    session, mirror = _shown(graph, name)
    outlines = {block_id: outline_of(mirror.shapes[row]) for block_id, row in mirror.rows.items()}
    session.close()
    return outlines


def _shown(graph: Graph, name: str) -> tuple[Session, Mirror]:
    session = Session(graph, InlineEvaluator)
    session.runs.set_live(False)
    session.view.show(name)
    mirror = Mirror(session)
    mirror.rebuild()
    return session, mirror


if __name__ == "__main__":
    main()
