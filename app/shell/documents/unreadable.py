"""The sentence about a file that cannot be opened: that it is something else, or the place, the reason and the line."""

from __future__ import annotations

import re
from pathlib import Path

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.untrusted_text import plain

# The first bytes that tell what a file is, and so many of them at most.
_PICTURE, _ARCHIVE = rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|II\*\0|MM\0\*", rb"\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf"
_TEXT = rb"(?:\xef\xbb\xbf)?\s*[\w#%/(*.,;:!?=-](?!.*\"blocks\")[^\0]*\Z"
_HEAD = 4096


def unreadable_sentence(name: str, error: FileError) -> str:
    """Returns the place and the reason, and below them the line to blame: `a.graph, line 3, column 9: ...`."""
    place = tr(", line {line}, column {column}", line=error.line, column=error.column) if error.line else ""
    sentence = f"{plain(name)}{place}: {tr_sentence(error.message)}"
    return f"{sentence}\n\n{error.excerpt}" if error.excerpt else sentence


def foreign_sentence(path: Path) -> str:
    """Returns that a file is something else than a graph, by its first bytes; "" if it may be a damaged graph.

    Raises: OSError if it cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    kinds = {_PICTURE: tr("a picture"), rb"PK[\x03\x05]": tr("a ZIP archive"), _ARCHIVE: tr("a compressed file"),
             rb"%PDF-": tr("a PDF document"), rb"\x08[\1-\x10][\x12:]": tr("an ONNX model"),
             rb"\x89HDF": tr("an HDF5 file"), rb"\x93NUMPY": tr("an array of NumPy"), _TEXT: tr("a text")}  # fmt: skip
    kind = next((kind for start, kind in kinds.items() if re.match(start, head, re.DOTALL)), "")
    return tr('"{name}" is not a Gradwire graph. It is {kind}.', name=plain(path.name), kind=kind) if kind else ""
