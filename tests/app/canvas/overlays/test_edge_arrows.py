"""The marks at the edges of a canvas count the blocks out of view and lead there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRectF, Qt
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.overlays.edge_arrows import EdgeArrows, Side, out_of_view
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import Evaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.motion import set_moves
from tests.app.canvas.pages import chain, mirror_of


@pytest.fixture
def arrows(qtbot: QtBot) -> Iterator[tuple[Canvas, EdgeArrows]]:
    """A canvas of 500 by 300 px, at 100 % on the first two blocks of a chain of four, 240 px apart."""
    session, appearance = Session(chain(), Evaluator), Appearance("dark")
    canvas = Canvas(CurrentSession(session), appearance)
    qtbot.addWidget(canvas)
    made = EdgeArrows(canvas, appearance)
    canvas.resize(500, 300)
    canvas.show()
    canvas.viewport.look_with(Camera(1.0, 40, 60))
    set_moves(False)
    yield canvas, made
    set_moves(None)
    session.close()


def test_blocks_are_counted_by_the_side_on_which_they_are() -> None:
    mirror = mirror_of(chain())
    whole = mirror.block_bounds()
    none = dict.fromkeys(Side, 0)
    assert out_of_view(mirror, whole) == none
    assert out_of_view(mirror, QRectF(200, 0, 200, 300)) == {**none, Side.LEFT: 1, Side.RIGHT: 2}
    assert out_of_view(mirror, whole.translated(0, 1000)) == {**none, Side.TOP: 4}
    assert out_of_view(mirror, whole.translated(0, -1000)) == {**none, Side.BOTTOM: 4}


def test_only_a_side_with_something_has_a_mark(arrows: tuple[Canvas, EdgeArrows]) -> None:
    shown = {side: button.text() for side, button in arrows[1].buttons.items() if button.isVisible()}
    assert shown == {Side.RIGHT: "2 →"}


def test_a_press_leads_there(arrows: tuple[Canvas, EdgeArrows], qtbot: QtBot) -> None:
    canvas, made = arrows
    assert made.buttons[Side.RIGHT].accessibleName() == "Out of view to the right: 2. Click to go there."
    qtbot.mouseClick(made.buttons[Side.RIGHT], Qt.MouseButton.LeftButton)
    assert canvas.viewport.seen.contains(canvas.mirror.rect("s"))
    assert made.buttons[Side.LEFT].isVisible()
