"""Escapes for users' texts in tool tips, on buttons and in titles, where Qt interprets some characters."""

from __future__ import annotations

import html

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain, plain_lines

_CHANGED = "[*]"


def plain_tip(text: str) -> str:
    """Returns a tool tip that shows a text literally; Qt would read `<b>` in a name as markup."""
    return f"<div style='white-space: pre-wrap'>{html.escape(plain_lines(text))}</div>" if text else ""


def literal_tip(text: str) -> str:
    """Returns a tool tip that shows a text literally and keeps its lines.

    The text becomes markup only if Qt might take it for markup.
    """
    return plain_tip(text) if "<" in text or "&" in text else plain_lines(text)


def plain_entry(text: str) -> str:
    """Returns the literal text of a menu entry, button or tab; a single ampersand would underline a letter."""
    return plain(text, LONGEST_PARAGRAPH).replace("&", "&&")


def add_entry(menu: QMenu, text: str) -> QAction:
    """Adds an entry with a literal text to a menu; Qt's default tool tip would read the text as markup."""
    action = menu.addAction(plain_entry(text))
    action.setToolTip(literal_tip(text))
    return action


def title_of_file(name: str) -> str:
    """Returns the title of a window with a file; Qt replaces `[*]` by the mark for unsaved changes."""
    return f"{plain(name).replace(_CHANGED, 2 * _CHANGED)}{_CHANGED} - Gradwire"


def shown_title(window: QWidget) -> str:
    """Returns the title of a window as users see it."""
    mark = "*" if window.isWindowModified() else ""
    return _CHANGED.join(part.replace(_CHANGED, mark) for part in window.windowTitle().split(2 * _CHANGED))
