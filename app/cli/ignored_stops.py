"""The option --ignore-stop, for all StopGradients of a graph, and --ignore-stop=PAGE/ID for one."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from gradwire.engine.autodiff.expand import expand
from gradwire.engine.base.errors import UsageError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Graph


def ignored_stops(options: argparse.Namespace, graph: Graph) -> frozenset[str] | None:
    """Returns the stops that gradients pass, by their paths; None for all.

    Raises: UsageError if there is no such stop.
    """
    return None if options.ignore_stop else stops_named(options.ignore_stop_at, graph, "--ignore-stop=")


def stops_named(paths: Sequence[str], graph: Graph, option: str) -> frozenset[str]:
    """Returns the stops that an option names, by their paths. Raises: UsageError if there is no such stop."""
    instances = expand(graph).instances if paths else {}
    for path in paths:
        if path not in instances or instances[path].role is not Role.STOP:
            raise UsageError(f"{option}{path}: there is no StopGradient of that name.")
    return frozenset(paths)
