"""The Slice dock: the loss along one element, the tangent, their description, and updates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QSpinBox, QTableView, QToolButton

from gradwire.app.base.examples import example_path
from gradwire.app.features.slice.slice_plot import Frame, SlicePlot, label_tops
from gradwire.app.features.slice.slice_question import SliceName
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Button, Driver, Key, Kind
from tests.app.window.graphs import chain, number, wired, with_block
from tests.app.window.panels.test_live import PATIENCE_MS, heavy, wait_until_idle
from tests.sweeps import a_third_of


@pytest.fixture(autouse=True)
def _opened(request: pytest.FixtureRequest) -> Iterator[None]:
    """The slice beside the canvas, which is folded in each new document."""
    users = [request.getfixturevalue(name) for name in ("user", "live_user") if name in request.fixturenames]
    parts = [item.window.parts for item in users]
    opened = [(item.document.shown, partial(item.panels.open_lens, "slice")) for item in parts]
    for shown, unfold in opened:
        unfold()
        shown.connect(unfold)
    yield
    for shown, unfold in opened:
        shown.disconnect(unfold)


def through(kind: str, value: object, *more: str) -> Graph:
    """Returns x through blocks of some types, summed up into a loss."""
    graph, last = with_block(Graph(), "x", "Input", (0, 0), value=np.array(value)), "x"
    for place, name in enumerate((kind, *more, "ReduceSum", "Loss")):
        graph = with_block(graph, f"b{place}", name, (240 + 240 * place, 0))
        graph = wired(graph, f"{last}.y > b{place}.x")
        last = f"b{place}"
    return graph


def see(user: Driver, graph: Graph, block: str = "") -> None:
    user.show(graph)
    choose(user, block)


def choose(user: Driver, *blocks: str) -> None:
    user.session.select(Selection(blocks=frozenset(filter(None, blocks))))
    user.settle()


def plot(user: Driver) -> SlicePlot:
    return user.child(SlicePlot, "slice_plot")


def frame(user: Driver) -> Frame:
    found = plot(user).frame
    assert found is not None
    return found


def said(user: Driver) -> str:
    """Returns the sentence below the curve, or the message in place of a curve."""
    (shown,) = [
        label.text()
        for label in (user.child(QLabel, "slice_sentence"), user.child(QLabel, "slice_message"))
        if label.isVisible()
    ]
    return shown


def curve(user: Driver) -> list[tuple[float, float]]:
    (run,) = plot(user).runs
    return run


def press(user: Driver, name: str) -> None:
    user.qtbot.mouseClick(user.child(QToolButton, name), LEFT)
    user.settle()


def ends(user: Driver) -> tuple[float, float]:
    return frame(user).x


def is_painted(user: Driver, place: float, loss: float, token: str) -> bool:
    """Returns whether the picture has a colour at a place and a loss, or a px beside it."""
    image, wanted = plot(user).grab().toImage(), user.window.appearance.theme.color(token)
    at = frame(user).point(place, loss) * image.devicePixelRatio()
    near = [(round(at.x()) + dx, round(at.y()) + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    return any(is_like(image.pixelColor(*pixel), wanted) for pixel in near)


def is_like(a: QColor, b: QColor) -> bool:
    pairs = ((a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue()))
    return all(abs(one - other) <= 24 for one, other in pairs)


def test_the_curve_of_a_square_is_a_parabola_and_the_tangent_touches_it(user: Driver) -> None:
    """Expects x * x at 1.5 to be 2.25, with slope 3."""
    see(user, through("Square", 1.5), "x")
    assert all(loss == pytest.approx(place**2) for place, loss in curve(user))
    assert (1.5, 2.25) in curve(user)
    assert said(user) == "∂L/∂x = 3: the tangent's slope."


def test_the_curve_is_blue_and_the_tangent_amber(user: Driver) -> None:
    see(user, through("Square", 1.0), "x")
    assert ends(user) == (0.0, 2.0)
    assert is_painted(user, 1.75, 1.75**2, "value")
    # The tangent at 1 is 2 x - 1; at 0.7 it lies 0.09 below the curve.
    assert is_painted(user, 0.7, 0.4, "grad.text")


def test_at_a_kink_both_slopes_are_told(user: Driver) -> None:
    see(user, through("Abs", 0.0), "x")
    assert said(user) == "∂L/∂x = 0, at a kink: the slope is −1 to the left and 1 to the right."
    assert (0.0, 0.0) in curve(user)
    slopes = {round((b[1] - a[1]) / (b[0] - a[0]), 9) for a, b in pairwise(curve(user))}
    assert slopes == {-1.0, 1.0}


def test_the_stop_of_the_stable_softmax_changes_no_slope(user: Driver) -> None:
    see(user, load(example_path("softmax_stable")).graph, "x")
    press(user, "slice_next")
    press(user, "slice_next")
    assert said(user) == "∂L/∂x[2] ≈ 0.279: the tangent's slope."


def test_behind_a_stop_gradient_the_true_slope_stands_beside_the_gradient(user: Driver) -> None:
    see(user, through("StopGradient", -1.5, "Square"), "x")
    assert said(user) == "Finite differences estimate a slope of −3, but ∂L/∂x = 0: StopGradient blocks every path."


def test_a_stop_on_one_of_two_ways_lets_a_part_pass(user: Driver) -> None:
    """Uses x * stop(x) at 2: the curve rises with 4, the gradient is 2."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(2.0))
    for place, (name, kind) in enumerate((("stop", "StopGradient"), ("m", "Multiply"), ("loss", "Loss"))):
        graph = with_block(graph, name, kind, (240 + 240 * place, 0))
    see(user, wired(graph, "x.y > stop.x", "x.y > m.x", "stop.y > m.y", "m.z > loss.x"), "x")
    assert said(user) == (
        "Finite differences estimate a slope of 4, but ∂L/∂x = 2: StopGradient on this path (stop) changes it."
    )


