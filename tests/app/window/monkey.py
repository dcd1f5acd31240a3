"""The targets of the random user: places and items of a page, chosen by numbers that suit any page."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLineEdit, QWidget

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.engine.graph.graph import Graph, Page, Wire
from tests.app.window.driver import Driver
from tests.app.window.graphs import annotated

MANY_BLOCKS, MANY_PAGES = 16, 4
# These open a system dialog, end the window, or start animations, which take time.
NOT_FOR_MONKEYS = {"open", "save", "save_as", "save_picture", "export_page", "export_code", "close", "quit", "new",
                   "new_window", "close_window", "tour", "first_steps", "motion_system", "motion_full"}  # fmt: skip
COMMAND_IDS = [command.id for command in COMMANDS if command.id not in NOT_FOR_MONKEYS]


class Spot(NamedTuple):
    """A place: a kind of item, its number, and the position on it, from 0 to 1 across and down."""

    kind: str
    row: int = 0
    across: float = 0.5
    down: float = 0.5


class Things:
    """Finds on the page shown what a number stands for; None where there is nothing of that kind."""

    def __init__(self, user: Driver) -> None:
        self.user = user

    @property
    def mirror(self) -> Mirror:
        return self.user.canvas.mirror

    def block(self, row: int) -> str | None:
        ids = self.mirror.ids
        return ids[row % len(ids)] if ids else None

    def wire(self, row: int) -> Wire | None:
        wires = self.mirror.wires
        return wires[row % len(wires)] if wires else None

    def port(self, row: int, is_input: bool) -> QPointF | None:
        """Returns the position of the input or output with a number, counted over all blocks."""
        corners = zip(self.mirror.shapes, self.mirror.rects, strict=True)
        found = [
            QPointF(rect[0] + port.x, rect[1] + port.y)
            for shape, rect in corners
            for port in (shape.inputs if is_input else shape.outputs)
        ]
        return found[row % len(found)] if found else None

    def slider(self, row: int) -> tuple[str, int] | None:
        """Returns a block and the number of one of its sliders."""
        found = [
            (name, index)
            for name, shape in zip(self.mirror.ids, self.mirror.shapes, strict=True)
            for index in range(shape.sliders)
        ]
        return found[row % len(found)] if found else None

    def place(self, spot: Spot) -> QPointF:
        """Returns a point of the scene; without such an item, a point of the view."""
        find = {
            "title": self._title,
            "body": self._body,
            "edge": lambda at: None if (name := self.block(at.row)) is None else self.user.points.edge(name),
            "input": lambda at: self.port(at.row, True),
            "output": lambda at: self.port(at.row, False),
            "wire": self._on_wire,
            "frame": lambda at: self._corner(list(self.mirror.frames.values()), at),
            "note": lambda at: self._corner(list(self.mirror.notes.values()), at),
            "view": lambda _: None,
        }[spot.kind]
        found = find(spot)
        if found is not None:
            return found
        canvas = self.user.canvas
        inside = QPointF(8 + spot.across * (canvas.width() - 16), 8 + spot.down * (canvas.height() - 16))
        return canvas.camera.to_scene(inside)

    def _title(self, spot: Spot) -> QPointF | None:
        name = self.block(spot.row)
        return None if name is None else self.user.points.title(name)

    def _body(self, spot: Spot) -> QPointF | None:
        name = self.block(spot.row)
        if name is None:
            return None
        rect = self.mirror.rect(name)
        return rect.topLeft() + QPointF(spot.across * rect.width(), spot.down * rect.height())

    def _on_wire(self, spot: Spot) -> QPointF | None:
        if self.wire(spot.row) is None:
            return None
        points = self.mirror.points[spot.row % len(self.mirror.wires)]
        a, b = points[len(points) // 2 - 1], points[len(points) // 2]
        return QPointF(*(a + (b - a) * spot.across))

    def _corner(self, boxes: list[QRectF], spot: Spot) -> QPointF | None:
        return boxes[spot.row % len(boxes)].topLeft() + QPointF(20, 8) if boxes else None

    def fields(self) -> list[QLineEdit | QComboBox | Switch]:
        """Returns the editable fields of the inspector."""
        inspector = self.user.child(Inspector, "inspector")
        found = [item for item in inspector.findChildren(QWidget) if item.objectName().startswith("parameter_")]
        return [item for item in found if isinstance(item, QLineEdit | QComboBox | Switch) and item.isVisible()]

    def tidy(self) -> None:
        """Closes everything that is open and leaves a page that can be shown."""
        user = self.user
        user.canvas.gestures.let_go()
        user.canvas.page_actions.field.close_without_edit()
        self._close_what_is_open()
        if not user.canvas.isVisible() or len(user.graph.pages) > MANY_PAGES:
            user.window.parts.document.show(annotated())
        if user.window.parts.layout.shows_only_canvas:
            user.trigger("only_canvas")
        if len(user.page.blocks) > MANY_BLOCKS:
            user.trigger("select_all")
            user.trigger("delete")
        if not 0.3 < user.canvas.camera.scale < 3:
            user.canvas.viewport.zoom_to(1.0)
        user.settle()

    def _close_what_is_open(self) -> None:
        user = self.user
        user.window.parts.editor.placer.popup.close()
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
            user.settle()
        for dialog in user.window.findChildren(QDialog):
            dialog.close()
        user.settle()


@contextmanager
def heard_mistakes() -> Iterator[list[str]]:
    """Collects exceptions inside Qt's calls as text: an exception object would keep its frames alive."""
    heard: list[str] = []

    def hear(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        heard.append("".join(traceback.format_exception(kind, error, trace)))
        # Python keeps the last one for a debugger.
        sys.last_type = sys.last_value = sys.last_traceback = None

    before, sys.excepthook = sys.excepthook, hear
    try:
        yield heard
    finally:
        sys.excepthook = before


def shown_windows() -> set[str]:
    """Returns the names of the visible top-level widgets; tooltips disappear by themselves."""
    shown = [item for item in QApplication.topLevelWidgets() if item.isVisible()]
    return {item.objectName() or type(item).__name__ for item in shown} - {"qtooltip_label"}


def has_circle(page: Page) -> bool:
    """Returns whether the wires contain a cycle: blocks without inputs are removed until none is left (Kahn)."""
    wires = [(wire.source.block, wire.target.block) for wire in page.wires.values()]
    left = set(page.blocks)
    while left:
        free = left - {target for source, target in wires if source in left}
        if not free:
            return True
        left -= free
    return False


def uses_itself(graph: Graph) -> bool:
    """Returns whether a page is used within itself."""
    uses = {
        page.name: {str(block.parameters.get("page")) for block in page.blocks.values() if block.type == "Page"}
        for page in graph.pages
    }
    left = set(uses)
    while left:
        free = {name for name in left if not uses[name] & left}
        if not free:
            return True
        left -= free
    return False
