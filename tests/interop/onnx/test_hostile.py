"""ONNX files that lie, swell, go in circles or reach out of their folder: one sentence each, with little memory."""

from __future__ import annotations

import json
import os
import tracemalloc
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.limits import MIB
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx.from_onnx import from_onnx
from gradwire.interop.onnx.messages import ModelMessage
from gradwire.interop.onnx.protobuf import ProtobufError, decode
from tests.interop.onnx.test_from_onnx import layer
from tests.interop.onnx.written import field, function, graph, model, node, tensor, value, varint

ARCHIVE = zipfile.ZipFile(Path(__file__).parents[2] / "data" / "onnx" / "hostile.zip")
ROWS: list[Mapping[str, Any]] = json.loads(ARCHIVE.read("index.json"))
MOST_MEMORY = 100 * MIB


def set_up(folder: Path, step: Mapping[str, Any]) -> None:
    """Writes what lies beside a hostile file."""
    ((kind, what),) = step.items()
    if kind == "write":
        (folder / what[0]).write_bytes(np.arange(what[1] // 4, dtype=np.float32).tobytes())
    elif kind == "symlink":
        (folder / what[0]).symlink_to(what[1])
    else:
        raise AssertionError(kind)


def refusal(content: bytes | Path, **inputs: Any) -> str:
    """Returns the sentence of a refusal, which takes little memory."""
    tracemalloc.start()
    try:
        with pytest.raises(GradwireError) as found:
            from_onnx(content, inputs)
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    sentence = str(found.value)
    assert "\n" not in sentence and sentence.endswith(".")
    return sentence


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["id"]))
def test_recorded_hostile_files_are_refused_in_one_sentence(row: Mapping[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "m" / "model.onnx"
    path.parent.mkdir()
    path.write_bytes(ARCHIVE.read(f"{row['id']}.onnx"))
    for step in row["setup"]:
        set_up(tmp_path, step)
    if row["opens"] == "opened":
        assert from_onnx(path, {"x": [1.0, 2.0, 3.0, 4.0]}).pages
        return
    # A number that is none may be refused, or open.
    sentence = refusal(path)
    assert not row["says"] or any(word in sentence for word in row["says"]), sentence


def of_one(*nodes: bytes, **weights: Any) -> bytes:
    """Returns a model of an input of four numbers, nodes that make `y`, and weights."""
    return model(graph(nodes, [value("x", [4])], ["y"], weights))


HUGE = np.array([2**20, 2**20], np.int64)
SWELLING = {
    "expand": of_one(node("Expand", ["x", "s"], ["y"]), s=np.array([2**40, 4])),
    "expand_weight": of_one(node("Expand", ["w", "s"], ["y"]), w=np.ones(1, np.float32), s=HUGE),
    "tile": of_one(node("Tile", ["x", "s"], ["y"]), s=np.array([2**40])),
    "range": of_one(node("Range", ["a", "b", "c"], ["y"]), a=np.int64(0), b=np.int64(2**40), c=np.int64(1)),
    "endless_range": of_one(node("Range", ["a", "b", "c"], ["y"]), a=np.int64(0), b=np.int64(9), c=np.int64(0)),
    "pad": of_one(node("Pad", ["x", "s"], ["y"], mode="edge"), s=np.array([2**40, 0])),
    "one_hot": of_one(node("OneHot", ["i", "d", "v"], ["y"]), i=np.array([1]), d=np.int64(2**40), v=np.ones(2)),
    "doubling": of_one(*(node("Concat", [f"v{n}"] * 2, [f"v{n + 1}"], axis=0) for n in range(40)),
                       node("Identity", ["v40"], ["y"]), v0=np.ones(1, np.int64)),
    "window": of_one(node("HannWindow", ["s"], ["y"]), s=np.int64(2**40)),
    "random": of_one(node("RandomNormal", [], ["y"], shape=[2**40])),
    "eye": of_one(node("EyeLike", ["e"], ["y"]), e=np.zeros((0, 2**40), np.int64)),
    "input": model(graph([node("Relu", ["x"], ["y"])], [value("x", [2**40])], ["y"])),
    "rank": of_one(node("Unsqueeze", ["x", "s"], ["y"]), s=np.arange(100_000)),
}  # fmt: skip


@pytest.mark.parametrize("name", SWELLING)
def test_what_would_swell_is_refused_before_it_is_made(name: str) -> None:
    assert refusal(SWELLING[name])


def test_resizing_to_a_huge_size_is_refused() -> None:
    whole = of_one(node("Resize", ["x", "", "s"], ["y"], mode="linear"), s=np.array([1e12], np.float32))
    assert "are the limit" in refusal(whole)


def test_graphs_and_messages_that_lie_too_deep_are_refused() -> None:
    inner = graph([node("Relu", ["x"], ["y"])], [], ["y"])
    for _ in range(18):
        inner = graph([node("If", ["c"], ["y"], then_branch=inner)], [value("c", [], "bool")], ["y"])
    assert "its graphs lie more than 16 deep" in refusal(model(inner))
    nested = b""
    for _ in range(2_000):
        nested = field(1, field(5, field(6, nested)))
    assert "deep" in refusal(model(nested))


def test_many_empty_parts_are_refused_with_little_memory() -> None:
    assert refusal(model(graph([], [], ["y"]) + b"\x0a\x00" * 15_000))


def test_a_chain_of_functions_is_bounded() -> None:
    functions = [
        function(f"F{n}", ["a"], ["b"], [node(f"F{n + 1}", ["a"], ["b"], domain="own")], "own") for n in range(500)
    ]
    whole = graph([node("F0", ["x"], ["y"], domain="own")], [value("x", [4])], ["y"])
    assert "call each other more than 100 deep" in refusal(model(whole, functions=functions, domains=["own"]))


@pytest.mark.parametrize(
    "location", ["../w.bin", "/etc/passwd", "a/../../w.bin", "", "c:w.bin", "a\\w.bin", "fifo", "folder", "hard"]
)
def test_weights_elsewhere_than_in_a_plain_file_of_the_folder_are_refused(location: str, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    (tmp_path / "w.bin").write_bytes(bytes(16))
    (folder / "folder").mkdir()
    os.mkfifo(folder / "fifo")
    os.link(tmp_path / "w.bin", folder / "hard")
    raw = tensor("w", np.zeros(4, np.float32), location=location)
    (folder / "model.onnx").write_bytes(
        model(graph([node("Add", ["x", "w"], ["y"])], [value("x", [4])], ["y"], raw=[raw]))
    )
    sentence = refusal(folder / "model.onnx")
    assert location not in ("fifo", "hard") or "no regular file of its own" in sentence


@pytest.mark.parametrize(
    "beside", [{"offset": "4"}, {"offset": "-4"}, {"length": "8"}, {"offset": "9" * 30}, {"length": "x"}]
)
def test_weights_beyond_their_file_are_refused(beside: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "w.bin").write_bytes(bytes(16))
    raw = tensor("w", np.zeros(4, np.float32), location="w.bin", **beside)
    path = tmp_path / "model.onnx"
    path.write_bytes(model(graph([node("Add", ["x", "w"], ["y"])], [value("x", [4])], ["y"], raw=[raw])))
    assert "w " in refusal(path)


def test_weights_beside_bytes_ask_for_the_path() -> None:
    raw = tensor("w", np.zeros(4, np.float32), location="w.bin")
    whole = model(graph([node("Add", ["x", "w"], ["y"])], [value("x", [4])], ["y"], raw=[raw]))
    assert "give the path and not its bytes" in refusal(whole)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (model(graph([node("Dropout", ["x", "r", "t"], ["y"])], [value("x", [4])], ["y"],
                     {"r": np.float32(0.5).reshape(()), "t": np.asarray(True)})), "dropout is active"),
        (model(graph([node("Relu", ["x"], ["y"])], [value("x", [4])], ["y"]), opset=99), "of version 99, and up to 28"),
        (model(graph([node("Relu", ["x"], ["y"])], [value("x", [4], "bfloat16")], ["y"])), "bfloat16, which"),
        (model(graph([node("Relu", ["x"], ["y"], colour=3)], [value("x", [4])], ["y"])), "its setting colour is not"),
        (model(graph([node("Conv", ["x", "x"], ["y"])], [value("x", [4])], ["y"])), 'Conv "y": windows of'),
        (model(graph([node("Relu", [], ["y"])], [], ["y"])), "do not fit each other"),
        (model(graph([node("Relu", ["x"], ["y", "z"])], [value("x", [4])], ["z"])), "makes 1 outputs"),
        (model(graph([node("A\nB", ["x"], ["y"])], [value("x", [4])], ["y"])), "operations without blocks: A"),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)  # fmt: skip
def test_what_does_not_fit_is_said_with_its_node(content: bytes, said: str) -> None:
    assert said in refusal(content)


def test_all_operations_without_blocks_are_named() -> None:
    whole = of_one(
        node("StringSplit", ["x"], ["a"]),
        node("Fancy", ["a"], ["b"], domain="com"),
        node("Fancy", ["b"], ["y"], domain="com"),
    )
    assert "operations without blocks: StringSplit (1 node), com.Fancy (2 nodes)" in refusal(whole)


def test_what_no_output_needs_is_left_out() -> None:
    assert from_onnx(of_one(node("StringSplit", ["x"], ["a"]), node("Relu", ["x"], ["y"]))).pages


def test_a_file_cut_anywhere_is_refused() -> None:
    whole = layer()
    # The last parts say the version of the operators: without them the rest is a file.
    for size in range(0, len(whole), 3):
        with pytest.raises(ModelRefusal):
            from_onnx(whole[:size])


@settings(max_examples=100, deadline=None)
@given(place=st.integers(0, len(layer()) - 1), byte=st.integers(0, 255))
def test_a_file_with_another_byte_opens_or_is_refused(place: int, byte: int) -> None:
    whole = bytearray(layer())
    whole[place] = byte
    with suppress(GradwireError):
        assert from_onnx(bytes(whole)).pages


@settings(deadline=None)
@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_packed_numbers_are_read_as_they_were_written(numbers: list[int]) -> None:
    packed = field(7, field(5, field(1, b"".join(map(varint, numbers)))))
    found = decode(ModelMessage, packed).graph
    assert found is not None
    np.testing.assert_array_equal(found.initializer[0].dims, numbers)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_none(content: bytes) -> None:
    with suppress(ProtobufError):
        assert decode(ModelMessage, content).graph is None or content
