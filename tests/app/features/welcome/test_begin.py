"""A graph that begins on the empty page, in a window: by letters, by an example of them, or by a lesson."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QListView, QWidget

from gradwire.app.features.search.search_popup import SearchPopup
from gradwire.app.kit.search.entries import ENTRY
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain


def popup(user: Driver) -> SearchPopup:
    return user.window.parts.editor.placer.popup


def typed(user: Driver) -> QLineEdit:
    return user.child(QLineEdit, "search_field")


def begin(user: Driver, text: str) -> None:
    """Types a text into the field of the page, and presses Enter."""
    QTest.keyClick(user.window.parts.layout.welcome.field, text[0])
    assert popup(user).isVisible() and typed(user).text() == text[0]
    QTest.keyClicks(typed(user), text[1:])
    enter(user)


def enter(user: Driver) -> None:
    QTest.keyClick(typed(user), Key.Key_Return)
    user.settle()
    # Without a window system the closed popup stays the active window.
    user.window.activateWindow()
    user.settle()


def types(user: Driver) -> list[str]:
    return sorted(block.type for block in user.page.blocks.values())


def test_the_search_lies_over_the_field_as_wide_as_it(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen of the tests is narrower than the page, so the corner is noted where it is asked for."""
    corners = list[QPoint]()
    wide = QRect(-5000, -5000, 20_000, 20_000)
    monkeypatch.setattr(SearchPopup, "_room", lambda _, corner: corners.append(corner) or wide)
    field = user.window.parts.layout.welcome.field
    QTest.mouseClick(field, LEFT)
    room = QRect(field.mapToGlobal(QPoint()), field.size())
    assert (corners, popup(user).width()) == ([room.topLeft()], room.width())
    # Elsewhere it has its own width again.
    popup(user).close()
    user.show(chain())
    user.trigger("search")
    assert popup(user).width() == 420
    popup(user).close()


@pytest.mark.parametrize(
    ("number", "made"),
    [
        (0, ["Add", "Input", "Input", "Input", "MatVec", "Softmax"]),
        (1, ["Page"]),
        (2, ["Input", "ReduceMax", "StopGradient", "Subtract"]),
    ],
)
def test_each_example_is_built_by_a_click_and_enter(user: Driver, number: int, made: list[str]) -> None:
    QTest.mouseClick(user.child(QAbstractButton, f"start_{number}"), LEFT)
    enter(user)
    assert user.window.parts.has_document and user.canvas.isVisible()
    assert types(user) == made
    seen = user.canvas.camera.rect_to_scene(user.canvas.rect().toRectF())
    assert seen.contains(user.canvas.mirror.bounds())
    user.undo()
    assert user.graph == Graph()


def test_what_is_typed_begins_a_graph(user: Driver) -> None:
    begin(user, "exp")
    assert types(user) == ["Exp"] and user.canvas.isVisible() and not user.window.parts.layout.shows_welcome


def test_a_block_comes_onto_the_page_behind(user: Driver) -> None:
    user.show(chain())
    session, before = user.session, len(user.page.blocks)
    user.trigger("welcome")
    begin(user, "tanh")
    assert user.session is session and user.canvas.isVisible()
    assert len(user.page.blocks) == before + 1
    user.undo()
    assert len(user.page.blocks) == before


def test_a_command_a_lesson_and_escape_begin_no_graph(user: Driver) -> None:
    parts = user.window.parts
    begin(user, "settings")
    user.child(QWidget, "settings_dialog").close()
    assert not parts.has_document and parts.layout.shows_welcome
    QTest.mouseClick(user.child(QAbstractButton, "all_lessons"), LEFT)
    model = user.child(QListView, "search_list").model()
    assert [model.index(row, 0).data(ENTRY).text for row in range(2)] == ["Lessons", "Stable softmax"]
    QTest.keyClick(typed(user), Key.Key_Escape)
    assert not parts.has_document and not popup(user).isVisible()
    begin(user, "stable softmax")
    assert parts.document.title == "softmax_stable"


def test_what_is_not_understood_says_why_and_leaves_the_page(user: Driver) -> None:
    begin(user, "xyz")
    message = user.child(QLabel, "search_message")
    assert message.text() == 'No block is called "xyz". The nearest names are Xdivy, Xlogy, Input.'
    typed(user).setText("exp(x) + foo(y)")
    assert message.text() == "Column 10: foo is not known here; similar names: floor."
    assert not user.window.parts.has_document
    popup(user).close()
