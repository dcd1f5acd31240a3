"""The lines of convolutions in other frameworks.

PyTorch pads both sides alike and has channels first, so its line exists only where that gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gradwire.blocks.support.layouts import Layout, layout_of
from gradwire.blocks.support.tensorflow_kernels import channels_are_last, is_plain_convolution, is_plain_transposed
from gradwire.engine.base.tensor_spec import Shape, TensorSpec
from gradwire.engine.blocktypes.spelling import Spelling

FORMATS = {1: "NWC", 2: "NHWC", 3: "NDHWC"}
Writer = Callable[..., str]


def shown_as(template: str, writer: Writer) -> Writer:
    """Returns the spelling function with the template that the help shows."""
    writer.__doc__ = template
    return writer


def whole(numbers: Shape, layout: Layout) -> Shape:
    """Numbers for the axes of space with 1 for batch and channels, in the layout's order."""
    return (1, 1, *numbers) if layout.has_channels_first else (1, *numbers, 1)


def both_sides(padding: Any, strides: Shape) -> Any:
    """Returns the padding as PyTorch takes it: one number for both sides of each axis, `same`, or None."""
    if padding == "SAME":
        # PyTorch's own `same` puts what is left over after the image, as TensorFlow does, but takes no strides.
        return "same" if set(strides) == {1} else None
    if padding == "VALID":
        return (0,) * len(strides)
    return tuple(before for before, _ in padding) if all(before == after for before, after in padding) else None


def channels_first(image: str, layout: Layout) -> str:
    """Returns the image as PyTorch takes it."""
    last = layout.spatial + 1
    return image if layout.has_channels_first else f"{image}.permute{(0, last, *range(1, last))}"


def channels_as_given(image: str, layout: Layout) -> str:
    """Returns PyTorch's result in the layout; nothing of nothing."""
    is_done = layout.has_channels_first or not image
    return image if is_done else f"{image}.permute{(0, *range(2, layout.spatial + 2), 1)}"


def filters_first(filters: str, spatial: int) -> str:
    """Filters (space ..., in, out) as PyTorch takes them: (out, in, space ...)."""
    return f"{filters}.permute{(spatial + 1, spatial, *range(spatial))}"


def jax_convolution(image: str, filters: str, groups: str, layout: Layout, how: dict[str, Any]) -> str:
    """Returns a convolution in JAX; `how` for the axes of space alone."""
    order = FORMATS[layout.spatial]
    own = order[0] + order[-1] + order[1:-1] if layout.has_channels_first else order
    return (
        f"jax.lax.conv_general_dilated({image}, {filters}, {how['strides']}, {how['padding']!r}, "
        f"rhs_dilation={how['dilations']}, dimension_numbers={(own, order[1:-1] + 'IO', own)}, "
        f"feature_group_count={groups})"
    )


def torch_convolution(image: str, filters: str, groups: str, how: dict[str, Any]) -> str:
    """Returns a convolution in PyTorch of an image and filters in its own order, or nothing."""
    padding = both_sides(how["padding"], how["strides"])
    if padding is None:
        return ""
    return (
        f"torch.nn.functional.conv{len(how['strides'])}d({image}, {filters}, stride={how['strides']}, "
        f"padding={padding!r}, dilation={how['dilations']}, groups={groups})"
    )


def channels_of(image: str, layout: Layout) -> str:
    """Returns the source of the number of channels."""
    return f"{image}.shape[{1 if layout.has_channels_first else -1}]"


