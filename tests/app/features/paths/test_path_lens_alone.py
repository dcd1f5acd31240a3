"""The lens of paths without a window: what it asks for, what it offers, and what it lights."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gradwire.app.features.paths.path_lens import PathLens, is_there, selected_place
from gradwire.app.features.paths.path_questions import PathReading, PathsAnswer, PathsName
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Wire
from tests.app.canvas.pages import MAIN, chain, with_block

X, E = PortName("main/x", "y"), PortName("main/e", "y")


class Asking:
    """A lens on x -> e -> s -> loss, shown, whose questions are kept and not answered."""

    def __init__(self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.session = Session(with_block(chain(1.0, 2.0, 3.0), "free", "Exp", (0, 300)), InlineEvaluator)
        self.asked: list[Question] = []
        monkeypatch.setattr(Session, "ask", lambda _, question: self.asked.append(question))
        self.lens = PathLens(CurrentSession(self.session), Appearance("dark"))
        qtbot.addWidget(self.lens)
        self.lit: list[tuple[object, object]] = []
        self.lens.path_lit.connect(lambda blocks, links: self.lit.append((blocks, links)))
        self.lens.resize(700, 300)
        self.lens.show()
        self.lens.refresh()

    def choose(self, *blocks: str, wires: frozenset[Wire] = frozenset()) -> None:
        self.session.select(Selection(frozenset(blocks), wires))
        self.lens.refresh()

    def answer(self, *rows: PathReading, total: int = 2, cut: int = 0, shape: tuple[int, ...] = (3,)) -> None:
        self.lens.take(Reply(self.asked[-1], 1, PathsAnswer(total, cut, shape, 0, 3.0, rows)))

    def child(self, kind: type, name: str) -> object:
        found = self.lens.findChild(kind, name)
        assert isinstance(found, kind)
        return found

    @property
    def elements(self) -> ChoiceBox:
        found = self.child(ChoiceBox, "paths_element")
        assert isinstance(found, ChoiceBox)
        return found

    @property
    def table(self) -> RowsTable:
        found = self.child(RowsTable, "paths_list")
        assert isinstance(found, RowsTable)
        return found

    @property
    def said(self) -> QLabel:
        found = self.child(QLabel, "paths_summary")
        assert isinstance(found, QLabel)
        return found


def path(
    *choices: int, count: int = 1, cuts: tuple[str, ...] = (), blocks: tuple[str, ...] = ("main/e", "main/s")
) -> PathReading:
    return PathReading(blocks, (Link(X, PortName("main/e", "x")),), count, 1.0, cuts, choices)


@pytest.fixture
def asking(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    found = Asking(qtbot, monkeypatch)
    yield found
    found.session.close()


def test_paths_begin_at_one_wire_or_at_the_first_output_of_one_block(asking: Asking) -> None:
    session = asking.session
    wires = list(session.page.wires.values())
    for blocks, chosen, place in (
        ((), (), None),
        (("e",), (), E),
        (("e", "x"), (), None),
        ((), wires[:1], session.link(wires[0])),
        ((), wires[:2], None),
        (("e",), wires[:1], session.link(wires[0])),
        (("e",), wires[:2], E),
        (("gone",), (), None),
    ):
        session.select(Selection(frozenset(blocks), frozenset(chosen)))
        assert selected_place(session) == place
    assert is_there(session, E) and is_there(session, session.link(wires[0]))
    assert not is_there(session, PortName("main/gone", "y")) and not is_there(session, None)
    assert not is_there(session, Link(E, X))


def test_another_place_asks_for_its_largest_element(asking: Asking) -> None:
    asking.choose("x")
    assert asking.asked[-1] == PathsName(X, None, frozenset())
    asking.answer(path(0), path(1))
    asking.elements.setCurrentIndex(2)
    asking.elements.activated.emit(2)
    assert asking.asked[-1] == PathsName(X, 1, frozenset())
    asking.choose()
    assert asking.asked[-1] == PathsName(X, 1, frozenset())
    asking.choose("e")
    assert asking.asked[-1] == PathsName(E, None, frozenset())


@pytest.mark.parametrize(
    ("shape", "count", "first"),
    [((), 2, "[]"), ((3,), 4, "[0]"), ((2, 2), 5, "[0, 0]"), ((256,), 257, "[0]"), ((300,), 257, "[0]")],
)
def test_up_to_256_elements_are_offered(asking: Asking, shape: tuple[int, ...], count: int, first: str) -> None:
    asking.choose("x")
    asking.answer(path(0), shape=shape)
    texts = [asking.elements.itemText(row) for row in range(asking.elements.count())]
    assert (len(texts), texts[:2]) == (count, ["Largest element", first])
    assert asking.elements.isHidden() is (math.prod(shape) <= 1)


def test_the_chosen_element_stays_as_far_as_there_are_as_many(asking: Asking) -> None:
    asking.choose("x")
    for shape, expected, then in (((3,), 0, 3), ((3,), 3, 3), ((2,), 2, 1), ((5,), 1, -1), ((4,), 0, 0)):
        asking.answer(path(0), shape=shape)
        assert asking.elements.currentIndex() == expected
        asking.elements.setCurrentIndex(then)


def test_a_group_of_paths_is_unfolded_once_and_what_is_cut_is_not(asking: Asking) -> None:
    asking.choose("x")
    asking.answer(path(0, count=5), path(1), path(2, count=3, cuts=("main/s",)))
    before = len(asking.asked)
    for choices, is_cut in (((1,), False), ((2,), True), ((9,), False)):
        asking.table.row_chosen.emit((choices, is_cut))
        assert len(asking.asked) == before
    asking.table.row_chosen.emit(((0,), False))
    assert asking.asked[-1] == PathsName(X, None, frozenset([(0,)]))
    asking.choose("e")
    assert asking.asked[-1] == PathsName(E, None, frozenset())


def test_the_row_pointed_at_is_lit_with_the_block_where_it_begins(asking: Asking) -> None:
    asking.choose("x")
    row = path(0)
    asking.answer(row, path(1, blocks=("main/s",)))
    for key, lit in (
        (((0,), False), (("main/x", "main/e", "main/s"), row.links)),
        (((1,), False), (("main/x", "main/s"), row.links)),
        (((7,), False), ((), ())),
        (None, ((), ())),
    ):
        asking.table.row_pointed_at.emit(key)
        assert asking.lit[-1] == lit
    wire = next(iter(asking.session.page.wires.values()))
    asking.choose(wires=frozenset([wire]))
    asking.answer(row)
    asking.table.row_pointed_at.emit(((0,), False))
    assert asking.lit[-1] == (row.blocks, row.links)
    asking.lens.hide()
    assert asking.lit[-1] == ((), ())
    asking.table.row_pointed_at.emit(((0,), False))
    assert asking.lit[-1] == ((), ())


def test_without_a_path_the_lens_says_why(asking: Asking) -> None:
    copy = asking.child(QPushButton, "copy_derivation")
    assert isinstance(copy, QPushButton)
    assert (
        asking.said.isHidden()
        and copy.isHidden()
        and asking.table.accessibleDescription().startswith("Select a block or a wire")
    )
    asking.choose("x")
    asking.answer(path(0))
    assert not asking.said.isHidden() and not copy.isHidden()
    assert asking.said.text().startswith("2 paths to the loss add up to ∂L/∂x.y[0] = 3")
    asking.answer(total=0, cut=0)
    assert asking.said.text() == "No path leads from x.y to the loss."
    asking.answer(total=0, cut=1)
    assert asking.said.text() == "The only path to the loss is blocked."
    asking.session.apply("Delete", edits.remove_blocks, MAIN, "loss")
    asking.answer(total=0, cut=0)
    assert asking.said.text() == "There is no loss, so nothing has a gradient. Add a Loss block."


@pytest.mark.parametrize(("width", "direction"), [(519, "TopToBottom"), (520, "LeftToRight")])
def test_a_narrow_lens_has_its_controls_below_the_sentence(asking: Asking, width: int, direction: str) -> None:
    asking.lens.setMinimumWidth(0)
    asking.lens.resize(width, 300)
    head = asking.lens.layout().itemAt(0).layout()
    assert isinstance(head, QBoxLayout) and head.direction().name == direction


def test_the_chosen_path_is_that_of_the_current_row(asking: Asking) -> None:
    assert asking.lens.chosen is None
    asking.choose("x")
    asking.answer(path(0), path(1, cuts=("main/s",)))
    asking.table.set_current(((1,), True))
    assert asking.lens.chosen == (X, (1,), True)
    asking.lens.begin_document()
    assert asking.lens.chosen is None
