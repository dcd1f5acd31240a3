"""Loops in files and in all that reads paths: `main/rec[3]/cell.y` is taken wherever a path is."""

from __future__ import annotations

import dataclasses
import json

import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import expand
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.schema import JsonFault
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.explain.contracts import run_checks
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.problem_places import ProblemPlaces
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.graph.loops import Loop, check_loop, is_loop, loop_of, rounds_of
from gradwire.engine.graph.paths import first_rounds, segment_of, split_path, whole_path
from gradwire.engine.graph.ports import block_along, pages_along, used_page
from gradwire.engine.training.targets import Targets
from tests.engine.loop_graphs import entry, leaving, page_from, recurrence, scan


def test_segments_are_taken_apart() -> None:
    texts = ("rec", "rec[3]", "rec[xs]", "rec[3][gradient]", "use[gradient]")
    assert [segment_of(text)[:2] for text in texts] == [
        ("rec", ""),
        ("rec", "3"),
        ("rec", "xs"),
        ("rec", "3"),
        ("use", ""),
    ]
    assert [segment_of(text).is_gradient for text in texts] == [False, False, False, True, True]
    assert [str(segment_of(text)) for text in texts] == list(texts)
    assert [segment_of(text).round for text in ("rec", "rec[3]", "rec[xs]")] == [None, 3, None]
    assert split_path("main/a[2]/b[5]") == ("main/a[2]", "b")
    assert whole_path("main/a[2]/b[5]") == "main/a[2]/b"
    assert first_rounds("main/a[2]/b[5]/x") == "main/a[0]/b[0]/x"


def test_paths_lead_through_as_many_rounds_as_there_are() -> None:
    graph = recurrence()
    assert [page.name for page in pages_along(graph, "main/rec[3]")] == ["main", "cell"]
    for path in ("main/rec[4]", "main/h[0]", "main/rec[3]/m", "main/rec[-1]"):
        assert pages_along(graph, path) == []
    assert block_along(graph.page("main"), "rec[3]") is graph.page("main").blocks["rec"]
    for segment in ("rec[4]", "rec[?]", "h[0]", "h[xs]"):
        assert block_along(graph.page("main"), segment) is None
    assert block_along(graph.page("main"), "rec[xs]") is graph.page("main").blocks["rec"]


def test_a_file_with_a_loop_is_of_version_1_2_and_comes_back() -> None:
    text = dumps(recurrence())
    assert json.loads(text)["version"] == [1, 2]
    parameters = '{"collect": ["o"], "each": ["x"], "page": "cell", "stop_every": 2, "times": 4}'
    assert f'"type": "Scan", "parameters": {parameters}' in text
    assert dumps(loads(text).graph) == text
    assert loads(text).graph == recurrence()


def test_python_reads_each_round() -> None:
    run = gw.evaluate(recurrence())
    assert [run.value(f"rec[{number}].h") for number in range(4)] == [11, 24, 51, 106]
    assert run.gradient("main/rec[3]/m.z") == 1
    assert run.why("main/rec[1].h") == "main/rec[1].h: " + run.why("main/rec[1].h").partition(": ")[2]
    assert "main/rec[2]/h" in run.why("main/rec[1].h", "main/rec[2].h")
    assert not any("[x]" in str(name) or "[o]" in str(name) for name in run.snapshot.ports)
    assert not any("[x]" in str(end) for link in run.snapshot.wires for end in link)


def test_python_leaves_out_the_stop_of_one_round() -> None:
    assert gw.evaluate(recurrence()).gradient("h") == 0
    run = gw.evaluate(recurrence(), without="rec[2]/h")
    assert run.gradient("h") == 16
    with pytest.raises(gw.GradwireError, match=r"there are: main/rec\[2\]/h"):
        gw.evaluate(recurrence(), without="rec[1]/h")


def test_names_in_checks_follow_a_renaming() -> None:
    graph = edits.rename_block(recurrence(), "main", "rec", "turn")
    graph = edits.rename_block(graph, "cell", "m", "times_w")
    graph = edits.rename_page(graph, "cell", "body")
    assert [check.get("at", check.get("wire")) for check in graph.checks] == [
        "main/turn[3]/times_w.z",
        "main/turn[2].h",
        ("main/turn[1].h", "main/turn[2].h"),
    ]
    assert [item.message for item in run_checks(graph, evaluate(graph)) if not item.holds] == []