def convolution_spelling(spatial: int) -> Spelling:
    """Returns the lines of a convolution over so many axes."""
    step = "stride" if spatial == 1 else "strides"
    ports = "{input}, {filters}"
    how = f"{{{step}}}, padding={{padding}}, data_format={{data_format}}, dilations={{dilations}}"

    def read(parameters: dict[str, Any]) -> tuple[Layout, dict[str, Any]]:
        layout = layout_of(spatial, parameters["data_format"])
        moves = {"strides": parameters[step], "dilations": parameters["dilations"]}
        return layout, layout.plain(padding=parameters["padding"], **moves)

    def tensorflow(input: str, filters: str, **parameters: Any) -> str:
        layout, plain = read(parameters)
        strides, dilations = (whole(plain[name], layout) for name in ("strides", "dilations"))
        rest = f"{parameters['padding']!r}, data_format={parameters['data_format']!r}, dilations={dilations}"
        return f"tf.nn.conv{spatial}d({input}, {filters}, {strides}, {rest})"

    def torch(input: str, filters: str, specs: Sequence[TensorSpec], **parameters: Any) -> str:
        layout, plain = read(parameters)
        if specs[0].ndim != spatial + 2:
            return ""
        groups = f"{channels_of(input, layout)} // {filters}.shape[-2]"
        line = torch_convolution(channels_first(input, layout), filters_first(filters, spatial), groups, plain)
        return channels_as_given(line, layout)

    def jax(input: str, filters: str, specs: Sequence[TensorSpec], **parameters: Any) -> str:
        layout, plain = read(parameters)
        if specs[0].ndim != spatial + 2:
            return ""
        groups = f"{channels_of(input, layout)} // {filters}.shape[-2]"
        return jax_convolution(input, filters, groups, layout, plain)

    found = Spelling(
        "",
        shown_as(f"tf.nn.conv{spatial}d({ports}, {how})", tensorflow),
        shown_as(f"torch.nn.functional.conv{spatial}d({ports}, stride={how})", torch),
        shown_as(f"jax.lax.conv_general_dilated({ports}, {how})", jax),
    )
    return found.only_where("tensorflow", is_plain_convolution)


def transposed_spelling() -> Spelling:
    """Returns the lines of the transposed convolution: in JAX and PyTorch it is the gradient of a convolution."""
    ports = "{input}, {filters}, {output_shape}, {strides}, {padding}"

    def read(parameters: dict[str, Any]) -> tuple[Layout, dict[str, Any]]:
        layout = layout_of(2, parameters["data_format"])
        return layout, layout.plain(**{name: parameters[name] for name in ("strides", "padding", "dilations")})

    def torch(input: str, filters: str, output_shape: Shape, **parameters: Any) -> str:
        layout, plain = read(parameters)
        padding = both_sides(plain["padding"], plain["strides"])
        if padding in (None, "same") or len(output_shape) != 4:
            return ""
        batch, *space, channels = (output_shape[axis] for axis in layout.order(4))
        line = (
            f"torch.nn.grad.conv2d_input({(batch, channels, *space)}, {filters_first(filters, 2)}, "
            f"{channels_first(input, layout)}, stride={plain['strides']}, padding={padding}, "
            f"dilation={plain['dilations']}, groups={channels} // {filters}.shape[2])"
        )
        return channels_as_given(line, layout)

    def jax(input: str, filters: str, output_shape: Shape, **parameters: Any) -> str:
        layout, plain = read(parameters)
        if len(output_shape) != 4:
            return ""
        groups = f"{channels_of('image', layout)} // {filters}.shape[2]"
        forward = jax_convolution("image", filters, groups, layout, plain)
        return f"jax.linear_transpose(lambda image: {forward}, jnp.zeros({output_shape}, {input}.dtype))({input})[0]"

    tensorflow = "tf.nn.conv2d_transpose({input}, {filters}, {output_shape}, {strides}, {padding}, {data_format}, "
    found = Spelling(
        "",
        tensorflow + "{dilations})",
        shown_as(f"torch.nn.grad.conv2d_input({ports})", torch),
        shown_as(f"jax.linear_transpose(conv_general_dilated)({ports})", jax),
    )
    return found.only_where("tensorflow", is_plain_transposed)


def grouped_in_torch(filter: str) -> str:
    """Filters (rows, columns, channels, multiples) as PyTorch takes them for groups of one channel."""
    return f"{filter}.permute(2, 3, 0, 1).flatten(0, 1).unsqueeze(1)"


