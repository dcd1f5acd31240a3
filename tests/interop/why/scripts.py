"""Graphs as if a script had made them: blocks with their line, and the operation called there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Graph


def from_lines(loss: Expression, notes: Mapping[str, Mapping[str, str]]) -> Graph:
    """Returns a graph whose blocks of these names say which line of a script they come from."""
    graph = gw.graph(loss)
    (page,) = graph.pages
    blocks = {key: replace(block, extra=notes.get(key, {})) for key, block in page.blocks.items()}
    return replace(graph, pages=(replace(page, blocks=blocks),))


def line(number: int, operation: str) -> dict[str, str]:
    return {"origin": f"m.py:{number}", "code": f"code {number}", "operation": operation}
