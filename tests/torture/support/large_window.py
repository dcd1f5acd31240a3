"""Program that opens a real window with very many blocks, problems and paths, and a separate evaluator.

Mouse and keyboard use minimap, search, list of problems, lens of paths, edits of all blocks and the backward graph; the
cost of a stage is the window's part alone. Started as a process, with the counts of blocks and problems.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QLocale, QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListView, QToolButton

from gradwire.app.canvas.overlays.corner import Minimap
from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.process.evaluator import ProcessEvaluator
from gradwire.app.live.selection import Selection
from gradwire.engine.base.problems import LISTED
from gradwire.engine.graph.graph import Block
from tests.torture.support.shapes_of_graphs import chain, diamonds, graph_of, in_columns, variable
from tests.torture.support.stages import limit_recursion
from tests.torture.support.walk import ALT, CONTROL, LEFT, NONE, Walk

PATHS = "1,152,921,504,606,846,976"


def is_seen(walk: Walk, name: str) -> bool:
    """Whether a block lies in the part of the page that the canvas shows."""
    canvas = walk.window.parts.canvas
    return QRectF(canvas.rect()).contains(canvas.camera.to_view(canvas.mirror.rect(name).center()))


def find(walk: Walk, name: str) -> None:
    """Finds a block by its name, letter by letter."""
    walk.key("open the search", Qt.Key.Key_F, CONTROL, walk.window)
    field = walk.window.findChild(QLineEdit, "find_field")
    assert isinstance(field, QLineEdit) and field.isVisible()
    for letter in name:
        walk.do("type a letter", lambda letter=letter: QTest.keyClicks(field, letter))
    walk.key("go there", Qt.Key.Key_Return, NONE, field)
    walk.key("close the search", Qt.Key.Key_Escape, NONE, field)
    assert walk.session.selection.blocks == {name}
    assert is_seen(walk, name)


def use_minimap(walk: Walk) -> None:
    """Clicks on the minimap to go there, and drags the view along."""
    minimap = walk.window.findChild(Minimap, "minimap")
    assert minimap is not None and minimap.isVisible()
    start = minimap.rect().center()
    walk.do("click on the minimap", lambda: QTest.mouseClick(minimap, LEFT, NONE, start))
    assert (minimap.frame().center().toPoint() - start).manhattanLength() <= 2
    QTest.mousePress(minimap, LEFT, NONE, start)
    for step in range(1, 6):
        point = start - QPoint(6 * step, 0)
        walk.do("drag on the minimap", lambda point=point: QTest.mouseMove(minimap, point))
        assert (minimap.frame().center().toPoint() - point).manhattanLength() <= 2
    QTest.mouseRelease(minimap, LEFT, NONE, point)
    walk.do("paint the minimap", minimap.grab)


def light_ways(walk: Walk, count: int) -> None:
    """From a block in the middle of the chain: to the loss, from the inputs, both, off."""
    canvas, number = walk.window.parts.canvas, count // 2
    find(walk, f"b{number}")
    lit = []
    for _ in range(4):
        walk.key("path to the loss", Qt.Key.Key_P)
        lit.append(None if canvas.page_look.lit is None else len(canvas.page_look.lit.blocks))
    assert lit == [count - number, number + 1, count, None]


def edit_all(walk: Walk) -> None:
    session, graph = walk.session, walk.session.graph
    keys = {
        "mute": (Qt.Key.Key_M, NONE),
        "collapse": (Qt.Key.Key_H, NONE),
        "nudge": (Qt.Key.Key_Right, ALT),
        "put into a frame": (Qt.Key.Key_J, CONTROL),
        "duplicate": (Qt.Key.Key_D, CONTROL),
        "delete": (Qt.Key.Key_Delete, NONE),
    }
    for name, (key, modifier) in keys.items():
        walk.select_all()
        walk.key(name, key, modifier)
        edited = session.graph
        assert edited is not graph
        walk.undo()
        assert session.graph is graph
        walk.redo()
        assert session.graph is edited
        walk.undo()
        assert session.graph is graph


def show_backward(walk: Walk, count: int) -> None:
    walk.do("ask for the backward graph", walk.window.parts.actions_by_id["show_backward"].trigger)
    walk.do("show the backward graph", lambda: walk.until(lambda: walk.session.page_name != "main"))
    assert walk.blocks > count
    walk.do("fit it", walk.window.parts.canvas.viewport.fit_page)
    walk.do("paint it", walk.window.parts.canvas.grab)


def choose_problem(walk: Walk, problems: QListView, row: int) -> None:
    point = problems.visualRect(problems.model().index(row, 0)).center()
    walk.do("click on a problem", lambda: QTest.mouseClick(problems.viewport(), LEFT, NONE, point))
    name = f"t{row}"
    assert walk.session.selection.blocks == {name} and is_seen(walk, name)


def use_problems(walk: Walk, count: int) -> None:
    """Shows `count` blocks without their inputs, each an error, and visits some through the list of problems."""
    alone = (Block(f"t{index}", "Tanh") for index in range(count))
    page = graph_of([variable(), Block("loss", "Loss"), *alone], [(("x", "y"), ("loss", "x"))])
    walk.show(in_columns(page))
    tab = walk.window.findChild(QToolButton, "strip_problems")
    assert tab is not None and tab.isVisible()
    walk.do("open the problems", lambda: QTest.mouseClick(tab, LEFT))
    problems = walk.window.findChild(QListView, "problems_list")
    assert problems is not None and problems.isVisible()
    # The list ends with the number of those left out.
    walk.until(lambda: problems.model().rowCount() == LISTED + 1)
    walk.do("paint the problems", problems.grab)
    choose_problem(walk, problems, 0)
    # The last row only counts, the one above it is the last problem.
    walk.key("last row", Qt.Key.Key_End, NONE, problems)
    walk.key("last problem", Qt.Key.Key_Up, NONE, problems)
    walk.key("go there", Qt.Key.Key_Return, NONE, problems)
    name = f"t{LISTED - 1}"
    assert walk.session.selection.blocks == {name} and is_seen(walk, name)
    QTest.mouseRelease(walk.window.parts.canvas, LEFT, NONE, walk.press(name))
    walk.key("delete its block", Qt.Key.Key_Delete)
    walk.do("one problem less", lambda: walk.until(lambda: left_out(problems) == count - LISTED - 1))
    walk.undo()
    walk.do("one more again", lambda: walk.until(lambda: left_out(problems) == count - LISTED))


def left_out(problems: QListView) -> int:
    """Returns the number of problems that the last row of the list counts."""
    model = problems.model()
    return int("".join(filter(str.isdigit, str(model.index(model.rowCount() - 1, 0).data()))) or 0)


def use_paths(walk: Walk) -> None:
    walk.show(with_places(diamonds(60)))
    find(walk, "x")
    walk.key("path to the loss", Qt.Key.Key_P)
    assert (
        walk.window.parts.canvas.page_look.lit is not None
        and len(walk.window.parts.canvas.page_look.lit.blocks) == walk.blocks
    )
    walk.do("open the lens of paths", walk.window.parts.actions_by_id["lens_paths"].trigger)
    rows, said = walk.window.findChild(RowsTable, "paths_list"), walk.window.findChild(QLabel, "paths_summary")
    assert rows is not None and said is not None
    for count in range(2, 8):
        walk.until(lambda count=count: rows.model().rowCount() == count)
        walk.key("first row", Qt.Key.Key_Home, CONTROL, rows)
        walk.key("take it apart", Qt.Key.Key_Return, NONE, rows)
    assert PATHS in said.text()
    walk.do("select nothing", lambda: walk.session.select(Selection()))


def main(blocks: int, problems: int) -> None:
    application = QApplication(sys.argv[:1])
    QLocale.setDefault(QLocale.c())
    with tempfile.TemporaryDirectory() as folder:
        walk = Walk(Path(folder), ProcessEvaluator)
        limit_recursion()
        walk.show(in_columns(chain(blocks)))
        use_minimap(walk)
        light_ways(walk, blocks)
        edit_all(walk)
        show_backward(walk, blocks)
        use_problems(walk, problems)
        use_paths(walk)
        walk.close()
    application.quit()
