"""The table of losses and variables without a window: sizes, sentences, looks of cells, and what a cell asks for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.matrix.matrix_lens import MatrixLens
from gradwire.app.features.matrix.matrix_model import MatrixModel, pull_text, sentence
from gradwire.app.features.matrix.matrix_questions import MatrixName, PathQuestion
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, Reply, TensorName
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.explain.loss_matrix import LossMatrix, Pull

FLOW, BLOCKED, BROKEN = (
    Pull(Status.FLOW, 0.5),
    Pull(Status.BLOCKED, 0.0, ("main/stop",)),
    Pull(Status.NONFINITE, np.inf),
)
MATRIX = LossMatrix(("main/l", "main/k"), ("main/w", "main/b", "main/c"), ((FLOW, BLOCKED, BROKEN),) * 2)
LINK = Link(PortName("main/w", "y"), PortName("main/l", "x"))


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(gw.graph(gw.Loss(gw.Square(gw.Variable(3.0, name="w")), name="l")), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


class Bench:
    """A lens of a width with the matrix of two losses and three variables."""

    def __init__(self, session: Session, qtbot: QtBot, scale: float = 1.0) -> None:
        look = Appearance("dark")
        look.text_scale = scale
        self.lens = MatrixLens(CurrentSession(session), look)
        qtbot.addWidget(self.lens)
        self.lens.resize(900, 300)
        self.lens.show()
        self.lens.show_answer(MATRIX)
        found = self.lens.findChild(QTableView, "matrix_rows")
        assert isinstance(found, QTableView)
        self.table = found
        self.asked: list[Question] = []
        self.lens.ask = self.asked.append  # type: ignore[method-assign]
        self.lit: list[tuple[object, object]] = []
        self.lens.path_lit.connect(lambda *lit: self.lit.append(lit))

    def widths(self) -> set[int]:
        return {self.table.columnWidth(column) for column in range(3)}


@pytest.fixture
def bench(session: Session, qtbot: QtBot) -> Bench:
    return Bench(session, qtbot)


@pytest.mark.parametrize(("scale", "widest", "least", "high"), [(1.0, 104, 72, 28), (2.0, 208, 144, 56)])
def test_columns_share_the_width_between_72_and_104_px(
    session: Session, qtbot: QtBot, scale: float, widest: int, least: int, high: int
) -> None:
    bench = Bench(session, qtbot, scale)
    for width, wanted in ((1400, widest), (120, least)):
        bench.lens.resize(width, 300)
        bench.table.share_width()
        assert bench.widths() == {wanted}
        assert bench.table.verticalHeader().maximumWidth() == round(min(2 * widest, bench.table.width() / 3))
    assert bench.table.verticalHeader().defaultSectionSize() == high
    # Between the two, a third of what headings and the scroll bar leave.
    bench.lens.resize(round(330 * scale), 300)
    bench.table.share_width()
    free = bench.table.maximumViewportSize().width() - bench.table.verticalHeader().sizeHint().width()
    room = free - bench.table.verticalScrollBar().sizeHint().width()
    assert bench.widths() == {room // 3} and least < room // 3 < widest


def test_another_font_shares_the_width_anew(bench: Bench) -> None:
    for kind, is_shared in ((QEvent.Type.EnabledChange, False), (QEvent.Type.FontChange, True)):
        bench.table.setColumnWidth(0, 90)
        bench.table.changeEvent(QEvent(kind))
        assert (bench.table.columnWidth(0) == 104) is is_shared


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        (None, "Nothing has been computed yet."),
        (LossMatrix((), ("main/w",), ()), "No Loss has a value, so there are no gradients. See Problems."),
        (LossMatrix(("main/l",), (), ((),)), "There is nothing to train. Add a Variable, or an Input."),
        (MATRIX, "Gradient size of each loss alone. Choose a cell to see its paths."),
    ],
)
def test_without_losses_or_variables_there_is_no_table(bench: Bench, matrix: LossMatrix | None, said: str) -> None:
    bench.lens.show_answer(matrix)
    assert (bench.lens._said.text(), bench.table.isHidden()) == (said, matrix is not MATRIX)


def test_a_cell_asks_for_the_path_of_its_variable_to_its_loss(bench: Bench) -> None:
    model = bench.table.model()
    for row, column in ((0, 2), (1, 0)):
        bench.table.setCurrentIndex(model.index(row, column))
        QTest.keyClick(bench.table, Qt.Key.Key_Return)
        assert bench.asked[-1] == PathQuestion(MATRIX.losses[row], MATRIX.variables[column])
    bench.lens._choose(model.index(-1, -1))
    assert len([item for item in bench.asked if isinstance(item, PathQuestion)]) == 2
    QTest.keyClick(bench.table, Qt.Key.Key_Up)
    assert bench.table.currentIndex().row() == 0 and bench.lit == []
    QTest.keyClick(bench.table, Qt.Key.Key_Escape)
    assert bench.lit == [((), ())]
    bench.lens.hideEvent(QHideEvent())
    assert bench.lit == [((), ())] * 2


def test_answers_are_shown_lit_or_refused(bench: Bench) -> None:
    chosen: list[object] = []
    bench.lens.path_chosen.connect(lambda *path: chosen.append(path))
    question = PathQuestion("main/l", "main/w")
    bench.lens.take(Reply(question, 1, (LINK,)))
    assert chosen == [("main/w", (LINK,))] and bench.lit == [(["main/w", "main/l"], (LINK,))]
    bench.lens.take(Reply(question, 1, ()))
    assert bench.lens._said.text() == "No wire leads from this variable to this loss." and len(bench.lit) == 1
    bench.lens.take(Reply(MatrixName(), 1, MATRIX))
    assert bench.lens._said.text().startswith("Gradient size")
    bench.lens.take(Reply(TensorName(PortName("main/w", "y")), 1, (LINK,)))
    assert len(bench.lit) == 1


def test_a_cell_has_number_or_word_sentence_and_look(qapp: object) -> None:
    look = Appearance("dark")
    look.text_scale = 2.0
    model, role = MatrixModel(look, None), Qt.ItemDataRole  # type: ignore[arg-type]
    model.show(MATRIX)
    cells = [model.index(0, column) for column in range(3)]
    assert [model.data(cell) for cell in cells] == ["0.5", "0 blocked", pull_text(BROKEN)]
    assert model.data(cells[1], role.ToolTipRole) == "l at b: 0 blocked by stop"
    assert model.data(cells[0], role.AccessibleTextRole) == sentence("main/l", "main/w", FLOW) == "l at w: 0.5"
    assert [model.data(cell, role.BackgroundRole) for cell in cells] == [look.theme.color("grad.soft"), None, None]
    fonts = [model.data(cell, role.FontRole) for cell in cells]
    assert [font.pixelSize() for font in fonts] == [24] * 3 and fonts[0].family() != fonts[1].family()  # type: ignore[attr-defined]
    assert fonts[1].family() == fonts[2].family()  # type: ignore[attr-defined]
    assert model.data(cells[0], role.TextAlignmentRole) == int(Qt.AlignmentFlag.AlignCenter)
    assert model.data(cells[0], role.DecorationRole) is None
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert [model.headerData(n, across) for n in range(3)] == ["w", "b", "c"]
    assert [model.headerData(n, down, role.ToolTipRole) for n in range(2)] == ["l", "k"]
    assert model.headerData(0, down, role.DecorationRole) is None


@pytest.mark.parametrize(
    ("other", "is_reset"),
    [
        (LossMatrix(MATRIX.losses, MATRIX.variables, ((BLOCKED,) * 3,) * 2), False),
        (LossMatrix(("main/l", "main/x"), MATRIX.variables, MATRIX.pulls), True),
        (LossMatrix(MATRIX.losses, ("main/w", "main/b", "main/x"), MATRIX.pulls), True),
    ],
)
def test_numbers_change_in_place(other: LossMatrix, is_reset: bool, qapp: object) -> None:
    model, resets = MatrixModel(Appearance("dark"), None), list[bool]()  # type: ignore[arg-type]
    model.show(MATRIX)
    model.modelReset.connect(lambda: resets.append(True))
    model.show(other)
    assert bool(resets) is is_reset and model.matrix is other
    assert pull_text(Pull(Status.FLOW)) != "None"
