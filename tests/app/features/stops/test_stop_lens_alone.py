"""The lens of stops without a window: what it asks and in which order, what it shows, and how its rows are drawn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHideEvent, QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QApplication, QSplitter, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.stops.stop_lens import StopLens
from gradwire.app.features.stops.stop_questions import StopName
from gradwire.app.features.stops.stop_rows import StopRow, two_lines
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, Reply, TensorName
from gradwire.app.live.readings.comparison import WithoutStops, WithStop
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits
from gradwire.engine.explain.stop_effects import Verdict
from tests.app.drawn_shapes import recorded
from tests.app.features.stops.test_stop_words import answer

A, B = "main/a", "main/b"
# The wire from the square to the product.
WIRE = Link(PortName("main/q", "y"), PortName("main/m", "x"))


class Asking:
    """A lens on two stops: a and b of x, whose sum is multiplied by x²; questions are kept and not answered."""

    def __init__(self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        x = gw.Input(np.array(3.0), name="x")
        stops = gw.Add(gw.StopGradient(x, name="a"), gw.StopGradient(x, name="b"), name="s")
        self.session = Session(
            gw.graph(gw.Loss(gw.Multiply(gw.Square(x, name="q"), stops, name="m"), name="loss")), InlineEvaluator
        )
        qtbot.waitUntil(lambda: self.session.results is not None)
        self.asked: list[Question] = []
        monkeypatch.setattr(Session, "ask", lambda _, question: self.asked.append(question))
        self.previews: list[object] = []
        monkeypatch.setattr(self.session.runs, "set_preview", self.previews.append)
        self.lens = StopLens(CurrentSession(self.session), Appearance("dark"))
        qtbot.addWidget(self.lens)
        self.lens.resize(900, 300)
        self.lens.show()
        QApplication.processEvents()
        self.asked.clear()
        self.lens._asked_of = None
        self.lens.refresh()

    @property
    def places(self) -> list[object]:
        return [question.place for question in self.asked if isinstance(question, StopName)]

    def select(self, *targets: str) -> None:
        wires = [wire for wire in self.session.page.wires.values() if str(wire.target) in targets]
        assert len(wires) == len(targets)
        self.session.select(Selection(wires=frozenset(wires)))
        self.lens.refresh()

    @property
    def rows(self) -> list[object]:
        return [row.key for row in self.lens._stops.rows.rows]


@pytest.fixture
def asking(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    made = Asking(qtbot, monkeypatch)
    yield made
    made.session.close()


def reply(place: str | Link) -> Reply:
    return Reply(StopName(place), 1, answer(Verdict.CHANGES_NOTHING))


def test_it_asks_about_one_stop_after_the_other(asking: Asking) -> None:
    assert (asking.rows, asking.places) == ([A, B], [A])
    asking.lens.take(Reply(TensorName(PortName(A, "y")), 1, None))
    asking.lens.take(reply("main/none"))
    assert asking.places == [A]
    asking.lens.take(reply(A))
    assert asking.places == [A, B] and asking.lens._answers[A] is not None
    asking.lens.take(Reply(StopName(B), 1, None))
    assert asking.places == [A, B] and asking.lens._answers[B] is None
    # What had no answer is asked again; what has one, only after another run.
    asking.lens.refresh()
    assert asking.places == [A, B, B]
    asking.lens._asked_of = None
    asking.lens.refresh()
    assert asking.places == [A, B, B, A]
    assert asking.lens._answers[A] is not None


def test_the_chosen_one_is_asked_about_first(asking: Asking) -> None:
    asking.lens._choose(B)
    assert asking.previews[-1] == WithoutStops(frozenset((B,)))
    asking.asked.clear()
    asking.lens._asked_of = None
    asking.lens.refresh()
    assert asking.places == [B] and asking.lens._waiting == [B, A]


def test_what_is_waited_for_is_asked_again_after_a_change(asking: Asking) -> None:
    for place in (A, B):
        asking.lens.take(reply(place))
    asking.asked.clear()
    asking.lens.refresh()
    assert asking.places == [] and asking.lens._waiting == []
    asking.lens._answers[B] = None
    asking.lens.refresh()
    assert asking.places == [B] and asking.lens._waiting == [B]
    asking.lens.take(reply(A))
    assert asking.lens._waiting == [B]
    asking.lens.take(reply("main/gone"))
    assert "main/gone" not in asking.lens._answers


def test_what_is_not_chosen_any_more_is_not_left_again(asking: Asking) -> None:
    asking.previews.clear()
    asking.lens.refresh()
    assert asking.previews == []
    asking.lens._choose(A)
    asking.lens.refresh()
    assert asking.lens._chosen == A and len(asking.previews) == 1


def test_without_results_nothing_is_asked(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    asking.asked.clear()
    monkeypatch.setattr(Session, "results", None)
    asking.lens.refresh()
    assert asking.places == [] and asking.rows == [A, B]


def test_one_selected_wire_is_tried_unless_it_is_at_a_stop(asking: Asking) -> None:
    asking.select("m.x")
    assert asking.rows == [WIRE, A, B]
    for targets in (("m.x", "loss.x"), ("a.x",), ("s.x",), ()):
        asking.select(*targets)
        assert asking.rows == [A, B]


def test_the_wire_that_is_chosen_stays(asking: Asking) -> None:
    asking.select("m.x")
    asking.lens._choose(WIRE)
    assert asking.previews[-1] == WithStop(WIRE) and asking.lens._insert.isVisible()
    assert asking.lens._change_headings()[3] == "With the stop"
    asking.select("loss.x")
    assert asking.rows == [WIRE, A, B]
    asking.lens.leave()
    assert asking.previews[-1] is None and not asking.lens._insert.isVisible()
    assert asking.lens._change_headings()[3] == "Without it"
    asking.lens.refresh()
    assert asking.rows[0] == Link(PortName("main/m", "z"), PortName("main/loss", "x"))


def test_a_wire_that_is_gone_is_no_longer_tried(asking: Asking) -> None:
    asking.select("m.x")
    asking.lens._choose(WIRE)
    asking.session.apply("Cut", edits.disconnect, "main", next(
        wire.target for wire in asking.session.page.wires.values() if str(wire.target) == "m.x"
    ))  # fmt: skip
    asking.lens.refresh()
    assert asking.lens._chosen is None and asking.rows == [A, B]


def test_what_is_chosen_has_its_verdict_and_its_changes(asking: Asking) -> None:
    lens = asking.lens
    assert lens._verdict.text() == "" and lens._nothing_chosen(None).startswith("Choose a StopGradient to see")
    lens._choose(A)
    assert lens._verdict.text() == "" and lens._nothing_chosen(None) == ""
    lens.take(reply(A))
    assert lens._verdict.text() != ""
    assert lens._nothing_chosen(lens._answers[A]) == "Not a single gradient differs."
    lens._answers = {}
    assert lens._nothing_chosen(None) == ""


def test_a_stop_is_inserted_where_it_was_tried(asking: Asking) -> None:
    heard: list[object] = []
    asking.lens.wire_chosen.connect(heard.append)
    asking.lens.command_chosen.connect(heard.append)
    asking.lens._choose(A)
    asking.lens._insert_stop()
    assert heard == []
    asking.lens._choose(WIRE)
    asking.lens._insert_stop()
    assert heard == [WIRE, "stop_here"] and asking.lens._chosen is None


def test_a_hidden_lens_compares_nothing(asking: Asking) -> None:
    asking.lens._choose(A)
    asking.lens.hideEvent(QHideEvent())
    assert asking.previews[-1] is None
    asking.lens._choose(A)
    asking.lens.begin_document()
    assert asking.previews[-1] is None and asking.lens._answers == dict.fromkeys(asking.lens._answers)


@pytest.mark.parametrize(("width", "is_narrow"), [(519, True), (520, False), (900, False)])
def test_a_narrow_lens_has_the_changes_below(asking: Asking, width: int, is_narrow: bool) -> None:
    splitter = asking.lens.findChild(QSplitter)
    assert isinstance(splitter, QSplitter)
    asking.lens.resize(400 if not is_narrow else 800, 600)
    asking.lens.resize(width, 600)
    way = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
    assert (splitter.orientation(), asking.lens._verdict.isVisible()) == (way, not is_narrow)
    first, second = splitter.sizes()
    # Half each one above the other; side by side the stops have two fifths.
    assert first / (first + second) == pytest.approx(0.5 if is_narrow else 0.4, abs=0.02)
    splitter.setSizes([100, first + second - 100])
    asking.lens.resizeEvent(QResizeEvent(asking.lens.size(), asking.lens.size()))
    assert splitter.sizes()[0] < 0.35 * (first + second) or splitter.sizes()[0] == first


def test_only_the_first_column_of_the_stops_is_seen_and_numbers_end_at_the_right(asking: Asking) -> None:
    stops, changes = asking.lens._stops, asking.lens._changes
    assert [stops.isColumnHidden(column) for column in range(3)] == [False, True, True]
    assert stops.rowHeight(0) == 58
    sides = []
    changes.show_rows([stops.rows.rows[0]._replace(texts=("a", "b", "c", "d", "e"))], "")
    for column in range(5):
        side = changes.model().index(0, column).data(Qt.ItemDataRole.TextAlignmentRole)
        sides.append(bool(int(side or 0) & int(Qt.AlignmentFlag.AlignRight)))
    assert sides == [False, True, True, True, True]


# Rows of stops


class Sign(QIcon):
    """An icon that notes where it is drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[object] = []

    def paint(self, _: QPainter, *place: object) -> None:  # type: ignore[override]
        self.places.append(place)