def test_the_true_slope_is_drawn_where_it_is_another(user: Driver) -> None:
    """Expects the curve of the square to fall with 3 at -1.5; the gradient behind the stop is level."""
    see(user, through("StopGradient", -1.5, "Square"), "x")
    at, low = -1.5, ends(user)[0]
    places = np.linspace(at, at - 0.2 * (ends(user)[1] - low), 60)[5:]
    assert any(is_painted(user, place, 2.25 - 3 * (place - at), "text.secondary") for place in places)


def test_where_the_loss_does_not_change_the_curve_is_level(user: Driver) -> None:
    graph = with_block(number(), "free", "Input", (0, 300), value=np.array(1.0))
    see(user, graph, "free")
    assert said(user) == "∂L/∂free = 0: the curve has slope 0 here."
    assert {loss for _, loss in curve(user)} == {1.0}


def test_where_the_loss_is_not_a_number_the_curve_has_a_gap(user: Driver) -> None:
    see(user, through("Log", 1.0), "x")
    press(user, "slice_wider")
    assert ends(user) == (-2.0, 2.0)
    assert min(place for place, _ in curve(user)) > 0
    assert curve(user)[-1] == (2.0, pytest.approx(np.log(2.0)))


def test_at_a_loss_that_is_not_finite_there_is_a_curve_without_a_slope(user: Driver) -> None:
    see(user, through("Log", -1.0), "x")
    press(user, "slice_wider")
    assert said(user) == "L is NaN at the present value of x: no slope here."
    assert plot(user).runs


@pytest.mark.parametrize(
    ("graph", "block", "part"),
    a_third_of(
        [
            (Graph(), "", "Place an Input or a Variable"),
            (with_block(Graph(), "x", "Input", (0, 0), value=np.ones(2)), "x", "Add a Loss block"),
            (with_block(number(), "i", "Input", (0, 300), value=np.arange(3)), "i", "i is int64"),
            (with_block(number(), "n", "Input", (0, 300), value=np.ones((0, 2))), "n", "has no elements"),
            (through("Exp", np.inf), "x", "x is unknown, NaN or infinite"),
            (through("Log", -1.0), "x", "L is NaN or infinite over this range of x"),
        ]
    ),
)
def test_what_is_missing_is_said(user: Driver, graph: Graph, block: str, part: str) -> None:
    see(user, graph, block)
    assert part in said(user)
    assert not user.child(QToolButton, "slice_copy").isEnabled()


