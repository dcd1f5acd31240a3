from __future__ import annotations

import dataclasses
import json
import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.engine.files.file_reading import Loaded, loads
from gradwire.engine.files.file_writing import BLOCK_KEYS, FILE_KEYS, FRAME_KEYS, NOTE_KEYS, PAGE_KEYS, dumps
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Template, Wire, same_value

# Example of docs/file-format.md, byte for byte.
EXAMPLE = (Path(__file__).parents[2] / "data" / "example.graph").read_text(encoding="utf-8")

# Random graphs

NAMES = st.text(string.ascii_letters, min_size=1, max_size=3) | st.from_regex(
    r"[A-Za-z][A-Za-z0-9_]{0,63}", fullmatch=True
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PIXELS = st.integers(-(2**31) + 1, 2**31 - 1)
POINTS = st.tuples(PIXELS, PIXELS)


@st.composite
def tensors(draw):
    dtype = draw(st.sampled_from(list(DTYPES.values())))
    shape = draw(st.lists(st.integers(0, 3), max_size=3))
    count = int(np.prod(shape))
    if dtype.kind == "f":
        numbers = st.sampled_from([np.nan, np.inf, -np.inf, -0.0]) | st.floats(width=16, allow_nan=False)
    elif dtype.kind == "b":
        numbers = st.booleans()
    else:
        numbers = st.integers(int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    return np.array(draw(st.lists(numbers, min_size=count, max_size=count)), dtype).reshape(shape)


def values(leaves):
    plain = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | FLOATS | st.text(max_size=20)
    return st.recursive(
        plain | leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=6,
    )


PLAIN, WITH_TENSORS = values(st.nothing()), values(tensors())


def extras(known):
    keys = st.text(max_size=6).filter(lambda key: key not in known)
    return st.just({}) | st.dictionaries(keys, PLAIN, max_size=2)


def parameters_of(block_type):
    known = {
        "Constant": st.fixed_dictionaries({"value": tensors()}),
        "Variable": st.fixed_dictionaries({"value": tensors()}, optional={"trainable": st.just(False)}),
        "Reshape": st.fixed_dictionaries({"shape": st.lists(st.integers(-1, 9), max_size=3)}),
        "ReduceSum": st.fixed_dictionaries({}, optional={"axis": st.integers(-3, 3), "keepdims": st.just(True)}),
        "Page": st.fixed_dictionaries({"page": NAMES}),
        "PageInput": st.fixed_dictionaries({"name": NAMES}, optional={"value": tensors()}),
        "Add": st.dictionaries(st.just("unknown"), WITH_TENSORS),
    }
    return known.get(block_type, st.dictionaries(st.text(max_size=6), WITH_TENSORS, max_size=3))


@st.composite
def graph_blocks(draw):
    block_type = draw(
        st.sampled_from(["Constant", "Variable", "Reshape", "ReduceSum", "Page", "PageInput", "Add", "my.Own"])
    )
    return Block(
        draw(NAMES),
        block_type,
        label=draw(st.none() | st.text(max_size=20)),
        at=draw(st.none() | POINTS),
        width=draw(st.none() | st.integers(0, 1000)),
        is_collapsed=draw(st.booleans()),
        is_muted=draw(st.booleans()),
        parameters=draw(parameters_of(block_type)),
        extra=draw(extras(BLOCK_KEYS)),
    )


PORTS = st.builds(Port, NAMES, NAMES)
WIRES = st.builds(Wire, PORTS, PORTS)
SHORT_TEXTS = st.lists(NAMES, max_size=2).map(tuple)
FRAMES = st.builds(
    Frame,
    NAMES,
    st.text(max_size=9),
    SHORT_TEXTS,
    SHORT_TEXTS,
    st.none() | POINTS,
    st.none() | POINTS,
    extras(FRAME_KEYS),
)
NOTES = st.builds(Note, NAMES, st.text(max_size=9), st.none() | POINTS, st.none() | POINTS, extras(NOTE_KEYS))
TEMPLATES = st.builds(Template, NAMES, st.dictionaries(st.text(max_size=6), PLAIN, max_size=2))


def several(items, largest=3):
    return st.lists(items, max_size=largest, unique_by=lambda item: item.id).map(tuple)


@st.composite
def pages(draw):
    wires = {wire.target: wire for wire in draw(st.lists(WIRES, max_size=4))}
    more = [Wire(draw(PORTS), target) for target in wires if draw(st.booleans())]
    return Page(
        draw(NAMES),
        {block.id: block for block in draw(st.lists(graph_blocks(), max_size=4))},
        wires,
        tuple(sorted(more, key=lambda wire: (str(wire.target), str(wire.source)))),
        draw(several(FRAMES)),
        draw(several(NOTES)),
        draw(st.none() | NAMES),
        draw(st.none() | TEMPLATES),
        draw(extras(PAGE_KEYS)),
    )


GRAPHS = st.builds(
    Graph,
    pages=st.lists(pages(), max_size=3, unique_by=lambda page: page.name).map(tuple),
    loss=st.none() | st.text(max_size=9),
    checks=st.lists(st.dictionaries(st.sampled_from(["at", "gradient", "ä"]), WITH_TENSORS), max_size=2).map(tuple),
    needs=SHORT_TEXTS,
    training=st.none() | extras(()),
    # The format of this version depends on what the graph holds.
    version=st.just((1, 0)) | st.tuples(st.just(1), st.integers(3, 9)),
    extra=extras(FILE_KEYS),
)


@given(GRAPHS)
def test_a_saved_graph_is_read_back_equal(graph):
    assert loads(dumps(graph)).graph == graph


@pytest.mark.long
@settings(max_examples=10)
@given(GRAPHS)
def test_saving_a_saved_file_gives_the_same_bytes(graph):
    text = dumps(graph)
    assert dumps(loads(text).graph) == text


@settings(max_examples=10)
@given(GRAPHS)
def test_equal_graphs_give_equal_bytes_whatever_the_order_of_their_blocks(graph):
    turned = [
        dataclasses.replace(
            page,
            blocks=dict(reversed(page.blocks.items())),
            wires=dict(reversed(page.wires.items())),
            extra=dict(reversed(page.extra.items())),
        )
        for page in graph.pages
    ]
    assert dumps(dataclasses.replace(graph, pages=tuple(turned))) == dumps(graph)


def outcome(content) -> Loaded | FileError:
    """Returns the result of loading; any exception but FileError is a failure."""
    try:
        return loads(content)
    except FileError as error:
        return error


@given(st.data())
def test_a_damaged_file_gives_a_graph_or_a_file_error(data):
    content = data.draw(st.sampled_from([EXAMPLE, PACKED])).encode()
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 3)) | st.just(len(content)))
    result = outcome(content[:start] + data.draw(st.binary(max_size=3)) + content[end:])
    assert isinstance(result, FileError) or loads(dumps(result.graph)).graph == result.graph


