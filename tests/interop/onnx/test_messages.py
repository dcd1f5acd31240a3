"""Bytes of protocol buffers as messages, and their tensors as arrays: protobuf.dev/programming-guides/encoding."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx import protobuf, weights
from gradwire.interop.onnx.file import ModelFile
from gradwire.interop.onnx.messages import AttributeMessage, Entry, GraphMessage, ModelMessage, TensorMessage
from gradwire.interop.onnx.protobuf import ProtobufError, decode
from gradwire.interop.onnx.weights import array_of
from tests.interop.onnx.written import CODES, field, graph, model, node, tensor, value, varint


def single(number: int, wire: int, content: bytes) -> bytes:
    return varint(number << 3 | wire) + content


@pytest.mark.parametrize(
    ("content", "number"),
    [(b"\x96\x01", 150), (b"\x00", 0), (b"\x7f", 127), (b"\x80\x01", 128), (b"\xff" * 9 + b"\x01", -1),
     (b"\xff" * 8 + b"\x7f", 2**63 - 1), (b"\x80" * 9 + b"\x01", -(2**63)), (b"\x80" * 9 + b"\x00", 0)],
)  # fmt: skip
def test_a_whole_number_has_seven_bits_a_byte_and_64_with_its_sign(content: bytes, number: int) -> None:
    assert decode(AttributeMessage, single(3, 0, content)).i == number
    # The same behind one another, and each in a field of its own.
    packed = decode(AttributeMessage, field(8, content * 2))
    assert packed.ints.tolist() == [number] * 2
    assert decode(AttributeMessage, single(8, 0, content) * 3).ints.tolist() == [number] * 3


@pytest.mark.parametrize("content", [b"\x80" * 10 + b"\x00", b"\x80" * 10, b"\x80", b""])
def test_a_number_of_more_than_ten_bytes_or_without_an_end_is_refused(content: bytes) -> None:
    with pytest.raises(ProtobufError):
        decode(AttributeMessage, single(3, 0, content))
    if content:
        with pytest.raises(ProtobufError):
            decode(AttributeMessage, field(8, content))


def test_a_list_of_no_numbers_is_empty() -> None:
    assert decode(AttributeMessage, field(8, b"")).ints.shape == (0,)
    assert decode(AttributeMessage, b"").ints.shape == decode(AttributeMessage, b"").floats.shape == (0,)


def test_floats_stand_alone_or_behind_one_another() -> None:
    half, two = struct.pack("<f", 0.5), struct.pack("<f", 2)
    assert decode(AttributeMessage, single(2, 5, half)).f == 0.5
    assert decode(AttributeMessage, single(7, 5, half) + single(7, 5, two)).floats.tolist() == [0.5, 2]
    assert decode(AttributeMessage, field(7, half + two)).floats.tolist() == [0.5, 2]
    doubles = decode(TensorMessage, field(10, struct.pack("<ddd", 0.1, 2, 3))).double_data
    assert (doubles.dtype, doubles.tolist()) == (np.float64, [0.1, 2, 3])
    assert decode(TensorMessage, single(10, 1, struct.pack("<d", 0.1))).double_data.tolist() == [0.1]
    assert decode(AttributeMessage, field(2, b"")).f == 0


@pytest.mark.parametrize(
    "content",
    [
        field(7, b"12345"),  # no whole number of floats
        field(7, b"123456"),
        single(7, 1, b"12345678"),  # of eight bytes where there are four
        single(2, 0, b"\x01"),
        single(3, 5, b"1234"),
        single(5, 0, b"\x01"),  # a number where a message is
        single(1, 3, b""),  # the start of a group
        field(0, b""),
        single(1, 2, b"\x05abc"),
        single(2, 5, b"123"),
    ],
)
def test_a_part_of_another_form_or_cut_off_is_refused(content: bytes) -> None:
    with pytest.raises(ProtobufError):
        decode(AttributeMessage, content)


def test_other_fields_are_passed_over_and_of_two_values_the_last_one_counts() -> None:
    others = single(99, 0, b"\x96\x01") + single(98, 1, b"12345678") + single(97, 5, b"1234") + field(96, b"abc")
    found = decode(Entry, field(1, "a") + others + field(2, "x") + field(1, "b"))
    assert (found.key, found.value) == ("b", "x")


def test_texts_of_sentences_are_printable_and_others_keep_their_lines() -> None:
    found = decode(Entry, field(1, "a\nb") + field(2, "c\nd"))
    assert "\n" not in found.key and found.value == "c\nd"
    assert decode(Entry, field(1, b"\xff")).key == "\N{REPLACEMENT CHARACTER}"


def test_messages_may_lie_64_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    # A graph in a setting of a node: three messages deeper each time.
    monkeypatch.setattr(protobuf, "DEEPEST_MESSAGE", 6)
    nested = b""
    for _ in range(2):
        nested = field(1, field(5, field(6, nested)))
    assert decode(GraphMessage, nested).node[0].attribute[0].g is not None
    with pytest.raises(ProtobufError, match="more than 6 deep"):
        decode(GraphMessage, field(1, field(5, field(6, nested))))


def test_messages_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    content = graph([b"", b""], [], [])
    monkeypatch.setattr(protobuf, "MOST_MESSAGES", 3)
    assert len(decode(GraphMessage, content).node) == 2
    monkeypatch.setattr(protobuf, "MOST_MESSAGES", 2)
    with pytest.raises(ProtobufError, match="more than 2 parts"):
        decode(GraphMessage, content)


FILE = ModelFile(model(graph([], [], [])))


def read(**fields: object) -> Array:
    message = TensorMessage()
    for name, content in fields.items():
        setattr(message, name, content)
    message.dims = np.array(fields.get("dims", []), np.int64)
    return array_of(FILE, message, "w")


@pytest.mark.parametrize("name", list(CODES))
def test_numbers_of_each_dtype_are_read_from_bytes_and_from_their_field(name: str) -> None:
    wanted = np.array([[1, 0, 1]], name) if name == "bool" else np.array([[1, 0, 3]], name)
    raw = read(data_type=CODES[name], dims=[1, 3], raw_data=memoryview(wanted.tobytes()))
    fields = {"float32": "float_data", "float64": "double_data", "int64": "int64_data"}
    numbers = wanted.view(np.uint16).astype(np.int64) if name == "float16" else wanted
    typed = read(data_type=CODES[name], dims=[1, 3], **{fields.get(name, "int32_data"): numbers.ravel()})
    for found in (raw, typed):
        assert (found.dtype, found.shape) == (wanted.dtype, (1, 3))
        np.testing.assert_array_equal(found, wanted)
    assert raw.flags.writeable


def test_bits_of_float16_may_stand_in_wide_numbers_with_a_sign() -> None:
    bits = int(np.array(-1.5, np.float16).view(np.int16))
    assert bits < 0 and read(data_type=10, dims=[1], int32_data=np.array([bits]))[0] == -1.5


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"data_type": 16}, "w is bfloat16, which Gradwire does not compute"),
        ({"data_type": 99}, "w is of an unknown dtype"),
        ({"data_type": 1, "dims": [-1]}, "which are none"),
        ({"data_type": 1, "dims": [1] * 33, "float_data": np.ones(1)}, "which are none"),
        ({"data_type": 1, "dims": [2], "float_data": np.ones(3)}, r"w has 3 numbers, and its sizes \[2\] say 2"),
        ({"data_type": 1, "dims": [2], "raw_data": memoryview(bytes(7))}, "w has 0 numbers"),
        ({"data_type": 1, "dims": [2], "raw_data": memoryview(bytes(4))}, "w has 1 numbers"),
        ({"data_type": 1, "dims": [1], "segment": memoryview(b"")}, "lies in segments"),
    ],
)
def test_a_tensor_that_contradicts_itself_is_refused(fields: dict[str, object], said: str) -> None:
    with pytest.raises(ModelRefusal, match=said):
        read(**fields)


def test_a_tensor_has_up_to_32_axes_and_may_be_empty() -> None:
    assert read(data_type=1, dims=[1] * 32, float_data=np.ones(1)).ndim == 32
    assert read(data_type=1, dims=[0, 2]).shape == (0, 2)
    assert read(data_type=7, int64_data=np.array([5])).shape == ()


def test_a_tensor_may_be_as_large_as_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "MOST_OF_TENSOR", 12)
    assert read(data_type=1, dims=[3], float_data=np.ones(3)).size == 3
    with pytest.raises(ModelRefusal, match="w wants 16 bytes, and"):
        read(data_type=1, dims=[4], float_data=np.ones(4))


def test_numbers_beside_the_file_begin_at_their_byte(tmp_path: Path) -> None:
    (tmp_path / "w.bin").write_bytes(np.arange(5, dtype=np.float32).tobytes())
    for beside, wanted in (
        ({}, [0, 1, 2]),
        ({"offset": "8"}, [2, 3, 4]),
        ({"offset": "4", "length": "12"}, [1, 2, 3]),
    ):
        whole = graph(
            [node("Add", ["x", "w"], ["y"])],
            [value("x", [3])],
            ["y"],
            raw=[tensor("w", np.zeros(3, np.float32), location="w.bin", **beside)],
        )
        (tmp_path / "model.onnx").write_bytes(model(whole))
        file = ModelFile(tmp_path / "model.onnx")
        assert file.message.graph is not None
        assert array_of(file, file.message.graph.initializer[0], "w").tolist() == wanted
    for beside in ({"offset": "12"}, {"length": "11"}, {"offset": "0" * 20}, {"offset": "\N{ARABIC-INDIC DIGIT ZERO}"}):
        message = decode(TensorMessage, tensor("w", np.zeros(3, np.float32), location="w.bin", **beside))
        with pytest.raises(ModelRefusal, match=r"w (reaches beyond|lies at byte)"):
            array_of(file, message, "w")


def test_a_file_may_be_as_large_as_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = model(graph([], [], []))
    path = tmp_path / "m.onnx"
    path.write_bytes(content)
    monkeypatch.setattr("gradwire.interop.onnx.file.MOST_BYTES", len(content))
    assert ModelFile(path).message == decode(ModelMessage, content)
    monkeypatch.setattr("gradwire.interop.onnx.file.MOST_BYTES", len(content) - 1)
    with pytest.raises(ModelRefusal, match="are the limit"):
        ModelFile(path)
