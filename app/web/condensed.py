"""Scripts in fewer letters: without comments, and without spaces that no rule of JavaScript asks for."""

from __future__ import annotations

import re

# What must stay as it is, then comments, runs of spaces, and all else letter by letter.
_TOKEN = re.compile(
    r"""(?P<kept>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`"""
    r"""|(?<=[(,=:?&|!{};\n ])/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)"""
    r"""|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<space>\s+)|(?P<word>[\w$]+)|(?P<sign>.)""",
    re.S,
)


def condensed(script: str) -> str:
    """Returns a script that does the same; each of its statements ends in a semicolon or a brace."""
    parts: list[str] = []
    gap = False
    for found in _TOKEN.finditer(script):
        text = found[0]
        if found["comment"] is not None or found["space"] is not None:
            gap = True
            continue
        if gap and parts and _needs_space(parts[-1][-1], text[0]):
            parts.append(" ")
        parts.append(text)
        gap = False
    return "".join(parts).replace(";}", "}")


def _needs_space(before: str, after: str) -> bool:
    is_word = (before.isalnum() or before in "_$") and (after.isalnum() or after in "_$")
    return is_word or (before == after and before in "+-")
