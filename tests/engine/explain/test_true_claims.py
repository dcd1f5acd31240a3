"""Everything that is claimed about a zero of a recorded case or of the gallery is done, and comes out as it says.

The trial of the test edits the graph: a Constant stands in for the tensor in question, and the graph runs anew.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.claims.claims import Claim
from gradwire.engine.explain.why_zero import Kind, Reason, why_zero
from gradwire.engine.graph.graph import Block, Graph, Port, Wire
from tests.gallery import example, example_names, examples_of_each_wiring
from tests.recorded import graph_of_case, load, make_graph, recorded_types
from tests.sweeps import a_third_of

CASES = 2


def with_constant(graph: Graph, target: PortName, value: np.ndarray) -> Graph:
    """Returns the graph with a Constant in place of what a port reads."""
    page_name, _, block = target.path.partition("/")
    page = graph.page(page_name)
    end = Port(block, target.port)
    blocks = {**page.blocks, "instead": Block("instead", "Constant", parameters={"value": value})}
    wires = {**page.wires, end: Wire(Port("instead", "y"), end)}
    changed = dataclasses.replace(page, blocks=blocks, wires=wires)
    return dataclasses.replace(graph, pages=tuple(changed if item is page else item for item in graph.pages))


def gradient_with(run: Evaluation, place: Link, port: str, value: np.ndarray) -> np.ndarray:
    """Returns the gradient along a wire with another number at one port of its block."""
    there = PortName(place.target.path, port)
    again = run_graph(with_constant(run.graph, there, value)).snapshot
    wire = next(result for link, result in again.wires.items() if link.target == place.target)
    assert wire.gradient is not None
    return wire.gradient


def value_at(run: Evaluation, place: Link, port: str) -> np.ndarray:
    there = PortName(place.target.path, port)
    source = next(link.source for link in run.snapshot.wires if link.target == there)
    value = run.snapshot.ports[source].value
    assert value is not None
    return value


def judge(run: Evaluation, root: Reason, place: Link) -> Iterator[str]:
    """Yields the claims that were tried."""
    block = run.lowered.inferred.expanded.instances[place.target.path]
    own = value_at(run, place, place.target.port)
    if Claim.NEARER_TO_ZERO in root.claims:
        moved = [np.ldexp(own, -halvings) for halvings in (0, 2, 8, 64, 1020)]
        sizes = [abs(gradient_with(run, place, place.target.port, item)[root.index]) for item in moved]
        assert min(sizes) == sizes[0] < sizes[-1], (block.type, sizes)
        yield "nearer"
    if root.claims & {Claim.ONLY_INPUT, Claim.ONLY_FINITE_INPUT}:
        other = np.where(np.isfinite(own), np.random.default_rng(1).normal(size=own.shape), own)
        assert gradient_with(run, place, place.target.port, other)[root.index] == 0
        yield "only input"
    if root.zero is not None and root.zero.port in block.inputs and root.zero.index is not None:
        value = np.array(value_at(run, place, root.zero.port))
        assert value[root.zero.index] == 0
        value[root.zero.index] = 0.37
        yield f"zero {gradient_with(run, place, root.zero.port, value)[root.index] != 0}"
    if Claim.FLAT_HERE in root.claims:
        yield "flat"


def gradient_alone(run: Evaluation, place: Link) -> np.ndarray | None:
    """Returns what a block gives to one input where ordinary numbers arrive in place of its incoming gradient.

    None for a Loss, and for a block with several outputs.
    """
    path, instances = place.target.path, run.lowered.inferred.expanded.instances
    block = run.graph.page(path.partition("/")[0]).blocks[path.partition("/")[2]]
    outputs = run.lowered.inferred.outputs[path]
    if instances[path].role is Role.LOSS or len(outputs) != 1:
        return None
    arriving = run.snapshot.ports[PortName(path, *outputs)].gradient
    assert arriving is not None
    weights = np.where(arriving != 0, np.random.default_rng(1).uniform(0.5, 1.5, arriving.shape), 0)
    arrivals = [link for link in run.snapshot.wires if link.target.path == path]
    given = {link.target.port: run.snapshot.ports[link.source].value for link in arrivals}
    blocks = [Block(name, "Input", parameters={"value": value}) for name, value in given.items()]
    blocks += [Block("w", "Constant", parameters={"value": weights.astype(arriving.dtype)}), Block("loss", "Loss")]
    wires = [(f"{name}.y", f"alone.{name}") for name in given]
    wires += [(f"alone.{next(iter(outputs))}", "loss.x"), ("w.y", "loss.weights")]
    made = make_graph([*blocks, dataclasses.replace(block, id="alone")], wires)
    # A page with its own gradient takes part with both halves.
    used = (page for page in run.graph.pages if page.name != made.pages[0].name)
    graph = dataclasses.replace(made, pages=(*made.pages, *used))
    return run_graph(graph).snapshot.ports[PortName(f"main/{place.target.port}", "y")].gradient


def clause_is_true(run: Evaluation, root: Reason, place: Link) -> bool:
    """Returns whether the block itself passes nothing on, as the clauses of all causes but two say of it."""
    alone = gradient_alone(run, place)
    if alone is None or root.kind in (Kind.CANCELLED, Kind.UNDERFLOW):
        return True
    slope = (
        run.lowered.inferred.expanded.instances[place.target.path].type.max_slope if root.kind is Kind.SATURATED else 0
    )
    return abs(float(alone[root.index])) <= 2e-6 * (slope or 1) * (root.kind is Kind.SATURATED)


def roots_of(graph: Graph) -> Iterator[tuple[Evaluation, Reason, Link]]:
    run = run_graph(graph)
    for link, wire in run.snapshot.wires.items():
        if wire.zero is not None and link.target.path.count("/") == 1:
            root = why_zero(run, link)[-1]
            if root.place == link:
                yield run, root, link


def check_claims(graph: Graph) -> None:
    for run, root, link in roots_of(graph):
        assert clause_is_true(run, root, link), (link, root)
        for told in judge(run, root, link):
            assert told != "zero False", (link, root)


@pytest.mark.parametrize("number", a_third_of(range(12), 1))
def test_the_claims_about_recorded_cases_are_true(number: int) -> None:
    for op in recorded_types()[number::12]:
        for case in load("cases", op)["cases"][:CASES]:
            check_claims(graph_of_case(op, case))


@pytest.mark.parametrize("name", a_third_of(examples_of_each_wiring(), 1))
def test_the_claims_about_the_gallery_are_true(name: str) -> None:
    check_claims(example(name))


@pytest.mark.long
def test_no_zero_of_the_gallery_loses_its_reason() -> None:
    """A saturated block has a claim, and so has an optimum; a zero factor is named in all but one place."""
    roots = [why_zero(run, link)[-1] for name in example_names() for run, link in zeros_of(example(name))]
    unnamed = [item for item in roots if item.kind is Kind.ZERO_FACTOR and item.zero is None]
    silent = [item for item in roots if item.kind in (Kind.SATURATED, Kind.AT_OPTIMUM, Kind.FLAT) and not item.claims]
    assert len(roots) > 70 and len(unnamed) <= 1 and not silent


def zeros_of(graph: Graph) -> Iterator[tuple[Evaluation, Link]]:
    run = run_graph(graph)
    yield from ((run, link) for link, wire in run.snapshot.wires.items() if wire.zero is not None)
