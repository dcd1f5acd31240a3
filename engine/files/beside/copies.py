"""Copies of graphs' files, with their weights, in folders of the program's own."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from gradwire.engine.files.beside.names import content_name, names_in, renamed_in


def copy_beside(content: bytes, source: Path, folder: Path) -> bytes:
    """Copies the weights that a graph's text names from one folder to another; returns the text that names the copies.

    The copies are links where the disk has them: files of weights are replaced, never written into.
    Raises: OSError if they cannot be copied. Weights that are missing stay missing.
    """
    for name, digest in names_in(content).items():
        copy = folder / content_name(digest)
        with contextlib.suppress(FileNotFoundError):
            if not os.path.lexists(copy):
                _copy(source / name, copy)
            content = renamed_in(content, name, copy.name)
    return content


def link_beside(names: Iterable[str], source: Path, folder: Path) -> None:
    """Copies some files of weights, whose names follow from their content, from one folder to another.

    Raises: OSError if they cannot be copied. Those that are missing stay missing.
    """
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            if not os.path.lexists(folder / name):
                _copy(source / name, folder / name)


def _copy(source: Path, target: Path) -> None:
    if source.is_symlink() or not source.is_file():
        raise FileNotFoundError(source)
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(source, target)
