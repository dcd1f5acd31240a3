"""Tab completion of names in a line of the console."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from gradwire.app.features.console.console_names import GIVEN
from gradwire.app.live.session import Session

_BEGUN = re.compile(r"[\w/.]*$")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


class Completed(NamedTuple):
    """The new text before the cursor, and the candidates if there are several."""

    before: str
    choices: tuple[str, ...] = ()


def completed(before: str, names: Iterable[str]) -> Completed:
    """Completes the name at the end of a text as far as it is unambiguous.

    Within quotation marks it is the name of a block or port, with or without its page. Elsewhere it is one of
    the names that every line can use.
    """
    begun = _BEGUN.search(before)
    token = begun[0] if begun else ""
    known = _matches(token, set(names) if (not {"'", '"'}.isdisjoint(_QUOTED.sub("", before))) else GIVEN)
    common = os.path.commonprefix(known)  # noqa: RUF071  # letters are meant, not folders
    if token in common and common != token:
        return Completed(before[: len(before) - len(token)] + common)
    return Completed(before, tuple(known) if len(known) > 1 else ())


def names_of(session: Session) -> set[str]:
    """Returns the names of all blocks, and of all ports with a value or a wire."""
    names = set(session.inferred.expanded.instances)
    if session.results is not None:
        names.update(map(str, session.results.ports.row_of))
        names.update(str(link.target) for link in session.results.wires.row_of)
    return names


def _matches(token: str, names: Collection[str]) -> list[str]:
    """Returns the names with this beginning, else those with it after a page."""
    found = [name for name in names if name.startswith(token)]
    return sorted(found or [name for name in names if f"/{token}" in name])
