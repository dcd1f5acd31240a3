"""Crops whose numbers are known from geometry, and what crosses the border of the image."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw

IMAGE = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
WHOLE = np.array([[0.0, 0, 1, 1]], np.float32)
FIRST = np.zeros(1, np.int32)


def test_the_whole_image_comes_back_and_a_turned_box_mirrors_it() -> None:
    same = gw.CropAndResize(IMAGE, WHOLE, FIRST, crop_size=[4, 4])
    np.testing.assert_array_equal(same, IMAGE)
    mirrored = gw.CropAndResize(IMAGE, WHOLE[:, [2, 1, 0, 3]], FIRST, crop_size=[4, 4])
    np.testing.assert_array_equal(mirrored, IMAGE[:, ::-1])


def test_outside_the_image_is_the_extrapolation_value_which_passes_nothing() -> None:
    image = gw.Input(IMAGE)
    y = gw.CropAndResize(image, WHOLE * 2, FIRST, crop_size=[2, 2], extrapolation_value=-1.0)
    run = gw.evaluate(gw.Loss(y))
    np.testing.assert_array_equal(run.value(y).ravel(), [0, -1, -1, -1])
    assert run.gradient(image).sum() == 1


def test_the_nearest_pixel_gets_the_gradient_and_the_boxes_that_of_the_bilinear_crop() -> None:
    boxes = np.array([[0.1, 0.2, 0.7, 0.9]], np.float32)
    gradients = {}
    for method in ("nearest", "bilinear"):
        image, box = gw.Input(IMAGE), gw.Input(boxes)
        run = gw.evaluate(gw.Loss(gw.CropAndResize(image, box, FIRST, crop_size=[2, 2], method=method)))
        gradients[method] = run.gradient(box)
        if method == "nearest":
            # Rows 0.3 and 2.1 of the grid, columns 0.6 and 2.7.
            np.testing.assert_array_equal(
                np.argwhere(run.gradient(image)[0, :, :, 0]), [[0, 1], [0, 3], [2, 1], [2, 3]]
            )
    np.testing.assert_array_equal(gradients["nearest"], gradients["bilinear"])


def test_whole_numbers_are_cropped_too_and_only_the_boxes_get_a_gradient() -> None:
    image, box = gw.Input(IMAGE.astype(np.uint8)), gw.Input(np.array([[0.1, 0.2, 0.7, 0.9]]))
    y = gw.CropAndResize(image, box, FIRST, crop_size=[1, 1])
    run = gw.evaluate(gw.Loss(y))
    # The image is the plane 4 v + u: the middle of the box is at row 1.2, column 1.65.
    assert run.value(y).item() == pytest.approx(4 * 1.2 + 1.65)
    np.testing.assert_allclose(run.gradient(box), [[6, 1.5, 6, 1.5]], rtol=1e-6)
    assert run.status(image) == "no_gradient_dtype"


def test_a_box_of_an_image_that_is_not_there_is_refused() -> None:
    with pytest.raises(gw.GradwireError, match="box index 1 must be from 0 to 0"):
        gw.CropAndResize(IMAGE, WHOLE, FIRST + 1, crop_size=[2, 2])
