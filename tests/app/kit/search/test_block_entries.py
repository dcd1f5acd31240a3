"""What can be placed, as entries of a search: which come, in which order, and what a choice gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.app.kit.search.block_entries import BlockSearch, Ends, TypedCode, offer_entry
from gradwire.app.kit.search.entries import Entry
from gradwire.app.kit.search.ranking import ranked
from gradwire.app.live.editing import NewBlock
from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.blocks.layers.open_weights import Weights
from gradwire.engine.blocktypes.library import library

VALUES = "A value or a formula makes blocks too: [1, 2], y = W @ x + b, dense 8 tanh."


def found(query: str, **search: Any) -> tuple[list[Entry], str]:
    """Returns the entries for a query, best first, and the message."""
    scored, message = BlockSearch(lambda choice: choice, **search).found(query)
    return ranked(scored), message


def texts(query: str, **search: Any) -> list[str]:
    return [entry.text for entry in found(query, **search)[0]]


def chosen(entry: Entry) -> object:
    """Returns what a choice of an entry gives; parameters as they are compared."""
    choice = entry.call()
    if not isinstance(choice, NewBlock):
        return choice
    value = {name: np.asarray(item).tolist() for name, item in choice.parameters.items() if name != "start"}
    return choice.type_name, value, choice.name


@pytest.mark.parametrize(
    ("query", "first", "expected"),
    [
        ("relu", "Relu", ("Relu", {}, None)),
        ("dense", "Dense", ("layers.Dense", {}, None)),
        ("dense 8 tanh", "Dense 8 tanh", ("layers.Dense", {"units": 8, "activation": "tanh"}, None)),
        ("[1, 2]", "Constant", ("Constant", {"value": [1, 2]}, None)),
        ("x = [1, 2]", "Input", ("Input", {"value": [1, 2]}, "x")),
        ("y = W @ x + b", "y = W @ x + b", TypedCode("y = W @ x + b")),
        (" dense 8, dense 3 ", "dense 8, dense 3", TypedCode("dense 8, dense 3")),
        ("a = exp(x)\nb = a * 2", "a = exp(x)\nb = a * 2", TypedCode("a = exp(x)\nb = a * 2")),
    ],
)
def test_a_choice_gives_what_was_typed(query: str, first: str, expected: object) -> None:
    entries, message = found(query)
    assert (entries[0].text, message, chosen(entries[0])) == (first, "", expected)


@pytest.mark.parametrize(
    ("query", "only", "message"),
    [
        ("y = W @ x + b", "y = W @ x + b", "Enter makes 5 blocks."),
        ("dense 8, dense 3", "dense 8, dense 3", "Enter makes "),
    ],
)
def test_a_formula_says_how_many_blocks_it_makes(query: str, only: str, message: str) -> None:
    entry = found(query)[0][0]
    assert (entry.text, entry.formula) == (only, "")
    assert entry.hint.startswith(message) and entry.detail in entry.hint


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("y = foo(x)", "Column 5: foo is not known here"),
        ("softmaxx", 'No block is called "softmaxx". The nearest names are Softmax, '),
        (" qqqqqqq ", 'No block is called "qqqqqqq". The nearest names are '),
    ],
)
def test_what_has_no_block_is_said(query: str, message: str) -> None:
    assert found(query)[1].startswith(message)


def test_a_word_that_others_use_is_explained() -> None:
    entry = found("freeze")[0][0]
    assert entry.text == "StopGradient" and entry.hint.startswith('"freeze" is StopGradient here. ')


def test_the_nearest_names_are_rows_only_if_they_are_similar() -> None:
    assert "Softmax" in texts("softmaxx") and texts("qqqqqqq") == []


def test_where_only_some_blocks_fit_nothing_else_comes() -> None:
    """At a wire one block comes, so no formula, and no layer whose output does not fit."""
    assert texts("y = W @ x", fits=lambda _: True) == texts("y = W @ x", fits=lambda _: False) == []
    assert texts("dense 8 tanh", fits=lambda _: True) == ["Dense 8 tanh"]
    assert texts("dense 8 tanh", fits=lambda item: item.name != "Dense") == ["Tanh"]
    assert found("dense 8, dense 3", fits=lambda _: True) == ([], "Here one layer at a time: Dense 8.")
    assert texts("[1, 2]", fits=lambda item: item.name == "Variable") == ["Variable"]
    assert texts("relu", fits=lambda item: item.name in ("Relu6", "Exp")) == ["Relu6"]


def test_one_layer_behind_a_comma_is_one_layer() -> None:
    assert texts("dense 8,", fits=lambda _: True) == texts("dense 8", fits=lambda _: True) == ["Dense 8"]
    assert texts("dense 8,") == ["Dense 8"]


@pytest.mark.parametrize(
    ("query", "pages", "expected"),
    [
        ("relu", ("relu", "Relus", "other"), ["relu", "Scan of relu", "Relu", "Relu6"]),
        ("loop", ("cell", "other"), ["Scan of cell", "Scan of other"]),
        ("Scan", ("cell",), ["Scan of cell"]),
        ("sca", ("scale",), ["Scan of scale"]),
        ("s", ("step",), ["step", "Scan of step"]),
        ("", ("step",), []),
    ],
)
def test_pages_come_as_blocks_and_as_loops(query: str, pages: tuple[str, ...], expected: list[str]) -> None:
    rows = texts(query, pages=pages)
    kept = [text for text in rows if text in expected]
    assert kept == expected
    assert ("Scan" in rows) is (query == "s"), rows


def test_pages_that_only_contain_the_query_come_last() -> None:
    rows = texts("relu", pages=("relus",))
    assert rows[0] == "Relu" and rows[-2:] == ["relus", "Scan of relus"]
    entries = {entry.text: entry for entry in found("relu", pages=("relus",))[0]}
    assert chosen(entries["relus"]) == "relus"
    assert chosen(entries["Scan of relus"]) == ("Scan", {"page": "relus"}, None)


def test_only_pages_whose_names_hold_the_query_come() -> None:
    rows = texts("enc", pages=("Encoder", "Decoder", "head"))
    assert "Encoder" in rows and {"Decoder", "head"}.isdisjoint(rows)


def test_without_pages_a_loop_is_the_block_itself() -> None:
    assert "Scan" in texts("loop") and "Scan" in texts("scan")
    assert "Scan" in texts("s", pages=("cell",)) and "Scan of cell" not in texts("s", pages=("cell",))


OPEN, FULL = Weights((2, None), "float64", 3), Weights((2, 4), "float64", 3)


@pytest.mark.parametrize(
    ("query", "many", "weights", "shape"),
    [
        ("", 0, OPEN, "2 × [ ]"),
        ("", 1, OPEN, None),
        ("", 0, FULL, None),
        ("5", 0, OPEN, "2 × 5"),
        ("5", 1, OPEN, None),
        ("w", 1, OPEN, "2 × [ ]"),
        ("Weights 12 ", 0, OPEN, "2 × 12"),
        ("weights", 2, FULL, "2 × 4"),
        ("relu", 0, OPEN, None),
        ("[5]", 0, OPEN, None),
        ("weights", 0, None, None),
    ],
)
def test_weights_that_fit_are_the_first_row(query: str, many: int, weights: Weights | None, shape: str | None) -> None:
    rows = found(query, ends=Ends("sum", "product", many, weights))[0]
    assert [entry.text for entry in rows if entry.text.startswith("Weights")] == ([f"Weights {shape}"] if shape else [])
    if shape:
        sizes = [int(size) if size.isdigit() else 8 for size in shape.split(" × ")]
        assert chosen(rows[0]) == ("Variable", {"shape": sizes}, None)
        is_open = "Type a number for [ ]; without one it is 8."
        assert rows[0].hint == (is_open if "[" in shape else f"Enter connects it to product. {VALUES}")


def test_the_hint_names_the_blocks_that_read_or_are_fed() -> None:
    ends = Ends("sum", "product")
    assert found("relu", ends=ends)[0][0].hint == f"Enter connects it to sum. {VALUES}"
    assert found("[1]", ends=ends)[0][0].hint == f"Enter connects it to product. {VALUES}"
    assert found("relu")[0][0].hint == VALUES
    assert "complex numbers" in found("eig")[0][0].hint


@pytest.mark.parametrize(
    ("query", "formula"), [("3", "3"), ("[1, 2, 3, 4]", "1 2 3 4"), ("[1, 2, 3, 4, 5]", "[5]"), ("[[1, 2]]", "[1×2]")]
)
def test_a_value_shows_few_numbers_else_its_shape(query: str, formula: str) -> None:
    assert {entry.formula for entry in found(query)[0][:3]} == {formula}


def test_an_entry_says_what_a_block_is() -> None:
    block, layer = library["Exp"], LAYERS["Dense"]
    entry = offer_entry(block, lambda: None)
    assert (entry.id, entry.text, entry.detail, entry.formula) == ("type:Exp", "Exp", block.category, "e^x")
    assert (entry.block, entry.tip) == ("Exp", block.summary)
    entry = offer_entry(layer, lambda: None)
    assert (entry.id, entry.text, entry.formula, entry.block) == ("type:layers.Dense", "Dense", "", "layers.Dense")


def test_of_several_ends_types_with_as_many_inputs_come_first() -> None:
    assert [texts("max", ends=Ends(many=many))[0] for many in (1, 2)] == ["ReduceMax", "Maximum"]
