"""Unrolling and folding: a loop becomes a chain of pages and back, and no value or gradient changes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import Link, PortName, expand
from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.explain.contracts import run_checks
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.graph.graph import Block, Frame, Graph, Port, Wire
from gradwire.engine.graph.loops import Loop, carried_names, loop_of
from tests.engine.loop_graphs import ByHand, entry, facts, leaving, page_from, random_loop, recurrence, scan, source
from tests.sweeps import a_third_of


def normal(graph: Graph) -> Graph:
    """Returns a graph whose loop rec says only what differs from the default, and stops only what there is to stop.

    Its checks call the last of results that are not stacked that of the loop.
    """
    page = graph.page("main")
    loop = loop_of(page.blocks["rec"])
    assert loop is not None
    is_stopping = loop.stop_every < loop.times and carried_names(graph.page("cell"))
    loop = loop._replace(stop_every=loop.stop_every if is_stopping else 0)
    given = {name: value for name, value in zip(Loop._fields, loop, strict=True) if value}
    rec = dataclasses.replace(page.blocks["rec"], parameters={"page": "cell", **given})
    last = rf"main/rec\[{loop.times - 1}\]\.(?!({'|'.join(loop.collect) or ' '})$)"
    at_ends = [{key: _renamed(end, last, "main/rec.") for key, end in check.items()} for check in graph.checks]
    graph = dataclasses.replace(graph, checks=tuple(at_ends))
    return graph.with_page(dataclasses.replace(page, blocks={**page.blocks, "rec": rec}))


def _renamed(end: object, pattern: str, name: str) -> object:
    if isinstance(end, tuple):
        return re.sub(pattern, name, end[0]), end[1]
    return re.sub(pattern, name, str(end))


def check_at(end: PortName | Link) -> dict[str, object]:
    return {"at": str(end)} if isinstance(end, PortName) else {"wire": (str(end.source), str(end.target))}


def every_end(snapshot: Snapshot) -> Iterator[dict[str, object]]:
    """Yields a check at each port and at each wire of a run."""
    yield from map(check_at, (*snapshot.ports, *snapshot.wires))


@pytest.mark.parametrize("seed", a_third_of(range(100), 2))
def test_unrolling_changes_no_bit_and_folding_gives_the_loop_back(seed: int) -> None:
    graph = random_loop(seed)
    other, snapshot = ByHand(graph), evaluate(graph)
    paths = [path for path in expand(graph).instances if not path.endswith(("]", "rec"))]
    graph = dataclasses.replace(graph, checks=(*({"at": path} for path in paths), *every_end(snapshot)))
    unrolled, ids = edits.unroll(graph, "main", "rec")
    ours, theirs = other.facts(snapshot), facts(evaluate(unrolled))
    assert all(theirs[name] == ours[name] for name in theirs.keys() & ours.keys())
    assert len(theirs.keys() & ours.keys()) > len(theirs) / 2
    at_blocks, at_ends = unrolled.checks[: len(paths)], unrolled.checks[len(paths) :]
    assert [check["at"] for check in at_blocks] == list(map(other.path, paths))
    by_hand = [*map(other.port, snapshot.ports), *map(other.link, snapshot.wires)]
    for old, new in zip(by_hand, at_ends, strict=True):
        if old in theirs:
            assert new == check_at(old)
    folded, block_id = edits.fold(unrolled, "main", ids)
    assert block_id == "rec"
    assert folded == normal(graph)


def test_checks_follow_an_unrolling_and_back() -> None:
    graph = recurrence()
    assert [check.holds for check in run_checks(graph, evaluate(graph))] == [True, True, True]
    unrolled, ids = edits.unroll(graph, "main", "rec")
    assert [check.get("at", check.get("wire")) for check in unrolled.checks] == [
        "main/rec_3/m.z",
        "main/rec_2.h",
        ("main/rec_1.h", "main/rec_h_2.x"),
    ]
    assert [check.holds for check in run_checks(unrolled, evaluate(unrolled))] == [True, True, True]
    assert set(ids) == {"rec_0", "rec_1", "rec_2", "rec_3", "rec_x", "rec_o", "rec_h_2"}
    folded, _ = edits.fold(unrolled, "main", ids)
    assert folded == graph
    assert dumps(folded) == dumps(loads(dumps(graph)).graph)


def chain(count: int, *others: tuple[str, str], **sources: object) -> Graph:
    """Returns pages p0, p1 ... that pass h on, with sources at the ports of the wires in `others`."""
    body = page_from(
        "cell",
        [entry("h"), entry("x", 1), Block("a", "Add"), Block("t", "Tanh"), leaving("h"), leaving("o", 1)],
        [("h.y", "a.x"), ("x.y", "a.y"), ("a.z", "t.x"), ("t.y", "h_out.x"), ("a.z", "o_out.x")],
    )
    blocks = [Block(f"p{number}", "Page", parameters={"page": "cell"}) for number in range(count)]
    wires = [(f"p{number - 1}.h", f"p{number}.h") for number in range(1, count)]
    given = [source(name, value) for name, value in sources.items()]
    main = page_from("main", [*given, *blocks, Block("loss", "Loss")], [*wires, (f"p{count - 1}.h", "loss.x"), *others])
    return Graph(pages=(main, body))


def gradients(graph: Graph, *names: str) -> list[Any]:
    snapshot = evaluate(graph)
    assert not snapshot.has_errors
    return [snapshot.port(f"main/{name}.y").gradient.tobytes() for name in names]  # type: ignore[union-attr]


@pytest.mark.parametrize("count", [2, 3])
def test_the_first_rounds_of_a_chain_can_be_folded_alone(count: int) -> None:
    graph = edits.set_parameter(recurrence(), "main", "rec", "stop_every", 0)
    graph = edits.set_parameter(dataclasses.replace(graph, checks=()), "main", "rec", "collect", ())
    unrolled, _ = edits.unroll(graph, "main", "rec")
    folded, block_id = edits.fold(unrolled, "main", [f"rec_{number}" for number in range(count)])
    assert folded.page("main").blocks[block_id].parameters["times"] == count
    runs = [evaluate(item) for item in (graph, folded)]
    assert [run.loss and run.loss.value for run in runs] == [106, 106]
    assert [run.port("main/h.y").gradient for run in runs] == [16, 16]


def test_tensors_of_their_own_for_each_block_are_stacked_in_front() -> None:
    feeds = [("h", "p0.h"), ("a", "p0.x"), ("b", "p1.x"), ("c", "p2.x")]
    graph = chain(3, *((f"{name}.y", port) for name, port in feeds), h=0.1, a=0.2, b=0.3, c=0.4)
    folded, block_id = edits.fold(graph, "main", "p1")
    loop = loop_of(folded.block(f"main/{block_id}"))
    assert loop == Loop(3, 0, ("x",), ())
    assert gradients(folded, "h", "a", "b", "c") == gradients(graph, "h", "a", "b", "c")


def test_results_of_rounds_that_are_read_are_taken_apart_behind() -> None:
    wires = [("h.y", "p0.h"), ("x.y", "p0.x"), ("x.y", "p1.x"), ("p0.o", "early.x"), ("p1.o", "late.x")]
    graph = chain(2, *wires, h=0.1, x=0.2)
    page = graph.page("main")
    losses = {name: Block(name, "Loss") for name in ("early", "late")}
    graph = graph.with_page(dataclasses.replace(page, blocks={**page.blocks, **losses}))
    folded, block_id = edits.fold(graph, "main", ["p0", "p1"])
    assert loop_of(folded.block(f"main/{block_id}")) == Loop(2, 0, (), ("o",))
    assert evaluate(folded).loss.value == evaluate(graph).loss.value  # type: ignore[union-attr]
    found = [evaluate(item).port("main/x.y").gradient for item in (folded, graph)]
    np.testing.assert_allclose(*found, rtol=1e-15)


def test_one_block_stands_for_its_chain_and_for_no_other() -> None:
    graph = chain(4, ("h.y", "p0.h"), *(("x.y", f"p{number}.x") for number in range(4)), h=0.1, x=0.2)
    page = graph.page("main")
    apart = dict(page.wires)
    apart[Port("p2", "h")] = Wire(Port("h", "y"), Port("p2", "h"))
    folded, block_id = edits.fold(graph.with_page(dataclasses.replace(page, wires=apart)), "main", "p3")
    assert loop_of(folded.block(f"main/{block_id}")) == Loop(2)
    assert {"p0", "p1"} <= folded.page("main").blocks.keys()


def test_a_chain_begins_behind_a_fork() -> None:
    graph = chain(4, ("h.y", "p0.h"), *(("x.y", f"p{number}.x") for number in range(4)), h=0.1, x=0.2)
    graph = edits.connect(edits.disconnect(graph, "main", Port("p2", "h")), "main", Port("p0", "h"), Port("p2", "h"))
    folded, block_id = edits.fold(graph, "main", "p3")
    assert loop_of(folded.block(f"main/{block_id}")) == Loop(2)
    assert {"p0", "p1"} <= folded.page("main").blocks.keys()
    assert gradients(folded, "h", "x") == gradients(graph, "h", "x")


@pytest.mark.parametrize("other", [{"is_muted": True}, {"parameters": {"page": "other"}}, {"type": "Scan"}])
def test_one_block_stands_for_blocks_like_it_alone(other: dict[str, Any]) -> None:
    graph = chain(4, ("h.y", "p0.h"), *(("x.y", f"p{number}.x") for number in range(4)), h=0.1, x=0.2)
    page = graph.page("main")
    last = dataclasses.replace(page.blocks["p3"], **other)
    copy = dataclasses.replace(graph.page("cell"), name="other")
    graph = graph.with_page(dataclasses.replace(page, blocks={**page.blocks, "p3": last}))
    folded, block_id = edits.fold(dataclasses.replace(graph, pages=(*graph.pages, copy)), "main", "p1")
    assert loop_of(folded.block(f"main/{block_id}")) == Loop(3)
    assert folded.block("main/p3") == last


def test_what_carries_nothing_is_folded_in_the_order_of_its_elements() -> None:
    body = page_from("cell", [entry("free", value=1.0), entry("x", 1), Block("m", "Multiply"), leaving("o")],
                     [("free.y", "m.x"), ("x.y", "m.y"), ("m.z", "o_out.x")])  # fmt: skip
    rounds = [Block(f"p{number}", "Page", parameters={"page": "cell"}) for number in range(11)]
    blocks = [source("x", range(11)), Block("apart", "Unstack"), Block("s", "Stack"), Block("loss", "Loss"), *rounds]
    ends = [(f"apart.y_{10 - number}", f"p{number}.x") for number in range(11)]
    ends += [(f"p{10 - number}.o", f"s.values_{number}") for number in range(11)]
    graph = Graph(pages=(page_from("main", blocks, [("x.y", "apart.x"), ("s.y", "loss.x"), *ends]), body))
    folded, block_id = edits.fold(graph, "main", [item.id for item in rounds])
    assert loop_of(folded.block(f"main/{block_id}")) == Loop(11, 0, ("x",), ("o",))
    assert folded.page("main").blocks.keys() == {"x", "loss", block_id}
    assert gradients(folded, "x") == gradients(graph, "x")


def test_a_chain_that_is_no_loop_stays_with_a_sentence() -> None:
    feeds = [("h.y", "p0.h"), ("x.y", "p0.x"), ("x.y", "p1.x"), ("x.y", "p2.x")]

    def refusal(graph: Graph, *ids: str) -> str:
        with pytest.raises(EditError) as caught:
            edits.fold(graph, "main", ids)
        return str(caught.value)

    graph = chain(3, *feeds, h=0.1, x=0.2)
    assert refusal(graph, "x", "p0") == 'Input "x" cannot be a round of a loop; leave it out of the selection.'
    assert refusal(graph).startswith("There is no Page block to fold")
    assert "select a chain" in refusal(graph, "p0", "p2")
    assert "in some of these blocks only" in refusal(chain(3, *feeds[:3], h=0.1, x=0.2), "p0", "p1", "p2")
    assert "different shapes" in refusal(chain(2, *feeds[:2], ("y.y", "p1.x"), h=0.1, x=0.2, y=[1, 2]), "p0", "p1")
    assert "has one name" in refusal(chain(2, *feeds[:2], ("p0.o", "p1.x"), h=0.1, x=0.2), "p0", "p1")
    page = graph.page("main")
    stop = {"s": Block("s", "StopGradient")}
    stopped = {
        Port("s", "x"): Wire(Port("p1", "h"), Port("s", "x")),
        Port("p2", "h"): Wire(Port("s", "y"), Port("p2", "h")),
    }
    every = graph.with_page(dataclasses.replace(page, blocks={**page.blocks, **stop}, wires={**page.wires, **stopped}))
    folded, block_id = edits.fold(every, "main", "p0")
    assert loop_of(folded.block(f"main/{block_id}")) == Loop(3, 2)
    read = {**every.page("main").wires, Port("loss", "weights"): Wire(Port("s", "y"), Port("loss", "weights"))}
    assert "serve nothing else" in refusal(every.with_page(dataclasses.replace(every.page("main"), wires=read)), "p0")


@pytest.mark.parametrize(
    ("block", "sentence"),
    [
        (Block("rec", "Page", parameters={"page": "cell"}), 'Page "rec" has no rounds; choose a Scan.'),
        (dataclasses.replace(scan("rec", "cell", 2), is_muted=True), 'Scan "rec" is muted'),
        (scan("rec", "cell", 0), 'Scan "rec": parameter times must be from 1'),
        (scan("rec", "none", 2), 'Scan "rec" uses no page'),
    ],
)
def test_what_is_no_loop_is_not_unrolled(block: Block, sentence: str) -> None:
    graph = recurrence()
    page = graph.page("main")
    graph = graph.with_page(dataclasses.replace(page, blocks={**page.blocks, "rec": block}))
    with pytest.raises(EditError, match=sentence):
        edits.unroll(graph, "main", "rec")


def test_a_loop_is_not_ungrouped() -> None:
    with pytest.raises(EditError, match="unroll it first"):
        edits.ungroup(recurrence(), "main", "rec")


def test_rounds_lie_in_a_row_with_stops_between_them_and_stacks_below() -> None:
    graph = edits.move_blocks(recurrence(), "main", {"rec": (100, 50)})
    graph, frame = edits.add_frame(graph, "main", "Loop", ["h", "rec"])
    unrolled, ids = edits.unroll(graph, "main", "rec")
    places = {name: unrolled.block(f"main/{name}").at for name in ids}
    step, below = places["rec_1"][0] - 100, places["rec_x"][1] - 50  # type: ignore[index]
    assert step == 2 * below > 400  # wider than a block: 208 px are its own width with a margin
    assert places == {
        **{f"rec_{number}": (100 + number * step, 50) for number in range(4)},
        "rec_h_2": (100 + 1.5 * step, 50),
        "rec_x": (100, 50 + below),
        "rec_o": (100 + 4 * step, 50 + below),
    }
    assert unrolled.page("main").frames == (Frame(frame, "Loop", ("h", *ids)),)
    folded, _ = edits.fold(unrolled, "main", ids)
    assert folded.block("main/rec").at == (100, 50)
    assert folded.page("main").frames == graph.page("main").frames


def test_what_a_fold_stacks_lies_before_the_loop_and_what_it_takes_apart_behind() -> None:
    feeds = [("h.y", "p0.h"), ("a.y", "p0.x"), ("b.y", "p1.x"), ("p0.o", "loss.weights")]
    graph = edits.move_blocks(chain(2, *feeds, h=0.1, a=0.2, b=0.3), "main", {"p0": (1000, 0), "p1": (2000, 0)})
    folded, _ = edits.fold(graph, "main", ["p0", "p1"])
    kinds = {block.type: block.at for block in folded.page("main").blocks.values() if block.at}
    x, y = kinds["Stack"]
    assert kinds == {"Scan": (1000, 0), "Stack": (x, y), "Unstack": (2000 - x, y)}
    assert x < 1000 - 200 and 100 < y < 1000
