"""Navigation to a place that a panel names: it shows the page, selects the block and brings it into view."""

from __future__ import annotations

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.extent import extent
from gradwire.app.live.selection import Selection
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.graph.graph import Port
from gradwire.engine.graph.paths import split_path
from gradwire.engine.graph.ports import pages_along


def go_to(canvas: Canvas, path: str) -> None:
    """Selects the block of a qualified path (`main/attention_1/scores`); does nothing if there is none."""
    name = _shown(canvas, path)
    if name is not None:
        canvas.session.select(Selection(frozenset([name])))
        canvas.viewport.centre_on(name)


def go_to_wire(canvas: Canvas, link: Link) -> None:
    """Selects a wire of the expanded graph, and moves the view only as far as necessary."""
    if _shown(canvas, link.source.path) is None:
        return
    source, target = (Port(split_path(end.path)[1], end.port) for end in link)
    wire = canvas.session.page.wires.get(target)
    if wire is not None and wire.source == source:
        chosen = Selection(wires=frozenset([wire]))
        canvas.session.select(chosen)
        canvas.viewport.show_rect(extent(canvas.mirror, chosen))


def _shown(canvas: Canvas, path: str) -> str | None:
    """Shows the page of a qualified path and returns the name of its block; None if there is none."""
    session, (prefix, name) = canvas.session, split_path(path)
    pages = pages_along(session.graph, prefix)
    if not pages:
        return None
    if (session.page_name, session.prefix) != (pages[-1].name, prefix):
        session.view.show(pages[-1].name, prefix)
    return name if name in session.page.blocks else None
