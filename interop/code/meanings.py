"""Functions of our own reading that the reader itself calls."""

from __future__ import annotations

from gradwire.blocks.names.table import Spoken, names


def ours(name: str) -> Spoken:
    """Returns what a name of ours means.

    Raises: KeyError if the table lacks it, which no text can cause.
    """
    found = names().find(name)
    if found is None:
        raise KeyError(name)
    return found
