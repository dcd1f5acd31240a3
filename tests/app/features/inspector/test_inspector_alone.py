"""Views of blocks and wires without a window: what they read, where, and what the inspector asks and keeps."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.inspector.block_view import BlockView
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.inspector.page_view import PageView
from gradwire.app.features.inspector.wire_view import WireView
from gradwire.app.kit.controls.form_parts import Head
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, Reply, TensorName
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Port, Wire
from tests.app.canvas.pages import chain, with_block

DARK = Appearance("dark")


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    """x -> e -> s -> loss, t that is not connected, and v of three zeros."""
    graph = with_block(chain(1.0, 2.0), "t", "Tanh", (240, 300))
    graph = with_block(graph, "v", "Variable", (0, 300), start={"kind": "zeros"}, shape=(3,))
    made = Session(graph, InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


def text(view: QWidget, name: str) -> str:
    found = view.findChild(QWidget, f"inspector_{name}")
    assert isinstance(found, QLineEdit | QLabel)
    return found.text()


def is_there(view: QWidget, name: str) -> bool:
    found = view.findChild(QWidget, f"inspector_{name}")
    assert isinstance(found, QWidget)
    return not found.isHidden()


@pytest.fixture
def blocks(session: Session, qtbot: QtBot) -> BlockView:
    made = BlockView(CurrentSession(session), DARK)
    qtbot.addWidget(made)
    return made


def show(view: BlockView, name: str) -> None:
    view.show_block(view.session.page.blocks[name])


@pytest.mark.parametrize(
    ("name", "dtype", "shape", "is_shape_there"),
    [
        ("x", "float64", "[2]", True),
        ("e", "float64", "[2] → [2]", True),
        ("s", "float64", "[2] → []", True),
        ("loss", "float64", "[] → []", True),
        ("t", "?", "?", True),
        # A start has the shape in a row of its own.
        ("v", "float64", "[3]", False),
    ],
)
def test_a_block_has_dtype_and_shapes(
    blocks: BlockView, name: str, dtype: str, shape: str, is_shape_there: bool
) -> None:
    show(blocks, name)
    assert (text(blocks, "dtype"), text(blocks, "shape"), is_there(blocks, "shape")) == (dtype, shape, is_shape_there)
    assert not is_there(blocks, "origin") and not is_there(blocks, "port")


def test_a_block_of_a_model_tells_where_it_comes_from(blocks: BlockView) -> None:
    block = blocks.session.page.blocks["e"]
    for origin, shown in (("model.py:3", "model.py:3"), (7, "")):
        known = dataclasses.replace(block, extra={"origin": origin})
        page = blocks.session.page
        changed = dataclasses.replace(page, blocks={**page.blocks, "e": known})
        blocks.session.apply("Know", lambda graph, page=changed: dataclasses.replace(graph, pages=(page,)))
        show(blocks, "e")
        assert (text(blocks, "origin"), is_there(blocks, "origin")) == (shown, bool(shown))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("e", [TensorName(PortName("main/e", "y")), TensorName(PortName("main/e", "y"), True)]),
        ("loss", [TensorName(PortName("main/loss", "y")), TensorName(PortName("main/loss", "y"), True)]),
    ],
)
def test_a_block_shows_the_value_and_the_gradient_of_its_output(
    blocks: BlockView, name: str, wanted: list[TensorName]
) -> None:
    show(blocks, name)
    assert blocks.wanted() == wanted


def test_the_places_of_a_block_are_its_output_and_what_arrives(blocks: BlockView) -> None:
    show(blocks, "e")
    assert blocks.places() == [PortName("main/e", "y"), Link(PortName("main/x", "y"), PortName("main/e", "x"))]
    show(blocks, "loss")
    link = Link(PortName("main/s", "y"), PortName("main/loss", "x"))
    assert blocks.places() == [PortName("main/loss", "y"), link]
    assert (blocks.subject, blocks._outputs()) == ("Loss", ["y"])


def test_wires_into_a_block_are_in_the_order_of_its_ports(qtbot: QtBot) -> None:
    x, y = gw.Input(np.array(1.0), name="x"), gw.Input(np.array(2.0), name="y")
    shown = Session(gw.graph(gw.Loss(gw.Where(gw.Greater(x, y, name="g"), y, x, name="w"))), InlineEvaluator)
    view = BlockView(CurrentSession(shown), DARK)
    qtbot.addWidget(view)
    page = shown.page
    turned = dataclasses.replace(page, wires=dict(reversed(page.wires.items())))
    shown.apply("Turn", lambda graph: dataclasses.replace(graph, pages=(turned,)))
    show(view, "w")
    names = [wire.target.name for wire in view._wires()]
    block_type = library.get("Where")
    assert block_type is not None and names == [port.name for port in block_type.inputs]
    assert names != [wire.target.name for wire in turned.wires.values() if wire.target.block == "w"]
    shown.close()


def test_the_kind_of_a_block_has_a_formula_where_there_is_one(blocks: BlockView) -> None:
    show(blocks, "e")
    assert text(blocks, "kind") == "Elementwise · e^x"
    blocks.show_block(Block("e", "Elu"))
    assert text(blocks, "kind") == "Activations"


def test_typed_names_and_labels_lose_the_spaces_around_them(blocks: BlockView) -> None:
    asked: list[tuple[str, str]] = []
    blocks.rename_asked.connect(lambda *names: asked.append(names))
    show(blocks, "e")
    blocks._rename("  new ")
    assert asked == [("e", "new")]
    blocks._set_label(" label ")
    assert blocks.session.page.blocks["e"].label == "label"
    blocks._set_label("  ")
    assert blocks.session.page.blocks["e"].label is None


def test_rows_are_kept_for_types_that_come_again(blocks: BlockView) -> None:
    show(blocks, "s")
    rows = blocks._rows
    show(blocks, "x")
    assert blocks._rows is not rows and rows is not None and rows.isHidden()
    show(blocks, "s")
    assert blocks._rows is rows and not rows.isHidden()
    show(blocks, "e")
    assert blocks._rows is None and rows.isHidden()
    show(blocks, "s")
    assert blocks._rows is rows and not rows.isHidden()


def test_a_block_that_is_gone_leaves_the_view_as_it_is(blocks: BlockView) -> None:
    show(blocks, "e")
    before = text(blocks, "shape")
    blocks._id = "gone"
    blocks.refresh()
    assert text(blocks, "shape") == before
    blocks.begin_document()
    assert blocks.subject == "" and blocks._id == "" and blocks._port == ""


@pytest.fixture
def wires(session: Session, qtbot: QtBot) -> WireView:
    made = WireView(CurrentSession(session), DARK)
    qtbot.addWidget(made)
    return made


def wire(session: Session, target: str) -> Wire:
    return next(item for item in session.page.wires.values() if str(item.target) == target)


def test_a_wire_has_its_ends_and_what_it_carries(wires: WireView) -> None:
    assert (wires.subject, wires.places(), wires.wanted()) == ("", [], [])
    wires.refresh()
    wires.show_wire(wire(wires.session, "s.x"))
    assert [text(wires, name) for name in ("from", "to", "spec")] == ["e.y   Exp", "s.x   ReduceSum", "float64 [2]"]
    link = Link(PortName("main/e", "y"), PortName("main/s", "x"))
    assert wires.subject == "Exp" and wires.places() == [link, PortName("main/e", "y")]
    assert wires.wanted() == [TensorName(PortName("main/e", "y")), TensorName(link, True)]
    assert text(wires, "title") == "Why this gradient?"
    wires.begin_document()
    assert wires.places() == []


def test_a_wire_from_nowhere_carries_nothing_known(wires: WireView) -> None:
    wires.show_wire(Wire(Port("gone", "y"), Port("t", "x")))
    assert [text(wires, name) for name in ("from", "spec")] == ["gone.y", "?"] and wires.subject == ""


def test_the_whole_gradient_stands_below_that_of_one_wire_of_several(qtbot: QtBot) -> None:
    x = gw.Input(np.array(3.0), name="x")
    shown = Session(gw.graph(gw.Loss(gw.Multiply(gw.Exp(x, name="e"), x, name="m"))), InlineEvaluator)
    for target, headings in (("e.x", ["∂L/∂x in all"]), ("m.x", [])):
        view = WireView(CurrentSession(shown), DARK)
        qtbot.addWidget(view)
        view.show_wire(wire(shown, target))
        found = [view.findChild(QLabel, f"why_heading_{number}") for number in range(2)]
        assert [item.text() for item in found if item is not None and not item.parentWidget().isHidden()] == headings
    shown.close()


@pytest.mark.parametrize(
    ("made", "target", "title"),
    [
        (lambda x: gw.Exp(x, name="e"), "e.x", "Why this gradient?"),
        (lambda x: gw.Add(gw.StopGradient(x, name="e"), x), "e.x", "Why 0?"),
        (lambda x: gw.Sqrt(gw.Subtract(x, 3.0, name="d"), name="e"), "e.x", "Why NaN?"),
    ],
)  # fmt: skip
def test_the_title_of_a_wire_is_its_question(made: object, target: str, title: str, qtbot: QtBot) -> None:
    shown = Session(gw.graph(gw.Loss(made(gw.Input(np.array(3.0), name="x")))), InlineEvaluator)  # type: ignore[operator]
    view = WireView(CurrentSession(shown), DARK)
    qtbot.addWidget(view)
    view.show_wire(wire(shown, target))
    assert text(view, "title") == title
    shown.close()


# The inspector


class Bench:
    """An inspector whose questions are kept."""

    def __init__(self, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[Question] = []
        monkeypatch.setattr(Session, "ask", lambda _, question, **__: self.asked.append(question))
        self.inspector = Inspector(CurrentSession(session), DARK)
        qtbot.addWidget(self.inspector)
        self.inspector.resize(320, 400)
        self.inspector.show()

    @property
    def session(self) -> Session:
        return self.inspector.session

    def select(self, *names: str) -> None:
        self.session.select(Selection(blocks=frozenset(names)))


@pytest.fixture
def bench(session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(session, qtbot, monkeypatch)


def test_each_question_is_asked_once_until_three_runs_later(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.select("e")
    inspector, results = bench.inspector, bench.session.results
    assert results is not None and inspector._view is not None
    wanted = list(inspector._view.questions())
    assert wanted and [item for item in bench.asked if item in wanted] == wanted
    for later, count in ((0, 1), (2, 1), (3, 2), (4, 2), (6, 3)):
        then = dataclasses.replace(results, revision=results.revision + later)
        monkeypatch.setattr(Session, "results", then)
        inspector._ask()
        assert bench.asked.count(wanted[0]) == count
    monkeypatch.setattr(Session, "results", None)
    inspector._ask()
    assert bench.asked.count(wanted[0]) == 3


def test_an_answer_about_an_older_run_asks_anew(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.select("e")
    inspector, results = bench.inspector, bench.session.results
    assert results is not None and inspector._view is not None
    name = next(iter(inspector._view.questions()))
    for revision, is_asked in ((results.revision, False), (results.revision - 1, True)):
        inspector._asked = {name: results.revision}
        bench.asked.clear()
        inspector._take_reply(Reply(name, revision, None))
        assert (name in bench.asked) is is_asked and name in inspector._answers
    inspector._asked, inspector._answers = {}, {}
    inspector._take_reply(Reply(name, results.revision, None))
    assert inspector._answers == {}


def test_each_kind_of_selection_has_its_view_and_keeps_it(bench: Bench) -> None:
    inspector, session = bench.inspector, bench.session
    first, kinds = {}, [PageView, BlockView, WireView]
    for _ in range(2):
        for kind, chosen in zip(
            kinds,
            (Selection(), Selection(blocks=frozenset("e")), Selection(wires=frozenset((wire(session, "s.x"),)))),
            strict=True,
        ):
            session.select(chosen)
            assert type(inspector._view) is kind and first.setdefault(kind, inspector._view) is inspector._view
            assert not inspector._view.isHidden()
            assert all(view.isHidden() for view in inspector._views.values() if view is not inspector._view)
    session.select(Selection(blocks=frozenset("e"), wires=frozenset((wire(session, "s.x"),))))
    assert type(inspector._view).__name__ == "SeveralView"
    session.select(Selection(notes=frozenset("n")))
    assert type(inspector._view).__name__ == "SeveralView"


def test_another_height_is_told_of_layouts_alone(bench: Bench) -> None:
    heard: list[bool] = []
    bench.inspector.fitted.connect(lambda: heard.append(True))
    for kind, count in ((QEvent.Type.EnabledChange, 0), (QEvent.Type.LayoutRequest, 1)):
        bench.inspector.eventFilter(bench.inspector, QEvent(kind))
        assert len(heard) == count


def test_what_is_shown_for_a_reason_is_scrolled_to_and_stays(bench: Bench) -> None:
    inspector = bench.inspector
    inspector.show_why()
    assert inspector._held is None
    bench.select("e")
    bar = inspector._area.verticalScrollBar()
    inspector._area.widget().setFixedHeight(3000)
    why = inspector._view.why  # type: ignore[union-attr]
    assert why is not None
    inspector.show_why()
    assert inspector._held is why
    place = why.mapTo(inspector._view, why.rect().topLeft()).y()
    # Its title, 36 px high, is seen with it.
    assert bar.value() == min(max(place - 36, 0), bar.maximum())
    bar.actionTriggered.emit(1)
    assert inspector._held is None
    inspector.run_part("none")
    inspector.edit_parameter("none")
    assert inspector._held is None
    session = inspector.session
    session.select(Selection(wires=frozenset((wire(session, "s.x"),))))
    bar.setValue(50)
    inspector.show_why()
    assert bar.value() == 0


def test_the_inspector_has_a_usual_and_a_least_width(bench: Bench) -> None:
    inspector = bench.inspector
    assert inspector.sizeHint() == QSize(320, 600) and inspector.minimumWidth() == 280


def test_the_button_of_the_card_has_room_in_each_head(bench: Bench) -> None:
    for selected in (Selection(), Selection(frozenset(["e"]))):
        bench.session.select(selected)
        view = bench.inspector._view
        row = None if view is None else view.findChild(Head).layout().itemAt(0).layout()  # type: ignore[union-attr]
        assert row is not None and row.contentsMargins().right() == 22


def test_the_mode_of_a_type_stays_its_own(bench: Bench) -> None:
    inspector = bench.inspector
    bench.select("e")
    inspector._note_mode("hist")
    assert (inspector._mode, inspector._modes) == ("hist", {"Exp": "hist"})
    bench.select("s")
    inspector._note_mode("table")
    assert inspector._modes == {"Exp": "hist", "ReduceSum": "table"}
