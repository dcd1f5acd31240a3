"""Scan in the window: the gradient by round on its block, and its page at the round that is looked at."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QSlider, QSpinBox, QToolButton

from gradwire.app.canvas.access.sentences import block_sentence
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.overlays.cards.card_facts import facts_of
from gradwire.app.features.pages.round_bar import RoundBar
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Graph, Port
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.graphs import MAIN, decay

CTRL_ALT = Mod.ControlModifier | Mod.AltModifier
CTRL_ALT_SHIFT = CTRL_ALT | Mod.ShiftModifier

pytestmark = pytest.mark.usefixtures("one_window")


def nested() -> Graph:
    """Returns a Scan `rec` of 2 rounds around a Scan `inner` of 3 rounds."""
    graph, _ = edits.add_page(decay(2), "outer")
    for name, kind, at, settings in (
        ("h", "PageInput", (0, 0), {"name": "h"}),
        ("w", "PageInput", (0, 160), {"name": "w"}),
        ("inner", "Scan", (280, 0), {"page": "cell", "times": 3}),
        ("h_out", "PageOutput", (560, 0), {"name": "h"}),
    ):
        graph, _ = edits.add_block(graph, "outer", kind, id=name, at=at, parameters=settings)
    for source, target in (("h.y", "inner.h"), ("w.y", "inner.w"), ("inner.h", "h_out.x")):
        graph = edits.connect(graph, "outer", Port(*source.split(".")), Port(*target.split(".")))
    return edits.set_parameter(graph, MAIN, "rec", "page", "outer")


@pytest.fixture
def inside(user: Driver) -> Driver:
    user.show(decay(20, 5))
    user.hand.double_click(user.points.body("rec"))
    return user


def bar(user: Driver) -> RoundBar:
    return user.window.parts.layout.rounds


def slider(user: Driver, number: int = 0) -> QSlider:
    return user.child(QSlider, f"round_slider_{number}")


def to_round(user: Driver, number: int) -> None:
    slider(user).setValue(number)
    user.settle()


def norms(user: Driver, block: str = "rec") -> list[float]:
    found = user.canvas.mirror.loops.norms(user.block(block))
    assert found is not None
    return [float(item) for item in found.norms]


# The block


def test_the_block_says_its_page_and_how_many_rounds_it_has(user: Driver) -> None:
    user.show(decay(20))
    shape = user.canvas.mirror.shapes[user.canvas.mirror.rows["rec"]]
    assert (shape.title, shape.name) == ("rec", "× 20 cell")
    assert [port.name for port in shape.ports] == ["h", "w", "h"]


def test_its_plot_has_the_gradient_of_what_is_carried_into_each_round(user: Driver) -> None:
    user.show(decay(20))
    assert norms(user) == [0.5 ** (20 - number) for number in range(20)]


def test_before_the_last_stop_the_plot_is_zero(user: Driver) -> None:
    user.show(decay(20, 5))
    assert norms(user) == [0.0] * 15 + [0.5 ** (20 - number) for number in range(15, 20)]


def test_the_plot_follows_a_value_that_is_edited(user: Driver) -> None:
    user.show(decay(4))
    user.session.apply("w", edits.set_parameter, MAIN, "w", "value", np.array(2.0))
    user.settle()
    assert norms(user) == [16.0, 8.0, 4.0, 2.0]


def test_the_plot_is_painted_anew_with_each_result(user: Driver) -> None:
    user.show(decay(4))
    box = user.canvas.mirror.rect("rec")
    area = user.canvas.camera.rect_to_view(box).toRect()
    before = user.canvas.grab(area).toImage()
    user.session.apply("w", edits.set_parameter, MAIN, "w", "value", np.array(0.9))
    user.settle()
    assert user.canvas.grab(area).toImage() != before


def test_its_words_name_the_ends_and_the_stops(user: Driver) -> None:
    user.show(decay(20, 5))
    said = "|∂L| of h by round: 0 at round 0 … 0.5 at round 19; blocked at rounds 5, 10, 15"
    assert said in block_sentence(user.canvas.mirror, "rec", Selection())
    facts = facts_of(user.canvas.mirror, Target(block="rec"))
    assert facts is not None and said in facts.sentences


def test_many_stops_are_not_all_named(user: Driver) -> None:
    user.show(decay(20, 2))
    assert "blocked at rounds 2, 4, 6, 8 … 18" in block_sentence(user.canvas.mirror, "rec", Selection())


def test_without_the_stops_the_plot_has_none(user: Driver) -> None:
    user.show(decay(20, 5))
    user.key(Key.Key_S, Mod.ShiftModifier)
    assert norms(user) == [0.5 ** (20 - number) for number in range(20)]
    assert "blocked" not in block_sentence(user.canvas.mirror, "rec", Selection())
    user.key(Key.Key_S, Mod.ShiftModifier)
    assert norms(user)[0] == 0


# Inside


def test_a_double_click_enters_at_the_first_round(inside: Driver) -> None:
    assert (inside.session.page_name, inside.session.prefix) == ("cell", "main/rec[0]")
    assert any(label.text() == "rec [0]" for label in inside.window.parts.layout.tabs.findChildren(QLabel))


def test_the_slider_shows_the_values_of_its_round(inside: Driver) -> None:
    for number in (7, 19):
        to_round(inside, number)
        assert inside.session.prefix == f"main/rec[{number}]"
        value = inside.session.port(Port("h", "y"))
        assert value is not None and value.value is not None
        assert value.value.first == (0.5**number,)


def test_the_bar_takes_no_room_from_blocks_and_gives_it_back_to_the_pixel(user: Driver) -> None:
    user.show(decay(20))
    before, height = user.canvas.grab().toImage(), user.canvas.height()
    assert not bar(user).isVisible()
    user.hand.double_click(user.points.body("rec"))
    assert bar(user).isVisible() and bar(user).geometry().bottom() < user.canvas.geometry().top()
    assert user.canvas.height() == height - bar(user).height()
    seen = user.canvas.viewport.seen
    assert seen.contains(user.canvas.mirror.block_bounds())
    user.key(Key.Key_Backspace)
    user.session.select(Selection())
    user.settle()
    assert not bar(user).isVisible()
    assert user.canvas.grab().toImage() == before


def test_buttons_keys_and_a_typed_number_go_to_other_rounds(inside: Driver) -> None:
    inside.qtbot.mouseClick(inside.child(QToolButton, "round_next_0"), LEFT)
    assert inside.session.prefix == "main/rec[1]"
    inside.key(Key.Key_PageDown, Mod.AltModifier)
    inside.key(Key.Key_PageDown, Mod.AltModifier)
    inside.key(Key.Key_PageUp, Mod.AltModifier)
    assert inside.session.prefix == "main/rec[2]"
    inside.qtbot.mouseClick(inside.child(QToolButton, "round_back_0"), LEFT)
    assert inside.session.prefix == "main/rec[1]"
    field = inside.child(QSpinBox, "round_0")
    field.selectAll()
    QTest.keyClicks(field, "17")
    assert inside.session.prefix == "main/rec[1]"
    QTest.keyClick(field, Key.Key_Return)
    assert inside.session.prefix == "main/rec[17]"
    assert field.text() == "17 of 20"


def test_the_keyboard_reaches_the_slider(inside: Driver) -> None:
    inside.canvas.setFocus()
    for _ in range(8):
        inside.trigger("next_panel")
        if inside.window.focusWidget() is slider(inside):
            break
    QTest.keyClick(slider(inside), Key.Key_Right)
    assert inside.window.focusWidget() is slider(inside)
    assert inside.session.prefix == "main/rec[1]"
    QTest.keyClick(slider(inside), Key.Key_End)
    assert inside.session.prefix == "main/rec[19]"


def test_the_ends_have_no_round_beyond(inside: Driver) -> None:
    inside.trigger("previous_round")
    assert inside.session.prefix == "main/rec[0]"
    assert not inside.child(QToolButton, "round_back_0").isEnabled()
    to_round(inside, 19)
    inside.trigger("next_round")
    assert inside.session.prefix == "main/rec[19]"
    assert not inside.child(QToolButton, "round_next_0").isEnabled()


def test_a_press_on_the_groove_brings_the_knob_there(inside: Driver) -> None:
    control = slider(inside)
    inside.qtbot.mouseClick(control, LEFT, pos=QPoint(control.width() - 2, control.height() // 2))
    assert inside.session.prefix == "main/rec[19]"


def test_another_round_moves_nothing_and_keeps_the_selection(inside: Driver) -> None:
    inside.hand.click(inside.points.title("scaled"))
    camera, places = inside.canvas.camera, inside.places()
    to_round(inside, 11)
    assert inside.selection.blocks == {"scaled"}
    assert inside.canvas.camera == camera and inside.places() == places


def test_the_round_is_kept_when_the_page_is_left_and_entered_again(inside: Driver) -> None:
    to_round(inside, 13)
    inside.key(Key.Key_Backspace)
    assert inside.session.prefix == MAIN and inside.selection.blocks == {"rec"}
    inside.trigger("enter")
    assert inside.session.prefix == "main/rec[13]"


def test_fewer_rounds_show_the_last_one(inside: Driver) -> None:
    to_round(inside, 13)
    inside.session.apply("times", edits.set_parameter, MAIN, "rec", "times", 10)
    inside.settle()
    assert inside.session.prefix == "main/rec[9]"
    assert slider(inside).maximum() == 9
    inside.undo()
    assert inside.session.prefix == "main/rec[9]"


def test_edits_and_undo_keep_the_round(inside: Driver) -> None:
    to_round(inside, 13)
    inside.hand.click(inside.points.title("scaled"))
    inside.key(Key.Key_M)
    assert inside.block("scaled").is_muted
    assert inside.session.prefix == "main/rec[13]"
    inside.undo()
    assert inside.session.prefix == "main/rec[13]"
    inside.redo()
    assert inside.session.prefix == "main/rec[13]"


def test_going_through_rounds_makes_no_history_of_places(inside: Driver) -> None:
    for number in range(1, 6):
        to_round(inside, number)
    inside.trigger("back")
    assert inside.session.prefix == MAIN


# Stops


def test_only_at_stopped_rounds_the_input_has_a_wall(inside: Driver) -> None:
    walled = []
    for number in range(20):
        to_round(inside, number)
        if wall_color(inside) in colors_at_wall(inside):
            walled.append(number)
    assert walled == [5, 10, 15]


def test_the_card_says_why_at_stopped_rounds_only(inside: Driver) -> None:
    said = (
        "The gradient stops here: what is carried into round 5 passes a StopGradient, so round 4 receives none of it."
    )
    to_round(inside, 5)
    facts = facts_of(inside.canvas.mirror, Target(block="h"))
    assert facts is not None and said in facts.sentences
    assert said in block_sentence(inside.canvas.mirror, "h", Selection())
    for block, number in (("w", 5), ("h", 4)):
        to_round(inside, number)
        facts = facts_of(inside.canvas.mirror, Target(block=block))
        assert facts is not None and not any("stops here" in sentence for sentence in facts.sentences)


def test_ignored_stops_have_no_wall(inside: Driver) -> None:
    to_round(inside, 5)
    inside.key(Key.Key_S, Mod.ShiftModifier)
    assert wall_color(inside) not in colors_at_wall(inside)
    inside.key(Key.Key_S, Mod.ShiftModifier)
    assert wall_color(inside) in colors_at_wall(inside)


def wall_color(user: Driver) -> int:
    return user.window.appearance.theme.color("stop.hatch").rgb()


def colors_at_wall(user: Driver) -> set[int]:
    """The colours at the left edge of the input of what is carried."""
    box = user.canvas.camera.rect_to_view(user.canvas.mirror.rect("h")).toRect()
    user.hand.enter(user.canvas.camera.to_scene(user.canvas.rect().bottomRight().toPointF()))
    image = user.canvas.grab(box).toImage()
    return {image.pixelColor(6, y).rgb() for y in range(34, image.height() - 8)}


# Loops in loops


def test_loops_in_loops_have_a_slider_each(user: Driver) -> None:
    user.show(nested())
    user.hand.double_click(user.points.body("rec"))
    user.hand.double_click(user.points.body("inner"))
    assert user.session.prefix == "main/rec[0]/inner[0]"
    slider(user, 1).setValue(2)
    slider(user, 0).setValue(1)
    user.settle()
    assert user.session.prefix == "main/rec[1]/inner[2]"
    value = user.session.port(Port("h", "y"))
    assert value is not None and value.value is not None and value.value.first == (0.5**5,)
    assert user.child(QLabel, "round_label_0").text() == "Round of rec"
    user.key(Key.Key_PageUp, Mod.AltModifier)
    assert user.session.prefix == "main/rec[1]/inner[1]"
    user.key(Key.Key_Backspace)
    assert user.session.prefix == "main/rec[1]"
    assert norms(user, "inner") == [0.125, 0.25, 0.5]
    user.trigger("enter")
    assert user.session.prefix == "main/rec[1]/inner[1]"


# Making one


@pytest.mark.parametrize("word", ["scan", "loop", "rnn", "recurrence", "cell"])
def test_the_search_offers_a_scan_of_each_page(user: Driver, word: str) -> None:
    user.show(decay(3))
    user.key(Key.Key_Tab)
    rows, _ = user.window.parts.editor.placer.popup.found(word)
    user.window.parts.editor.placer.popup.close()
    assert "Scan of cell" in [row.text for row in rows]


def test_a_chosen_scan_repeats_the_page(user: Driver) -> None:
    user.show(decay(3))
    made = user.add("loop", user.canvas.mirror.bounds().bottomLeft())
    assert user.block(made).type == "Scan"
    assert dict(user.block(made).parameters) == {"page": "cell", "times": 10}


def test_ports_are_chosen_by_switches(user: Driver) -> None:
    user.show(decay(3))
    user.hand.click(user.points.title("rec"))
    user.window.parts.panels.overlay.open()
    user.settle()
    user.qtbot.mouseClick(user.child(Switch, "collect_h"), LEFT)
    user.qtbot.mouseClick(user.child(Switch, "each_w"), LEFT)
    assert user.block("rec").parameters["collect"] == ("h",)
    assert user.block("rec").parameters["each"] == ("w",)
    user.qtbot.mouseClick(user.child(Switch, "each_w"), LEFT)
    assert "each" not in user.block("rec").parameters
    spec = user.session.spec(Port("rec", "h"))
    assert spec is not None and spec.shape == (3,)
    assert user.window.findChild(Switch, "each_h") is None


# Folding and unrolling


def types(user: Driver) -> list[str]:
    return sorted(block.type for block in user.page.blocks.values())


def test_unroll_and_fold_are_inverse_and_one_entry_each(user: Driver) -> None:
    user.show(decay(4, 2))
    graph, before = user.graph, norms(user)
    user.hand.click(user.points.title("rec"))
    user.key(Key.Key_G, CTRL_ALT_SHIFT)
    assert types(user).count("Page") == 4 and types(user).count("StopGradient") == 1
    assert not overlaps(user)
    loss = user.session.results
    assert loss is not None and loss.loss is not None and float(np.asarray(loss.loss.value)) == 0.5**4
    user.key(Key.Key_G, CTRL_ALT)
    (made,) = [block for block in user.page.blocks.values() if block.type == "Scan"]
    assert dict(made.parameters) == {"page": "cell", "times": 4, "stop_every": 2}
    assert user.selection.blocks == {made.id} and user.places()["loss"] == (560, 0)
    assert norms(user, made.id) == before
    user.undo()
    user.undo()
    assert user.graph is graph


def overlaps(user: Driver) -> bool:
    mirror = user.canvas.mirror
    boxes = [mirror.rect(name) for name in mirror.ids]
    return any(one.intersects(other) for place, one in enumerate(boxes) for other in boxes[:place])


def test_one_page_block_becomes_a_scan_of_one_round(user: Driver) -> None:
    user.show(with_page_block())
    user.hand.click(user.points.title("once"))
    user.key(Key.Key_G, CTRL_ALT)
    assert dict(user.block(user.only("Scan")).parameters) == {"page": "cell", "times": 1}
    field = user.window.focusWidget()
    assert field is not None and field.objectName() == "parameter_times"
    QTest.keyClicks(field, "7")
    QTest.keyClick(field, Key.Key_Return)
    assert user.block(user.only("Scan")).parameters["times"] == 7
    user.undo()
    user.undo()
    assert user.block("once").type == "Page"


def test_what_is_no_chain_is_refused_with_a_sentence(user: Driver) -> None:
    graph = with_page_block()
    graph = edits.add_block(graph, MAIN, "Page", id="other", at=(280, 200), parameters={"page": "cell"})[0]
    user.show(graph)
    said = user.listen()
    user.session.select(Selection(frozenset(["once", "other"])))
    user.settle()
    user.key(Key.Key_G, CTRL_ALT)
    assert user.graph is graph
    assert len(said) == 1 and said[0].startswith("These blocks are no chain")


def with_page_block() -> Graph:
    """Returns the graph of `decay` with a Page block `once` in place of its Scan."""
    graph = edits.remove_blocks(decay(1), MAIN, ["rec"])
    graph = edits.add_block(graph, MAIN, "Page", id="once", at=(280, 0), parameters={"page": "cell"})[0]
    for source, target in (("start.y", "once.h"), ("w.y", "once.w"), ("once.h", "loss.x")):
        graph = edits.connect(graph, MAIN, Port(*source.split(".")), Port(*target.split(".")))
    return graph


def test_the_menu_of_a_block_offers_what_it_can_become(user: Driver) -> None:
    user.show(decay(3))
    assert user.popups.menu_of(user.points.title("rec")).keys() & {"fold", "unroll"} == {"unroll"}
    user.show(with_page_block())
    assert user.popups.menu_of(user.points.title("once")).keys() & {"fold", "unroll"} == {"fold"}


# Files, the clipboard and training


def test_a_saved_scan_is_the_same_when_it_is_opened(user: Driver) -> None:
    user.show(decay(20, 5))
    text = dumps(user.graph)
    user.show(loads(text).graph)
    assert dumps(user.graph) == text
    assert norms(user)[15:] == [0.5 ** (20 - number) for number in range(15, 20)]


def test_a_copy_repeats_the_same_page(user: Driver) -> None:
    user.show(decay(3))
    user.hand.click(user.points.title("rec"))
    user.ctrl(Key.Key_C)
    user.ctrl(Key.Key_V)
    copies = [block for block in user.page.blocks.values() if block.type == "Scan"]
    assert [dict(block.parameters) for block in copies] == [{"page": "cell", "times": 3}] * 2


def test_it_is_pasted_with_its_page_into_another_graph(user: Driver) -> None:
    user.show(decay(3))
    user.hand.click(user.points.title("rec"))
    user.ctrl(Key.Key_C)
    user.show(Graph())
    user.ctrl(Key.Key_V)
    assert user.block(user.only("Scan")).parameters["times"] == 3
    assert user.graph.has_page("cell")


def test_only_the_canvas_keeps_the_slider(inside: Driver) -> None:
    inside.trigger("only_canvas")
    assert bar(inside).isVisible() and not inside.window.parts.layout.tabs.isVisible()
    to_round(inside, 3)
    assert inside.session.prefix == "main/rec[3]"
    inside.trigger("only_canvas")


def test_the_status_bar_counts_the_stops_of_a_loop(user: Driver) -> None:
    user.show(decay(20, 5))
    texts = user.window.parts.layout.status.details
    assert any(text.startswith("3 StopGradients") for text in texts)
    user.session.apply("stop", edits.set_parameter, MAIN, "rec", "stop_every", 10)
    user.settle()
    texts = user.window.parts.layout.status.details
    assert any(text.startswith("1 StopGradient,") for text in texts)


def test_explanations_name_the_round_that_blocks(inside: Driver) -> None:
    to_round(inside, 3)
    (wire,) = [wire for wire in inside.page.wires.values() if wire.source.block == "scaled"]
    facts = facts_of(inside.canvas.mirror, Target(wire=wire))
    assert facts is not None and any('PageInput "rec[5]/h"' in sentence for sentence in facts.sentences)


def test_what_is_wrong_in_all_rounds_is_shown_in_each(inside: Driver) -> None:
    to_round(inside, 7)
    inside.session.apply("cut", edits.disconnect, "cell", Port("scaled", "x"))
    inside.settle()
    for number in (7, 0, 19):
        to_round(inside, number)
        assert [problem.code for problem in inside.session.problems_of("scaled")] == ["missing_input"]
        assert inside.canvas.mirror.problems.keys() == {"scaled"}
    inside.undo()
    assert not inside.canvas.mirror.problems


def test_steps_lead_through_the_rounds_from_the_last(user: Driver) -> None:
    user.show(decay(3))
    user.key(Key.Key_B)
    prefixes = [user.session.prefix]
    for _ in range(user.session.part(StepMode).count - 1):
        user.session.part(StepMode).next()
        user.settle()
        prefixes.append(user.session.prefix)
    shown = [prefix for place, prefix in enumerate(prefixes) if place == 0 or prefix != prefixes[place - 1]]
    inside = [prefix for prefix in shown if prefix != MAIN]
    assert inside[:3] == ["main/rec[2]", "main/rec[1]", "main/rec[0]"]
    wires = len(user.session.results.wires.row_of) if user.session.results is not None else 0
    texts = user.window.parts.layout.status.details
    assert f"{wires} of {wires} wires have a gradient" in texts
    user.session.part(StepMode).leave()
