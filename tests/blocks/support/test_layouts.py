"""Layouts of images: the order of their axes, and which numbers may be given for the axes of space."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.blocks.support.layouts import Layout, last_spec, layout_of, spec_back
from gradwire.blocks.support.window_spellings import both_sides, channels_as_given, channels_first, filters_first, whole
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import TensorSpec

F8 = np.dtype(float)


@pytest.mark.parametrize(
    ("layout", "ndim", "order", "back"),
    [
        (Layout(1, False), 3, (0, 1, 2), (0, 1, 2)),
        (Layout(1, True), 3, (0, 2, 1), (0, 2, 1)),
        (Layout(2, True), 4, (0, 2, 3, 1), (0, 3, 1, 2)),
        (Layout(3, True), 5, (0, 2, 3, 4, 1), (0, 4, 1, 2, 3)),
        (Layout(2, True), 5, (0, 1, 3, 4, 2), (0, 1, 4, 2, 3)),
        (Layout(1, True), 5, (0, 1, 2, 4, 3), (0, 1, 2, 4, 3)),
    ],
)
def test_channels_move_behind_space_and_back(layout: Layout, ndim: int, order: Any, back: Any) -> None:
    assert (layout.order(ndim), layout.order_back(ndim)) == (order, back)
    image = np.zeros(range(2, 2 + ndim))
    assert layout.channels_last(image).shape == tuple(image.shape[axis] for axis in order)
    assert layout.channels_back(layout.channels_last(image)).shape == image.shape


@pytest.mark.parametrize(
    ("name", "spatial", "is_first"),
    [("NHWC", 2, False), ("NCHW", 2, True), ("NWC", 1, False), ("NCW", 1, True), ("NCDHW", 3, True), (None, 2, False)],
)
def test_the_second_letter_says_where_channels_are(name: str | None, spatial: int, is_first: bool) -> None:
    assert layout_of(spatial, name) == Layout(spatial, is_first)


LAST, FIRST = Layout(2, False), Layout(2, True)


@pytest.mark.parametrize(
    ("layout", "given", "sizes"),
    [
        (LAST, None, (1, 1)),
        (LAST, 3, (3, 3)),
        (LAST, (3,), (3, 3)),
        (LAST, (2, 3), (2, 3)),
        (LAST, (1, 2, 3, 1), (2, 3)),
        (FIRST, (1, 1, 2, 3), (2, 3)),
        (LAST, (2, 2, 3, 1), None),
        (LAST, (1, 2, 3, 2), None),
        (FIRST, (1, 2, 3, 1), None),
        (FIRST, (2, 1, 3, 4), None),
        (LAST, (1, 2, 3), None),
        (LAST, (), None),
        (LAST, 0, None),
        (LAST, (1, 1), (1, 1)),
        (LAST, (2, 0), None),
        (LAST, (1, 0, 2, 1), None),
        (LAST, -1, None),
        (Layout(1, False), (1, 2, 1), (2,)),
        (Layout(1, True), (1, 1, 2), (2,)),
        (Layout(1, False), 4, (4,)),
        (Layout(3, True), (1, 1, 2, 3, 4), (2, 3, 4)),
        (Layout(3, False), (1, 2, 3, 4, 1), (2, 3, 4)),
        (Layout(3, False), (2, 3), None),
    ],
)
def test_sizes_are_one_number_or_one_for_each_axis(layout: Layout, given: Any, sizes: Any) -> None:
    if sizes is not None:
        assert layout.sizes(given, "strides") == sizes
        return
    with pytest.raises(ParameterError, match="strides must be"):
        layout.sizes(given, "strides")


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (Layout(1, False), "k must be one number, or [1, columns, 1], at least 1"),
        (Layout(1, True), "k must be one number, or [1, 1, columns], at least 1"),
        (Layout(2, False), "k must be one number, 2, or [1, rows, columns, 1], at least 1"),
        (Layout(3, True), "k must be one number, 3, or [1, 1, planes, rows, columns], at least 1"),
    ],
)
def test_a_refusal_says_which_sizes_fit(layout: Layout, message: str) -> None:
    with pytest.raises(ParameterError) as refused:
        layout.sizes(0, "k")
    assert str(refused.value) == message


NONE = (0, 0)


@pytest.mark.parametrize(
    ("layout", "given", "borders"),
    [
        (LAST, "SAME", "SAME"),
        (LAST, (NONE, (1, 2), (3, 4), NONE), ((1, 2), (3, 4))),
        (FIRST, (NONE, NONE, (1, 2), (3, 4)), ((1, 2), (3, 4))),
        (LAST, (NONE, NONE, (1, 2), (3, 4)), None),
        (FIRST, (NONE, (1, 2), (3, 4), NONE), None),
        (LAST, ((0, 1), (1, 2), (3, 4), NONE), None),
        (LAST, ((1, 2), (3, 4)), None),
        (LAST, (NONE, (1, 2), NONE), None),
        (Layout(1, False), (NONE, (1, 2), NONE), ((1, 2),)),
    ],
)
def test_borders_are_pairs_for_all_axes_with_none_for_batch_and_channels(
    layout: Layout, given: Any, borders: Any
) -> None:
    if borders is not None:
        assert layout.borders(given) == borders
        assert layout.plain(padding=given, strides=2) == {"strides": (2,) * layout.spatial, "padding": borders}
        return
    with pytest.raises(ParameterError, match=f"{layout.spatial + 2} pairs"):
        layout.borders(given)


@pytest.mark.parametrize(
    ("shape", "has_one_batch", "last"),
    [
        ((2, 3, 4, 5), True, (2, 4, 5, 3)),
        ((3, 4, 5), True, None),
        ((6, 2, 3, 4, 5), True, None),
        ((6, 2, 3, 4, 5), False, (6, 2, 4, 5, 3)),
        ((3, 4, 5), False, None),
    ],
)
def test_an_image_has_batch_space_and_channels(shape: Any, has_one_batch: bool, last: Any) -> None:
    if last is None:
        with pytest.raises(ShapeError, match="4 axes: batch, rows, columns and channels"):
            last_spec(TensorSpec(shape, F8), FIRST, has_one_batch=has_one_batch)
        return
    found = last_spec(TensorSpec(shape, F8), FIRST, has_one_batch=has_one_batch)
    assert found == TensorSpec(last, F8)
    assert spec_back(found, FIRST) == TensorSpec(shape, F8)


@pytest.mark.parametrize(
    ("padding", "strides", "expected"),
    [
        ("SAME", (1, 1), "same"),
        ("SAME", (1, 2), None),
        ("SAME", (2, 2), None),
        ("VALID", (2, 3), (0, 0)),
        ("VALID", (2,), (0,)),
        (((1, 1), (2, 2)), (2, 2), (1, 2)),
        (((1, 2), (2, 2)), (1, 1), None),
        (((1, 1), (2, 3)), (1, 1), None),
        (((0, 0),), (1,), (0,)),
    ],
)
def test_pytorch_pads_both_sides_alike(padding: Any, strides: Any, expected: Any) -> None:
    assert both_sides(padding, strides) == expected


@pytest.mark.parametrize(
    ("spatial", "numbers", "last", "first", "into", "back", "filters"),
    [
        (1, (5,), (1, 5, 1), (1, 1, 5), "(0, 2, 1)", "(0, 2, 1)", "(2, 1, 0)"),
        (2, (5, 6), (1, 5, 6, 1), (1, 1, 5, 6), "(0, 3, 1, 2)", "(0, 2, 3, 1)", "(3, 2, 0, 1)"),
        (3, (5, 6, 7), (1, 5, 6, 7, 1), (1, 1, 5, 6, 7), "(0, 4, 1, 2, 3)", "(0, 2, 3, 4, 1)", "(4, 3, 0, 1, 2)"),
    ],
)
def test_lines_in_pytorch_turn_axes(
    spatial: int, numbers: Any, last: Any, first: Any, into: str, back: str, filters: str
) -> None:
    behind, before = Layout(spatial, False), Layout(spatial, True)
    assert (whole(numbers, behind), whole(numbers, before)) == (last, first)
    assert (channels_first("x", behind), channels_first("x", before)) == (f"x.permute{into}", "x")
    assert (channels_as_given("y", behind), channels_as_given("y", before)) == (f"y.permute{back}", "y")
    assert channels_as_given("", behind) == ""
    assert filters_first("f", spatial) == f"f.permute{filters}"
    turned = np.zeros((2, *numbers, 3)).transpose(eval(into))
    assert turned.shape == (2, 3, *numbers) and turned.transpose(eval(back)).shape == (2, *numbers, 3)
