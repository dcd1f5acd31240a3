"""Parameters that no output depends on, and the call where the trace of each ends."""

from __future__ import annotations

from typing import Final

from gradwire.engine.blocktypes.expression import Expression, topological_order
from gradwire.interop.models.graphs import Origin
from gradwire.interop.pt2.program import Node, names_in, nodes_of
from gradwire.interop.pt2.reading import Reading

# Operations whose result has nothing of the tensor that they write into.
_OVERWRITES: Final = ("zero_", "fill_", "copy_")


def ends_of(reading: Reading) -> dict[str, Origin]:
    """Returns the call that overwrites or drops what is made of a leaf, for those that no output depends on.

    A leaf that no call reads has none.
    """
    read = set(topological_order([item for item in reading.outputs if isinstance(item, Expression)]))
    unread = [name for name, leaf in reading.leaves.items() if leaf.application not in read]
    nodes, names = nodes_of(reading.program.graph) if unread else [], _value_names(reading)
    ends = ((name, _end(nodes, names.get(name, name))) for name in unread)
    return {name: end for name, end in ends if end is not None}


def _value_names(reading: Reading) -> dict[str, str]:
    """Returns the names that the graph uses, by those of the parameters."""
    records = [spec["parameter"] for spec in reading.program.inputs if "parameter" in spec]
    return {str(record["parameter_name"]): str(record["arg"]["name"]) for record in records}


def _end(nodes: list[Node], name: str) -> Origin | None:
    """Returns the last call that reads what is made of a value; one that overwrites it comes before."""
    names, found = {name}, None
    for node in nodes:
        if names.isdisjoint(node.read):
            continue
        first = names_in(node.arguments[0][1])[:1] if node.arguments else []
        others = [item for _, argument in node.arguments[1:] for item in names_in(argument)]
        if node.name in _OVERWRITES and names.isdisjoint(others):
            return node.origin
        names.update(node.made, first if node.writes_in_place else ())
        found = node.origin
    return found
