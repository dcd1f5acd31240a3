"""The geometry of windows that slide over images, shared by convolution and pooling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from engine.errors import ParameterError, ShapeError
from engine.tensor_spec import Array, Shape

Slices = tuple[slice, ...]


class Windows(NamedTuple):
    """Windows over the two middle axes of (batch, rows, columns, channels): their size, steps, padding and number.

    `padding` is ((above, below), (left, right)).
    """

    size: tuple[int, int]
    strides: tuple[int, int]
    dilations: tuple[int, int]
    padding: tuple[tuple[int, int], tuple[int, int]]
    counts: tuple[int, int]

    def pad(self, image: Array, value: float = 0) -> Array:
        """The image with its border filled with `value`."""
        if not any(map(any, self.padding)):
            return image
        return np.pad(image, ((0, 0), *self.padding, (0, 0)), constant_values=value)

    def crop(self, padded: Array) -> Array:
        """A padded image without its border."""
        (above, below), (left, right) = self.padding
        return padded[:, above : padded.shape[1] - below, left : padded.shape[2] - right]

    def offsets(self) -> Iterator[tuple[int, int, Slices]]:
        """For each place in a window: its row, its column, and the slices of the padded image that stand there."""
        for row in range(self.size[0]):
            for column in range(self.size[1]):
                starts = (row * self.dilations[0], column * self.dilations[1])
                spans = [
                    slice(start, start + (count - 1) * stride + 1, stride) if count else slice(0, 0)
                    for start, count, stride in zip(starts, self.counts, self.strides, strict=True)
                ]
                yield row, column, (slice(None), *spans)


def lay_windows(image: Shape, size: tuple[int, int], strides: Any, padding: Any, dilations: Any = 1) -> Windows:
    """The windows of an image of shape (batch, rows, columns, channels).

    `strides` and `dilations` are one number, two, or four with 1 for batch and channels. `padding` is SAME (as many
    windows as there are strides, what is left over of the border below and right), VALID, or four pairs.
    Raises: ParameterError or ShapeError.
    """
    steps, gaps = pair(strides, "strides"), pair(dilations, "dilations")
    reach = [(count - 1) * gap + 1 for count, gap in zip(size, gaps, strict=True)]
    borders = [
        _border(length, span, step, padding, axis)
        for axis, (length, span, step) in enumerate(zip(image[1:3], reach, steps, strict=True))
    ]
    counts = []
    for axis, (length, border, span, step) in enumerate(zip(image[1:3], borders, reach, steps, strict=True)):
        room = length + sum(border) - span
        if room < 0 and padding != "SAME":
            side = ("rows", "columns")[axis]
            raise ShapeError(f"a window of {span} {side} does not fit into {length + sum(border)}")
        counts.append(room // step + 1 if padding != "SAME" else -(-length // step))
    return Windows(size, steps, gaps, (borders[0], borders[1]), (counts[0], counts[1]))


def pair(value: int | tuple[int, ...], name: str) -> tuple[int, int]:
    """One number for rows and columns, from one, two, or four of them.

    Raises: ParameterError for other counts, and numbers below 1.
    """
    numbers = (value, value) if isinstance(value, int) else value
    if len(numbers) == 1:
        numbers = numbers * 2
    if len(numbers) == 4 and numbers[0] == numbers[3] == 1:
        numbers = numbers[1:3]
    if len(numbers) != 2 or min(numbers) < 1:
        raise ParameterError(f"{name} must be one number, two, or four of the form [1, rows, columns, 1], at least 1")
    return numbers[0], numbers[1]


def _border(length: int, span: int, step: int, padding: Any, axis: int) -> tuple[int, int]:
    if padding == "VALID":
        return 0, 0
    if padding == "SAME":
        needed = max((-(-length // step) - 1) * step + span - length, 0)
        return needed // 2, needed - needed // 2
    if len(padding) != 4 or any(padding[0]) or any(padding[3]):
        raise ParameterError("padding must be SAME, VALID, or four pairs of which the first and the last are 0")
    before, after = padding[axis + 1]
    return before, after
