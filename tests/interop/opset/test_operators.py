"""ONNX's operators one by one: 321 models with the numbers of ONNX Runtime and of ONNX's reference evaluator."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradwire import HOME
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.interop.models.names import block_name
from gradwire.interop.onnx.from_onnx import from_onnx
from gradwire.interop.opset.operators import names
from tests.interop.aten.test_operations import blocks_named_in

ARCHIVE = Path(__file__).parents[2] / "data" / "onnx" / "operators.zip"
PARTS = 10


@cache
def recorded() -> tuple[list[Mapping[str, Any]], Mapping[str, Array]]:
    with zipfile.ZipFile(ARCHIVE) as archive:
        rows: list[Mapping[str, Any]] = json.loads(archive.read("index.json"))
        with np.load(io.BytesIO(archive.read("cases.npz"))) as found:
            return rows, {key: found[key] for key in found}


@pytest.mark.parametrize("part", range(PARTS))
def test_outputs_are_those_of_onnx_runtime(part: int) -> None:
    rows, _ = recorded()
    assert len(rows) == 321
    assert_recorded(rows[part::PARTS])


def assert_recorded(rows: Sequence[Mapping[str, Any]]) -> None:
    """Asserts that models give their recorded outputs."""
    _, arrays = recorded()
    for row in rows:
        feeds = {name: arrays[f"{row['id']}/in/{name}"] for name in row["inputs"]}
        graph = from_onnx(arrays[f"{row['id']}/model"].tobytes(), feeds)
        found = [(key.path, port.value) for key, port in run_graph(graph).snapshot.ports.items()]
        for name in row["outputs"]:
            wanted, got = arrays[f"{row['id']}/out/{name}"], dict(found).get(f"main/{block_name(name)}")
            if got is None:
                # A block of several outputs has no name of one of them.
                got = next(item for _, item in found if item is not None and _are_near(item, wanted, row))
            assert np.asarray(got).dtype == wanted.dtype, row["id"]
            assert _are_near(got, wanted, row), row["id"]


def _are_near(found: Any, wanted: Array, row: Mapping[str, Any]) -> bool:
    array = np.asarray(found)
    is_near = array.shape == wanted.shape and np.allclose(
        array.astype(float), wanted.astype(float), rtol=row["rtol"], atol=row["atol"], equal_nan=True
    )
    return bool(is_near)


def test_every_operator_is_made_of_blocks_that_there_are() -> None:
    named = blocks_named_in(Path(HOME / "interop" / "opset"))
    assert len(named) > 60
    assert {name for name in named if library.get(name) is None} == set()
    assert len(set(names())) > 150
