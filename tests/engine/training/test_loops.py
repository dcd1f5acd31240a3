"""Training of a loop: every round of it moves the same variables as pages one behind the other."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.loop_graphs import entry, leaving, page_from, scan, source

RULES = ({"type": "adam", "rate": 0.05}, {"type": "descent", "rate": 0.1})


def regression(stop_every: int, rule: dict[str, object]) -> Graph:
    """Returns a recurrent network with a Variable outside of its loop and one inside, and a plan of training."""
    inner = Block("u", "Variable", parameters={"value": np.array([[0.5, -0.2], [0.1, 0.3]])})
    outer = Block("w", "Variable", parameters={"value": np.array([[1.0, -1.0]])})
    blocks = [entry("h"), entry("x", 1), entry("w", 2), inner, Block("a", "Add"), Block("t", "Tanh")]
    blocks += [Block("m", "MatMul"), Block("k", "MatMul"), leaving("h"), leaving("o", 1)]
    wires = [("h.y", "m.a"), ("u.y", "m.b"), ("x.y", "k.a"), ("w.y", "k.b")]
    wires += [("m.product", "a.x"), ("k.product", "a.y"), ("a.z", "t.x"), ("t.y", "h_out.x"), ("t.y", "o_out.x")]
    rec = scan("rec", "cell", 4, each=("x",), collect=("o",), stop_every=stop_every)
    numbers = np.random.default_rng(1)
    main = [source("h", np.zeros((1, 2))), source("x", numbers.normal(size=(4, 1, 1))), outer, rec]
    main += [Block("loss", "Loss"), source("aim", numbers.normal(size=(4, 1, 2))), Block("d", "SquaredDifference")]
    ends = [("h.y", "rec.h"), ("x.y", "rec.x"), ("w.y", "rec.w"), ("rec.o", "d.x"), ("aim.y", "d.y"), ("d.z", "loss.x")]
    return Graph(
        pages=(page_from("main", main, ends), page_from("cell", blocks, wires)), training={"steps": ({"rule": rule},)}
    )


@pytest.mark.parametrize(("stop_every", "rule"), [(0, RULES[0]), (2, RULES[0]), (1, RULES[1])])
def test_a_loop_is_trained_as_its_pages_are(stop_every: int, rule: dict[str, object]) -> None:
    graph = regression(stop_every, rule)
    found, wanted = gw.train(graph, 20), gw.train(edits.unroll(graph, "main", "rec")[0], 20)
    np.testing.assert_array_equal(found.losses["all"], wanted.losses["all"])
    for name in ("main/w", "cell/u"):
        np.testing.assert_array_equal(
            found.graph.block(name).parameters["value"], wanted.graph.block(name).parameters["value"]
        )
    assert found.losses["all"][-1] < found.losses["all"][0]
    assert found.trained == wanted.trained


def test_training_without_the_stop_of_one_round_ignores_that_one() -> None:
    graph = regression(2, RULES[1])
    free, stopped = gw.train(graph, 3, without="rec[2]/h"), gw.train(graph, 3)
    whole = gw.train(regression(0, RULES[1]), 3)
    np.testing.assert_array_equal(free.losses["all"], whole.losses["all"])
    assert (free.losses["all"] != stopped.losses["all"]).any()
    assert dataclasses.replace(graph).training == free.graph.training
