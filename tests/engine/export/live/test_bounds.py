"""Zero up to rounding in a page: its bounds and its decisions are those of the engine, whatever numbers are put in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.causes.running_errors import RunningErrors
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.export.live.program import LiveProgram, live_program
from gradwire.engine.export.live.roundings import Roundings
from gradwire.engine.graph.block_parameters import value_of, with_parameters
from gradwire.engine.graph.graph import Graph
from tests.engine.export.live.test_program import entries_of
from tests.gallery import example, example_names
from tests.pages.javascript import played
from tests.recorded import graph_of_recording, load, recorded_graphs
from tests.sweeps import long

SCRIPTS = ("engine", "bounds", "live")
# Sums that cancel with large, tiny or equal numbers, a product with a transposed self, and a deep recurrence.
FEW = ("softmax_stable", "softmax_stable_tie_nosg", "lse_both", "em_Q_nostop", "pg_stop", "attention")
Choose = np.random.Generator
FEEDS: dict[str, Callable[[Array, Choose], Array]] = {
    "far": lambda value, choose: value * choose.uniform(-1.5, 3, value.shape),
    "near": lambda value, choose: value * (1 + 1e-9 * choose.standard_normal(value.shape)),
    "normal": lambda value, choose: choose.standard_normal(value.shape),
    "wide": lambda value, choose: 30 * choose.standard_normal(value.shape),
    "large": lambda value, choose: choose.choice([1e3, -1e3, 999.0, 1001.0], value.shape),
    "offset": lambda value, choose: 1e3 + choose.standard_normal(value.shape),
    "tiny": lambda value, choose: 1e-6 * choose.standard_normal(value.shape),
    "mixed": lambda value, choose: choose.standard_normal(value.shape) * 10.0 ** choose.integers(-8, 4, value.shape),
    "zeros": lambda value, _: np.zeros_like(value),
    "equal": lambda value, choose: np.full_like(value, choose.integers(-3, 4)),
    "ties": lambda value, choose: choose.choice([0.0, 1.0, 2.0], value.shape),
}
PLAY = """
return Promise.all(given.map(async ({data, feeds}) => {
  const [doc, memories] = await Live.unpacked(data), live = new Live(doc, memories);
  return feeds.map(changes => {
    for (const [path, numbers] of changes) live.put(path, numbers.map(Number));
    return doc.variants.map((variant, at) => {
      live.use(at);
      const told = ({status, gradient}) => [status, gradient ? most(gradient) : 0];
      const read = entries => Object.entries(entries).map(([key, entry]) => [key, ...told(live.read(entry))]);
      return [variant.open, live.failed.some(Boolean) || live.isOld, [...read(variant.ports), ...read(variant.wires)]];
    });
  });
}));"""


def fed(graph: Graph, program: LiveProgram, kind: str, seed: int) -> tuple[Graph, list[tuple[str, list[str]]]]:
    """Returns a graph with other numbers in its sources of floats, and these numbers as texts."""
    choose, changes = np.random.default_rng(seed), []
    for path, _, _ in program.document["sources"]:  # type: ignore[attr-defined]  # a list of JSON
        value = value_of(graph.block(path))
        if value is not None and value.dtype.kind == "f":
            other = np.asarray(FEEDS[kind](value, choose), value.dtype)
            graph = with_parameters(graph, path, {"value": other})
            # JSON has no infinity.
            changes.append(
                (path, [f"{item}".replace("inf", "Infinity") for item in other.astype(float).ravel().tolist()])
            )
    return graph, changes


def wrong(graph: Graph, states: list[Any]) -> list[str]:
    """Returns the statuses that a page gives otherwise than the engine; what it does not know is not wrong."""
    found = []
    for opened, may_be_unknown, entries in states:
        expected = entries_of(run_graph(graph, frozenset(opened)))
        for (key, status, size), (_, _, gradient, wanted) in zip(entries, expected, strict=True):
            is_unknown = may_be_unknown and status == "unknown"
            if status != wanted and not is_unknown and not is_remainder(status, size, gradient, wanted):
                found.append(f"{opened} {key}: {status}, not {wanted}")
    return found


def is_remainder(status: str, size: float | None, gradient: Array | None, wanted: str) -> bool:
    """Returns whether a gradient is exactly zero in page or engine, and in the other a remainder.

    Exponentials and their like differ by a unit in the last place, so equal numbers may cancel in one of both alone.
    """
    sizes = sorted([size or 0.0, float(np.max(np.abs(gradient), initial=0)) if gradient is not None else 0.0])
    return {status, wanted} == {"zero", "flow"} and sizes[0] == 0 and sizes[1] < 1e-15


def faults(graphs: dict[str, Graph], kinds: list[str]) -> list[str]:
    """Returns what is wrong after feeds of some kinds."""
    jobs, moved = [], []
    for name, graph in graphs.items():
        program = live_program(graph)
        if program.run.snapshot.has_errors:
            continue
        feeds = [fed(graph, program, kind, seed) for seed, kind in enumerate(kinds)]
        jobs.append({"data": program.packed({}), "feeds": [changes for _, changes in feeds]})
        moved.append((name, [other for other, _ in feeds]))
    found = zip(moved, played(SCRIPTS, PLAY, jobs), strict=True)
    return [
        f"{name} {kind} {fault}"
        for (name, others), feeds in found
        for kind, other, states in zip(kinds, others, feeds, strict=True)
        for fault in wrong(other, states)
    ]


def test_statuses_are_those_of_the_engine_whatever_is_put_in() -> None:
    assert not faults({name: example(name) for name in FEW}, list(FEEDS))


@pytest.mark.parametrize("part", [long(part) for part in range(8)])
def test_statuses_of_all_examples_are_those_of_the_engine(part: int) -> None:
    assert not faults({name: example(name) for name in example_names()[part::8]}, list(FEEDS) * 2)


@pytest.mark.parametrize("part", [long(part) for part in range(8)])
def test_statuses_of_recorded_graphs_are_those_of_the_engine(part: int) -> None:
    names = recorded_graphs()[part::8]
    assert not faults({name: graph_of_recording(load("graphs", name)) for name in names}, list(FEEDS) * 2)


BOUNDS = """
return Promise.all(given.map(async data => {
  const [doc, memories] = await Live.unpacked(data), live = new Live(doc, memories), {bounds} = live;
  for (const slot of bounds.slots) slot.bound = undefined;
  bounds.isFresh = false;
  return bounds.arrivals.map(({slot}) => plain(bounds.boundOf(slot)));
}));"""


def functions() -> dict[str, Any]:
    """A function of each kind, of numbers that cancel to rounding errors."""
    x = gw.Variable(np.array([[0.1, 0.2, 0.7], [1.3, -0.4, 0.6]]), name="x")
    y = (x + 0.3) - 0.3
    square = gw.MatMul(y, gw.Transpose(y))
    return {
        "functions": gw.Exp(y) * gw.Tanh(y) / (2 + gw.Sin(y)) + gw.Sqrt(gw.Square(y) + 1) - gw.Log1p(gw.Square(y)),
        "softmax": gw.Softmax(y) - gw.Exp(gw.LogSoftmax(y)),
        "sums": gw.ReduceLogSumExp(y, axis=1) - gw.ReduceMax(y, axis=1) + gw.ReduceSum(y, axis=1),
        "products": gw.Norm(square, axis=1) + gw.ReduceMean(gw.Gather(square, np.array([1, 0])), axis=1),
        "choices": gw.Where(y > 0.5, y * 3, gw.Relu(y)) + gw.Maximum(y, 0.55) + gw.Pow(gw.Abs(y), 1.5),
        "float32": gw.Cast(gw.Softmax(gw.Cast(y, dtype="float32")), dtype="float64") - y,
    }


@pytest.mark.parametrize("name", list(functions()))
def test_bounds_are_those_of_running_error_analysis(name: str) -> None:
    graph = gw.graph(gw.Loss(gw.ReduceSum(functions()[name]), name="loss"))
    program = live_program(graph)
    (found,) = played(SCRIPTS, BOUNDS, [program.packed({})])
    expected = bounds_of(program.run)
    assert any(bound.max() > 0 for bound in expected)
    for bound, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.array(bound, float), wanted, rtol=0.02, atol=0)


def bounds_of(run: Evaluation) -> list[Array]:
    """Returns the engine's bounds of all gradients that may be rounding errors."""
    errors, backward = RunningErrors(run.results), run.lowered.backward
    gradients = [(backward.edges | backward.totals)[at] for at in Roundings(run).places]
    return [np.broadcast_to(errors.of(item), item.shape).ravel() for item in gradients]
