"""Data formats of images and the places of their channels; the blocks compute with channels last."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradwire.blocks.shape import Transpose
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec

SPACE = {1: ("columns",), 2: ("rows", "columns"), 3: ("planes", "rows", "columns")}


class Layout(NamedTuple):
    """The order of an image's axes: batch, then space, with the channels after the `spatial` axes or before them."""

    spatial: int
    has_channels_first: bool

    def order(self, ndim: int) -> Shape:
        """Returns the axes of an image in this layout, the channels last."""
        lead = ndim - self.spatial - 1
        if not self.has_channels_first:
            return tuple(range(ndim))
        return (*range(lead), *range(lead + 1, ndim), lead)

    def order_back(self, ndim: int) -> Shape:
        """Returns the axes of an image whose channels are last, in this layout's order."""
        order = self.order(ndim)
        return tuple(order.index(axis) for axis in range(ndim))

    def channels_last(self, image: Array) -> Array:
        """Returns an image in this layout with its channels last."""
        return np.transpose(image, self.order(image.ndim))

    def channels_back(self, image: Array) -> Array:
        """Returns an image whose channels are last, in this layout."""
        return np.transpose(image, self.order_back(image.ndim))

    def sizes(self, value: int | Shape | None, name: str) -> Shape:
        """Returns one number for each axis of space, from one, as many, or those with 1 for batch and channels.

        Raises: ParameterError for other counts, and numbers below 1.
        """
        numbers = (1,) if value is None else (value,) if isinstance(value, int) else value
        if len(numbers) == 1:
            numbers = numbers * self.spatial
        if len(numbers) == self.spatial + 2:
            numbers = self._of_space(numbers) if self._rest(numbers) == [1, 1] else ()
        if len(numbers) != self.spatial or min(numbers) < 1:
            whole = ["1", "1", *SPACE[self.spatial]] if self.has_channels_first else ["1", *SPACE[self.spatial], "1"]
            counts = "one number" if self.spatial == 1 else f"one number, {self.spatial}"
            raise ParameterError(f"{name} must be {counts}, or [{', '.join(whole)}], at least 1")
        return numbers

    def borders(self, padding: Any) -> Any:
        """Returns SAME or VALID as they are; of pairs for all axes those of space.

        Raises: ParameterError for other pairs.
        """
        if isinstance(padding, str):
            return padding
        if len(padding) != self.spatial + 2 or any(map(any, self._rest(padding))):
            count = self.spatial + 2
            raise ParameterError(f"padding must be SAME, VALID, or {count} pairs with 0 for batch and channels")
        return self._of_space(padding)

    def plain(self, *, padding: Any, **sizes: int | Shape | None) -> dict[str, Any]:
        """Parameters as windows take them: numbers and pairs for the axes of space alone.

        Raises: ParameterError if they do not fit.
        """
        return {name: self.sizes(value, name) for name, value in sizes.items()} | {"padding": self.borders(padding)}

    def _of_space(self, items: Any) -> Any:
        return tuple(items[2:] if self.has_channels_first else items[1:-1])

    def _rest(self, items: Any) -> list[Any]:
        return [items[0], items[1 if self.has_channels_first else -1]]


def layout_of(spatial: int, data_format: str | None) -> Layout:
    """Returns the layout of a data format such as NHWC or NCDHW; without one the channels are last."""
    return Layout(spatial, data_format is not None and data_format[1] == "C")


def last_spec(image: TensorSpec, layout: Layout, name: str = "input", has_one_batch: bool = True) -> TensorSpec:
    """Returns the spec of an image with its channels last.

    Raises: ShapeError if it has too few axes, or with `has_one_batch` too many.
    """
    count = layout.spatial + 2
    if image.ndim < count or (has_one_batch and image.ndim > count):
        names = ", ".join(("batch", *SPACE[layout.spatial]))
        number = f"{count}" if has_one_batch else f"at least {count}"
        raise ShapeError(f"{name} {list(image.shape)} must have {number} axes: {names} and channels")
    return TensorSpec(tuple(image.shape[axis] for axis in layout.order(image.ndim)), image.dtype)


def spec_back(image: TensorSpec, layout: Layout) -> TensorSpec:
    """Returns the spec of an image whose channels are last, in the given layout."""
    return TensorSpec(tuple(image.shape[axis] for axis in layout.order_back(image.ndim)), image.dtype)


def move_last(image: Any, layout: Layout) -> Any:
    """Returns an image with its channels last, for rules."""
    return Transpose(image, perm=layout.order(image.ndim)) if layout.has_channels_first else image


def move_back(image: Any, layout: Layout) -> Any:
    """Returns an image whose channels are last in the given layout, for rules."""
    return Transpose(image, perm=layout.order_back(image.ndim)) if layout.has_channels_first else image
