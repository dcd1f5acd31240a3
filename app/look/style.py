"""The style sheet for all that Fusion and the palette lack (tabs, segments, docks, fields)."""

from __future__ import annotations

import re

from gradwire.app.look.theme import ASSETS, Theme, load_fonts

# Leaves out the least heights of lines and handles, which hold no text.
_HEIGHTS = re.compile(r"(font-size: |m(?:in|ax)-height: (?=[124][0-9]px)|(?<=[ ;])height: (?=29px|30px))(\d+)px")


# In high contrast, a border replaces the tint of a state.
_STRONG = """
QToolButton:checked, QToolButton[look="first"]:checked, QToolButton[look="middle"]:checked,
QToolButton[look="last"]:checked, QPushButton:checked { border: 2px solid {accent}; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { border: 2px solid {accent}; }
QMenu::item:selected { border: 2px solid {focus}; }
"""


def style_sheet(theme: Theme, text_scale: float = 1.0) -> str:
    """Returns the style sheet of a theme: `assets/style.qss` with `{token}` replaced by its colour.

    `text_scale` enlarges the texts, and the heights that hold them; high contrast makes borders 2 px.
    """

    def replaced(match: re.Match[str]) -> str:
        name = match[1]
        return load_fonts()[name.removeprefix("font.")] if name.startswith("font.") else theme.css(name)

    text = (ASSETS / "style.qss").read_text(encoding="utf-8")
    if theme.is_strong:
        text = re.sub(r"\b1px (solid|dashed)", r"2px \1", text) + _STRONG
    text = re.sub(r"\{([a-z][a-z0-9.-]*)\}", replaced, text)
    return _HEIGHTS.sub(lambda match: f"{match[1]}{round(int(match[2]) * text_scale)}px", text)
