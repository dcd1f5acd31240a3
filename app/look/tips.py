"""Tooltips with texts that users write."""

from __future__ import annotations

import html


def plain_tip(text: str) -> str:
    """A tooltip that shows a text as it is; Qt would take `<b>` in a name for markup."""
    return f"<div style='white-space: pre-wrap'>{html.escape(text)}</div>" if text else ""
