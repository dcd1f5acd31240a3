"""Names are shortened, messages are not written over, and what is small can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtWidgets import QLabel, QSpinBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.base.settings import Settings
from gradwire.app.canvas.overlays.corner import Minimap
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from tests.app.kit.parts import unfold
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain, with_block
from tests.app.windows import SETTINGS, Make


@pytest.fixture
def enlarged(tmp_path: Path, make_window: Make, qtbot: QtBot) -> Iterator[Driver]:
    """A user in front of a window that opens with texts of 125 %."""
    Settings(tmp_path / SETTINGS).set_text("text_scale", "125")
    yield Driver(make_window(InlineEvaluator), qtbot)
    Appearance("dark")  # the usual size again


@pytest.mark.long
def test_texts_are_larger_in_switches_that_were_made_before_the_window_was_shown(enlarged: Driver) -> None:
    for size in ("100", "125"):
        enlarged.window.settings.set_text("text_scale", size)
    enlarged.open(example_path("softmax_stable"))
    assert enlarged.child(QWidget, "stop_switch").font().pixelSize() == 15


def test_a_long_name_of_a_document_is_shortened_in_its_middle(user: Driver) -> None:
    user.show(chain())
    user.window.parts.document.title = "name " * 60
    user.window.parts.layout.refreshing.now()
    user.settle()
    shown = user.child(QToolButton, "graph_name")
    assert "…" in shown.text() and shown.text().startswith("name") and len(shown.text()) < 60
    assert shown.width() >= shown.sizeHint().width()


def test_a_message_is_not_written_over_what_changes_meanwhile(user: Driver) -> None:
    user.show(chain())
    user.window.parts.layout.status.showMessage("A message.")
    user.session.select(Selection(frozenset(["t"])))
    user.settle()
    user.trigger("delete")
    assert not user.child(QLabel, "status_state_text").isVisible()
    user.window.parts.layout.status.clearMessage()
    assert user.child(QLabel, "status_state_text").isVisible()
    assert "5 blocks · 3 wires" in user.window.parts.layout.status.details


def test_the_frame_in_the_minimap_stays_inside_it(user: Driver) -> None:
    user.show(chain(), scale=0.1)
    minimap = user.child(Minimap, "minimap")
    assert QRectF(minimap.rect()).contains(minimap.frame())


def test_an_empty_graph_has_no_problem(user: Driver) -> None:
    user.trigger("new")
    assert user.session.problems == ()


def test_a_slice_has_arrows_to_press(user: Driver) -> None:
    user.show(with_block(chain(), "cube", "Constant", (480, 240), value=np.arange(4.0).reshape(2, 1, 2)))
    user.session.select(Selection(frozenset(["cube"])))
    user.settle()
    unfold(user.window.parts.panels.inspector)
    user.settle()
    box = next(item for item in user.window.parts.panels.inspector.findChildren(QSpinBox) if item.isVisible())
    user.qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 9, 6))
    assert box.value() == 1
