"""What the banner says of a file, its data and a run, and which of these comes first."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.window.banner import Banner, _described, _listed, _said_of_data, _size_text
from gradwire.engine.graph.graph import Graph
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
        found = _said_of_data(data(**rest))
        assert found is not None
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
    assert _said_of_data(data()) is None


@pytest.fixture
def banner(qtbot: QtBot) -> Banner:
    session = Session(chain(), InlineEvaluator)
    appearance, over = Appearance("dark"), QWidget()
    qtbot.addWidget(over)
    return Banner(Canvas(CurrentSession(session), appearance, over), appearance, over)


def said(banner: Banner, graph: Graph | None = None, **parts: object) -> tuple[str, list[str]]:
    """The sentence about a session with some parts of its own, and the purposes of the buttons."""
    session = banner.session if graph is None else Session(graph, InlineEvaluator)
    file = SimpleNamespace(state="", read_only="", is_understood=True, defects=lambda _: ())
    path = parts.pop("path", Path("folder/a.graph"))
    usual = {
        "document": SimpleNamespace(path=path), "file": file, "problems": (), "death": None, "runs": session.runs,
        "page": session.page, "losses": session.losses, "results": session.results, "is_stale": False,
        "inferred": session.inferred, "graph": session.graph, **vars(data()),
    }  # fmt: skip
    given = SimpleNamespace(**usual | parts)
    for name in ("state", "read_only", "is_understood", "defects"):
        if name in parts:
            setattr(file, name, parts[name])
    saying = banner._said_of(given)  # type: ignore[arg-type]
    return saying.text, [purpose for purpose, _ in saying.actions]


def test_a_file_that_changed_or_vanished_is_told_first(banner: Banner) -> None:
    text, actions = said(banner, state="changed", read_only="No.")
    assert text.startswith("Another program has changed a.graph.") and actions == ["reload", "save_as", "overwrite"]
    assert said(banner, state="vanished") == (
        "a.graph was moved or deleted. Saving writes it again.",
        ["save", "save_as"],
    )
    assert said(banner, state="changed", path=None)[0].startswith("Another program has changed .")
    assert said(banner, read_only="Read only.") == ("Read only.", ["save_as"])
    assert said(banner, read_only="Read only.", is_understood=False) == ("Read only.", [])


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
    banner: Banner, codes: list[str], more: bool, text: str, actions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradwire.app.shell.window.banner.REPAIRABLE", {"mend"})
    monkeypatch.setattr("gradwire.app.shell.window.banner.MORE", "more")
    defects = tuple(SimpleNamespace(code=code) for code in codes)
    problems = (SimpleNamespace(code="more" if more else "other"),)
    assert said(banner, defects=lambda _: defects, problems=problems) == (text, actions)


def test_an_evaluator_that_ended_is_told_with_another_try(banner: Banner) -> None:
    assert said(banner, death=SimpleNamespace(message="It ended.")) == ("It ended.", ["try_again"])


def test_long_runs_are_told_while_they_are_live(banner: Banner) -> None:
    live = SimpleNamespace(is_live=True)
    assert said(banner, runs=live) == ("", [])
    banner._is_long = True
    assert said(banner, runs=live)[1] == ["long"]
    assert said(banner, runs=SimpleNamespace(is_live=False)) == ("", [])


def test_only_as_many_buttons_are_shown_as_there_are_actions(banner: Banner) -> None:
    heard: list[str] = []
    banner.clicked.connect(heard.append)
    banner.current.show(Session(chain(), InlineEvaluator))
    banner._is_long = True
    for is_wanted in (False, True):
        banner.show_state(is_wanted)
        shown = [button for button in banner.findChildren(QPushButton) if not button.isHidden()]
        assert len(shown) == len(banner._saying.actions) and banner.isHidden() != bool(banner._saying.text)
    (button,) = [button for button in banner.findChildren(QPushButton) if not button.isHidden()]
    button.click()
    assert button.text() == "Pause" and heard == ["long"]
    banner.show_state(False)
    assert banner.isHidden()
