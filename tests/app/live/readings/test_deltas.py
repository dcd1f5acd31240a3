"""What goes to the window of results: all of it arrives, and nothing that has arrived before goes again."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from gradwire.app.live.readings.deltas import Receiver, Sender
from gradwire.app.live.readings.readings import Results, results_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits.edits import set_parameter
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import x


def chain(length: int) -> Graph:
    line = x(np.linspace(0.1, 1, 40))
    for place in range(length):
        line.then(f"b{place}", "Tanh")
    return line.loss()


def assert_same(found: Results, whole: Results) -> None:
    for one, other in zip(found.tables, whole.tables, strict=True):
        assert (one.shapes, one.dtypes, one.moments) == (other.shapes, other.dtypes, other.moments)
        assert one.rows.tobytes() == other.rows.tobytes() and one.first.tobytes() == other.first.tobytes()
        assert one.thumbnails.places == other.thumbnails.places
        np.testing.assert_array_equal(one.thumbnails.cells, other.thumbnails.cells)
    for mine, its in ((found.ports, whole.ports), (found.wires, whole.wires)):
        assert mine.row_of == its.row_of and set(mine.row_of) == set(its.row_of)
        np.testing.assert_array_equal(mine.statuses, its.statuses)
        assert (mine.by, mine.zeros, mine.ties) == (its.by, its.zeros, its.ties)
    assert (found.revision, found.loss, found.problems) == (whole.revision, whole.loss, whole.problems)


def sent(*graphs: Graph) -> list[Results]:
    """Returns what goes to the window for graphs one after another, after all that has arrived was compared."""
    sender, receiver, found = Sender(), Receiver(), list[Results]()
    for revision, graph in enumerate(graphs):
        whole = results_of(evaluate(graph), revision)
        found.append(pickle.loads(pickle.dumps(sender.delta(whole))))
        assert_same(receiver.whole(found[-1]), whole)
    return found


def kind(part: object) -> str:
    return type(part).__name__.strip("_")


def test_other_numbers_send_no_names_shapes_and_places() -> None:
    graph = chain(9)
    first, same, other = sent(graph, graph, set_parameter(graph, "main", "x", "value", np.linspace(0.2, 2, 40)))
    assert kind(first.ports.row_of) == kind(first.values.shapes).replace("tuple", "dict") == "dict"
    for delta in (same, other):
        for part in (delta.ports.row_of, delta.wires.row_of, delta.values.shapes, delta.values.dtypes):
            assert kind(part) == "Kept"
        assert kind(delta.values.thumbnails.places) == "Kept"
        assert isinstance(delta.values.rows, np.ndarray)


NAMES = [PortName(f"main/n{number}", "y") for number in range(20)]
ROWS = {name: row for row, name in enumerate(NAMES[:12])}


@pytest.mark.parametrize(
    ("rows", "is_small"),
    [
        ({name: row for name, row in ROWS.items() if row != 5}, True),
        # Fewer than a quarter of all names may have come.
        ({**ROWS, **dict(zip(NAMES[12:15], range(12, 15), strict=True))}, True),
        ({**ROWS, **dict(zip(NAMES[12:16], range(12, 16), strict=True))}, False),
        ({**{name: row for name, row in ROWS.items() if row != 5}, NAMES[19]: 5}, True),
        # None of them may have another row.
        ({**ROWS, NAMES[0]: 12}, False),
    ],
)
def test_few_other_names_are_sent_as_those_that_went_and_came(rows: dict[PortName, int], is_small: bool) -> None:
    whole, sender, receiver = results_of(evaluate(chain(3)), 1), Sender(), Receiver()
    for number, names in enumerate((ROWS, rows)):
        now = replace(whole, revision=number, ports=replace(whole.ports, row_of=names))
        delta = sender.delta(now)
        assert receiver.whole(delta).ports.row_of == names
    assert kind(delta.ports.row_of) == ("Edited" if is_small else "dict")
    assert len(pickle.dumps(delta)) < len(pickle.dumps(whole))


def test_names_in_another_order_are_other_names() -> None:
    graph = chain(3)
    page = graph.pages[0]
    turned = Graph((type(page)(page.name, dict(reversed(page.blocks.items())), page.wires),))
    sent(graph, turned, graph)
