"""Grouping and ungrouping: no number changes, and every reference follows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import NAME, Block, Frame, Graph, Note, Port
from tests.engine.edit_sequences import page_from, rich_graph, source, sources_of
from tests.recorded import graph_of_recording, load, make_graph, recorded_graphs
from tests.sweeps import a_third_of
from tests.test_laws import graphs

law = settings(derandomize=True, deadline=None, max_examples=40)


def softmax() -> Graph:
    """Returns the stable softmax up to its exponential: x, m = max, stop, z = x - stop, e, loss."""
    blocks = [
        Block("x", "Input", at=(0, 0), parameters={"value": np.array([1.0, 3.0, 3.0])}),
        Block("m", "ReduceMax", at=(208, 96)),
        Block("stop", "StopGradient", at=(416, 96)),
        Block("z", "Subtract", at=(624, 0)),
        Block("Exp", "Exp", at=(832, 0)),
        Block("loss", "Loss", at=(1040, 0)),
    ]
    wires = [
        ("x.y", "m.x"),
        ("m.y", "stop.x"),
        ("x.y", "z.x"),
        ("stop.y", "z.y"),
        ("z.z", "Exp.x"),
        ("Exp.y", "loss.x"),
    ]
    return make_graph(blocks, wires)


def assert_same_numbers(before: Graph, after: Graph, use: str = "", chosen: Iterable[str] = ()) -> None:
    """Asserts equal loss, values and gradients, bit for bit; the chosen blocks are now in `use`."""
    old, new = evaluate(before), evaluate(after)
    assert (old.loss is None) is (new.loss is None)
    if old.loss is not None and new.loss is not None:
        assert bits(old.loss.value) == bits(new.loss.value)
    moved = {f"main/{name}": f"main/{use}/{name}" for name in chosen}
    for name, port in old.ports.items():
        found = new.port(f"{moved.get(name.path, name.path)}.{name.port}")
        assert bits(found.value) == bits(port.value), name
        assert bits(found.gradient) == bits(port.gradient), name


def bits(array: object) -> object:
    return None if array is None else (np.asarray(array).dtype, np.asarray(array).shape, np.asarray(array).tobytes())


def same_up_to_order(a: Graph, b: Graph) -> bool:
    def key(graph: Graph) -> str:
        pages = tuple(
            dataclasses.replace(page, frames=tuple(sorted(page.frames, key=lambda f: f.id))) for page in graph.pages
        )
        return dumps(dataclasses.replace(graph, pages=pages))

    return key(a) == key(b)


def grouped_or_refused(graph: Graph, chosen: Iterable[str]) -> tuple[Graph, str] | None:
    try:
        return edits.group(graph, "main", chosen)
    except EditError as error:
        if not str(error).endswith("."):
            raise
        return None


def selections(graph: Graph, draw) -> set[str]:  # type: ignore[no-untyped-def]
    names = sorted(block.id for block in graph.pages[0].blocks.values() if block.type != "Loss")
    return set(draw(st.lists(st.sampled_from(names), min_size=1, max_size=6, unique=True)))


@pytest.mark.long
@law
@given(st.data())
def test_grouping_and_ungrouping_change_no_bit(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    chosen = selections(graph, data.draw)
    found = grouped_or_refused(graph, chosen)
    if found is None:
        return
    grouped, use = found
    assert_same_numbers(graph, grouped, use, chosen)
    assert loads(dumps(grouped)).graph == grouped
    back, ids = edits.ungroup(grouped, "main", use)
    assert set(ids) == chosen
    assert same_up_to_order(back, graph)
    assert_same_numbers(graph, back)


@pytest.mark.parametrize("name", a_third_of(recorded_graphs()[::4]))
def test_grouping_recorded_graphs_changes_no_bit(name: str) -> None:
    graph = graph_of_recording(load("graphs", name))
    names = sorted(block.id for block in graph.pages[0].blocks.values() if block.type != "Loss")
    done = 0
    for chosen in (names, names[: len(names) // 2], names[len(names) // 2 :], names[::2]):
        if (found := grouped_or_refused(graph, chosen)) is not None:
            done += 1
            grouped, use = found
            assert_same_numbers(graph, grouped, use, chosen)
            assert same_up_to_order(edits.ungroup(grouped, "main", use)[0], graph)
    assert done


def test_the_page_takes_the_place_of_the_blocks() -> None:
    grouped, use = edits.group(softmax(), "main", ["m", "stop", "z"])
    main, page = grouped.pages
    assert (use, page.name) == ("page", "page")
    assert main.blocks.keys() == {"x", "page", "Exp", "loss"}
    assert main.blocks["page"].at == (416, 48)
    assert {f"{wire.source} > {wire.target}" for wire in main.wires.values()} == {
        "x.y > page.x",
        "page.z > Exp.x",
        "Exp.y > loss.x",
    }
    assert [(block.id, block.type, block.parameters.get("name")) for block in page.blocks.values()] == [
        ("x", "PageInput", "x"),
        ("m", "ReduceMax", None),
        ("stop", "StopGradient", None),
        ("z", "Subtract", None),
        ("z_out", "PageOutput", "z"),
    ]
    assert page.blocks["m"].at == (208, 96)


def test_a_block_without_a_name_of_its_own_gives_the_port_the_name_of_the_port() -> None:
    grouped, use = edits.group(softmax(), "main", ["Exp"])
    assert {port.name for port in grouped.page("main").wires if port.block == use} == {"z"}
    assert grouped.page("main").wires[Port("loss", "x")].source == Port(use, "y")


def test_the_page_is_called_as_the_frame_around_the_blocks() -> None:
    graph, _ = edits.add_frame(softmax(), "main", "Shift by the maximum", ["m", "stop"])
    grouped, use = edits.group(graph, "main", ["m", "stop"])
    assert use == grouped.pages[1].name == "shift_by_the_maximum"
    assert [frame.blocks for frame in grouped.pages[1].frames] == [("m", "stop")]
    assert grouped.page("main").frames == ()
    assert same_up_to_order(edits.ungroup(grouped, "main", use)[0], graph)


def test_long_names_are_cut_to_what_a_name_may_be() -> None:
    graph, _ = edits.add_frame(softmax(), "main", "Shift " * 20, ["m", "stop"])
    assert edits.group(graph, "main", ["m", "stop"])[1] == ("shift_" * 20)[:48]
    long = "a" * 64
    graph = make_graph([source(long), Block("e", "Exp"), Block("loss", "Loss")], [(f"{long}.y", "e.x")])
    graph, _ = edits.group(edits.connect(graph, "main", Port("e", "y"), Port("loss", "x")), "main", [long])
    assert all(NAME.fullmatch(name) for name in graph.pages[1].blocks)


def test_a_frame_around_some_of_the_blocks_gives_the_page_no_name() -> None:
    graph, _ = edits.add_frame(softmax(), "main", "Maximum", ["m"])
    assert edits.group(graph, "main", ["m", "stop"])[1] == "page"


@pytest.mark.parametrize(("chosen", "use"), [(["z"], "m_1"), (["m"], "m")])
def test_the_block_of_the_page_has_a_name_that_no_block_beside_it_has(chosen: list[str], use: str) -> None:
    assert edits.group(softmax(), "main", chosen, name="m")[1] == use
    assert_same_numbers(softmax(), edits.group(softmax(), "main", chosen, name="m")[0], use, chosen)


def test_a_frame_around_an_input_of_the_page_is_left_around_the_rest() -> None:
    graph, use = edits.group(softmax(), "main", ["m", "stop", "z"])
    graph, _ = edits.add_frame(graph, "page", "Beginning", ["x", "m"])
    opened, _ = edits.ungroup(graph, "main", use)
    assert [frame.blocks for frame in opened.page("main").frames] == [("m",)]


def test_blocks_come_out_where_their_page_was_moved() -> None:
    graph, use = edits.group(softmax(), "main", ["m", "stop", "z"])
    graph = edits.move_blocks(graph, "main", {use: (416 + 160, 48 + 96)})
    opened, _ = edits.ungroup(graph, "main", use)
    assert [opened.page("main").blocks[name].at for name in ("m", "stop", "z")] == [(368, 192), (576, 192), (784, 96)]


def test_a_frame_that_reaches_further_keeps_the_page_block() -> None:
    graph, frame = edits.add_frame(softmax(), "main", "All", ["m", "stop", "z"])
    grouped, use = edits.group(graph, "main", ["m", "stop"])
    assert [(item.id, item.blocks) for item in grouped.page("main").frames] == [(frame, ("z", use))]
    assert grouped.pages[1].frames == ()
    back = edits.ungroup(grouped, "main", use)[0]
    assert set(back.page("main").frames[0].blocks) == {"m", "stop", "z"}


def test_notes_that_are_named_come_along_and_back() -> None:
    graph, note = edits.add_note(softmax(), "main", "Why?", (300, 40))
    grouped, use = edits.group(graph, "main", ["m", "stop"], notes=[note])
    assert grouped.page("main").notes == ()
    assert grouped.pages[1].notes == (Note(note, "Why?", (300, 40)),)
    assert same_up_to_order(edits.ungroup(grouped, "main", use)[0], graph)


CHECKS = (
    {"at": "main/m.y", "finite": True},
    {"wire": ("main/x.y", "main/m.x"), "status": "blocked"},
    {"wire": ("main/m.y", "main/stop.x"), "status": "blocked"},
    {"wire": ("main/z.z", "main/Exp.x"), "status": "flow"},
    {"at": "main/m.y", "gradient_equals": "main/stop.x", "loss": "main/loss", "other_loss": "main/loss"},
)


def test_checks_follow_into_the_page_and_back() -> None:
    graph = edits.set_checks(softmax(), CHECKS)
    grouped, use = edits.group(graph, "main", ["m", "stop", "z"])
    assert [check.get("at", check.get("wire")) for check in grouped.checks] == [
        "main/page/m.y",
        ("main/page/x.y", "main/page/m.x"),
        ("main/page/m.y", "main/page/stop.x"),
        ("main/page.z", "main/Exp.x"),
        "main/page/m.y",
    ]
    assert edits.ungroup(grouped, "main", use)[0].checks == graph.checks


def test_ports_lie_beside_their_blocks_without_overlap() -> None:
    blocks = [source("a", (0, 100)), source("b", (0, 500)), Block("sum", "Add", at=(300, 200)), Block("e", "Exp")]
    blocks += [dataclasses.replace(Block("t", "Tanh"), at=(700, 200)), Block("loss", "Loss", at=(1000, 200))]
    ends = [("a.y", "sum.x"), ("b.y", "sum.y"), ("sum.z", "t.x"), ("t.y", "loss.x"), ("sum.z", "e.x")]
    page = edits.group(make_graph(blocks, ends), "main", ["sum", "t"])[0].pages[1]
    places = {block.id: block.at for block in page.blocks.values()}
    # A block and its port are less than 224 px wide and 112 px high.
    assert places == {
        "sum": (300, 200), "t": (700, 200), "a": (60, 200), "b": (60, 312), "t_out": (1020, 312),
        "sum_out": (1020, 200),
    }  # fmt: skip


def test_the_port_of_a_page_block_has_the_name_that_its_page_gives() -> None:
    graph, use = edits.group(softmax(), "main", ["m", "stop", "z"], name="shifted")
    outer, _ = edits.group(graph, "main", [use], name="again")
    assert [block.parameters["name"] for block in outer.page("again").blocks.values() if block.id != use] == ["x", "z"]


def test_ports_of_a_block_with_several_outputs_have_their_names() -> None:
    x = Block("x", "Input", parameters={"value": np.ones((2, 2))})
    blocks = [x, Block("spread", "Moments", parameters={"axes": (0,)}), Block("d", "Subtract"), Block("loss", "Loss")]
    ends = [("x.y", "spread.x"), ("spread.mean", "d.x"), ("spread.variance", "d.y"), ("d.z", "loss.x")]
    inner = edits.group(make_graph(blocks, ends), "main", ["spread"])[0].pages[1].blocks.values()
    assert {item.parameters["name"] for item in inner if item.id != "spread"} == {"x", "mean", "variance"}


def refusal(graph: Graph, chosen: list[str]) -> str:
    with pytest.raises(EditError) as caught:
        edits.group(graph, "main", chosen)
    return str(caught.value)


def test_a_loss_cannot_go_into_a_page() -> None:
    assert refusal(softmax(), ["Exp", "loss"]) == (
        'Loss "loss" would take no part on a page used as a block; leave it out of the selection.'
    )


def test_a_circle_through_the_page_is_refused_by_name() -> None:
    assert refusal(softmax(), ["m", "z"]) == (
        "These blocks cannot become one page: stop would be before and after it (m -> stop -> z). Select it too."
    )


def test_ports_of_the_page_stay_where_they_are() -> None:
    assert 'is a port of page "main"' in refusal(
        make_graph([Block("a", "PageInput", parameters={"name": "a"})], []), ["a"]
    )


def test_ports_beside_blocks_without_a_place_have_none() -> None:
    graph = softmax()
    blocks = {name: dataclasses.replace(block, at=None) for name, block in graph.page("main").blocks.items()}
    graph, block = edits.group(
        graph.with_page(dataclasses.replace(graph.page("main"), blocks=blocks)), "main", ["z", "Exp"]
    )
    inner = graph.page(str(graph.block(f"main/{block}").parameters["page"]))
    assert [item.at for item in inner.blocks.values()] == [None] * len(inner.blocks)
    assert len(inner.blocks) == 5


def test_nothing_makes_no_page() -> None:
    assert refusal(softmax(), []).startswith("There is no block")


def test_a_broken_wire_across_the_border_is_refused() -> None:
    graph = make_graph([source("x"), Block("e", "Exp")], [("gone.y", "e.x")])
    assert refusal(graph, ["e"]) == "The wire from gone.y to e.x is not connected; remove it first."


def derivative() -> Graph:
    """Returns g = d(x * x) / dx through a block `s`, and a Loss on g."""
    blocks = [source("x"), Block("s", "Square"), Block("g", "Gradients"), Block("loss", "Loss")]
    return make_graph(blocks, [("x.y", "s.x"), ("s.y", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")])


@pytest.mark.parametrize("chosen", [["g"], ["x", "s"]])
def test_a_derivative_cannot_be_cut_in_two(chosen: list[str]) -> None:
    assert "differentiates along a path that the border" in refusal(derivative(), chosen)


@pytest.mark.parametrize("chosen", [["s"], ["s", "g"], ["x"], ["x", "s", "g"]])
def test_a_function_and_its_derivative_can_be_a_page(chosen: list[str]) -> None:
    grouped, use = edits.group(derivative(), "main", chosen)
    assert_same_numbers(derivative(), grouped, use, chosen)
    assert same_up_to_order(edits.ungroup(grouped, "main", use)[0], derivative())


def test_a_stop_on_the_other_side_of_the_border_is_refused() -> None:
    graph = edits.set_parameter(derivative(), "main", "g", "stop_gradients", ["x.y"])
    assert "on the other side of the page's border" in refusal(graph, ["s", "g"])


def test_blocks_can_be_grouped_within_a_used_page_everywhere_at_once() -> None:
    graph, use = edits.group(softmax(), "main", ["m", "stop", "z"])
    deeper, inner = edits.group(graph, use, ["m", "stop"])
    places = {"m": f"{use}/{inner}/m", "stop": f"{use}/{inner}/stop", "z": f"{use}/z"}
    old, new = evaluate(softmax()), evaluate(deeper)
    for name, port in old.ports.items():
        block = name.path.removeprefix("main/")
        found = new.port(f"main/{places.get(block, block)}.{name.port}")
        assert (bits(found.value), bits(found.gradient)) == (bits(port.value), bits(port.gradient))


# Ungrouping


def test_other_uses_of_the_page_stay() -> None:
    graph, use = edits.group(softmax(), "main", ["m", "stop", "z"])
    graph, ids = edits.paste(graph, "main", edits.copy_blocks(graph, "main", use))
    opened, _ = edits.ungroup(graph, "main", use)
    assert opened.has_page("page")
    assert opened.page("main").blocks[ids[use]].type == "Page"
    assert not edits.ungroup(opened, "main", ids[use])[0].has_page("page")


def test_names_that_are_taken_are_made_anew() -> None:
    graph, use = edits.group(softmax(), "main", ["m", "stop", "z"])
    graph, _ = edits.add_block(graph, "main", "Exp", id="m")
    opened, ids = edits.ungroup(graph, "main", use)
    assert set(ids) == {"m_1", "stop", "z"}
    assert opened.page("main").wires[Port("stop", "x")].source == Port("m_1", "y")


def test_a_port_without_a_wire_becomes_a_constant_of_its_value() -> None:
    graph, use = edits.group(softmax(), "main", ["z"])
    graph = edits.set_parameter(graph, "page", "stop", "value", 7.0)
    graph = edits.disconnect(graph, "main", Port(use, "stop"))
    opened, _ = edits.ungroup(graph, "main", use)
    assert opened.page("main").blocks["stop_1"].type == "Constant"
    assert bits(evaluate(opened).loss.value) == bits(evaluate(graph).loss.value)


def test_what_nothing_feeds_has_no_wire_and_numbered_ports_close_up() -> None:
    graph = edits.set_parameter(rich_graph(), "main", "grads", "stop_gradients", [])
    graph = edits.disconnect(graph, "half", Port("out", "x"))
    opened, ids = edits.ungroup(graph, "main", "use")
    assert set(ids) == {"twice"}
    assert sources_of(opened, "sum", "values") == ["w.y", "x.y"]


def test_what_a_gradients_block_stops_at_cannot_be_opened() -> None:
    with pytest.raises(EditError, match='stops gradients at Page "use"'):
        edits.ungroup(rich_graph(), "main", "use")


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda graph: edits.set_muted(graph, "main", "page", True), "is muted"),
        (lambda graph: edits.add_block(graph, "page", "Loss")[0], "takes no part on page"),
    ],
)
def test_what_would_change_a_number_is_refused(edit, sentence: str) -> None:  # type: ignore[no-untyped-def]
    graph, use = edits.group(softmax(), "main", ["m", "stop", "z"])
    with pytest.raises(EditError, match=sentence):
        edits.ungroup(edit(graph), "main", use)


@pytest.mark.parametrize(("inner", "outer"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("kind", ["fed twice", "passed through", "left twice", "once"])
def test_two_ports_become_one_only_where_no_derivative_tells_them_apart(kind: str, inner: bool, outer: bool) -> None:
    through = kind == "passed through"
    ends = [("a.y", "m.x"), ("b.y", "m.y"), ("m.z", "p.x"), ("a.y" if through else "t.y", "q.x"), ("m.z", "t.x")]
    ends += [("m.z", "q.x")] if kind == "left twice" else []
    ports = [Block(name, "PageInput", parameters={"name": name}) for name in "ab"]
    ports += [Block(name, "PageOutput", parameters={"name": name}) for name in "pq"]
    used = page_from("used", [*ports, Block("m", "Multiply"), Block("t", "Tanh"), *[Block("g", "Gradients")] * inner],
                     *ends)  # fmt: skip
    blocks = [source("x"), source("y"), Block("use", "Page", parameters={"page": "used"})]
    feeds = [("x.y", "use.a"), ("x.y" if kind == "fed twice" else "y.y", "use.b")]
    main = page_from("main", [*blocks, *[Block("g", "Gradients")] * outer], *feeds)
    if kind == "once" or not (inner if kind == "fed twice" else outer):
        assert edits.ungroup(Graph((main, used)), "main", "use")[1]
    else:
        with pytest.raises(EditError, match="connects one port to two ports"):
            edits.ungroup(Graph((main, used)), "main", "use")


def test_a_block_that_uses_no_page_cannot_be_opened() -> None:
    with pytest.raises(EditError, match="uses no page"):
        edits.ungroup(softmax(), "main", "m")


def test_empty_frames_that_are_named_come_along() -> None:
    page = softmax().pages[0]
    graph = softmax().with_page(dataclasses.replace(page, frames=(Frame("f", "Later", at=(0, 0), size=(80, 80)),)))
    grouped, use = edits.group(graph, "main", ["m", "stop"], frames=["f"])
    assert [frame.id for frame in grouped.pages[1].frames] == ["f"]
    assert same_up_to_order(edits.ungroup(grouped, "main", use)[0], graph)


def test_notes_and_frames_of_a_page_without_places_come_out_where_its_block_is() -> None:
    graph, use = edits.group(make_graph([source("x"), Block("e", "Exp")], [("x.y", "e.x")]), "main", ["x", "e"])
    graph = edits.move_blocks(edits.add_note(graph, "page", "Why?", (1, 2))[0], "main", {use: (50, 60)})
    frame = Frame("f", "Later", at=(3, 4), size=(80, 80))
    graph = graph.with_page(dataclasses.replace(graph.page("page"), frames=(frame,)))
    page = edits.ungroup(graph, "main", use)[0].page("main")
    assert [item.at for item in (*page.notes, *page.frames)] == [(51, 62), (53, 64)]
