"""The names that the parameters of a block may choose from: pages, and of a loop the ports of its page."""

from __future__ import annotations

from collections.abc import Iterable

from gradwire.app.live.session import Session
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.graph.graph import Block
from gradwire.engine.graph.loops import carried_names, is_loop
from gradwire.engine.graph.ports import page_ports, used_page

_PAGE = "page"


def offered_names(session: Session, block: Block, parameters: Iterable[Parameter]) -> dict[str, tuple[str, ...]]:
    """Returns the names on offer by parameter, for those of which all possible names are known."""
    pages = tuple(page.name for page in session.graph.pages if page.name != session.page_name)
    found = {item.name: pages for item in parameters if item.kind.name == _PAGE and pages}
    return found | _ports(session, block) if is_loop(block) else found


def _ports(session: Session, block: Block) -> dict[str, tuple[str, ...]]:
    page = used_page(session.graph, block)
    if page is None:
        return {}
    carried = carried_names(page)
    inputs = (port.name for port in page_ports(page, Role.PAGE_INPUT))
    outputs = tuple(port.name for port in page_ports(page, Role.PAGE_OUTPUT))
    return {"each": tuple(name for name in inputs if name not in carried), "collect": outputs}
