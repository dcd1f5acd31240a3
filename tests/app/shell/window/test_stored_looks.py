"""Looks that the settings store, and what stands in for those that there are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradwire.app.base.settings import Settings
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.status.status_bar import _dtype_text
from gradwire.app.shell.window.accessibility import chosen, text_size, wear


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "s.ini")


@pytest.mark.parametrize(
    ("text", "size"),
    [("100", 100), ("89", 90), ("90", 90), ("91", 91), ("199", 199), ("200", 200), ("201", 200), ("", 100),
     ("large", 100), ("-5", 100), ("1.5", 100)],
)  # fmt: skip
def test_texts_are_between_90_and_200_per_cent(settings: Settings, text: str, size: int) -> None:
    settings.set_text("text_scale", text)
    assert (text_size(settings), chosen(settings, "text_scale")) == (size, str(size))
    look = Appearance("dark")
    wear(settings, look)
    assert look.text_scale == size / 100


@pytest.mark.parametrize(
    ("key", "text", "choice"),
    [("contrast", "on", "on"), ("contrast", "much", "system"), ("motion", "full", "full"), ("motion", "", "system"),
     ("wires", "curves", "curves"), ("wires", "none", "corners")],
)  # fmt: skip
def test_a_choice_that_there_is_not_is_the_usual_one(settings: Settings, key: str, text: str, choice: str) -> None:
    settings.set_text(key, text)
    assert chosen(settings, key) == choice


@pytest.mark.parametrize(
    ("dtypes", "text"),
    [
        (("",), ""),
        (("int32", "float64", ""), "float64, int32"),
        (("int32", "bool", "float64"), "float64, bool, int32"),
        (("int32", "bool", "float64", "float32"), "float32, float64, bool +1"),
        (("int32", "bool", "float64", "float32", "int64"), "float32, float64, bool +2"),
    ],
)
def test_three_dtypes_are_named_and_the_others_counted(dtypes: tuple[str, ...], text: str) -> None:
    assert _dtype_text(dtypes) == text
