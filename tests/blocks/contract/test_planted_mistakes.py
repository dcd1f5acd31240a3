"""The contract of block types finds mistakes: each planted block here breaks one of its laws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gradwire.blocks.zero_safe import DivNoNan
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType, Differentiable, block
from tests.blocks.contract import test_every_block as contract
from tests.blocks.contract.contract import in_one_test
from tests.blocks.samplers.samples import RANGES, Range

Law = Callable[[BlockType], None]


def planted(rule: Callable[..., Any] | None, differentiable: Differentiable = "twice") -> BlockType:
    """Returns a cube root with the given rule."""

    @block("Elementwise", formula="y = x^{1/3}", gradient_formula=r"\bar x", differentiable=differentiable)
    def CubeRoot(x: Array) -> Array:
        """The cube root of each element."""
        return np.cbrt(x)

    if rule is not None:
        CubeRoot.gradient(rule)
    return CubeRoot


def right(g: Any, x: Any, y: Any) -> Any:
    return DivNoNan(g, y * y * 3)


def careless(g: Any, x: Any, y: Any) -> Any:
    return g / (y * y * 3)


def wrong(g: Any, x: Any, y: Any) -> Any:
    return g / (y * y)


@pytest.fixture(autouse=True)
def _positive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RANGES, "CubeRoot", {"x": Range(signed=False)})


def test_a_right_block_passes() -> None:
    block_type = planted(right)
    contract.test_it_has_a_gradient_rule_exactly_if_it_declares_that_it_is_differentiable([block_type])
    contract.test_gradients_equal_central_differences_unless_cut_by_definition(block_type)
    contract.test_second_derivatives_equal_central_differences_where_they_are_promised(block_type)
    contract.test_a_gradient_of_zero_stays_zero_at_singular_points([block_type])


def of_types(law: Callable[[list[BlockType]], None]) -> Law:
    """Returns a law that one test checks of all types as a law of one type."""
    return lambda block_type: law([block_type])


@pytest.mark.parametrize(
    ("block_type", "law", "message"),
    [
        (
            planted(careless),
            of_types(contract.test_a_gradient_of_zero_stays_zero_at_singular_points),
            "the gradient of x is .*nan",
        ),
        (
            planted(wrong),
            contract.test_gradients_equal_central_differences_unless_cut_by_definition,
            "central differences",
        ),
        (
            planted(None, "never"),
            contract.test_gradients_equal_central_differences_unless_cut_by_definition,
            "declare it as differentiable='cut'",
        ),
        (
            planted(None),
            of_types(contract.test_it_has_a_gradient_rule_exactly_if_it_declares_that_it_is_differentiable),
            "differentiable='never'",
        ),
        (
            planted(right, "never"),
            of_types(contract.test_it_has_a_gradient_rule_exactly_if_it_declares_that_it_is_differentiable),
            "differentiable='never'",
        ),
        (
            planted(right, "once"),
            contract.test_second_derivatives_equal_central_differences_where_they_are_promised,
            "differentiable='twice'",
        ),
    ],
    ids=["NaN at 0", "wrong slope", "not declared as cut", "no rule", "rule though never", "twice though once"],
)
def test_a_mistake_is_found(block_type: BlockType, law: Law, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        law(block_type)


def test_a_law_in_one_test_names_all_types_that_break_it() -> None:
    def law(block_type: BlockType) -> None:
        assert block_type.name != "CubeRoot", "a reason"

    with pytest.raises(AssertionError, match=r"CubeRoot.*a reason"):
        in_one_test([])(law)([planted(right), planted(wrong)])
