"""Sets of examples that come with Gradwire; assets/data/ORIGIN.txt names their authors and licences."""

from __future__ import annotations

import base64
import json
import zlib
from functools import cache
from typing import Any

import numpy as np

from gradwire import HOME
from gradwire.engine.base.tensor_spec import Array

FOLDER = HOME / "assets" / "data"
# Rows, and features of a row.
SIZES = {"digits": (1797, 64), "iris": (150, 4)}


@cache
def shipped(name: str) -> tuple[Array, Array, int]:
    """Returns inputs [rows, features] in float64, classes [rows] in int64, and the number of classes."""
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    x = unpacked(record["x"]).reshape(record["shape"]) / np.float64(record["divisor"])
    return x, unpacked(record["y"]).astype(np.int64), int(record["classes"])


def unpacked(lines: list[Any]) -> Array:
    """Returns the bytes that some lines of base85 hold."""
    return np.frombuffer(zlib.decompress(base64.b85decode("".join(lines))), np.uint8)
