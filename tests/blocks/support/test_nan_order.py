"""NaN in blocks that choose elements, where TensorFlow's result depends on the place of an element."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from gradwire.engine.blocktypes.library import library

NAN = np.nan
POOLED = {"ksize": [1, 1, 3], "strides": 1, "padding": "VALID"}


@pytest.mark.parametrize(
    ("kind", "inputs", "parameters", "expected"),
    [
        ("Sort", [[2.0, NAN, 1.0]], {}, [1, 2, NAN]),
        ("Sort", [[2.0, NAN, 1.0]], {"direction": "DESCENDING"}, [NAN, 2, 1]),
        ("ArgSort", [[2.0, NAN, 1.0]], {}, [2, 0, 1]),
        ("TopK", [[2.0, NAN, 1.0]], {"k": 2}, [NAN, 2]),
        ("SegmentMax", [[2.0, NAN, 1.0], [0, 0, 0]], {}, [1]),
        ("SegmentMin", [[2.0, 3.0, NAN], [0, 0, 1]], {}, [2, NAN]),
        ("MaxPool3D", [np.reshape([2.0, NAN, 1.0], (1, 1, 1, 3, 1))], POOLED, [2]),
    ],
)  # fmt: skip
def test_where_we_had_to_choose_a_note_says_so(
    kind: str, inputs: list[Any], parameters: dict[str, Any], expected: list[float]
) -> None:
    block_type = library[kind]
    arrays, full = [np.array(item) for item in inputs], block_type.normalize(parameters)
    found = block_type(*arrays, **full)
    outputs = found if isinstance(found, tuple) else (found,)
    np.testing.assert_array_equal(np.ravel(outputs[0]), expected)
    note = block_type.observer(*arrays, *outputs, **full)
    assert note.code == "nan_order" and re.search(r"\bhere; (in )?TensorFlow\b", note.message)
    clean = [np.nan_to_num(item) if item.dtype.kind == "f" else item for item in arrays]
    known = block_type(*clean, **full)
    assert block_type.observer(*clean, *(known if isinstance(known, tuple) else (known,)), **full) is None
