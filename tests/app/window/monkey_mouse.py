"""Steps of the monkey with mouse and fingers on the page."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from gradwire.app.canvas.input.picking import target_at
from tests.app.window.driver import LEFT, RIGHT, Key, Mod
from tests.app.window.monkey import COMMAND_IDS, Spot
from tests.app.window.monkey_laws import Laws
from tests.app.window.monkey_steps import (
    ALT,
    CTRL,
    NONE,
    QUERIES,
    SHIFT,
    TEXTS,
    buttons,
    endings,
    modifiers,
    rows,
    shares,
    spots,
    step,
    type_inline,
    ways,
)


@step(start=spots, end=spots, button=buttons, keys=modifiers, ending=endings)
def drag(monkey: Laws, start: Spot, end: Spot, button: Any, keys: Mod, ending: str) -> None:
    first, last = monkey.things.place(start), monkey.things.place(end)
    monkey.gesture(first, (first + last) / 2, last, button=button, keys=keys, ending=ending)


@step(output=rows, end=rows, keys=modifiers, turned=st.booleans(), ending=endings)
def connect(monkey: Laws, output: int, end: int, keys: Mod, turned: bool, ending: str) -> None:
    a, b = monkey.things.port(output, False), monkey.things.port(end, True)
    if a is not None and b is not None:
        first, last = (b, a) if turned else (a, b)
        monkey.gesture(first, (first + last) / 2, last, keys=keys, ending=ending)


@step(row=rows, end=spots, keys=modifiers, at_output=st.booleans(), ending=endings)
def replug(monkey: Laws, row: int, end: Spot, keys: Mod, at_output: bool, ending: str) -> None:
    wire = monkey.things.wire(row)
    if wire is not None:
        port = wire.source if at_output else wire.target
        start = monkey.things.mirror.port_position(port, not at_output)
        if start is not None:
            last = monkey.things.place(end)
            monkey.gesture(start, (start + last) / 2, last, keys=keys, ending=ending)


@step(row=rows, way=st.tuples(st.integers(-20, 20), st.integers(-20, 20)), keys=modifiers, ending=endings)
def move(monkey: Laws, row: int, way: tuple[int, int], keys: Mod, ending: str) -> None:
    name = monkey.things.block(row)
    if name is not None:
        start = monkey.user.points.title(name)
        end = start + QPointF(16 * way[0], 16 * way[1])
        monkey.gesture(start, (start + end) / 2, end, keys=keys, ending=ending)


@step(block=rows, row=rows, keys=modifiers, ending=endings)
def move_onto_a_wire(monkey: Laws, block: int, row: int, keys: Mod, ending: str) -> None:
    name = monkey.things.block(block)
    if name is not None and monkey.things.wire(row) is not None:
        start, goal = monkey.user.points.title(name), monkey.things.place(Spot("wire", row))
        end = start + goal - monkey.things.mirror.rect(name).center()
        monkey.gesture(start, (start + end) / 2, end, keys=keys, ending=ending)


@step(row=rows, turns=st.integers(1, 7), keys=modifiers, ending=endings)
def shake(monkey: Laws, row: int, turns: int, keys: Mod, ending: str) -> None:
    name = monkey.things.block(row)
    if name is not None:
        at = monkey.user.points.title(name)
        points = [at + QPointF(40 * (-1) ** turn, 8 * turn) for turn in range(turns + 1)]
        monkey.gesture(at, *points, keys=keys, ending=ending)


@step(spots=ways, by_key=st.booleans(), ending=endings)
def knife(monkey: Laws, spots: list[Spot], by_key: bool, ending: str) -> None:
    points = [monkey.things.place(spot) for spot in spots]
    if by_key:
        monkey.user.key(Key.Key_Y)
    monkey.gesture(*points, button=LEFT if by_key else RIGHT, keys=NONE if by_key else CTRL, ending=ending)


@step(spots=ways, keys=st.sampled_from([CTRL | ALT, CTRL | ALT | SHIFT]), ending=endings)
def lasso(monkey: Laws, spots: list[Spot], keys: Mod, ending: str) -> None:
    points = [monkey.things.place(spot) for spot in spots]
    if ending in ("release", "escape"):
        with monkey.unchanged():
            monkey.gesture(*points, keys=keys, ending=ending)


@step(row=rows, low=shares, high=shares, keys=modifiers, ending=endings)
def slide(monkey: Laws, row: int, low: float, high: float, keys: Mod, ending: str) -> None:
    found = monkey.things.slider(row)
    if found is not None:
        start, end = monkey.user.points.knob(*found, low), monkey.user.points.knob(*found, high)
        monkey.gesture(start, (start + end) / 2, end, keys=keys, ending=ending)


@step(row=rows, pixels=st.integers(-80, 80), keys=modifiers, ending=endings)
def scrub(monkey: Laws, row: int, pixels: int, keys: Mod, ending: str) -> None:
    found = monkey.things.slider(row)
    if found is not None:
        start = monkey.user.points.number(*found)
        end = start + QPointF(pixels, 0)
        monkey.gesture(start, (start + end) / 2, end, keys=keys, ending=ending)


@step(spot=spots, keys=modifiers)
def click(monkey: Laws, spot: Spot, keys: Mod) -> None:
    with monkey.one_edit():
        monkey.user.hand.click(monkey.things.place(spot), keys=keys)


@step(spot=spots, text=st.sampled_from(TEXTS), end=st.sampled_from([Key.Key_Return, Key.Key_Escape]))
def double_click(monkey: Laws, spot: Spot, text: str, end: Any) -> None:
    place = monkey.things.place(spot)
    # A slider is pressed twice, and at its end each press reaches further.
    is_track = target_at(monkey.user.canvas.mirror, monkey.user.canvas.camera.scale, place).is_track
    with nullcontext() if is_track else monkey.one_edit():
        monkey.user.hand.double_click(place)
        type_inline(monkey, text, end)


@step(spot=spots, row=rows)
def menu(monkey: Laws, spot: Spot, row: int) -> None:
    monkey.user.hand.click(monkey.things.place(spot), RIGHT)
    entries = [item for item in monkey.user.popups.menu().actions() if item.objectName() in COMMAND_IDS]
    if entries:
        with monkey.one_edit():
            entries[row % len(entries)].trigger()
            monkey.user.settle()


@step(spot=spots, turns=st.integers(-3, 3), keys=modifiers)
def wheel(monkey: Laws, spot: Spot, turns: int, keys: Mod) -> None:
    with monkey.unchanged():
        monkey.user.hand.wheel(monkey.things.place(spot), QPoint(0, 120 * turns), keys=keys)


@step(spots=ways, second=st.booleans(), rests=st.booleans())
def touch(monkey: Laws, spots: list[Spot], second: bool, rests: bool) -> None:
    points = [monkey.user.points.view(monkey.things.place(spot)) for spot in spots]
    moves: list[tuple[QPointF, ...]] = [(point,) for point in points]
    if second:
        moves += [(points[-1], points[0]), (points[-1], (points[0] + points[-1]) / 2)]
    with monkey.one_edit():
        monkey.user.hand.touch(*moves, rests=rests)


@step(text=st.sampled_from(QUERIES), spot=spots, end=st.sampled_from([Key.Key_Return, Key.Key_Escape]))
def search(monkey: Laws, text: str, spot: Spot, end: Any) -> None:
    with monkey.one_edit():
        monkey.user.hand.enter(monkey.things.place(spot))
        monkey.user.key(Key.Key_Tab)
        if monkey.user.window.parts.editor.placer.popup.isVisible():
            field = monkey.user.child(QLineEdit, "search_field")
            QTest.keyClicks(field, text)
            QTest.keyClick(field, end)
            monkey.user.settle()
