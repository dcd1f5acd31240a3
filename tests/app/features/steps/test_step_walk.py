"""Step mode of a document without a window: each step of the stable softmax, its words, its reach, and its ends.

The numbers are those that TensorFlow recorded: the loss is 2.4049, s = 2 + exp(-2) = 2.1353, and ∂L/∂s = -L / s.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.base.examples import example_path
from gradwire.app.canvas.geometry.progress import Turn
from gradwire.app.features.steps import step_mode
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_progress import progress_of
from gradwire.app.features.steps.step_questions import Outline, StepQuestion, StepsQuestion
from gradwire.app.features.steps.step_reach import backward_reach, forward_reach
from gradwire.app.features.steps.step_texts import (
    Cell,
    action_of,
    amount_of,
    cell_of,
    heading,
    lines_of,
    meaning,
    note_of,
    nothing_of,
    part_heading,
    part_sentence,
    progress_text,
    spoken,
)
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.explain.back_steps import BackStep, Kind, Part
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph, Port, Wire


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(load(example_path("softmax_stable")).graph, InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


@pytest.fixture
def steps(session: Session) -> StepMode:
    return session.part(StepMode)


def go(qtbot: QtBot, steps: StepMode, at: int) -> None:
    steps.go(at)
    qtbot.waitUntil(lambda: steps.detail is not None)


# The number of wires reached, the icon, name and action of a step, its amount, its note, and its lines.
BACK = [
    (2, "target", "Loss", 'Loss "loss"', "to x, weights", "|∂L| 3.742", "It starts with 1: that is ∂L/∂L.",
     ["to x weights = 1 2 3", "to weights x = .063 .47 .47"]),
    (4, "div", "Divide", 'Divide "p"', "to x, y", "|∂L| 1.752", 'Exp "e" is used 2 times: its parts add up.',
     ["to x ∂L/∂z ÷ y = [1 2 3] ÷ 2.135 = .47 .94 1.4", "to y −Σ ∂L/∂z·x ÷ y² = −5.135 ÷ 4.560 = −1.126"]),
    (5, "sigma", "ReduceSum", 'ReduceSum "s"', "to x", "|∂L| 1.951", 'Exp "e" is used 2 times: its parts add up.',
     ["to x ∂L/∂y = −1.1 −1.1 −1.1"]),
    (6, "exp", "Exp", 'Exp "e"', "to x", "|∂L| 0.349", "",
     ["to x ∂L/∂y·y = [−.66 −.19 .28]·[.14 1 1] = −.089 −.19 .28"]),
    (8, "sub", "Subtract", 'Subtract "z"', "to x, y", "|∂L| 0.349", "",
     ["to x ∂L/∂z = −.089 −.19 .28", "to y −Σ ∂L/∂z = −1.7e−16 = ≈ 0"]),
    (9, "stopgrad", "StopGradient", 'StopGradient "stop"', "blocks", "0",
     'StopGradient "stop" always returns 0. Its value passes forward unchanged.', ["to x 0 blocked"]),
    (10, "max", "ReduceMax", 'ReduceMax "m"', "0 blocked", "0",
     'ReduceMax "m" has no incoming gradient to pass back.', ["to x 0 blocked"]),
    (10, "source", "Input x", 'Input "x"', "total ∂L/∂x", "|∂L| 0.349",
     'All contributions are in: this is the whole gradient of Input "x".', ["∂L/∂y −.089 −.19 .28"]),
]  # fmt: skip
FORWARD = [
    (1, "lock", "Constant w", 'Constant "w"', "[3]", "1 2 3", "1 2 3"),
    (3, "source", "Input x", 'Input "x"', "[3]", "1 3 3", "x = 1 3 3"),
    (4, "max", "ReduceMax", 'ReduceMax "m"', "[]", "3", "max = 3"),
    (5, "stopgrad", "StopGradient", 'StopGradient "stop"', "[]", "3", "∂ → 0 = 3"),
    (6, "sub", "Subtract", 'Subtract "z"', "[3]", "−2 0 0", "x − y = −2 0 0"),
    (8, "exp", "Exp", 'Exp "e"', "[3]", ".14 1 1", "e^x = .14 1 1"),
    (9, "sigma", "ReduceSum", 'ReduceSum "s"', "[]", "2.135", "Σ = 2.135"),
    (10, "div", "Divide", 'Divide "p"', "[3]", ".063 .47 .47", "x / y = .063 .47 .47"),
    (10, "target", "Loss", 'Loss "loss"', "[]", "2.405", "Σ w x = 2.405"),
]


def test_each_step_back_has_its_words_and_numbers(session: Session, steps: StepMode, qtbot: QtBot) -> None:
    steps.enter()
    assert steps.count == len(BACK)
    for n, (reached, icon, name, title, action, amount, note, lines) in enumerate(BACK, start=1):
        go(qtbot, steps, n)
        said = f"Step {n} of 8, {title}, {action}, {amount}, current"
        assert cell_of(session, n) == Cell(icon, name, name == "StopGradient", False, True, False, said)
        assert (action_of(session, n), amount_of(session, n), note_of(session)) == (action, amount, note)
        assert [line.whole for line in lines_of(session)] == lines
        assert {line.token for line in lines_of(session)} == {"grad.text"}
        assert (steps.reached, progress_text(steps, "10 wires")) == (reached, f"{reached} of 10 wires have a gradient")
        assert heading(session) == f"Step {n} of 8: {name}"
        assert spoken(session) == f"Step {n} of 8: {name}. {action}, {amount}"
    first, last = cell_of(session, 1), cell_of(session, 8)
    assert (first.is_done, first.is_current, last.is_done, last.is_current) == (True, False, False, True)
    assert first.spoken == 'Step 1 of 8, Loss "loss", to x, weights, |∂L| 3.742, done'
    go(qtbot, steps, 3)
    # What is ahead tells neither its amount nor a state.
    assert cell_of(session, 4).spoken == 'Step 4 of 8, Exp "e", to x'


def test_each_step_forward_has_its_words_and_values(session: Session, steps: StepMode, qtbot: QtBot) -> None:
    steps.enter(is_forward=True)
    assert steps.count == len(FORWARD)
    for n, (reached, icon, name, title, action, amount, line) in enumerate(FORWARD, start=1):
        go(qtbot, steps, n)
        said = f"Step {n} of 9, {title}, {action}, {amount}, current"
        assert cell_of(session, n) == Cell(icon, name, name == "StopGradient", False, True, True, said)
        assert [(item.whole, item.token) for item in lines_of(session)] == [(line, "value")]
        assert note_of(session) == "The block computes its value from its inputs."
        assert progress_text(steps, "10 wires") == f"{reached} of 10 wires have a value"
        assert steps.step is None and steps.ahead is None


def test_parts_say_how_they_add_up(session: Session, steps: StepMode, qtbot: QtBot) -> None:
    steps.enter()
    found = {}
    for n in range(1, 9):
        go(qtbot, steps, n)
        assert steps.detail is not None
        found[n] = [(part_heading(session, item.part), part_sentence(session, item)) for item in steps.detail.sent]
    whole = "This is the whole gradient of {}.".format
    assert found == {
        1: [('x, to Divide "p"', whole('Divide "p"')), ('weights, to Constant "w"', whole('Constant "w"'))],
        2: [('x, to Exp "e"', 'Part 1 of 2. ReduceSum "s" adds the next in step 3.'),
            ('y, to ReduceSum "s"', whole('ReduceSum "s"'))],
        3: [('x, to Exp "e"', 'Part 2 of 2, the last. This completes the gradient of Exp "e": size 0.739.')],
        4: [('x, to Subtract "z"', whole('Subtract "z"'))],
        5: [('x, to Input "x"', whole('Input "x"')), ('y, to StopGradient "stop"', whole('StopGradient "stop"'))],
        6: [('x, to ReduceMax "m"', "StopGradient withholds −1.7e−16.")],
        7: [('x, to Input "x"', "No gradient can flow along this wire.")],
        8: [],
    }  # fmt: skip


def test_of_three_parts_the_second_tells_the_sum_so_far(qtbot: QtBot) -> None:
    x = gw.Input(2.0, name="x")
    parts = [gw.Square(x, name="a"), gw.Exp(x, name="b"), gw.Multiply(x, 3.0, name="c")]
    made = Session(gw.graph(gw.Loss(gw.Add(gw.Add(parts[0], parts[1]), parts[2]), name="L")), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    mode, said = made.part(StepMode), []
    mode.enter()
    for n in range(1, mode.count + 1):
        go(qtbot, mode, n)
        assert mode.detail is not None
        said += [part_sentence(made, item) for item in mode.detail.sent if item.part.count == 3]
    # The parts are 4, e² and 3 in some order, and together 14.39.
    assert said[0].startswith("Part 1 of 3. ") and "So far" not in said[0]
    assert said[1].startswith("Part 2 of 3. So far ") and " adds the next in step " in said[1]
    assert said[2] == 'Part 3 of 3, the last. This completes the gradient of Input "x": 14.39.'
    made.close()


# Going


def test_marks_and_wires_follow_the_steps(session: Session, steps: StepMode, qtbot: QtBot) -> None:
    assert progress_of(session) is None
    steps.enter()
    go(qtbot, steps, 3)
    shown = progress_of(session)
    assert shown is not None and (shown.is_forward, shown.count) == (False, 8)
    assert {name: (mark.number, mark.turn) for name, mark in shown.marks.items()} == {
        "loss": (1, Turn.DONE), "p": (2, Turn.DONE), "s": (3, Turn.CURRENT), "e": (4, Turn.LATER),
        "z": (5, Turn.LATER), "stop": (6, Turn.LATER), "m": (7, Turn.LATER), "x": (8, Turn.LATER),
    }  # fmt: skip
    assert [str(wire.target) for wire in shown.current] == ["s.x"]
    assert {str(wire.target) for wire in shown.reached} == {"loss.x", "loss.weights", "p.x", "p.y", "s.x"}
    assert shown.without_label == frozenset()
    steps.enter(is_forward=True)
    go(qtbot, steps, 2)
    shown = progress_of(session)
    assert shown is not None and (shown.is_forward, shown.count, shown.reached) == (True, 9, frozenset())
    assert {str(wire.target) for wire in shown.current} == {"m.x", "z.x"}
    assert {str(wire.target) for wire in shown.without_label} == {"stop.x", "z.y", "e.x", "p.x", "s.x", "p.y", "loss.x"}


def test_a_block_with_two_steps_has_the_mark_of_the_current_or_the_last(session: Session, steps: StepMode) -> None:
    steps.enter()
    outline = steps.outline
    first, second, *rest = outline.backward
    twice = dataclasses.replace(outline, backward=(first, second, dataclasses.replace(first, number=3), *rest))
    session.replied.emit(Reply(StepsQuestion(), 0, twice))
    found = []
    for at in (1, 2, 3, 4):
        steps.go(at)
        shown = progress_of(session)
        assert shown is not None
        found.append((shown.marks["loss"].number, shown.marks["loss"].turn))
    assert found == [(1, Turn.CURRENT), (3, Turn.LATER), (3, Turn.CURRENT), (3, Turn.DONE)]


def test_steps_stop_at_both_ends_and_tell_only_what_changes(steps: StepMode, qtbot: QtBot) -> None:
    heard: list[str] = []
    steps.enter()
    steps.changed.connect(lambda: heard.append("changed"))
    steps.advanced.connect(lambda: heard.append("advanced"))
    steps.back()
    steps.go(1)
    assert (steps.at, heard) == (1, [])
    steps.next()
    assert (steps.at, heard.count("advanced")) == (2, 1)
    for number, at in ((5, 5), (4, 4), (99, 8), (8, 8), (-3, 1), (0, 1)):
        steps.go(number)
        assert steps.at == at
    assert heard.count("advanced") == 1 and heard[-1] == "changed"
    steps.leave()
    steps.go(4)
    assert steps.at == 1 and not steps.is_on


def test_what_is_not_reached_is_masked_until_the_last_step(session: Session, steps: StepMode, qtbot: QtBot) -> None:
    assert steps.gradient_mask is None
    steps.enter()
    mask = steps.gradient_mask
    assert mask is not None and mask.why is Hidden.AHEAD
    assert {str(link.target) for link in mask.revealed} == {"main/loss.x", "main/loss.weights"}
    assert {port.path for port in mask.ports} == {"main/loss", "main/p", "main/w"}
    go(qtbot, steps, 2)
    mask = steps.gradient_mask
    assert mask is not None and {port.path for port in mask.ports} == {"main/loss", "main/p", "main/w", "main/s"}
    go(qtbot, steps, 7)
    assert steps.gradient_mask is not None
    go(qtbot, steps, 8)
    assert steps.gradient_mask is None
    steps.enter(is_forward=True)
    assert steps.gradient_mask == GradientMask(why=Hidden.FORWARD)
    go(qtbot, steps, 9)
    assert steps.gradient_mask == GradientMask(why=Hidden.FORWARD)
    steps.leave()
    assert steps.gradient_mask is None


def test_a_goal_is_a_block_or_a_wire(session: Session, steps: StepMode) -> None:
    wires = {str(wire.target): wire for wire in session.page.wires.values()}
    for selection, at in (
        (Selection(frozenset(["e"])), 4),
        (Selection(frozenset(["loss"])), 1),
        # A constant has no step of its own: the first that brings something there is the loss's.
        (Selection(frozenset(["w"])), 1),
        (Selection(frozenset(["x"])), 8),
        (Selection(wires=frozenset([wires["s.x"]])), 3),
        (Selection(wires=frozenset([wires["m.x"]])), 7),
        # Of a block and a wire the block counts.
        (Selection(frozenset(["p"]), frozenset([wires["m.x"]])), 2),
    ):
        session.select(selection)
        steps.step_here()
        assert (steps.is_on, steps.is_forward, steps.at) == (True, False, at)
    steps.enter(is_forward=True)
    session.select(Selection(frozenset(["e"])))
    steps.step_here()
    assert (steps.is_forward, steps.at) == (False, 4)
    steps.leave()
    session.select(Selection())
    steps.step_here()
    assert not steps.is_on
    assert steps.path_of(0) == steps.path_of(1) == "" and steps.step is None


def test_a_goal_that_no_step_reaches_changes_nothing(steps: StepMode) -> None:
    steps.enter()
    steps.go(3)
    nowhere = Link(PortName("main/x", "y"), PortName("main/nowhere", "x"))
    wire = Wire(Port("x", "y"), Port("nowhere", "x"))
    for chosen in (Selection(frozenset(["nowhere"])), Selection(wires=frozenset([wire]))):
        steps._session.select(chosen)
        steps.step_here()
        assert steps.at == 3
    assert steps.is_seen(nowhere) and steps.step_of_link(nowhere) is None
    assert [steps.path_of(number) for number in (0, 1, 8, 9)] == ["", "main/loss", "main/x", ""]


def test_a_direction_toggles_and_entering_begins_anew(steps: StepMode) -> None:
    for is_forward, is_on, turned in ((False, True, False), (True, True, True), (True, False, True)):
        steps.toggle(is_forward)
        assert (steps.is_on, steps.is_forward) == (is_on, turned)
    steps.enter()
    steps.go(4)
    steps.judged = (True, 1.0)
    steps.enter()
    assert (steps.at, steps.judged, steps.is_playing) == (1, None, False)


def test_playing_goes_on_by_a_clock_and_begins_anew_at_the_end(steps: StepMode) -> None:
    steps.turn()
    assert not steps.is_playing
    steps.enter()
    steps.turn()
    assert steps.is_playing and steps._clock.interval() == step_mode.STEP_MS == 1600
    for at in range(2, 9):
        steps._tick()
        assert (steps.at, steps.is_playing) == (at, True)
    steps._tick()
    assert (steps.at, steps.is_playing) == (8, False)
    steps.turn()
    assert (steps.at, steps.is_playing) == (1, True)
    steps.turn()
    assert (steps.at, steps.is_playing) == (1, False)
    steps.go(3)
    steps.turn()
    assert (steps.at, steps.is_playing) == (3, True)
    steps.leave()
    assert not steps.is_playing
    steps.turn()
    assert not steps.is_playing


@pytest.mark.parametrize(("sign", "is_right"), [(-1, True), (0, False), (1, False)])
def test_a_guess_of_the_sign_takes_a_step_and_is_judged(
    steps: StepMode, qtbot: QtBot, sign: int, is_right: bool
) -> None:
    """The largest number that ReduceSum sends is ∂L/∂s = −L / s = −1.126."""
    steps.enter()
    steps.guess(sign)
    assert steps.judged is not None and steps.judged[1] == pytest.approx(1.405, abs=1e-3)
    assert steps.at == 2 and steps.judged[0] is (sign == 1)
    steps.guess(sign)
    assert steps.at == 3 and steps.judged == (is_right, pytest.approx(-1.1263, abs=1e-4))
    assert steps.score == ((sign == 1) + is_right, 2)
    go(qtbot, steps, 5)
    assert steps.judged is None and steps.ahead is None
    steps.guess(sign)
    assert (steps.at, steps.judged) == (5, None)


def test_only_the_last_edit_waits_and_is_told_once(steps: StepMode) -> None:
    heard: list[int] = []
    steps.interrupted.connect(lambda: heard.append(1))
    steps.enter()
    steps.turn()
    first, second = (lambda: 1), (lambda: 2)
    steps.hold(first)
    assert not steps.is_playing
    steps.hold(second)
    assert (steps.held, len(heard)) == (second, 1)
    steps.forget()
    steps.hold(first)
    assert (steps.held, len(heard)) == (first, 2)
    steps.leave()
    assert steps.held is None


def test_fewer_steps_than_before_leave_it_at_the_last(session: Session, steps: StepMode) -> None:
    steps.enter()
    steps.go(7)
    outline = steps.outline
    answer = session.replied.emit
    short = dataclasses.replace(outline, backward=outline.backward[:5])
    question = StepQuestion(False, 5)
    answer(Reply(StepsQuestion(), 0, short))
    assert (steps.count, steps.at) == (5, 5)
    answer(Reply(StepsQuestion(), 0, dataclasses.replace(outline, backward=outline.backward[:6])))
    assert (steps.count, steps.at) == (6, 5)
    answer(Reply(StepsQuestion(), 0, None))
    assert (steps.count, steps.at, steps.has_outline, progress_of(session)) == (0, 1, True, None)
    assert nothing_of(session) == "There are no steps without a gradient. Add a Loss block to see gradients."
    assert spoken(session) == "There are no steps: no gradient flows." and heading(session) == "Step"
    assert lines_of(session) == [] and note_of(session) == ""
    # The answer to another question is not taken.
    steps.detail = None
    answer(Reply(question, 0, None))
    answer(Reply(StepQuestion(True, 1), 0, "another"))
    assert steps.detail is None
    answer(Reply(StepQuestion(False, 1), 0, None))
    steps.leave()
    answer(Reply(StepsQuestion(), 0, outline))
    assert steps.count == 0


def test_without_values_there_is_nothing_forward(qtbot: QtBot) -> None:
    made = Session(Graph(), InlineEvaluator)
    mode = made.part(StepMode)
    assert nothing_of(made) == ""
    mode.enter(is_forward=True)
    qtbot.waitUntil(lambda: mode.has_outline)
    assert nothing_of(made) == "There are no steps: nothing has been computed."
    assert (mode.count, mode.at, meaning(made)) == (0, 1, "The block computes its value from its inputs.")
    mode.next()
    mode.back()
    assert mode.at == 1
    mode.enter()
    qtbot.waitUntil(lambda: mode.has_outline)
    assert meaning(made) == ""
    made.close()


# Reach


def part(source: str, target: str, status: Status = Status.FLOW, has_wire: bool = True) -> Part:
    port = PortName(f"main/{source}", "y")
    return Part(port, Link(port, PortName(f"main/{target}", "x")) if has_wire else None, None, status)


def test_a_step_reaches_wires_and_blocks_first_and_ports_last() -> None:
    outline = Outline(
        ("main/a", "main/b"),
        (
            BackStep(1, "main/L", Kind.SEED, {"y": None}, (part("b", "L"),)),  # type: ignore[dict-item]  # only its name
            BackStep(2, "main/b", Kind.SENDS, {"y": None}, (part("a", "b"), part("c", "b", Status.BLOCKED))),  # type: ignore[dict-item]
            BackStep(3, "main/d", Kind.SENDS, {"y": None}, (part("a", "d"), part("b", "d", has_wire=False))),  # type: ignore[dict-item]
            BackStep(4, "main/a", Kind.ENDS, {"y": None}, ()),  # type: ignore[dict-item]
        ),
    )
    found = backward_reach(outline)
    assert {str(link): number for link, number in found.links.items()} == {
        str(part(source, target).link): number
        for source, target, number in (("b", "L", 1), ("a", "b", 2), ("c", "b", 2), ("a", "d", 3))
    }
    # The seed is there at once; the last part of a and of b comes in step 3.
    assert {port.path: number for port, number in found.ports.items()} == {
        "main/L": 1, "main/b": 3, "main/a": 3, "main/c": 2,
    }  # fmt: skip
    # No gradient reaches c.
    assert found.paths == {"main/L": 1, "main/b": 1, "main/a": 2, "main/d": 3}
    links = [part(source, "z").link for source in "abx"]
    forward = forward_reach(outline, [link for link in links if link is not None])
    assert {link.source.path: number for link, number in forward.links.items()} == {"main/a": 1, "main/b": 2}
    assert forward.paths == {"main/a": 1, "main/b": 2} and not forward.ports