def test_the_lists_of_a_loop_follow_a_renaming_of_ports() -> None:
    graph = edits.set_parameter(recurrence(), "cell", "x", "name", "seen")
    graph = edits.set_parameter(graph, "cell", "o_out", "name", "all")
    parameters = graph.block("main/rec").parameters
    assert (parameters["each"], parameters["collect"]) == (("seen",), ("all",))
    assert gw.evaluate(graph).value("rec.h") == 106


def test_blocks_in_rounds_have_a_place_in_the_file() -> None:
    graph = recurrence()
    cell = graph.page("cell")
    wrong = dataclasses.replace(cell.blocks["a"], parameters={"axis": 1})
    loaded = loads(dumps(graph.with_page(dataclasses.replace(cell, blocks={**cell.blocks, "a": wrong}))))
    run = gw.evaluate(loaded.graph, strict=False)
    (problem,) = [item for item in run.snapshot.problems if item.at == "main/rec[0]/a"]
    line, _ = ProblemPlaces(loaded).find(problem)
    assert '"id": "a"' in loaded.text.splitlines()[line - 1]


def test_plans_of_training_name_the_stops_of_rounds() -> None:
    targets = Targets(recurrence())
    assert targets.check_stop("main/rec[2]/h") == "main/rec[2]/h"
    assert targets.port("main/rec[3]/m.z") == "main/rec[3]/m.z"
    for name in ("main/rec[1]/h", "main/rec[2]/x", "main/rec[2]/h_out", "main/rec[2]"):
        with pytest.raises(JsonFault, match="is no StopGradient"):
            targets.check_stop(name)
    with pytest.raises(JsonFault, match="there is no block"):
        targets.port("main/rec[4]/m.z")


@pytest.mark.parametrize(("output", "each"), [("h", ()), ("o", ("h",)), ("h", ("x",))])
def test_something_changes_from_round_to_round(output: str, each: tuple[str, ...]) -> None:
    page = page_from("cell", [entry("h"), entry("x", 1), leaving(output)], [("h.y", f"{output}_out.x")])
    check_loop(Loop(2, each=each), page, 3)


def test_a_loop_in_which_nothing_changes_is_refused() -> None:
    page = page_from("cell", [entry("h"), leaving("o")], [("h.y", "o_out.x")])
    with pytest.raises(ParameterError, match="nothing changes from round to round"):
        check_loop(Loop(2), page, 2)


def test_what_is_carried_is_stopped_every_so_many_rounds() -> None:
    assert [Loop(7, stop_every=3).stops_before(number) for number in range(7)] == [0, 0, 0, 1, 0, 0, 1]
    assert not any(Loop(7).stops_before(number) for number in range(7))


def test_a_block_uses_its_page_once_and_a_loop_as_often_as_it_can() -> None:
    assert [rounds_of(scan("rec", "cell", times)) for times in (3, 0, 10_001)] == [3, 0, 0]
    for name in ("Add", "no.Such"):
        block = Block("a", name, parameters={"times": 3})
        assert (rounds_of(block), is_loop(block), loop_of(block)) == (1, False, None)


@pytest.mark.parametrize(
    ("block", "version"),
    [
        (scan("rec", "cell", 3), (1, 2)),
        (Block("x", "Variable", parameters={"shape": (2,), "start": {"kind": "ones"}}), (1, 2)),
        (Block("x", "Variable", parameters={"value": 1.0}), (1, 0)),
        (Block("x", "no.Such", parameters={"start": 1, "page": "cell"}), (1, 0)),
    ],
)
def test_a_file_is_of_the_first_version_that_knows_its_blocks(block: Block, version: tuple[int, int]) -> None:
    assert Graph((page_from("main", [block], []),)).saved_version == version


def test_what_names_no_page_uses_none() -> None:
    for name in ("nowhere", 3, ["cell"], None):
        assert used_page(recurrence(), Block("use", "Page", parameters={"page": name})) is None


def test_a_loop_may_have_200_000_blocks_in_all() -> None:
    page = page_from("cell", [entry("h"), leaving("h")], [("h.y", "h_out.x")])
    check_loop(Loop(100), page, 2_000)
    with pytest.raises(ParameterError, match="2,001 blocks are too many"):
        check_loop(Loop(100), page, 2_001)


def test_the_stops_of_rounds_are_among_the_stops_of_a_graph() -> None:
    stops = [path for path, item in expand(recurrence()).instances.items() if item.role is Role.STOP]
    assert stops == ["main/rec[2]/h"]
