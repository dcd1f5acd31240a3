"""The grip of a strip: what it draws, and which pulls it takes for one. Units: px."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.window.grip import Grip
from tests.app.drawn_shapes import drawn


@pytest.fixture
def grip(qtbot: QtBot) -> Grip:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = Grip(Appearance("dark"), parent)
    made.setParent(parent)
    made.keep = parent  # type: ignore[attr-defined]  # Qt deletes it with its parent
    return made


def pulled(grip: Grip, way: float) -> tuple[list[bool], int]:
    """Presses at a height, lets go somewhat lower, and returns the pulls and the number of clicks."""
    pulls, clicks = list[bool](), list[str]()
    grip.pulled.connect(pulls.append)
    grip.clicked.connect(lambda: clicks.append("click"))
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    for kind, height, held in ((QEvent.Type.MouseButtonPress, 100.0, left),
                               (QEvent.Type.MouseButtonRelease, 100.0 + way, none)):  # fmt: skip
        event = QMouseEvent(kind, QPointF(30, 6), QPointF(30, height), left, held, Qt.KeyboardModifier.NoModifier)
        grip.mousePressEvent(event) if held is left else grip.mouseReleaseEvent(event)
    return pulls, len(clicks)


@pytest.mark.parametrize(
    ("way", "pulls", "clicks"),
    [(0, [], 1), (5, [], 1), (-5, [], 1), (6, [False], 0), (-6, [True], 0), (90, [False], 0), (-90, [True], 0)],
)
def test_six_px_are_a_pull_and_less_is_a_click(grip: Grip, way: float, pulls: list[bool], clicks: int) -> None:
    assert pulled(grip, way) == (pulls, clicks)
    assert not grip.isDown()


def test_its_bar_stands_in_the_middle_and_lights_up(grip: Grip, monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(grip, 60, 24) == ["rect 12 4 36 3 round 1.5 on border.strong"]
    grip.setDown(True)
    assert drawn(grip, 60, 24) == ["rect 12 4 36 3 round 1.5 on text.secondary"]
    grip.setDown(False)
    monkeypatch.setattr(Grip, "underMouse", lambda _: True)
    assert drawn(grip, 80, 24) == ["rect 22 4 36 3 round 1.5 on text.secondary"]
    monkeypatch.setattr(Grip, "underMouse", lambda _: False)
    monkeypatch.setattr(Grip, "hasFocus", lambda _: True)
    bar, ring = drawn(grip, 60, 24)
    assert bar == "rect 12 4 36 3 round 1.5 on border.strong" and ring == "rect 10 2 40 7 round 3 2px focus"


@pytest.mark.parametrize(("is_raised", "words"), [(True, "Close the panel"), (False, "Open the panel")])
def test_it_says_what_it_does(grip: Grip, is_raised: bool, words: str) -> None:
    grip.show_state(True, is_raised)
    assert (grip.toolTip(), grip.accessibleName(), grip.isHidden()) == (words, words, False)
    grip.show_state(False, is_raised)
    assert grip.isHidden()
