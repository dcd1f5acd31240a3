"""Inputs of models: numbers that are given, or drawn, in shapes that may be free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.models.names import block_name
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import made, refuse_large

SEED: Final = 0
# The numbers of an input: what NumPy takes for an array, or those that are drawn.
Given = Any


@dataclass(frozen=True)
class Drawn:
    """Numbers of an input that are drawn: normal ones by a seed, or all of them one `number`."""

    seed: int = SEED
    number: float | None = None

    def generator(self) -> np.random.Generator:
        """Returns what draws them."""
        return np.random.Generator(np.random.Philox(self.seed))

    def fill(self, generator: np.random.Generator, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
        """Returns the numbers of one input; whole ones are zeros, for they may be labels or places."""
        if dtype.kind != "f":
            return np.zeros(shape, dtype)
        return generator.normal(size=shape).astype(dtype) if self.number is None else np.full(shape, self.number, dtype)

    def how(self, dtype: np.dtype[Any]) -> str:
        """Returns a phrase for the notice."""
        if dtype.kind != "f" or self.number == 0:
            return "zeros"
        return f"drawn with seed {self.seed}" if self.number is None else f"all {self.number:g}"


@dataclass(frozen=True)
class FreeSize:
    """A size that may be chosen: its symbol, the size by default, and the axes that have it, by input."""

    symbol: str
    size: int
    axes: tuple[tuple[str, int], ...]


class Sizes(Protocol):
    """The sizes of a model's axes, as its file describes an axis; some may be free."""

    def size(self, item: Any, /) -> int:
        """Returns the size of an axis, by default if nobody has chosen it."""

    def bind(self, item: Any, size: int, /) -> bool:
        """Gives a free size its number; returns whether a size that is not free, or has one, is the same."""

    def text(self, item: Any, /) -> str:
        """Returns the size as a sentence has it, `?` for a free one."""


@dataclass
class Inputs:
    """The Inputs of one model by name, with a line for each that nobody gave."""

    sizes: Sizes
    given: Mapping[str, Given]
    drawn: Drawn = field(default_factory=Drawn)
    notices: list[str] = field(default_factory=list)
    made: dict[str, Expression] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._random = self.drawn.generator()

    def make(self, name: str, axes: Sequence[Any], dtype: np.dtype[Any]) -> Expression:
        """Returns an Input; `axes` are as the file describes them.

        Raises: ModelRefusal if the given numbers do not fit, or are too many.
        """
        given = self.given.get(name)
        if given is not None and not isinstance(given, Drawn):
            array = array_of(name, given, dtype)
            fits = array.ndim == len(axes)
            if not fits or not all(self.sizes.bind(*pair) for pair in zip(axes, array.shape, strict=True)):
                wanted = ", ".join(self.sizes.text(item) for item in axes)
                raise ModelRefusal(f"{name} has shape {list(array.shape)}; the program is for [{wanted}].")
        else:
            array = self._filled(name, [self.sizes.size(item) for item in axes], dtype, given)
        return self.put(name, array)

    def put(self, name: str, array: Array) -> Expression:
        """Returns an Input of these numbers."""
        found: Expression = made("Input", value=array, name=block_name(name))
        self.made[name] = found
        return found

    def refuse_unknown(self) -> None:
        """Refuses numbers for an input that there is not."""
        unknown = set(self.given) - set(self.made)
        if unknown:
            raise ModelRefusal(f'There is no input "{min(unknown)}"; there are: {", ".join(self.made) or "none"}.')

    def _filled(self, name: str, shape: list[int], dtype: np.dtype[Any], given: Drawn | None) -> Array:
        refuse_large(name, shape, dtype)
        drawn = self.drawn if given is None else given
        if given is None:
            self.notices.append(f"Nobody gave {name}: its numbers are {drawn.how(dtype)}.")
        return drawn.fill(self._random if given is None else drawn.generator(), shape, dtype)


def array_of(name: str, given: Given, dtype: np.dtype[Any]) -> Array:
    """Returns numbers in the dtype of a model; whole numbers may become floats, but no fraction is lost.

    Raises: ModelRefusal for anything else.
    """
    try:
        array = np.asarray(given)
        found = array.astype(dtype)
    except (ValueError, TypeError, OverflowError):
        raise ModelRefusal(f"{name} is no tensor of numbers.") from None
    if dtype.kind != "f" and not np.array_equal(found, array):
        raise ModelRefusal(f"{name} is {dtype} in the program, which cannot hold these numbers.")
    return found
