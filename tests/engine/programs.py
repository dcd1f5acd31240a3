"""Running exported programs."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np

from engine.export import export
from engine.graph import Graph


def run_program(source: str) -> dict[str, Any]:
    """The names that a program leaves behind; what it prints is under `printed`."""
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
    """How far the NumPy program of a graph is from the numbers that Gradwire found."""
    largest: float = run_program(export(graph, "numpy"))["largest"]
    return largest
