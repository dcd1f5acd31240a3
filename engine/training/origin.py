"""Block in which a number that stops a training arises."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set

from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.ports import role_of


def origin_of(
    graph: Graph, trained: Collection[str], assigned: Iterable[str], ignored_stops: Set[str] = frozenset()
) -> tuple[str, str]:
    """Returns the block that first gives a number that is not finite from finite ones, and a sentence about it.

    A value comes before a gradient. `trained` names variables by page and id, `assigned` ports by path.
    """
    snapshot = evaluate(graph, ignored_stops)
    blocks = {f"{page.name}/{name}": block for page in graph.pages for name, block in page.blocks.items()}
    losses = {
        f"{name}.y" for name, block in blocks.items() if role_of(block) is Role.LOSS and graph.loss in (None, name)
    }
    variables = {name.rpartition("/")[2] for name in trained}
    asked = {*losses, *assigned}
    forward: dict[str, str] = {}
    backward: dict[str, str] = {}
    for port, result in snapshot.ports.items():
        is_asked = str(port) in asked or port.path.rpartition("/")[2] in variables
        if not is_asked or result.origin is None:
            continue
        first, back = result.origin.first, result.origin.backward
        if first is not None and not first.is_gradient and not result.origin.is_meant:
            forward[first.at] = result.origin.sentence
        if back is not None:
            backward[back.at] = back.sentence
    if not forward and not backward:
        return graph.loss or "", "The loss, a gradient or a value to assign is not finite."
    births = forward or backward
    order = [port.path for port in snapshot.ports]
    at = _first(births, order if forward else order[::-1])
    return at, births[at]


def _first(found: Collection[str], order: list[str]) -> str:
    return next((path for path in order if path in found), next(iter(found)))
