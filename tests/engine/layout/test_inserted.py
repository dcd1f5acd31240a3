"""Places of blocks on a wire: they take the place of the block behind them."""

from __future__ import annotations

from dataclasses import replace

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.advice.fixes import insert
from gradwire.engine.edits.edits import add_block, connect
from gradwire.engine.graph.graph import Graph, Port, Wire
from gradwire.engine.layout.inserted import with_inserted_places


def pair() -> Graph:
    """Returns x at (0, 0), wired to Exp at (200, 16)."""
    graph, _ = add_block(Graph(), "main", "Input", id="x", at=(0, 0))
    graph, _ = add_block(graph, "main", "Exp", id="e", at=(200, 16))
    return connect(graph, "main", Port("x", "y"), Port("e", "x"))


def test_a_block_on_a_wire_takes_the_place_of_the_one_behind() -> None:
    before = pair()
    after = with_inserted_places(before, insert(before, "main", Port("e", "x"), "Tanh", {}))
    (made,) = [block for block in after.page("main").blocks.values() if block.type == "Tanh"]
    assert made.at == (200, 16)
    assert after.page("main").blocks["e"].at == (200, 16)


def test_a_block_on_no_wire_has_no_place_yet() -> None:
    before = pair()
    edited, made = add_block(before, "main", "Tanh")
    assert with_inserted_places(before, edited).page("main").blocks[made].at is None


def test_an_edit_without_new_blocks_changes_nothing() -> None:
    graph = pair()
    assert with_inserted_places(graph, graph) == graph


def test_a_wire_of_a_block_that_does_not_exist_is_passed_over() -> None:
    """Uses the wires of a damaged file: one comes from a missing block, the other ends at one."""
    before = pair()
    page = before.page("main")
    lost = {
        Port("e", "y"): Wire(Port("nobody", "y"), Port("e", "y")),
        Port("gone", "x"): Wire(Port("e", "y"), Port("gone", "x")),
    }
    damaged = before.with_page(replace(page, wires={**page.wires, **lost}))
    after = with_inserted_places(damaged, insert(damaged, "main", Port("e", "x"), "Tanh", {}))
    (made,) = [block for block in after.page("main").blocks.values() if block.type == "Tanh"]
    assert made.at == (200, 16)
    edited, tanh = add_block(damaged, "main", "Tanh")
    page, port = edited.page("main"), Port("gone", "x")
    wires = {port: Wire(Port(tanh, "y"), port), Port(tanh, "x"): Wire(Port("e", "y"), Port(tanh, "x"))}
    edited = edited.with_page(replace(page, wires={**page.wires, **wires}))
    assert with_inserted_places(damaged, edited).page("main").blocks[tanh].at is None


def test_a_block_at_an_input_that_had_no_wire_has_no_place_yet() -> None:
    before, _ = add_block(pair(), "main", "Tanh", id="t", at=(400, 16))
    edited, made = add_block(before, "main", "Sin")
    edited = connect(edited, "main", Port("x", "y"), Port(made, "x"))
    edited = connect(edited, "main", Port(made, "y"), Port("t", "x"))
    assert with_inserted_places(before, edited).page("main").blocks[made].at is None


def test_an_old_block_without_a_place_and_a_new_one_that_reads_something_else_have_none() -> None:
    before, old = add_block(pair(), "main", "Tanh")
    edited = connect(before, "main", Port("x", "y"), Port(old, "x"))
    edited = connect(edited, "main", Port(old, "y"), Port("e", "x"))
    assert with_inserted_places(before, edited).page("main").blocks[old].at is None
    edited, made = add_block(pair(), "main", "Input", parameters={"value": 1.0})
    edited = connect(edited, "main", Port(made, "y"), Port("e", "x"))
    assert with_inserted_places(pair(), edited).page("main").blocks[made].at is None
