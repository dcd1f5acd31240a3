"""What a text leaves open: the shapes of names that nothing binds, and the dtype of whole numbers.

A reading that fails is tried again with another choice for what it blames.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array

# The size of an axis about which nothing is known.
SIZE: Final = 3
_MATRICES: Final = frozenset(("logits", "scores"))
# Names of places and classes, which PyTorch's losses take as whole numbers.
_LABELS: Final = re.compile(r"(?:\w+_)?(?:labels?|class(?:es)?|actions?|idx|ind(?:ex|ices)|ids?|tokens?)")


class Choices:
    """The choices of one reading: each has an index into its alternatives, 0 unless another is given."""

    def __init__(self, taken: Mapping[Hashable, int], sizes: Sequence[int], has_whole_labels: bool = False) -> None:
        self._taken, self._sizes, self._has_whole_labels = taken, sizes, has_whole_labels
        self.counts: dict[Hashable, int] = {}

    def among(self, key: Hashable, count: int) -> int:
        """Returns which of so many alternatives is taken."""
        self.counts[key] = count
        return min(self._taken.get(key, 0), count - 1)

    def unbound(self, name: str) -> Array:
        """Returns numbers for a name that nothing binds."""
        alternatives = _specs(name, self._sizes)
        if self._has_whole_labels and _LABELS.fullmatch(name):
            alternatives = list(dict.fromkeys([((SIZE,), "i"), *alternatives]))
        shape, kind = alternatives[self.among(name, len(alternatives))]
        # The same for a name in every text.
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        if kind == "i":
            return rng.integers(0, 2, shape)
        if kind == "b":
            return rng.random(shape) < 0.5
        return np.round(rng.uniform(0.1, 1, shape), 2)


def _specs(name: str, sizes: Sequence[int]) -> list[tuple[tuple[int, ...], str]]:
    """Returns shapes and kinds of numbers, the likeliest for a name first: capitals and logits are matrices."""
    ranks = (2, 1, 0, 3, 4) if name[:1].isupper() or name in _MATRICES else (1, 2, 0, 3, 4)
    found = [((SIZE,) * rank, "f") for rank in ranks]
    found += [((SIZE,) * rank, kind) for kind in "ib" for rank in (1, 0, 2)]
    for rank in ranks:
        shapes = itertools.product(*([SIZE, *sizes],) * min(rank, 2))
        found += [((SIZE,) * (rank - 2) + shape if rank > 2 else shape, "f") for shape in shapes]
    found += [((size,), kind) for kind in "ib" for size in sizes]
    return list(dict.fromkeys(found))
