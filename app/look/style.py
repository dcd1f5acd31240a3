"""The style sheet: what Fusion and the palette do not give (tabs, segments, docks, fields)."""

from __future__ import annotations

import re

from app.look.theme import ASSETS, Theme, load_fonts


def style_sheet(theme: Theme) -> str:
    """The style sheet of a theme: `assets/style.qss`, where `{token}` is the colour of that name."""

    def replaced(match: re.Match[str]) -> str:
        name = match[1]
        return load_fonts()[name.removeprefix("font.")] if name.startswith("font.") else theme.css(name)

    return re.sub(r"\{([a-z][a-z0-9.-]*)\}", replaced, (ASSETS / "style.qss").read_text(encoding="utf-8"))
