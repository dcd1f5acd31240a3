"""The ports that Chart blocks show over the rounds of a training."""

from __future__ import annotations

from gradwire.engine.autodiff.expand import Instance, expand
from gradwire.engine.graph.graph import Graph

CHART = "Chart"


def charted(graph: Graph) -> list[str]:
    """Returns the names of the ports that the Chart blocks of a graph show."""
    instances = expand(graph).instances.values()
    return [name for name in map(charted_port, instances) if name]


def charted_port(instance: Instance) -> str:
    """Returns the name of the port that a block shows over the rounds; "" if it shows none."""
    is_chart = instance.type is not None and instance.type.name == CHART and not instance.is_muted
    source = instance.inputs.get("x") if is_chart else None
    return "" if source is None else f"{source.path}.{source.port}"
