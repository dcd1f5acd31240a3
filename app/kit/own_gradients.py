"""The gradients of their own that pages have: given, removed and shown in a session, and what is wrong with them."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.live.session import Session
from gradwire.engine.base.problems import Problem
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits.page_edits import add_gradient_page, remove_gradient
from gradwire.engine.graph.graph import Page
from gradwire.engine.graph.own_gradients import mistakes, pages_with_gradient
from gradwire.engine.graph.paths import forward_path, is_gradient
from gradwire.engine.graph.ports import PagePort, page_ports, pages_along


def ports_of(page: Page) -> list[PagePort]:
    """Returns the inputs and outputs of a page; a page without them takes part in no gradient as a block."""
    return [*page_ports(page, Role.PAGE_INPUT), *page_ports(page, Role.PAGE_OUTPUT)]


def give(session: Session, name: str, path: str | None = None) -> None:
    """Makes the page that gives the gradient of another one, and shows it; `path` is a use, by default the first."""
    path, page = path or session.view.use_of(name), session.graph.page(name)
    found = {port.name: session.inferred.spec_of_port(f"{path}/{port.block.id}") for port in ports_of(page)}
    specs = {port: spec for port, spec in found.items() if spec is not None}
    text = tr("Give page {name} its own gradient", name=name)
    if session.apply(text, add_gradient_page, name, specs) is not None:
        session.view.show_gradient(path)


def remove(session: Session, name: str) -> None:
    """Leaves the gradient of a page to its blocks; the page that has given it goes if nothing else uses it."""
    session.apply(tr("Remove the own gradient of page {name}", name=name), remove_gradient, name)


def owners(session: Session) -> list[str]:
    """Returns the pages whose gradient the page shown gives, first the one that it is shown for."""
    names, path = pages_with_gradient(session.graph, session.page_name), session.prefix
    shown = pages_along(session.graph, forward_path(path))[-1:] if is_gradient(path) else []
    return sorted(names, key=lambda name: name not in [page.name for page in shown])


def problems_of_pair(session: Session, name: str) -> list[Problem]:
    """Returns what is wrong with the ports of a page and of the page that gives its gradient, each once."""
    mistaken = mistakes(session.graph, session.graph.page(name))
    found = [Problem("error", "", "parameter", item.message) for item in mistaken]
    rule = next((rule for rule in session.inferred.expanded.rules.values() if rule.forward == name), None)
    if rule is not None and rule.prefix:
        found += [item for item in session.problems if item.at.startswith(f"{rule.prefix}/")]
    return list({item.message: item for item in found}.values())
