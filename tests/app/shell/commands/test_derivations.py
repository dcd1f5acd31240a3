"""The derivation with the chain rule, on the clipboard and in files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPushButton

from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.selection import Selection
from gradwire.app.shell.commands import derivations
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.derivation import LATEX, derivation
from tests.app.window.driver import LEFT, Driver
from tests.engine.explain.test_paths import softmax

pytestmark = [pytest.mark.usefixtures("one_window"), pytest.mark.long]

X = PortName("main/x", "y")


@pytest.fixture
def shown(user: Driver) -> Driver:
    user.show(softmax(True))
    user.session.select(Selection(blocks=frozenset(["x"])))
    user.settle()
    return user


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_the_whole_derivation_of_the_selected_block_is_copied(shown: Driver) -> None:
    shown.window.parts.actions_by_id["copy_derivation"].trigger()
    assert clipboard() == derivation(run_graph(softmax(True)), X)
    assert shown.window.parts.layout.status.currentMessage() == "The derivation is on the clipboard."


def test_the_path_chosen_in_the_card_is_copied_by_its_button(shown: Driver) -> None:
    shown.trigger("lens_paths")
    shown.settle()
    table = shown.child(RowsTable, "paths_list")
    table.set_current(table.rows.rows[2].key)
    shown.qtbot.mouseClick(shown.child(QPushButton, "why_copy_derivation"), LEFT)
    assert clipboard().startswith("# ∂L/∂`x.y` along one path")
    assert "Result: this path adds nothing to ∂L/∂`x.y`" in clipboard()


def test_the_suffix_of_the_file_decides_between_markdown_and_latex(
    shown: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_graph(softmax(True))
    for name, expected in (("a.md", derivation(run, X)), ("b.tex", derivation(run, X, style=LATEX))):
        answer = (str(tmp_path / name), "")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, answer=answer: answer)
        shown.window.parts.actions_by_id["save_derivation"].trigger()
        assert (tmp_path / name).read_text(encoding="utf-8") == expected


def test_a_file_that_cannot_be_written_is_said(shown: Driver, tmp_path: Path) -> None:
    derivations.save(shown.window.parts, tmp_path / "gone" / "a.md")
    assert "cannot be written" in shown.window.parts.layout.status.currentMessage()


def test_without_a_selection_the_command_says_what_is_missing(shown: Driver) -> None:
    shown.session.select(Selection())
    shown.window.parts.actions_by_id["copy_derivation"].trigger()
    assert (
        shown.window.parts.layout.status.currentMessage() == "Select a block or a wire first: its gradient is derived."
    )
