"""The loss beside its prediction from the first gradient, during the drag of a number."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.loss_prediction import LossPrediction, Prediction
from tests.app.hidden import hide
from tests.app.window.driver import Driver, Key
from tests.app.window.graphs import number

pytestmark = [pytest.mark.usefixtures("one_window"), pytest.mark.long]


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(number())
    return user


def said(user: Driver) -> str:
    sentence = user.window.parts.layout.status.sentence
    return sentence.text if sentence.icon == "target" and not sentence.act else ""


def drag(user: Driver, look: list[Prediction | None], *, end: float = 0.7) -> None:
    """Drags the slider from the number of the graph, and looks before the button is released."""
    low, high = user.canvas.mirror.slider_range("a")

    def see() -> None:
        user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy)
        # The bar follows a beat behind.
        user.qtbot.waitUntil(lambda: (said(user) != "") == (user.session.part(LossPrediction).newest is not None))
        look.append(user.session.part(LossPrediction).newest)

    start = user.points.knob("a", share=(1.0 - low) / (high - low))
    user.hand.drag(start, user.points.knob("a", share=end), steps=12, ends_with=see)


def test_the_prediction_is_the_tangent_at_the_start(here: Driver) -> None:
    seen: list[Prediction | None] = []
    drag(here, seen)
    (prediction,) = seen
    a = float(here.block("a").parameters["value"])
    assert a != 1.0
    assert prediction is not None and prediction.loss == pytest.approx(a * a)
    assert prediction.predicted == pytest.approx(2 * a - 1)
    assert prediction.loss - prediction.predicted == pytest.approx((a - 1) ** 2)


def test_after_the_release_nothing_is_predicted(here: Driver) -> None:
    drag(here, [])
    assert here.session.part(LossPrediction).newest is None and said(here) == ""


def test_escape_ends_the_prediction_with_the_drag(here: Driver) -> None:
    here.hand.drag(here.points.knob("a", share=0.2), here.points.knob("a", share=0.8), ends_with=here.escape)
    assert here.session.part(LossPrediction).newest is None and said(here) == ""


def test_the_next_drag_begins_anew(here: Driver) -> None:
    drag(here, [])
    before = float(here.block("a").parameters["value"])
    seen: list[Prediction | None] = []
    low, high = here.canvas.mirror.slider_range("a")

    def see() -> None:
        here.qtbot.waitUntil(lambda: not here.session.scheduler.is_busy)
        seen.append(here.session.part(LossPrediction).newest)

    start = here.points.knob("a", share=(before - low) / (high - low))
    here.hand.drag(start, here.points.knob("a", share=0.9), ends_with=see)
    after = float(here.block("a").parameters["value"])
    (prediction,) = seen
    assert prediction is not None and prediction.predicted == pytest.approx(before**2 + 2 * before * (after - before))


def test_hidden_gradients_predict_nothing(here: Driver) -> None:
    hide(here.session, GradientMask())
    seen: list[Prediction | None] = []
    drag(here, seen)
    assert seen == [None]


def test_close_numbers_are_told_apart() -> None:
    assert Prediction(0.77891, 0.78023).text == "L 0.77891, predicted 0.78023, gap \N{MINUS SIGN}0.00132"


def step_in(user: Driver, field: QLineEdit, *keys: Key) -> Prediction | None:
    for key in keys:
        QTest.keyClick(field, key)
        user.settle()
        user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy)
    return user.session.part(LossPrediction).newest


def test_steps_in_the_inspector_are_predicted_from_the_first_on(here: Driver) -> None:
    graph = here.graph
    here.hand.click(here.points.title("a"))
    field = here.child(QLineEdit, "parameter_value")
    field.setFocus()
    prediction = step_in(here, field, Key.Key_Up, Key.Key_Up, Key.Key_Up)
    assert float(here.block("a").parameters["value"]) == pytest.approx(1.3)
    assert prediction is not None and prediction.predicted == pytest.approx(1 + 2 * 0.3)
    assert prediction.loss == pytest.approx(1.3**2)
    assert said(here) == prediction.text
    here.canvas.setFocus()
    here.settle()
    assert here.session.part(LossPrediction).newest is None and said(here) == ""
    here.undo()
    assert here.graph is graph


def test_what_is_typed_into_the_inspector_ends_the_prediction(here: Driver) -> None:
    here.hand.click(here.points.title("a"))
    field = here.child(QLineEdit, "parameter_value")
    field.setFocus()
    assert step_in(here, field, Key.Key_Down) is not None
    field.selectAll()
    QTest.keyClicks(field, "5")
    assert step_in(here, field, Key.Key_Return) is None


def test_steps_in_the_field_on_the_canvas_are_predicted_and_one_entry(here: Driver) -> None:
    graph = here.graph
    here.hand.double_click(here.points.number("a"))
    field = here.popups.inline()
    assert isinstance(field, QLineEdit)
    prediction = step_in(here, field, Key.Key_Up, Key.Key_Up)
    a = float(here.block("a").parameters["value"])
    assert a > 1 and field.text() == f"{a:.12g}"
    assert prediction is not None and prediction.predicted == pytest.approx(2 * a - 1)
    QTest.keyClick(field, Key.Key_Return)
    here.settle()
    assert here.session.part(LossPrediction).newest is None
    assert float(here.block("a").parameters["value"]) == a
    here.undo()
    assert here.graph is graph


def test_escape_takes_steps_in_the_field_on_the_canvas_back(here: Driver) -> None:
    graph = here.graph
    here.hand.double_click(here.points.number("a"))
    field = here.popups.inline()
    assert isinstance(field, QLineEdit)
    assert step_in(here, field, Key.Key_Down) is not None
    QTest.keyClick(field, Key.Key_Escape)
    here.settle()
    assert here.graph is graph
    assert here.session.part(LossPrediction).newest is None and here.undo_text() is None
