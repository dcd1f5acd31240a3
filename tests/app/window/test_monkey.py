"""A monkey with mouse, fingers and keyboard: whatever it does, canvas and graph agree, and undo and redo lead back.

GRADWIRE_MONKEY_STEPS in the environment makes it go on for longer, 10000 for instance.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTabBar
from pytestqt.qtbot import QtBot

from app.canvas.mirror import Mirror
from engine.files import load
from engine.graph import Graph
from tests.app.window.driver import LEFT, MIDDLE, RIGHT, Driver, Key, Mod
from tests.app.window.graphs import annotated

STEPS = int(os.environ.get("GRADWIRE_MONKEY_STEPS", "200"))
TYPES = ("Input", "Constant", "Variable", "Add", "Multiply", "MatMul", "Exp", "Log", "ReduceSum", "ReduceMax", "AddN",
         "Concat", "Reshape", "Split", "Cast", "Greater", "Where", "StopGradient", "Loss", "Page", "PageInput",
         "PageOutput", "Reroute", "Gradients", "Relu", "Softmax")  # fmt: skip
COMMANDS = [
    "undo",
    "redo",
    "undo",
    "redo",
    "cut",
    "copy",
    "paste",
    "duplicate",
    "delete",
    "dissolve",
    "disconnect",
    "knife",
    "select_all",
    "invert",
    "rename",
    "add_note",
    "add_frame",
    "add_page",
    "zoom_in",
    "zoom_out",
    "zoom_100",
    "fit",
    "fit_selection",
    "overlay_next",
    "corner",
    "theme_light",
    "theme_dark",
    "mute",
    "collapse",
    "stop_here",
    "add_loss",
    "use_loss",
    "enter",
    "arrange",
    "nudge_left",
    "nudge_down",
    "pan_right",
    "live",
    "evaluate",
    "ignore_stops",
    "next_panel",
    "only_canvas",
    "search",
    "welcome",
]
TEXTS = ("e", "name", "Two words", "", "3", "-0.5", "1e9", "nan", "x" * 70, "<b>", "9.5.1")
KEYS = (
    Mod.NoModifier,
    Mod.NoModifier,
    Mod.ShiftModifier,
    Mod.ControlModifier,
    Mod.AltModifier,
    Mod.ControlModifier | Mod.AltModifier,
)
MANY = 16


class Monkey:
    """Chooses at random what a user could do."""

    def __init__(self, user: Driver, seed: int, folder: Path) -> None:
        self.user, self.any, self.folder = user, random.Random(seed), folder
        self.acts: list[Callable[[], object]] = [
            *[self.drag] * 8, *[self.click] * 4, *[self.command] * 8, *[self.drop] * 3, self.double_click,
            self.menu, self.wheel, self.letter, self.search, self.save_and_load, self.switch_page, self.slide,
            self.history, self.shake, self.knife, self.touch, self.onto_wire,
        ]  # fmt: skip

    def act(self) -> str:
        if not self.user.canvas.isVisible():
            self.user.window.show_graph(annotated())
        act = self.any.choice(self.acts)
        said = act()
        self.tidy()
        return f"{act.__name__} {said}"

    def tidy(self) -> None:
        """Leaves no popup open and the page at a size that can be looked at."""
        user = self.user
        user.canvas.let_go()
        user.window.search.close()
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
        user.settle()
        if len(user.page.blocks) > MANY:
            user.trigger("select_all")
            user.trigger("delete")
        if len(user.graph.pages) > 4:
            user.window.show_graph(annotated())
        if not 0.3 < user.canvas.camera.scale < 3:
            user.canvas.zoom_to(1.0)

    # Places

    def place(self) -> QPointF:
        """A point on something that is there, or anywhere."""
        user, mirror = self.user, self.user.canvas.mirror
        rows = range(len(mirror.ids))
        kind = self.any.randrange(8)
        if rows and kind < 6:
            row = self.any.choice(rows)
            shape, corner = mirror.shapes[row], mirror.rect(mirror.ids[row]).topLeft()
            if kind < 2 and shape.ports:
                port = self.any.choice(shape.ports)
                return corner + QPointF(port.x, port.y)
            if kind == 2 and shape.sliders:
                box = shape.slider_box(self.any.randrange(shape.sliders))
                return corner + QPointF(box.center().x(), box.top() + self.any.random() * box.height())
            if kind == 3:
                return user.edge(mirror.ids[row])
            return corner + QPointF(self.any.random() * shape.width, self.any.random() * shape.height)
        if kind == 6 and mirror.wires:
            a, b = mirror.points[self.any.randrange(len(mirror.wires))][2:4]
            return QPointF(*(a + (b - a) * self.any.random()))
        boxes = [*mirror.frames.values(), *mirror.notes.values()]
        if kind == 7 and boxes:
            return self.any.choice(boxes).topLeft() + QPointF(20, 8)
        return user.canvas.camera.to_scene(QPointF(self.any.randrange(1000), self.any.randrange(600)))

    # What it does

    def drag(self) -> str:
        start, end = self.place(), self.place()
        button = self.any.choice((LEFT, LEFT, LEFT, LEFT, MIDDLE, RIGHT))
        keys, ending = self.any.choice(KEYS), self.any.randrange(10)
        act: Callable[[], object] | None = None
        if ending == 0:
            act = self.user.escape
        elif ending == 1:
            act = self.command
        self.user.drag(start, end, button, keys, steps=3, ends_with=act)
        return f"{start} {end} {button} {keys} {ending}"

    def shake(self) -> str:
        user, mirror = self.user, self.user.canvas.mirror
        if mirror.ids:
            at = user.title(self.any.choice(mirror.ids))
            ways = [at + QPointF(40 * (-1) ** step, 8 * step) for step in range(self.any.randrange(2, 8))]
            ends = self.user.escape if self.any.randrange(4) == 0 else None
            user.stroke(at, *ways, keys=self.any.choice(KEYS), ends_with=ends)
        return ""

    def knife(self) -> str:
        ways = [self.place() for _ in range(self.any.randrange(2, 5))]
        self.user.stroke(*ways, button=RIGHT, keys=Mod.ControlModifier)
        return f"{ways}"

    def touch(self) -> str:
        view = self.user.view
        start, end, second = view(self.place()), view(self.place()), view(self.place())
        moves: list[tuple[QPointF, ...]] = [(start,), ((start + end) / 2,), (end,)]
        if self.any.randrange(3) == 0:
            moves += [(end, second), (end, (second + end) / 2)]
        self.user.touch(*moves[: self.any.randrange(1, len(moves) + 1)], rests=self.any.randrange(5) == 0)
        return f"{moves}"

    def onto_wire(self) -> str:
        user, mirror = self.user, self.user.canvas.mirror
        if mirror.ids and mirror.wires:
            name, row = self.any.choice(mirror.ids), self.any.randrange(len(mirror.wires))
            goal = QPointF(*mirror.points[row].mean(axis=0))
            start = user.title(name)
            user.drag(start, start + goal - mirror.rect(name).center(), steps=3)
        return ""

    def slide(self) -> str:
        mirror = self.user.canvas.mirror
        rows = [row for row, shape in enumerate(mirror.shapes) if shape.sliders]
        if rows:
            name = mirror.ids[self.any.choice(rows)]
            index = self.any.randrange(mirror.shapes[mirror.rows[name]].sliders)
            low, high = sorted((self.any.random(), self.any.random()))
            self.user.drag(self.user.knob(name, index, low), self.user.knob(name, index, high), steps=4)
        return ""

    def click(self) -> str:
        at, keys = self.place(), self.any.choice(KEYS)
        self.user.click(at, keys=keys)
        return f"{at} {keys}"

    def double_click(self) -> str:
        at, text = self.place(), self.any.choice(TEXTS)
        self.user.double_click(at)
        if self.user.fields():
            end = self.any.choice((Key.Key_Return, Key.Key_Escape))
            self.user.type_inline(text, end, Mod.ControlModifier if end == Key.Key_Return else Mod.NoModifier)
        return f"{at} {text!r}"

    def menu(self) -> str:
        at = self.place()
        self.user.click(at, RIGHT)
        return f"{at}"

    def wheel(self) -> str:
        self.user.wheel(self.place(), QPoint(0, self.any.choice((-120, 120))))
        return ""

    def drop(self) -> str:
        name, at = self.any.choice(TYPES), self.place()
        self.user.drop_block(name, at, self.any.choice(KEYS))
        return f"{name} {at}"

    def command(self) -> str:
        name = self.any.choice(COMMANDS)
        self.user.trigger(name)
        return name

    def letter(self) -> str:
        key = self.any.choice((Key.Key_M, Key.Key_H, Key.Key_X, Key.Key_G, Key.Key_S, Key.Key_Escape, Key.Key_Home))
        self.user.key(key, self.any.choice(KEYS[:3]))
        return f"{key}"

    def search(self) -> str:
        text = self.any.choice(("tf.add", "relu", "0.5", "[1,2]", "loss", "nothing like it", "stop"))
        self.user.enter(self.place())
        self.user.trigger("search")
        if self.user.window.search.isVisible():
            field = self.user.child(QLineEdit, "search_field")
            QTest.keyClicks(field, text)
            QTest.keyClick(field, self.any.choice((Key.Key_Return, Key.Key_Return, Key.Key_Escape)))
        return text

    def history(self) -> str:
        count = self.any.randrange(1, 12)
        for _ in range(count):
            self.user.trigger("undo")
        for _ in range(self.any.randrange(count + 1)):
            self.user.trigger("redo")
        return f"{count}"

    def save_and_load(self) -> str:
        path = self.folder / "monkey.graph"
        graph = self.user.graph
        assert self.user.window.documents.save_to(path)
        assert load(path).graph == graph
        if self.any.randrange(3) == 0:
            self.user.open(path)
            assert self.user.graph == graph
        return ""

    def switch_page(self) -> str:
        bar = self.user.child(QTabBar, "page_bar")
        place = self.any.randrange(bar.count())
        QTest.mouseClick(bar, LEFT, pos=bar.tabRect(place).topLeft() + QPoint(12, 16))
        return f"{place}"


def assert_sound(user: Driver) -> None:
    """What must hold after every step."""
    fresh, shown, page = Mirror(user.session), user.canvas.mirror, user.page
    fresh.rebuild()
    assert shown.ids == fresh.ids
    np.testing.assert_array_equal(shown.rects, fresh.rects)
    np.testing.assert_array_equal(shown.points, fresh.points)
    assert shown.frames == fresh.frames
    assert shown.notes == fresh.notes
    assert all(wire.target == target for target, wire in page.wires.items())
    chosen = user.selection
    assert chosen.blocks <= page.blocks.keys()
    assert chosen.wires <= {*page.wires.values(), *page.surplus}
    assert chosen.frames <= {frame.id for frame in page.frames}
    assert chosen.notes <= {note.id for note in page.notes}
    assert not user.canvas.is_dragging


def assert_undo_leads_back(user: Driver) -> None:
    graph: Graph = user.graph
    if user.session.document.undo_text is not None:
        user.session.undo()
        assert user.graph is not graph
        user.session.redo()
        assert user.graph is graph


@pytest.mark.no_qt_log
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_done_canvas_and_graph_agree(user: Driver, qtbot: QtBot, tmp_path: Path, seed: int) -> None:
    user.window.resize(1100, 700)
    user.show(annotated())
    QGuiApplication.clipboard().clear()
    monkey, done, steps = Monkey(user, seed, tmp_path), "", 0
    with qtbot.captureExceptions() as mistakes:
        try:
            while steps < STEPS:
                steps += 1
                done = monkey.act()
                assert_sound(user)
                assert_undo_leads_back(user)
                assert not mistakes
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, step {steps}, after: {done}; {mistakes}") from error