class Cell(QModelIndex):
    """A row with a name, a text in its third column, and an icon."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__()
        self._name, self._said, self.sign = name, said, Sign()

    def data(self, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._name
        if role == Qt.ItemDataRole.DecorationRole:
            return self.sign
        return Appearance("dark").theme.color("warn") if role == Qt.ItemDataRole.ForegroundRole else None

    def sibling(self, _: int, column: int) -> Cell:
        return Cell(self._said if column == 2 else "", "")


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_row_has_a_name_and_at_most_two_lines_below(qtbot: QtBot, scale: float) -> None:
    """6 px are at the sides, 3 above, 16 and 6 for the icon; a line is 17 px high."""
    look, parent = Appearance("dark"), QWidget()
    look.text_scale = scale
    qtbot.addWidget(parent)
    said = "Changes nothing now, and nothing later: the gradient that comes in is exactly 0 on every single path."
    pixmap, cell = QPixmap(400, 200), Cell("main / stop", said)
    with QPainter(pixmap) as painter, recorded() as lines:
        StopRow(look, parent, QSize(0, 58)).draw(painter, look.theme, QRect(10, 20, 300, 58), cell)
    high, size = int(17 * scale), int(12 * scale)
    assert cell.sign.places == [(16, 23, 16, high)]
    texts = two_lines(said, font("ui", 12 * scale), 300 - 12 - 22)
    assert len(texts) == 2 and lines == [
        f"text 38 23 266 {high} left {size}px warn “main / stop”",
        f"text 38 {23 + high} 266 {high} left {size}px text.secondary “{texts[0]}”",
        f"text 38 {23 + 2 * high} 266 {high} left {size}px text.secondary “{texts[1]}”",
    ]
    assert StopRow(look, parent, QSize(0, 58)).sizeHint(None, None).toTuple() == (0, 58 * scale)  # type: ignore[arg-type]


def test_a_long_text_has_two_lines_and_ends_in_dots(qapp: object) -> None:
    used = font("ui", 12)
    metrics = QFontMetrics(used)
    assert two_lines("", used, 100) == []
    assert two_lines("one", used, 100) == ["one"]
    words = "one two three four five six seven eight nine ten eleven twelve"
    first, second = two_lines(words, used, 100)
    assert words.startswith(f"{first} ") and second.endswith("…")
    assert words[len(first) :].strip().startswith(second[:-1].strip())
    assert metrics.horizontalAdvance(first) <= 100 and 80 < metrics.horizontalAdvance(second) <= 100
    assert metrics.horizontalAdvance(" ".join(words.split()[: len(first.split()) + 1])) > 100
