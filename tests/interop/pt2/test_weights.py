"""Numbers of parameters: raw bytes with shape, strides and offset, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2 import weights
from gradwire.interop.pt2.archive import Archive
from gradwire.interop.pt2.from_pt2 import read_program
from gradwire.interop.pt2.weights import dtype_of, read_weights
from tests.interop.pt2.written import call, meta, program

SIX = np.arange(6, dtype=np.float32)
ADD = call("aten.relu.default", "y", self="p_w")


def stored(meta_of_w: dict[str, Any], array: np.ndarray = SIX) -> bytes:
    return program([ADD], weights={"w": array}, rows=lambda rows: rows["w"].update(tensor_meta=meta_of_w))


def refusal(content: bytes) -> str:
    with pytest.raises(ModelRefusal) as found:
        read_weights(Archive(content))
    return str(found.value)


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        (meta(6), [0, 1, 2, 3, 4, 5]),
        (meta(2, 3), [[0, 1, 2], [3, 4, 5]]),
        (meta(3, 2, strides=[1, 3]), [[0, 3], [1, 4], [2, 5]]),
        (meta(2, offset=4), [4, 5]),
        (meta(2, 2, strides=[3, 1], offset=1), [[1, 2], [4, 5]]),
        (meta(2, 3, strides=[0, 1]), [[0, 1, 2], [0, 1, 2]]),
        (meta(offset=5), 5),
        (meta(0, 3), np.zeros((0, 3))),
    ],
)
def test_an_array_has_its_shape_strides_and_offset(said: dict[str, Any], numbers: object) -> None:
    array = read_weights(Archive(stored(said))).arrays["w"]
    np.testing.assert_array_equal(array, np.array(numbers, np.float32))
    assert array.shape == np.shape(numbers) and array.dtype == np.float32


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (meta(7), "w reaches beyond its part: number 7 of 6"),
        (meta(2, offset=5), "w reaches beyond its part: number 7 of 6"),
        (meta(2, 2, strides=[5, 1]), "w reaches beyond its part: number 7 of 6"),
        (meta(2, 3, strides=[1]), "w has 2 sizes and 1 strides"),
        (meta(*[1] * 33), "w has 33 sizes and 33 strides"),
        (meta(6) | {"layout": 1}, "w is sparse; make it dense with to_dense()"),
        (meta(-1), "w has a size that is no number"),
        (meta(6, offset=-1), "w has a size that is no number"),
        (meta(6) | {"storage_offset": {"as_int": True}}, "w has a size that is no number"),
        (
            meta(6) | {"dtype": 13},
            "w is bfloat16, which Gradwire does not compute; save it as float32 with model.float()",
        ),
        (meta(6) | {"dtype": 9}, "w is complex32, which Gradwire does not compute"),
        (meta(6) | {"dtype": 99}, "w is of an unknown dtype, which Gradwire does not compute"),
        ({}, "w is pickled, and Gradwire unpickles nothing"),
    ],
)
def test_arrays_that_do_not_lie_in_their_part_are_refused(said: dict[str, Any], reason: str) -> None:
    assert refusal(stored(said)) == f"the model: {reason}."


def test_as_many_axes_as_numpy_has_are_read() -> None:
    assert read_weights(Archive(stored(meta(*[1] * 32)))).arrays["w"].shape == (1,) * 32


@pytest.mark.parametrize("part", ["../a", "", "a b", 3, None])
def test_a_part_has_a_name_of_the_file(part: object) -> None:
    content = program([ADD], weights={"w": SIX}, rows=lambda rows: rows["w"].update(path_name=part))
    assert refusal(content) == f"the model: w lies in {str(part)!r}, which is no part of the file."


def test_an_array_may_be_as_large_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "MOST_OF_TENSOR", 24)
    assert read_weights(Archive(stored(meta(6)))).arrays["w"].size == 6
    monkeypatch.setattr(weights, "MOST_OF_TENSOR", 23)
    assert refusal(stored(meta(6))) == "the model: w wants 24 bytes, and 23 are the limit."


def test_names_of_one_part_are_one_variable() -> None:
    nodes = [call("aten.add.Tensor", "y", self="p_v", other="p_w")]
    content = program(
        nodes, weights={"v": SIX, "w": SIX + 1}, rows=lambda rows: rows["w"].update(path_name=rows["v"]["path_name"])
    )
    found = read_weights(Archive(content))
    assert found.parts == {"v": "weights/weight_0", "w": "weights/weight_0"}
    np.testing.assert_array_equal(found.arrays["w"], SIX)
    reading = read_program(content)
    assert reading.leaves["v"] is reading.leaves["w"] and "w is v: one Variable." in reading.notices
    apart = read_program(program(nodes, weights={"v": SIX, "w": SIX + 1}))
    assert apart.leaves["v"] is not apart.leaves["w"] and "w is v: one Variable." not in apart.notices


def test_parameters_have_the_shape_that_the_graph_says() -> None:
    content = program([ADD], weights={"w": SIX}, rows=lambda rows: rows["w"].update(tensor_meta=meta(2, 3)))
    with pytest.raises(ModelRefusal, match=r"w has the shape \[2, 3\], but the file says another one"):
        read_program(content)


@pytest.mark.parametrize(("code", "name"), [(1, "uint8"), (5, "int64"), (6, "float16"), (8, "float64"), (12, "bool")])
def test_dtypes_have_pytorchs_codes(code: int, name: str) -> None:
    assert dtype_of(Archive(program([ADD], weights={"w": SIX})), "w", code) == np.dtype(name)
