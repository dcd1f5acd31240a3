"""What the status line says of a file, its data and its runs, and which of these comes first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.status.document_sentences import (
    _described,
    _listed,
    _size_text,
    of_data,
    of_file,
    of_read_only,
    of_runs,
)
from gradwire.app.shell.status.sentence import ERROR, QUESTION, SILENT, WARNING
from gradwire.app.shell.status.sentences import sentence_of
from gradwire.app.shell.status.status_bar import StatusBar
from tests.app.window.graphs import chain


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1049, "1 kB"), (1500, "1.5 kB"),
        (999_949, "999.9 kB"), (10**6, "1 MB"), (2_149_000, "2.1 MB"), (123_456_789, "123.5 MB"),
    ],
)  # fmt: skip
def test_a_size_is_told_in_the_unit_that_fits(size: int, text: str) -> None:
    assert _size_text(size) == text


def test_three_files_are_named_each_once_and_the_others_counted(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"12345")
    files: Any = (SimpleNamespace(names=("a.csv", "b.csv")), SimpleNamespace(names=("b.csv", "c.csv")))
    assert _listed(files, tmp_path) == "a.csv (5 bytes), b.csv (missing), c.csv (missing)"
    files = (*files, SimpleNamespace(names=("d.csv", "e.csv")))
    assert _listed(files, tmp_path) == "a.csv (5 bytes), b.csv (missing), c.csv (missing), 2 more"
    assert _described("a.csv", None) == "a.csv (missing)"


def data(**parts: object) -> Any:
    usual = {"waiting": (), "faults": (), "differing": (), "news": (), "folder": None}
    return SimpleNamespace(data=SimpleNamespace(**usual | parts))


def test_of_data_what_is_waited_for_comes_first_and_news_last() -> None:
    file = SimpleNamespace(names=("a.csv",))
    seen = []
    rest: dict[str, object] = {"waiting": (file,), "faults": ("One.", "Two.", "Three.", "Four."), "differing": (file,)}
    while rest:
        found = of_data(data(**rest))
        seen.append((found.text, [purpose for purpose, _ in found.actions], found.icon))
        del rest[next(iter(rest))]
    assert seen == [
        (
            "This graph wants to read a.csv (missing). Until then it runs without.",
            ["data_once", "data_always"],
            "folder",
        ),
        ("One. Two. Three.", ["data_again"], "warn"),
        ("a.csv (missing): not the content that this graph was written with.", ["data_accept"], "warn"),
    ]
    assert of_data(data()) is SILENT


def said(problems: Any = (), **parts: object) -> tuple[str, list[str], int]:
    """The sentence about a file with some parts of its own, the purposes of the buttons, and its weight."""
    usual = {"state": "", "read_only": "", "is_understood": True, "defects": lambda _: ()}
    path = parts.pop("path", Path("folder/a.graph"))
    document, file = SimpleNamespace(path=path), SimpleNamespace(**usual | parts)
    found = of_file(SimpleNamespace(document=document, file=file, problems=problems))  # type: ignore[arg-type]
    return found.text, [purpose for purpose, _ in found.actions], found.weight


def test_a_file_that_changed_or_vanished_is_told_first() -> None:
    text, actions, weight = said(state="changed", read_only="No.")
    assert text.startswith("Another program has changed a.graph.") and actions == ["reload", "save_as", "overwrite"]
    assert weight == QUESTION
    assert said(state="vanished") == (
        "a.graph was moved or deleted. Saving writes it again.", ["save", "save_as"], QUESTION,
    )  # fmt: skip
    assert said(state="changed", path=None)[0].startswith("Another program has changed .")
    assert said(read_only="Read only.") == said() == ("", [], 0)


@pytest.mark.parametrize(("is_understood", "act"), [(True, "save_as"), (False, "")])
def test_what_may_not_be_written_can_be_saved_elsewhere_if_it_is_understood(is_understood: bool, act: str) -> None:
    file = SimpleNamespace(read_only="Read only.", is_understood=is_understood)
    found = of_read_only(SimpleNamespace(file=file))  # type: ignore[arg-type]
    assert (found.text, found.act, bool(found.button), found.weight) == ("Read only.", act, bool(act), WARNING)
    file.read_only = ""
    assert of_read_only(SimpleNamespace(file=file)) is SILENT  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("codes", "more", "text", "actions"),
    [
        (["odd"], False, "1 problem in this file; see Problems for fixes.", ["show_problems"]),
        (["odd", "odd"], False, "2 problems in this file; see Problems for fixes.", ["show_problems"]),
        (["odd", "odd"], True, "At least 2 problems in this file; see Problems for fixes.", ["show_problems"]),
        (["odd", "mend"], False, "2 problems in this file; see Problems for fixes.", ["show_problems", "fix_all"]),
    ],
)
def test_defects_of_a_file_are_counted_and_some_can_be_fixed(
    codes: list[str], more: bool, text: str, actions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradwire.app.shell.status.document_sentences.REPAIRABLE", {"mend"})
    monkeypatch.setattr("gradwire.app.shell.status.document_sentences.MORE", "more")
    defects = tuple(SimpleNamespace(code=code) for code in codes)
    problems = (SimpleNamespace(code="more" if more else "other"),)
    assert said(problems, defects=lambda _: defects) == (text, actions, ERROR)


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session(chain(), InlineEvaluator)
    yield made
    made.close()


def runs(is_live: bool = True, seconds: float = 0.0, death: Any = None) -> Any:
    running, scheduler = SimpleNamespace(is_live=is_live), SimpleNamespace(seconds=seconds)
    return SimpleNamespace(death=death, runs=running, scheduler=scheduler)


def test_an_evaluator_that_ended_is_told_with_another_try() -> None:
    found = of_runs(runs(death=SimpleNamespace(message="It ended.")))
    assert (found.text, found.act, found.others, found.weight) == ("It ended.", "try_again", (), QUESTION)


def test_long_runs_are_told_while_they_are_live() -> None:
    assert of_runs(runs(seconds=1.99)) is SILENT
    assert (of_runs(runs(seconds=2.0)).act, of_runs(runs(seconds=2.0)).weight) == ("pause", WARNING)
    assert of_runs(runs(is_live=False, seconds=9.0)) is SILENT


def test_what_is_said_of_a_file_goes_before_its_data_and_that_before_a_run(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("of_file", "of_data", "of_runs"):
        told = SILENT._replace(text=name, weight=QUESTION)
        monkeypatch.setattr(f"gradwire.app.shell.status.sentences.{name}", lambda _, told=told: told)
    graver = SILENT._replace(text="NaN", weight=QUESTION - 1)
    for name in ("of_file", "of_data", "of_runs"):
        assert sentence_of(session, graver).text == name
        monkeypatch.setattr(f"gradwire.app.shell.status.sentences.{name}", lambda _: SILENT)
    assert sentence_of(session, graver) is graver


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_each_button_tells_its_purpose_and_there_are_as_many_as_actions(
    session: Session, count: int, qtbot: QtBot
) -> None:
    bar, heard = StatusBar(CurrentSession(session), Appearance("dark")), list[str]()
    qtbot.addWidget(bar)
    bar.acted.connect(heard.append)
    actions = tuple((f"do_{number}", f"Do {number}") for number in range(count))
    act, button = actions[0] if actions else ("", "")
    bar.show_problem(SILENT._replace(text="Something", weight=QUESTION, act=act, button=button, others=actions[1:]))
    names = ("status_action", "status_action_1", "status_action_2")
    buttons = [made for name in names if isinstance(made := bar.findChild(QToolButton, name), QToolButton)]
    assert [item.isHidden() for item in buttons] == [number >= count for number in range(3)]
    assert [item.text() for item in buttons[:count]] == [text for _, text in actions]
    for item in buttons[:count]:
        item.click()
    assert heard == [purpose for purpose, _ in actions]
