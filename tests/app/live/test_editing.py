"""Edits made of several edits: each gives a complete new graph or none."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.app.live import carrying, editing
from gradwire.app.live.editing import Fit, NewBlock, fit_of
from gradwire.app.live.selection import Selection
from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import REQUIRED
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Block, Graph, Note, Page, Port, Wire
from gradwire.interop.search.block_search import placeable_types
from tests.blocks.contract.contract import in_one_test
from tests.engine.edit_sequences import page_from, rich_graph, source, wire

AT = (16.0, 32.0)
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def array_block(name: str, value: object, dtype: str = "float64") -> Block:
    made = np.array(value, dtype)
    made.setflags(write=False)
    return Block(name, "Input", parameters={"value": made})


def chain() -> Graph:
    """Returns x -> e = Exp -> t = Tanh -> loss."""
    blocks = [source("x"), Block("e", "Exp"), Block("t", "Tanh"), Block("loss", "Loss")]
    return Graph((page_from("main", blocks, ("x.y", "e.x"), ("e.y", "t.x"), ("t.y", "loss.x")),))


def connected(new: NewBlock, ends: Sequence[Port], are_outputs: bool) -> tuple[Graph, str]:
    """Returns the chain with a block that is connected where nothing is known of what the ends carry."""
    return editing.place_connected(chain(), "main", new, AT, ends, are_outputs, lambda _: None)


def wires(graph: Graph) -> list[str]:
    return sorted(f"{item.source} > {item.target}" for item in graph.page("main").wires.values())


@in_one_test(placeable_types())
def test_every_type_that_can_be_placed_has_what_it_needs(block_type: BlockType) -> None:
    graph, block_id = editing.place_block(Graph(), "main", NewBlock(block_type.name), AT)
    block = graph.page("main").blocks[block_id]
    required = {item.name for item in block_type.parameters.values() if item.default is REQUIRED}
    assert required <= block.parameters.keys()
    assert (block.type, block.at) == (block_type.name, AT)
    assert not [problem for problem in evaluate(graph).problems if problem.code == "parameter"]


def test_a_new_input_holds_a_vector() -> None:
    graph, block_id = editing.place_block(Graph(), "main", NewBlock("Input"), AT)
    np.testing.assert_array_equal(graph.page("main").blocks[block_id].parameters["value"], [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("type_name", "expected"),
    [
        # A source has numbers; all else only what has no default.
        ("Constant", {"value": 1.0}), ("Variable", {"value": 1.0}), ("Exp", {}), ("Softmax", {}), ("Loss", {}),
        ("Concat", {"axis": 0}), ("Reverse", {"axis": (0,)}), ("ExpandDims", {"axis": 0}), ("Moments", {"axes": 0}),
        ("Scan", {"page": "", "times": 10}), ("OneHot", {"depth": 1}), ("Cast", {"dtype": "float64"}),
        ("PageInput", {"name": "x"}), ("PageOutput", {"name": "y"}), ("Pad", {"paddings": ((0, 0),)}),
        ("Resample", {"size": (1,), "method": "nearest"}), ("ClipByNorm", {"clip_norm": 1.0}),
        ("Einsum", {"equation": ""}), ("Conv1D", {"stride": 1, "padding": "SAME"}),
        ("Bucketize", {"boundaries": (1.0,)}),
    ],
)  # fmt: skip
def test_a_new_block_has_values_where_it_needs_some(type_name: str, expected: dict[str, object]) -> None:
    assert editing.starting_parameters(library[type_name]) == expected


def test_a_new_loop_uses_the_first_page_that_it_may() -> None:
    graph, page = edits.add_page(Graph((Page("main"),)), "cell")
    placed, block_id = editing.place_block(graph, "main", NewBlock("Scan", name="rec"), AT)
    assert placed.page("main").blocks[block_id].parameters == {"page": page, "times": 10}
    assert block_id == "rec"
    alone, block_id = editing.place_block(Graph((Page("main"),)), "main", NewBlock("Scan"), AT)
    assert "page" not in alone.page("main").blocks[block_id].parameters
    inside, block_id = editing.place_block(placed, page, NewBlock("Scan"), AT)
    assert inside.page(page).blocks[block_id].parameters.get("page") != page


def test_given_parameters_come_before_the_usual_ones() -> None:
    graph, block_id = editing.place_block(Graph(), "main", NewBlock("Input", {"value": np.array(7.0)}), AT)
    np.testing.assert_array_equal(graph.page("main").blocks[block_id].parameters["value"], 7.0)


@pytest.mark.parametrize(("type_name", "names"), [("PageInput", "x x_1 x_2"), ("PageOutput", "y y_1 y_2")])
def test_ports_of_a_page_get_names_that_are_free(type_name: str, names: str) -> None:
    graph = Graph()
    for _ in range(3):
        graph, _ = editing.place_block(graph, "main", NewBlock(type_name), AT)
    assert [block.parameters["name"] for block in graph.page("main").blocks.values()] == names.split()


def test_a_type_that_is_not_there_is_refused() -> None:
    with pytest.raises(EditError, match="Expp"):
        editing.place_block(Graph(), "main", NewBlock("Expp"), AT)


def test_a_block_can_be_placed_at_the_end_of_an_output() -> None:
    graph, block_id = connected(NewBlock("Add"), [Port("e", "y")], are_outputs=True)
    assert set(wires(graph)) - set(wires(chain())) == {f"e.y > {block_id}.x"}


@pytest.mark.parametrize(("end", "port"), [("t", "logits"), ("x", "labels")])
def test_what_is_computed_takes_the_logits_of_a_loss_and_not_its_labels(end: str, port: str) -> None:
    new = NewBlock("SoftmaxCrossEntropyWithLogits")
    graph, block_id = connected(new, [Port(end, "y")], are_outputs=True)
    assert set(wires(graph)) - set(wires(chain())) == {f"{end}.y > {block_id}.{port}"}


def test_several_outputs_take_the_inputs_in_their_order() -> None:
    ends = [Port("t", "y"), Port("e", "y")]
    graph, block_id = connected(NewBlock("Subtract"), ends, are_outputs=True)
    assert {f"t.y > {block_id}.x", f"e.y > {block_id}.y"} <= set(wires(graph))


def test_an_output_takes_the_first_input_of_its_dtype() -> None:
    spec_of = infer_specs(chain()).specs.get
    graph, block_id = editing.place_connected(
        chain(),
        "main",
        NewBlock("Where"),
        AT,
        [Port("e", "y")],
        are_outputs=True,
        spec_of=lambda port: spec_of(PortName(f"main/{port.block}", port.name)),
    )
    assert f"e.y > {block_id}.x" in wires(graph)


def test_a_name_that_is_taken_is_refused() -> None:
    new = NewBlock("Input", {"value": [1.0]}, "e")
    with pytest.raises(EditError, match="already"):
        connected(new, (), are_outputs=True)


def test_a_block_can_be_placed_before_an_input() -> None:
    graph, block_id = connected(NewBlock("Tanh"), [Port("e", "x")], are_outputs=False)
    assert set(wires(graph)) ^ set(wires(chain())) == {"x.y > e.x", f"{block_id}.y > e.x"}


def test_numbered_inputs_take_their_first_numbers() -> None:
    graph, block_id = connected(NewBlock("AddN"), [Port("e", "y"), Port("x", "y")], are_outputs=True)
    assert {f"e.y > {block_id}.values_0", f"x.y > {block_id}.values_1"} <= set(wires(graph))


@pytest.mark.parametrize(("type_name", "are_outputs"), [("Input", True), ("PageOutput", False)])
def test_a_block_without_a_port_for_the_wire_is_refused(type_name: str, are_outputs: bool) -> None:
    end = Port("e", "y") if are_outputs else Port("e", "x")
    with pytest.raises(EditError, match=rf"{type_name} has no port that fits {end}\."):
        connected(NewBlock(type_name), [end], are_outputs=are_outputs)


def test_a_block_can_be_inserted_on_a_wire() -> None:
    graph, block_id = editing.insert_on_wire(chain(), "main", NewBlock("StopGradient"), AT, wire("e.y", "t.x"))
    assert set(wires(graph)) == {"x.y > e.x", f"e.y > {block_id}.x", f"{block_id}.y > t.x", "t.y > loss.x"}


@pytest.mark.parametrize("type_name", ["Input", "PageOutput"])
def test_a_block_without_both_sides_cannot_be_inserted(type_name: str) -> None:
    with pytest.raises(EditError, match="cannot stand in the middle of a wire"):
        editing.insert_on_wire(chain(), "main", NewBlock(type_name), AT, wire("e.y", "t.x"))


def test_the_end_of_a_wire_can_be_plugged_elsewhere() -> None:
    graph = editing.replug(chain(), "main", wire("e.y", "t.x"), Port("loss", "x"))
    assert wires(graph) == ["e.y > loss.x", "x.y > e.x"]


def test_plugging_a_wire_where_it_is_changes_nothing() -> None:
    graph = chain()
    assert editing.replug(graph, "main", wire("e.y", "t.x"), Port("t", "x")) is graph


@pytest.mark.parametrize("target", ["e.x", "t.nothing", "nobody.x"])
def test_a_wire_that_cannot_be_plugged_elsewhere_stays(target: str) -> None:
    graph = chain()
    with pytest.raises(EditError):
        editing.replug(graph, "main", wire("e.y", "t.x"), Port(*target.split(".")))
    assert graph == chain()


def test_a_numbered_wire_is_plugged_into_the_numbers_left() -> None:
    """Expects that without values_0 the others move down, as after its removal by hand."""
    graph = editing.replug(rich_graph(), "main", wire("use.out", "sum.values_0"), Port("sum", "values_2"))
    found = {
        target.name: str(item.source) for target, item in graph.page("main").wires.items() if target.block == "sum"
    }
    assert found == {"values_0": "w.y", "values_1": "x.y", "values_2": "use.out"}


def test_what_is_selected_is_deleted_at_once() -> None:
    chosen = Selection(
        frozenset({"x", "loss"}),
        frozenset({wire("w.y", "sum.values_1"), wire("x.y", "use.a")}),
        frozenset({"outer", "inner"}),
        frozenset({"why"}),
    )
    page = editing.delete(rich_graph(), "main", chosen).page("main")
    assert not {"x", "loss"} & page.blocks.keys()
    assert "w" in page.blocks and wire("w.y", "sum.values_1") not in page.wires.values()
    assert (page.frames, page.notes) == ((), ())


def test_frames_go_without_what_they_hold() -> None:
    page = editing.delete(rich_graph(), "main", Selection(frames=frozenset({"outer"}))).page("main")
    assert [frame.id for frame in page.frames] == ["inner"]
    assert page.blocks == rich_graph().page("main").blocks


def test_deleting_nothing_changes_nothing() -> None:
    graph = rich_graph()
    assert editing.delete(graph, "main", Selection()) is graph


def test_blocks_and_notes_move_together() -> None:
    chosen = Selection(frozenset("x"), notes=frozenset({"why"}))
    page = carrying.moved(rich_graph(), "main", chosen, (160, 176)).page("main")
    assert (page.blocks["x"].at, page.notes[0]) == ((160, 176), Note("why", "Why?", (160, 176)))


def test_an_empty_frame_moves_by_itself() -> None:
    graph, _ = edits.add_frame(Graph(), "main", "Empty", id="f", at=(0, 0), size=(240, 120))
    (frame,) = edits.set_frame(graph, "main", "f", at=(64, 80)).page("main").frames
    assert (frame.at, frame.size) == ((64, 80), (240, 120))


def test_one_edit_is_carried_out_on_several_blocks() -> None:
    graph = editing.set_for_all(chain(), "main", ["e", "t"], edits.set_muted, True)
    assert [block.id for block in graph.page("main").blocks.values() if block.is_muted] == ["e", "t"]


def fitting() -> Graph:
    """Returns blocks of different dtypes and shapes, and a chain."""
    blocks = [
        array_block("matrix", np.ones((2, 3))),
        array_block("other", np.ones((2, 3))),
        array_block("whole", [1, 2], "int32"),
        Block("product", "MatMul"),
        Block("e", "Exp"),
        Block("t", "Tanh"),
    ]
    ends = [("matrix.y", "product.a"), ("e.y", "t.x")]
    return Graph((page_from("main", blocks, *ends),))


def fit(start: str, end: str, graph: Graph | None = None, replaced: Wire | None = None) -> Fit:
    graph = graph or fitting()
    return fit_of(graph, "main", "main", infer_specs(graph), wire(start, end), replaced)


@pytest.mark.parametrize(("start", "end"), [("matrix.y", "e.x"), ("other.y", "product.a"), ("t.y", "product.b")])
def test_a_wire_that_fits_has_no_reason_against_it(start: str, end: str) -> None:
    assert fit(start, end) == Fit()
    assert fit(start, end)


def test_a_circle_is_impossible_and_names_its_blocks() -> None:
    found = fit("t.y", "e.x")
    assert not found and not found.is_possible
    assert set(found.ring) == {"e", "t"}


@pytest.mark.parametrize(("start", "end"), [("matrix.y", "e.nothing"), ("matrix.nothing", "e.x"), ("e.y", "nobody.x")])
def test_a_port_that_is_not_there_is_impossible(start: str, end: str) -> None:
    found = fit(start, end)
    assert not found and not found.is_possible
    assert found.ring == ()


@pytest.mark.parametrize(
    ("start", "end", "words"), [("whole.y", "e.x", "int32"), ("other.y", "product.b", "3 columns but b has 2 rows")]
)
def test_a_dtype_or_a_shape_that_does_not_fit_may_be_forced(start: str, end: str, words: str) -> None:
    found = fit(start, end)
    assert not found and found.is_possible
    assert re.search(words, found.reason)
    assert found.reason.endswith(".")


def test_a_muted_block_takes_any_dtype_and_what_is_unknown_fits() -> None:
    assert fit("whole.y", "e.x", edits.set_muted(fitting(), "main", ("e",), True)) == Fit()
    graph = edits.add_block(fitting(), "main", "Add", id="open")[0]
    assert fit("open.z", "t.x", edits.disconnect(graph, "main", wire("e.y", "t.x"))) == Fit()


def test_a_wire_that_takes_the_place_of_another_closes_no_circle_with_it() -> None:
    graph = chain()
    assert not fit("t.y", "e.x", graph)
    assert fit("t.y", "e.x", graph, wire("e.y", "t.x"))


def test_what_was_wrong_before_is_no_reason_against_a_wire() -> None:
    graph = edits.connect(fitting(), "main", Port("other", "y"), Port("product", "b"))
    assert fit("other.y", "product.a", graph)


def test_an_output_fits_types_that_take_its_dtype() -> None:
    spec = infer_specs(fitting()).specs
    whole = next(item for name, item in spec.items() if name.path == "main/whole")
    assert not editing.takes(library["Exp"], [whole], are_outputs=True)
    assert editing.takes(library["Exp"], [None], are_outputs=True)
    assert editing.takes(library["Add"], [whole], are_outputs=True)
    assert not editing.takes(library["Input"], [None], are_outputs=True)


def test_two_outputs_fit_types_with_room_for_both() -> None:
    names = ["Exp", "Add", "Where", "AddN"]
    assert [editing.takes(library[name], [None, None], are_outputs=True) for name in names] == [False, True, True, True]


@pytest.mark.parametrize(
    ("type_name", "fits"),
    [("Input", True), ("Exp", True), ("Loss", True), ("PageOutput", False), ("Chart", False), ("Scan", False)],
)
def test_an_input_fits_types_that_have_an_output(type_name: str, fits: bool) -> None:
    assert editing.takes(library[type_name], [], are_outputs=False) == fits


@pytest.mark.parametrize(
    ("block", "title"),
    [
        (Block("e", "Exp"), "e"),
        (Block("e", "Exp", label="Scores"), "Scores"),
        (Block("in", "PageInput", parameters={"name": "x"}), "x"),
        (Block("out", "PageOutput"), "out"),
        (Block("in", "PageInput", label="Label", parameters={"name": "x"}), "x"),
    ],
)
def test_renaming_begins_with_the_title_that_is_shown(block: Block, title: str) -> None:
    assert editing.title_to_edit(block) == title


def test_the_title_of_a_port_is_that_of_its_page() -> None:
    graph = editing.place_block(Graph(), "main", NewBlock("PageInput", name="in"), AT)[0]
    block = graph.page("main").blocks["in"]
    named = editing.renamed_title(graph, "main", block, " rows ").page("main").blocks["in"]
    assert (named.parameters["name"], named.label) == ("rows", None)
    empty = editing.renamed_title(graph, "main", block, "  ").page("main").blocks["in"]
    assert (empty.parameters["name"], empty.label) == ("x", None)


def test_types_with_both_sides_stand_between() -> None:
    names = ["Exp", "Add", "Input", "PageOutput", "Where"]
    assert [editing.stands_between(library[name], None) for name in names] == [True, True, False, False, True]
    whole = TensorSpec((2,), np.dtype(np.int32))
    assert [editing.stands_between(library[name], whole) for name in ("Exp", "Add")] == [False, True]


def test_a_constant_of_its_own_stands_to_the_left_of_and_below_its_reader() -> None:
    """The copies of c, 100 by 40 px, stand 48 px beside their readers, and out of each other's way."""
    graph = chain()
    for name in ("c",):
        graph, _ = edits.add_block(graph, "main", "Constant", id=name, parameters={"value": np.array(1.0)})
    for name in ("a", "b"):
        graph, _ = edits.add_block(graph, "main", "Add", id=name)
        graph = edits.connect(graph, "main", Port("c", "y"), Port(name, "x"))
    rects = dict.fromkeys(("x", "e", "t", "loss"), (0.0, 2000.0, 100.0, 80.0))
    rects |= {"c": (0.0, 0.0, 100.0, 40.0), "a": (500.0, 0.0, 100.0, 80.0), "b": (500.0, 400.0, 100.0, 80.0)}
    page = editing.copy_to_readers(graph, "main", "c", rects).page("main")
    found = {
        item.target.block: page.blocks[item.source.block] for item in page.wires.values() if item.target.block in "ab"
    }
    assert {name: block.type for name, block in found.items()} == {"a": "Constant", "b": "Constant"}
    assert found["a"].at == (352.0, 80.0) and found["b"].at == (352.0, 480.0)


