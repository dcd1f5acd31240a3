"""Round trip of random graphs with unknown types and keys: saving and loading changes nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.file_reading import Loaded, loads
from gradwire.engine.files.file_writing import BLOCK_KEYS, FILE_KEYS, FRAME_KEYS, NOTE_KEYS, PAGE_KEYS, dumps
from gradwire.engine.graph.graph import VERSION, Block, Frame, Graph, Note, Page, Port, Wire
from tests.torture.support.counts import count
from tests.torture.support.documents import attempt, reread

pytestmark = pytest.mark.long

MANY = settings(max_examples=count(15, 5_000), deadline=None)
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,63}", fullmatch=True)
IDS = st.sampled_from(["a", "b", "c1", "x", "loss"]) | NAMES
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PIXELS = st.integers(-(2**31) + 1, 2**31 - 1)
PLACES = st.none() | st.tuples(PIXELS, PIXELS)
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.none() | st.booleans() | NUMBERS | TEXTS
# These keys would turn an unknown record into a tensor.
KEYS = TEXTS.filter(lambda key: key not in ("dtype", "shape"))
JSON = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)


@st.composite
def tensors(draw):
    """Tensors of every dtype, some with more elements than are written out."""
    dtype = draw(st.sampled_from(list(DTYPES.values())))
    shape = draw(st.lists(st.integers(0, 4), max_size=3) | st.just([1_030]))
    array = (
        np.random.default_rng(draw(st.integers(0, 99)))
        .integers(0, 2 if dtype.kind == "b" else 100, shape)
        .astype(dtype)
    )
    array.setflags(write=False)
    return array


def extras(known):
    return st.dictionaries(KEYS.filter(lambda key: key not in known), JSON, max_size=2)


TYPES = st.sampled_from([block_type.name for block_type in library]) | TEXTS
BLOCKS = st.builds(
    Block,
    id=IDS,
    type=TYPES,
    label=st.none() | TEXTS,
    at=PLACES,
    width=st.none() | st.integers(0, 2**31 - 1),
    is_collapsed=st.booleans(),
    is_muted=st.booleans(),
    parameters=st.dictionaries(KEYS, JSON | tensors(), max_size=3),
    extra=extras(BLOCK_KEYS),
)
PORTS = st.builds(Port, IDS, st.sampled_from(["x", "y", "values_0"]) | TEXTS.filter(bool))
WIRES = st.builds(Wire, PORTS, PORTS)
FRAMES = st.builds(
    Frame,
    id=IDS,
    title=TEXTS,
    blocks=st.lists(IDS, max_size=3).map(tuple),
    frames=st.lists(IDS, max_size=2).map(tuple),
    at=PLACES,
    size=PLACES,
    extra=extras(FRAME_KEYS),
)
NOTES = st.builds(Note, id=IDS, text=TEXTS, at=PLACES, size=PLACES, extra=extras(NOTE_KEYS))


@st.composite
def pages(draw, name):
    found = draw(st.lists(WIRES, max_size=6))
    held = {wire.target: wire for wire in reversed(found)}
    surplus = [wire for wire in found if held[wire.target] is not wire]
    blocks = draw(st.lists(BLOCKS, max_size=4, unique_by=lambda block: block.id))
    return Page(
        name,
        {block.id: block for block in blocks},
        held,
        tuple(sorted(surplus, key=lambda wire: (str(wire.target), str(wire.source)))),
        tuple(draw(st.lists(FRAMES, max_size=2, unique_by=lambda frame: frame.id))),
        tuple(draw(st.lists(NOTES, max_size=2, unique_by=lambda note: note.id))),
        extra=draw(extras(PAGE_KEYS)),
    )


@st.composite
def graphs(draw):
    names = draw(st.lists(IDS, max_size=3, unique=True))
    return Graph(
        tuple(draw(pages(name)) for name in names),
        draw(st.none() | TEXTS),
        tuple(draw(st.lists(st.dictionaries(KEYS, JSON | tensors(), max_size=3), max_size=2))),
        tuple(draw(st.lists(TEXTS, max_size=2, unique=True))),
        # The format of this version depends on what the graph holds.
        version=(1, draw(st.sampled_from([0, *range(VERSION[1] + 1, 10)]))),
        extra=draw(extras(FILE_KEYS)),
    )


@MANY
@given(graphs())
def test_a_saved_graph_is_loaded_as_it_was_and_saved_to_the_same_bytes(graph):
    text = dumps(graph)
    loaded = loads(text)
    # Files omit parameters that equal their default.
    assert dumps(loaded.graph) == text
    assert loads(text.encode()).graph == loaded.graph
    assert loaded.notices == ()


@MANY
@given(graphs())
def test_a_graph_of_unknown_types_is_loaded_as_it_was(graph):
    def unknown(block):
        return Block(**{**block.__dict__, "type": f"{block.type}?"})

    strange = Graph(
        **{
            **graph.__dict__,
            "pages": tuple(
                Page(**{**page.__dict__, "blocks": {name: unknown(block) for name, block in page.blocks.items()}})
                for page in graph.pages
            ),
        }
    )
    assert loads(dumps(strange)).graph == strange


@MANY
@given(graphs(), st.data())
def test_a_damaged_document_is_refused_or_saves_back_to_itself(graph, data):
    text = dumps(graph)
    start = data.draw(st.integers(0, len(text)))
    odd = data.draw(st.sampled_from(["", "{", "}", "[", "]", ",", ":", '"', "1", "-", "e9", "null", "\\", "\0", "NaN"]))
    found = attempt((text[:start] + odd + text[start + data.draw(st.integers(0, 3)) :]).encode())
    if isinstance(found, Loaded):
        reread(found)
