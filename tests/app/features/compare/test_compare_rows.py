"""The rows of the comparison: made from differences by hand, in a lens of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHeaderView, QLabel
from pytestqt.qtbot import QtBot

from gradwire.app.features.compare.compare_desk import CompareDesk
from gradwire.app.features.compare.compare_lens import CompareLens
from gradwire.app.features.compare.compare_questions import Against, ComparedWith
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.explain.compare_graphs import Delta, Difference, GraphComparison
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.lockstep import Variant
from tests.engine.cause_graphs import x

A, B = PortName("main/a", "y"), PortName("main/b", "y")
WIRE = Link(A, PortName("main/e", "x"))
FLOW = (Status.FLOW, Status.FLOW)


def delta(largest: float, relative: float) -> Delta:
    return Delta(largest, relative, 1.0, 1e-16)


def difference(place: PortName | Link = A, value: Delta | None = None, gradient: Delta | None = None,
               shapes: Any = ((2,), (2,)), statuses: Any = FLOW) -> Difference:  # fmt: skip
    return Difference(place, value, gradient, shapes, statuses)


@pytest.fixture
def lens(qtbot: QtBot) -> Iterator[CompareLens]:
    made = CompareLens(CurrentSession(Session(x(2.0).then("e", "Square").loss(), InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(600, 300)
    yield made
    made.session.close()


def table(lens: CompareLens) -> RowsTable:
    found = lens.findChild(RowsTable, "compare_list")
    assert isinstance(found, RowsTable)
    return found


def sentence(lens: CompareLens) -> str | None:
    found = lens.findChild(QLabel, "compare_summary")
    assert isinstance(found, QLabel)
    return None if found.isHidden() else found.text()


def take(lens: CompareLens, *differences: Difference, loss: Delta | None = None,
         losses: tuple[float | None, float | None] = (1.0, 2.0), **only: Any) -> None:  # fmt: skip
    lens.compare_with("other", Graph())
    found = GraphComparison(loss, losses, differences, only.get("a", ()), only.get("b", ()))
    lens.take(Reply(0, ComparedWith(Against(1, 0, Variant(), {})), found))


EQUAL = difference(value=delta(0.0, 0.0))
OTHER = difference(WIRE, delta(3.0, 0.5), delta(0.25, 0.125))


@pytest.mark.parametrize(
    ("differences", "end"),
    [
        ((), "No port or wire has the same name in both."),
        ((EQUAL, EQUAL), "All ports and wires with the same name are equal."),
        ((EQUAL, OTHER), "1 of 2 ports and wires of the same name differs."),
        ((OTHER, EQUAL, OTHER), "2 of 3 ports and wires of the same name differ."),
    ],
)
def test_the_sentence_counts_what_differs(lens: CompareLens, differences: Any, end: str) -> None:
    take(lens, *differences, loss=delta(1.0, 0.5))
    assert sentence(lens) == f"B is other. L 1, in B 2, Δ 1. {end}"
    take(lens, *differences, losses=(None, 4.0))
    assert sentence(lens) == f"B is other. L ?, in B 4. {end}"


def test_a_row_has_gradient_and_value_and_only_one_that_differs_is_marked(lens: CompareLens) -> None:
    take(lens, OTHER, EQUAL, a=(B,), b=(WIRE,))
    rows = [(row.texts, row.tokens, row.icon) for row in table(lens).rows.rows]
    quiet = ("text.secondary",)
    assert rows == [
        (("a → e.x", "0.25", "0.125", "3", "0.5", ""), ("text.primary",), "compare"),
        (("a.y", "", "", "0", "0", ""), quiet, ""),
        (("b.y", "", "", "", "", "only here"), quiet, ""),
        (("a → e.x", "", "", "", "", "only in B"), quiet, ""),
    ]


@pytest.mark.parametrize(
    ("shapes", "statuses", "note"),
    [
        (((2,), (2,)), FLOW, ""),
        (((2,), (3,)), (Status.FLOW, Status.ZERO), "[2] / [3]"),
        (((2,), (2,)), (Status.FLOW, Status.BLOCKED), "flows / blocked"),
    ],
)
def test_a_note_tells_shapes_before_states(lens: CompareLens, shapes: Any, statuses: Any, note: str) -> None:
    take(lens, difference(shapes=shapes, statuses=statuses))
    assert table(lens).rows.rows[0].texts[-1] == note


def test_a_row_leads_to_its_place_unless_only_the_other_graph_has_it(lens: CompareLens) -> None:
    take(lens, OTHER, a=(B,), b=(A,))
    heard: list[object] = []
    lens.current.requests.place_chosen.connect(heard.append)
    lens.current.requests.wire_chosen.connect(heard.append)
    for place in (WIRE, B, A):
        table(lens).row_chosen.emit(place)
    assert heard == [WIRE, "main/b"]


def test_it_ends_with_the_comparison_and_takes_no_late_answer(lens: CompareLens) -> None:
    assert sentence(lens) is None
    take(lens, OTHER)
    assert sentence(lens) is not None
    lens.session.part(CompareDesk).end()
    lens.refresh()
    assert sentence(lens) is None and not table(lens).rows.rows
    assert table(lens).accessibleDescription() == "Choose what B is. Blocks are matched by name."
    found = GraphComparison(None, (1.0, 2.0), (OTHER,), (), ())
    lens.take(Reply(0, ComparedWith(Against(1, 0, Variant(), {})), found))
    assert sentence(lens) is None


def test_the_newest_run_is_compared_with_the_graph_chosen_last(lens: CompareLens, qtbot: QtBot) -> None:
    lens.show()
    for value in (3.0, 2.0, 5.0):
        lens.compare_with("five", x(value).then("e", "Square").loss())
    qtbot.waitUntil(lambda: sentence(lens) is not None)
    assert (sentence(lens) or "").startswith("B is five. L 4, in B 25, Δ 21.")
    assert np.isclose([float(row.texts[3]) for row in table(lens).rows.rows if row.texts[0] == "x.y"], 3)


def test_questions_of_one_round_of_a_comparison_are_the_same() -> None:
    first, same = (ComparedWith(Against(3, 1, variant, {})) for variant in (Variant(), Variant(frozenset("a"))))
    assert first == same and hash(first) == hash(same)
    assert first not in (ComparedWith(Against(4, 1, Variant(), {})), ComparedWith(Against(3, 2, Variant(), {})))


def test_columns_have_their_widths(lens: CompareLens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QHeaderView, "sectionSizeHint", lambda *_: 0)
    take(lens, OTHER)
    lens.show()
    table(lens).changeEvent(QEvent(QEvent.Type.StyleChange))
    assert [table(lens).columnWidth(column) for column in range(5)] == [112, 74, 62, 74, 62]
    assert table(lens).columnWidth(5) == table(lens).viewport().width() - 384
    lens.resize(460, 300)
    assert table(lens).columnWidth(5) == 76
    rights = [bool(table(lens).rows._alignment(at) & Qt.AlignmentFlag.AlignRight.value) for at in range(6)]
    assert rights == [False, True, True, True, True, False]
    assert (table(lens).x(), table(lens).width()) == (0, 460)
