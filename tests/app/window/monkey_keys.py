"""Steps of the monkey with keys, commands, pages and files."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTabBar

from gradwire.engine.files.files import load
from tests.app.window.driver import LEFT, Key, Mod
from tests.app.window.monkey import COMMAND_IDS, Spot
from tests.app.window.monkey_laws import Laws
from tests.app.window.monkey_steps import BOX_TEXTS, KEYS, TEXTS, modifiers, rows, spots, step, type_inline


@step(key=st.sampled_from(KEYS), keys=modifiers)
def key(monkey: Laws, key: Any, keys: Mod) -> None:
    monkey.user.key(key, keys)


@step(way=st.lists(st.sampled_from(KEYS[:6]), min_size=2, max_size=8), first=rows)
def walk_and_wire(monkey: Laws, way: list[Any], first: int) -> None:
    name = monkey.things.block(first)
    if name is not None:
        monkey.user.hand.click(monkey.user.points.title(name))
    for key in way:
        with monkey.one_edit():
            monkey.user.key(key)


@step(name=st.sampled_from(COMMAND_IDS), text=st.sampled_from(TEXTS))
def command(monkey: Laws, name: str, text: str) -> None:
    monkey.user.trigger(name)
    if (menu := QApplication.activePopupWidget()) is not None:
        # With nothing selected the graph is to be renamed.
        menu.close()
    type_inline(monkey, text, Key.Key_Return)


@step(name=st.sampled_from(["arrange", "align_left", "align_centre", "align_right", "align_top", "align_middle",
                            "align_bottom", "distribute_across", "distribute_down", "nudge_left", "nudge_down_1"]),
      everything=st.booleans())  # fmt: skip
def bring_into_order(monkey: Laws, name: str, everything: bool) -> None:
    if everything:
        monkey.user.trigger("select_all")
    with monkey.same_wires():
        monkey.user.trigger(name)


@step(names=st.lists(st.sampled_from(["copy", "cut", "paste", "duplicate", "select_all", "invert"]), min_size=1,
                     max_size=4), spot=spots)  # fmt: skip
def clipboard(monkey: Laws, names: list[str], spot: Spot) -> None:
    monkey.user.hand.enter(monkey.things.place(spot))
    for name in names:
        with monkey.one_edit():
            monkey.user.trigger(name)
        if len(monkey.user.page.blocks) > 16:
            return


@step(name=st.sampled_from(["mute", "collapse", "delete", "dissolve", "disconnect", "stop_here", "add_loss",
                            "use_loss", "add_frame", "add_note", "rename"]),
      spot=spots, text=st.sampled_from(TEXTS))  # fmt: skip
def change(monkey: Laws, name: str, spot: Spot, text: str) -> None:
    monkey.user.hand.click(monkey.things.place(spot))
    monkey.user.trigger(name)
    type_inline(monkey, text, Key.Key_Return)


@step(text=st.sampled_from(BOX_TEXTS), end=st.sampled_from([Key.Key_Return, Key.Key_Escape]))
def command_box(monkey: Laws, text: str, end: Any) -> None:
    monkey.user.ctrl(Key.Key_K)
    field = monkey.user.child(QLineEdit, "search_field")
    QTest.keyClicks(field, text)
    QTest.keyClick(field, end)
    monkey.user.settle()


@step(name=st.sampled_from(["group", "ungroup", "enter", "leave", "add_page", "next_page", "previous_page"]),
      spot=spots, everything=st.booleans())  # fmt: skip
def page(monkey: Laws, name: str, spot: Spot, everything: bool) -> None:
    if everything:
        monkey.user.trigger("select_all")
    else:
        monkey.user.hand.click(monkey.things.place(spot))
    with monkey.one_edit():
        monkey.user.trigger(name)


@step(row=rows)
def tab(monkey: Laws, row: int) -> None:
    bar = monkey.user.child(QTabBar, "page_bar")
    with monkey.unchanged():
        QTest.mouseClick(bar, LEFT, pos=bar.tabRect(row % bar.count()).topLeft() + QPoint(12, 16))


@step(opens=st.booleans())
def save_and_load(monkey: Laws, opens: bool) -> None:
    path, graph = monkey.folder / "monkey.graph", monkey.user.graph
    with monkey.unchanged():
        assert monkey.user.window.parts.documents.saving.save_to(path)
    assert load(path).graph == graph
    if opens:
        monkey.user.open(path)
        assert monkey.user.graph == graph


@step(back=st.integers(1, 12), forward=st.integers(0, 12))
def history(monkey: Laws, back: int, forward: int) -> None:
    for _ in range(back):
        monkey.user.undo()
    for _ in range(forward):
        monkey.user.redo()
