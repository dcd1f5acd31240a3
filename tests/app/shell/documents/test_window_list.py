"""The list of open windows, with stand-ins for the windows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from gradwire.app.shell.documents.window_list import WindowList
from gradwire.engine.graph.graph import Graph


class Stand:
    """A window that notes what it is asked for."""

    def __init__(
        self, log: list[str], name: str, path: Path | None = None, *, changed: bool = False, leaves: bool = True
    ) -> None:
        self.log, self.name, self.path, self.has_changes, self._leaves = log, name, path, changed, leaves
        self.session = SimpleNamespace(name=name)
        self.shown_graph = None if path is None else (name, Graph())

    def may_leave(self) -> bool:
        self.log.append(f"may {self.name}")
        return self._leaves

    def __getattr__(self, asked: str) -> Any:
        return lambda: self.log.append(f"{asked} {self.name}")


@pytest.fixture
def log() -> list[str]:
    return []


@pytest.fixture
def windows(qapp: QApplication) -> Iterator[WindowList]:
    made = WindowList()
    yield made
    made.run_folder.leave()


def filled(windows: WindowList, *stands: Stand) -> WindowList:
    for stand in stands:
        windows.add(stand)  # type: ignore[arg-type]
    return windows


def test_a_file_is_found_by_any_of_its_names_but_not_in_the_window_that_asks(
    windows: WindowList, log: list[str], tmp_path: Path
) -> None:
    real, link = tmp_path / "a.graph", tmp_path / "link.graph"
    real.touch()
    os.symlink(real, link)
    first, second, empty = Stand(log, "first", real), Stand(log, "second", tmp_path / "b.graph"), Stand(log, "empty")
    filled(windows, empty, first, second)
    assert windows.showing(link) is windows.showing(real) is windows.showing(real, second) is first  # type: ignore[arg-type, comparison-overlap]
    assert windows.showing(real, first) is None and windows.showing(tmp_path / "c.graph") is None  # type: ignore[arg-type]
    assert [title for title, _ in windows.graphs(first)] == ["second"]  # type: ignore[arg-type]
    assert [title for title, _ in windows.graphs(empty)] == ["first", "second"]  # type: ignore[arg-type]
    assert [session.name for session in windows.sessions] == ["empty", "first", "second"]  # type: ignore[attr-defined]


def test_a_window_that_closes_is_deleted_later_and_the_last_one_ends_the_run(
    windows: WindowList, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows.run_folder, "leave", lambda: log.append("leave"))
    first, second = Stand(log, "first"), Stand(log, "second")
    filled(windows, first, second)
    windows.remove(first)  # type: ignore[arg-type]
    windows.remove(first)  # type: ignore[arg-type]
    assert log == []
    QApplication.processEvents()
    assert log == ["deleteLater first"] and windows.windows == (second,)
    windows.remove(second)  # type: ignore[arg-type]
    QApplication.processEvents()
    assert log == ["deleteLater first", "leave"] and windows.windows == ()


def test_all_windows_learn_and_keep(windows: WindowList, log: list[str]) -> None:
    filled(windows, Stand(log, "a"), Stand(log, "b"))
    windows.learn_blocks()
    windows.keep_unsaved()
    assert log == ["learn_blocks a", "learn_blocks b", "keep_unsaved a", "keep_unsaved b"]


def test_quitting_asks_each_window_and_closes_the_newest_first(windows: WindowList, log: list[str]) -> None:
    filled(windows, Stand(log, "a"), Stand(log, "b", changed=True))
    windows.quit()
    assert log == ["may a", "come_forward b", "may b", "close_unasked b", "close_unasked a"]


def test_cancel_in_one_window_keeps_all(windows: WindowList, log: list[str]) -> None:
    filled(windows, Stand(log, "a"), Stand(log, "b", changed=True, leaves=False), Stand(log, "c"))
    windows.quit()
    assert log == ["may a", "come_forward b", "may b"]
