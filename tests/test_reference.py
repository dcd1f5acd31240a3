"""Pages in docs/blocks, the families and the keys in docs/keys.md equal the output of `make reference`."""

from __future__ import annotations

import re
import sys

import pytest

from gradwire.engine.blocktypes.library import library
from scripts import make_families, make_keys
from scripts.make_reference import CATEGORIES, FOLDER, INDEX, category_page, pages, prose, table

PAGES = pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_committed_page_is_the_one_made_now(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name], "stale: run make reference"


def test_the_table_of_families_is_the_one_made_now() -> None:
    assert make_families.PAGE.read_text(encoding="utf-8") == make_families.page(), "stale: run make reference"


@pytest.mark.skipif(sys.platform == "darwin", reason="there the keys have other names")
def test_the_table_of_keys_is_the_one_made_now() -> None:
    text = make_keys.PAGE.read_text(encoding="utf-8")
    assert text == make_keys.page(text), "stale: run make reference"
    assert "\n| Undo | Ctrl+Z |\n" in text


def test_no_page_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


def test_every_type_is_on_exactly_one_page() -> None:
    headings = [
        name for file, text in PAGES.items() if file != INDEX for name in re.findall(r"^## (\w+)$", text, re.MULTILINE)
    ]
    assert sorted(headings) == sorted(item.name for item in library.for_users())


def test_every_category_has_its_line() -> None:
    assert set(CATEGORIES) == {item.category for item in library.for_users()}


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_to_one_heading(name: str) -> None:
    links = re.findall(r"\]\(([\w.]*)#?(\w*)\)", PAGES[name])
    assert links
    for file, anchor in links:
        assert file in {"", *PAGES}
        assert not anchor or anchors(PAGES[file or name]).count(anchor) == 1


def anchors(text: str) -> list[str]:
    """Returns the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"(?ms)^```.*?^```$", "", text), re.MULTILINE)
    return [re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-")) for heading in headings]


@pytest.mark.parametrize("name", PAGES)
def test_every_row_of_a_table_has_as_many_cells_as_its_head(name: str) -> None:
    tables = re.findall(r"(?:^\|.*\|\n)+", PAGES[name], re.MULTILINE)
    for lines in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines.splitlines()}) == 1


def test_marks_of_markdown_are_escaped_outside_of_code_only() -> None:
    assert prose("a_b * `c_d`\n  [e|f] <g>") == r"a\_b \* `c_d` \[e\|f\] \<g\>"
    assert table(("a",), [("`x|y`",), (r"p\|q",)]).splitlines()[2:] == [r"| `x\|y` |", r"| p\|q |"]


def test_a_block_without_a_line_of_numpy_says_what_a_program_calls() -> None:
    page = category_page("Shape", [library["ReverseSequence"]])
    assert "# TensorFlow\n" in page
    assert "# NumPy\n" not in page
    assert "a NumPy program calls its function" in page
