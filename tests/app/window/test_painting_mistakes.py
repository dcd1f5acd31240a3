"""A mistake while painting costs that painting: nothing goes on painting, which would end the process later on."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

import app
from engine.graph import Graph, Page
from tests.app.window.driver import Driver
from tests.app.window.graphs import number
from tests.app.window.monkey import heard_mistakes


def painters_outside_with(path: Path) -> list[str]:
    """Where a painter of something is made that ends only when Python lets go of it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    ended = {item.context_expr for node in ast.walk(tree) if isinstance(node, ast.With) for item in node.items}
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "QPainter"]
    return [f"{path.name}:{call.lineno}" for call in made if call.args and call not in ended]


def test_every_painter_ends_with_the_block_that_uses_it() -> None:
    """A traceback keeps what a failed painting used; a painter that lives longer than its device ends the process."""
    files = list(Path(app.__file__).parent.rglob("*.py"))
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
        broken.setattr("app.canvas.view.draw_empty", fail)
        user.canvas.repaint_page()
        user.settle()
    assert mistakes and all("odd" in str(error) for _, error, _ in mistakes)
    assert not [record.message for record in qtlog.records if "active painter" in record.message]
    user.canvas.repaint_page()
    user.settle()
    assert user.window.grab().toImage() == before


def test_a_page_is_left_while_a_block_with_a_slider_is_selected(user: Driver) -> None:
    """The graph is the next page's before the canvas hears of that."""
    user.show(number())
    user.trigger("add_page")
    user.trigger("previous_page")
    user.click(user.title("a"))
    with heard_mistakes() as mistakes:
        user.canvas.zoom_to(1.2)
        user.settle()
        user.trigger("next_page")
    assert not mistakes
