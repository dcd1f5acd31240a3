"""Losses along an element: in the memory of a run they are those beside it, and they leave the run as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.base.processes.interruption import INTERRUPTION, Interrupted
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.explain import losses_along
from gradwire.engine.explain.slices import slice_around
from gradwire.engine.graph.graph import Graph
from tests.gallery import example, examples_of_each_wiring


@cache
def in_arena(graph: Graph) -> Evaluation | None:
    """Returns a run that can be repeated in its memory, with one of its numbers edited; None if it cannot."""
    try:
        rerun = Rerun(run_graph(graph))
    except gw.GradwireError:
        return None
    for page in graph.pages:
        for block in page.blocks.values():
            value = block.parameters.get("value")
            if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size:
                edited = edits.set_parameter(graph, page.name, block.id, "value", value + 0.25)
                return rerun.run(edited, new_values(graph, edited) or {})
    return None


def sources(run: Evaluation) -> Iterator[tuple[PortName, tuple[int, ...]]]:
    """Yields the first element of each source of floats."""
    instances = run.lowered.inferred.expanded.instances
    for name, port in run.lowered.ports.items():
        is_source = not port.application.inputs and instances[name.path].role is Role.SOURCE
        if is_source and port.dtype.kind == "f" and port.spec.size:
            yield name, (0,) * len(port.shape)


def bits(run: Evaluation) -> list[bytes]:
    return [b"" if array is None else array.tobytes() for array in run.results.values]


@pytest.mark.long
@pytest.mark.parametrize("name", examples_of_each_wiring())
def test_slices_in_the_memory_of_a_run_are_those_beside_it_and_leave_it_alone(name: str) -> None:
    run = in_arena(example(name))
    if run is None or run.arena is None:
        return  # the examples of mistakes, and those whose numbers decide shapes
    before, beside = bits(run), replace(run, arena=None)
    for port, index in sources(run):
        try:
            expected = slice_around(beside, port, index, 1.0)
        except NameUnknownError:
            continue
        found = slice_around(run, port, index, 1.0)
        assert repr(found) == repr(expected)
        assert bits(run) == before


def test_a_step_that_fails_hides_only_the_losses_that_need_it() -> None:
    x = gw.Input(0.25, name="x")
    solved = gw.MatrixSolve(gw.Reshape(x, shape=(1, 1)), np.ones((1, 1)), name="solve")
    graph = gw.graph(gw.Loss(2.0 * x, name="doubled"), gw.Loss(solved, name="inverse"))
    for loss, at_zero in (("doubled", 0.0), ("inverse", np.nan)):
        run = in_arena(edits.set_loss(graph, f"main/{loss}"))
        assert run is not None and run.arena is not None
        found = slice_around(run, PortName("main/x", "y"), (), 1.0)
        (place,) = np.flatnonzero(np.asarray(found.places) == 0)
        np.testing.assert_equal(found.losses[place], at_zero)
        assert np.isfinite(np.delete(found.losses, place)).all()


def test_most_examples_are_sliced_in_their_memory() -> None:
    runs = [in_arena(example(name)) for name in examples_of_each_wiring()]
    assert sum(run is not None and run.arena is not None for run in runs) > 0.8 * len(runs)


def test_an_interrupted_slice_leaves_the_run_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    run = in_arena(example("softmax_stable"))
    assert run is not None and run.arena is not None
    before = bits(run)
    times = iter(range(10_000))

    def clock() -> float:
        """Interrupts when the time is read, which is in the midst of a piece."""
        INTERRUPTION._take()
        return float(next(times))

    monkeypatch.setattr(losses_along.time, "perf_counter", clock)
    with pytest.raises(Interrupted), INTERRUPTION.allowed(lambda: False):
        slice_around(run, PortName("main/x", "y"), (0,), 1.0)
    assert bits(run) == before
    assert INTERRUPTION._protected == 0


@pytest.mark.parametrize(("place", "wanted"), [(0.0, 1.0), (1.0, 1 + np.e), (-2.0, 4 + np.exp(4))])
def test_a_loss_that_another_loss_reads_is_kept_until_both_are_known(place: float, wanted: float) -> None:
    first = gw.Loss(gw.Square(gw.Variable(3.0, name="w"), name="s"), name="A")
    run = run_graph(gw.graph(gw.Loss(gw.Exp(gw.Identity(first)), name="B")))
    assert len(run.lowered.losses) == 2
    along = losses_along.losses_along(run, run.lowered.ports[PortName("main/w", "y")], (), run.lowered.losses)
    assert along(place) == pytest.approx(wanted)
    along.close()


def test_losses_of_which_one_is_unknown_are_no_number() -> None:
    run = run_graph(gw.graph(gw.Loss(gw.Square(gw.Variable(3.0, name="w"), name="s"), name="A")))
    port = run.lowered.ports[PortName("main/w", "y")]
    assert np.isnan(losses_along.losses_along(run, port, (), [])(1.0))
    assert losses_along.losses_along(run, port, (), run.lowered.losses * 2)(2.0) == 8
