"""Layers that repeat on a page are found whatever their blocks are called, and in linear time."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.graph.graph import Block, Page, Port, Wire
from gradwire.engine.layout.folds import Fold, folds_of
from tests.engine.calls import count_calls

Widths = Sequence[int]


def net(widths: Widths, activation: str = "Tanh", has_skips: bool = False, order: int | None = None) -> Page:
    """Returns a net of dense layers from an Input to a Loss; `order` shuffles the blocks of the file."""
    blocks, ends, last = {"x": Block("x", "Input")}, dict[Port, Port](), Port("x", "y")
    for number in range(1, len(widths)):
        names = {kind: f"{kind}{number}" for kind in ("w", "product", "b", "sum", "act", "skip")}
        kinds = {"w": "Variable", "product": "MatMul", "b": "Variable", "sum": "Add", "act": activation}
        blocks |= {names[kind]: Block(names[kind], kinds[kind]) for kind in kinds}
        ends[Port(names["product"], "a")], ends[Port(names["product"], "b")] = last, Port(names["w"], "y")
        ends[Port(names["sum"], "x")] = Port(names["product"], "y")
        ends[Port(names["sum"], "y")] = Port(names["b"], "y")
        ends[Port(names["act"], "x")] = Port(names["sum"], "z")
        before, last = last, Port(names["act"], "y")
        if has_skips:
            blocks[names["skip"]] = Block(names["skip"], "Add")
            ends[Port(names["skip"], "x")], ends[Port(names["skip"], "y")] = before, last
            last = Port(names["skip"], "z")
    blocks["loss"] = Block("loss", "Loss")
    ends[Port("loss", "x")] = last
    ids = list(blocks)
    if order is not None:
        random.Random(order).shuffle(ids)
    wires = {target: Wire(source, target) for target, source in ends.items()}
    return Page("main", {name: blocks[name] for name in ids}, wires)


def kinds_of(page: Page, widths: Widths) -> dict[str, tuple[object, ...]]:
    """Returns the type and the shape of each block of a net."""
    number = {name: int("".join(filter(str.isdigit, name)) or 0) for name in page.blocks}
    shape = {name: (widths[number[name] - 1], widths[number[name]]) if name[0] in "wp" else widths[number[name]]
             for name in page.blocks}  # fmt: skip
    return {name: (block.type, shape[name]) for name, block in page.blocks.items()}


def found(page: Page, widths: Widths) -> tuple[Fold, ...]:
    return folds_of(page, kinds_of(page, widths))


def pattern(fold: Fold) -> list[list[str]]:
    return [[name.rstrip("0123456789") for name in layer] for layer in fold.layers]


@pytest.mark.parametrize("has_skips", [False, True])
def test_layers_of_a_deep_net_are_one_fold_from_the_product_to_the_activation(has_skips: bool) -> None:
    (fold,) = found(net([8] * 61, has_skips=has_skips), [8] * 61)
    assert len(fold.layers) == 60
    assert fold.layers[0][:5] == ("w1", "product1", "b1", "sum1", "act1")
    assert len(fold.layers[0]) == 5 + has_skips


def test_groups_of_other_shapes_are_stages() -> None:
    widths = [4, *[16] * 13, *[8] * 7]
    folds = found(net(widths), widths)
    assert sorted(len(fold.layers) for fold in folds) == [6, 12]
    assert all(len({tuple(layer) for layer in pattern(fold)}) == 1 for fold in folds)


def test_three_layers_and_a_chain_of_one_block_do_not_fold() -> None:
    assert found(net([8] * 4), [8] * 4) == ()
    steps = [f"s{number}" for number in range(40)]
    wires = [Wire(Port(a, "y"), Port(b, "x")) for a, b in itertools.pairwise(steps)]
    chain = Page("main", {name: Block(name, "Tanh") for name in steps}, {wire.target: wire for wire in wires})
    assert folds_of(chain, dict.fromkeys(steps, "Tanh")) == ()


def test_a_layer_of_another_activation_parts_the_others() -> None:
    page = net([8] * 11)
    kinds: Mapping[str, object] = kinds_of(page, [8] * 11) | {"act6": ("Relu", 8)}
    assert sorted(len(fold.layers) for fold in folds_of(page, kinds)) == [4, 5]


def test_rounds_that_share_their_weights_are_layers() -> None:
    blocks = {"h": Block("h", "Input"), "w": Block("w", "Variable")}
    ends, last = dict[Port, Port](), Port("h", "y")
    for number in range(8):
        product, act = f"product{number}", f"act{number}"
        blocks |= {product: Block(product, "MatMul"), act: Block(act, "Tanh")}
        ends[Port(product, "a")], ends[Port(product, "b")] = last, Port("w", "y")
        ends[Port(act, "x")], last = Port(product, "y"), Port(act, "y")
    page = Page("main", blocks, {target: Wire(source, target) for target, source in ends.items()})
    (fold,) = folds_of(page, {name: block.type for name, block in blocks.items()})
    assert [layer for layer in fold.layers if layer == ("product3", "act3")]
    assert len(fold.layers) == 8


@given(st.lists(st.sampled_from([4, 8]), min_size=2, max_size=24), st.booleans(), st.integers(0, 3))
def test_folds_hold_equal_layers_whatever_the_order_of_the_file(widths: list[int], skips: bool, order: int) -> None:
    skips = skips and len(set(widths)) == 1
    page, kinds = net(widths, has_skips=skips, order=order), kinds_of(net(widths, has_skips=skips), widths)
    folds = folds_of(page, kinds)
    blocks = [name for fold in folds for layer in fold.layers for name in layer]
    assert len(blocks) == len(set(blocks))
    for fold in folds:
        assert len(fold.layers) >= 4
        assert len({tuple(kinds[name] for name in layer) for layer in fold.layers}) == 1
    assert set(map(frozenset, folds)) == set(map(frozenset, folds_of(net(widths, has_skips=skips), kinds)))


def test_four_times_as_many_blocks_take_about_four_times_as_many_calls() -> None:
    def calls(count: int) -> int:
        widths = [8] * count
        return count_calls(functools.partial(found, net(widths), widths))

    assert calls(241) <= 4.4 * calls(61)
