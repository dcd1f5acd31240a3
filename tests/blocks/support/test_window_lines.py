"""Lines of convolutions in the other frameworks, as their documents say them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.library import library


def line(kind: str, framework: str, ports: dict[str, Any], shapes: list[tuple[int, ...]], **given: Any) -> str:
    block_type = library[kind]
    specs = [TensorSpec(shape, np.dtype(np.float64)) for shape in shapes]
    return block_type.spelling.write(framework, ports, block_type.normalize(given), specs)


TWO = {"input": "x", "filters": "f"}
IMAGE, FILTERS = (1, 6, 7, 2), (3, 3, 2, 5)
HOW = {"strides": (1, 2), "padding": "VALID"}


@pytest.mark.parametrize(
    ("framework", "more", "expected"),
    [
        ("tensorflow", {}, "tf.nn.conv2d(x, f, (1, 1, 2, 1), 'VALID', data_format='NHWC', dilations=(1, 1, 1, 1))"),
        (
            "torch", {},
            "torch.nn.functional.conv2d(x.permute(0, 3, 1, 2), f.permute(3, 2, 0, 1), stride=(1, 2), "
            "padding=(0, 0), dilation=(1, 1), groups=x.shape[-1] // f.shape[-2]).permute(0, 2, 3, 1)",
        ),
        (
            "torch", {"data_format": "NCHW"},
            "torch.nn.functional.conv2d(x, f.permute(3, 2, 0, 1), stride=(1, 2), "
            "padding=(0, 0), dilation=(1, 1), groups=x.shape[1] // f.shape[-2])",
        ),
        ("torch", {"padding": "SAME"}, ""),
        (
            "jax", {},
            "jax.lax.conv_general_dilated(x, f, (1, 2), 'VALID', rhs_dilation=(1, 1), "
            "dimension_numbers=('NHWC', 'HWIO', 'NHWC'), feature_group_count=x.shape[-1] // f.shape[-2])",
        ),
        (
            "jax", {"data_format": "NCHW", "padding": [[0, 0], [0, 0], [1, 2], [3, 4]]},
            "jax.lax.conv_general_dilated(x, f, (1, 2), ((1, 2), (3, 4)), rhs_dilation=(1, 1), "
            "dimension_numbers=('NCHW', 'HWIO', 'NCHW'), feature_group_count=x.shape[1] // f.shape[-2])",
        ),
    ],
)  # fmt: skip
def test_a_convolution_of_images(framework: str, more: dict[str, Any], expected: str) -> None:
    shapes = [IMAGE, FILTERS] if "data_format" not in more else [(1, 2, 6, 7), FILTERS]
    assert line("Conv2D", framework, TWO, shapes, **HOW | more) == expected


def test_convolutions_of_rows_and_of_volumes() -> None:
    one = {"stride": 2, "padding": "VALID"}
    assert line("Conv1D", "torch", TWO, [(1, 7, 2), (3, 2, 5)], **one) == (
        "torch.nn.functional.conv1d(x.permute(0, 2, 1), f.permute(2, 1, 0), stride=(2,), padding=(0,), dilation=(1,), "
        "groups=x.shape[-1] // f.shape[-2]).permute(0, 2, 1)"
    )
    assert line("Conv1D", "jax", TWO, [(1, 7, 2), (3, 2, 5)], **one).endswith(
        "dimension_numbers=('NWC', 'WIO', 'NWC'), feature_group_count=x.shape[-1] // f.shape[-2])"
    )
    volume = line("Conv3D", "jax", TWO, [(1, 5, 6, 7, 2), (3, 3, 3, 2, 5)], strides=1, padding="SAME")
    assert "dimension_numbers=('NDHWC', 'DHWIO', 'NDHWC')" in volume
    # Several axes of batches are a convolution in TensorFlow alone.
    several = [(4, 1, 7, 2), (3, 2, 5)]
    assert line("Conv1D", "torch", TWO, several, **one) == line("Conv1D", "jax", TWO, several, **one) == ""


@pytest.mark.parametrize(
    ("framework", "more", "expected"),
    [
        (
            "torch", {},
            "torch.nn.grad.conv2d_input((1, 2, 6, 7), f.permute(3, 2, 0, 1), x.permute(0, 3, 1, 2), stride=(1, 2), "
            "padding=(0, 0), dilation=(1, 1), groups=2 // f.shape[2]).permute(0, 2, 3, 1)",
        ),
        (
            "torch", {"data_format": "NCHW", "output_shape": (1, 2, 6, 7)},
            "torch.nn.grad.conv2d_input((1, 2, 6, 7), f.permute(3, 2, 0, 1), x, stride=(1, 2), "
            "padding=(0, 0), dilation=(1, 1), groups=2 // f.shape[2])",
        ),
        ("torch", {"padding": "SAME"}, ""),
        ("torch", {"padding": "SAME", "strides": 1}, ""),
        ("torch", {"output_shape": (6, 7)}, ""),
        ("jax", {"output_shape": (6, 7)}, ""),
        (
            "jax", {},
            "jax.linear_transpose(lambda image: jax.lax.conv_general_dilated(image, f, (1, 2), 'VALID', "
            "rhs_dilation=(1, 1), dimension_numbers=('NHWC', 'HWIO', 'NHWC'), "
            "feature_group_count=image.shape[-1] // f.shape[2]), jnp.zeros((1, 6, 7, 2), x.dtype))(x)[0]",
        ),
        (
            "jax", {"data_format": "NCHW", "output_shape": (1, 2, 6, 7)},
            "jax.linear_transpose(lambda image: jax.lax.conv_general_dilated(image, f, (1, 2), 'VALID', "
            "rhs_dilation=(1, 1), dimension_numbers=('NCHW', 'HWIO', 'NCHW'), "
            "feature_group_count=image.shape[1] // f.shape[2]), jnp.zeros((1, 2, 6, 7), x.dtype))(x)[0]",
        ),
    ],
)  # fmt: skip
def test_a_transposed_convolution(framework: str, more: dict[str, Any], expected: str) -> None:
    given = HOW | {"output_shape": (1, 6, 7, 2)} | more
    assert line("Conv2DTranspose", framework, TWO, [(1, 4, 3, 5), FILTERS], **given) == expected


DEPTH = {"input": "x", "filter": "f"}


@pytest.mark.parametrize(
    ("framework", "expected"),
    [
        (
            "tensorflow",
            "tf.nn.depthwise_conv2d(x, f, strides=(1, 2, 2, 1), padding='VALID', data_format=None, dilations=(1, 1))",
        ),
        (
            "torch",
            "torch.nn.functional.conv2d(x.permute(0, 3, 1, 2), "
            "f.permute(2, 3, 0, 1).flatten(0, 1).unsqueeze(1), stride=(2, 2), padding=(0, 0), dilation=(1, 1), "
            "groups=f.shape[2]).permute(0, 2, 3, 1)",
        ),
        (
            "jax",
            "jax.lax.conv_general_dilated(x, f.reshape(*f.shape[:2], 1, -1), (2, 2), 'VALID', "
            "rhs_dilation=(1, 1), dimension_numbers=('NHWC', 'HWIO', 'NHWC'), feature_group_count=f.shape[2])",
        ),
    ],
)
def test_a_depthwise_convolution(framework: str, expected: str) -> None:
    assert line("DepthwiseConv2D", framework, DEPTH, [IMAGE, (3, 3, 2, 2)], strides=2, padding="VALID") == expected


def test_a_separable_convolution_is_a_depthwise_one_and_one_of_single_pixels() -> None:
    ports, shapes = (
        {"input": "x", "depthwise_filter": "d", "pointwise_filter": "p"},
        [IMAGE, (3, 3, 2, 2), (1, 1, 4, 5)],
    )
    how: dict[str, Any] = {"strides": 2, "padding": "VALID"}
    assert line("SeparableConv2D", "tensorflow", ports, shapes, **how) == (
        "tf.nn.separable_conv2d(x, d, p, strides=(1, 2, 2, 1), padding='VALID', data_format=None, dilations=(1, 1))"
    )
    assert line("SeparableConv2D", "torch", ports, shapes, **how) == (
        "torch.nn.functional.conv2d(torch.nn.functional.conv2d(x.permute(0, 3, 1, 2), "
        "d.permute(2, 3, 0, 1).flatten(0, 1).unsqueeze(1), stride=(2, 2), padding=(0, 0), dilation=(1, 1), "
        "groups=d.shape[2]), p.permute(3, 2, 0, 1), stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1)"
        ".permute(0, 2, 3, 1)"
    )
    assert line("SeparableConv2D", "jax", ports, shapes, **how).endswith(
        ", p, (1, 1), 'VALID', rhs_dilation=(1, 1), dimension_numbers=('NHWC', 'HWIO', 'NHWC'), feature_group_count=1)"
    )
    assert line("SeparableConv2D", "torch", ports, shapes, **how | {"padding": "SAME"}) == ""
