"""A mode that lacks what it needs opens nothing: one sentence says what to add, and its button adds it."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

import gradwire as gw
from gradwire.app.canvas.painting.picture import with_places
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Driver, Key

pytestmark = pytest.mark.usefixtures("one_window")

KEYS = {"step": Key.Key_2, "train": Key.Key_3, "compare": Key.Key_4}
LOSS, VARIABLE = "Add a Loss", "Add a Variable"


def square(kind: str = "Variable") -> Graph:
    return with_places(gw.graph(gw.Square(getattr(gw, kind)(3.0, name="x"), name="q")))


def said(user: Driver) -> tuple[str, str]:
    """The sentence of the status line, and its button."""
    sentence = user.window.parts.layout.status.sentence
    return sentence.text, sentence.button


@pytest.mark.parametrize("by_key", [True, False])
@pytest.mark.parametrize(
    ("mode", "kind", "text", "button"),
    [
        ("step", "Variable", "Add a Loss to step through its gradients", LOSS),
        ("compare", "Variable", "Add a Loss to compare its gradients", LOSS),
        ("train", "Input", "Add a Variable to train", VARIABLE),
        ("train", "Variable", "Add a Loss to train", LOSS),
    ],
)
def test_a_mode_says_what_it_lacks_and_stays_in_build(
    user: Driver, mode: str, kind: str, text: str, button: str, by_key: bool
) -> None:
    user.show(square(kind))
    chosen = user.child(QToolButton, f"tool_mode_{mode}")
    user.ctrl(KEYS[mode]) if by_key else QTest.mouseClick(chosen, LEFT)
    user.settle()
    assert said(user) == (text, button)
    assert user.child(QToolButton, "tool_mode_build").isChecked() and not chosen.isChecked()
    assert user.window.parts.panels.bottom.isHidden()
    QTest.mouseClick(user.child(QToolButton, "status_action"), LEFT)
    user.settle()
    assert user.only(button.split()[-1]) and said(user)[0] != text
    user.ctrl(Key.Key_1)
    assert said(user)[0] != text


def test_another_mode_takes_the_sentence_away(user: Driver) -> None:
    user.show(square("Input"))
    user.ctrl(KEYS["train"])
    user.ctrl(Key.Key_1)
    assert said(user) == ("Add a Loss to see gradients", "Add Loss")
