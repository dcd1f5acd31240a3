"""Edits that add, remove and change blocks."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from gradwire.engine.base.errors import EditError, ParameterError
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.edit_sequences import page_from, port, rich_graph, sources_of, wire


def test_new_blocks_are_named_after_their_type() -> None:
    graph, ids = rich_graph(), []
    for _ in range(3):
        graph, block_id = edits.add_block(graph, "main", "Exp")
        ids.append(block_id)
    assert ids == ["Exp", "Exp_1", "Exp_2"]
    assert graph.block("main/Exp_2") == Block("Exp_2", "Exp")


def test_a_free_number_is_used_again() -> None:
    graph = rich_graph()
    for _ in range(3):
        graph, _ = edits.add_block(graph, "main", "Exp")
    graph = edits.remove_blocks(graph, "main", "Exp_1")
    assert edits.add_block(graph, "main", "Exp")[1] == "Exp_1"


def test_a_block_is_added_as_described() -> None:
    graph, block_id = edits.add_block(
        rich_graph(), "main", "ReduceSum", id="total", at=(3.6, -2), label="Sum", parameters={"axis": [0, 1]}
    )
    assert block_id == "total"
    assert graph.block("main/total") == Block("total", "ReduceSum", "Sum", (4, -2), parameters={"axis": (0, 1)})


def test_parameters_equal_to_the_default_are_not_stored() -> None:
    graph, block_id = edits.add_block(
        rich_graph(), "main", "ReduceSum", parameters={"axis": None, "keepdims": np.bool_(False)}
    )
    assert graph.block(f"main/{block_id}").parameters == {}


def test_a_required_parameter_that_is_missing_is_left_to_inference() -> None:
    graph, block_id = edits.add_block(rich_graph(), "main", "Input")
    assert graph.block(f"main/{block_id}").parameters == {}


@pytest.mark.parametrize(
    ("page", "given", "sentence"),
    [
        ("side", {"type_name": "Exp"}, 'no page "side"'),
        ("main", {"type_name": "Expo"}, 'no block type "Expo"; the nearest are Exp'),
        ("main", {"type_name": "Exp", "id": "x"}, 'already a block "x"'),
        ("main", {"type_name": "Exp", "id": "x y"}, "cannot be the name of a block"),
        ("main", {"type_name": "ReduceSum", "parameters": {"axes": 1}}, "no parameter axes; choose among: axis, keepd"),
        ("main", {"type_name": "ReduceSum", "parameters": {"keepdims": 1}}, 'ReduceSum "ReduceSum": parameter keepdim'),
        ("main", {"type_name": "Exp", "at": (float("nan"), 0)}, "position must be within"),
        ("main", {"type_name": "Exp", "at": (2**31, 0)}, "position must be within"),
        ("main", {"type_name": "Page", "parameters": {"page": "side"}}, 'no page "side"'),
        ("main", {"type_name": "Page", "parameters": {"page": "main"}}, "would contain itself"),
        ("half", {"type_name": "Page", "parameters": {"page": "main"}}, "would contain itself"),
    ],
)
def test_impossible_blocks_are_refused(page: str, given: dict, sentence: str) -> None:
    with pytest.raises(EditError, match=re.escape(sentence)):
        edits.add_block(rich_graph(), page, **given)


def test_wires_go_with_a_block() -> None:
    page = edits.remove_blocks(rich_graph(), "main", ["w", "use"]).page("main")
    assert not page.blocks.keys() & {"w", "use"}
    assert not any({item.source.block, item.target.block} & {"w", "use"} for item in page.wires.values())


def test_numbers_close_up_when_a_source_goes() -> None:
    graph = edits.remove_blocks(rich_graph(), "main", "use")
    assert sources_of(graph, "sum", "values") == ["w.y", "x.y"]


def test_an_output_of_gradients_goes_with_its_input() -> None:
    graph = edits.remove_blocks(rich_graph(), "main", "x")
    assert sources_of(graph, "grads", "xs") == ["w.y"]
    assert sources_of(graph, "again", "values") == ["grads.g_0"]


def test_frames_and_stops_forget_a_block() -> None:
    graph = edits.remove_blocks(rich_graph(), "main", ["w", "sum"])
    assert [frame.blocks for frame in graph.page("main").frames] == [(), ("x",)]
    assert graph.block("main/grads").parameters["stop_gradients"] == ("use.out",)


def test_the_last_stop_that_goes_leaves_the_default() -> None:
    graph = edits.remove_blocks(rich_graph(), "main", ["w", "use"])
    assert graph.block("main/grads").parameters == {}


def test_removing_the_named_loss_sets_none() -> None:
    assert edits.remove_blocks(rich_graph(), "main", "loss").loss is None
    assert edits.remove_blocks(rich_graph(), "main", "again").loss == "main/loss"


def test_a_loss_of_the_same_id_on_another_page_stays() -> None:
    graph = edits.add_block(rich_graph(), "half", "Loss", id="loss")[0]
    assert edits.remove_blocks(graph, "half", "loss").loss == "main/loss"


def test_surplus_wires_go_with_a_block() -> None:
    graph = rich_graph()
    page = dataclasses.replace(graph.page("main"), surplus=(wire("w.y", "use.a"), wire("x.y", "loss.x")))
    assert edits.remove_blocks(graph.with_page(page), "main", "w").page("main").surplus == (wire("x.y", "loss.x"),)


def test_wires_to_a_port_that_a_page_loses_go_too() -> None:
    page = edits.remove_blocks(rich_graph(), "half", "a").page("main")
    assert port("use.a") not in page.wires
    graph = edits.remove_blocks(rich_graph(), "half", "out")
    assert sources_of(graph, "sum", "values") == ["w.y", "x.y"]
    assert graph.block("main/grads").parameters["stop_gradients"] == ("w.y",)


def test_what_is_not_touched_keeps_its_identity() -> None:
    graph = rich_graph()
    new = edits.remove_blocks(graph, "main", "x")
    assert new.page("half") is graph.page("half")
    assert new.block("main/w") is graph.block("main/w")
    assert new.page("main").wires[port("sum.values_1")] is graph.page("main").wires[port("sum.values_1")]


def test_removing_nothing_is_the_same_graph() -> None:
    graph = rich_graph()
    assert edits.remove_blocks(graph, "main", []) is graph


def test_a_block_that_is_not_there_cannot_be_removed() -> None:
    with pytest.raises(EditError, match='no block "nobody" on page "main"'):
        edits.remove_blocks(rich_graph(), "main", ["x", "nobody"])


def test_a_value_is_stored_in_its_normal_form_and_read_only() -> None:
    given = np.array([1.0, 2.0])
    graph = edits.set_parameter(rich_graph(), "main", "x", "value", given)
    given[0] = 9
    stored = graph.block("main/x").parameters["value"]
    assert isinstance(stored, np.ndarray)
    assert stored.tolist() == [1, 2]
    assert not stored.flags.writeable


def test_a_parameter_set_to_its_default_is_left_out() -> None:
    graph = edits.add_block(rich_graph(), "main", "ReduceSum", parameters={"keepdims": True, "axis": 0})[0]
    graph = edits.set_parameter(graph, "main", "ReduceSum", "keepdims", False)
    assert graph.block("main/ReduceSum").parameters == {"axis": 0}


def test_an_equal_value_is_the_same_graph() -> None:
    graph = rich_graph()
    assert edits.set_parameter(graph, "main", "x", "value", 2.0) is graph
    assert edits.set_parameter(graph, "main", "loss", "reduction", "sum") is graph


def test_minus_zero_is_another_value() -> None:
    graph = edits.set_parameter(rich_graph(), "main", "x", "value", 0.0)
    assert edits.set_parameter(graph, "main", "x", "value", -0.0) is not graph


def test_parameters_of_unknown_types_are_stored_as_they_are() -> None:
    graph = Graph((page_from("main", [Block("new", "package.Unheard", parameters={"a": 1})]),))
    graph = edits.set_parameter(graph, "main", "new", "anything", ("x", 1))
    assert graph.block("main/new").parameters == {"a": 1, "anything": ("x", 1)}


def test_unfit_values_are_refused() -> None:
    with pytest.raises(EditError, match='Loss "loss": parameter reduction must be one of sum, mean, not "most"'):
        edits.set_parameter(rich_graph(), "main", "loss", "reduction", "most")
    with pytest.raises(EditError, match='Loss "loss": there is no parameter scale; choose among: reduction'):
        edits.set_parameter(rich_graph(), "main", "loss", "scale", 1)


def test_a_page_cannot_come_to_contain_itself() -> None:
    graph = edits.add_page(rich_graph(), "third")[0]
    graph = edits.add_block(graph, "half", "Page", id="inner", parameters={"page": "third"})[0]
    graph = edits.add_block(graph, "third", "Page", id="deep")[0]
    for name in ("main", "half", "third"):
        with pytest.raises(EditError, match="would contain itself"):
            edits.set_parameter(graph, "third", "deep", "page", name)


def test_normal_parameters_are_those_that_differ_from_the_default() -> None:
    found = edits.normal_parameters("ReduceSum", {"axis": [1], "keepdims": False})
    assert found == {"axis": (1,)}
    assert edits.normal_parameters("package.Unheard", {"a": [1]}) == {"a": [1]}
    with pytest.raises(ParameterError, match="no parameter axes"):
        edits.normal_parameters("ReduceSum", {"axes": 1})


def test_labels_and_widths_are_set_and_taken_back() -> None:
    graph = edits.set_width(edits.set_label(rich_graph(), "main", "x", "Input"), "main", "x", 120.4)
    assert (graph.block("main/x").label, graph.block("main/x").width) == ("Input", 120)
    graph = edits.set_width(edits.set_label(graph, "main", "x", ""), "main", "x", None)
    assert graph == rich_graph()


def test_several_blocks_are_muted_and_collapsed_at_once() -> None:
    graph = edits.set_collapsed(edits.set_muted(rich_graph(), "main", ["x", "w"], True), "main", ["w", "sum"], True)
    assert [graph.block(f"main/{name}").is_muted for name in ("x", "w", "sum")] == [True, True, False]
    assert [graph.block(f"main/{name}").is_collapsed for name in ("x", "w", "sum")] == [False, True, True]


def test_blocks_move_to_whole_px() -> None:
    graph = edits.move_blocks(rich_graph(), "main", {"x": (1.4, 2.6), "w": (-3, 4)})
    assert graph.block("main/x").at == (1, 3)
    assert graph.block("main/w").at == (-3, 4)


def test_looks_that_stay_are_the_same_graph() -> None:
    graph = rich_graph()
    assert edits.move_blocks(graph, "main", {"x": (0, 0), "w": (0, 96)}) is graph
    assert edits.set_muted(graph, "main", "loss", True) is graph
    assert edits.set_label(graph, "main", "x", None) is graph
    assert edits.move_blocks(graph, "main", {}) is graph


def test_impossible_looks_are_refused() -> None:
    with pytest.raises(EditError, match="at least 0 px"):
        edits.set_width(rich_graph(), "main", "x", -1)
    with pytest.raises(EditError, match="position must be within"):
        edits.move_blocks(rich_graph(), "main", {"x": (0, float("inf"))})
    with pytest.raises(EditError, match="no block"):
        edits.move_blocks(rich_graph(), "main", {"nobody": (0, 0)})
