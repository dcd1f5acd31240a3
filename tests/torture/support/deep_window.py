"""Program that opens a real window with deep and wide graphs and hardly any recursion.

The graphs are a long chain, frames in frames and a block with many wires. The window evaluates in its own process, so
that nothing recurses there either. Started as a process, with the three counts.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gradwire.app.canvas.painting.picture import PagePicture, with_places
from gradwire.app.live.selection import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.edits import edits
from tests.torture.support.shapes_of_graphs import chain, frames_in_frames, in_columns, joined
from tests.torture.support.stages import limit_recursion, stage
from tests.torture.support.walk import ALT, CONTROL, LEFT, NONE, Walk


def edit(walk: Walk, count: int) -> None:
    session, graph = walk.session, walk.session.graph
    walk.select_all()
    walk.key("nudge", Qt.Key.Key_Right, ALT)
    assert session.graph != graph
    walk.undo()
    drag(walk)
    walk.undo()
    walk.select_all()
    walk.key("copy", Qt.Key.Key_C, CONTROL)
    walk.key("paste", Qt.Key.Key_V, CONTROL)
    assert walk.blocks == 2 * count
    walk.undo()
    walk.select_all()
    walk.key("delete", Qt.Key.Key_Delete)
    assert walk.blocks == 0
    walk.undo()
    half = [name for name in session.page.blocks if name.startswith("b")][: count // 2]
    walk.do("select half", lambda: session.select(Selection(frozenset(half))))
    walk.do("make a page", lambda: session.apply("", edits.group, "main", half))
    walk.undo()
    walk.do("take one out", lambda: session.apply("", edits.remove_blocks, "main", half[:1]))
    walk.undo()
    assert session.graph is graph


def drag(walk: Walk) -> None:
    """All blocks by the first one."""
    canvas = walk.window.parts.canvas
    start = walk.press(next(iter(walk.session.page.blocks)))
    for step in range(1, 4):
        walk.do("drag", lambda step=step: QTest.mouseMove(canvas, start + QPoint(40 * step, 30 * step)))
    walk.do("drop", lambda: QTest.mouseRelease(canvas, LEFT, NONE, start + QPoint(120, 90)))


def main(blocks: int, frames: int, wires: int) -> None:
    application = QApplication(sys.argv[:1])
    QLocale.setDefault(QLocale.c())
    with tempfile.TemporaryDirectory() as folder:
        walk = Walk(Path(folder))
        limit_recursion()
        graph = in_columns(chain(blocks))
        walk.show(graph)
        edit(walk, blocks)
        picture = stage("picture", lambda: PagePicture(graph))
        stage("as SVG", lambda: picture.svg(theme("dark")))
        picture.close()
        walk.show(with_places(frames_in_frames(frames)))
        walk.show(with_places(joined(wires, "AddN")))
        walk.close()
    application.quit()
