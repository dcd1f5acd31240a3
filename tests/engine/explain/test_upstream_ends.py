"""Chains of zeros at a block that is reason enough for the zero but receives nothing itself: both ends are named."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.why_zero import Reason, why_zero
from gradwire.engine.graph.graph import Graph
from tests.gallery import example_names, run_of_example
from tests.recorded import recorded_graphs, run_of_recording

SEEDS = range(60)


def where_behind_relu() -> Graph:
    """Where does not choose the last element, and Relu lets nothing back to Where."""
    x = gw.Variable(np.array([-1.0, -2.0, 3.0]), name="x")
    chosen = gw.Where(gw.Constant(np.array([True, True, False])), x, gw.Constant(-1.0), name="choice")
    return gw.graph(gw.Loss(gw.Relu(chosen, name="relu")))


def clip_behind_zero() -> Graph:
    """ClipByValue clips both elements, and a factor of 0 lets nothing back to it."""
    x = gw.Variable(np.array([-5.0, -7.0]), name="x")
    clipped = gw.ClipByValue(x, -1.0, 1.0, name="clip")
    return gw.graph(gw.Loss(gw.Multiply(clipped, gw.Constant(np.zeros(2)), name="product")))


def drawn(seed: int) -> Graph:
    """Returns a random graph of blocks that often keep the gradient back."""
    choose, numbers = random.Random(seed), np.random.default_rng(seed)
    pool = [gw.Variable(numbers.normal(size=4)) for _ in range(3)]
    for _ in range(choose.randint(8, 24)):
        x, y = choose.choice(pool[-5:]), choose.choice(pool)
        kind = choose.randrange(7)
        if kind == 0:
            pool.append(choose.choice((gw.Relu, gw.Relu6, gw.Sign, gw.Tanh, gw.Square))(x))
        elif kind == 1:
            pool.append(gw.ClipByValue(x, -0.5, 0.5))
        elif kind == 2:
            pool.append(gw.Where(gw.Constant(numbers.random(4) < 0.5), x, y))
        elif kind == 3:
            pool.append(x * gw.Constant((numbers.random(4) < 0.3).astype(float)))
        elif kind == 4:
            pool.append(gw.Pad(gw.Slice(x, begin=[1], size=[2]), paddings=[[1, 1]]))
        else:
            pool.append(choose.choice((gw.Add, gw.Subtract, gw.Multiply, gw.Maximum, gw.Minimum))(x, y))
    return gw.graph(gw.Loss(pool[-1] * pool[-2]))


def receives_nothing(run: Evaluation, path: str) -> bool:
    """Returns whether nothing but 0 comes back along the wires of a block."""
    found = [wire.gradient for link, wire in run.snapshot.wires.items() if link.source.path == path]
    return bool(found) and all(gradient is None or not gradient.any() for gradient in found)


def ends(run: Evaluation) -> Iterator[tuple[Reason, ...]]:
    """Yields the chain of every zero with a cause."""
    snapshot = run.snapshot
    for places in (snapshot.wires, snapshot.ports):
        for place, result in places.items():
            if result.zero is not None:
                yield why_zero(run, place)


def every_run() -> Iterator[Evaluation]:
    yield from map(run_of_example, example_names())
    yield from map(run_of_recording, recorded_graphs())
    yield from map(run_graph, map(drawn, SEEDS))
    yield run_graph(where_behind_relu())
    yield run_graph(clip_behind_zero())


@pytest.mark.long
def test_no_chain_stops_at_a_block_that_receives_nothing() -> None:
    chains = named = 0
    for run in every_run():
        for chain in ends(run):
            chains += 1
            last = chain[-1]
            if receives_nothing(run, last.at[0]):
                assert last.upstream, (last.at, last.kind)
                named += 1
            if last.upstream:
                assert last.upstream[-1].kind.is_root
                assert not receives_nothing(run, last.upstream[-1].at[0])
    assert chains > 2000 and named > 400


def test_where_names_itself_and_the_relu_that_returns_nothing() -> None:
    run = run_graph(where_behind_relu())
    zero = run.snapshot.ports[PortName("main/x", "y")].zero
    assert zero is not None
    last = why_zero(run, PortName("main/x", "y"))[-1]
    both = {last.at[0], *(reason.at[0] for reason in last.upstream)}
    assert last.at == (zero.at,)
    assert "main/relu" in both


def test_the_snapshot_names_both_ends() -> None:
    zero = run_graph(clip_behind_zero()).snapshot.ports[PortName("main/x", "y")].zero
    assert zero is not None
    assert (zero.cause, zero.at, zero.upstream) == ("not_selected", "main/clip", ("zero_factor", "main/product"))


def test_a_block_that_receives_something_has_no_end_upstream() -> None:
    run = run_graph(gw.graph(gw.Loss(gw.Relu(gw.Variable(np.array([-1.0, 2.0]), name="x"), name="relu"))))
    zero = run.snapshot.ports[PortName("main/x", "y")].zero
    assert zero is not None and zero.at == "main/relu" and zero.upstream is None
