"""The ports that Chart blocks show over the rounds of a training."""

from __future__ import annotations

from gradwire.engine.autodiff.expand import Instance, expand
from gradwire.engine.graph.graph import Graph

CHART, GRADIENT = "Chart", "gradient"


def charted(graph: Graph, is_gradient: bool = False) -> list[str]:
    """Returns the names of the ports whose values, or gradients, the Chart blocks of a graph show."""
    instances = expand(graph).instances.values()
    return [name for item in instances if (name := charted_port(item)) and charts_gradient(item) is is_gradient]


def charted_port(instance: Instance) -> str:
    """Returns the name of the port that a block shows over the rounds; "" if it shows none."""
    is_chart = instance.type is not None and instance.type.name == CHART and not instance.is_muted
    source = instance.inputs.get("x") if is_chart else None
    return "" if source is None else f"{source.path}.{source.port}"


def charts_gradient(instance: Instance) -> bool:
    """Returns whether a Chart block shows the gradient of its port."""
    return instance.block.parameters.get("show") == GRADIENT
