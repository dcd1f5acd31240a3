"""What stands on a page: blocks with their roles, the header, tables, and only the rules of style that are needed."""

from __future__ import annotations

import functools
import re

import pytest

from gradwire.app.features.share.web.html_page import HtmlPage, Outfit, html_page
from gradwire.app.features.share.web.page_choices import PageChoices, Told
from gradwire.app.features.share.web.style import page_style
from gradwire.app.features.share.web.words import page_words
from gradwire.engine.edits import edits
from tests.app.canvas.pages import chain
from tests.gallery import example

pytestmark = pytest.mark.usefixtures("qapp")
STABLE = "softmax_stable"


@functools.cache
def made(choices: PageChoices) -> HtmlPage:
    return html_page(example(STABLE), "A title", choices)


def groups(page: HtmlPage) -> dict[str, str]:
    """The opening tags of blocks, by the last part of their paths."""
    tags = re.findall(r"<g class=[^>]*data-path=[^>]*>", page.text)
    return {re.search(r"data-path=\S*/(\w+)", tag)[1]: tag for tag in tags}  # type: ignore[index]


@pytest.mark.parametrize(
    ("ignored", "is_checked"), [(frozenset(), "true"), (None, "false"), (frozenset(["main/stop"]), "false")]
)
def test_stops_are_switches_and_other_blocks_groups(ignored: frozenset[str] | None, is_checked: str) -> None:
    page = made(PageChoices(ignored_stops=ignored))
    blocks = groups(page)
    assert len(blocks) == len(example(STABLE).pages[0].blocks)
    assert 'class="b stop"' in blocks["stop"] and "role=switch" in blocks["stop"]
    assert f"aria-checked={is_checked}" in blocks["stop"]
    for name in blocks.keys() - {"stop"}:
        assert "class=b " in blocks[name] and "role=group" in blocks[name] and "aria-checked" not in blocks[name]
    assert page.refusal == page.untrained == page.held == ""


def test_a_page_has_its_title_buttons_loss_and_a_table_of_wires() -> None:
    text = made(PageChoices()).text
    assert "<title>A title</title>" in text and "<h1>A title</h1>" in text
    assert re.findall(r"data-do=(\w+)", text) == [
        "back", "on", "all", "reset", "fit", "nearer", "farther", "link", "graph",
    ]  # fmt: skip
    assert "<div role=tablist" not in text and "<h2>" not in text and "id=told" not in text
    wires = example(STABLE).pages[0].wires
    assert text.count("<tr data-wire=") == len(wires) and "<span id=loss>L = " in text


def test_an_embedded_page_has_no_download() -> None:
    text = made(PageChoices(is_embedded=True)).text
    assert '<body class="embed">' in text and "data-do=graph" not in text
    assert "<body>" in made(PageChoices()).text


def test_what_is_told_of_blocks_leads_to_them() -> None:
    told = (Told("main/stop", "The stop", "cuts."), Told("", "Beware", "of this."))
    text = made(PageChoices(heading="Why", told=told)).text
    assert "<section id=told><b>Why</b><ol>" in text
    assert "<li><button type=button data-at=main/stop>The stop</button> cuts." in text and "<li>Beware of this." in text


@pytest.mark.parametrize(("theme", "pieces"), [("light", 0), ("dark", 1), ("auto", 2)])
def test_a_page_has_the_rules_of_its_theme(theme: str, pieces: int) -> None:
    text = made(PageChoices(theme=theme)).text  # type: ignore[arg-type]
    assert text.count("color-scheme:light") == 1
    assert text.count("color-scheme:dark") == pieces
    assert ("prefers-color-scheme" in text) is (theme == "auto")


def test_only_the_rules_of_what_is_there_are_written() -> None:
    styles = Outfit("light").styles
    none, curves = (page_style(styles, looks, "light", ("page",)) for looks in (set[str](), {"cu"}))
    assert len(none) < len(curves) and ".cu" not in none and ".cu" in curves
    assert "cm10" not in none.replace("--", "") and ".cm10{" in page_style(styles, {"cm3"}, "light", ("page",))


def test_a_graph_with_an_error_does_not_live() -> None:
    broken = edits.disconnect(chain(1.0), "main", next(iter(chain(1.0).pages[0].wires.values())))
    page = html_page(broken, "x")
    assert page.refusal.startswith("This graph has an error") and " data-live=no" in page.text
    assert any(problem.severity == "error" for problem in page.problems)


def test_the_words_of_the_script_are_those_of_the_language() -> None:
    words = page_words()
    assert (words["decimal"], words["group"]) == (".", ",")
    assert words["step"] == "Step {step} of {count}: {block}"
