"""Kinds of files with examples, by the endings of their names."""

from __future__ import annotations

TABLES = ("csv", "tsv", "txt")


def ending_of(name: str) -> str:
    """Returns what follows the last dot of a name, in small letters."""
    return name.lower().rpartition(".")[2]


def has_labels_apart(name: str) -> bool:
    """Returns whether a file of this name can have its labels in another file."""
    return ending_of(name) not in (*TABLES, "npz")
