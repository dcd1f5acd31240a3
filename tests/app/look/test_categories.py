"""The colour and icon of every block type."""

from __future__ import annotations

import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.look.categories import category_look, color_token, icon_name
from gradwire.app.look.icons import icon_source
from gradwire.app.look.theme import theme
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.block_search import placeable_types
from tests.blocks.contract.contract import in_one_test

GREY = "text.tertiary"


@in_one_test(list(library))
def test_a_type_has_a_colour_and_an_icon_that_exist(block_type: BlockType) -> None:
    for chosen in ("dark", "light"):
        assert theme(chosen).color(color_token(block_type)).isValid()
    assert icon_source(icon_name(block_type)).startswith("<svg")


@in_one_test(placeable_types())
def test_what_can_be_placed_is_not_grey(block_type: BlockType) -> None:
    assert color_token(block_type).startswith("cat.")
    assert icon_name(block_type) != "help"


def test_an_unknown_type_is_grey_with_a_question_mark() -> None:
    assert (color_token(None), icon_name(None)) == (GREY, "help")


def test_an_unknown_category_is_grey_with_a_question_mark() -> None:
    assert category_look("Nowhere") == (GREY, "help")


@pytest.mark.parametrize(
    ("name", "token"),
    [
        ("Loss", "cat.loss"),
        ("Variable", "cat.variable"),
        ("Input", "cat.source"),
        ("ReduceMax", "cat.reduce"),
        ("StopGradient", "cat.gradient"),
        ("MatMul", "cat.linalg"),
        ("Exp", "cat.math"),
        ("Reshape", "cat.shape"),
        ("Relu", "cat.activation"),
    ],
)
def test_a_category_has_its_colour(name: str, token: str) -> None:
    assert color_token(library[name]) == token


def test_categories_in_the_palette_differ_in_colour_or_icon() -> None:
    categories = {item.category for item in placeable_types()}
    looks = set(map(category_look, categories))
    assert len(looks) == len(categories)
