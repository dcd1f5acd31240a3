"""What rounds of a training draw, for a page: rows of data sets, which the page holds, and noise by its names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradwire.engine.autodiff.lower import infer_and_measure
from gradwire.engine.base.counter_random import generator, permutation
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.draw import Recipe
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.export.live.variant import Json
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.draws import Draws

ROWS = "rows"
# Arrays of rows begin at multiples of this. Units: bytes.
_ALIGNMENT = 8


class DrawnNumbers:
    """Registry of the data sets that a page holds, whole or only the first batch of each, with the noise of its blocks.

    Blocks with the same rows in the same order share them.
    """

    def __init__(self, is_whole: bool = True) -> None:
        self._is_whole = is_whole
        self._numbers: dict[tuple[object, ...], int] = {}
        self.sets: list[Json] = []
        self.held: list[tuple[str, int]] = []
        self._arrays: list[Array] = []

    def entry(self, path: str, recipe: Recipe | None) -> list[object]:
        """Returns what a page has to know of the block at a path: the kind, and its data set or its path and seed.

        Raises: GradwireError if only NumPy can draw it.
        """
        if recipe is None:
            raise GradwireError(f"{path}: Its random numbers are drawn by Gradwire alone, so training stays there.")
        if recipe.kind == ROWS:
            return [ROWS, self._set(recipe)]
        return [recipe.kind, path, recipe.seed]

    @property
    def memory(self) -> bytes:
        """Rows of all sets, one array after the other."""
        return b"".join(array.tobytes() + bytes(-array.nbytes % _ALIGNMENT) for array in self._arrays)

    def _set(self, recipe: Recipe) -> int:
        key = (*map(id, recipe.arrays), recipe.batch, recipe.seed)
        if key not in self._numbers:
            self._numbers[key] = len(self.sets)
            self._hold(recipe)
        return self._numbers[key]

    def _hold(self, recipe: Recipe) -> None:
        count, seed, arrays = len(recipe.arrays[0]), recipe.seed, [*recipe.arrays]
        if not self._is_whole:
            arrays = [array[_first(recipe)] for array in arrays]
            count, seed = len(arrays[0]), None
        self.held.append((recipe.name, count))
        self._arrays += [np.ascontiguousarray(array) for array in arrays]
        kinds = [[array.dtype.name, array.shape[1:]] for array in arrays]
        self.sets.append({"title": recipe.name, "rows": count, "batch": recipe.batch, "seed": seed, "arrays": kinds})


def shown_noise(graph: Graph) -> dict[str, tuple[Expression, ...]]:
    """Returns the noise of blocks that draw anew in training, as they show it outside of it, by their paths."""
    inferred = infer_and_measure(graph)
    draws, found = Draws(inferred, 0, ""), dict[str, tuple[Expression, ...]]()
    for path, recipe in draws.recipes.items():
        if recipe is not None and recipe.kind != ROWS:
            found[path] = tuple(constant(_noise(recipe, item.spec)) for item in draws.numbers[path])
    return found


def _noise(recipe: Recipe, spec: TensorSpec) -> Array:
    source = generator("noise", recipe.seed or 0)
    numbers = source.random(spec.shape) if recipe.kind == "uniform" else source.standard_normal(spec.shape)
    below_1 = np.nextafter(spec.dtype.type(1), spec.dtype.type(0))
    return np.asarray(np.minimum(numbers, below_1) if recipe.kind == "uniform" else numbers, spec.dtype)


def _first(recipe: Recipe) -> Sequence[int] | Array:
    """Returns the rows of the first batch."""
    if recipe.seed is None:
        return range(recipe.batch)
    return permutation(len(recipe.arrays[0]), "order", recipe.seed, 0)[: recipe.batch]
