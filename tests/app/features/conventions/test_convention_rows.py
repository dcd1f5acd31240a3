"""The rows of the lens of conventions: made by hand, and in a lens of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QLabel
from pytestqt.qtbot import QtBot

from gradwire.app.features.conventions.convention_lens import ConventionLens
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.blocks.support.standpoints import Standpoint
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.graph.graph import Graph
from tests.app.features.conventions.test_convention_lens import kinks
from tests.engine.cause_graphs import x


@pytest.fixture
def lens(qtbot: QtBot) -> Iterator[ConventionLens]:
    made = lens_of(qtbot, kinks())
    yield made
    made.session.close()


def lens_of(qtbot: QtBot, graph: Graph) -> ConventionLens:
    made = ConventionLens(CurrentSession(Session(graph, InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show()
    table(made).show_rows(())
    qtbot.waitUntil(lambda: bool(table(made).rows.rows) or bool(table(made).accessibleDescription()))
    return made


def table(lens: ConventionLens) -> RowsTable:
    found = lens.findChild(RowsTable, "conventions_list")
    assert isinstance(found, RowsTable)
    return found


def rules(lens: ConventionLens) -> list[str]:
    found = lens.findChild(QLabel, "conventions_rules")
    assert isinstance(found, QLabel)
    return [] if found.isHidden() else found.text().splitlines()


def texts(lens: ConventionLens) -> list[tuple[str, ...]]:
    return [row.texts for row in table(lens).rows.rows]


def test_each_point_has_a_row_with_three_numbers_of_the_gradient_chosen(lens: ConventionLens) -> None:
    assert texts(lens) == [("a.x", "0", "0", "1", "Kink at 0", "[0]"), ("r.x", "0", "0", "0", "Kink at 0", "[0]")]
    assert isinstance(lens.controls, ChoiceBox) and lens.controls.currentIndex() == 0
    lens.controls.setCurrentIndex(1)
    lens.controls.activated.emit(1)
    assert [row[1:4] for row in texts(lens)] == [("0", "0", "3"), ("0", "0", "0")]


def test_the_rules_of_the_current_row_stand_below(lens: ConventionLens) -> None:
    table(lens).set_current(None)
    assert rules(lens) == ["Gradwire follows TensorFlow 2.21."]
    first, second = (row.key for row in table(lens).rows.rows)
    table(lens).set_current(first)
    assert [line.partition(" ")[0] for line in rules(lens)] == ["TensorFlow", "PyTorch", "JAX", "Gradwire"]
    table(lens).set_current(second)
    assert [line.partition(":")[0] for line in rules(lens)] == ["All three", "Gradwire follows TensorFlow 2.21."]


def test_the_row_of_the_selected_block_becomes_current(lens: ConventionLens, qtbot: QtBot) -> None:
    first, second = (row.key for row in table(lens).rows.rows)
    for blocks, key in (({"r"}, second), ({"s"}, second), ({"a", "r"}, second), ({"a"}, first)):
        lens.session.select(Selection(frozenset(blocks)))
        lens.refresh()
        qtbot.waitUntil(lambda key=key: table(lens).current_key == key)  # type: ignore[misc]  # lambda with a default


@pytest.mark.parametrize(("has_error", "end"), [(False, "agree on every gradient of this graph."), (True, "zero now.")])
def test_without_a_point_it_says_so(qtbot: QtBot, has_error: bool, end: str) -> None:
    line = x(1.0).then("e", "Exp")
    made = lens_of(qtbot, (line.then("m", "MatMul") if has_error else line).loss())
    assert table(made).accessibleDescription().startswith("No block ")
    assert table(made).accessibleDescription().endswith(end)
    assert rules(made) == []
    made.session.close()


def test_columns_have_their_widths(lens: ConventionLens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QHeaderView, "sectionSizeHint", lambda *_: 0)
    lens.resize(701, 300)
    assert [table(lens).columnWidth(column) for column in range(5)] == [96, 92, 92, 92, 140]
    headings = [table(lens).rows.headerData(at, Qt.Orientation.Horizontal) for at in range(6)]
    assert headings == ["Input", "TensorFlow", "PyTorch", "JAX", "Point", "Elements"]
    rights = [bool(table(lens).rows._alignment(at) & Qt.AlignmentFlag.AlignRight.value) for at in range(6)]
    assert rights == [False, True, True, True, False, False]


# Rows by hand

X = PortName("main/x", "y")


def point(*local: tuple[float, ...] | None, places: tuple[tuple[int, ...], ...] = ((0,),), count: int = 1,
          here: tuple[tuple[float, ...] | None, ...] | None = None) -> Standpoint:  # fmt: skip
    return Standpoint(X, "kink", places, count, ("One rule.", "Another.", "One rule."), local, here, False)


def row(lens: ConventionLens, item: Standpoint, measure: int = 0) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    assert isinstance(lens.controls, ChoiceBox)
    lens.controls.setCurrentIndex(measure)
    lens._found = (item,)
    lens._show()
    (found,) = table(lens).rows.rows
    return found.texts[1:], found.tokens, found.icon


@pytest.mark.parametrize(
    ("numbers", "count", "text"),
    [
        (None, 1, "None"),
        ((0.5,), 1, "0.5"),
        ((0.5, 0.5), 2, "0.5  0.5"),
        ((0.5, 0.5, 0.5), 3, "0.5 × 3"),
        ((0.5, 0.5, 0.25), 3, "0.5  0.5  0.25"),
        ((1.0, 2.0, 3.0, 4.0), 4, "1  2  3  4"),
        ((1.0, 2.0, 3.0, 4.0, 5.0), 5, "1  2  3  4 …"),
        # Eight are known of nine: whether the last one is alike is not.
        ((1.0,) * 8, 9, "1  1  1  1 …"),
    ],
)
def test_many_numbers_are_counted_or_cut(
    lens: ConventionLens, numbers: tuple[float, ...] | None, count: int, text: str
) -> None:
    assert row(lens, point(numbers, (9.0,), (9.0,), count=count))[0][0] == text


@pytest.mark.parametrize(
    ("places", "count", "text"),
    [
        (((),), 1, ""),
        (((0,),), 1, "[0]"),
        (((0,), (1,), (2,)), 3, "[0] [1] [2]"),
        (((0,), (1,), (2,), (3,)), 4, "[0] [1] [2] …"),
    ],
)
def test_at_most_three_places_are_told(
    lens: ConventionLens, places: tuple[tuple[int, ...], ...], count: int, text: str
) -> None:
    assert row(lens, point((0.0,), (0.0,), (0.0,), places=places, count=count))[0][-1] == text


def test_numbers_unlike_the_first_are_marked(lens: ConventionLens) -> None:
    plain, warned = "text.primary", "warn"
    differing = point((0.0,), (0.0,), (1.0,), here=((2.0,), (3.0,), None))
    assert row(lens, differing) == (("0", "0", "1", "kink", "[0]"), (plain, plain, plain, warned, plain), "compare")
    shown, tokens, _ = row(lens, differing, measure=1)
    assert shown[:3] == ("2", "3", "None") and tokens == (plain, plain, warned, warned, plain)
    shown, tokens, icon = row(lens, point((0.0,), (0.0,), (0.0,)), measure=1)
    assert (shown[:3], tokens, icon) == (("?", "?", "?"), (plain,) * 5, "")
