"""Kinds of files with examples, by the endings of their names, and how somebody wants them to be read."""

from __future__ import annotations

from typing import NamedTuple

TABLES = ("csv", "tsv", "tab", "txt", "data", "dat", "arff")


class DataOptions(NamedTuple):
    """The parameters of a Data block that say how its file is read; see its help.

    `label` is one name, or several whose columns y then has; `columns` names those of x, and is empty for all others.
    """

    label: str | tuple[str, ...] = ""
    missing: str = "refuse"
    columns: tuple[str, ...] = ()
    header: str = "auto"
    separator: str = "auto"
    decimal: str = "auto"
    text: str = "refuse"

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of all columns with labels, none where nothing is said."""
        one = (self.label,) if isinstance(self.label, str) else self.label
        return tuple(name for name in one if name)


def ending_of(name: str) -> str:
    """Returns what follows the last dot of a name, in small letters."""
    return name.lower().rpartition(".")[2]


def has_labels_apart(name: str) -> bool:
    """Returns whether a file of this name can have its labels in another file."""
    return ending_of(name) not in (*TABLES, "npz")
