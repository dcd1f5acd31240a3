"""Notebooks show graphs and runs as pictures; a script without pictures loads no Qt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.engine.edits import edits

ROOT = Path(__file__).parents[1]
SVG = "{http://www.w3.org/2000/svg}svg"

FAKE_NOTEBOOK = """
import sys, types

class Formatter:
    known = {}
    def for_type(self, kind, function):
        self.known[kind] = function

shell = types.SimpleNamespace(display_formatter=types.SimpleNamespace(formatters={"image/svg+xml": Formatter()}))
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
import gradwire as gw
assert Formatter.known == {gw.Graph: gw.svg}, Formatter.known
assert "PySide6" not in sys.modules
print(Formatter.known[gw.Graph](gw.graph(gw.Exp(gw.Input(2.0)))))
"""


def done(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)


def expression() -> gw.Expression:
    return gw.ReduceSum(gw.Exp(gw.Input(np.array([1.0, 2.0]), name="x")))


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("is_graph", [True, False])
def test_graphs_and_expressions_are_svg(qtbot: QtBot, theme: str, is_graph: bool) -> None:
    target = gw.graph(expression()) if is_graph else expression()
    assert ElementTree.fromstring(gw.svg(target, theme)).tag == SVG  # type: ignore[arg-type]  # a parameter is a str


def test_the_themes_differ(qtbot: QtBot) -> None:
    assert gw.svg(expression(), "dark") != gw.svg(expression(), "light")


def test_a_run_shows_itself_as_its_graph(qtbot: QtBot) -> None:
    run = gw.evaluate(expression())
    assert ElementTree.fromstring(run._repr_svg_()).tag == SVG
    assert run._repr_svg_() == gw.svg(run.graph)


def test_a_graph_with_problems_is_shown_too(qtbot: QtBot) -> None:
    graph, _ = edits.add_block(gw.Graph(), "main", "Exp")
    assert ElementTree.fromstring(gw.svg(graph)).tag == SVG


def test_evaluating_loads_no_qt() -> None:
    script = "import sys, gradwire as gw; gw.evaluate(gw.Exp(gw.Input(2.0))).loss; sys.exit('PySide6' in sys.modules)"
    assert done(script).returncode == 0


@pytest.mark.long
def test_a_notebook_is_told_how_to_show_graphs() -> None:
    outcome = done(FAKE_NOTEBOOK)
    assert outcome.stderr == ""
    assert ElementTree.fromstring(outcome.stdout).tag == SVG


@pytest.mark.parametrize("shell", ["None", "types.SimpleNamespace()", "types.SimpleNamespace(display_formatter=None)"])
def test_where_there_is_no_notebook_nothing_is_told(shell: str) -> None:
    fake = f"sys.modules['IPython'] = types.SimpleNamespace(get_ipython=lambda: {shell})"
    outcome = done(f"import sys, types; {fake}; import gradwire")
    assert (outcome.returncode, outcome.stderr) == (0, "")
