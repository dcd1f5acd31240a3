"""Pictures made, compared and remade in bulk equal those that are made one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import Request, Worker
from gradwire.app.live.readings.deltas import Receiver
from gradwire.app.live.readings.pictures import NO_PICTURES, pictures_of, thumbnail_of
from gradwire.app.live.readings.readings import results_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Block, Graph
from tests.recorded import make_graph

SHAPES = [(), (16,), (17,), (200,), (2, 3), (4, 13), (9, 40), (2, 5, 7), (0, 3)]
DTYPES = ["float64", "float32", "int32", "bool"]


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SHAPES), st.sampled_from(DTYPES), st.booleans()), max_size=12))
def test_pictures_of_many_are_those_of_each(kinds: list[tuple[tuple[int, ...], str, bool]]) -> None:
    numbers = np.random.default_rng(0)
    made = [(numbers.normal(size=shape) * 9).astype(dtype) for shape, dtype, _ in kinds]
    arrays = {2 * row: array.T if kinds[row][2] else array for row, array in enumerate(made)}
    expected = {row: picture for row, array in arrays.items() if (picture := thumbnail_of(array)) is not None}
    found = pictures_of(arrays)
    assert set(found) == set(expected)
    for row, picture in expected.items():
        np.testing.assert_array_equal(found[row], picture)


def test_only_rows_with_other_cells_differ() -> None:
    arrays: dict[int, Array] = {row: np.full((2, row + 1), float(row)) for row in (4, 1, 7)}
    arrays[1][0, 0] = np.nan
    before = pictures_of(arrays)
    assert before.differing(pictures_of(arrays)) == []
    changed = {row: array + (row == 7) for row, array in arrays.items()}
    assert pictures_of(changed).differing(before) == [7]
    assert NO_PICTURES.differing(NO_PICTURES) == []


def test_of_few_rows_others_may_be_left_out() -> None:
    """Fewer than an eighth of all rows are looked at one by one."""
    arrays = {row: np.full((2, 3), float(row)) for row in range(20)}
    before = pictures_of(arrays)
    after = pictures_of({row: array + (row in (3, 15)) for row, array in arrays.items()})
    assert [after.differing(before, among) for among in ([3], [4], [99])] == [[3], [], []]
    assert after.differing(before, [3, 4]) == after.differing(before) == [3, 15]
    assert len(after) == 20 and list(after) == list(range(20))


def matrices(value: Array) -> Graph:
    """Returns a loss through a transpose, a sum that is broadcast, and a product of matrices."""
    kinds = [("t", "Transpose"), ("e", "Exp"), ("m", "MatMul"), ("s", "Tanh"), ("loss", "Loss")]
    wires = [("x.y", "t.x"), ("t.y", "e.x"), ("x.y", "m.a"), ("e.y", "m.b"), ("m.y", "s.x"), ("s.y", "loss.x")]
    x = Block("x", "Input", parameters={"value": value})
    return make_graph([x, *(Block(*kind) for kind in kinds)], wires)


def test_a_graph_of_matrices_with_other_numbers_shows_their_pictures() -> None:
    numbers = np.random.default_rng(1)
    graph, before, worker = matrices(numbers.normal(size=(9, 20))), Graph(()), Worker(is_quick=True)
    # Unchanged parts are left out, as on a busy machine that postpones causes.
    receiver = Receiver()
    for revision in range(3):
        found = receiver.whole(worker.run(Request(revision, update_between(before, graph))))
        before, expected = graph, results_of(evaluate(graph), revision)
        for table, whole in zip(found.tables, expected.tables, strict=True):
            pictures, shown = whole.thumbnails, table.thumbnails
            assert isinstance(shown.cells, np.ndarray) and len(pictures) > 0
            for row, (start, shape) in pictures.places.items():
                cells = shown.cells[start : start + pictures[row].size].reshape(shape)
                np.testing.assert_array_equal(cells, pictures[row])
        graph = edits.set_parameter(graph, "main", "x", "value", numbers.normal(size=(9, 20)))