@given(st.data())
def test_a_wrong_value_anywhere_gives_a_graph_or_a_file_error(data):
    record = json.loads(data.draw(st.sampled_from([EXAMPLE, PACKED])))
    holder, step = record, data.draw(st.sampled_from(sorted(record)))
    while isinstance(holder[step], list | dict) and holder[step] and data.draw(st.integers(0, 4)):
        holder = holder[step]
        step = data.draw(st.sampled_from(range(len(holder)) if isinstance(holder, list) else sorted(holder)))
    holder[step] = data.draw(PLAIN)
    result = outcome(json.dumps(record))
    if isinstance(result, FileError):
        assert result.line >= 1
        assert result.column >= 1
    else:
        assert loads(dumps(result.graph)).graph == result.graph


# Writing

PACKED = dumps(
    Graph(
        (Page("main", {"w": Block("w", "Variable", parameters={"value": np.linspace(0, 1, 2000)})}),),
        checks=({"at": "main/w.y", "gradient": np.array(1.0)},),
    )
)


def graph_of(*found: Block, **page) -> Graph:
    return Graph((Page("main", {block.id: block for block in found}, **page),))


def block_line(block: Block) -> str:
    return next(line for line in dumps(graph_of(block)).splitlines() if '"id"' in line).strip()


def test_the_example_of_the_format_is_saved_byte_for_byte():
    assert dumps(loads(EXAMPLE).graph) == EXAMPLE


