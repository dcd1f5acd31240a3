"""What a window asks before its graph goes: about changes, and about a training that runs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QMessageBox

from gradwire.app.shell.documents import saving as saving_module
from gradwire.app.shell.documents.saving import Saving

BUTTON = QMessageBox.StandardButton


@pytest.mark.parametrize(
    ("has_changes", "is_training", "answer", "may_leave", "done"),
    [
        (False, False, None, True, ["pause"]),
        (False, True, "end", True, ["pause", "asked"]),
        (False, True, "", False, ["pause", "asked"]),
        (True, False, BUTTON.Save, True, ["pause", "saved"]),
        (True, False, BUTTON.Discard, True, ["pause", "put aside"]),
        (True, False, BUTTON.Cancel, False, ["pause"]),
        (True, True, BUTTON.Discard, True, ["pause", "said that it is paused", "put aside"]),
    ],
)
def test_a_graph_goes_where_nothing_is_lost_or_the_user_says_so(
    monkeypatch: pytest.MonkeyPatch, has_changes: bool, is_training: bool, answer: Any, may_leave: bool, done: list[str]
) -> None:
    found: list[str] = []
    desk = SimpleNamespace(is_running=is_training, pause=lambda: found.append("pause"))

    def question(_: str, __: str, sentence: str) -> None:
        found.extend(["said that it is paused"] * sentence.startswith("The training is paused."))

    context = SimpleNamespace(
        document=SimpleNamespace(session=SimpleNamespace(part=lambda _: desk), has_changes=has_changes, title="net"),
        messages=SimpleNamespace(question=question),
    )
    saving = Saving(context, None, lambda: False, lambda: found.append("put aside"))  # type: ignore[arg-type]
    monkeypatch.setattr(saving, "save", lambda: found.append("saved") or True)
    monkeypatch.setattr(saving_module, "ask", lambda *_: (found.append("asked"), answer)[1])
    monkeypatch.setattr(saving_module, "ask_buttons", lambda *_: answer)
    assert saving.may_leave() is may_leave
    assert found == done
