from __future__ import annotations

import base64
import json
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import Limits
from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.engine.files.json_text import JsonFault, parse
from gradwire.engine.files.tensor_json import TensorBudget, flat_tensor, flat_values, tensor_from_json, tensor_to_json
from gradwire.engine.graph.graph import same_value


def plain_nan(array):
    """Removes the sign and payload of NaN, which files do not keep."""
    return np.where(np.isnan(array), array.dtype.type("nan"), array) if array.dtype.kind == "f" else array


ANY_ARRAY = (
    st.sampled_from(list(DTYPES.values()))
    .flatmap(lambda dtype: arrays.arrays(dtype, arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)))
    .map(plain_nan)
)


def written(array):
    return json.dumps(flat_tensor(array)["data"])


def packed(array, **changes):
    raw = array.tobytes()
    head = {"dtype": array.dtype.name, "shape": list(array.shape), "bytes": len(raw)}
    return head | {"crc32": f"{zlib.crc32(raw):08x}", "base64": base64.b64encode(raw).decode()} | changes


def squeezed(array, stream=None, **changes):
    stream = zlib.compress(array.tobytes()) if stream is None else stream
    return packed(array, zlib=True, base64=base64.b64encode(stream).decode()) | changes


def refusal(value, budget=None) -> JsonFault:
    with pytest.raises(JsonFault) as caught:
        tensor_from_json(value, budget)
    return caught.value


@given(ANY_ARRAY)
def test_an_array_is_read_back_bit_by_bit(array):
    for tensor in (tensor_to_json(array), flat_tensor(array)):
        assert same_value(tensor_from_json(parse(json.dumps(tensor))), array)


@given(ANY_ARRAY)
def test_a_packed_array_is_read_back_bit_by_bit(array):
    assert same_value(tensor_from_json(packed(array)), array)
    assert same_value(tensor_from_json(squeezed(array)), array)


def test_every_float16_is_read_back():
    halves = plain_nan(np.arange(2**16, dtype=np.uint16).view(np.float16))
    assert same_value(tensor_from_json(parse(json.dumps(flat_tensor(halves)))), halves)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_every_float32_is_read_back(bits):
    singles = plain_nan(np.array(bits, dtype=np.uint32).view(np.float32))
    assert same_value(tensor_from_json(parse(json.dumps(flat_tensor(singles)))), singles)


@pytest.mark.parametrize(
    ("dtype", "values", "text"),
    [
        ("float32", [0.1, 1 / 3, 16777216, 1e22], "[0.1, 0.33333334, 16777216, 1e+22]"),
        ("float16", [0.1, 65504, 6e-08], "[0.1, 65500, 6e-08]"),
        ("float64", [1.0, 0.1, 1e15, 1e16, 1e22, 5e-324], "[1, 0.1, 1000000000000000, 1e+16, 1e+22, 5e-324]"),
        ("float64", [0.0, -0.0, -2.0], "[0, -0.0, -2]"),
        ("float32", [-0.0, 0.0], "[-0.0, 0]"),
        ("float32", [float("nan"), float("inf"), -float("inf")], '["nan", "inf", "-inf"]'),
        ("bool", [True, False], "[true, false]"),
        ("int64", [-(2**63), 2**63 - 1], "[-9223372036854775808, 9223372036854775807]"),
    ],
)
def test_numbers_are_written_as_the_shortest_text_of_their_dtype(dtype, values, text):
    assert written(np.array(values, dtype)) == text


def test_nan_of_any_bits_becomes_the_one_nan():
    odd = np.array([0xFFF8000000000001], dtype=np.uint64).view(np.float64)
    assert same_value(tensor_from_json(tensor_to_json(odd)), np.array([np.nan]))


def test_transposed_and_big_endian_arrays_are_written_row_by_row():
    array = np.arange(6.0).reshape(2, 3)
    assert flat_values(array.T) == [0, 3, 1, 4, 2, 5]
    large = np.arange(2000, dtype=">i4").reshape(40, 50).T
    assert np.array_equal(tensor_from_json(tensor_to_json(large)), large)
    assert tensor_from_json(tensor_to_json(large)).dtype == np.dtype("int32")


def test_1024_elements_are_readable_and_1025_are_packed():
    assert "data" in tensor_to_json(np.zeros(1024))
    assert "base64" in tensor_to_json(np.zeros(1025))
    assert len(flat_tensor(np.zeros(1025))["data"]) == 1025


def test_only_what_shrinks_by_a_fifth_is_compressed():
    noise = np.random.default_rng(0).bytes(5000)
    assert "zlib" not in tensor_to_json(np.frombuffer(noise, np.uint8))
    assert list(tensor_to_json(np.zeros(5000))) == ["dtype", "shape", "bytes", "crc32", "zlib", "base64"]


def test_a_read_array_cannot_be_written_into():
    for tensor in (flat_tensor(np.ones(2)), packed(np.ones(2)), squeezed(np.ones(2))):
        assert not tensor_from_json(tensor).flags.writeable


def test_dtypes_that_files_lack_are_refused():
    with pytest.raises(FileError, match="complex128"):
        tensor_to_json(np.ones(1, complex))


