"""A mistake while painting ends only that painting: an open painter would end the process later."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gradwire import HOME
from gradwire.engine.graph.graph import Graph, Page
from tests.app.window.driver import Driver
from tests.app.window.graphs import number
from tests.app.window.monkey import heard_mistakes

# `smooth` of app/look/drawing.py returns what it makes.
MAKERS = ("QPainter", "smooth")


def painters_outside_with(path: Path) -> list[str]:
    """Returns the places that make a painter without `with`, so that only Python's garbage collection ends it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    ended = {item.context_expr for node in ast.walk(tree) if isinstance(node, ast.With) for item in node.items}
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in MAKERS]
    return [f"{path.name}:{call.lineno}" for call in made if call.args and call not in ended]


@pytest.mark.long
def test_every_painter_ends_with_the_block_that_uses_it() -> None:
    """Checks that no painter outlives its device, which would end the process.

    A traceback keeps the objects of a failed painting alive.
    """
    files = [path for path in (HOME / "app").rglob("*.py") if path.name != "drawing.py"]
    assert len(files) > 50
    assert [place for path in files for place in painters_outside_with(path)] == []


def test_after_a_mistake_in_painting_the_window_paints_on(
    user: Driver, qtbot: QtBot, qtlog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.show(Graph((Page("main"),)))
    before = user.window.grab().toImage()

    def fail(*_: object) -> None:
        raise ValueError("odd")

    with monkeypatch.context() as broken, qtbot.captureExceptions() as mistakes:
        broken.setattr("gradwire.app.canvas.painting.painted_page.draw_empty", fail)
        user.canvas.painted.repaint()
        qtbot.waitUntil(lambda: bool(mistakes))
    assert all("odd" in str(error) for _, error, _ in mistakes)
    # What Qt has printed keeps its traceback, and with it the window.
    for name in ("last_type", "last_value", "last_traceback"):
        vars(sys).pop(name, None)
    mistakes.clear()
    assert not [record.message for record in qtlog.records if "active painter" in record.message]
    user.canvas.painted.repaint()
    user.settle()
    assert user.window.grab().toImage() == before


def test_a_page_is_left_while_a_block_with_a_slider_is_selected(user: Driver) -> None:
    """Changes the page before the canvas is told, with a selected block that has a slider."""
    user.show(number())
    user.trigger("add_page")
    user.trigger("previous_page")
    user.hand.click(user.points.title("a"))
    with heard_mistakes() as mistakes:
        user.canvas.viewport.zoom_to(1.2)
        user.settle()
        user.trigger("next_page")
    assert not mistakes
