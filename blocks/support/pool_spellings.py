"""The lines of poolings in other frameworks; PyTorch's line only where it pads both sides alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from gradwire.blocks.support.layouts import Layout, layout_of
from gradwire.blocks.support.tensorflow_kernels import channels_are_last, is_narrow_with_channels_last
from gradwire.blocks.support.window_spellings import both_sides, channels_as_given, channels_first, shown_as, whole
from gradwire.engine.blocktypes.spelling import Spelling


def max_pool_spelling(spatial: int) -> Spelling:
    """Returns the lines of max pooling over so many axes."""

    def jax(input: str, layout: Layout, plain: dict[str, Any]) -> str:
        return _reduced(input, "-jnp.inf, jax.lax.max", layout, plain)

    found = _pool_spelling(spatial, "max_pool", jax)
    if spatial < 3:
        return found
    # Over three axes TensorFlow alone gives all of the gradient to each of equal maxima.
    return Spelling(tensorflow=found["tensorflow"]).only_where("tensorflow", is_narrow_with_channels_last)


def average_pool_spelling(spatial: int) -> Spelling:
    """Returns the lines of average pooling over so many axes."""

    def jax(input: str, layout: Layout, plain: dict[str, Any]) -> str:
        total = _reduced(input, "0.0, jax.lax.add", layout, plain)
        if plain["padding"] == "VALID":
            return f"{total} / {math.prod(plain['ksize'])}"
        return f"{total} / {_reduced(f'jnp.ones_like({input})', '0.0, jax.lax.add', layout, plain)}"

    return _pool_spelling(spatial, "avg_pool", jax)


def _pool_spelling(spatial: int, name: str, in_jax: Callable[[str, Layout, dict[str, Any]], str]) -> Spelling:
    ports = "{input}, {ksize}, {strides}, {padding}"

    def read(parameters: dict[str, Any]) -> tuple[Layout, dict[str, Any]]:
        layout = layout_of(spatial, parameters["data_format"])
        return layout, layout.plain(**{key: parameters[key] for key in ("ksize", "strides", "padding")})

    def torch(input: str, **parameters: Any) -> str:
        layout, plain = read(parameters)
        padding, size = both_sides(plain["padding"], plain["strides"]), plain["ksize"]
        # PyTorch refuses a border wider than half a window.
        if padding in (None, "same") or any(2 * side > whole for side, whole in zip(padding, size, strict=True)):
            return ""
        arguments = f"{channels_first(input, layout)}, {size}, {plain['strides']}, {padding}"
        return channels_as_given(f"torch.nn.functional.{name}{spatial}d({arguments})", layout)

    def jax(input: str, **parameters: Any) -> str:
        return in_jax(input, *read(parameters))

    found = Spelling(
        "",
        f"tf.nn.{name}{spatial}d({ports}, {{data_format}})",
        shown_as(f"torch.nn.functional.{name}{spatial}d({ports})", torch),
        shown_as(f"jax.lax.reduce_window({ports})", jax),
    )
    return found.only_where("tensorflow", channels_are_last if spatial < 3 else is_narrow_with_channels_last)


def _reduced(input: str, how: str, layout: Layout, plain: dict[str, Any]) -> str:
    size, steps = whole(plain["ksize"], layout), whole(plain["strides"], layout)
    padding = plain["padding"]
    if not isinstance(padding, str):
        none = ((0, 0),)
        padding = (*none * 2, *padding) if layout.has_channels_first else (*none, *padding, *none)
    return f"jax.lax.reduce_window({input}, {how}, {size}, {steps}, {padding!r})"
