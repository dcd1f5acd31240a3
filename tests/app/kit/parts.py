"""A part of the card without a window: beside a session that is evaluated at once."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.inspection import Part, Place
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.graph.graph import Graph
from tests.app.window.finding import settle

P = TypeVar("P", bound=Part)


def part_of(kind: type[P], graph: Graph, qtbot: QtBot) -> P:
    """A part that is shown, of no place yet."""
    session = Session(graph, InlineEvaluator)
    qtbot.waitUntil(lambda: session.results is not None)
    around = QWidget()
    qtbot.addWidget(around)
    made = kind(CurrentSession(session), Appearance("dark"), around)
    around.resize(260, 400)
    around.show()
    return made


def show(part: Part, place: Place) -> None:
    """Shows a place, and waits for the answer about it."""
    part.show_place(place)
    settle()


def said(part: QWidget, name: str) -> str:
    """The text of a label, "" if it is hidden."""
    found = part.findChild(QLabel, name)
    assert isinstance(found, QLabel)
    return "" if found.isHidden() else found.text()


def first_place(kind: type[Part], graph: Graph, qtbot: QtBot) -> Place | str:
    """The place that the command of a part goes to, or the sentence that it says."""
    session, found = Session(graph, InlineEvaluator), list[Place | str]()
    qtbot.waitUntil(lambda: session.results is not None)
    kind.first_place(session, found.append)
    qtbot.waitUntil(lambda: bool(found))
    session.close()
    return found[0]


def unfold(around: QWidget) -> None:
    """Unfolds what stands under More, and the rows of parameters that are not set."""
    for name in ("inspector_more", "show_unset"):
        for button in around.findChildren(QAbstractButton, name):
            if button.isVisible() and not button.isChecked():
                button.click()
