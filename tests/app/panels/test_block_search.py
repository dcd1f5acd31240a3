"""Blocks are found by what people call them, here and elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from app.panels.block_search import (
    LONGEST_FORMULA,
    constant_from,
    find_blocks,
    nearest_blocks,
    placeable_types,
    short_formula,
)
from engine.library import library


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("tf.stop_gradient", "StopGradient"),
        ("stop_gradient", "StopGradient"),
        ("detach", "StopGradient"),
        (".detach()", "StopGradient"),
        ("x.detach()", "StopGradient"),
        ("lax.stop_gradient", "StopGradient"),
        ("jax.lax.stop_gradient(x)", "StopGradient"),
        ("reduce_max", "ReduceMax"),
        ("rmax", "ReduceMax"),
        ("max", "ReduceMax"),
        ("jnp.max", "ReduceMax"),
        ("torch.amax(x, dim=1)", "ReduceMax"),
        ("sum", "ReduceSum"),
        ("mean", "ReduceMean"),
        ("np.exp", "Exp"),
        ("exp", "Exp"),
        ("mul", "Multiply"),
        ("unsqueeze", "ExpandDims"),
        ("cat", "Concat"),
        ("-", "Subtract"),
        ("@", "MatMul"),
        ("==", "Equal"),
        ("Σ", "ReduceSum"),
        ("√", "Sqrt"),
        ("  ADD ", "Add"),
    ],
)
def test_the_block_that_is_meant_comes_first(query: str, name: str) -> None:
    assert find_blocks(query)[0].type.name == name


def test_a_category_finds_its_blocks() -> None:
    assert {hit.type.category for hit in find_blocks("losses")} == {"Losses"}


def test_nothing_typed_gives_the_usual_six() -> None:
    assert [hit.type.name for hit in find_blocks("")] == ["Input", "Variable", "Add", "MatMul", "StopGradient", "Loss"]


def test_nothing_typed_gives_what_was_used_most() -> None:
    names = [hit.type.name for hit in find_blocks(" ", used={"Tanh": 3, "Erf": 5})]
    assert names[:3] == ["Erf", "Tanh", "Input"]
    assert len(names) == 6


def test_of_equal_hits_the_one_used_more_comes_first() -> None:
    assert find_blocks("soft", used={"Softsign": 1})[0].type.name == "Softsign"


def test_only_what_fits_is_found() -> None:
    hits = find_blocks("max", lambda item: item.name != "ReduceMax")
    assert hits and all(hit.type.name != "ReduceMax" for hit in hits)


def test_nonsense_finds_nothing_but_what_is_near_is_named() -> None:
    assert find_blocks("foo") == []
    assert nearest_blocks("redukmax")[0].name == "ReduceMax"
    assert len(nearest_blocks("reduse")) <= 3


@pytest.mark.parametrize("query", ["(", "[", "\\", "*", ".", "tf.", "{x}", "_", "\0", "a" * 5000])
def test_no_text_is_too_odd_to_search(query: str) -> None:
    find_blocks(query)
    nearest_blocks(query)


def test_parts_of_gradient_rules_and_page_blocks_cannot_be_placed() -> None:
    names = {item.name for item in placeable_types()}
    assert names.isdisjoint({"SumTo", "ScatterGradient", "Page", "PageInput", "PageOutput"})
    assert names >= {"Input", "StopGradient", "Loss", "Where"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        (" .5", 0.5),
        ("−2", -2.0),
        ("1e3", 1000.0),
        ("nan", np.nan),
        ("-inf", -np.inf),
        ("+Infinity", np.inf),
        ("[1,2,3]", [1.0, 2.0, 3.0]),
        ("[1., nan, -inf]", [1.0, np.nan, -np.inf]),
        ("[[1, 2], [3, 4]]", [[1.0, 2.0], [3.0, 4.0]]),
    ],
)
def test_numbers_make_a_constant(text: str, value: object) -> None:
    found = constant_from(text)
    assert found is not None
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, np.array(value))


@pytest.mark.parametrize(
    "text", ["", "e", "add", "[", "[1,]", "1 2", "1-2", "[[1,2],[3]]", "--1", "1_0", "__import__('os')", "[" * 5000]
)
def test_other_texts_make_no_constant(text: str) -> None:
    assert constant_from(text) is None


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("Add", "x + y"),
        ("Exp", "e^x"),
        ("ReduceMax", "max"),
        ("StopGradient", "∂ → 0"),
        ("Square", "x²"),
        ("Rsqrt", "1 / √x"),
        ("Huber", ""),
    ],
)
def test_short_formulas(name: str, formula: str) -> None:
    assert short_formula(library[name]) == formula


def test_no_short_formula_is_long_or_has_latex_in_it() -> None:
    for item in placeable_types():
        formula = short_formula(item)
        assert len(formula) <= LONGEST_FORMULA
        assert not set(formula) & set("\\{}_")
