"""What differs between versions of PyTorch: the oldest that serves, and since when one does what older ones refuse."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from gradwire.interop.models.refusals import ModelRefusal

Torch = Any  # Any: whatever PyTorch is installed
Version = tuple[int, int]
# Older ones save weights as pickles, and so do not write what `pt2` reads.
OLDEST: Final[Version] = (2, 9)
# What an older PyTorch says of things that it cannot do, and the first version that can.
_SINCE: Final[tuple[tuple[str, Version], ...]] = (
    ("assigned during export", (2, 10)),
    ("created in the model.forward", (2, 10)),
    ("apply() takes no keyword arguments", (2, 13)),
)


def pytorch() -> Torch:
    """Returns PyTorch.

    Raises: ModelRefusal if it is missing, or too old.
    """
    try:
        torch = import_module("torch")
    except ImportError:
        raise ModelRefusal("from_torch needs PyTorch, which is not installed; pip install torch adds it.") from None
    if version_of(torch) < OLDEST:
        installed = torch.__version__
        raise ModelRefusal(
            f"from_torch needs PyTorch {_text(OLDEST)} or newer, and {installed} is installed; "
            "pip install --upgrade torch brings a newer one."
        )
    return torch


def version_of(torch: Torch) -> Version:
    """Returns the first two numbers of a version."""
    first, second = str(torch.__version__).split(".")[:2]
    return int(first), int(second)


def with_version(said: str) -> str:
    """Returns what PyTorch says, and the first version that can do it, if the installed one is older."""
    installed = version_of(pytorch())
    able = next((since for words, since in _SINCE if words in said and installed < since), None)
    return said if able is None else f"{said}; PyTorch {_text(able)} and newer can do this"


def _text(version: Version) -> str:
    return ".".join(map(str, version))
