"""Graphs as programs for NumPy, TensorFlow, PyTorch and JAX: readable, complete, and checking themselves.

A program holds the inputs, computes the loss and the gradients of all inputs, and prints how far its numbers are from
those that Gradwire found. The NumPy program has its backward pass written out, the others have that of the library.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

from gradwire.engine.export.program import Program
from gradwire.engine.export.targets import Target
from gradwire.engine.graph.graph import Graph


def export(graph: Graph, target: str) -> str:
    """Returns the source of a program for `target`, a key of `TARGETS`.

    Raises: ExportError for a graph with errors, and for blocks that the target has no line for, by their names.
    """
    chosen = TARGETS[target]
    program = Program(graph, chosen)
    return program.assemble(chosen.body(program))


def _found() -> dict[str, Target]:
    beside = sorted(item.name for item in pkgutil.iter_modules([str(Path(__file__).parent)]))
    modules = [importlib.import_module(f"{__package__}.{name}") for name in beside if name.startswith("target_")]
    targets: list[Target] = [module.TARGET for module in modules]
    return {target.key: target for target in sorted(targets, key=lambda target: (target.rank, target.key))}


TARGETS = _found()
