"""Selections, charted ports, the state of the loss, and the file of a document."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gradwire.app.live.charted import charted
from gradwire.app.live.file_status import IMPORTED, FileStatus
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.app.live.readings.loss_state import is_loss_broken, is_loss_unknown
from gradwire.app.live.readings.readings import results_of
from gradwire.app.live.selection import NOTHING, Selection
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import edits
from gradwire.engine.edits.edits import remove_blocks
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph, Port
from tests.app.window.graphs import annotated, chain
from tests.engine.cause_graphs import x

A, B = Selection(frozenset("a"), notes=frozenset("n")), Selection(frozenset("ab"), frames=frozenset("f"))


def test_selections_are_combined_kind_by_kind() -> None:
    assert Selection(frozenset("ab"), frames=frozenset("f"), notes=frozenset("n")) == A | B
    assert Selection(frozenset("b"), frames=frozenset("f"), notes=frozenset("n")) == A ^ B
    assert A ^ A == NOTHING and not NOTHING
    wire = next(iter(chain().pages[0].wires.values()))
    for name, item in (("blocks", "a"), ("wires", wire), ("frames", "f"), ("notes", "n")):
        assert Selection(**{name: frozenset([item])})  # type: ignore[arg-type]  # each kind has its own names


def test_only_what_a_page_still_has_stays_selected() -> None:
    page = annotated().pages[0]
    wires = frozenset(page.wires.values())
    all_ = Selection(frozenset(page.blocks), wires, frozenset(["spare", "hollow"]), frozenset(["note"]))
    assert all_.within(page) == all_
    gone = Selection(frozenset(["none", "e"]), frames=frozenset(["none"]), notes=frozenset(["none"]))
    assert gone.within(page) == Selection(frozenset(["e"]))
    assert all_.within(dataclasses.replace(page, wires={})).wires == frozenset()


def charts(**parameters: object) -> Graph:
    graph = x([1.0, 2.0]).then("s", "Square").loss()
    for name in ("c", "loose"):
        graph, _ = edits.add_block(graph, "main", "Chart", id=name, parameters=parameters)
    return edits.connect(graph, "main", Port("x", "y"), Port("c", "x"))


def test_the_ports_of_charts_that_are_connected_and_not_muted_are_shown_over_the_rounds() -> None:
    assert (charted(charts()), charted(charts(), is_gradient=True)) == (["main/x.y"], [])
    slope = charts(show="gradient")
    assert (charted(slope), charted(slope, is_gradient=True)) == ([], ["main/x.y"])
    assert charted(edits.set_muted(charts(), "main", ("c",), True)) == []


@pytest.mark.parametrize(("value", "is_broken"), [(1.5, False), (math.nan, True), (math.inf, True), (-math.inf, True)])
def test_the_state_of_the_loss_is_that_of_its_number(value: float, is_broken: bool) -> None:
    results = results_of(evaluate(x(1.0).then("s", "Square").loss()), 1)
    assert results.loss is not None
    told = dataclasses.replace(results, loss=dataclasses.replace(results.loss, value=np.array(value)))
    assert is_loss_broken(told) is is_broken and not is_loss_unknown(told)
    lost = dataclasses.replace(results, loss=dataclasses.replace(results.loss, value=None))
    assert is_loss_unknown(lost) and not is_loss_broken(lost)
    assert not is_loss_broken(dataclasses.replace(results, loss=None))


def test_without_stops_gradients_pass_all_of_them() -> None:
    assert WithoutStops().lets_pass("main/s")


FOUND, MODEL = Problem("warning", "main/x", "parameter", "Odd."), Problem("info", "", IMPORTED, "Read.")


def status(qtbot: QtBot, graph: Graph | None = None) -> tuple[FileStatus, list[object]]:
    parent = QObject()
    made, heard = FileStatus(Document(graph or chain()), (FOUND, MODEL), parent), list[object]()
    made.parent_kept = parent  # type: ignore[attr-defined]  # a parent that is gone would take it along
    for signal in (made.saved_changed, made.path_changed, made.turned):
        signal.connect(heard.append)
    return made, heard


def test_a_saved_file_holds_the_graph_and_forgets_what_was_found_in_the_old_one(qtbot: QtBot) -> None:
    made, heard = status(qtbot)
    made.set_lines({FOUND: 3})
    assert made.defects([FOUND, MODEL]) == [FOUND] and heard == [""]
    made.mark_saved(Path("a.graph"))
    assert (made.notices, made.defects([FOUND]), heard[1:]) == ((MODEL,), [], [Path("a.graph"), True])
    made.mark_unsaved()
    made.tell_saved()
    assert heard[3:] == [False, False]


def test_a_file_that_vanished_holds_nothing_and_changes_are_told_once(qtbot: QtBot) -> None:
    made, heard = status(qtbot)
    for state, told in (("changed", ["changed"]), ("changed", []), ("vanished", ["vanished", False]), ("", [""])):
        heard.clear()
        made.set_state(state)  # type: ignore[arg-type]  # all are states
        assert (heard, made.state) == (told, state)
    made.set_read_only("Because.")
    assert (made.read_only, heard[-1]) == ("Because.", "")


def test_a_file_with_unknown_features_is_read_only(qtbot: QtBot) -> None:
    made, _ = status(qtbot)
    assert made.is_understood and made.read_only == ""
    strange, _ = status(qtbot, dataclasses.replace(remove_blocks(chain(), "main", "e"), needs=frozenset(["magic"])))
    assert not strange.is_understood and strange.read_only.startswith("This file is read-only here")