def test_a_loss_that_is_added_brings_the_curve(user: Driver) -> None:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(2.0))
    see(user, graph, "x")
    user.session.apply("Add", lambda old: wired(with_block(old, "loss", "Loss", (240, 0)), "x.y > loss.x"))
    user.settle()
    assert said(user) == "∂L/∂x = 1: the tangent's slope."


def test_it_follows_the_selection_and_keeps_the_last_source(user: Driver) -> None:
    see(user, with_block(chain(), "w", "Variable", (0, 400), value=np.ones((2, 2))), "x")
    box = user.child(QComboBox, "slice_block")
    assert box.currentText() == "x"
    choose(user, "e")
    assert box.currentText() == "x"
    choose(user, "w")
    assert box.currentText() == "w"
    choose(user)
    assert box.currentText() == "w"


def test_any_element_of_any_rank_is_reached_by_its_index(user: Driver) -> None:
    see(user, through("Square", np.arange(12.0).reshape(2, 2, 3)), "x")
    box = user.child(QSpinBox, "slice_element")
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "[1, 0, 2]")
    QTest.keyClick(box, Key.Key_Return)
    user.settle()
    assert said(user) == "∂L/∂x[1, 0, 2] = 16: the tangent's slope."
    press(user, "slice_next")
    assert "∂L/∂x[1, 1, 0] = 18" in said(user)


@pytest.mark.parametrize("typed", a_third_of(["[7]", "[0, 1]", "nothing", "", "[-1]", "1.5"]))
def test_an_index_that_is_not_there_leaves_the_element(user: Driver, typed: str) -> None:
    see(user, chain(), "x")
    box = user.child(QSpinBox, "slice_element")
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, typed or " ")
    QTest.keyClick(box, Key.Key_Return)
    user.canvas.setFocus()
    user.settle()
    assert (box.value(), box.text()) == (0, "[0]")
    assert "∂L/∂x[0] ≈ 2.718" in said(user)


def test_a_click_into_the_table_of_the_inspector_chooses_the_element(user: Driver) -> None:
    see(user, chain(), "x")
    table = user.child(QTableView, "value_table")
    user.qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(2, 1)).center())
    user.settle()
    assert "∂L/∂x[2]" in said(user)


def test_a_click_into_the_table_of_another_block_chooses_nothing(user: Driver) -> None:
    see(user, chain(), "x")
    choose(user, "e")
    table = user.child(QTableView, "value_table")
    user.qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(2, 1)).center())
    user.settle()
    assert "∂L/∂x[0]" in said(user)


def test_arrows_step_through_elements_and_ranges(user: Driver) -> None:
    see(user, chain(), "x")
    first = ends(user)
    plot(user).setFocus()
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Left):
        QTest.keyClick(plot(user), key)
    user.settle()
    assert "x[1]" in said(user)
    QTest.keyClick(plot(user), Key.Key_Up)
    user.settle()
    assert ends(user)[1] - ends(user)[0] > first[1] - first[0]
    QTest.keyClick(plot(user), Key.Key_Down)
    user.settle()
    assert ends(user)[1] - ends(user)[0] == first[1] - first[0]


def test_the_range_can_always_be_changed_and_the_present_place_stays_in_it(user: Driver) -> None:
    see(user, through("Square", 1.5), "x")
    for name, count in (("slice_narrower", 60), ("slice_wider", 90)):
        for _ in range(count):
            user.child(QToolButton, name).click()
        user.settle()
        low, high = ends(user)
        assert low < 1.5 < high
        assert "tangent" in said(user)


