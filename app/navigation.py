"""Ways to a place that a panel names: the page is shown, the block selected and brought into view."""

from __future__ import annotations

from app.canvas.canvas import Canvas
from app.live.session import Selection
from engine.expand import Link
from engine.graph import Port


def go_to(canvas: Canvas, path: str) -> None:
    """Selects the block of a qualified path (`main/attention_1/scores`); nothing happens if there is none."""
    session = canvas.session
    page, *names = path.split("/")
    if not names or not session.graph.has_page(page):
        return
    prefix = page
    for name in names[:-1]:
        block = session.graph.page(page).blocks.get(name) if session.graph.has_page(page) else None
        page, prefix = str(block.parameters.get("page")) if block is not None else "", f"{prefix}/{name}"
    if (session.page_name, session.prefix) != (page, prefix):
        session.show_page(page, prefix)
    if names[-1] in session.page.blocks:
        session.select(Selection(frozenset([names[-1]])))
        canvas.centre_on(names[-1])


def go_to_wire(canvas: Canvas, link: Link) -> None:
    """Selects a wire of the expanded graph and brings its source into view."""
    go_to(canvas, link.source.path)
    source, target = (end.path.rpartition("/")[2] for end in link)
    ends = (Port(source, link.source.port), Port(target, link.target.port))
    for wire in canvas.session.page.wires.values():
        if (wire.source, wire.target) == ends:
            canvas.session.select(Selection(wires=frozenset([wire])))
