"""The room in and around the parts of panels: margins, then gaps, of each layout from the outside. Units: px."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.controls.radio_button import RadioGroup
from gradwire.app.kit.values.tensor_bar import TensorBar
from gradwire.app.kit.values.tensor_fill import FillLine
from gradwire.app.kit.values.value_view import ValueView
from gradwire.app.kit.why.product_view import ProductView
from gradwire.app.kit.why.trial_view import TrialView
from gradwire.app.kit.why.why_list import WhyList
from gradwire.app.live.current_session import ViewRequests
from gradwire.app.look.appearance import Appearance
from tests.app.drawn_shapes import rooms

Make = Callable[[Appearance, QWidget], QWidget]
ROOMS: list[tuple[Make, list[str]]] = [
    (lambda look, parent: ValueView(look, "Tensors", parent), ["0 · 6", "0 · 8"]),
    (lambda _, parent: TensorBar(parent, print, print, print), ["0 · 6"]),
    (lambda _, parent: FillLine(parent, print, print), ["0 · 6"]),
    (TrialView, ["0 2 0 2 · 0", "0 · 12 5"]),
    (lambda look, parent: ProductView(look, "slope", parent), ["0 8 0 4 · 8", "0 · 8 4", "0 · 0 0"]),
    (lambda look, parent: WhyList(ViewRequests(), look, parent), ["0 3 0 0 · 10"]),
]


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(("make", "expected"), ROOMS)
def test_parts_have_their_room(parent: QWidget, make: Make, expected: list[str]) -> None:
    assert rooms(make(Appearance("dark"), parent)) == expected


def test_buttons_of_one_choice_share_their_borders(parent: QWidget) -> None:
    view = ValueView(Appearance("dark"), "Tensors", parent)
    assert [rooms(group) for group in view.findChildren(RadioGroup)] == [["0 · 0"]] * 2
