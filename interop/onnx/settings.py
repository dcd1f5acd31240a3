"""Settings of nodes as Python has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from gradwire.interop.models.names import LONGEST
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx.file import ModelFile
from gradwire.interop.onnx.messages import AttributeMessage, NodeMessage
from gradwire.interop.onnx.weights import array_of, dtype_of

_FLOAT, _INT, _TEXT, _TENSOR, _GRAPH, _FLOATS, _INTS, _TEXTS = range(1, 9)
# Settings that name a dtype.
_DTYPES: Final = ("to", "dtype", "output_datatype")
_OLD_NAMES: Final = {
    "FLOAT": 1,
    "UINT8": 2,
    "INT8": 3,
    "INT16": 5,
    "INT32": 6,
    "INT64": 7,
    "BOOL": 9,
    "FLOAT16": 10,
    "DOUBLE": 11,
}
Settings = dict[str, Any]  # Any: numbers, texts, arrays, graphs


def settings_of(file: ModelFile, node: NodeMessage, given: Mapping[str, Any]) -> Settings:
    """Returns the settings of a node; inside a function some are those of its call, `given`.

    Raises: ModelRefusal for settings of other kinds, and for dtypes without blocks.
    """
    found: Settings = {}
    for item in node.attribute:
        if item.ref_attr_name:
            if item.ref_attr_name in given:
                found[item.name] = given[item.ref_attr_name]
        elif item.name in _DTYPES:
            found[item.name] = _dtype(file, node, item)
        else:
            found[item.name] = value_of(file, item)
    return found


def value_of(file: ModelFile, item: AttributeMessage) -> Any:
    """Returns one setting; files of the first versions do not say its type.

    Raises: ModelRefusal for other kinds than numbers, texts, tensors and graphs.
    """
    type_code = item.type or _guessed(item)
    if type_code == _FLOAT:
        return item.f
    if type_code == _INT:
        return item.i
    if type_code == _TEXT:
        return _text(item.s)
    if type_code == _TENSOR and item.t is not None:
        return array_of(file, item.t, item.name[:LONGEST])
    if type_code == _GRAPH and item.g is not None:
        return item.g
    if type_code == _FLOATS:
        return [float(number) for number in item.floats]
    if type_code == _INTS:
        return [int(number) for number in item.ints]
    if type_code == _TEXTS:
        return [_text(text) for text in item.strings]
    raise ModelRefusal(f"its setting {item.name[:LONGEST]} is of a kind that is not read")


def _text(content: memoryview) -> str:
    return bytes(content).decode("utf-8", "replace")


def _dtype(file: ModelFile, node: NodeMessage, item: AttributeMessage) -> np.dtype[Any]:
    code = _OLD_NAMES.get(_text(item.s), 0) if item.type == _TEXT else item.i
    return dtype_of(file, f"the result of {node.op_type[:LONGEST]}", code)


def _guessed(item: AttributeMessage) -> int:
    rows = ((item.ints.size, _INTS), (item.floats.size, _FLOATS), (len(item.strings), _TEXTS), (item.t, _TENSOR),
            (item.g, _GRAPH), (len(item.s), _TEXT), (item.f, _FLOAT))  # fmt: skip
    return next((code for present, code in rows if present), _INT)
