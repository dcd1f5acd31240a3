"""Execution of exported programs."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np

from gradwire.engine.export.export import export
from gradwire.engine.graph.graph import Graph


def run_program(source: str) -> dict[str, Any]:
    """Returns the names that a program defines; its output is under `printed`."""
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = io.StringIO()
    settings = np.geterr()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(source, "program.py", "exec"), names)
    finally:
        np.seterr(**settings)
    return names | {"printed": printed.getvalue()}


def deviation(graph: Graph) -> float:
    """Returns the largest deviation of a graph's NumPy program from Gradwire's numbers."""
    largest: float = run_program(export(graph, "numpy"))["largest"]
    return largest
