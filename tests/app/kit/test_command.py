"""When a command is possible, and when it is on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from gradwire.app.kit.command import Command


@dataclass
class Window:
    """What commands are asked about: whether a document is open, and an answer to their questions."""

    has_document: bool
    answer: object

    @property
    def session(self) -> Any:
        raise NotImplementedError

    @property
    def panels(self) -> Any:
        raise NotImplementedError


def answer(window: Window) -> object:
    return window.answer


PLAIN = Command[Window]("id", "Zoom to {number} %", "View", lambda _: None, number=50)


@pytest.mark.parametrize(
    ("is_global", "has_document", "answered", "asked", "unasked"),
    [
        (False, True, "yes", True, True),
        (False, True, "", False, True),
        (False, False, "yes", False, False),
        (True, False, "yes", True, True),
        (True, False, "", False, True),
        (True, True, "yes", True, True),
    ],
)
def test_a_command_is_possible_where_it_has_a_document_and_nothing_speaks_against_it(
    is_global: bool, has_document: bool, answered: str, asked: bool, unasked: bool
) -> None:
    window, command = Window(has_document, answered), replace(PLAIN, is_global=is_global)
    assert command.can_run(window) is unasked
    assert replace(command, is_possible=answer).can_run(window) is asked
    assert command.is_checked(window) is False
    assert replace(command, is_on=answer).is_checked(window) is asked


def test_the_title_holds_the_number() -> None:
    assert PLAIN.title == "Zoom to 50 %"
