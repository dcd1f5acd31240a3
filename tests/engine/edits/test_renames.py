"""Renaming of blocks, pages and page ports: every reference follows, and nothing else changes."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given

from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Frame, Graph
from tests.engine.edit_sequences import SEQUENCES, Step, after, page_from, port, rich_graph, source, wire


@given(SEQUENCES)
def test_renaming_a_block_there_and_back_gives_an_equal_graph(steps: list[Step]) -> None:
    graph = after(steps)
    for page in graph.pages:
        for block_id in page.blocks:
            there = edits.rename_block(graph, page.name, block_id, "elsewhere")
            assert there != graph
            assert edits.rename_block(there, page.name, "elsewhere", block_id) == graph


@given(SEQUENCES)
def test_renaming_a_page_there_and_back_gives_an_equal_graph(steps: list[Step]) -> None:
    graph = after(steps)
    for page in graph.pages:
        there = edits.rename_page(graph, page.name, "elsewhere")
        assert there != graph
        assert edits.rename_page(there, "elsewhere", page.name) == graph


def test_a_renamed_block_keeps_its_wires() -> None:
    page = edits.rename_block(rich_graph(), "main", "sum", "total").page("main")
    assert "sum" not in page.blocks
    assert page.blocks["total"].id == "total"
    assert page.wires[port("grads.y")] == wire("total.z", "grads.y")
    assert page.wires[port("total.values_1")] == wire("w.y", "total.values_1")
    assert not any("sum" in (end.block for end in item) for item in page.wires.values())


def test_a_renamed_block_stays_in_its_frame() -> None:
    frames = edits.rename_block(rich_graph(), "main", "sum", "total").page("main").frames
    assert frames[0].blocks == ("total",)
    assert frames[1] == rich_graph().page("main").frames[1]


def test_surplus_wires_follow_a_renamed_block() -> None:
    graph = rich_graph()
    page = dataclasses.replace(graph.page("main"), surplus=(wire("w.y", "sum.values_0"), wire("sum.z", "loss.x")))
    renamed = edits.rename_block(graph.with_page(page), "main", "sum", "total")
    assert set(renamed.page("main").surplus) == {wire("w.y", "total.values_0"), wire("total.z", "loss.x")}


def test_the_loss_follows_its_block_and_no_other() -> None:
    assert edits.rename_block(rich_graph(), "main", "loss", "cost").loss == "main/cost"
    assert edits.rename_block(rich_graph(), "main", "sum", "total").loss == "main/loss"
    assert edits.rename_block(rich_graph(), "half", "twice", "loss").loss == "main/loss"


def test_stopped_gradients_follow_a_renamed_block() -> None:
    graph = edits.rename_block(rich_graph(), "main", "use", "half_of_x")
    assert graph.block("main/grads").parameters["stop_gradients"] == ("half_of_x.out", "w.y")


def test_every_key_of_a_check_follows() -> None:
    graph = edits.rename_block(rich_graph(), "main", "x", "input")
    graph = edits.rename_block(graph, "main", "loss", "cost")
    graph = edits.rename_block(graph, "main", "w", "weight")
    assert graph.checks[1]["wire"] == ("main/input.y", "main/sum.values_2")
    assert graph.checks[2] == {
        "at": "main/input.y",
        "gradient_equals": "main/weight.y",
        "loss": "main/cost",
        "other_loss": "main/cost",
    }


def test_paths_through_used_pages_follow_a_block_on_the_used_page() -> None:
    graph = edits.rename_block(rich_graph(), "half", "twice", "double")
    assert graph.checks[0]["at"] == "main/use/double.z"


def test_paths_through_used_pages_follow_the_block_that_uses_it() -> None:
    graph = edits.rename_block(rich_graph(), "main", "use", "user")
    assert graph.checks[0]["at"] == "main/user/twice.z"


def test_a_path_through_two_pages_is_looked_up_page_by_page() -> None:
    inner = page_from("inner", [source("a")])
    middle = page_from("middle", [Block("a", "Page", parameters={"page": "inner"})])
    main = page_from("main", [Block("a", "Page", parameters={"page": "middle"})])
    graph = Graph((main, middle, inner), checks=({"at": "main/a/a/a.y", "finite": True},))
    paths = [edits.rename_block(graph, name, "a", "b").checks[0]["at"] for name in ("main", "middle", "inner")]
    assert paths == ["main/b/a/a.y", "main/a/b/a.y", "main/a/a/b.y"]


def test_a_block_of_the_same_name_on_another_page_is_not_touched() -> None:
    graph = Graph((page_from("main", [source("x")]), page_from("other", [source("x")])))
    renamed = edits.rename_block(graph, "other", "x", "y")
    assert renamed.page("main") is graph.page("main")
    assert list(renamed.page("other").blocks) == ["y"]


def test_a_check_that_names_nothing_there_stays_as_it_is() -> None:
    check = {"at": "gone/use/twice.z", "wire": "odd", "loss": 3, "title": "main/x.y"}
    graph = dataclasses.replace(rich_graph(), checks=(check,))
    assert edits.rename_block(graph, "main", "x", "input").checks[0] is check


def test_other_blocks_and_pages_keep_their_identity() -> None:
    graph = rich_graph()
    renamed = edits.rename_block(graph, "main", "sum", "total")
    assert renamed.page("half") is graph.page("half")
    for block_id in ("x", "w", "use", "grads", "loss"):
        assert renamed.block(f"main/{block_id}") is graph.block(f"main/{block_id}")


def test_a_renamed_page_is_followed_by_loss_checks_and_users() -> None:
    graph = edits.rename_page(edits.rename_page(rich_graph(), "main", "top"), "half", "third")
    assert [page.name for page in graph.pages] == ["top", "third"]
    assert graph.loss == "top/loss"
    assert graph.block("top/use").parameters["page"] == "third"
    assert graph.checks[0]["at"] == "top/use/twice.z"
    assert graph.checks[1]["wire"] == ("top/x.y", "top/sum.values_2")
    assert graph.checks[2]["other_loss"] == "top/loss"


def test_a_renamed_page_leaves_pages_that_do_not_use_it_alone() -> None:
    graph = rich_graph()
    assert edits.rename_page(graph, "main", "top").page("half") is graph.page("half")


@pytest.mark.parametrize("name", ["", "1a", "a b", "a/b", "a.b", "ä", "_a", "a" * 65, "a\n"])
def test_malformed_names_are_refused(name: str) -> None:
    with pytest.raises(EditError, match="cannot be the name"):
        edits.rename_block(rich_graph(), "main", "x", name)
    with pytest.raises(EditError, match="cannot be the name"):
        edits.rename_page(rich_graph(), "main", name)


def test_a_name_of_64_characters_is_taken() -> None:
    assert "a" * 64 in edits.rename_block(rich_graph(), "main", "x", "a" * 64).page("main").blocks


def test_taken_names_are_refused() -> None:
    with pytest.raises(EditError, match='already a block "w"'):
        edits.rename_block(rich_graph(), "main", "x", "w")
    with pytest.raises(EditError, match='already a page "half"'):
        edits.rename_page(rich_graph(), "main", "half")


def test_the_same_name_again_is_the_same_graph() -> None:
    graph = rich_graph()
    assert edits.rename_block(graph, "main", "x", "x") is graph
    assert edits.rename_page(graph, "main", "main") is graph


def test_a_broken_wire_gives_way_to_a_block_that_takes_its_name() -> None:
    page = page_from("main", [source("x"), Block("r", "Reroute")], ("x.y", "r.x"), ("x.y", "ghost.x"))
    renamed = edits.rename_block(Graph((page,)), "main", "r", "ghost").page("main")
    assert renamed.wires == {port("ghost.x"): wire("x.y", "ghost.x")}
    assert renamed.surplus == (wire("x.y", "ghost.x"),)


def test_a_renamed_page_input_takes_its_wires_along() -> None:
    graph = edits.set_parameter(rich_graph(), "half", "a", "name", "first")
    page = graph.page("main")
    assert page.wires[port("use.first")] == wire("x.y", "use.first")
    assert port("use.a") not in page.wires
    assert edits.set_parameter(graph, "half", "a", "name", "a") == rich_graph()


def test_a_renamed_page_output_takes_wires_stops_and_checks_along() -> None:
    graph = edits.set_checks(
        rich_graph(), [{"wire": ["main/use.out", "main/sum.values_0"]}, {"at": "main/use.out", "finite": True}]
    )
    graph = edits.set_parameter(graph, "half", "out", "name", "result")
    assert graph.page("main").wires[port("sum.values_0")] == wire("use.result", "sum.values_0")
    assert graph.block("main/grads").parameters["stop_gradients"] == ("use.result", "w.y")
    assert graph.checks[0]["wire"] == ["main/use.result", "main/sum.values_0"]
    assert graph.checks[1]["at"] == "main/use.result"


def test_an_input_and_an_output_of_one_name_are_told_apart() -> None:
    inner = page_from(
        "inner",
        [Block("i", "PageInput", parameters={"name": "p"}), Block("o", "PageOutput", parameters={"name": "p"})],
        ("i.y", "o.x"),
    )
    blocks = [source("x"), Block("use", "Page", parameters={"page": "inner"}), Block("loss", "Loss")]
    main = page_from("main", blocks, ("x.y", "use.p"), ("use.p", "loss.x"))
    renamed = edits.set_parameter(Graph((main, inner)), "inner", "i", "name", "q").page("main")
    assert set(renamed.wires.values()) == {wire("x.y", "use.q"), wire("use.p", "loss.x")}


def test_a_hidden_second_input_of_the_same_name_takes_no_wires_along() -> None:
    graph = rich_graph()
    second = Block("b", "PageInput", at=(0, 500), parameters={"name": "a"})
    half = graph.page("half")
    graph = graph.with_page(dataclasses.replace(half, blocks={**half.blocks, "b": second}))
    renamed = edits.set_parameter(graph, "half", "b", "name", "free")
    assert renamed.page("main") is graph.page("main")


def test_a_page_port_needs_a_free_and_proper_name() -> None:
    graph = edits.add_block(rich_graph(), "half", "PageInput", parameters={"name": "b"})[0]
    with pytest.raises(EditError, match='already a page input "b"'):
        edits.set_parameter(graph, "half", "a", "name", "b")
    with pytest.raises(EditError, match="cannot be the name of a page input"):
        edits.set_parameter(graph, "half", "a", "name", "a.b")
    with pytest.raises(EditError, match='already a page output "out"'):
        edits.add_block(graph, "half", "PageOutput", parameters={"name": "out"})


def test_frames_that_do_not_hold_the_block_are_the_same_objects() -> None:
    graph = rich_graph()
    old = graph.page("main").frames
    new = edits.rename_block(graph, "main", "sum", "total").page("main").frames
    assert new[0] == Frame("inner", "Sum", ("total",))
    assert new[1] is old[1]


@pytest.mark.parametrize(
    "ends", [[1, 2], ["main/x.y"], [None, "main/use.a"], "main/x.y", ("main/x.y", "main/use.a", 3)]
)
def test_a_check_of_no_wire_stays_as_it_is(ends: object) -> None:
    graph = dataclasses.replace(rich_graph(), checks=({"wire": ends, "status": "flow"},))
    assert edits.rename_block(graph, "main", "x", "seen").checks == graph.checks
