"""An edit carried out by a panel, which shows beside its field why one is impossible."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from app.live.session import Session


# Any: the edit decides what it takes.
def apply_edit(
    session: Session, text: str, edit: Callable[..., Any], *args: Any, merge_key: Hashable | None = None
) -> str:
    """Carries out an edit; the reason if it was refused, else nothing."""
    refusals: list[str] = []

    def note(sentence: str) -> None:
        refusals.append(sentence)

    session.refused.connect(note)
    session.apply(text, edit, *args, merge_key=merge_key)
    session.refused.disconnect(note)
    return " ".join(refusals)
