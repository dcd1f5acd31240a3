"""Graphs as programs for NumPy, TensorFlow, PyTorch and JAX: readable, complete, and checking themselves.

A program holds the inputs, computes the loss and the gradients of all inputs, and prints how far its numbers are from
those that Gradwire found. The NumPy program has its backward pass written out, the others have that of the library.
Each target is one module `target_NAME.py` beside this one; plug-ins may add others, based on these.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.export.program import Program
from gradwire.engine.graph.graph import Graph


def export(graph: Graph, target: str) -> str:
    """Returns the source of a program for `target`, a key of `targets()`.

    Raises: ExportError for a graph with errors, and for blocks that the target has no line for, by their names.
    """
    chosen = targets()[target]
    program = Program(graph, chosen)
    return program.assemble(WRITERS[chosen.key if chosen.key in WRITERS else chosen.based_on](program))


def targets() -> dict[str, Target]:
    """Returns all targets by their keys, those of plug-ins last."""
    return {**TARGETS, **{item.key: item for plugin in library.plugins.values() for item in plugin.targets}}


def _modules() -> list[ModuleType]:
    beside = sorted(item.name for item in pkgutil.iter_modules([str(Path(__file__).parent)]))
    found = [importlib.import_module(f"{__package__}.{name}") for name in beside if name.startswith("target_")]
    return sorted(found, key=lambda module: (module.TARGET.rank, module.TARGET.key))


_FOUND = _modules()
# Those of Gradwire itself, and what writes the lines of their programs below the imports.
TARGETS: dict[str, Target] = {module.TARGET.key: module.TARGET for module in _FOUND}
WRITERS: dict[str, Callable[[Program], list[str]]] = {
    module.TARGET.key: module.write_body for module in _FOUND if hasattr(module, "write_body")
}
