"""Laws of every sequence of edits."""

from __future__ import annotations

import copy
from graphlib import TopologicalSorter

from hypothesis import given

from gradwire.engine.autodiff.expand import expand
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.files import loads
from gradwire.engine.graph.graph import Port
from gradwire.engine.graph.ports import has_input, has_output
from tests.engine.edit_sequences import SEQUENCES, Step, after, numbers, rich_graph


@given(SEQUENCES)
def test_an_edit_never_changes_its_argument(steps: list[Step]) -> None:
    graph = rich_graph()
    for step in steps:
        before = copy.deepcopy(graph)
        new = step(graph)
        assert graph == before
        graph = new


@given(SEQUENCES)
def test_every_wire_is_filed_under_the_port_where_it_ends(steps: list[Step]) -> None:
    for page in after(steps).pages:
        assert all(target == item.target for target, item in page.wires.items())
        assert all(block_id == block.id for block_id, block in page.blocks.items())
        assert page.surplus == ()


@given(SEQUENCES)
def test_no_wire_dangles(steps: list[Step]) -> None:
    graph = after(steps)
    for page in graph.pages:
        for start, end in page.wires.values():
            assert has_output(graph, page.blocks[start.block], start.name) is True
            assert has_input(graph, page.blocks[end.block], end.name) is True
    assert expand(graph).broken == []


@given(SEQUENCES)
def test_no_circle_arises(steps: list[Step]) -> None:
    graph = after(steps)
    for page in graph.pages:
        before: dict[str, set[str]] = {}
        for item in page.wires.values():
            before.setdefault(item.target.block, set()).add(item.source.block)
        list(TopologicalSorter(before).static_order())
    assert not [problem for problem in expand(graph).problems if problem.code == "cycle"]


@given(SEQUENCES)
def test_numbered_ports_stay_without_gaps(steps: list[Step]) -> None:
    for page in after(steps).pages:
        for block_id in page.blocks:
            for stem in ("values", "xs"):
                found = numbers(page, block_id, stem)
                assert found == list(range(len(found)))


@given(SEQUENCES)
def test_outputs_of_gradients_have_an_input(steps: list[Step]) -> None:
    for page in after(steps).pages:
        for start, _ in page.wires.values():
            if page.blocks[start.block].type == "Gradients":
                assert Port(start.block, start.name.replace("g_", "xs_")) in page.wires


@given(SEQUENCES)
def test_frames_and_loss_name_what_is_there(steps: list[Step]) -> None:
    graph = after(steps)
    assert graph.loss is None or graph.block(graph.loss).type == "Loss"
    for page in graph.pages:
        held = [block_id for frame in page.frames for block_id in frame.blocks]
        assert len(held) == len(set(held))
        assert set(held) <= page.blocks.keys()
        nested = [frame_id for frame in page.frames for frame_id in frame.frames]
        assert len(nested) == len(set(nested))
        assert set(nested) <= {frame.id for frame in page.frames}


@given(SEQUENCES)
def test_a_file_can_hold_every_edited_graph(steps: list[Step]) -> None:
    graph = after(steps)
    assert loads(dumps(graph)).graph == graph
