"""Own gradients of pages in the window: given, shown, chosen, explained, removed, and kept by every edit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QTabBar, QTableWidget, QToolButton, QWidget

from gradwire.app.canvas.access.sentences import block_sentence, wire_sentence
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.overlays.cards.card_facts import facts_of
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Block, Graph, Port
from tests.app.window.driver import Driver, Key, Mod
from tests.engine.own_gradients import constant, cube, entry, of_cube, page, result, scaled, source, use

GIVE, SHOW, REMOVE = "give_gradient", "show_gradient", "remove_gradient"


def softplus(x: float = 0.0) -> Graph:
    """Returns log(1 + exp(x)) on a page as a loss."""
    blocks = [
        entry("x"),
        Block("exp", "Exp"),
        constant("one", 1),
        Block("sum", "Add"),
        Block("log", "Log"),
        result("y"),
    ]
    wires = [("x.y", "exp.x"), ("exp.y", "sum.x"), ("one.y", "sum.y"), ("sum.z", "log.x"), ("log.y", "y.x")]
    inner = page("softplus", blocks, wires)
    blocks = [source("x", x), use("soft", "softplus"), Block("loss", "Loss")]
    placed = [dataclasses.replace(block, at=(place * 240, 0)) for place, block in enumerate(blocks)]
    main = page("main", placed, [("x.y", "soft.x"), ("soft.y", "loss.x")])
    return Graph(pages=(main, inner))


def gradient(user: Driver, target: str) -> float:
    user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy and not user.session.is_stale)
    reading = user.session.wire(user.wire(target))
    assert reading is not None and reading.gradient is not None
    return reading.gradient.first[0]


def select(user: Driver, *names: str) -> None:
    user.session.select(Selection(frozenset(names)))
    user.settle()


def given(user: Driver, graph: Graph | None = None, block: str = "soft") -> None:
    """Gives the page of a block its own gradient by the command, which shows the new page."""
    user.show(softplus() if graph is None else graph)
    select(user, block)
    user.trigger(GIVE)


def text(user: Driver, name: str) -> str:
    return user.child(QLabel, name).text()


def shown(user: Driver, name: str) -> bool:
    return any(item.isVisible() for item in user.window.findChildren(QWidget, name))


def test_the_command_makes_and_shows_the_fitting_page_as_one_entry(user: Driver) -> None:
    given(user)
    assert (user.session.page_name, user.session.prefix) == ("softplus_gradient", "main/soft[gradient]")
    ports = {block.parameters["name"]: block.type for block in user.page.blocks.values()}
    assert ports == {"x": "PageInput", "y": "PageInput", "d_y": "PageInput", "d_x": "PageOutput"}
    assert user.wires() == {"d_y.y > d_x.x"}
    assert user.undo_text() == "Give page softplus its own gradient"
    user.undo()
    assert user.graph.gradients == {} and len(user.graph.pages) == 2


def test_at_first_the_gradient_passes_straight_through(user: Driver) -> None:
    given(user)
    user.session.view.show("main")
    assert gradient(user, "soft.x") == 1


def test_between_different_specs_nothing_is_wired_at_first(user: Driver) -> None:
    inner = page("total", [entry("x"), Block("sum", "ReduceSum"), result("y")], [("x.y", "sum.x"), ("sum.y", "y.x")])
    main = page("main", [source("x", (1, 2)), use("total", "total"), Block("loss", "Loss")],
                [("x.y", "total.x"), ("total.y", "loss.x")])  # fmt: skip
    given(user, Graph(pages=(main, inner)), "total")
    assert set(user.page.blocks) == {"x", "y", "d_y", "d_x"} and not user.wires()


def test_a_port_of_integers_gets_no_gradient(user: Driver) -> None:
    inner = page("take", [entry("x"), entry("i"), Block("gather", "Gather"), result("y")],
                 [("x.y", "gather.params"), ("i.y", "gather.indices"), ("gather.y", "y.x")])  # fmt: skip
    main = page("main", [source("x", (1, 2)), source("i", (0, 1), int), use("take", "take"), Block("loss", "Loss")],
                [("x.y", "take.x"), ("i.y", "take.i"), ("take.y", "loss.x")])  # fmt: skip
    given(user, Graph(pages=(main, inner)), "take")
    assert set(user.page.blocks) == {"x", "i", "y", "d_y", "d_x"} and user.wires() == {"d_y.y > d_x.x"}


def test_a_stable_rule_replaces_the_unstable_one(user: Driver) -> None:
    given(user)
    name, graph = user.session.page_name, user.graph
    graph = edits.disconnect(graph, name, graph.page(name).wires[Port("d_x", "x")])
    for block, kind in (("e", "Exp"), ("up", "Add"), ("down", "Reciprocal"), ("rest", "Subtract"), ("g", "Multiply")):
        graph, _ = edits.add_block(graph, name, kind, id=block, at=(240, 0))
    graph, _ = edits.add_block(graph, name, "Constant", id="one", at=(0, 400), parameters={"value": np.array(1.0)})
    for start, end in (("x.y", "e.x"), ("one.y", "up.x"), ("e.y", "up.y"), ("up.z", "down.x"), ("one.y", "rest.x"),
                       ("down.y", "rest.y"), ("rest.z", "g.x"), ("d_y.y", "g.y"), ("g.z", "d_x.x")):  # fmt: skip
        graph = edits.connect(graph, name, Port(*start.split(".")), Port(*end.split(".")))
    user.show(graph)
    assert gradient(user, "soft.x") == 0.5
    user.session.apply("Set", edits.set_parameter, "main", "x", "value", np.array(1000.0))
    assert gradient(user, "soft.x") == 1


def test_a_link_leads_from_a_page_to_its_gradient_and_back(user: Driver) -> None:
    given(user)
    back = user.child(QPushButton, "inspector_gradient_of")
    assert back.text() == "softplus"
    back.click()
    assert (user.session.page_name, user.session.prefix) == ("softplus", "main/soft")
    user.child(QPushButton, "inspector_show_gradient").click()
    assert user.session.prefix == "main/soft[gradient]"
    user.trigger("leave")
    assert user.session.page_name == "main" and user.selection.blocks == {"soft"}


def test_the_inspector_chooses_the_page_and_says_what_does_not_fit(user: Driver) -> None:
    user.show(of_cube(cube(None), scaled(), page("other", [entry("u"), result("v")], [("u.y", "v.x")])))
    select(user, "cube")
    user.trigger("enter")
    choice = user.child(QComboBox, "inspector_gradient_page")
    for name, expected in (("other", {"cube": "other"}), ("cube_gradient", {"cube": "cube_gradient"}), (None, {})):
        choice.setCurrentIndex(choice.findData(name))
        choice.activated.emit(choice.currentIndex())
        user.settle()
        assert user.graph.gradients == expected
        if name == "other":
            said = text(user, "inspector_problem_text_0")
            assert said == 'u is no input that the gradient of page "cube" has; it may have d_y, x, y.'
        else:
            assert not shown(user, "inspector_problem_text_0")


def test_a_page_that_contains_this_one_is_refused_with_a_sentence(user: Driver) -> None:
    user.show(of_cube(cube(None)))
    select(user, "cube")
    user.trigger("enter")
    choice = user.child(QComboBox, "inspector_gradient_page")
    choice.setCurrentIndex(choice.findData("main"))
    choice.activated.emit(choice.currentIndex())
    assert user.graph.gradients == {} and choice.currentData() is None
    assert "contain itself" in text(user, "inspector_problem_text_0")


def test_removing_takes_the_page_along_unless_something_else_uses_it(user: Driver) -> None:
    given(user)
    user.session.view.show("main")
    select(user, "soft")
    graph = user.graph
    user.trigger(REMOVE)
    assert [item.name for item in user.graph.pages] == ["main", "softplus"]
    assert gradient(user, "soft.x") == 0.5
    user.undo()
    assert user.graph is graph
    user.show(edits.add_page(of_cube(cube(), scaled(), page("twin", [entry("x"), result("y")], [("x.y", "y.x")],
                                                           "cube_gradient")))[0])  # fmt: skip
    select(user, "cube")
    user.trigger(REMOVE)
    assert user.graph.gradients == {"twin": "cube_gradient"}


def test_the_commands_are_there_where_they_have_something_to_do(user: Driver) -> None:
    user.show(softplus())
    assert not user.window.parts.actions_by_id[GIVE].isEnabled()
    assert {GIVE}.isdisjoint(user.popups.menu_of(user.points.title("x")))
    entries = user.popups.menu_of(user.points.title("soft"))
    assert GIVE in entries and SHOW not in entries and REMOVE not in entries
    given(user)
    user.session.view.show("main")
    user.settle()
    entries = user.popups.menu_of(user.points.title("soft"))
    assert GIVE not in entries and SHOW in entries and REMOVE in entries


def test_the_menu_of_a_tab_gives_shows_and_removes(user: Driver) -> None:
    user.show(softplus())
    tabs = user.window.parts.layout.tabs

    def choose(name: str, entry: str) -> None:
        menu = tabs.menu_of(name)
        next(action for action in menu.actions() if action.objectName() == entry).trigger()
        user.settle()

    assert not next(
        item for item in tabs.menu_of("main").actions() if item.objectName() == "page_give_gradient"
    ).isEnabled()
    choose("softplus", "page_give_gradient")
    assert user.session.prefix == "main/soft[gradient]"
    user.session.view.show("main")
    choose("softplus", "page_show_gradient")
    assert user.session.prefix == "main/soft[gradient]"
    bar = user.child(QTabBar, "page_bar")
    tips = {bar.tabText(place): bar.tabToolTip(place) for place in range(bar.count())}
    assert "page softplus_gradient" in tips["softplus"] and "page softplus" in tips["softplus_gradient"]
    choose("softplus", "page_remove_gradient")
    assert user.graph.gradients == {} and user.session.page_name == "main"


def test_the_use_says_whose_rule_it_has(user: Driver) -> None:
    given(user)
    user.session.view.show("main")
    gradient(user, "soft.x")
    mirror, wire = user.canvas.mirror, user.wire("soft.x")
    card = facts_of(mirror, Target(wire=wire))
    assert card is not None and "Own rule: page softplus_gradient gives this gradient." in card.sentences
    assert "own rule on page softplus_gradient" in wire_sentence(mirror, wire)
    card = facts_of(mirror, Target(block="soft"))
    assert card is not None and any("page softplus_gradient computes it" in item for item in card.sentences)
    assert "page softplus_gradient computes it" in block_sentence(mirror, "soft", Selection())


def test_the_wires_inside_are_blocked_by_the_page(user: Driver) -> None:
    given(user)
    user.child(QPushButton, "inspector_gradient_of").click()
    assert gradient(user, "log.x") == 0
    user.session.select(Selection(wires=frozenset([user.wire("log.x")])))
    user.settle()
    said = " ".join(item.text() for item in user.window.findChildren(QLabel) if item.isVisible())
    assert 'Page "soft", whose own gradient takes the place of this one' in said
    card = facts_of(user.canvas.mirror, Target(wire=user.wire("log.x")))
    assert card is not None and len(card.sentences) == 1 and card.sentences[0] in said
    assert card.sentences[0].endswith('Page "soft", whose own gradient takes the place of this one.')


def test_a_check_says_with_both_numbers_what_differs_on_purpose(user: Driver) -> None:
    given(user)
    user.session.view.show("main")
    gradient(user, "soft.x")
    user.session.select(Selection(wires=frozenset([user.wire("soft.x")])))
    user.settle()
    user.trigger("check_gradient")
    user.qtbot.waitUntil(lambda: shown(user, "check_outcome"))
    assert text(user, "check_outcome") == "It differs on purpose: a page has a gradient of its own."
    table = user.child(QTableWidget, "check_rows")
    cells = (table.item(0, column) for column in range(3))
    assert [item.text() for item in cells if item is not None] == ["[]", "1", "0.5"]


def test_the_gradient_page_shows_the_numbers_of_the_first_use(user: Driver) -> None:
    given(user, softplus(2.0))
    user.session.view.show("main")
    user.session.view.show("softplus_gradient")
    assert user.session.prefix == "main/soft[gradient]"
    gradient_of = {name: user.session.port(Port(name, "y")) for name in ("x", "y", "d_y")}
    found = {name: reading.value.first[0] for name, reading in gradient_of.items() if reading and reading.value}
    assert found == pytest.approx({"x": 2, "y": np.log(1 + np.exp(2)), "d_y": 1})


def test_every_edit_keeps_the_pair_and_undo_brings_it_back(user: Driver) -> None:
    given(user)
    user.session.view.show("main")
    user.settle()
    before, pair = user.graph, {"softplus": "softplus_gradient"}
    select(user, "soft")
    user.ctrl(Key.Key_C)
    user.ctrl(Key.Key_V)
    (copy,) = user.selection.blocks
    assert user.block(copy).parameters["page"] == "softplus" and user.graph.gradients == {
        "softplus": "softplus_gradient"
    }
    user.undo()
    select(user, "soft")
    user.ctrl(Key.Key_G)
    assert gradient(user, f"{user.only('Page')}.x") == 1
    user.undo()
    user.session.apply("Rename", edits.rename_page, "softplus_gradient", "smooth")
    assert user.graph.gradients == {"softplus": "smooth"} and gradient(user, "soft.x") == 1
    user.undo()
    user.child(QToolButton, "close_softplus_gradient").click()
    assert user.graph.gradients == {} and gradient(user, "soft.x") == 0.5
    user.undo()
    assert user.graph is before and gradient(user, "soft.x") == 1
    user.show(loads(dumps(before)).graph)
    assert user.graph.gradients == pair and gradient(user, "soft.x") == 1
    select(user, "soft")
    said = user.listen()
    user.key(Key.Key_G, Mod.ControlModifier | Mod.ShiftModifier)
    assert len(said) == 1 and said[0].endswith("remove that gradient first.")
    assert user.graph.gradients == pair


def test_the_page_of_a_scan_has_its_gradient_round_by_round(user: Driver) -> None:
    parameters = {"page": "cube", "times": 2, "each": ("x",), "collect": ("y",)}
    blocks = [source("x", [1, -2]), Block("scan", "Scan", parameters=parameters), Block("loss", "Loss")]
    main = page("main", blocks, [("x.y", "scan.x"), ("scan.y", "loss.x")])
    given(user, Graph(pages=(main, cube(None))), "scan")
    assert user.session.prefix == "main/scan[0][gradient]"
    user.trigger("next_round")
    assert user.session.prefix == "main/scan[1][gradient]"
    gradient(user, "d_x.x")
    reading = user.session.port(Port("x", "y"))
    assert reading is not None and reading.value is not None and reading.value.first == (-2,)
    user.session.view.show("main")
    assert gradient(user, "scan.x") == 1
    card = facts_of(user.canvas.mirror, Target(wire=user.wire("scan.x")))
    assert card is not None and "Own rule: page cube_gradient gives this gradient." in card.sentences
    norms = user.canvas.mirror.loops.norms(user.block("scan"))
    assert norms is not None and norms.names == ("x",) and norms.norms.tolist() == [1, 1] and norms.has_path
