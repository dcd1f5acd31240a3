"""Comma-separated values: no cell is taken for a formula, and numbers stay numbers."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.base.csv_text import csv_text


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|x", "-2+3", "@SUM(A1)", "\t=1", " =1", '=HYPERLINK("a")'])
def test_what_would_be_a_formula_is_text(cell: str) -> None:
    ((found,),) = csv.reader(io.StringIO(csv_text([[cell]]), newline=""))
    assert found == f"'{cell}"


@pytest.mark.parametrize("cell", ["-1.5", "+2", "-3e-7", "-inf", "1", "", "a", "main/x.y → main/e.x", "−1.2"])
def test_numbers_and_other_texts_stay(cell: str) -> None:
    assert csv_text([[cell]]) == f"{cell}\n" or cell == ""


@given(st.lists(st.text(max_size=8), min_size=1, max_size=4))
def test_a_reader_finds_no_formula(cells: list[str]) -> None:
    for found in next(csv.reader(io.StringIO(csv_text([cells]), newline=""))):
        assert not found.startswith(("=", "@"))


def test_cells_that_are_numbers_or_nothing_stay() -> None:
    assert csv_text([["a", -1, 2.5, None], [True, "", "-x", 3]]) == "a,-1,2.5,\nTrue,,'-x,3\n"
