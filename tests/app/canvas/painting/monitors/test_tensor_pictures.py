"""Pictures of tensors: which kind suits a shape, and what each shows of the numbers."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.app.canvas.painting.monitors.pictures import Curves, Heat, Histogram, Images, Points
from gradwire.app.canvas.painting.monitors.tensor_pictures import (
    MOST_CLASSES,
    MOST_COLUMNS,
    MOST_IMAGES,
    MOST_LINES,
    MOST_PIXELS,
    MOST_PLACES,
    MOST_POINTS,
    MOST_ROWS,
    as_images,
    classes_of,
    columns_of,
    evenly,
    kind_of,
    picture_of,
)
from gradwire.engine.base.errors import ShapeError


@pytest.mark.parametrize(
    ("shape", "kind"),
    [((), "curve"), ((5,), "curve"), ((5, 1), "curve"), ((5, 2), "points"), ((5, 3), "heat"), ((2, 5, 3), "image")],
)
def test_a_shape_has_its_kind_of_picture(shape: tuple[int, ...], kind: str) -> None:
    assert kind_of(np.zeros(shape)) == kind


@pytest.mark.parametrize(
    ("shape", "images"),
    [
        ((5, 7, 3), (1, 5, 7, 3)), ((5, 7, 1), (1, 5, 7, 1)), ((5, 7, 2), (5, 7, 2, 1)), ((4, 5, 6), (4, 5, 6, 1)),
        ((2, 5, 7, 3), (2, 5, 7, 3)), ((2, 5, 7, 1), (2, 5, 7, 1)), ((2, 3, 5, 7), (6, 5, 7, 1)),
        ((4, 9), (4, 3, 3, 1)),
        ((4, 1), None), ((4, 8), None), ((4,), None), ((1, 2, 3, 4, 5), None),
    ],
)  # fmt: skip
def test_tensors_are_images_by_their_shapes(shape: tuple[int, ...], images: tuple[int, ...] | None) -> None:
    found = as_images(np.arange(float(np.prod(shape))).reshape(shape))
    assert (None if found is None else found.shape) == images
    assert found is None or np.array_equal(found.ravel(), np.arange(found.size))


def test_classes_are_largest_columns_whole_numbers_or_a_few_numbers() -> None:
    assert classes_of(np.eye(3)[[2, 0]], 2).tolist() == [2, 0]  # type: ignore[union-attr]
    assert classes_of(np.array([7, 3]), 2).tolist() == classes_of(np.array([[7], [3]]), 2).tolist() == [7, 3]  # type: ignore[union-attr]
    assert classes_of(np.array([0.5, -1, 0.5]), 3).tolist() == [1, 0, 1]  # type: ignore[union-attr]
    few, many = (np.arange(count) / 4 for count in (MOST_CLASSES, MOST_CLASSES + 1))
    assert classes_of(few, len(few)) is not None and classes_of(many, len(many)) is None
    for target, count in ((None, 2), (np.ones(3), 2), (np.array(1.0), 1), (np.zeros((0, 2)), 0)):
        assert classes_of(target, count) is None


@pytest.mark.parametrize(("count", "most"), [(0, 4), (3, 4), (4, 4), (5, 4), (1000, 7)])
def test_indices_are_spread_from_the_first_to_the_last(count: int, most: int) -> None:
    found = evenly(count, most)
    assert len(found) == min(count, most) and len(set(found.tolist())) == len(found)
    assert count == 0 or (found[0], found[-1]) == (0, count - 1)
    assert count <= most or np.ptp(np.diff(found)) <= 1


def test_points_are_pairs_of_columns_with_their_classes() -> None:
    y, labels = np.arange(8.0).reshape(4, 2), np.array([1, 0, 1, 1])
    found = picture_of(y, None, labels)
    assert isinstance(found, Points)
    assert found.at.tolist() == y.tolist() and found.classes is not None and found.classes.tolist() == labels.tolist()
    beside = picture_of(y[:, :1], np.array([9.0, 8, 7, 6]), None, "points")
    assert isinstance(beside, Points) and beside.classes is None
    assert beside.at.tolist() == [[9, 0], [8, 2], [7, 4], [6, 6]]
    for wrong in (np.ones((4, 3)), np.ones((4, 1))):
        with pytest.raises(ShapeError, match="two columns"):
            picture_of(wrong, np.ones(3), None, "points")
    many = picture_of(np.zeros((MOST_POINTS + 1, 2)), None, None)
    assert isinstance(many, Points) and len(many.at) == MOST_POINTS
    with pytest.raises(ShapeError, match="no elements"):
        picture_of(np.zeros((0, 2)), None, None)


def test_curves_are_sorted_along_their_places() -> None:
    y = np.arange(6.0).reshape(3, 2)
    found = picture_of(y, np.array([3.0, 1.0, 2.0]), None, "curve")
    assert isinstance(found, Curves)
    assert (found.x.tolist(), found.y.tolist()) == ([1, 2, 3], y[[1, 2, 0]].tolist())
    for other in (None, np.ones((3, 2)), np.ones(4)):
        plain = picture_of(y, other, None, "curve")
        assert isinstance(plain, Curves) and plain.x.tolist() == [0, 1, 2]
    wide = picture_of(np.zeros((MOST_PLACES + 9, MOST_LINES + 1)), None, None, "curve")
    assert isinstance(wide, Curves) and wide.y.shape == (MOST_PLACES, MOST_LINES)


def test_a_heat_map_is_made_of_means() -> None:
    y = np.arange(12.0).reshape(3, 4)
    found = picture_of(y, None, None)
    assert isinstance(found, Heat) and found.cells.tolist() == y.tolist() and (found.rows, found.columns) == (3, 4)
    large = np.arange(2.0 * MOST_ROWS)[:, None] + np.arange(2.0 * MOST_COLUMNS)
    halved = picture_of(large, None, None)
    assert isinstance(halved, Heat) and halved.cells.shape == (MOST_ROWS, MOST_COLUMNS)
    np.testing.assert_allclose(halved.cells, large.reshape(MOST_ROWS, 2, MOST_COLUMNS, 2).mean(axis=(1, 3)))
    first = picture_of(np.stack([y, -y]), None, None, "heat")
    assert isinstance(first, Heat) and first.cells.tolist() == y.tolist()


def test_a_histogram_has_shares_of_the_finite_elements_by_rice_s_rule() -> None:
    numbers = np.append(np.repeat([0.0, 1.0, 3.0], [250, 500, 250]), [np.nan, np.inf])
    found = picture_of(numbers, None, np.ones(4), "histogram")
    assert isinstance(found, Histogram) and len(found.edges) == 2 * 10 + 1
    assert (found.edges[0], found.edges[-1]) == (0, 3) and found.shares.sum() == pytest.approx(1)
    assert (found.shares[0], found.shares[-1], found.shares.max()) == (0.25, 0.25, 0.5)
    assert found.others is not None and found.others.max() == 1
    few = picture_of(np.array([5.0, 5.0]), None, None, "histogram")
    assert isinstance(few, Histogram) and (len(few.edges), few.edges[0], few.edges[-1]) == (9, 4.5, 5.5)
    assert few.others is None
    many = picture_of(np.arange(20_000.0), None, None, "histogram")
    assert isinstance(many, Histogram) and len(many.edges) == 33


def test_images_reach_from_their_least_number_to_their_largest() -> None:
    y = np.array([[[-1.0, 0.0], [3.0, np.nan]], [[np.inf, -np.inf], [1.0, 1.0]]])
    found = picture_of(y, None, np.array([7, 9]))
    assert isinstance(found, Images) and found.labels == ("7", "9")
    np.testing.assert_allclose(found.pixels[..., 0], [[[0, 0.25], [1, 0]], [[1, 0], [0.5, 0.5]]])
    even = picture_of(np.full((1, 2, 2), 5.0), None, np.eye(3)[[1]])
    assert isinstance(even, Images) and not even.pixels.any() and even.labels == ("1",)
    large = picture_of(np.zeros((MOST_IMAGES + 1, MOST_PIXELS + 1, MOST_PIXELS * 2)), None, np.ones(3))
    assert isinstance(large, Images) and large.pixels.shape == (MOST_IMAGES, MOST_PIXELS, MOST_PIXELS, 1)
    assert large.labels == ()
    with pytest.raises(ShapeError, match="images need rows that are squares"):
        picture_of(np.zeros((2, 5)), None, None, "image")
    assert columns_of(np.array(2)).tolist() == [[2.0]] and columns_of(np.ones((2, 3, 4))).shape == (2, 12)


@pytest.mark.parametrize(
    ("target", "labels"),
    [
        (None, ()),
        (np.asarray(1.0), ()),
        (np.ones(3), ()),
        (np.array([1.0, 2.5]), ("1", "2.5")),
        (np.array([[1.0], [12345.0]]), ("1", "1.234e+04")),
        (np.array([[0.0, 9.0], [3.0, 1.0]]), ("1", "0")),
        (np.zeros((2, 2, 2)), ("0", "0")),
    ],
)
def test_images_are_called_by_their_class_or_number(target: np.ndarray | None, labels: tuple[str, ...]) -> None:
    found = picture_of(np.arange(8.0).reshape(2, 2, 2), None, target, "image")
    assert isinstance(found, Images) and found.labels == labels


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_points_of_one_column_stand_over_the_first_column_of_the_input(columns: int) -> None:
    y, x = np.array([[5.0], [6.0], [7.0]]), np.arange(3.0 * columns).reshape(3, columns)
    found = picture_of(y, x, None, "points")
    assert isinstance(found, Points)
    np.testing.assert_array_equal(found.at, np.stack([x[:, 0], y[:, 0]], axis=1))
    for other in (None, x[:2]):
        with pytest.raises(ShapeError, match="two columns, not 1"):
            picture_of(y, other, None, "points")