def test_a_new_graph_has_empty_lists_and_no_optional_keys():
    assert json.loads(dumps(Graph())) == {
        "format": "gradwire.graph",
        "version": [1, 0],
        "needs": [],
        "conventions": "tf-2.21",
        "loss": None,
        "pages": [{"name": "main", "blocks": [], "wires": []}],
    }


def test_keys_stand_in_their_order_and_unknown_ones_follow_by_name():
    block = Block("b", "Odd", "L", (1, 2), 3, True, True, {"p": 1}, {"zeta": 1, "alpha": {"d": 1, "c": 2}})
    assert block_line(block) == (
        '{"id": "b", "type": "Odd", "label": "L", "at": [1, 2], "width": 3, "collapsed": true, "muted": true, '
        '"parameters": {"p": 1}, "alpha": {"c": 2, "d": 1}, "zeta": 1}'
    )


def test_unknown_keys_are_kept_at_every_level():
    record = json.loads(EXAMPLE)
    page = record["pages"][0]
    for holder in (record, page, page["blocks"][0], page["frames"][0], page["notes"][0]):
        holder["later"] = {"number": 1.5, "list": [None, True, "x"]}
    assert json.loads(dumps(loads(json.dumps(record)).graph)) == record


def test_two_notes_stand_on_two_lines():
    text = dumps(graph_of(notes=(Note("a"), Note("b"))))
    assert '      "notes": [\n        {"id": "a", "text": ""},\n        {"id": "b", "text": ""}\n      ]\n' in text


def test_a_surplus_wire_follows_the_wire_that_it_collides_with():
    first, second = Wire(Port("z", "y"), Port("m", "x")), Wire(Port("a", "y"), Port("m", "x"))
    other = Wire(Port("a", "y"), Port("n", "x"))
    graph = graph_of(wires={other.target: other, first.target: first}, surplus=(second,))
    assert json.loads(dumps(graph))["pages"][0]["wires"] == [["z.y", "m.x"], ["a.y", "m.x"], ["a.y", "n.x"]]


@pytest.mark.parametrize(
    ("block_type", "parameters", "kept"),
    [
        ("ReduceSum", {"axis": None, "keepdims": False}, {}),
        ("ReduceSum", {"axis": (0,), "keepdims": True}, {"axis": [0], "keepdims": True}),
        ("Variable", {"trainable": True}, {}),
        ("PageInput", {"name": "x", "value": None}, {"name": "x"}),
        ("ReduceSum", {"keepdims": "no"}, {"keepdims": "no"}),
        ("my.Own", {"axis": None}, {"axis": None}),
    ],
)
def test_only_parameters_that_differ_from_the_default_are_saved(block_type, parameters, kept):
    assert json.loads(block_line(Block("b", block_type, parameters=parameters))).get("parameters", {}) == kept


def test_parameters_equal_to_their_default_are_dropped_on_loading():
    text = EXAMPLE.replace('"ReduceMax",', '"ReduceSum", "parameters": {"keepdims": false, "axis": [0]},')
    assert same_value(loads(text).graph.block("main/m").parameters, {"axis": (0,)})


@pytest.mark.parametrize("value", [[1, 2.5], (1, 2.5)])
def test_a_plain_value_is_saved_as_a_float64_tensor(value):
    line = block_line(Block("b", "Constant", parameters={"value": value}))
    assert '{"value": {"dtype": "float64", "shape": [2], "data": [1, 2.5]}}' in line


