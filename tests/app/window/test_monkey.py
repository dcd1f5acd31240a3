"""A monkey with mouse, fingers and keyboard: whatever it does, canvas and graph agree, and undo and redo lead back.

Hypothesis chooses what it does and, where something breaks, finds the shortest way there. GRADWIRE_MONKEY_STEPS in
the environment makes it go on for longer and another way each time, 10000 for instance.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QPushButton, QTabBar, QTableView

from app.canvas.picking import target_at
from app.look.motion import set_moves
from app.panels.switch import Switch
from engine.files import load
from engine.graph import Graph, Page
from tests.app.window.driver import LEFT, MIDDLE, RIGHT, Driver, Key, Mod
from tests.app.window.graphs import annotated, chain, misfits, number
from tests.app.window.monkey import COMMAND_IDS, Spot, heard_mistakes, shown_windows
from tests.app.window.monkey_laws import Laws

STEPS = int(os.environ.get("GRADWIRE_MONKEY_STEPS", "300"))
STEPS_AT_A_TIME = 50
STARTS: dict[str, Callable[[], Graph]] = {
    "annotated": annotated, "misfits": misfits, "number": number, "chain": chain,
    "empty": lambda: Graph((Page("main"),)),
}  # fmt: skip
TYPES = ("Input", "Constant", "Variable", "Add", "Multiply", "MatMul", "Exp", "Log", "ReduceSum", "ReduceMax", "AddN",
         "Concat", "Reshape", "Split", "Cast", "Greater", "Where", "StopGradient", "Loss", "Page", "PageInput",
         "PageOutput", "Reroute", "Gradients", "Relu", "Softmax")  # fmt: skip
QUERIES = ("tf.add", "relu", "0.5", "[1,2]", "loss", "nothing like it", "stop", "x = [[1, 2], [3, 4]]")
TEXTS = ("e", "name", "Two words", "", "3", "-0.5", "1e9", "nan", "x" * 70, "<b>", "9.5.1", "[1, 2]", "[[1], [2]]")
BOX_TEXTS = ("mute", "fit", "undo", "light", "arrange", "loss", "page", "e", "relu", "nothing like it")
CTRL, SHIFT, ALT, NONE = Mod.ControlModifier, Mod.ShiftModifier, Mod.AltModifier, Mod.NoModifier
KEYS = (Key.Key_Right, Key.Key_Left, Key.Key_Up, Key.Key_Down, Key.Key_Return, Key.Key_Escape, Key.Key_Tab, Key.Key_M,
        Key.Key_H, Key.Key_X, Key.Key_G, Key.Key_S, Key.Key_P, Key.Key_Y, Key.Key_C, Key.Key_D, Key.Key_J, Key.Key_L,
        Key.Key_A, Key.Key_I, Key.Key_Z, Key.Key_Home, Key.Key_End, Key.Key_Delete, Key.Key_Backspace, Key.Key_Space,
        Key.Key_Menu, Key.Key_1, Key.Key_2)  # fmt: skip

rows = st.integers(0, 31)
shares = st.sampled_from([0.5, 0.0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 1.0])
# What is often is written twice.
kinds = st.sampled_from(["view", "title", "title", "body", "body", "input", "output", "wire", "frame", "note", "edge"])
buttons = st.sampled_from([LEFT, LEFT, LEFT, LEFT, MIDDLE, RIGHT])
spots = st.builds(Spot, kinds, rows, shares, shares)
modifiers = st.sampled_from([NONE, NONE, NONE, NONE, SHIFT, CTRL, ALT, CTRL | ALT, CTRL | SHIFT, ALT | SHIFT])
endings = st.sampled_from(["release", "release", "release", "release", "escape", "undo", "delete", "theme_light"])
ways = st.lists(spots, min_size=2, max_size=5)


def step(**strategies: st.SearchStrategy) -> Callable[[Callable[..., None]], Any]:
    """A rule after which everything that it left open is closed."""

    def decorated(act: Callable[..., None]) -> Any:
        @functools.wraps(act)
        def acted(self: Monkey, **given: Any) -> None:
            act(self, **given)
            self.hand.tidy()

        return rule(**strategies)(acted)

    return decorated


class Monkey(Laws):
    """Everything that a user can do, one rule for each way of doing something, in a window that stays open."""

    @initialize(name=st.sampled_from(["annotated", *STARTS]))
    def begin(self, name: str) -> None:
        user = self.user
        self.mistakes.clear()
        self.hand.tidy()
        user.window.resize(1300, 800)
        for command in ("text_scale_100", "contrast_off", "motion_reduced", "theme_dark", "overlay_magnitude"):
            user.trigger(command)
        QGuiApplication.clipboard().clear()
        user.show(STARTS[name]())
        self.windows = shown_windows()

    # The mouse on the page

    @step(start=spots, end=spots, button=buttons, keys=modifiers, ending=endings)
    def drag(self, start: Spot, end: Spot, button: Any, keys: Mod, ending: str) -> None:
        first, last = self.hand.place(start), self.hand.place(end)
        self.gesture(first, (first + last) / 2, last, button=button, keys=keys, ending=ending)

    @step(output=rows, end=rows, keys=modifiers, turned=st.booleans(), ending=endings)
    def connect(self, output: int, end: int, keys: Mod, turned: bool, ending: str) -> None:
        a, b = self.hand.port(output, False), self.hand.port(end, True)
        if a is not None and b is not None:
            first, last = (b, a) if turned else (a, b)
            self.gesture(first, (first + last) / 2, last, keys=keys, ending=ending)

    @step(row=rows, end=spots, keys=modifiers, at_output=st.booleans(), ending=endings)
    def replug(self, row: int, end: Spot, keys: Mod, at_output: bool, ending: str) -> None:
        wire = self.hand.wire(row)
        if wire is not None:
            port = wire.source if at_output else wire.target
            start = self.hand.mirror.port_position(port, not at_output)
            if start is not None:
                last = self.hand.place(end)
                self.gesture(start, (start + last) / 2, last, keys=keys, ending=ending)

    @step(row=rows, way=st.tuples(st.integers(-20, 20), st.integers(-20, 20)), keys=modifiers, ending=endings)
    def move(self, row: int, way: tuple[int, int], keys: Mod, ending: str) -> None:
        name = self.hand.block(row)
        if name is not None:
            start = self.user.title(name)
            end = start + QPointF(16 * way[0], 16 * way[1])
            self.gesture(start, (start + end) / 2, end, keys=keys, ending=ending)

    @step(block=rows, row=rows, keys=modifiers, ending=endings)
    def move_onto_a_wire(self, block: int, row: int, keys: Mod, ending: str) -> None:
        name = self.hand.block(block)
        if name is not None and self.hand.wire(row) is not None:
            start, goal = self.user.title(name), self.hand.place(Spot("wire", row))
            end = start + goal - self.hand.mirror.rect(name).center()
            self.gesture(start, (start + end) / 2, end, keys=keys, ending=ending)

    @step(row=rows, turns=st.integers(1, 7), keys=modifiers, ending=endings)
    def shake(self, row: int, turns: int, keys: Mod, ending: str) -> None:
        name = self.hand.block(row)
        if name is not None:
            at = self.user.title(name)
            points = [at + QPointF(40 * (-1) ** turn, 8 * turn) for turn in range(turns + 1)]
            self.gesture(at, *points, keys=keys, ending=ending)

    @step(spots=ways, by_key=st.booleans(), ending=endings)
    def knife(self, spots: list[Spot], by_key: bool, ending: str) -> None:
        points = [self.hand.place(spot) for spot in spots]
        if by_key:
            self.user.key(Key.Key_Y)
        self.gesture(*points, button=LEFT if by_key else RIGHT, keys=NONE if by_key else CTRL, ending=ending)

    @step(spots=ways, keys=st.sampled_from([CTRL | ALT, CTRL | ALT | SHIFT]), ending=endings)
    def lasso(self, spots: list[Spot], keys: Mod, ending: str) -> None:
        points = [self.hand.place(spot) for spot in spots]
        if ending in ("release", "escape") and not self.hand.has_ghosts:
            with self.unchanged():
                self.gesture(*points, keys=keys, ending=ending)

    @step(row=rows, low=shares, high=shares, keys=modifiers, ending=endings)
    def slide(self, row: int, low: float, high: float, keys: Mod, ending: str) -> None:
        found = self.hand.slider(row)
        if found is not None:
            start, end = self.user.knob(*found, low), self.user.knob(*found, high)
            self.gesture(start, (start + end) / 2, end, keys=keys, ending=ending)

    @step(row=rows, pixels=st.integers(-80, 80), keys=modifiers, ending=endings)
    def scrub(self, row: int, pixels: int, keys: Mod, ending: str) -> None:
        found = self.hand.slider(row)
        if found is not None:
            start = self.user.number(*found)
            end = start + QPointF(pixels, 0)
            self.gesture(start, (start + end) / 2, end, keys=keys, ending=ending)

    @step(spot=spots, keys=modifiers)
    def click(self, spot: Spot, keys: Mod) -> None:
        with self.one_edit():
            self.user.click(self.hand.place(spot), keys=keys)

    @step(spot=spots, text=st.sampled_from(TEXTS), end=st.sampled_from([Key.Key_Return, Key.Key_Escape]))
    def double_click(self, spot: Spot, text: str, end: Any) -> None:
        place = self.hand.place(spot)
        # A slider is pressed twice, and at its end each press reaches further.
        is_track = target_at(self.user.canvas, place).is_track
        with nullcontext() if is_track else self.one_edit():
            self.user.double_click(place)
            self.type_inline(text, end)

    def type_inline(self, text: str, end: Any) -> None:
        if self.user.fields():
            self.user.type_inline(text, end, CTRL if end == Key.Key_Return else NONE)

    @step(spot=spots, row=rows)
    def menu(self, spot: Spot, row: int) -> None:
        self.user.click(self.hand.place(spot), RIGHT)
        entries = [item for item in self.user.menu().actions() if item.objectName() in COMMAND_IDS]
        if entries:
            with self.one_edit():
                entries[row % len(entries)].trigger()
                self.user.settle()

    @step(spot=spots, turns=st.integers(-3, 3), keys=modifiers)
    def wheel(self, spot: Spot, turns: int, keys: Mod) -> None:
        with self.unchanged():
            self.user.wheel(self.hand.place(spot), QPoint(0, 120 * turns), keys=keys)

    @step(spots=ways, second=st.booleans(), rests=st.booleans())
    def touch(self, spots: list[Spot], second: bool, rests: bool) -> None:
        points = [self.user.view(self.hand.place(spot)) for spot in spots]
        moves: list[tuple[QPointF, ...]] = [(point,) for point in points]
        if second:
            moves += [(points[-1], points[0]), (points[-1], (points[0] + points[-1]) / 2)]
        with self.one_edit():
            self.user.touch(*moves, rests=rests)

    # Adding

    @step(name=st.sampled_from(TYPES), spot=spots, keys=modifiers)
    def drop_from_palette(self, name: str, spot: Spot, keys: Mod) -> None:
        with self.one_edit():
            self.user.drop_block(name, self.hand.place(spot), keys)

    @step(text=st.sampled_from(QUERIES), spot=spots, end=st.sampled_from([Key.Key_Return, Key.Key_Escape]))
    def search(self, text: str, spot: Spot, end: Any) -> None:
        with self.one_edit():
            self.user.enter(self.hand.place(spot))
            self.user.key(Key.Key_Tab)
            if self.user.window.search.isVisible():
                field = self.user.child(QLineEdit, "search_field")
                QTest.keyClicks(field, text)
                QTest.keyClick(field, end)
                self.user.settle()

    # Keys and commands

    @step(key=st.sampled_from(KEYS), keys=modifiers)
    def key(self, key: Any, keys: Mod) -> None:
        self.user.key(key, keys)

    @step(way=st.lists(st.sampled_from(KEYS[:6]), min_size=2, max_size=8), first=rows)
    def walk_and_wire(self, way: list[Any], first: int) -> None:
        name = self.hand.block(first)
        if name is not None:
            self.user.click(self.user.title(name))
        for key in way:
            with self.one_edit():
                self.user.key(key)

    @step(name=st.sampled_from(COMMAND_IDS), text=st.sampled_from(TEXTS))
    def command(self, name: str, text: str) -> None:
        self.user.trigger(name)
        self.type_inline(text, Key.Key_Return)

    @step(name=st.sampled_from(["arrange", "align_left", "align_centre", "align_right", "align_top", "align_middle",
                                "align_bottom", "distribute_across", "distribute_down", "nudge_left", "nudge_down_1"]),
          everything=st.booleans())  # fmt: skip
    def bring_into_order(self, name: str, everything: bool) -> None:
        if everything:
            self.user.trigger("select_all")
        with self.same_wires():
            self.user.trigger(name)

    @step(names=st.lists(st.sampled_from(["copy", "cut", "paste", "duplicate", "select_all", "invert"]), min_size=1,
                         max_size=4), spot=spots)  # fmt: skip
    def clipboard(self, names: list[str], spot: Spot) -> None:
        self.user.enter(self.hand.place(spot))
        for name in names:
            with self.one_edit():
                self.user.trigger(name)
            if len(self.user.page.blocks) > 16:
                return

    @step(name=st.sampled_from(["mute", "collapse", "delete", "dissolve", "disconnect", "stop_here", "add_loss",
                                "use_loss", "add_frame", "add_note", "rename"]),
          spot=spots, text=st.sampled_from(TEXTS))  # fmt: skip
    def change(self, name: str, spot: Spot, text: str) -> None:
        self.user.click(self.hand.place(spot))
        self.user.trigger(name)
        self.type_inline(text, Key.Key_Return)

    @step(text=st.sampled_from(BOX_TEXTS), end=st.sampled_from([Key.Key_Return, Key.Key_Escape]))
    def command_box(self, text: str, end: Any) -> None:
        self.user.ctrl(Key.Key_K)
        field = self.user.child(QLineEdit, "command_field")
        QTest.keyClicks(field, text)
        QTest.keyClick(field, end)
        self.user.settle()

    # Panels

    @step(block=rows, field=rows, text=st.sampled_from(TEXTS))
    def parameter(self, block: int, field: int, text: str) -> None:
        name = self.hand.block(block)
        if name is None:
            return
        self.user.click(self.user.title(name))
        fields = self.hand.fields()
        if fields:
            with self.one_edit():
                self.set_field(fields[field % len(fields)], text, field)

    def set_field(self, field: QLineEdit | QComboBox | Switch, text: str, row: int) -> None:
        if isinstance(field, QLineEdit):
            field.setFocus()
            field.selectAll()
            QTest.keyClicks(field, text)
            QTest.keyClick(field, Key.Key_Return)
        elif isinstance(field, QComboBox):
            field.setFocus()
            QTest.keyClick(field, Key.Key_Down if row % 2 else Key.Key_Up)
        else:
            QTest.mouseClick(field, LEFT)
        self.user.settle()

    @step(block=rows, text=st.sampled_from(TEXTS), across=rows, what=st.sampled_from(["paste", "shape", "fill"]))
    def tensor(self, block: int, text: str, across: int, what: str) -> None:
        name = self.hand.block(block)
        if name is None:
            return
        self.user.click(self.user.title(name))
        self.user.trigger("edit_tensor")
        if not self.user.window.findChildren(QTableView, "tensor_table"):
            return
        with self.one_edit():
            self.edit_table(text, across, what)

    def edit_table(self, text: str, across: int, what: str) -> None:
        user, table = self.user, self.user.child(QTableView, "tensor_table")
        if what == "paste":
            QGuiApplication.clipboard().setText(text)
            table.setCurrentIndex(table.model().index(0, across % max(table.model().columnCount(), 1)))
            QTest.keyClick(table, Key.Key_V, CTRL)
        elif what == "shape":
            field = user.child(QLineEdit, "tensor_shape")
            field.selectAll()
            QTest.keyClicks(field, text)
            QTest.keyClick(field, Key.Key_Return)
        else:
            QTest.mouseClick(user.child(QPushButton, "fill"), LEFT)
        user.settle()

    @step(width=st.integers(1024, 1500), height=st.integers(640, 900))
    def resize(self, width: int, height: int) -> None:
        with self.unchanged():
            self.user.window.resize(width, height)
            self.user.settle()

    # Pages and files

    @step(name=st.sampled_from(["group", "ungroup", "enter", "leave", "add_page", "next_page", "previous_page"]),
          spot=spots, everything=st.booleans())  # fmt: skip
    def page(self, name: str, spot: Spot, everything: bool) -> None:
        if everything:
            self.user.trigger("select_all")
        else:
            self.user.click(self.hand.place(spot))
        with self.one_edit():
            self.user.trigger(name)

    @step(row=rows)
    def tab(self, row: int) -> None:
        bar = self.user.child(QTabBar, "page_bar")
        with self.unchanged():
            QTest.mouseClick(bar, LEFT, pos=bar.tabRect(row % bar.count()).topLeft() + QPoint(12, 16))

    @step(opens=st.booleans())
    def save_and_load(self, opens: bool) -> None:
        path, graph = self.folder / "monkey.graph", self.user.graph
        with self.unchanged():
            assert self.user.window.documents.save_to(path)
        assert load(path).graph == graph
        if opens:
            self.user.open(path)
            assert self.user.graph == graph

    # Going back

    @step(back=st.integers(1, 12), forward=st.integers(0, 12))
    def history(self, back: int, forward: int) -> None:
        for _ in range(back):
            self.user.undo()
        for _ in range(forward):
            self.user.redo()


@pytest.fixture
def still() -> Iterator[None]:
    """Whether things move is a matter of the whole program: afterwards it is as usual again."""
    yield
    set_moves(None)


@pytest.mark.no_qt_log
@pytest.mark.usefixtures("still")
def test_whatever_is_done_canvas_and_graph_agree(user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for question in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, question, lambda *_, **__: ("", ""))
    rounds = settings(
        # Some rounds end early.
        max_examples=max(STEPS * 5 // (4 * STEPS_AT_A_TIME), 1),
        stateful_step_count=STEPS_AT_A_TIME,
        derandomize="GRADWIRE_MONKEY_STEPS" not in os.environ,
        database=None,
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    with heard_mistakes() as mistakes:
        run_state_machine_as_test(lambda: Monkey(user, tmp_path, mistakes), settings=rounds)
