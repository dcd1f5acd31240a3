"""What a page holds of data sets and noise."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.counter_random import generator, permutation
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.draw import Recipe
from gradwire.engine.export.live.drawn import DrawnNumbers, shown_noise

ROWS = np.arange(10, dtype=np.uint8).reshape(5, 2)
LABELS = np.arange(5.0)


def rows(seed: int | None = 7, batch: int = 2) -> Recipe:
    return Recipe("rows", seed, (ROWS, LABELS), batch, "dots")


def test_a_set_is_held_once_for_all_blocks_with_its_rows_in_the_same_order() -> None:
    drawn = DrawnNumbers()
    assert [drawn.entry("main/a", rows()), drawn.entry("main/b", rows())] == [["rows", 0]] * 2
    assert drawn.entry("main/c", rows(seed=None)) == ["rows", 1]
    assert drawn.entry("main/d", rows(batch=3)) == ["rows", 2]
    assert drawn.entry("main/a", rows()) == ["rows", 0]
    assert drawn.held == [("dots", 5)] * 3


def test_a_set_has_its_rows_one_array_after_the_other_at_multiples_of_8_bytes() -> None:
    drawn = DrawnNumbers()
    drawn.entry("main/a", rows())
    assert drawn.sets == [
        {"title": "dots", "rows": 5, "batch": 2, "seed": 7, "arrays": [["uint8", (2,)], ["float64", ()]]}
    ]
    # Ten bytes and six of nothing, then five numbers of eight bytes.
    assert drawn.memory == ROWS.tobytes() + bytes(6) + LABELS.tobytes()
    assert len(drawn.memory) == 56


@pytest.mark.parametrize("seed", [None, 7])
def test_without_data_the_first_batch_is_held_in_its_order(seed: int | None) -> None:
    drawn = DrawnNumbers(is_whole=False)
    drawn.entry("main/a", rows(seed, batch=4))
    chosen = [0, 1, 2, 3] if seed is None else permutation(5, "order", 7, 0)[:4]
    assert drawn.memory == ROWS[chosen].tobytes() + LABELS[chosen].tobytes()
    ((name, count),), (entry,) = drawn.held, drawn.sets
    assert (name, count, entry["rows"], entry["seed"]) == ("dots", 4, 4, None)


def test_noise_is_said_by_kind_path_and_seed() -> None:
    drawn = DrawnNumbers()
    assert drawn.entry("main/n", Recipe("normal", 3)) == ["normal", "main/n", 3]
    assert (drawn.sets, drawn.memory) == ([], b"")
    with pytest.raises(GradwireError, match="main/n: Its random numbers"):
        drawn.entry("main/n", None)


def test_a_graph_shows_the_noise_of_its_seed_outside_of_training() -> None:
    uniform = gw.RandomUniform(shape=[4000], seed=5, every="step", dtype="float32", name="u")
    normal = gw.RandomNormal(shape=[3], every="step", name="n")
    still = gw.RandomNormal(shape=[3], name="still")
    data = gw.Data(set="moons", name="data")
    total = gw.ReduceSum(gw.Cast(uniform, dtype="float64")) + gw.ReduceSum(normal) + gw.ReduceSum(still)
    found = shown_noise(gw.graph(gw.Loss(total + gw.ReduceSum(gw.Cast(data[0], dtype="float64")), name="L")))
    assert set(found) == {"main/u", "main/n"}
    (u,), (n,) = ([item.application.parameters["value"] for item in found[name]] for name in ("main/u", "main/n"))
    assert (u.shape, u.dtype, n.shape, n.dtype) == ((4000,), np.float32, (3,), np.float64)
    np.testing.assert_array_equal(u, generator("noise", 5).random(4000).astype(np.float32))
    np.testing.assert_array_equal(n, generator("noise", 0).standard_normal(3))
    assert np.all((u >= 0) & (u < 1)) and (n.min() < 0 or n.max() > 1)
