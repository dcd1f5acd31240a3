"""Numbers changed on the canvas itself: by slider, by dragging sideways, or by typing."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import MAIN, chain, number, wired, with_block
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("one_window")


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(number())
    return user


def value(user: Driver, block_id: str = "a") -> np.ndarray:
    found = user.block(block_id).parameters["value"]
    assert isinstance(found, np.ndarray)
    return found


def test_a_slider_drag_is_one_entry(here: Driver) -> None:
    graph = here.graph
    here.hand.drag(here.points.knob("a", share=0.2), here.points.knob("a", share=0.6), steps=20)
    low, high = here.canvas.mirror.slider_range("a")
    assert value(here) == pytest.approx(low + 0.6 * (high - low), abs=(high - low) / 50)
    assert here.undo_text() == "Set a"
    here.undo()
    assert here.graph is graph


def test_a_slider_sets_values_while_it_is_dragged(here: Driver) -> None:
    seen: list[float] = []
    here.session.graph_changed.connect(lambda *_: seen.append(float(value(here))))
    here.hand.drag(here.points.knob("a", share=0.1), here.points.knob("a", share=0.9), steps=16)
    assert len(set(seen)) > 8
    assert seen == sorted(seen)


def test_escape_takes_a_slider_back_to_the_very_graph(here: Driver) -> None:
    graph = here.graph
    here.hand.drag(here.points.knob("a", share=0.2), here.points.knob("a", share=0.8), ends_with=here.escape)
    assert here.graph is graph


def test_escape_after_a_press_on_the_knob_takes_nothing_else_back(here: Driver) -> None:
    low, high = here.canvas.mirror.slider_range("a")
    before = here.graph
    here.hand.click(here.points.title("q"))
    here.key(Key.Key_M)
    muted = here.graph
    at = here.points.knob("a", share=(1.0 - low) / (high - low))
    here.hand.drag(at, at, steps=1, ends_with=here.escape)
    assert here.graph == muted
    here.undo()
    assert here.graph == before


def test_two_drags_are_two_entries(here: Driver) -> None:
    here.hand.drag(here.points.knob("a", share=0.2), here.points.knob("a", share=0.6))
    first = here.graph
    here.hand.drag(here.points.knob("a", share=0.6), here.points.knob("a", share=0.9))
    here.undo()
    assert here.graph is first


def test_the_range_of_a_slider_stays_while_it_is_only_painted(here: Driver) -> None:
    before = here.canvas.mirror.slider_range("a")
    for _ in range(5):
        here.canvas.painted.repaint()
        here.canvas.grab()
    assert here.canvas.mirror.slider_range("a") == before


def test_a_slider_keeps_within_the_bounds_of_the_block(user: Driver) -> None:
    graph = with_block(number(), "b", "Input", (0, 240), value=np.array(1.0), minimum=-2.0, maximum=4.0)
    user.show(graph)
    user.hand.drag(user.points.knob("b", share=0.5), user.points.knob("b", share=0.5) + QPointF(900, 0))
    assert value(user, "b") == 4.0
    user.hand.drag(user.points.knob("b", share=1.0), user.points.knob("b", share=1.0) - QPointF(900, 0))
    assert value(user, "b") == -2.0


def test_the_sliders_of_a_vector_change_one_element_each(user: Driver) -> None:
    user.show(chain())
    user.hand.drag(user.points.knob("x", 1, 0.5), user.points.knob("x", 1, 0.0))
    assert value(user, "x").tolist() == [1.0, 0.0, 3.0]


def test_a_drag_sideways_over_a_number_scrubs_it(user: Driver) -> None:
    user.show(chain())
    low, high = user.canvas.mirror.slider_range("x")
    start = user.points.number("x", 0)
    graph = user.graph
    user.hand.drag(start, start + QPointF(40, 0), steps=10)
    # Ten steps of a hundredth of the range, rounded to 1, 2 or 5.
    assert value(user, "x")[0] == pytest.approx(1.0 + 10 * 0.05)
    assert (low, high) == (0.0, 5.0)
    assert user.undo_text() == "Set x"
    user.undo()
    assert user.graph is graph


def test_shift_scrubs_a_tenth_and_ctrl_ten_times(user: Driver) -> None:
    user.show(chain())
    start = user.points.number("x", 0)
    user.hand.drag(start, start + QPointF(40, 0), keys=Mod.ShiftModifier, steps=10)
    assert value(user, "x")[0] == pytest.approx(1.05)
    user.undo()
    user.hand.drag(start, start + QPointF(40, 0), keys=Mod.ControlModifier, steps=10)
    assert value(user, "x")[0] == pytest.approx(6.0)


def test_escape_reverts_a_scrub(user: Driver) -> None:
    user.show(chain())
    graph, start = user.graph, user.points.number("x", 0)
    user.hand.drag(start, start + QPointF(60, 0), steps=10, ends_with=user.escape)
    assert user.graph is graph


def test_integers_scrub_in_whole_steps(user: Driver) -> None:
    graph = with_block(number(), "n", "Input", (0, 240), value=np.array([2, 5], np.int32))
    user.show(graph)
    start = user.points.number("n", 0)
    user.hand.drag(start, start + QPointF(12, 0), steps=3)
    assert value(user, "n").tolist() == [5, 5]
    assert value(user, "n").dtype == np.int32


@pytest.mark.parametrize(("way", "expected"), [(4000, [255, 5]), (-4000, [0, 5])])
def test_integers_are_kept_within_their_range(user: Driver, way: float, expected: list[int]) -> None:
    user.show(with_block(number(), "n", "Input", (0, 240), value=np.array([2, 5], np.uint8)))
    start = user.points.number("n", 0)
    user.hand.drag(start, start + QPointF(way, 0), steps=10)
    assert value(user, "n").tolist() == expected


def test_a_double_click_on_a_number_types_another(user: Driver) -> None:
    user.show(chain())
    graph = user.graph
    user.hand.double_click(user.points.number("x", 1))
    field = user.popups.inline()
    assert isinstance(field, QLineEdit)
    assert field.text() == "2"
    user.popups.type_inline("-7.25")
    assert value(user, "x").tolist() == [1.0, -7.25, 3.0]
    user.undo()
    assert user.graph is graph


@pytest.mark.parametrize("share", a_third_of([0.1, 0.4, 0.8]))
def test_a_double_click_on_a_slider_sets_it_once_and_types_nothing(here: Driver, share: float) -> None:
    graph = here.graph
    here.hand.double_click(here.points.knob("a", share=share))
    assert not here.popups.fields()
    assert here.graph is not graph
    here.undo()
    assert here.graph is graph


def test_a_number_typed_on_a_scalar_changes_it(here: Driver) -> None:
    here.hand.double_click(here.points.number("a"))
    field = here.popups.inline()
    field.setText("\N{MINUS SIGN}2")
    field.deselect()
    QTest.keyClicks(field, ".5")
    QTest.keyClick(field, Key.Key_Return)
    assert value(here) == -2.5


@pytest.mark.parametrize("text", a_third_of(["three", "", "1 2", "1,5", "0x10", "1_000", "sqrt(x)", "zeros(2)"]))
def test_what_is_no_number_is_refused_with_a_sentence(here: Driver, text: str) -> None:
    graph, said = here.graph, here.listen()
    here.hand.double_click(here.points.number("a"))
    field = here.popups.inline()
    field.clear()
    here.popups.type_inline(text)
    assert here.graph is graph
    assert len(said) == 1
    assert said[0].endswith(".")
    assert not here.popups.fields()


def test_a_typed_expression_is_computed(here: Driver) -> None:
    here.hand.double_click(here.points.number("a"))
    here.popups.type_inline("sqrt(2) / 2")
    assert value(here) == pytest.approx(2**-0.5)


def test_a_typed_number_keeps_all_its_digits_and_one_too_large_is_refused(user: Driver) -> None:
    user.show(with_block(number(), "n", "Input", (0, 240), value=np.array([2, 5], np.float16)))
    user.hand.double_click(user.points.number("a"))
    user.popups.type_inline("0.12345678901234567")
    assert value(user) == 0.12345678901234567
    said = user.listen()
    user.hand.double_click(user.points.number("n", 0))
    user.popups.type_inline("1e6")
    assert said == ["n is float16, which cannot hold 1e6."]


@pytest.mark.parametrize("text", a_third_of(["nan", "inf", "1e400", "1.5", "3000000000"]))
def test_what_an_integer_cannot_hold_is_refused_with_a_sentence(user: Driver, text: str) -> None:
    user.show(with_block(number(), "n", "Input", (0, 240), value=np.array([2, 5], np.int32)))
    graph, said = user.graph, user.listen()
    user.hand.double_click(user.points.number("n", 0))
    user.popups.type_inline(text)
    assert user.graph is graph
    assert len(said) == 1
    assert said[0].endswith(".")


def test_a_value_that_arrives_by_another_way_is_what_the_next_drag_starts_from(here: Driver) -> None:
    here.hand.double_click(here.points.number("a"))
    here.popups.type_inline("40")
    low, high = here.canvas.mirror.slider_range("a")
    assert high >= 40
    at = here.points.knob("a", share=(40 - low) / (high - low))
    here.hand.drag(at, at, steps=1)
    assert value(here) == pytest.approx(40, abs=(high - low) / 100)


def test_results_follow_a_drag(here: Driver) -> None:
    here.hand.drag(here.points.knob("a", share=0.2), here.points.knob("a", share=0.6))
    here.qtbot.waitUntil(lambda: not here.session.scheduler.is_busy)
    results = here.session.results
    assert results is not None
    assert results.loss is not None
    assert float(results.loss.value) == pytest.approx(float(value(here)) ** 2)


def test_a_scrub_on_a_page_with_a_broken_block_still_works(user: Driver) -> None:
    graph = with_block(chain(), "m", "MatMul", (480, 240))
    user.show(wired(graph, "c.y > m.a"))
    start = user.points.number("x", 0)
    user.hand.drag(start, start + QPointF(8, 0), steps=2)
    assert user.page.name == MAIN
    assert value(user, "x")[0] > 1.0


def test_a_number_that_is_looked_at_keeps_all_its_digits(user: Driver) -> None:
    user.show(with_block(number(), "third", "Input", (0, 200), value=np.array(1 / 3)))
    graph = user.graph
    user.hand.double_click(user.points.number("third"))
    QTest.keyClick(user.popups.inline(), Key.Key_Return)
    user.settle()
    assert user.graph is graph
