from __future__ import annotations

from gradwire.app.canvas.overlays.graph_paths import PathKind, items_on_paths
from gradwire.app.live.session import Selection
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port, Wire
from tests.app.canvas.pages import MAIN, wired, with_block


def diamond() -> Graph:
    """a -> b -> d -> loss and a -> c -> d; c also feeds an unused u; z is alone."""
    graph = with_block(Graph(), "a", "Input", (0, 0))
    for name, kind in (("b", "Exp"), ("c", "Tanh"), ("d", "Add"), ("u", "Exp"), ("z", "Input"), ("loss", "Loss")):
        graph = with_block(graph, name, kind, (0, 0))
    return wired(graph, "a.y > b.x", "a.y > c.x", "b.y > d.x", "c.y > d.y", "c.y > u.x", "d.z > loss.x")


def found(start: Selection, way: PathKind, graph: Graph | None = None) -> Selection:
    graph = graph or diamond()
    return items_on_paths(graph, graph.page(MAIN), start, way)


def names(wires: frozenset[Wire]) -> set[str]:
    return {f"{wire.source.block}{wire.target.block}" for wire in wires}


def test_the_way_to_the_loss_goes_through_all_branches_but_not_aside() -> None:
    lit = found(Selection(frozenset("c")), PathKind.TO_LOSS)
    assert lit.blocks == {"c", "d", "loss"}
    assert names(lit.wires) == {"cd", "dloss"}


def test_the_way_from_the_inputs_leads_back_to_the_sources() -> None:
    lit = found(Selection(frozenset("d")), PathKind.FROM_INPUTS)
    assert lit.blocks == {"a", "b", "c", "d"}
    assert names(lit.wires) == {"ab", "ac", "bd", "cd"}


def test_both_ways_are_both() -> None:
    start = Selection(frozenset("b"))
    assert found(start, PathKind.BOTH) == found(start, PathKind.TO_LOSS) | found(start, PathKind.FROM_INPUTS)


def test_a_wire_begins_its_way_at_its_end() -> None:
    wire = Wire(Port("a", "y"), Port("b", "x"))
    lit = found(Selection(wires=frozenset([wire])), PathKind.TO_LOSS)
    assert names(lit.wires) == {"ab", "bd", "dloss"}
    assert "c" not in lit.blocks


def test_without_a_way_only_the_start_is_left() -> None:
    assert found(Selection(frozenset("u")), PathKind.TO_LOSS) == Selection(frozenset("u"))
    assert found(Selection(frozenset("z")), PathKind.BOTH) == Selection(frozenset("z"))


def test_only_the_active_loss_is_an_end() -> None:
    graph = wired(with_block(diamond(), "other", "Loss", (0, 0)), "u.y > other.x")
    assert "other" in found(Selection(frozenset("c")), PathKind.TO_LOSS, graph).blocks
    graph = edits.set_loss(graph, f"{MAIN}/loss")
    assert "other" not in found(Selection(frozenset("c")), PathKind.TO_LOSS, graph).blocks
