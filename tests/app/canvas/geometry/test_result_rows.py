"""The rows of a page in results that follow each other: an edit and its undo leave free rows behind."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.canvas.geometry.result_rows import ResultRows
from gradwire.app.live.process import worker as worker_module
from gradwire.app.live.process.worker import Worker
from gradwire.app.live.readings.pictures import pictures_of
from gradwire.app.live.readings.readings import Results, results_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Block, Port
from tests.app.live.test_worker import Window
from tests.recorded import make_graph

EXP = make_graph(
    [Block("x", "Input", parameters={"value": np.arange(4.0)}), Block("e", "Exp"), Block("loss", "Loss")],
    [("x.y", "e.x")],
)


@pytest.fixture(autouse=True)
def _every_graph_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A threshold that always postpones causes."""
    monkeypatch.setattr(worker_module, "SOON", -1.0)


def changed_names(before: Results, after: Results) -> set[object]:
    """Returns the ports and wires that the rows of a page hold to be changed."""
    links, ports = list(before.wires.row_of | after.wires.row_of), list(before.ports.row_of | after.ports.row_of)
    rows = ResultRows(links, list(enumerate(ports)))
    rows.read(before)
    port_rows, wire_rows = rows.read(after)
    return {ports[row] for row in port_rows} | {links[row] for row in wire_rows}


def truly_changed(before: Results, after: Results) -> set[object]:
    ports = {
        name for name in before.ports.row_of | after.ports.row_of if repr(before.port(name)) != repr(after.port(name))
    }
    links = before.wires.row_of | after.wires.row_of
    return ports | {link for link in links if repr(before.wire(link)) != repr(after.wire(link))}


def test_causes_after_an_undo_stand_in_tables_without_its_free_rows() -> None:
    worker = Worker(is_quick=True)
    window, (edited, name) = Window(worker), edits.add_block(EXP, "main", "Tanh")
    window.show(EXP)
    worker.prepare()
    window.show(edits.connect(edited, "main", Port("e", "y"), Port(name, "x")))
    undone = window.show(EXP)
    explained = window.rest()
    assert len(undone.ports.statuses) > len(explained.ports.statuses)
    assert changed_names(undone, explained) >= truly_changed(undone, explained)


def test_pictures_with_free_cells_compare_by_their_places() -> None:
    alone = pictures_of({0: np.arange(20.0)})
    both = pictures_of({0: np.arange(20.0), 1: np.arange(20.0)})
    freed = type(both)({0: both.places[0]}, both.cells)
    assert freed.differing(alone) == alone.differing(freed) == []
    assert freed.differing(pictures_of({0: np.arange(20.0) + 1})) == [0]


def test_wires_break_that_leave_a_port_with_nan_or_infinity() -> None:
    """exp of 1000 is infinite: the wires that leave e break, that into e does not; before a run none does."""
    graph = make_graph(
        [
            Block("x", "Input", parameters={"value": np.array([1000.0])}),
            Block("e", "Exp"),
            Block("t", "Tanh"),
            Block("loss", "Loss"),
        ],
        [("x.y", "e.x"), ("e.y", "t.x"), ("t.y", "loss.x")],
    )
    results = results_of(evaluate(graph), 1)
    links = [*results.wires.row_of, Link(PortName("main/gone", "y"), PortName("main/e", "x"))]
    rows = ResultRows(links, [])
    assert rows.breaks.tolist() == [False] * 4
    rows.read(results)
    broken = {str(link.target) for link, breaks in zip(links, rows.breaks.tolist(), strict=True) if breaks}
    assert broken == {"main/t.x"}
    assert rows.wires_in(results).tolist() == [*range(3), -1]