def test_a_dragged_slider_moves_the_point_along_a_curve_that_stands(user: Driver) -> None:
    see(user, number(), "a")
    start, stop = user.points.view(user.points.knob("a", share=0.5)), user.points.view(user.points.knob("a", share=0.6))
    user.hand.send(Kind.MouseButtonPress, start, LEFT, LEFT)
    seen = []
    for share in (0.25, 0.5, 0.75, 1.0):
        user.hand.send(Kind.MouseMove, start + (stop - start) * share, Button.NoButton, LEFT)
        user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy)
        user.settle()
        seen.append((float(user.block("a").parameters["value"]), said(user), ends(user)))  # type: ignore[arg-type]
    user.hand.send(Kind.MouseButtonRelease, stop, LEFT)
    user.settle()
    assert len({sentence for _, sentence, _ in seen}) == 4
    for value, sentence, (low, high) in seen:
        assert low < value < high
        assert f"∂L/∂a = {2 * value:.4g}" in sentence


def test_the_curve_is_copied_as_csv(user: Driver) -> None:
    see(user, through("Square", [[1.0, 2.0]]), "x")
    press(user, "slice_copy")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == '"x[0, 0]",L'
    pairs = [tuple(map(float, line.split(","))) for line in lines[1:]]
    assert all(loss == pytest.approx(place**2 + 4) for place, loss in pairs)
    assert pairs[0][0] == ends(user)[0] and pairs[-1][0] == ends(user)[1]


def test_the_curve_is_told_in_words(user: Driver) -> None:
    see(user, through("Square", 1.0), "x")
    assert plot(user).accessibleName() == "Curve of the loss"
    assert plot(user).accessibleDescription() == (
        "∂L/∂x = 2: the tangent's slope. From 0 to 2 of x the loss lies between 0 and 4; at 1 it is 1."
    )


def test_what_nobody_sees_is_not_computed(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    user.show(chain())
    user.qtbot.mouseClick(user.child(QToolButton, "leave_panel"), LEFT)
    user.settle()
    asked: list[object] = []
    monkeypatch.setattr(user.session, "ask", lambda question, **_: asked.append(question.topic))
    user.session.apply("Change", edits.set_parameter, "main", "x", "value", np.ones(3))
    user.settle()
    assert SliceName not in asked
    user.trigger("slice")
    user.settle()
    assert asked.count(SliceName) == 1


@pytest.mark.long
@pytest.mark.parametrize("make_graph", [number, heavy])
def test_the_process_brings_the_slice_and_the_window_never_waits(
    live_user: Driver, make_graph: Callable[[], Graph]
) -> None:
    user = live_user
    see(user, make_graph(), "a")
    user.qtbot.waitUntil(lambda: bool(plot(user).runs) and "tangent" in said(user), timeout=PATIENCE_MS)
    beats: list[int] = []
    timer = QTimer(user.window)
    timer.timeout.connect(lambda: beats.append(1))
    timer.start(0)
    user.hand.drag(user.points.knob("a", share=0.2), user.points.knob("a", share=0.7), steps=20)
    wait_until_idle(user)
    value = float(user.block("a").parameters["value"])  # type: ignore[arg-type]
    user.qtbot.waitUntil(
        lambda: any(place == value for run in plot(user).runs for place, _ in run), timeout=PATIENCE_MS
    )
    timer.stop()
    assert beats
    assert "tangent" in said(user)


@pytest.mark.parametrize("y", [2.0, 30.0, 55.0, 74.0])
def test_the_texts_beside_the_point_stand_one_below_the_other_whatever_its_height(y: float) -> None:
    room = QRectF(0, 0, 200, 76)
    shown = [(top, top + 16) for top, _ in label_tops(y, room)[:2]] + [(y - 22, y - 6)]
    inside = [(low, high) for low, high in shown if low >= 0 and high <= 76]
    assert all(first[1] <= second[0] or second[1] <= first[0] for first, second in combinations(inside, 2))
    assert len(inside) >= 2 or y < 22
