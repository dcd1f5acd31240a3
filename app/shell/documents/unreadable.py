"""The sentence about a file that cannot be opened."""

from __future__ import annotations

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.untrusted_text import plain


def unreadable_sentence(name: str, error: FileError) -> str:
    """Returns the place and the reason, and below them the line to blame: `a.graph, line 3, column 9: ...`.

    An error that names the file itself is said as it is.
    """
    if not error.line and plain(name) in error.message:
        return tr_sentence(error.message)
    place = tr(", line {line}, column {column}", line=error.line, column=error.column) if error.line else ""
    sentence = f"{plain(name)}{place}: {tr_sentence(error.message)}"
    return f"{sentence}\n\n{error.excerpt}" if error.excerpt else sentence
