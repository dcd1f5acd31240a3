"""How notebooks show graphs, expressions and runs: a page that runs in a frame, and the picture where none may run."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Container
from typing import Any

from gradwire.engine.blocktypes.held import holding
from gradwire.engine.graph.graph import Graph

PAGE, PICTURE = "text/html", "image/svg+xml"
# Larger graphs and pages are shown as pictures. Units: blocks, characters.
MOST_BLOCKS, LONGEST_PAGE = 300, 1 << 20
# The picture gives the frame its size; it is seen where a viewer takes frames away.
_BOX = "position:relative;max-width:1100px"
_BELOW = "display:block;width:100%;min-height:360px;max-height:640px;object-fit:contain"
_ABOVE = "position:absolute;left:0;top:0;width:100%;height:100%;border:0"


@holding(is_on=False)
def mimebundle(
    graph: Graph,
    include: Container[str] | None = None,
    exclude: Container[str] | None = None,
    ignored_stops: frozenset[str] | None = frozenset(),
) -> dict[str, Any]:  # Any: as notebooks have it
    """Returns what a notebook shows of a graph: a page that runs, and a picture."""
    wanted = {
        kind for kind in (PAGE, PICTURE) if (include is None or kind in include) and not (exclude and kind in exclude)
    }
    if not wanted:
        return {}
    from gradwire.app.cli.rendering import living_page, svg_text  # loads Qt, which scripts do without
    from gradwire.app.features.share.web.page_choices import PageChoices

    found = {PICTURE: svg_text(graph, ignored_stops=ignored_stops)}
    if PAGE in wanted and block_count(graph) <= MOST_BLOCKS:
        page = living_page(graph, "Gradwire", PageChoices(is_embedded=True, ignored_stops=ignored_stops)).text
        if len(page) <= LONGEST_PAGE:
            found[PAGE] = frame(page, found[PICTURE])
    return {kind: found[kind] for kind in (PAGE, PICTURE) if kind in wanted and kind in found}


def block_count(graph: Graph) -> int:
    """Returns the number of blocks on all pages."""
    return sum(len(page.blocks) for page in graph.pages)


def frame(page: str, picture: str) -> str:
    """Returns a page in a frame that may only run its script, above its picture."""
    source = f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"
    inside = page.replace("&", "&amp;").replace("'", "&#39;")
    return (
        f'<div style="{_BOX}"><img alt="" src="{source}" style="{_BELOW}">'
        f'<iframe title="A graph that runs" sandbox="allow-scripts" style="{_ABOVE}" '
        f"srcdoc='{inside}'></iframe></div>"
    )


def show_in_notebooks(graph_of: Callable[[Any], Graph], *types: type) -> None:
    """Lets notebooks show objects of these types, which know nothing of pages, by the graph of each."""

    # Any: as notebooks have it.
    @holding(is_on=False)
    def bundle(shown: Any, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return mimebundle(graph_of(shown), include, exclude)

    for each in types:
        each._repr_mimebundle_ = bundle  # type: ignore[attr-defined]  # a name of notebooks