def depthwise_spelling() -> Spelling:
    """Returns the lines of the depthwise convolution, and of the separable one, which adds a second convolution."""
    how = "{strides}, padding={padding}, data_format={data_format}, dilations={dilations}"

    def tensorflow(input: str, filter: str, **parameters: Any) -> str:
        return f"tf.nn.depthwise_conv2d({input}, {filter}, {depthwise_arguments(parameters)})"

    def torch(input: str, filter: str, **parameters: Any) -> str:
        layout, plain = depthwise_moves(parameters)
        image, groups = channels_first(input, layout), f"{filter}.shape[2]"
        return channels_as_given(torch_convolution(image, grouped_in_torch(filter), groups, plain), layout)

    return Spelling(
        "",
        shown_as(f"tf.nn.depthwise_conv2d({{input}}, {{filter}}, {how})", tensorflow),
        shown_as(f"torch.nn.functional.conv2d({{input}}, {{filter}}, stride={how})", torch),
        shown_as(f"jax.lax.conv_general_dilated({{input}}, {{filter}}, {how})", depthwise_in_jax),
    ).only_where("tensorflow", channels_are_last)


def depthwise_moves(parameters: dict[str, Any]) -> tuple[Layout, dict[str, Any]]:
    """Returns the layout, and the other parameters for rows and columns alone."""
    layout = layout_of(2, parameters["data_format"])
    return layout, layout.plain(**{name: parameters[name] for name in ("strides", "padding", "dilations")})


def depthwise_arguments(parameters: dict[str, Any]) -> str:
    """Returns the parameters as TensorFlow takes them for a depthwise convolution: four strides, two dilations."""
    layout, plain = depthwise_moves(parameters)
    rest = f"data_format={parameters['data_format']!r}, dilations={plain['dilations']}"
    return f"strides={whole(plain['strides'], layout)}, padding={parameters['padding']!r}, {rest}"


def depthwise_in_jax(input: str, filter: str, **parameters: Any) -> str:
    """Returns a depthwise convolution in JAX: as many groups as channels."""
    layout, plain = depthwise_moves(parameters)
    grouped = f"{filter}.reshape(*{filter}.shape[:2], 1, -1)"
    return jax_convolution(input, grouped, f"{filter}.shape[2]", layout, plain)


def separable_spelling() -> Spelling:
    """Returns the lines of the separable convolution: a depthwise one, and one of single pixels."""
    ports = "{input}, {depthwise_filter}, {pointwise_filter}"
    how = "{strides}, padding={padding}, data_format={data_format}, dilations={dilations}"
    single = {"strides": (1, 1), "padding": "VALID", "dilations": (1, 1)}

    def tensorflow(input: str, depthwise_filter: str, pointwise_filter: str, **parameters: Any) -> str:
        filters = f"{depthwise_filter}, {pointwise_filter}"
        return f"tf.nn.separable_conv2d({input}, {filters}, {depthwise_arguments(parameters)})"

    def torch(input: str, depthwise_filter: str, pointwise_filter: str, **parameters: Any) -> str:
        layout, plain = depthwise_moves(parameters)
        image, weights = channels_first(input, layout), grouped_in_torch(depthwise_filter)
        middle = torch_convolution(image, weights, f"{depthwise_filter}.shape[2]", plain)
        line = middle and torch_convolution(middle, filters_first(pointwise_filter, 2), "1", single)
        return channels_as_given(line, layout)

    def jax(input: str, depthwise_filter: str, pointwise_filter: str, **parameters: Any) -> str:
        middle = depthwise_in_jax(input, depthwise_filter, **parameters)
        return jax_convolution(middle, pointwise_filter, "1", layout_of(2, parameters["data_format"]), single)

    return Spelling(
        "",
        shown_as(f"tf.nn.separable_conv2d({ports}, {how})", tensorflow),
        shown_as(f"torch.nn.functional.conv2d({ports}, stride={how})", torch),
        shown_as(f"jax.lax.conv_general_dilated({ports}, {how})", jax),
    ).only_where("tensorflow", channels_are_last)
