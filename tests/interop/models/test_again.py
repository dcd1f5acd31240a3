"""A model that comes in again: what the user added to its graph stays, and what went is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Wire
from gradwire.interop.models.again import kept_from
from gradwire.interop.models.graphs import Model
from gradwire.interop.pt2.from_pt2 import read_pt2
from tests.interop.pt2.recorded import Recorded


@pytest.fixture(scope="module")
def model() -> Model:
    return read_pt2(Recorded("models").model("mlp"))


def changed(graph: Graph, edit: Callable[[Page], Page]) -> Graph:
    return graph.with_page(edit(graph.pages[0]))


def placed(page: Page) -> Page:
    blocks = {name: replace(block, at=(7 * place, 3)) for place, (name, block) in enumerate(page.blocks.items())}
    return replace(page, blocks=blocks)


def with_stop(page: Page) -> Page:
    """Stops the gradient into one reader of the output of the first block that is read, and adds a Loss."""
    wire = sorted(wire for wire in page.wires.values() if page.blocks[wire.source.block].type != "Variable")[0]
    stop, loss = Block("mine", "StopGradient", at=(1, 2)), Block("aim", "Loss", at=(3, 4))
    wires = [
        Wire(wire.source, Port("mine", "x")),
        Wire(Port("mine", "y"), wire.target),
        Wire(Port("mine", "y"), Port("aim", "x")),
    ]
    blocks = {**page.blocks, "mine": stop, "aim": loss}
    return replace(page, blocks=blocks, wires={**page.wires, **{item.target: item for item in wires}})


def edited(graph: Graph) -> Graph:
    """A graph with an edit of each kind."""
    graph = changed(graph, lambda page: with_stop(placed(page)))
    page = graph.pages[0]
    first = next(iter(page.blocks))
    blocks = {**page.blocks, first: replace(page.blocks[first], label="the first", is_collapsed=True)}
    frames = (Frame("f", "Both", (first, "mine")), Frame("outer", "", (), ("f",)))
    page = replace(page, blocks=blocks, frames=frames, notes=(Note("n", "why?", (0, -50)),))
    place = f"{page.name}/{first}"
    checks = ({"at": f"{place}.y", "finite": True}, {"wire": (str(next(iter(page.wires.values())).source), "x")})
    return replace(graph.with_page(page), checks=checks[:1], silenced=("tie",), training={"steps": ()})


def same_wires(one: Graph, other: Graph) -> bool:
    return [set(page.wires.values()) for page in one.pages] == [set(page.wires.values()) for page in other.pages]


def test_an_edited_graph_stays_as_it_is_when_its_model_comes_in_again(model: Model) -> None:
    before = edited(model.graph)
    again = kept_from(before, model)
    assert again.notices == model.notices
    for page, other in zip(again.graph.pages, before.pages, strict=True):
        assert dict(page.blocks) == dict(other.blocks)
        assert (page.frames, page.notes) == (other.frames, other.notes)
    assert same_wires(again.graph, before)
    assert (again.graph.checks, again.graph.silenced) == (before.checks, before.silenced)
    assert again.graph.training == before.training
    assert kept_from(again.graph, model).graph == again.graph


def test_the_numbers_are_those_of_the_model(model: Model) -> None:
    name = next(name for name, block in model.graph.pages[0].blocks.items() if block.type == "Input")
    value = np.zeros_like(model.graph.pages[0].blocks[name].parameters["value"])

    def zeroed(page: Page) -> Page:
        return replace(page, blocks={**page.blocks, name: replace(page.blocks[name], parameters={"value": value})})

    again = kept_from(changed(model.graph, zeroed), model).graph
    assert again.pages[0].blocks[name] == model.graph.pages[0].blocks[name]


def test_a_stop_that_was_put_back_still_blocks(model: Model) -> None:
    again = kept_from(edited(model.graph), model).graph
    found = run_graph(replace(again, loss="main/aim")).snapshot.wires
    (status,) = [item.status for wire, item in found.items() if wire.target.path == "main/mine"]
    assert status == "blocked"


def test_what_went_is_said(model: Model) -> None:
    def with_more(page: Page) -> Page:
        page = with_stop(page)
        old = Block("old", "Exp", extra={"origin": "m.py:1"})
        late = Block("late", "StopGradient")
        wires = [Wire(Port("old", "y"), Port("late", "x")), Wire(Port("late", "y"), Port("aim", "weights"))]
        blocks = {**page.blocks, "old": old, "late": late}
        frames = (Frame("f", "Gone", ("old",)),)
        return replace(
            page, blocks=blocks, wires={**page.wires, **{item.target: item for item in wires}}, frames=frames
        )

    before = replace(changed(model.graph, with_more), checks=({"at": "main/old.y", "finite": True},))
    again = kept_from(before, model)
    assert again.notices[len(model.notices) :] == (
        "No longer in the model: main/old, main/late.",
        "The StopGradient main/late went: the model has no such wire any more.",
        'The frame "Gone" went: none of its blocks is there any more.',
        "The check at main/old.y went: the model has no such place any more.",
    )
    assert "aim" in again.graph.page("main").blocks


def test_a_stop_of_the_model_that_its_source_no_longer_has_goes(model: Model) -> None:
    def with_detach(page: Page) -> Page:
        page = with_stop(page)
        stop = replace(page.blocks["mine"], extra={"origin": "m.py:3"})
        return replace(page, blocks={**page.blocks, "mine": stop})

    again = kept_from(changed(model.graph, with_detach), model)
    assert "mine" not in again.graph.page("main").blocks


def test_a_new_block_has_no_place_yet(model: Model) -> None:
    before = changed(model.graph, placed)
    name, *_ = before.pages[0].blocks
    blocks = {key: block for key, block in before.pages[0].blocks.items() if key != name}
    arranged = replace(model, graph=changed(model.graph, placed))
    again = kept_from(before.with_page(replace(before.pages[0], blocks=blocks)), arranged)
    assert [key for key, block in again.graph.pages[0].blocks.items() if block.at is None] == [name]


def test_stops_in_a_row_are_put_back_and_many_lost_blocks_are_counted(model: Model) -> None:
    def with_row(page: Page) -> Page:
        page = with_stop(page)
        (into,) = [wire for wire in page.wires.values() if wire.target == Port("mine", "x")]
        wires = [Wire(into.source, Port("before", "x")), Wire(Port("before", "y"), Port("mine", "x"))]
        lost = {f"old{number}": Block(f"old{number}", "Exp", extra={"origin": "m.py:1"}) for number in range(12)}
        blocks = {**page.blocks, "before": Block("before", "StopGradient"), **lost}
        return replace(page, blocks=blocks, wires={**page.wires, **{item.target: item for item in wires}})

    before = changed(model.graph, with_row)
    again = kept_from(before, model)
    page = again.graph.pages[0]
    assert {"before", "mine", "aim"} <= page.blocks.keys()
    assert page.wires[Port("mine", "x")].source == Port("before", "y")
    assert page.wires[Port("before", "x")] == before.pages[0].wires[Port("before", "x")]
    (gone,) = [line for line in again.notices if line.startswith("No longer in the model")]
    named = gone.count("main/old")
    assert gone.endswith(f" and {12 - named} more.") and 1 < named < 12
