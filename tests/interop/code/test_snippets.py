"""Texts as people paste them, beside the numbers that PyTorch, JAX, TensorFlow and NumPy give for them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Port
from gradwire.interop.code.refusals import CodeRefusal

FOLDER = Path(__file__).parents[2] / "data" / "snippets"
ROWS = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
OPENED = [row for row in ROWS if row["opens"] == "yes"]
REFUSED = [row for row in ROWS if row["opens"] == "refused"]
Row = dict[str, Any]


def text(row: Row) -> str:
    return (FOLDER / f"{row['id']}.txt").read_text(encoding="utf-8")


def array(tensor: Row) -> np.ndarray[Any, Any]:
    return np.array(tensor["data"], np.float64).reshape(tensor["shape"])


def with_values(graph: gw.Graph, given: dict[str, Row]) -> gw.Graph:
    """The graph with other numbers in the sources of these names."""
    (page,) = graph.pages
    blocks = dict(page.blocks)
    for name, tensor in given.items():
        value = array(tensor).astype(blocks[name].parameters["value"].dtype)
        blocks[name] = replace(blocks[name], parameters={"value": value})
    return replace(graph, pages=(replace(page, blocks=blocks),))


def with_loss(graph: gw.Graph, port: str, weights: np.ndarray[Any, Any]) -> gw.Graph:
    """The graph with a Loss on a port, weighted by the gradient from above."""
    page = graph.pages[0].name
    block, _, output = port.rpartition("/")[2].partition(".")
    graph = edits.add_block(graph, page, "Constant", id="up", parameters={"value": weights})[0]
    graph = edits.add_block(graph, page, "Loss", id="chosen")[0]
    graph = edits.connect(graph, page, Port("up", "y"), Port("chosen", "weights"))
    return edits.connect(graph, page, Port(block, output), Port("chosen", "x"))


def port_with(run: gw.Run, name: str | None, want: np.ndarray[Any, Any], rtol: float) -> str:
    """The port that carries some numbers: that of the name, or of a function's result the last."""
    ports = [(str(key), item.value) for key, item in run.snapshot.ports.items() if item.value is not None]
    found = [
        key for key, value in ports if value.shape == want.shape and np.allclose(value, want, rtol=rtol, atol=1e-6)
    ]
    if name is not None:
        found = [key for key in found if re.fullmatch(rf"main/{name}\.\w+", key)]
    assert found, f"{name} has other numbers"
    return found[-1]


@pytest.mark.parametrize("row", OPENED, ids=lambda row: row["id"])
def test_a_snippet_has_the_blocks_the_value_and_the_gradients_of_its_framework(row: Row) -> None:
    graph = with_values(gw.from_code(text(row)), row["given"])
    types = {block.type for block in graph.pages[0].blocks.values()}
    assert all(types & set(either) for either in row["types"])
    want, run = array(row["value"]), gw.evaluate(graph)
    port = port_with(run, row["name"], want, row["rtol"])
    if row["upstream"] is not None or "Loss" not in types:
        weights = np.ones(want.shape) if row["upstream"] is None else np.array(row["upstream"])
        run = gw.evaluate(with_loss(graph, port, weights))
    for name, gradient in row["gradients"].items():
        np.testing.assert_allclose(run.gradient(f"{name}.y"), array(gradient), rtol=row["rtol"], atol=1e-5)


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["id"])
def test_a_snippet_without_blocks_is_refused_with_its_line(row: Row) -> None:
    with pytest.raises(CodeRefusal, match="|".join(map(re.escape, row["says"]))) as caught:
        gw.from_code(text(row))
    assert row["any_line"] or caught.value.line == row["line"]