def renamed(text: str, graph: Graph | None = None) -> Block:
    graph = graph or chain()
    changed = editing.renamed_title(graph, "main", graph.page("main").blocks["e"], text)
    (block,) = [item for item in changed.page("main").blocks.values() if item.type == "Exp"]
    return block


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("scores", "scores", None),
        ("  scores ", "scores", None),
        ("two words", "e", "two words"),
        ("σ(x)/2", "e", "σ(x)/2"),
        ("e", "e", None),
        ("", "e", None),
        ("  ", "e", None),
    ],
)
def test_a_title_is_an_id_if_it_can_be_one(text: str, name: str, label: str | None) -> None:
    labelled = edits.set_label(chain(), "main", "e", "before")
    for graph in (chain(), labelled):
        block = renamed(text, graph)
        assert (block.id, block.label) == (name, label)


def test_the_title_of_another_block_is_refused() -> None:
    with pytest.raises(EditError, match='already a block "t"'):
        renamed("t")


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_kept_within_their_range(dtype: str) -> None:
    limits = np.iinfo(dtype)
    value = np.zeros(2, dtype)
    assert changed(value, 0, 1e30).tolist() == [int(limits.max), 0]
    assert changed(value, 1, -1e30).tolist() == [0, int(limits.min)]
    assert changed(value, 1, int(limits.max)).tolist() == [0, int(limits.max)]


