"""The field of the bar that opens the search, as it is drawn. Units: px."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.rows import key_chip_width
from gradwire.app.shell.bar.search_button import SearchButton
from tests.app.drawn_shapes import drawn


@pytest.fixture
def field(qtbot: QtBot) -> SearchButton:
    parent = QWidget()
    qtbot.addWidget(parent)
    return SearchButton(Appearance("dark"), parent)


def hint_width(field: SearchButton) -> int:
    return field.fontMetrics().horizontalAdvance(field.text())


def test_a_field_has_a_glass_a_hint_and_its_key_at_the_right(field: SearchButton) -> None:
    field.set_key("Tab")
    left = 240 - 7 - key_chip_width("Tab")
    assert field.text() == "Add, find, do …"
    frame, glass, hint, chip, key = drawn(field, 240, 28)
    assert frame == "rect 0.5 0.5 239 27 round 6 1px border.strong on bg.sunken"
    assert glass == "icon 9 7 14 14 text.secondary search"
    assert hint.startswith("text 28 0 212 28 left") and hint.endswith("text.secondary “Add, find, do …”")
    assert chip == f"rect {left + 0.5:g} 5.5 {key_chip_width('Tab') - 1:g} 16 round 4 1px border.default"
    assert key.endswith("“Tab”")
    field.set_key("")
    assert drawn(field, 240, 28) == [frame, glass, hint]


@pytest.mark.parametrize(("beyond", "hints", "keys"), [(33, 0, 0), (34, 1, 0), (79, 1, 0), (80, 1, 1)])
def test_hint_and_key_are_there_from_a_width_on(field: SearchButton, beyond: int, hints: int, keys: int) -> None:
    field.set_key("K")
    shapes = drawn(field, hint_width(field) + beyond, 30)
    assert shapes[1] == "icon 9 8 14 14 text.secondary search"
    assert (sum("“Add" in shape for shape in shapes), sum("“K”" in shape for shape in shapes)) == (hints, keys)


@pytest.mark.parametrize("state", ["focus", "pointer", ""])
def test_the_frame_is_marked_with_the_keyboard_or_the_pointer_on_it(
    field: SearchButton, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr(field, "hasFocus", lambda: state == "focus")
    monkeypatch.setattr(field, "underMouse", lambda: state == "pointer")
    assert f"1px {'focus' if state else 'border.strong'} on" in drawn(field, 196, 28)[0]
