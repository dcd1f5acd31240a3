"""Edits that a panel applies; the panel shows the reason for a refusal beside its field."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from gradwire.app.live.session import Session


# Any: each edit has arguments of its own.
def apply_edit(
    session: Session, text: str, edit: Callable[..., Any], *args: Any, merge_key: Hashable | None = None
) -> str:
    """Applies an edit to the graph; returns the reason if the session refused it, else ""."""
    refusals: list[str] = []

    def note(sentence: str) -> None:
        refusals.append(sentence)

    session.refused.connect(note)
    session.apply(text, edit, *args, merge_key=merge_key)
    session.refused.disconnect(note)
    return " ".join(refusals)