@pytest.mark.parametrize(("number", "expected"), [(2.6, 3), (-2.6, -3), (2.4, 2)])
def test_integers_are_rounded(number: float, expected: int) -> None:
    assert changed(np.zeros(1, "int32"), 0, number).tolist() == [expected]


def changed(value: Array, index: int, number: float) -> Array:
    before = value.copy()
    found = editing.scaled(value, index, number)
    assert isinstance(found, np.ndarray)
    assert (found.dtype, found.shape) == (value.dtype, value.shape)
    np.testing.assert_array_equal(value, before)
    return found


@settings(deadline=None)
@given(st.integers(0, 5), st.floats(allow_nan=False))
def test_one_element_counted_flat_is_replaced(index: int, number: float) -> None:
    for value in (np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2).T):
        value.setflags(write=False)
        expected = value.ravel().tolist()
        expected[index] = number
        assert changed(value, index, number).ravel().tolist() == expected


def test_a_scalar_is_its_own_first_element() -> None:
    assert changed(np.array(2.0), 0, -1.5) == -1.5


def test_a_truth_value_is_replaced() -> None:
    assert changed(np.array([False, True]), 0, 1).tolist() == [True, True]


def test_a_layer_is_placed_as_a_page_and_put_into_a_wire() -> None:
    graph, source = editing.place_block(
        Graph((Page("main"),)), "main", NewBlock("Input", {"value": np.ones((4, 2))}), (0, 0)
    )
    graph, loss = editing.place_block(graph, "main", NewBlock("Loss"), (600, 0))
    graph = edits.connect(graph, "main", Port(source, "y"), Port(loss, "x"))
    wire = Wire(Port(source, "y"), Port(loss, "x"))
    new = NewBlock("layers.Dense", {"units": 5})
    graph, made = editing.insert_on_wire(graph, "main", new, (300, 0), wire, infer_specs(graph))
    assert graph.page("main").blocks[made].parameters == {"page": "Dense"}
    assert graph.page("Dense").blocks["kernel"].parameters["shape"] == (2, 5)
    assert set(graph.page("main").wires.values()) == {
        Wire(Port(source, "y"), Port(made, "x")),
        Wire(Port(made, "y"), Port(loss, "x")),
    }


def test_a_layer_is_offered_where_it_can_read_what_arrives() -> None:
    spec = TensorSpec((4, 2), np.dtype(np.float64))
    fitting = {name for name, layer in LAYERS.items() if editing.takes(layer, [spec], True)}
    assert {"Dense", "LSTMCell", "LayerNorm"} <= fitting
    assert fitting.isdisjoint({"Conv2D", "Embedding", "MultiHeadAttention"})
    assert editing.stands_between(LAYERS["Dense"], spec)
    assert not editing.takes(LAYERS["Dense"], [spec, spec], True)


def test_a_variable_with_a_start_has_no_numbers_of_its_own() -> None:
    parameters = {"shape": (2, 3), "start": {"kind": "he_normal", "seed": 4}}
    graph, made = editing.place_block(chain(), "main", NewBlock("Variable", parameters), AT)
    assert graph.page("main").blocks[made].parameters == parameters
