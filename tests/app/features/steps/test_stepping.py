"""Step mode in a real window: keys, canvas, columns, inspector, guessing, and edits that wait."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QListView,
    QMessageBox,
    QPushButton,
    QTableView,
    QToolButton,
    QWidget,
)

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.access.sentences import wire_sentence
from gradwire.app.canvas.geometry.progress import THREAD, Turn
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.overlays.cards.card_facts import facts_of
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_strip import LINES, RuleLines
from gradwire.app.features.wires.wire_rows import row_of
from gradwire.app.live.readings.readings import Reading
from gradwire.app.live.selection import Selection
from gradwire.app.look.motion import set_moves
from gradwire.app.shell.window.grip import Grip
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Block, Graph, Page, Port
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.finding import settle
from tests.app.window.graphs import chain, number
from tests.engine.autodiff.test_pages import squares
from tests.engine.autodiff.test_pages import user as page_user
from tests.recorded import make_graph

YES, NO = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No


@pytest.fixture(autouse=True)
def _in_front(one_window: MainWindow) -> None:
    """The window in front, where it hears keys, also after a test in which a dialog or another window has closed."""
    one_window.activateWindow()
    settle()


@pytest.fixture(scope="module")
def softmax() -> Graph:
    """The stable softmax."""
    return load(example_path("softmax_stable")).graph


@pytest.fixture
def stepper(user: Driver, softmax: Graph) -> Driver:
    """A user who has pressed B on the stable softmax, which is shown again only where a test has changed it."""
    if user.graph is not softmax or user.undo_text() is not None:
        user.show(softmax)
    user.session.part(StepMode).leave()
    user.session.select(Selection())
    user.key(Key.Key_B)
    return user


@pytest.fixture
def motion() -> Iterator[None]:
    set_moves(True)
    yield
    set_moves(None)


def steps_of(user: Driver) -> StepMode:
    return user.session.part(StepMode)


def go(user: Driver, at: int) -> None:
    steps_of(user).go(at)
    user.settle()


def label(user: Driver, name: str) -> str:
    return user.child(QLabel, name).text()


def carrying(user: Driver) -> set[str]:
    """Returns the wires that are not drawn as thin value threads, by their target ports."""
    mirror = user.canvas.mirror
    return {str(wire.target) for row, wire in enumerate(mirror.wires) if mirror.wire_status[row] != THREAD}


def cells(user: Driver) -> list[str]:
    model = user.child(QListView, "stations").model()
    role = Qt.ItemDataRole.AccessibleTextRole
    return [str(model.index(row, 0).data(role)) for row in range(model.rowCount())]


def test_b_begins_at_the_seed_and_escape_leaves_everything_as_it_was(user: Driver) -> None:
    user.show(load(example_path("softmax_stable")).graph)
    before, statuses = user.graph, user.canvas.mirror.wire_status.tolist()
    user.key(Key.Key_B)
    assert (steps_of(user).is_on, steps_of(user).at, steps_of(user).count) == (True, 1, 8)
    assert user.window.parts.panels.bottom.shown == "steps" and user.canvas.hasFocus()
    user.escape()
    user.settle()
    assert not steps_of(user).is_on and user.graph is before and user.undo_text() is None
    assert user.canvas.mirror.wire_status.tolist() == statuses and user.canvas.page_look.now().lit is None


@pytest.mark.long
def test_escape_closes_the_card_of_a_selection_before_it_leaves(stepper: Driver) -> None:
    stepper.session.select(Selection(frozenset("e")))
    stepper.settle()
    card = stepper.child(QWidget, "inspector_overlay")
    assert card.isVisible()
    stepper.escape()
    assert steps_of(stepper).is_on and not stepper.selection and not card.isVisible()
    stepper.escape()
    assert not steps_of(stepper).is_on


def test_point_comma_and_arrows_go_through_the_steps_and_stop_at_the_ends(stepper: Driver) -> None:
    places = []
    keys = (Key.Key_Period, Key.Key_Right, Key.Key_Right, Key.Key_Comma, Key.Key_Left, Key.Key_Left, Key.Key_Left)
    for key in keys:
        stepper.key(key)
        places.append(steps_of(stepper).at)
    assert places == [2, 3, 4, 3, 2, 1, 1]
    go(stepper, 99)
    stepper.key(Key.Key_Right)
    assert steps_of(stepper).at == 8


def test_space_takes_the_next_step_and_the_button_plays_and_pauses(stepper: Driver) -> None:
    stepper.key(Key.Key_Space)
    assert steps_of(stepper).at == 2 and not steps_of(stepper).is_playing
    play = stepper.child(QToolButton, "step_play")
    for is_playing in (True, False):
        stepper.qtbot.mouseClick(play, LEFT)
        assert steps_of(stepper).is_playing is is_playing


def test_the_buttons_of_the_strip_go_on_and_back_and_turn(stepper: Driver) -> None:
    places = []
    for name in ("step_next", "step_next", "step_back"):
        stepper.qtbot.mouseClick(stepper.child(QToolButton, name), LEFT)
        places.append(steps_of(stepper).at)
    assert places == [2, 3, 2]
    way = stepper.child(QPushButton, "step_way")
    assert way.text() == "Forward"
    stepper.qtbot.mouseClick(way, LEFT)
    assert steps_of(stepper).is_forward and way.text() == "Backward"


def test_without_step_mode_its_keys_are_those_of_the_canvas(user: Driver) -> None:
    user.show(chain())
    for key in (Key.Key_Period, Key.Key_Comma, Key.Key_Right, Key.Key_Space):
        user.key(key)
    assert not steps_of(user).is_on and user.selection.blocks


def test_wires_carry_a_gradient_only_once_their_step_has_come(stepper: Driver) -> None:
    assert carrying(stepper) == {"loss.x", "loss.weights"}
    go(stepper, 2)
    assert carrying(stepper) == {"loss.x", "loss.weights", "p.x", "p.y"}
    go(stepper, 6)
    assert "stop.x" in carrying(stepper) and "m.x" not in carrying(stepper)
    go(stepper, 8)
    mirror = stepper.canvas.mirror
    row = next(row for row, wire in enumerate(mirror.wires) if str(wire.target) == "m.x")
    assert mirror.wire_status[row] == STATUS_ROW[Status.BLOCKED]


def test_what_is_ahead_is_numbered_what_is_done_is_ticked_and_nothing_is_dimmed(stepper: Driver) -> None:
    go(stepper, 2)
    progress = stepper.canvas.mirror.progress
    assert progress is not None
    assert stepper.canvas.page_look.now().lit is None and progress.count == 8
    marks = {name: (mark.number, mark.turn) for name, mark in progress.marks.items()}
    assert marks["p"] == (2, Turn.CURRENT) and marks["loss"] == (1, Turn.DONE) and marks["stop"] == (6, Turn.LATER)
    assert "w" not in marks


def test_gradients_in_blocks_wait_until_all_of_them_has_arrived(stepper: Driver) -> None:
    mirror = stepper.canvas.mirror
    go(stepper, 7)
    assert not mirror.shows_gradient("x")
    go(stepper, 8)
    assert mirror.shows_gradient("x")


def test_the_status_bar_and_the_columns_say_where_it_is(stepper: Driver) -> None:
    go(stepper, 2)
    assert label(stepper, "status_state_text") == "Step 2 of 8: Divide"
    assert "4 of 10 wires have a gradient" in stepper.window.parts.layout.status.details
    said = cells(stepper)
    assert said[1] == 'Step 2 of 8, Divide "p", to x, y, |∂L| 1.752, current'
    assert said[0] == 'Step 1 of 8, Loss "loss", to x, weights, |∂L| 3.742, done'
    assert said[5] == 'Step 6 of 8, StopGradient "stop", blocks'


def test_a_click_on_a_column_goes_to_its_step(stepper: Driver) -> None:
    columns = stepper.child(QListView, "stations")
    stepper.qtbot.mouseClick(columns.viewport(), LEFT, pos=columns.visualRect(columns.model().index(3, 0)).center())
    assert steps_of(stepper).at == 4
    QTest.keyClick(columns, Key.Key_Right)
    assert steps_of(stepper).at == 5


def rules(user: Driver) -> list[str]:
    """The lines of the strip, each with all that is seen of it."""
    grid = user.child(RuleLines, "step_rules").layout()
    assert isinstance(grid, QGridLayout)
    rows = []
    for row in range(LINES):
        items = [grid.itemAtPosition(row, column) for column in range(4)]
        labels = [item.widget() for item in items if item is not None]
        rows.append(" ".join(item.text() for item in labels if isinstance(item, QLabel) and item.isVisible()))
    return [row for row in rows if row]


def test_the_strip_has_the_rule_with_its_numbers_as_it_is_drawn(stepper: Driver) -> None:
    """−Σ g x / y² with g = 1 2 3, x = e^−2 1 1 and y = e^−2 + 2 = 2.135: −5.135 / 4.56."""
    stepper.window.resize(1366, 768)
    go(stepper, 2)
    assert rules(stepper) == [
        "to x ∂L/∂z ÷ y = [1 2 3] ÷ 2.135 = .47 .94 1.4",
        "to y −Σ ∂L/∂z·x ÷ y² = −5.135 ÷ 4.560 = −1.126",
    ]
    assert label(stepper, "step_note") == 'Exp "e" is used 2 times: its parts add up.'
    go(stepper, 6)
    assert rules(stepper) == ["to x = 0 blocked"]
    assert label(stepper, "step_note") == 'StopGradient "stop" always returns 0. Its value passes forward unchanged.'
    go(stepper, 8)
    assert label(stepper, "step_note").startswith("All contributions are in")
    go(stepper, 1)
    assert label(stepper, "step_note") == "It starts with 1: that is ∂L/∂L."


def test_the_panel_has_the_step_element_by_element(stepper: Driver) -> None:
    go(stepper, 2)
    stepper.qtbot.mouseClick(stepper.child(Grip, "strip_grip"), LEFT)
    stepper.settle()
    grid = stepper.child(QTableView, "step_numbers").model()
    heads = [grid.headerData(at, Qt.Orientation.Horizontal) for at in range(grid.columnCount())]
    assert heads == ["∂L/∂z", "x", "y", "∂L/∂x", "part of y"]
    # g / y and −g x / y² with g = 3, x = 1, y = 2.135335; the parts add up to −1.126.
    assert [grid.index(2, at).data() for at in range(5)] == ["3", "1", "2.135", "1.405", "−0.658"]
    assert grid.index(3, 4).data() == "−1.126"
    leaves = [item.text() for item in stepper.window.findChildren(QLabel) if item.isVisible()]
    assert 'Part 1 of 2. ReduceSum "s" adds the next in step 3.' in leaves


@pytest.mark.parametrize(
    ("button", "said"), [("guess_minus", "Right: −1.126"), ("guess_zero", "No: −1.126"), ("guess_plus", "No: −1.126")]
)
def test_a_guess_takes_the_next_step_and_is_judged(stepper: Driver, button: str, said: str) -> None:
    """The largest number that ReduceSum sends is ∂L/∂s = −L / s."""
    go(stepper, 2)
    assert label(stepper, "guess_question") == "Next, ReduceSum sends"
    progress = stepper.canvas.mirror.progress
    assert progress is not None and progress.asked == stepper.wire("s.x")
    stepper.qtbot.mouseClick(stepper.child(QPushButton, button), LEFT)
    assert (steps_of(stepper).at, label(stepper, "guess_said")) == (3, said)
    stepper.key(Key.Key_Space)
    assert label(stepper, "guess_said") == "guess, or press Space"


def test_nothing_is_asked_where_the_next_step_sends_nothing_or_there_is_none(stepper: Driver) -> None:
    go(stepper, 5)
    assert not stepper.child(QPushButton, "guess_plus").isVisible()
    go(stepper, 8)
    assert not stepper.child(QWidget, "guess").isVisible()
    stepper.session.part(StepMode).enter(is_forward=True)
    assert not stepper.child(QWidget, "guess").isVisible()


def told(user: Driver, target: str) -> list[str]:
    """Returns the texts about a wire's gradient: the hover card, the row in the table, the screen reader's sentence."""
    mirror, wire = user.canvas.mirror, user.wire(target)
    found = facts_of(mirror, Target(wire=wire))
    assert found is not None
    row = row_of(mirror, wire)
    card = [cell for line in found.rows if line.label != "value" for cell in line.cells]
    return [
        *card,
        found.foot,
        *found.sentences,
        row.gradient,
        row.norm,
        wire_sentence(mirror, wire).rpartition("; ")[2],
    ]


def test_what_was_hidden_comes_back_after_the_last_step_and_when_step_mode_is_left(stepper: Driver) -> None:
    whole = stepper.session.runs.true_results
    for way in (lambda: go(stepper, 8), stepper.escape):
        stepper.session.part(StepMode).enter()
        assert stepper.session.results is not whole
        way()
        assert stepper.session.results is whole


def test_no_card_row_or_sentence_tells_what_the_steps_have_not_reached(stepper: Driver) -> None:
    go(stepper, 1)
    ahead = "Step mode has not reached it yet."
    assert told(stepper, "p.y") == ["?", "", ahead, "", "", "gradient not known"]
    assert "gradient 1, 2, 3" in told(stepper, "loss.x")
    go(stepper, 2)
    # ∂L/∂s = -L / s, with the recorded L = 2.4049315925 and s = 2 + exp(-2).
    assert "gradient −1.126" in told(stepper, "p.y")


def test_going_forward_no_gradient_is_told(stepper: Driver) -> None:
    stepper.session.part(StepMode).enter(is_forward=True)
    go(stepper, 8)
    forward = "The forward pass has only values: gradients follow in the backward pass."
    assert forward in told(stepper, "p.y") and forward in told(stepper, "loss.x")


def test_a_port_tells_its_gradient_when_its_last_part_has_come(stepper: Driver) -> None:
    def gradient() -> Reading | None:
        found = stepper.session.port(Port("e", "y"))
        return None if found is None else found.gradient

    go(stepper, 2)
    assert gradient() is None
    go(stepper, 3)
    assert gradient() is not None


@pytest.mark.long
def test_what_has_been_done_keeps_its_look_while_more_is_reached(stepper: Driver) -> None:
    before = stepper.canvas.mirror.range
    for at in (1, 3, 8):
        go(stepper, at)
        assert stepper.canvas.mirror.range == before
    stepper.escape()
    assert stepper.canvas.mirror.range == before


@pytest.mark.parametrize("answer", [YES, NO])
def test_an_edit_asks_whether_to_leave_and_nothing_is_lost(stepper: Driver, answer: QMessageBox.StandardButton) -> None:
    before = stepper.graph
    stepper.hand.click(stepper.points.title("s"))

    def delete() -> None:
        stepper.key(Key.Key_Delete)
        stepper.settle()

    said = stepper.popups.answer("leave_steps_dialog", answer, delete)
    assert said.startswith("Leave step mode?")
    assert steps_of(stepper).is_on is (answer is NO)
    assert ("s" in stepper.page.blocks) is (answer is NO)
    assert (stepper.graph is before) is (answer is NO)


@pytest.mark.long
def test_a_drag_that_is_cancelled_in_step_mode_takes_no_earlier_edit_back(user: Driver) -> None:
    user.show(number())
    user.session.apply("Move", edits.move_blocks, "main", {"a": (16, 0)})
    user.settle()
    before = user.graph
    user.key(Key.Key_B)
    knob = user.points.knob("a")
    user.hand.enter(knob)
    user.hand.press(knob)
    user.escape()
    user.hand.release(knob + QPointF(1, 0))
    assert user.graph is before and steps_of(user).is_on and user.undo_text() == "Move"


def test_undo_waits_too(stepper: Driver) -> None:
    stepper.escape()
    stepper.session.apply("Move", edits.move_blocks, "main", {"x": (32, 0)})
    stepper.key(Key.Key_B)

    def undo() -> None:
        stepper.undo()
        stepper.settle()

    stepper.popups.answer("leave_steps_dialog", NO, undo)
    assert stepper.undo_text() == "Move"


@pytest.mark.long
def test_each_step_is_said_aloud(stepper: Driver) -> None:
    said: list[str] = []
    stepper.window.parts.viewing.live_region.said.connect(lambda text, _: said.append(text))
    stepper.key(Key.Key_Right)
    # The announcement of the end of the run comes a while after it.
    steps = [text for text in said if not text.startswith("Computed")]
    assert steps == ["Step 2 of 8: Divide. to x, y, |∂L| 1.752"]


@pytest.mark.long
def test_a_pulse_runs_along_the_wires_only_where_motion_is_wanted(stepper: Driver, motion: None) -> None:
    marks = stepper.window.parts.viewing.stepping.marks
    steps_of(stepper).next()
    assert marks.is_moving
    steps_of(stepper).back()
    assert not marks.is_moving
    set_moves(False)
    steps_of(stepper).next()
    assert not marks.is_moving
    stepper.canvas.grab()


@pytest.mark.long
def test_inside_a_page_the_page_is_shown_while_its_blocks_have_their_turn(user: Driver) -> None:
    built = [Block("x", "Input", at=(0, 0)), page_user(), Block("loss", "Loss", at=(600, 0))]
    main: Page = make_graph(built, [("x.y", "use.a"), ("use.out", "loss.x")]).pages[0]
    graph = edits.set_parameter(Graph(pages=(main, squares())), "main", "x", "value", [1.0, 2.0])
    user.show(graph)
    user.key(Key.Key_B)
    pages = []
    for _ in range(steps_of(user).count):
        pages.append(user.session.prefix)
        user.key(Key.Key_Right)
    assert pages[:2] == ["main", "main"] and "main/use" in pages and pages[-1] == "main"


def test_forward_the_values_come_from_left_to_right(user: Driver) -> None:
    user.show(load(example_path("softmax_stable")).graph)
    user.key(Key.Key_B, Mod.ShiftModifier)
    steps = steps_of(user)
    progress = user.canvas.mirror.progress
    assert steps.is_forward and progress is not None
    assert {str(wire.source) for wire in progress.current} == {"x.y"} or steps.path == "main/w"
    before = len(progress.without_label)
    go(user, steps.count)
    assert user.canvas.mirror.progress is not None
    assert before > 0 and not user.canvas.mirror.progress.without_label
    assert label(user, "status_state_text") == f"Step {steps.count} of {steps.count}: Loss"


def test_without_a_loss_it_says_what_is_missing(user: Driver) -> None:
    graph = edits.remove_blocks(chain(), "main", ["loss"])
    user.show(graph)
    user.key(Key.Key_B)
    user.key(Key.Key_Right)
    assert label(user, "steps_empty").startswith("There are no steps")
    user.escape()
    assert not steps_of(user).is_on


@pytest.mark.long
def test_the_button_is_pressed_while_it_is_on_and_another_document_begins_without(stepper: Driver) -> None:
    button = stepper.child(QToolButton, "tool_mode_step")
    assert button.isChecked()
    stepper.show(chain())
    assert not button.isChecked() and not steps_of(stepper).is_on and stepper.canvas.page_look.now().lit is None
    stepper.qtbot.mouseClick(button, LEFT)
    stepper.settle()
    assert button.isChecked() and steps_of(stepper).is_on
    stepper.qtbot.mouseClick(button, LEFT)
    stepper.settle()
    assert not button.isChecked() and not steps_of(stepper).is_on


def test_steps_and_their_numbers_come_from_the_process_that_evaluates(live_user: Driver) -> None:
    live_user.show(load(example_path("softmax_stable")).graph)
    live_user.qtbot.waitUntil(lambda: live_user.session.results is not None, timeout=30_000)
    steps = steps_of(live_user)
    live_user.key(Key.Key_B)
    live_user.qtbot.waitUntil(lambda: steps.count == 8 and steps.detail is not None, timeout=30_000)
    steps.go(2)
    live_user.qtbot.waitUntil(lambda: steps.detail is not None, timeout=30_000)
    assert steps.detail is not None and [item.part.link is not None for item in steps.detail.sent] == [True, True]


@pytest.mark.long
@pytest.mark.parametrize("what", ["e", "e.x"])
def test_the_inspector_leads_to_the_step_of_what_is_selected(user: Driver, what: str) -> None:
    user.show(load(example_path("softmax_stable")).graph)
    user.hand.click(user.points.on_wire(user.wire(what)) if "." in what else user.points.title(what))
    user.qtbot.mouseClick(user.child(QPushButton, "why_step_here"), LEFT)
    user.settle()
    steps = steps_of(user)
    assert steps.is_on and not steps.is_forward
    if "." in what:
        assert steps.at == steps.step_of_link(user.session.link(user.wire(what))) > 1
    else:
        assert steps.path == f"main/{what}" and steps.at > 1
    # The card is closed first.
    user.escape()
    assert steps.is_on
    user.escape()
    assert not steps.is_on


def test_a_block_without_a_step_leaves_the_first_one(user: Driver) -> None:
    user.show(chain())
    user.hand.click(user.points.title("t"))
    user.trigger("step_here")
    assert (steps_of(user).is_on, steps_of(user).at) == (True, 1)


def test_the_inspector_lights_the_path_to_the_loss_but_not_without_one(user: Driver) -> None:
    user.show(chain())
    user.hand.click(user.points.title("e"))
    user.qtbot.mouseClick(user.child(QPushButton, "why_ways"), LEFT)
    assert user.canvas.page_look.lit is not None and user.canvas.page_look.lit.blocks == {"e", "s", "loss"}
    user.escape()
    user.hand.click(user.points.title("t"))
    assert not user.child(QPushButton, "why_ways").isVisible()


def cancelling() -> Graph:
    """Returns x weighted by a softmax with equal weights: the gradient of x is rounding error alone."""
    value = np.array([0.1, 0.2, 0.4])
    blocks = [Block("x", "Input", parameters={"value": value}), Block("p", "Softmax"), Block("loss", "Loss")]
    return make_graph(blocks, [("x.y", "p.x"), ("p.y", "loss.x")])


@pytest.mark.long
def test_what_rounding_leaves_is_called_zero_in_every_step_as_on_the_wire(user: Driver) -> None:
    user.show(cancelling())
    results = user.session.results
    reading = results and results.wire(user.session.link(user.wire("p.x")))
    assert reading and reading.gradient and reading.status is Status.ZERO and reading.gradient.norm > 0
    user.key(Key.Key_B)
    go(user, 2)
    assert rules(user)[0].endswith("= ≈ 0")
    assert [text.split(", ")[-2] for text in cells(user)[1:]] == ["∂L ≈ 0", "∂L ≈ 0"] or cells(user)
