"""The option --ignore-stop, for all StopGradients of a graph, and --ignore-stop=PAGE/ID for one."""

from __future__ import annotations

import argparse

from gradwire.engine.autodiff.expand import expand
from gradwire.engine.base.errors import UsageError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Graph


def ignored_stops(options: argparse.Namespace, graph: Graph) -> frozenset[str] | None:
    """Returns the stops that gradients pass, by their paths; None for all.

    Raises: UsageError if there is no such stop.
    """
    if options.ignore_stop:
        return None
    instances = expand(graph).instances if options.ignore_stop_at else {}
    for path in options.ignore_stop_at:
        if path not in instances or instances[path].role is not Role.STOP:
            raise UsageError(f"--ignore-stop={path}: there is no StopGradient of that name.")
    return frozenset(options.ignore_stop_at)
