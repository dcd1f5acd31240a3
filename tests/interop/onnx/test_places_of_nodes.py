"""Modules of nodes as exporters write them, weights that several modules read, and settings without a type."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.interop.onnx.messages import AttributeMessage, Entry, GraphMessage, NodeMessage, TensorMessage
from gradwire.interop.onnx.scopes import Weight
from gradwire.interop.onnx.settings import value_of
from gradwire.interop.onnx.sources import module_of, origin_of


def node(name: str = "", scopes: str | None = None, trace: str = "") -> NodeMessage:
    found = NodeMessage()
    found.name, found.op_type, found.output = name, "Gemm", ("made",)
    entries = [("pkg.torch.onnx.name_scopes", scopes), ("pkg.torch.onnx.stack_trace", trace or None)]
    props = []
    for key, value in entries:
        if value is not None:
            entry = Entry()
            entry.key, entry.value = key, value
            props.append(entry)
    found.metadata_props = tuple(props)
    return found


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("", ""), ("Gemm_3", ""), ("/Gemm", ""), ("/net/Gemm", "net"), ("/net/net.0/Gemm", "net.0"),
        ("/net/net.0/net.0.a/Gemm", "net.0.a"), ("model/dense/MatMul", "model.dense"), ("/a/b.0/Gemm", "a.b.0"),
        ("/a/a/Gemm", "a.a"), ("/xnet/net.0/Gemm", "xnet.net.0"),
    ],
)  # fmt: skip
def test_a_name_of_a_node_has_the_path_of_its_module(name: str, module: str) -> None:
    assert module_of(node(name)) == module


@pytest.mark.parametrize(
    ("scopes", "module"),
    [("['', 'net', 'net.0', 'linear']", "net.0"), ("['', 'linear']", ""), ("['linear']", ""), ("[]", "")],
)
def test_newer_files_note_the_modules(scopes: str, module: str) -> None:
    assert module_of(node("/other/Gemm", scopes)) == module


def test_an_origin_has_the_line_or_the_name_or_what_is_made() -> None:
    trace = 'File "/home/a/model.py", line 7, in forward\n    return self.fc(x)\n'
    found = origin_of(node("/net/Gemm", trace=trace), "net")
    assert "model.py:7" in found.text and "(/net/Gemm)" in found.text and found.module == "net"
    assert origin_of(node("/net/Gemm", "['', 'a']", trace), "net").text == found.text
    assert origin_of(node("/net/Gemm"), "net").text == "/net/Gemm"
    assert origin_of(node(), "").text == "Gemm made"


@pytest.mark.parametrize(
    ("name", "module", "wanted"),
    [
        ("net.0.bias", "net.1", "net.1.bias"), ("net.0.bias", "net.0", "net.0.bias"),
        ("net.0.bias", "net", "net.0.bias"),
        ("net.bias", "net.0", "net.bias"), ("bias", "net", "bias"), ("net.0.bias", "", "net.0.bias"),
        ("net.1.bias", "net.10", "net.10.bias"),
    ],
)  # fmt: skip
def test_weights_that_are_equal_by_chance_are_read_by_each_module_alone(name: str, module: str, wanted: str) -> None:
    weight = Weight(name, lambda: np.zeros(3, np.float32), True)
    found = weight.of_module(module)
    assert found.name == wanted and (found is weight) is (name == wanted)
    assert found is weight.of_module(module)
    assert weight.copies == ([] if found is weight else [found])
    drawn = Weight(name, lambda: np.arange(3, dtype=np.float32), True)
    assert drawn.of_module(module) is drawn
    fixed = Weight(name, lambda: np.zeros(3, np.int64), True)
    assert fixed.of_module(module) is fixed


@pytest.mark.parametrize(
    ("fields", "value"),
    [
        ({"type": 1, "f": 0.5}, 0.5), ({"type": 2, "i": 3}, 3), ({"type": 3, "s": memoryview(b"a")}, "a"),
        ({"f": 0.5}, 0.5), ({"i": 3}, 3), ({"s": memoryview(b"a")}, "a"), ({}, 0), ({"type": 1}, 0.0),
        ({"ints": np.array([1, 2])}, [1, 2]), ({"floats": np.array([0.5])}, [0.5]), ({"type": 7}, []),
        ({"type": 6}, []), ({"type": 7, "ints": np.array([4]), "g": GraphMessage()}, [4]),
        ({"type": 7, "ints": np.array([4]), "t": TensorMessage()}, [4]),
        ({"strings": (memoryview(b"a"), memoryview(b"b"))}, ["a", "b"]), ({"type": 2, "f": 0.5, "i": 4}, 4),
    ],
)  # fmt: skip
def test_settings_of_first_versions_are_of_the_kind_that_they_have(fields: dict[str, object], value: object) -> None:
    item = AttributeMessage()
    for name, content in fields.items():
        setattr(item, name, content)
    assert value_of(None, item) == value  # type: ignore[arg-type]  # only a refusal needs the file
