"""Programs of graphs as data: run by the script they give what the engine gives, whatever numbers are put in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire import HOME
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.export.live.program import LiveProgram, live_program
from gradwire.engine.files.files import load
from gradwire.engine.graph.block_parameters import value_of, with_parameters
from gradwire.engine.graph.graph import Graph
from tests.gallery import example, example_names
from tests.pages.javascript import played
from tests.sweeps import long

# A sum whose terms cancel to 1e-17 of them: any other order of its terms gives another number.
CANCELLED = {("attention", "main/rowsS.y")}
PLAY = """
return Promise.all(given.map(async ({data, changes}) => {
  const [doc, memories] = await Live.unpacked(data), live = new Live(doc, memories);
  for (const [path, numbers] of changes) live.put(path, numbers);
  return doc.variants.map((variant, at) => {
    live.use(at);
    const read = entries => Object.entries(entries).map(([key, entry]) => {
      const found = live.read(entry);
      return [key, plain(found.value), plain(found.gradient), found.status];
    });
    return [variant.open, live.isOld, live.failed, [...read(variant.ports), ...read(variant.wires)]];
  });
}));"""


def changed(graph: Graph, program: LiveProgram, seed: int) -> tuple[Graph, list[tuple[str, list[float]]]]:
    """Returns a graph with other numbers in all its sources of floats, and these numbers."""
    choose, changes = np.random.default_rng(seed), []
    for path, _, _ in program.document["sources"]:  # type: ignore[attr-defined]  # a list of JSON
        value = value_of(graph.block(path))
        if value is not None and value.dtype.kind == "f":
            factors = (
                choose.uniform(-1.5, 3, value.shape) if seed % 2 else 1 + 0.1 * choose.standard_normal(value.shape)
            )
            other = (value * factors).astype(value.dtype)
            graph = with_parameters(graph, path, {"value": other})
            changes.append((path, other.ravel().astype(float).tolist()))
    return graph, changes


def entries_of(run: Evaluation) -> list[tuple[str, Array | None, Array | None, str]]:
    """Returns key, value, gradient and status of every port and wire."""
    index, snapshot = run.structure.port_index, run.snapshot
    found = [(str(name), place, snapshot.ports[name].status) for name, place in index.ports.items()]
    found += [
        (f"{link.source}>{link.target}", place, snapshot.wires[link].status) for link, place in index.wires.items()
    ]
    return [
        (key, None if place.value is None else run.results[place.value], run.gradient(place), str(status))
        for key, place, status in found
    ]


def are_close(found: list[float | str] | None, expected: Array | None) -> bool:
    """Returns whether numbers agree within 1e-9 of the largest of them."""
    if found is None or expected is None:
        return found is None and expected is None
    wanted, numbers = expected.astype(float).ravel(), np.array([float(item) for item in found])
    top = np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0)
    share = 1e-9 if expected.dtype != np.float32 else 1e-5
    return bool(np.allclose(numbers, wanted, rtol=0, atol=share * top, equal_nan=True))


def faults(name: str, graph: Graph, found: list[Any]) -> list[str]:
    """Returns what differs between the script's states of an example and the engine's."""
    wrong = []
    for opened, is_old, failed, entries in found:
        assert not any(failed)
        expected = entries_of(run_graph(graph, frozenset(opened)))
        assert [entry[0] for entry in entries] == [key for key, *_ in expected]
        for (key, value, gradient, status), (_, array, slope, wanted) in zip(entries, expected, strict=True):
            if is_old and status == "unknown":
                continue
            is_same = are_close(value, array) and (wanted == "zero" or are_close(gradient, slope))
            if status != wanted or not (is_same or (name, key) in CANCELLED):
                wrong.append(f"{name} {opened} {key}: {status}, not {wanted}")
    return wrong


# A third of them, and in long runs all.
@pytest.mark.parametrize(("seed", "every"), [(1, 3), long((2, 1)), long((3, 1))])
def test_examples_have_the_engine_s_numbers_and_statuses_after_all_sources_change(seed: int, every: int) -> None:
    programs = {name: live_program(example(name)) for name in example_names()[seed % every :: every]}
    moved = {name: changed(example(name), program, seed) for name, program in programs.items()}
    jobs = [{"data": programs[name].packed({}), "changes": moved[name][1]} for name in programs]
    found = played(("engine", "bounds", "live"), PLAY, jobs)
    states = dict(zip(programs, found, strict=True))
    assert not [line for name, item in states.items() for line in faults(name, moved[name][0], item)]
    assert sum(len(item) for item in states.values()) > len(states)


def test_states_of_stops_share_the_forward_pass() -> None:
    first, second = live_program(example("softmax_stable")).document["variants"]  # type: ignore[misc]  # JSON
    assert (first["open"], second["open"]) == ((), ("main/stop",))
    assert second["shared"] > len(second["rows"])


def test_the_same_graph_gives_the_same_text() -> None:
    graph = example("gan_stop")
    assert live_program(graph).packed({}) == live_program(graph).packed({})


def test_a_block_that_only_python_computes_is_named() -> None:
    assert live_program(example("newton")).called == ("main/solve",)


def test_diagonals_are_computed_in_the_page() -> None:
    assert live_program(example("guide_12_batch_jacobian")).called == ()


def test_metrics_are_computed_in_the_page() -> None:
    assert live_program(load(HOME / "assets" / "trainings" / "moons.graph").graph).called == ()
    labels, guesses = gw.Input(np.array([[1.0], [3.0]]), name="x"), gw.Input(np.array([[1.5], [2.5]]), name="y")
    assert live_program(gw.graph(gw.Loss(gw.R2(labels, guesses), name="loss"))).called == ()
