"""The geometry of windows that slide over images, shared by convolution, pooling and dilation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from gradwire.blocks.support.layouts import SPACE
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape
from gradwire.engine.executors.windows import put_into

Place = tuple[Any, ...]


class Windows(NamedTuple):
    """Windows over the axes of space of (batch ..., space ..., channels): one entry for each axis of space.

    `space` is the image's size, `padding` holds pairs (before, after), `counts` is the number of windows.
    """

    space: Shape
    size: Shape
    strides: Shape
    dilations: Shape
    padding: tuple[tuple[int, int], ...]
    counts: Shape

    def pad(self, image: Array, value: Any = 0) -> Array:
        """Returns the image with its border filled with `value`."""
        if not self.has_border:
            return image
        padded = np.full_like(image, value, shape=self._padded(image.shape))
        padded[self._inside] = image
        return padded

    @property
    def has_border(self) -> bool:
        """True if the image has a border."""
        return any(map(any, self.padding))

    def turned(self) -> Windows | None:
        """Returns the windows over these windows that see, for each element of the image, all in which it is.

        None if windows are further apart than elements, or the border is wider than a window.
        """
        spans = [(size - 1) * gap for size, gap in zip(self.size, self.dilations, strict=True)]
        padding = tuple(
            (span - before, span - after) for span, (before, after) in zip(spans, self.padding, strict=True)
        )
        if set(self.strides) != {1} or min(map(min, padding)) < 0:
            return None
        return Windows(self.counts, self.size, self.strides, self.dilations, padding, self.space)

    @property
    def _inside(self) -> Place:
        """The slices of the image in the padded one."""
        inner = (slice(before, before + size) for (before, _), size in zip(self.padding, self.space, strict=True))
        return (..., *inner, slice(None))

    def _padded(self, shape: Shape) -> Shape:
        sizes = (size + sum(border) for size, border in zip(self.space, self.padding, strict=True))
        return (*shape[: -len(self.space) - 1], *sizes, shape[-1])

    def seen(self, image: Array, groups: int) -> Array:
        """Returns a view of what all windows see of an image with zeros around it.

        Shapes: (batch ..., counts ..., groups, channels of a group, size ...).
        """
        padded = self.pad(image)
        channels = (groups, image.shape[-1] // groups)
        if 0 in self.counts:
            return np.empty((*padded.shape[: -len(self.space) - 1], *self.counts, *channels, *self.size), image.dtype)
        axes = range(-len(self.space) - 2, -2)
        spans = [(size - 1) * gap + 1 for size, gap in zip(self.size, self.dilations, strict=True)]
        moved = np.lib.stride_tricks.sliding_window_view(
            padded.reshape((*padded.shape[:-1], *channels)), spans, tuple(axes)
        )
        starts: Place = tuple(
            slice(0, count * step, step) for count, step in zip(self.counts, self.strides, strict=True)
        )
        gaps: Place = tuple(slice(None, None, gap) for gap in self.dilations)
        both: Place = (slice(None), slice(None))
        index: Place = (..., *starts, *both, *gaps)
        return moved[index]

    def places(self) -> Iterator[tuple[Shape, Place]]:
        """Yields the index of each place in a window, and the slices of the padded image that stand there."""
        indices = itertools.product(*map(range, self.size))
        for index, spans in zip(indices, itertools.product(*self.spans()), strict=True):
            yield index, (..., *spans, slice(None))

    def spans(self) -> Iterator[list[slice]]:
        """Yields, for each axis and each place along it, the slice that stands there in all windows."""
        for size, gap, stride, count in zip(self.size, self.dilations, self.strides, self.counts, strict=True):
            length = (count - 1) * stride + 1 if count else 0
            yield [slice(start, start + length, stride) for start in range(0, size * gap, gap)]

    def parts(self, image: Array, border: Any = 0) -> Iterator[Array]:
        """Returns, for each place in a window, the elements that stand there in all windows."""
        padded = self.pad(image, border)
        return (padded[place] for _, place in self.places())

    def are_inside(self) -> Iterator[Array]:
        """Returns, for each place in a window, whether it lies inside the image; without a border, yes for all."""
        if not self.has_border:
            return itertools.repeat(np.ones((), bool), math.prod(self.size))
        return self.parts(np.ones((1, *self.space, 1), bool), False)

    def spread(self, parts: Iterable[Array], shape: Shape, dtype: Any) -> Array:
        """Returns the opposite of `parts`: an image of this shape with the elements of each place added there."""
        padded = None
        for (_, place), part in zip(self.places(), parts, strict=True):
            if padded is None:
                padded = np.full_like(part, 0, shape=self._padded(shape))
            padded[place] = part if self.are_apart else padded[place] + part
        return np.zeros(shape, dtype) if padded is None else padded[self._inside]

    def put(self, x: Array, numbers: Array, shape: Shape) -> Array:
        """Returns an image of zeros with each element at the numbered place of its window.

        The windows must be apart.
        """
        target = self._padded(shape)
        padded = np.empty_like(x, shape=target) if self._are_everywhere else np.full_like(x, 0, shape=target)
        put_into([padded[place] for _, place in self.places()], x, numbers)
        return padded[self._inside]

    @property
    def _are_everywhere(self) -> bool:
        """True if every element is in a window, provided that they are apart."""
        sizes = zip(self.space, self.padding, self.size, self.counts, strict=True)
        return all(length + sum(border) == size * count for length, border, size, count in sizes)

    @property
    def are_apart(self) -> bool:
        """True if no two windows share an element."""
        walks = zip(self.size, self.dilations, self.strides, strict=True)
        return all((size - 1) * gap < stride for size, gap, stride in walks)


def lay_windows(
    space: Shape, size: Shape, strides: Shape, padding: Any, dilations: Shape | None = None, *, may_miss: bool = False
) -> Windows:
    """Returns the windows of an image of this size, everything for the axes of space alone.

    `padding` is SAME (as many windows as there are strides, what is left over of the border after the image), VALID,
    or pairs. A window too large for the image is an error; with `may_miss` there is none of it, unless it is too large
    by two strides.
    Raises: ParameterError or ShapeError.
    """
    gaps = dilations or (1,) * len(space)
    for name, numbers in (("window", size), ("strides", strides), ("dilations", gaps)):
        if len(numbers) != len(space) or min(numbers) < 1:
            raise ParameterError(f"{name} {list(numbers)} must hold {len(space)} numbers of at least 1")
    if not isinstance(padding, str) and len(padding) != len(space):
        raise ParameterError(f"padding must be SAME, VALID, or {len(space)} pairs")
    spans = [(count - 1) * gap + 1 for count, gap in zip(size, gaps, strict=True)]
    borders, counts = [], []
    for axis, (length, span, step) in enumerate(zip(space, spans, strides, strict=True)):
        border = _border(length, span, step, padding, axis)
        room = length + sum(border) - span
        if room < (1 - 2 * step if may_miss else 0) and padding != "SAME":
            side = SPACE[len(space)][axis]
            raise ShapeError(f"a window of {span} {side} does not fit into {length + sum(border)}")
        borders.append(border)
        counts.append(max(room // step + 1, 0) if padding != "SAME" else -(-length // step))
    return Windows(space, size, strides, gaps, tuple(borders), tuple(counts))


def _border(length: int, span: int, step: int, padding: Any, axis: int) -> tuple[int, int]:
    if padding == "VALID":
        return 0, 0
    if padding == "SAME":
        needed = max((-(-length // step) - 1) * step + span - length, 0)
        return needed // 2, needed - needed // 2
    before, after = padding[axis]
    return before, after
