"""The style sheet dresses only what the program has."""

from __future__ import annotations

import re

from gradwire import HOME

SHEET = (HOME / "assets" / "style.qss").read_text("utf-8")
SELECTORS = " ".join(re.findall(r"([^{}]+)\{[^{}]*(?:\{[\w.-]+\}[^{}]*)*\}", SHEET))
SOURCE = "\n".join(path.read_text("utf-8") for path in (HOME / "app").rglob("*.py"))


def test_every_name_and_look_in_the_style_sheet_is_that_of_a_widget() -> None:
    names = {*re.findall(r"#(\w+)", SELECTORS), *re.findall(r'look="([\w-]+)"', SELECTORS)}
    assert len(names) > 30
    # Those of message boxes are Qt's.
    assert not {name for name in names if not name.startswith("qt_") and f'"{name}"' not in SOURCE}


def test_every_class_in_the_style_sheet_is_one_of_qt_or_of_the_program() -> None:
    classes = {name for name in re.findall(r"\b[A-Z]\w+\b", SELECTORS) if not name.startswith("Q")}
    assert classes
    assert not {name for name in classes if f"class {name}(" not in SOURCE}
