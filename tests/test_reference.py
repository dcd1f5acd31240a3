"""The reference pages are made from the blocks, and cannot go stale."""

from __future__ import annotations

import re

import pytest

from engine.library import library
from scripts.make_reference import FOLDER, pages

PAGES = pages()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_committed_page_is_the_one_that_the_blocks_give(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name], "run: make reference"


def test_there_are_no_other_pages() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


def test_every_block_type_has_one_entry() -> None:
    entries = [name for text in PAGES.values() for name in re.findall(r"(?m)^## (\S+)$", text)]
    assert sorted(entries) == sorted(item.name for item in library)
