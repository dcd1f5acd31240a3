"""Pages that tests open, and elements on them."""

from __future__ import annotations

from pathlib import Path

from gradwire.app.features.share.web.html_page import USUAL, html_page
from gradwire.app.features.share.web.page_choices import PageChoices
from gradwire.engine.graph.graph import Graph
from tests.pages.browser import Browser


def opened(
    browser: Browser, folder: Path, graph: Graph, name: str = "page", choices: PageChoices = USUAL, fragment: str = ""
) -> Browser:
    """Opens the page of a graph, with a fragment of its address."""
    path = folder / f"{name}.html"
    path.write_text(html_page(graph, name, choices).text, encoding="utf-8")
    browser.log("browser")
    browser.requests()
    browser.open(path, fragment)
    return browser


def slider(name: str) -> str:
    """Returns the selector of a slider by the end of its name."""
    return f'[role=slider][aria-label$="{name}"]'


def block(path: str) -> str:
    """Returns the selector of a block by its path in the file."""
    return f'.b[data-path="{path}"]'


def attribute(browser: Browser, selector: str, name: str) -> str | None:
    """Returns an attribute of the first element of a selector."""
    found: str | None = browser.run(
        "return document.querySelector(arguments[0]).getAttribute(arguments[1])", selector, name
    )
    return found
