"""All that is said of each mistake, and what its fix does, beside what was recorded when a person last read it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.linter import lint
from gradwire.engine.base.schema import shown
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.advice.cases import HERE
from tests.engine.advice.test_models import MISTAKES
from tests.engine.advice.test_rules import FIRES

FIRING = {f"{rule} {number}": (rule, make) for rule, makes in FIRES.items() for number, make in enumerate(makes)}
MADE = MISTAKES | FIRING
TOLD: dict[str, Any] = json.loads((HERE / "advice.json").read_text(encoding="utf-8"))


def block_text(block: Block) -> str:
    parameters = {
        name: value.tolist() if isinstance(value, np.ndarray) and value.size <= 8 else shown(value)
        for name, value in block.parameters.items()
    }
    return f"{block.type} {block.id} {parameters or ''}".strip()


def changes(before: Graph, after: Graph) -> list[str]:
    """Returns the blocks and wires that an edit removes and adds, one a line."""
    lines = []
    for sign, graph, other in (("-", before, after), ("+", after, before)):
        page, blocks, wires = graph.pages[0], other.pages[0].blocks, other.pages[0].wires
        lines += [f"{sign} {block_text(item)}" for item in page.blocks.values() if blocks.get(item.id) != item]
        lines += [f"{sign} {wire.source} > {end}" for end, wire in page.wires.items() if wires.get(end) != wire]
    return lines


def told(name: str) -> dict[str, Any]:
    graph = gw.graph(MADE[name][1]())
    (finding,) = (item for item in lint(run_graph(graph)) if item.rule == MADE[name][0])
    said = {"rule": finding.rule, "severity": finding.severity, "at": finding.at, "message": finding.message}
    said |= {"also": list(finding.also)} if finding.also else {}
    for place, fix in enumerate(item for item in (finding.fix, *finding.others) if item is not None):
        said[f"fix {place + 1}"] = [fix.text, *changes(graph, fix.edit(graph))]
    return said


@pytest.mark.parametrize("name", MADE)
def test_a_mistake_is_told_and_mended_as_recorded(name: str) -> None:
    assert told(name) == TOLD[name]


def test_all_that_is_recorded_is_told() -> None:
    assert TOLD.keys() == MADE.keys()