@pytest.mark.parametrize(
    ("written", "array"),
    [
        ("3", np.array(3.0)),
        ("[[1, 2], [3, 4]]", np.array([[1.0, 2.0], [3.0, 4.0]])),
        ("[true, false]", np.array([True, False])),
    ],
)
@pytest.mark.parametrize("block_type", ["Input", "Constant", "Variable", "PageInput"])
def test_a_plain_value_in_a_file_is_a_tensor(written, array, block_type):
    value = loads(with_value(written, block_type)).graph.block("main/x").parameters["value"]
    assert same_value(value, array)
    assert not value.flags.writeable


@pytest.mark.parametrize("written", ['"text"', "[[1], [2, 3]]", "{}", "1" + "0" * 300, "[" * 17 + "]" * 17])
def test_a_plain_value_that_is_no_tensor_is_kept_for_the_problem_list(written):
    loaded = loads(with_value(written, "Input"))
    assert not isinstance(loaded.graph.block("main/x").parameters["value"], np.ndarray)
    assert loads(dumps(loaded.graph)).graph == loaded.graph


def with_value(written: str, block_type: str) -> str:
    tensor = '{"dtype": "float64", "shape": [3], "data": [1, 3, 3]}'
    return EXAMPLE.replace(tensor, written).replace('"Input"', f'"{block_type}"')


def test_tensors_are_arrays_anywhere_in_parameters_and_checks():
    tensor = '{"dtype": "int8", "shape": [], "data": [7]}'
    record = json.loads(EXAMPLE)
    record["checks"] = [{"at": "main/x.y", "value": json.loads(tensor)}]
    record["pages"][0]["blocks"][0] |= {"type": "my.Own", "parameters": {"deep": [{"inner": json.loads(tensor)}]}}
    graph = loads(json.dumps(record)).graph
    seven = np.array(7, np.int8)
    assert same_value(graph.checks, ({"at": "main/x.y", "value": seven},))
    assert same_value(graph.block("main/loss").parameters, {"deep": [{"inner": seven}]})


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        (graph_of(Block("b", "Odd", parameters={"p": float("nan")})), 'Block "b" of page "main"'),
        (graph_of(Block("b", "Odd", parameters={"p": object()})), "neither text, number"),
        (graph_of(Block("b", "Odd", parameters={"p": {1: 2}})), "keys of an object must be text"),
        (graph_of(Block("b", "Odd", parameters={"p": 10**400})), "beyond"),
        (graph_of(Block("b", "Odd", parameters={"p": np.ones(2, complex)})), "complex128"),
        (graph_of(Block("b", "Odd", parameters={"p": np.ones((1,) * 17)})), "at most 16 axes"),
        (graph_of(Block("b", "Odd", label="\ud800")), "surrogate"),
        (graph_of(Block("b", "Odd", label="x" * 65_537)), "at most 64 KiB"),
        (graph_of(Block("b", "Odd", at=(0.5, 1))), "whole numbers"),
        (graph_of(Block("b", "Odd", width=-1)), "whole numbers"),
        (graph_of(Block("a b", "Odd")), "a name has letters"),
        (graph_of(frames=(Frame("1"),)), "a name has letters"),
        (graph_of(surplus=(Wire(Port("a b", "y"), Port("c", "x")),)), "a name has letters"),
        (graph_of(surplus=(Wire(Port("a", ""), Port("c", "x")),)), "names no port"),
    ],
)
def test_what_no_file_can_hold_is_refused_in_a_sentence(graph, said):
    with pytest.raises(FileError, match=said):
        dumps(graph)


def nested(levels: int) -> list[object]:
    value: list[object] = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_a_value_is_saved_up_to_the_nesting_that_is_read():
    # A parameter is nested six levels deep already.
    graph = graph_of(Block("b", "Odd", parameters={"p": nested(58)}))
    assert loads(dumps(graph)).graph == graph
    with pytest.raises(FileError, match="64 levels"):
        dumps(graph_of(Block("b", "Odd", parameters={"p": nested(59)})))
    with pytest.raises(FileError, match="64 levels"):
        dumps(graph_of(Block("b", "Odd", parameters={"p": nested(100_000)})))
