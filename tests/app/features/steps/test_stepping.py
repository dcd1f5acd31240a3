"""Step mode in a real window: keys, canvas, columns, inspector, guessing, and edits that wait."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QMessageBox, QPushButton, QTableView, QToolButton, QWidget

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.access.sentences import wire_sentence
from gradwire.app.canvas.access.tree_keys import Key as TreeKey
from gradwire.app.canvas.access.tree_keys import name_of
from gradwire.app.canvas.geometry.progress import THREAD, Turn
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.overlays.cards.card_facts import facts_of
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.wires.wire_rows import row_of
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.readings.readings import Reading
from gradwire.app.live.selection import Selection
from gradwire.app.look.motion import set_moves
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.autodiff.expand import PortName
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
from tests.sweeps import a_third_of

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
    user.session.part(StepMode).set_asks(False)
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


def lit(user: Driver) -> set[str]:
    found = user.canvas.page_look.now().lit
    return set() if found is None else set(found.blocks)


def cells(user: Driver) -> list[str]:
    model = user.child(QListView, "step_columns").model()
    role = Qt.ItemDataRole.AccessibleTextRole
    return [str(model.index(row, 0).data(role)) for row in range(model.rowCount())]


def test_b_begins_at_the_seed_and_escape_leaves_everything_as_it_was(user: Driver) -> None:
    user.show(load(example_path("softmax_stable")).graph)
    before, statuses = user.graph, user.canvas.mirror.wire_status.tolist()
    user.key(Key.Key_B)
    assert (steps_of(user).is_on, steps_of(user).at, steps_of(user).count) == (True, 1, 10)
    assert user.window.parts.docking.lenses.current == "steps" and user.canvas.hasFocus()
    user.escape()
    user.settle()
    assert not steps_of(user).is_on and user.graph is before and user.undo_text() is None
    assert user.canvas.mirror.wire_status.tolist() == statuses and user.canvas.page_look.now().lit is None


@pytest.mark.long
def test_point_comma_and_arrows_go_through_the_steps_and_stop_at_the_ends(stepper: Driver) -> None:
    places = []
    keys = (Key.Key_Period, Key.Key_Right, Key.Key_Right, Key.Key_Comma, Key.Key_Left, Key.Key_Left, Key.Key_Left)
    for key in keys:
        stepper.key(key)
        places.append(steps_of(stepper).at)
    assert places == [2, 3, 4, 3, 2, 1, 1]
    go(stepper, 99)
    stepper.key(Key.Key_Right)
    assert steps_of(stepper).at == 10


def test_space_plays_and_pauses_and_speed_is_chosen_in_the_strip(stepper: Driver) -> None:
    stepper.key(Key.Key_Space)
    assert steps_of(stepper).is_playing
    stepper.key(Key.Key_Space)
    assert not steps_of(stepper).is_playing
    stepper.qtbot.mouseClick(stepper.child(QToolButton, "step_speed_2"), LEFT)
    assert steps_of(stepper).speed == 2.0


def test_without_step_mode_its_keys_are_those_of_the_canvas(user: Driver) -> None:
    user.show(chain())
    for key in (Key.Key_Period, Key.Key_Comma, Key.Key_Right, Key.Key_Space):
        user.key(key)
    assert not steps_of(user).is_on and user.selection.blocks


def test_wires_carry_a_gradient_only_once_their_step_has_come(stepper: Driver) -> None:
    assert carrying(stepper) == set()
    go(stepper, 3)
    assert carrying(stepper) == {"loss.x", "loss.weights", "p.x", "p.y"}
    go(stepper, 7)
    assert "stop.x" in carrying(stepper) and "m.x" not in carrying(stepper)
    go(stepper, 10)
    mirror = stepper.canvas.mirror
    row = next(row for row, wire in enumerate(mirror.wires) if str(wire.target) == "m.x")
    assert mirror.wire_status[row] == STATUS_ROW[Status.BLOCKED]


def test_what_nothing_has_reached_is_dimmed_and_numbered_and_what_is_done_is_ticked(stepper: Driver) -> None:
    go(stepper, 3)
    progress = stepper.canvas.mirror.progress
    assert progress is not None
    assert lit(stepper) == {"loss", "p", "w", "e", "s"}
    marks = {name: (mark.number, mark.turn) for name, mark in progress.marks.items()}
    assert marks["p"] == (3, Turn.CURRENT) and marks["loss"] == (2, Turn.DONE) and marks["stop"] == (7, Turn.LATER)


def test_gradients_in_blocks_wait_until_all_of_them_has_arrived(stepper: Driver) -> None:
    mirror = stepper.canvas.mirror
    go(stepper, 8)
    assert not mirror.shows_gradient("x")
    go(stepper, 9)
    assert mirror.shows_gradient("x")


def test_the_status_bar_and_the_columns_say_where_it_is(stepper: Driver) -> None:
    go(stepper, 3)
    assert label(stepper, "status_state_text") == "Backward step 3 of 10"
    assert "4 of 10 wires have a gradient" in stepper.window.parts.layout.status.details
    said = cells(stepper)
    assert said[2] == 'Step 3, Divide "p", to x, y, |∂L| 1.752, current'
    assert said[0] == 'Step 1, Loss "loss", seed 1, |∂L| 1, done'
    assert said[6] == 'Step 7, StopGradient "stop", blocks'


def test_a_click_on_a_column_goes_to_its_step(stepper: Driver) -> None:
    columns = stepper.child(QListView, "step_columns")
    stepper.qtbot.mouseClick(columns.viewport(), LEFT, pos=columns.visualRect(columns.model().index(3, 0)).center())
    assert steps_of(stepper).at == 4
    QTest.keyClick(columns, Key.Key_Right)
    assert steps_of(stepper).at == 5


def test_the_inspector_explains_the_step_with_its_numbers(stepper: Driver) -> None:
    go(stepper, 3)
    assert label(stepper, "inspector_title") == "Step 3 of 10: Divide"
    assert label(stepper, "inspector_summary") == "The rule turns the incoming gradient at z into gradients of x, y."
    grid = stepper.child(QTableView, "step_numbers").model()
    heads = [grid.headerData(at, Qt.Orientation.Horizontal) for at in range(grid.columnCount())]
    assert heads == ["∂L/∂z", "x", "y", "∂L/∂x", "part of y"]
    # g / y and −g x / y² with g = 3, x = 1, y = 2.135335; the parts add up to −1.126.
    assert [grid.index(2, at).data() for at in range(5)] == ["3", "1", "2.135", "1.405", "−0.658"]
    assert grid.index(3, 4).data() == "−1.126"
    leaves = [item.text() for item in stepper.window.findChildren(QLabel) if item.isVisible()]
    assert 'Part 1 of 2. ReduceSum "s" adds the next in step 4.' in leaves
    stepper.qtbot.mouseClick(stepper.child(QPushButton, "step_go_on"), LEFT)
    assert label(stepper, "inspector_title") == "Step 4 of 10: ReduceSum"
    stepper.qtbot.mouseClick(stepper.child(QPushButton, "step_undo"), LEFT)
    assert label(stepper, "inspector_title") == "Step 3 of 10: Divide"


def test_a_guess_hides_the_step_until_it_is_made(stepper: Driver) -> None:
    go(stepper, 2)
    stepper.qtbot.mouseClick(stepper.child(Switch, "step_asks"), LEFT)
    stepper.key(Key.Key_Right)
    assert steps_of(stepper).is_hidden and "p.x" not in carrying(stepper)
    assert cells(stepper)[2] == 'Step 3, Divide "p", to x, y, current'
    assert label(stepper, "riddle_question") == "What is ∂L/∂x[2]?"
    field = stepper.child(QLineEdit, "riddle_answer")
    QTest.keyClicks(field, "1.41")
    QTest.keyClick(field, Key.Key_Return)
    stepper.settle()
    assert label(stepper, "riddle_verdict") == "Right: it is 1.405."
    assert not steps_of(stepper).is_hidden and "p.x" in carrying(stepper)


def test_what_is_no_answer_is_not_judged_and_the_step_can_be_shown(stepper: Driver) -> None:
    stepper.session.part(StepMode).set_asks(True)
    go(stepper, 3)
    QTest.keyClicks(stepper.child(QLineEdit, "riddle_answer"), "hm")
    stepper.qtbot.mouseClick(stepper.child(QPushButton, "riddle_check"), LEFT)
    assert steps_of(stepper).is_hidden and label(stepper, "riddle_verdict").startswith("Enter a number")
    stepper.qtbot.mouseClick(stepper.child(QPushButton, "riddle_show"), LEFT)
    assert not steps_of(stepper).is_hidden


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


@pytest.mark.long
def test_no_card_row_or_sentence_tells_what_is_to_be_guessed(stepper: Driver) -> None:
    stepper.session.part(StepMode).set_asks(True)
    go(stepper, 2)
    steps_of(stepper).reveal()
    go(stepper, 3)
    hidden = "It is hidden until you have guessed it."
    assert told(stepper, "p.y") == ["?", "", hidden, "", "", "gradient not known"]
    assert "gradient 1, 2, 3" in told(stepper, "loss.x")
    assert name_of(stepper.canvas, TreeKey(wire=stepper.wire("p.y"))).endswith("gradient not known")
    steps_of(stepper).reveal()
    # ∂L/∂s = -L / s, with the recorded L = 2.4049315925 and s = 2 + exp(-2).
    assert "gradient −1.126" in told(stepper, "p.y")


def test_what_was_hidden_comes_back_after_the_last_step_and_when_step_mode_is_left(stepper: Driver) -> None:
    whole = stepper.session.runs.true_results
    for asks in (True, False):
        stepper.session.part(StepMode).set_asks(asks)
        for way in (lambda: go(stepper, 10), stepper.escape):
            stepper.session.part(StepMode).enter()
            assert stepper.session.results is not whole
            way()
            stepper.session.part(StepMode).reveal()
            assert stepper.session.results is whole


def test_no_card_row_or_sentence_tells_what_the_steps_have_not_reached(stepper: Driver) -> None:
    go(stepper, 2)
    ahead = "Step mode has not reached it yet."
    assert told(stepper, "p.y") == ["?", "", ahead, "", "", "gradient not known"]
    assert "gradient 1, 2, 3" in told(stepper, "loss.x")
    go(stepper, 3)
    # ∂L/∂s = -L / s, with the recorded L = 2.4049315925 and s = 2 + exp(-2).
    assert "gradient −1.126" in told(stepper, "p.y")


def test_going_forward_no_gradient_is_told(stepper: Driver) -> None:
    stepper.session.part(StepMode).enter(is_forward=True)
    go(stepper, 10)
    forward = "The forward pass has only values: gradients follow in the backward pass."
    assert forward in told(stepper, "p.y") and forward in told(stepper, "loss.x")


def test_a_port_tells_its_gradient_when_its_last_part_has_come(stepper: Driver) -> None:
    def gradient() -> Reading | None:
        found = stepper.session.port(Port("e", "y"))
        return None if found is None else found.gradient

    go(stepper, 3)
    assert gradient() is None
    go(stepper, 4)
    assert gradient() is not None


@pytest.mark.long
def test_what_has_been_done_keeps_its_look_while_more_is_reached(stepper: Driver) -> None:
    before = stepper.canvas.mirror.range
    for at in (1, 4, 10):
        go(stepper, at)
        assert stepper.canvas.mirror.range == before
    stepper.escape()
    assert stepper.canvas.mirror.range == before


@pytest.mark.parametrize(
    "lens", a_third_of(["flow", "matrix", "paths", "stops", "precision", "conventions", "compare"])
)
def test_a_lens_that_tells_gradients_says_why_it_does_not_until_the_last_step(stepper: Driver, lens: str) -> None:
    stepper.trigger(f"lens_{lens}")
    stepper.settle()
    cover, shown = stepper.child(QLabel, "lens_hidden"), stepper.window.parts.docking.lenses.lens(lens)
    assert cover.isVisible() and "Go to the last step, or leave step mode." in cover.text()
    assert shown is not None and not shown.isVisible()
    go(stepper, 10)
    assert shown.isVisible() and not cover.isVisible()
    go(stepper, 9)
    assert cover.isVisible()
    stepper.trigger("lens_checks")
    assert not cover.isVisible()
    stepper.trigger(f"lens_{lens}")
    stepper.session.part(StepMode).leave()
    assert shown.isVisible()


def test_no_other_question_tells_what_is_to_be_guessed(stepper: Driver) -> None:
    stepper.session.part(StepMode).set_asks(True)
    heard: list[Reply] = []
    stepper.session.replied.connect(heard.append)
    stepper.session.ask(TensorName(PortName("main/x", "y"), True))
    stepper.session.replied.disconnect(heard.append)
    assert [reply.answer for reply in heard] == [None]


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
    steps = [text for text in said if not text.startswith("Evaluated")]
    assert steps == ["Step 2 of 10: Loss. to x, weights, |∂L| 3.742"]


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
    assert pages[:3] == ["main", "main", "main"] and "main/use" in pages and pages[-1] == "main"


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
    assert label(user, "status_state_text") == f"Forward step {steps.count} of {steps.count}"


def test_without_a_loss_it_says_what_is_missing(user: Driver) -> None:
    graph = edits.remove_blocks(chain(), "main", ["loss"])
    user.show(graph)
    user.key(Key.Key_B)
    user.key(Key.Key_Right)
    assert label(user, "steps_empty").startswith("There are no steps")
    assert label(user, "inspector_title") == "Step mode"
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
    live_user.qtbot.waitUntil(lambda: steps.count == 10 and steps.detail is not None, timeout=30_000)
    steps.go(3)
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
    go(user, 3)
    shown = [item for item in user.child(QWidget, "step_leaves").findChildren(QLabel) if item.isVisible()]
    assert "≈ 0" in [item.text() for item in shown]
    go(user, 4)
    assert "≈ 0" in [item.text() for item in user.child(QWidget, "step_arrives").findChildren(QLabel)]
    assert [text.split(", ")[-2] for text in cells(user)[2:]] == ["∂L ≈ 0", "∂L ≈ 0"]
