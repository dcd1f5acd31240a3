"""stub"""

from __future__ import annotations

from dataclasses import dataclass

from engine.graph import Graph
from engine.infer import Inferred


@dataclass(frozen=True)
class Touched:
    paths: frozenset[str]
    removed: frozenset[str]


def infer_again(before: Inferred, graph: Graph) -> tuple[Inferred, Touched] | None:
    from engine.lower import infer_and_measure

    after = infer_and_measure(graph)
    a, b = before.expanded.instances, after.expanded.instances

    def differs(p):
        if p not in a:
            return True
        x, y = a[p], b[p]
        if x.block is not y.block or x.inputs != y.inputs or x.is_muted != y.is_muted or x.is_entered != y.is_entered:
            return True
        if before.is_computable(p) != after.is_computable(p):
            return True
        if not after.is_computable(p):
            return False
        if before.outputs[p] != after.outputs[p] or before.passing.get(p) != after.passing.get(p):
            return True
        from engine.expand import PortName

        if any(before.specs[PortName(p, o)] != after.specs[PortName(p, o)] for o in after.outputs[p]):
            return True
        if before.inputs[p] != after.inputs[p]:
            return True
        return any(before.specs.get(i.source) != after.specs.get(i.source) for i in after.inputs[p] if i.source)

    return after, Touched(frozenset(p for p in b if differs(p)), frozenset(a.keys() - b.keys()))
