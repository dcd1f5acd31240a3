"""Texts of users where Qt would take some of their signs for its own: in tooltips, on buttons, in titles."""

from __future__ import annotations

import html

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from engine.plain_text import LONGEST_PARAGRAPH, plain, plain_lines

_CHANGED = "[*]"


def plain_tip(text: str) -> str:
    """A tooltip that shows a text as it is; Qt would take `<b>` in a name for markup."""
    return f"<div style='white-space: pre-wrap'>{html.escape(plain_lines(text))}</div>" if text else ""


def literal_tip(text: str) -> str:
    """A text as a tooltip that keeps its lines: as it is, but written as markup where Qt would take it for some."""
    return plain_tip(text) if "<" in text or "&" in text else plain_lines(text)


def plain_entry(text: str) -> str:
    """The text of a menu entry, button or tab that shows it as it is; an ampersand would underline a letter."""
    return plain(text, LONGEST_PARAGRAPH).replace("&", "&&")


def add_entry(menu: QMenu, text: str) -> QAction:
    """Adds an entry of that text to a menu; Qt would make a tooltip of it that it takes for markup."""
    action = menu.addAction(plain_entry(text))
    action.setToolTip(literal_tip(text))
    return action


def title_of_file(name: str) -> str:
    """The title of a window that shows a file; Qt replaces `[*]` in it by the mark of what is not saved."""
    return f"{plain(name).replace(_CHANGED, 2 * _CHANGED)}{_CHANGED} - Gradwire"


def shown_title(window: QWidget) -> str:
    """The title of a window as it is seen."""
    mark = "*" if window.isWindowModified() else ""
    return _CHANGED.join(part.replace(_CHANGED, mark) for part in window.windowTitle().split(2 * _CHANGED))
