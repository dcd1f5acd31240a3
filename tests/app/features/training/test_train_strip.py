"""The strip of training and its panel without a window: what they show of a training, and what can be done when."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.training.chart import Chart
from gradwire.app.features.training.charts import TrainingCharts
from gradwire.app.features.training.orders import Ended
from gradwire.app.features.training.reached import Reached
from gradwire.app.features.training.train_strip import Speed
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.features.training.training_lens import TrainingLens, ended_text
from gradwire.app.kit.controls.round_curve import LossCurve, ProgressLine
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.readings.series import TEST, Chunk
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.app.shell.window.panel_texts import PanelTexts
from gradwire.engine.graph.graph import Graph
from tests.app.features.training.test_training_desk import parabola
from tests.app.measured import measures

CSS = theme("dark").css
DOWN = {"name": "down", "rule": {"type": "descent", "rate": 0.1}}


@pytest.fixture
def appearance(qapp: QApplication) -> Iterator[Appearance]:
    """The dark theme, with texts of 100 % again in the end."""
    made = Appearance("dark")
    yield made
    made.set_text_scale(1.0)


class Scene:
    """A strip, and the panel below it, for a graph."""

    def __init__(self, qtbot: QtBot, appearance: Appearance, graph: Graph) -> None:
        self.qtbot, self.session = qtbot, Session(graph, InlineEvaluator)
        self.lens = TrainingLens(CurrentSession(self.session), appearance)
        self.strip, self.desk = self.lens.strip, self.session.part(TrainingDesk)
        qtbot.addWidget(self.lens)
        qtbot.addWidget(self.strip)
        qtbot.waitUntil(lambda: self.session.results is not None)
        self.look()
        self.strip.set_speed(Speed.MOST)

    def look(self) -> None:
        before = self.desk.plan
        self.desk.look()
        self.qtbot.waitUntil(lambda: self.desk.plan is not before)
        self.strip.refresh()

    def train(self, rounds: int) -> None:
        self.desk.train(rounds)
        self.qtbot.waitUntil(lambda: self.desk.can_reset and not self.desk.is_running)
        self.strip.refresh()

    def part(self, name: str) -> Any:
        found = self.strip.findChild(QWidget, f"training_{name}") or self.lens.findChild(QWidget, f"training_{name}")
        assert found is not None, name
        return found

    def texts(self, *names: str) -> list[str]:
        return [self.part(name).text() for name in names]

    def can(self) -> list[bool]:
        return [self.part(name).isEnabled() for name in ("run", "step", "reset", "rate")]


@pytest.fixture
def scene(qtbot: QtBot, appearance: Appearance) -> Iterator[Any]:
    made: list[Scene] = []

    def make(graph: Graph | None = None) -> Scene:
        made.append(Scene(qtbot, appearance, graph or parabola(40)))
        return made[-1]

    yield make
    for item in made:
        item.session.close()


NUMBERS = ("run", "round", "of", "loss", "was", "rounds", "rate")


def test_the_strip_tells_how_far_it_is_and_what_can_be_done(scene: Any) -> None:
    made = scene()
    assert made.texts(*NUMBERS) == ["Train", "0", "of 40", "4", "", "round 40", "0.1"]
    assert made.can() == [True, True, False, True]
    made.train(1)
    # The loss is 4 x 0.64^n.
    assert made.texts(*NUMBERS) == ["Go on", "1", "of 40", "2.56", "was 4", "round 40", "0.1"]
    assert made.can() == [True, True, True, True]
    made.train(39)
    assert made.texts("round", "of") == ["40", "of 40"]
    made.train(1)
    assert made.texts("round", "of") == ["41", "of 80"]
    made.desk.reset()
    made.qtbot.waitUntil(lambda: made.desk.shown_round == 0)
    made.strip.refresh()
    assert made.texts("run", "round", "of", "was") == ["Train", "0", "of 40", ""] and made.can()[2] is False


def test_while_it_runs_it_can_only_pause(scene: Any) -> None:
    made = scene()
    icon = made.part("run").icon().pixmap(16, 16).toImage()
    made.desk.is_running = True
    made.strip.refresh()
    assert made.texts("run") == ["Pause"] and made.can() == [True, False, False, True]
    assert made.part("run").icon().pixmap(16, 16).toImage() != icon
    made.desk.is_running = False
    made.strip.refresh()
    assert made.texts("run") == ["Train"] and made.can()[:2] == [True, True]


@pytest.mark.parametrize(
    ("rows", "fault", "can_run"), [(True, "", True), (True, "It is wrong.", False), (False, "", False)]
)
def test_without_a_plan_or_with_a_wrong_one_nothing_runs(scene: Any, rows: bool, fault: str, can_run: bool) -> None:
    made = scene()
    plan = made.desk.plan
    made.desk.plan = dataclasses.replace(plan, rows=plan.rows if rows else (), fault=fault)
    made.strip.refresh()
    assert made.can() == [can_run, can_run, False, rows]
    # What is under way can be paused whatever the plan has become.
    made.desk.is_running = True
    made.strip.refresh()
    assert made.can()[:2] == [True, False]


def test_the_line_is_filled_by_the_rounds_to_the_end(scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made, shares, curves = scene(), list[float](), list[tuple[object, ...]]()
    monkeypatch.setattr(ProgressLine, "set_share", lambda _, share: shares.append(share))
    monkeypatch.setattr(LossCurve, "show_log", lambda _, *told: curves.append(told[1:]))
    made.strip.refresh()
    made.train(10)
    assert (shares[0], shares[-1]) == (0.0, 0.25)
    assert (curves[0], curves[-1]) == (("", 40, 0), ("down", 40, 10))
    none = scene(parabola(0))
    none.strip.refresh()
    assert shares[-1] == 0.0 and none.texts("of") == ["of 0"]


def test_the_rate_is_that_of_the_first_step_that_trains(scene: Any) -> None:
    w = gw.Variable(1.0, name="w")
    given = {"name": "set", "assign": {"main/w": "main/q.y"}}
    loss = gw.graph(gw.Loss(gw.Square(w, name="q"), name="L"))
    made = scene(dataclasses.replace(loss, training={"steps": (given, DOWN)}))
    assert made.texts("rate") == ["0.1"] and made.can()[3]
    field = made.part("rate")
    field.setText("0.25")
    field.editingFinished.emit()
    assert [step.get("rule") for step in made.session.graph.training["steps"]] == [
        None,
        {"type": "descent", "rate": 0.25},
    ]
    only = scene(dataclasses.replace(loss, training={"steps": (given,)}))
    assert not only.can()[3]
    # A plan that the file does not name has the usual step.
    usual = scene(loss)
    assert usual.texts("rate") == ["0.01"] and usual.can()[3]


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("round 1,200", 1200),
        ("50", 50),
        ("after 7 rounds", 7),
        ("1 000", 1000),
        ("40", 40),
        ("soon", 40),
        ("", 40),
        ("0", 0),
    ],
)  # fmt: skip
def test_rounds_are_read_from_any_text_with_a_number(scene: Any, text: str, rounds: int) -> None:
    made = scene()
    before = made.session.graph
    field = made.part("rounds")
    field.setText(text)
    field.editingFinished.emit()
    assert made.session.graph.training["until"]["steps"] == rounds
    assert (made.session.graph is before) is (rounds == 40)


def test_the_loss_is_that_of_the_first_step_that_trains_or_the_sum_of_all(scene: Any) -> None:
    v, w = gw.Variable(3.0, name="v"), gw.Variable(1.0, name="w")
    graph = gw.graph(gw.Loss(gw.Square(v, name="q"), name="K"), gw.Loss(gw.Square(w, name="r"), name="L"))
    assert scene(graph).texts("loss") == ["10"]
    step = {**DOWN, "loss": "main/L", "variables": ["main/w"]}
    first = {"name": "set", "assign": {"main/v": "main/q.y"}}
    assert scene(dataclasses.replace(graph, training={"steps": (first, step)})).texts("loss") == ["1"]
    other = {**DOWN, "name": "up", "loss": "main/K", "variables": ["main/v"]}
    assert scene(dataclasses.replace(graph, training={"steps": (other, step)})).texts("loss") == ["9"]


def test_without_a_value_of_each_loss_there_is_none(scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    v, w = gw.Variable(3.0, name="v"), gw.Variable(1.0, name="w")
    made = scene(gw.graph(gw.Loss(gw.Square(v, name="q"), name="K"), gw.Loss(gw.Square(w, name="r"), name="L")))
    results = made.session.results
    assert results is not None
    port = type(results).port
    monkeypatch.setattr(type(results), "port", lambda found, name: None if name.path == "main/K" else port(found, name))
    made.strip.refresh()
    assert made.texts("loss") == ["–"]
    monkeypatch.setattr(type(results), "port", lambda *_: None)
    made.strip.refresh()
    assert made.texts("loss") == ["–"]


def test_a_metric_has_its_name_and_its_number_on_unseen_rows(scene: Any) -> None:
    made = scene()
    unseen, place = made.part("unseen"), made.part("metric").parentWidget()
    assert place.isHidden()
    made.desk.log.add(Chunk({"down": [0], "main/net/acc.y": [0, 1], "main/b.y": [1]},
                            {"down": [1.0], "main/net/acc.y": [0.25, 0.5], "main/b.y": [9.0]}))  # fmt: skip
    made.strip.refresh()
    assert unseen.isHidden() and made.texts("metric", "value") == ["acc", "0.5"]
    made.desk.log.add(Chunk({f"{TEST}main/net/acc.y": [1]}, {f"{TEST}main/net/acc.y": [0.125]}))
    made.strip.refresh()
    assert not unseen.isHidden() and made.texts("unseen") == ["unseen 0.125"]
    assert made.texts("was") == ["was 1"]


def test_a_text_that_is_typed_is_not_replaced(scene: Any, qtbot: QtBot) -> None:
    made = scene()
    made.strip.setParent(None)
    made.strip.show()
    field = made.part("rounds")
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.setText("12")
    made.strip.refresh()
    assert field.text() == "12"
    field.clearFocus()
    assert made.session.graph.training["until"]["steps"] == 12 and field.text() == "round 12"


@pytest.mark.parametrize("place", range(4))
def test_one_speed_is_chosen_and_limits_the_training(scene: Any, place: int) -> None:
    made = scene()
    buttons = [made.part(f"speed_{number}") for number in range(4)]
    assert [button.text() for button in buttons] == ["1/s", "in 10 s", "100/s", "max"]
    assert [button.property("look") for button in buttons] == ["first", "middle", "middle", "last"]
    assert [button.isChecked() for button in buttons] == [False, False, False, True]
    buttons[place].click()
    assert [button.isChecked() for button in buttons] == [number == place for number in range(4)]
    assert made.desk.limit == [1.0, 4.0, 100.0, None][place] and made.strip.speed is [*Speed][place]


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_strip_grows_with_its_texts_and_no_part_lies_on_another(
    scene: Any, appearance: Appearance, scale: float
) -> None:
    made = scene()
    appearance.set_text_scale(scale)
    strip = made.strip
    # The window scales the fonts that widgets set for themselves.
    PanelTexts(strip).set_scale(scale)
    sizes = {name: found[0] for name, found in measures(strip).items() if found}
    for name, width in (("run", 86), ("step", 32), ("reset", 32), ("rate", 76), ("rounds", 104)):
        part, high = made.part(name), {"run": 34, "step": 32, "reset": 32}.get(name, 26)
        assert (part.width(), part.height()) == (width * scale, high * scale)
    assert [made.part(f"speed_{number}").height() for number in range(4)] == [26 * scale] * 4
    assert sizes["ProgressLine"] == f"w{92 * scale:g}"
    curve = made.part("curve")
    assert (curve.maximumWidth(), curve.maximumHeight(), curve.minimumWidth()) == (320 * scale, 52 * scale, 60)
    strip.setParent(None)
    strip.resize(round(1366 * scale), round(84 * scale))
    strip.show()
    assert [made.part(name).font().pixelSize() for name in ("round", "loss", "value")] == [round(16 * scale)] * 3
    for name, token in (("round", "text.primary"), ("loss", "value"), ("value", "value")):
        assert made.part(name).styleSheet() == f"color: {CSS(token)}"
    rects = [part.geometry() for part in strip.findChildren(QWidget)
             if part.parentWidget() is strip and part.isVisible()]  # fmt: skip
    assert len(rects) >= 12 and not any(a.intersects(b) for n, a in enumerate(rects) for b in rects[:n])
    assert min(rect.left() for rect in rects) == 14


def test_the_large_chart_takes_the_place_of_the_small_curve(scene: Any) -> None:
    made = scene()
    place = made.part("curve").parentWidget()
    assert not place.isHidden() and made.lens.strip_height == 84
    made.lens.show()
    assert place.isHidden() and made.lens.strip_height == 76
    made.lens.hide()
    assert not place.isHidden() and made.lens.strip_height == 84


# The panel


def test_the_panel_has_charts_and_variables_or_the_plan_in_their_place(scene: Any, qtbot: QtBot) -> None:
    made = scene()
    lens = made.lens
    lens.resize(1366, 162)
    lens.show()
    qtbot.waitUntil(lambda: lens.findChild(QLabel, "plan_step_0") is not None)
    variables, plan = made.part("variables"), lens.findChild(QWidget, "plan_add")
    # 472 px for the Variables, and 14 beside them; charts take what these leave.
    assert [chart.width() for chart in lens.findChildren(Chart)] == [440, 440]
    assert (variables.width(), variables.isVisible(), plan.isVisible()) == (472, True, False)
    lens.made_menu().actions()[0].trigger()
    assert (variables.isVisible(), plan.isVisible()) == (False, True)
    menu = lens.made_menu()
    assert menu.actions()[0].isChecked()
    menu.actions()[0].trigger()
    assert variables.isVisible()


@pytest.mark.parametrize(
    ("is_running", "rows", "fault", "batches", "enabled"),
    [
        (False, True, "", None, [True, False]),
        (False, True, "", 4, [True, True]),
        (True, True, "", 4, [False, False]),
        (False, False, "", 4, [False, False]),
        (False, True, "It is wrong.", 4, [False, False]),
    ],
)
def test_ten_rounds_and_an_epoch_run_where_they_can(
    scene: Any, is_running: bool, rows: bool, fault: str, batches: int | None, enabled: list[bool]
) -> None:
    made = scene()
    made.desk.plan = dataclasses.replace(
        made.desk.plan, rows=made.desk.plan.rows if rows else (), fault=fault, batches=batches
    )
    made.desk.is_running = is_running
    entries = made.lens.made_menu().actions()[2:4]
    assert [entry.isEnabled() for entry in entries] == enabled
    assert [entry.text() for entry in entries] == [
        "Train 10 rounds", "Train one epoch: 4 rounds" if batches else "A round is an epoch",
    ]  # fmt: skip


def test_menu_and_buttons_train_so_many_rounds(scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made, asked = scene(), list[object]()
    made.desk.plan = dataclasses.replace(made.desk.plan, batches=4)
    monkeypatch.setattr(TrainingDesk, "train", lambda _, *rounds: asked.append(rounds))
    for entry in made.lens.made_menu().actions()[2:4]:
        entry.trigger()
    for name in ("run", "step"):
        made.part(name).click()
    assert asked == [(10,), (4,), (), (1,)]


def test_over_the_panel_stand_rule_and_batch_where_they_have_room(scene: Any, qtbot: QtBot) -> None:
    x, y = gw.Data(set="line", n=12, test=0.0, name="data")
    made = scene(gw.graph(gw.Loss(gw.ReduceMean(gw.Square(x * gw.Variable(1.0, name="w") - y)), name="L")))
    strip, parent = made.strip, QWidget()
    qtbot.addWidget(parent)
    strip.setParent(parent)
    strip.resize(1366, 76)
    parent.show()
    strip.show()
    assert not made.part("rule").isVisible() and not made.part("more").isVisible()
    strip.show_curve(False)
    assert made.part("rule").isVisible() and made.part("more").isVisible()
    assert (made.part("rule").currentText(), made.part("batch").text()) == ("Adam", "all 12")
    strip.resize(860, 76)
    assert made.part("more").isVisible() and not made.part("batch").isVisible()


@pytest.mark.parametrize(("text", "batch", "shown"), [("4", 4, "4"), ("all", 0, "all 12"), ("many", 0, "all 12")])
def test_the_batch_is_an_edit_of_the_data(scene: Any, text: str, batch: int, shown: str) -> None:
    x, y = gw.Data(set="line", n=12, test=0.0, batch=3, name="data")
    made = scene(gw.graph(gw.Loss(gw.ReduceMean(gw.Square(x * gw.Variable(1.0, name="w") - y)), name="L")))
    made.part("batch").setText(text)
    made.part("batch").editingFinished.emit()
    assert made.session.page.blocks["data"].parameters.get("batch", 0) == batch
    assert made.part("batch").text() == shown


def test_another_rule_keeps_the_rate(scene: Any) -> None:
    made = scene()
    rule = made.part("rule")
    rule.setCurrentIndex(rule.findData("adam"))
    rule.activated.emit(rule.currentIndex())
    assert made.session.graph.training["steps"][0]["rule"] == {"type": "adam", "rate": 0.1}


OVERFLOW = "It overflows."


@pytest.mark.parametrize(
    ("fault", "overflow", "ended", "text"),
    [
        ("", "", None, ""),
        ("It is wrong.", OVERFLOW, None, "It is wrong."),
        ("", OVERFLOW, Ended(5, "done"), "It overflows."),
        ("", "", Ended(1500, "done"), "Paused at round 1,500: done."),
    ],
)
def test_it_is_said_how_the_newest_run_has_ended(
    scene: Any, fault: str, overflow: str, ended: Ended | None, text: str
) -> None:
    made = scene()
    made.desk.fault, made.desk.reached = fault, Reached(overflow=overflow, ended=ended)
    made.desk.is_running = False
    assert ended_text(made.desk) == text


def test_wires_are_named_by_both_ends_and_variables_have_their_shapes(scene: Any) -> None:
    w = gw.Variable(np.ones((3, 2)), name="w")
    made = scene(gw.graph(gw.Loss(gw.ReduceSum(gw.Square(w, name="q"), name="s"), name="L")))
    assert made.lens._wire_name("main/q.x") == "w → q.x"
    assert made.lens._wire_name("main/q.other") == "q.other" and made.lens._wire_name("main/none.x") == "none.x"
    assert (made.lens._shape("main/w"), made.lens._shape("main/none")) == ("3×2", "")
    made.lens.show()
    made.lens.refresh()
    assert made.part("variables").accessibleDescription() == "w 3×2: |∂L| 4.899, trained by Loss ✓"


def test_variables_stand_in_the_order_in_which_the_graph_uses_them(scene: Any) -> None:
    a, b, c, d = (gw.Variable(2.0, name=name) for name in "abcd")
    made = scene(gw.graph(gw.Loss(gw.Add(gw.Multiply(gw.Exp(gw.Multiply(d, c, name="one"), name="two"), b,
                                                     name="three"), a, name="four"), name="L")))  # fmt: skip
    assert [row.name for row in made.lens._rows()[0]] == ["d", "c", "b", "a"]


def test_a_picture_of_the_charts_is_1200_by_480(scene: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made, rooms = scene(), list[tuple[object, ...]]()
    made.train(2)
    monkeypatch.setattr(TrainingCharts, "draw", lambda *given: rooms.append(given[2:]))
    for ending in ("png", "svg"):
        made.lens.save_to(tmp_path / f"a.{ending}")
    image = QImage(str(tmp_path / "a.png"))
    assert rooms == [(1200, 480)] * 2 and (image.width(), image.height()) == (1200, 480)
    assert {image.pixelColor(x, y).name() for x, y in ((0, 0), (1199, 479), (600, 240))} == {CSS("bg.app")}
    assert 'viewBox="0 0 1200 480"' in (tmp_path / "a.svg").read_text()


def test_numbers_are_copied_as_csv(scene: Any, tmp_path: Path) -> None:
    made = scene()
    made.train(2)
    made.lens.copy_csv()
    text = QGuiApplication.clipboard().text()
    assert text.splitlines()[0].split(",")[:2] == ["round", "down"] and "\n0,4" in text.replace("\r", "")
    made.lens.save_to(tmp_path / "a.CSV")
    assert (tmp_path / "a.CSV").read_text(encoding="utf-8-sig").split() == text.split()


def test_texts_that_are_large_from_the_start_grow_once(scene: Any, appearance: Appearance) -> None:
    appearance.set_text_scale(1.5)
    strip = scene().strip
    PanelTexts(strip).set_scale(1.5)
    sizes = [field.font().pixelSize() for field in (strip._round, strip._until, strip._rate)]
    assert sizes == [24, 18, 18]
