"""The report about a problem: what it holds, and what of the graph and the machine it leaves out."""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.help import report_text as module
from gradwire.app.features.help.report_text import report_text
from gradwire.app.look.appearance import Appearance
from gradwire.engine.graph.graph import Graph

SECRET = "zweiundvierzig"


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines of the log, of which the newest are asked for."""
    found: list[str] = []
    monkeypatch.setattr(module, "last_lines", lambda count: found[-count:])
    return found


def graph() -> Graph:
    x = gw.Input(np.array(4.0), name=SECRET)
    return gw.graph(gw.Loss(gw.Square(x, name="q"), name="loss"))


def test_a_report_counts_the_graph_and_does_not_hold_it(qtbot: QtBot, lines: list[str]) -> None:
    path = Path(f"/home/somebody/{SECRET}.graph")
    head = "2026-01-02 03:04:05,678 INFO 1 gradwire.app: "
    lines += [f"{head}Block {SECRET} at {path} failed on {platform.node()}", f"{head}Nothing else"]
    report = report_text(graph(), path, Appearance("dark"))
    assert "Document: pages 1, blocks 3, wires 2\n" in report and "Nothing else" in report
    assert SECRET not in report and "Graph:" not in report and "File:" not in report
    assert f"Gradwire {gw.__version__}\nPython {platform.python_version()}, NumPy {np.__version__}, SciPy " in report
    assert "\nTheme: dark (chosen: dark, contrast: " in report and "; text size: 100%\n" in report
    assert "Screen 1: " in report and report.endswith("\n") and not report.endswith("\n\n")
    assert "failed on <name>" in report or not platform.node()


def test_a_report_with_the_graph_has_all_names(qtbot: QtBot, lines: list[str]) -> None:
    lines.append(f"Block {SECRET} failed")
    report = report_text(graph(), None, Appearance("dark"), with_graph=True)
    assert f"Block {SECRET} failed" in report and "File: (not saved)\n\nGraph:\n" in report
    assert report.rpartition("Graph:\n")[2].count(SECRET) >= 2
    known = report_text(graph(), Path("a.graph"), Appearance("dark"), with_graph=True)
    assert "File: a.graph\n" in known


def test_without_a_document_and_a_log_a_report_says_so(qtbot: QtBot, lines: list[str]) -> None:
    for with_graph in (False, True):
        report = report_text(None, None, Appearance("dark"), with_graph)
        assert "Document: none\n" in report and report.endswith("Last lines of the log:\n(none)\n")
    assert lines == []


def test_the_newest_50_lines_of_the_log_are_told(qtbot: QtBot, lines: list[str]) -> None:
    lines += [f"line {number}" for number in range(60)]
    found = report_text(None, None, Appearance("dark"), with_graph=True).partition("log:\n")[2].splitlines()
    assert found == [f"line {number}" for number in range(10, 60)]
