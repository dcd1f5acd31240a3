"""Edits of pages with gradients of their own: the pair stays together, and nothing is lost."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.advice.repairs import repair_all
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.edits import edits
from gradwire.engine.edits.copies import copy_blocks, paste
from gradwire.engine.edits.grouping import group
from gradwire.engine.edits.page_edits import (
    add_gradient_page,
    duplicate_page,
    remove_gradient,
    remove_page,
    set_gradient,
)
from gradwire.engine.edits.renames import rename_block, rename_page
from gradwire.engine.edits.ungrouping import ungroup
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Block, Graph, Page
from tests.engine.own_gradients import cube, entry, graph_of, of_cube, page, result, scaled, source, use
from tests.own_gradient_programs import KINDS, program

SEEDS = range(len(KINDS))


def gradients(graph: Graph, names: list[str] | None = None) -> dict[str, list[float]]:
    snapshot = evaluate(graph)
    assert not snapshot.has_errors
    inputs = [name for name, block in graph.page("main").blocks.items() if block.type == "Input"]
    return {name: snapshot.port(f"main/{name}.y").gradient.tolist() for name in names or inputs}


def test_renaming_a_page_keeps_the_pair_together() -> None:
    graph = rename_page(rename_page(of_cube(), "cube_gradient", "seven_times"), "cube", "third_power")
    assert graph.gradients == {"third_power": "seven_times"}
    assert gradients(graph) == {"x": [7, -14]}


@pytest.mark.parametrize(("block", "new"), [("x", "base"), ("y", "power")])
def test_renaming_a_port_renames_the_ports_of_its_gradient(block: str, new: str) -> None:
    graph = edits.set_parameter(of_cube(), "cube", block, "name", new)
    assert gradients(graph) == {"x": [7, -14]}
    names = {
        item.parameters["name"] for item in graph.page("cube_gradient").blocks.values() if "name" in item.parameters
    }
    assert names == {"x": {"base", "d_y", "d_base"}, "y": {"x", "d_power", "d_x"}}[block]


def test_a_gradient_of_two_pages_keeps_its_ports() -> None:
    both = of_cube(cube(), scaled(), dataclasses.replace(cube(), name="again"))
    assert edits.set_parameter(both, "cube", "x", "name", "base").page("cube_gradient") == scaled()


def test_renaming_a_block_of_the_giving_page_renames_it_in_checks() -> None:
    checks = ({"at": "main/cube[gradient]/b.z", "value": np.array([7.0, -14.0])},)
    graph = rename_block(dataclasses.replace(of_cube(), checks=checks), "cube_gradient", "b", "product")
    assert graph.checks[0]["at"] == "main/cube[gradient]/product.z"
    assert rename_block(graph, "main", "cube", "c").checks[0]["at"] == "main/c[gradient]/product.z"


def test_removing_the_giving_page_leaves_the_gradient_to_the_blocks() -> None:
    graph = remove_page(of_cube(), "cube_gradient")
    assert graph.gradients == {}
    assert gradients(graph) == {"x": [3, 12]}


def test_undo_brings_a_removed_giving_page_back() -> None:
    document = Document(of_cube())
    document.apply("Remove", remove_page, "cube_gradient")
    assert gradients(document.graph) == {"x": [3, 12]}
    document.undo()
    assert document.graph == of_cube()


def test_a_copied_use_brings_both_pages_along() -> None:
    fragment = copy_blocks(of_cube(), "main", ["x", "cube", "loss"])
    assert {item.name for item in fragment.pages} == {"cube", "cube_gradient"}
    pasted, _ = paste(Graph(), "main", fragment)
    assert gradients(pasted) == {"x": [7, -14]}
    # Beside another page of that name both get new names.
    taken = Graph(pages=(Page("main"), page("cube_gradient", [source("k", 1)], [])))
    pasted, _ = paste(taken, "main", fragment)
    assert pasted.gradients == {"cube": "cube_gradient_1"}
    assert gradients(pasted, ["x"]) == {"x": [7, -14]}
    again, _ = paste(pasted, "main", fragment)
    assert len(again.pages) == len(pasted.pages)


def test_a_duplicate_of_the_page_has_the_same_gradient() -> None:
    graph, name = duplicate_page(of_cube(), "cube")
    assert graph.gradients == {"cube": "cube_gradient", name: "cube_gradient"}


def test_a_use_is_not_ungrouped_for_its_gradient_would_be_lost() -> None:
    with pytest.raises(EditError, match='Page "cube" has a gradient of its own'):
        ungroup(of_cube(), "main", "cube")


def test_grouping_a_use_keeps_its_gradient_and_ungrouping_gives_it_back() -> None:
    graph, block_id = group(of_cube(), "main", ["cube"])
    assert gradients(graph) == {"x": [7, -14]}
    assert gradients(ungroup(graph, "main", block_id)[0]) == {"x": [7, -14]}


def test_a_giving_page_that_no_block_uses_any_more_stays() -> None:
    blocks = {**of_cube().page("main").blocks, "alone": Block("alone", "Page", parameters={"page": "cube_gradient"})}
    graph = of_cube().with_page(dataclasses.replace(of_cube().page("main"), blocks=blocks))
    assert ungroup(graph, "main", "alone")[0].has_page("cube_gradient")


def test_setting_a_gradient_needs_a_page_without_a_ring() -> None:
    graph = of_cube(cube(None), scaled())
    assert gradients(set_gradient(graph, "cube", "cube_gradient")) == {"x": [7, -14]}
    for name, match in (("none", "There is no page"), ("cube", "contain itself"), ("main", "contain itself")):
        with pytest.raises(EditError, match=match):
            set_gradient(graph, "cube", name)
    with pytest.raises(EditError, match="contain itself"):
        edits.set_parameter(
            edits.add_block(of_cube(), "cube_gradient", "Page")[0], "cube_gradient", "Page", "page", "cube"
        )


def test_a_new_giving_page_has_all_ports() -> None:
    graph, name = add_gradient_page(of_cube(cube(None)), "cube")
    ports = {block.parameters["name"]: block.type for block in graph.page(name).blocks.values()}
    assert ports == {"x": "PageInput", "y": "PageInput", "d_y": "PageInput", "d_x": "PageOutput"}
    assert graph.gradients == {"cube": name}


def test_a_new_giving_page_passes_on_what_has_the_spec_of_an_input() -> None:
    number, row = (TensorSpec(shape, np.dtype(float)) for shape in ((), (2,)))
    for spec, expected in ((number, {"x": [1, 1]}), (row, None)):
        graph, name = add_gradient_page(of_cube(cube(None)), "cube", {"x": number, "y": spec})
        assert bool(graph.page(name).wires) is (expected is not None)
        if expected is not None:
            assert gradients(graph) == expected


def test_a_new_giving_page_has_no_gradient_of_integers() -> None:
    whole = TensorSpec((), np.dtype(int))
    graph, name = add_gradient_page(of_cube(cube(None)), "cube", {"x": whole, "y": whole})
    assert set(graph.page(name).blocks) == {"x", "y"}


def test_a_removed_gradient_takes_its_page_along_unless_it_is_used() -> None:
    assert [item.name for item in remove_gradient(of_cube(), "cube").pages] == ["main", "cube"]
    assert gradients(remove_gradient(of_cube(), "cube")) == {"x": [3, 12]}
    twin = page("twin", [entry("x"), result("y")], [("x.y", "y.x")], "cube_gradient")
    user = page("twin", [entry("x"), entry("d_y"), use("inner", "cube_gradient"), result("y")], [("inner.d_x", "y.x")])
    for other in (twin, user):
        left = remove_gradient(of_cube(cube(), scaled(), other), "cube")
        assert "cube" not in left.gradients and left.has_page("cube_gradient")


def test_a_ring_through_a_gradient_is_mended_without_it() -> None:
    back = page("cube_gradient", [entry("x"), Block("again", "Page", parameters={"page": "cube"}), result("d_x")],
                [("x.y", "again.x"), ("again.y", "d_x.x")])  # fmt: skip
    mended = repair_all(of_cube(cube(), back))
    assert mended.gradients == {}
    assert gradients(mended) == {"x": [3, 12]}


@pytest.mark.parametrize("seed", SEEDS)
def test_of_each_kind_a_file_is_saved_opened_undone_pasted_and_grouped(seed: int, tmp_path: Path) -> None:
    graph = graph_of(program(seed))
    expected = gradients(graph)
    save(graph, tmp_path / "a.graph")
    opened = load(tmp_path / "a.graph").graph
    assert opened == graph
    assert dumps(loads(dumps(opened)).graph) == dumps(graph)
    document = Document(opened)
    document.apply("Remove", remove_page, "df")
    document.undo()
    assert document.graph is opened
    main = graph.page("main")
    pasted, ids = paste(graph, "main", copy_blocks(graph, "main", main.blocks))
    names = {ids[name]: name for name in expected}
    assert {names[name]: item for name, item in gradients(pasted, list(names)).items()} == expected
    elsewhere, _ = paste(Graph(), "main", copy_blocks(graph, "main", main.blocks))
    assert gradients(elsewhere, list(expected)) == expected
    uses = [name for name, block in main.blocks.items() if block.type == "Page"]
    grouped = graph
    for name in uses:
        grouped, _ = group(grouped, "main", [name])
    found = gradients(grouped)
    assert all(found[name] == pytest.approx(numbers) for name, numbers in expected.items())
