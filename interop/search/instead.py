"""Names of what Gradwire has no block for, with the block that comes nearest and what it does not do."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Instead(NamedTuple):
    """Block type to take in place of something else, and a sentence that says how the two differ."""

    type: str
    sentence: str


_EIG: Final = Instead(
    "SelfAdjointEig", "Eig gives complex numbers, which no block has; SelfAdjointEig takes symmetric matrices."
)

INSTEAD: Final[Mapping[str, Instead]] = MappingProxyType({"eig": _EIG, "eigvals": _EIG, "eigenvals": _EIG})
"""By names in lower case, without underscores and the modules before them."""
