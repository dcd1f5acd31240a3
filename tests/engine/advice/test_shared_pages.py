"""Mistakes on pages that are used several times, with variables of their own: found, and mended outside."""

from __future__ import annotations

import numpy as np

import gradwire as gw
from gradwire.engine.advice.linter import lint
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.engine.advice.parts import drawn
from tests.gallery import example


def page(name: str, blocks: list[Block], wires: list[tuple[str, str]]) -> Page:
    ends = [(Port(*source.split(".")), Port(*target.split("."))) for source, target in wires]
    return Page(name, {block.id: block for block in blocks}, {target: Wire(source, target) for source, target in ends})


def layer(width: int) -> Page:
    """A page with a layer x W, whose weights are its own."""
    blocks = [
        Block("x", "PageInput", parameters={"name": "x", "value": np.zeros((1, 2))}),
        Block("W", "Variable", parameters={"value": drawn(1, 2, width)}),
        Block("product", "MatMul"),
        Block("y", "PageOutput", parameters={"name": "y"}),
    ]
    return page("layer", blocks, [("x.y", "product.a"), ("W.y", "product.b"), ("product.product", "y.x")])


def source(name: str, kind: str, seed: int, *shape: int) -> Block:
    return Block(name, kind, parameters={"value": drawn(seed, *shape)})


def adversaries() -> Graph:
    """A discriminator's loss; the discriminator is a page that is used for data and for generated samples."""
    blocks = [
        source("data", "Input", 3, 4, 2), source("noise", "Input", 4, 4, 3), source("G", "Variable", 5, 3, 2),
        Block("made", "MatMul"), Block("real", "Page", parameters={"page": "layer"}),
        Block("fake", "Page", parameters={"page": "layer"}), Block("minus", "Negative"), Block("true", "Softplus"),
        Block("false", "Softplus"), Block("both", "Add"), Block("loss", "Loss"),
    ]  # fmt: skip
    wires = [
        ("noise.y", "made.a"), ("G.y", "made.b"), ("data.y", "real.x"), ("made.product", "fake.x"),
        ("real.y", "minus.x"), ("minus.y", "true.x"), ("fake.y", "false.x"), ("true.y", "both.x"),
        ("false.y", "both.y"), ("both.z", "loss.x"),
    ]  # fmt: skip
    return Graph(pages=(page("main", blocks, wires), layer(1)))


def views(stops: bool) -> Graph:
    """Two views encoded by one page, whose codes are pulled together."""
    blocks = [
        source("one", "Input", 3, 4, 2), source("two", "Input", 4, 4, 2),
        Block("left", "Page", parameters={"page": "layer"}), Block("right", "Page", parameters={"page": "layer"}),
        Block("stop", "StopGradient" if stops else "Identity"), Block("apart", "SquaredDifference"),
        Block("loss", "Loss"),
    ]  # fmt: skip
    wires = [
        ("one.y", "left.x"), ("two.y", "right.x"), ("left.y", "apart.x"), ("right.y", "stop.x"),
        ("stop.y", "apart.y"), ("apart.z", "loss.x"),
    ]  # fmt: skip
    return Graph(pages=(page("main", blocks, wires), layer(3)))


def rules(graph: Graph) -> set[str]:
    run = run_graph(graph)
    assert not run.snapshot.has_errors
    return {finding.rule for finding in lint(run)}


def test_a_discriminator_on_a_page_is_found_and_stopped_before_the_page() -> None:
    graph = adversaries()
    (finding,) = lint(run_graph(graph))
    assert finding.rule == "fake_not_stopped" and finding.fix is not None
    changed = finding.fix.edit(graph)
    assert changed.page("layer") == graph.page("layer")
    assert not rules(changed)
    assert gw.evaluate(changed).status("G.y") == "blocked"


def test_a_stop_before_one_use_of_the_discriminator_leaves_the_generators_own_loss() -> None:
    graph = example("gan_nostop")
    (finding,) = lint(run_graph(graph))
    assert finding.fix is not None
    run = run_graph(finding.fix.edit(graph))
    assert not lint(run)
    ports = run.snapshot.ports
    # The generator's own gradient; see the gallery.
    assert np.isclose(ports[PortName("main/a", "y")].gradient, -0.16713031132286993, rtol=1e-12)
    assert ports[PortName("main/w", "y")].status is Status.FLOW


def test_views_encoded_by_one_page_are_found() -> None:
    assert rules(views(stops=False)) == {"siamese_not_stopped"}
    assert not rules(views(stops=True))