@pytest.mark.parametrize(
    ("changes", "path", "said"),
    [
        ({"dtype": "float8"}, ("dtype",), "dtype must be one of"),
        ({"dtype": ["float64"]}, ("dtype",), "dtype must be one of"),
        ({"shape": 2}, ("shape",), "list of sizes"),
        ({"shape": [-1, -2]}, ("shape", 0), "at least 0"),
        ({"shape": [True, 2]}, ("shape", 0), "whole number"),
        ({"shape": [2.0]}, ("shape", 0), "whole number"),
        ({"shape": [3]}, ("data",), "3 elements"),
        ({"shape": [0, 2**31]}, ("shape", 1), "a size"),
        ({"shape": [0] + [2**30] * 3}, ("shape",), "too large"),
        ({"data": "12"}, ("data",), "flat list"),
        ({"data": [[1], [2]]}, ("data", 0), "must be numbers"),
        ({"data": [1, True]}, ("data", 1), "must be numbers"),
        ({"data": [1, "NaN"]}, ("data", 1), "must be numbers"),
        ({"data": [1, None]}, ("data", 1), "must be numbers"),
        ({"dtype": "float32", "data": [1, 1e39]}, ("data", 1), "beyond the range of float32"),
        ({"dtype": "float16", "data": [70000, 1]}, ("data", 0), "beyond the range of float16"),
        ({"dtype": "int32", "data": [1, 1.5]}, ("data", 1), "whole numbers"),
        ({"dtype": "int32", "data": [1, 2**31]}, ("data", 1), "beyond the range of int32"),
        ({"dtype": "uint8", "data": [-1, 2]}, ("data", 0), "beyond the range of uint8"),
        ({"dtype": "int64", "data": [2**63, 2]}, ("data", 0), "beyond the range of int64"),
        ({"dtype": "int8", "data": [True, 2]}, ("data", 0), "whole numbers"),
        ({"dtype": "bool", "data": [True, 1]}, ("data", 1), "true or false"),
        ({"title": "a"}, ("title",), '"title"'),
        ({"base64": ""}, ("base64",), '"base64"'),
    ],
)
def test_a_malformed_readable_tensor_is_refused_at_its_place(changes, path, said):
    fault = refusal({"dtype": "float64", "shape": [2], "data": [1, 2]} | changes)
    assert fault.path == path
    assert said in fault.message


@pytest.mark.parametrize(
    ("changes", "path", "said"),
    [
        ({"bytes": 15}, ("bytes",), "must be 16"),
        ({"bytes": True}, ("bytes",), "must be 16"),
        ({"shape": [3]}, ("bytes",), "must be 24"),
        ({"crc32": "12"}, ("crc32",), "8 hexadecimal digits"),
        ({"crc32": 12}, ("crc32",), "8 hexadecimal digits"),
        ({"crc32": "00000000"}, ("base64",), "crc32 does not match"),
        ({"zlib": 1}, ("zlib",), "true or false"),
        ({"zlib": True}, ("base64",), "cannot be inflated"),
        ({"base64": "AAAA"}, ("base64",), "16 bytes"),
        ({"base64": "!" * 24}, ("base64",), "not base64"),
        ({"base64": "é" * 24}, ("base64",), "not base64"),
        ({"base64": "A" * 24}, ("base64",), "16 bytes"),
        ({"base64": 5}, ("base64",), "must be text"),
    ],
)
def test_a_malformed_packed_tensor_is_refused_at_its_place(changes, path, said):
    fault = refusal(packed(np.array([1.0, 2.0])) | changes)
    assert fault.path == path
    assert said in fault.message


def test_a_missing_checksum_is_named():
    tensor = packed(np.ones(1))
    del tensor["crc32"]
    assert "crc32 is missing" in refusal(tensor).message


def test_a_stream_longer_than_announced_is_not_inflated_further():
    bomb = zlib.compress(bytes(50_000_000))
    assert "inflate to 16 bytes" in refusal(squeezed(np.ones(2), stream=bomb)).message


@pytest.mark.parametrize(
    "stream", [zlib.compress(bytes(15)), zlib.compress(bytes(16))[:-1], zlib.compress(bytes(16)) + b"x"]
)
def test_a_stream_that_is_short_cut_or_followed_by_more_is_refused(stream):
    assert "inflate to 16 bytes" in refusal(squeezed(np.zeros(2), stream=stream)).message


def test_a_byte_that_is_no_boolean_is_refused():
    tensor = packed(np.array([0, 2], np.uint8), dtype="bool")
    assert "0 or 1" in refusal(tensor).message


def test_16_axes_are_read_and_17_are_refused():
    tensor = {"dtype": "float64", "shape": [1] * 16, "data": [1]}
    assert tensor_from_json(tensor).ndim == 16
    assert "at most 16 axes" in refusal(tensor | {"shape": [1] * 17}).message


def test_a_tensor_at_its_limit_is_read_and_one_above_is_refused():
    budget = TensorBudget(Limits(tensor_bytes=16))
    assert tensor_from_json(packed(np.ones(2)), budget).size == 2
    assert "at most 16 bytes" in refusal(packed(np.ones(3)), budget).message


def test_tensors_together_are_read_up_to_their_limit():
    budget = TensorBudget(Limits(tensors_bytes=32))
    tensor_from_json(flat_tensor(np.ones(2)), budget)
    tensor_from_json(flat_tensor(np.ones(2)), budget)
    assert "together" in refusal(flat_tensor(np.ones(1)), budget).message


def test_256_mib_pass_and_a_byte_more_is_refused_before_decoding():
    TensorBudget().take(256 * 2**20)
    bomb = {"dtype": "uint8", "shape": [2**28 + 1], "bytes": 2**28 + 1, "crc32": "0" * 8, "base64": "", "zlib": True}
    assert "at most 256 MiB" in refusal(bomb).message


def test_512_mib_together_pass_and_a_byte_more_is_refused():
    budget = TensorBudget()
    budget.take(256 * 2**20)
    budget.take(256 * 2**20)
    with pytest.raises(FileError, match="at most 512 MiB"):
        budget.take(1)


def test_what_is_no_object_is_no_tensor():
    assert "must be a tensor" in refusal([1, 2]).message
