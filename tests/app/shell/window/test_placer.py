"""Where a block from the search is placed, and with which wires. Units: px of the page."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF

from gradwire.app.shell.window import placing
from gradwire.app.shell.window.placing import COLUMN_GAP, GAP, NEW_BLOCK, NewBlock, Placer, SearchRequest, Side
from gradwire.engine.graph.graph import Graph, Page, Port, Wire


def placer(page: Page) -> tuple[Placer, list[tuple[Any, ...]]]:
    """A placer on a page, and what it adds: the type, the corner or point, the ends, and whether they are outputs."""
    made, found = Placer.__new__(Placer), list[tuple[Any, ...]]()
    session = SimpleNamespace(page=page, page_name=page.name, graph=Graph((page,)))
    actions = SimpleNamespace(add_block=lambda *given: found.append(given))
    made._canvas = SimpleNamespace(session=session, page_actions=actions)  # type: ignore[assignment]
    return made, found


@pytest.mark.parametrize(("are_outputs", "corner"), [(True, (300, 156)), (False, (156, 156))])
def test_a_block_for_a_wire_has_its_port_at_the_end_of_the_wire(
    monkeypatch: pytest.MonkeyPatch, are_outputs: bool, corner: tuple[int, int]
) -> None:
    made, _ = placer(Page("main"))
    added = list[tuple[Any, ...]]()
    monkeypatch.setattr(made, "add_connected", lambda *given: added.append(given))
    ends, new = (Port("a", "y"),), NewBlock("Exp")
    made._place(new, SearchRequest(QPoint(), QPointF(300, 200), ends, are_outputs=are_outputs))
    assert added == [(new, QPointF(*corner), ends, are_outputs)]


def test_a_block_without_a_wire_stands_at_the_point_of_the_search() -> None:
    made, found = placer(Page("main"))
    made._place(NewBlock("Exp", {"a": 1}, "e"), SearchRequest(QPoint(), QPointF(300, 200)))
    assert found == [("Exp", QPointF(300, 200), {"a": 1}, "e", True)]


@pytest.mark.parametrize(("given", "inserts"), [({}, True), ({"axis": 1}, False)])
def test_a_block_with_settings_of_its_own_is_not_put_into_a_wire(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, object], inserts: bool
) -> None:
    made, found = placer(Page("main"))
    put = list[tuple[Any, ...]]()
    monkeypatch.setattr(made, "insert_on", lambda *told: put.append(told))
    wire = Wire(Port("a", "y"), Port("b", "x"))
    new = NewBlock("Exp", given)
    made._place(new, SearchRequest(QPoint(), QPointF(), wire=wire))
    assert (put, len(found)) == ([(wire, new)] if inserts else [], int(not inserts))


@pytest.mark.parametrize(
    ("side", "blocks", "corner"),
    [
        (Side.AFTER, "a", (144 + COLUMN_GAP, 32)),
        (Side.BEFORE, "a", (-COLUMN_GAP - NEW_BLOCK[0], 32)),
        (Side.BELOW, "a", (0, 32)),
        (Side.AFTER, "ab", (344 + COLUMN_GAP, 300 + 96 + GAP)),
        (Side.BEFORE, "ab", (-COLUMN_GAP - NEW_BLOCK[0], 300 + 96 + GAP)),
    ],
)
def test_a_block_stands_a_column_beside_others_and_below_several(
    monkeypatch: pytest.MonkeyPatch, side: Side, blocks: str, corner: tuple[float, float]
) -> None:
    rects = {"a": (0.0, 32.0, 144.0, 96.0), "b": (200.0, 300.0, 144.0, 96.0)}
    monkeypatch.setattr(placing, "block_rects", lambda _: rects)
    monkeypatch.setattr(placing, "free_below", lambda *given: given[0][:2])
    made, _ = placer(Page("main"))
    made._canvas.mirror = None  # type: ignore[assignment]
    found = made._corner_beside(list(blocks), side)
    # On the grid of 16, away from the blocks.
    for place, wanted in zip(found.toTuple(), corner, strict=True):  # type: ignore[attr-defined]
        assert place % 16 == 0 and abs(place - wanted) < 16 and abs(place) >= abs(wanted)
