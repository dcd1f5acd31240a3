"""Notebooks show graphs as pages that run, and as pictures; a script without pictures loads no Qt."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire import notebooks
from gradwire.engine.edits import edits

ROOT = Path(__file__).parents[1]
SVG = "{http://www.w3.org/2000/svg}svg"


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


@pytest.mark.parametrize("shown", [expression(), gw.graph(expression()), gw.evaluate(expression())])
def test_a_notebook_has_a_page_that_runs_and_its_picture(qapp: object, shown: Any) -> None:
    bundle = shown._repr_mimebundle_()
    assert [*bundle] == ["text/html", "image/svg+xml"]
    assert ElementTree.fromstring(bundle["image/svg+xml"]).tag == SVG
    (frame,) = re.findall("<iframe[^>]*>", bundle["text/html"])
    assert re.findall("sandbox=.([^ ]*). ", frame) == ["allow-scripts"]
    (inside,) = re.findall("srcdoc='([^']*)'", bundle["text/html"])
    assert html.unescape(inside) == gw.html(getattr(shown, "graph", shown), embed=True)
    # A viewer that takes frames away has the picture.
    (source,) = re.findall('src="data:image/svg[+]xml;base64,([^"]*)"', bundle["text/html"])
    assert b64decode(source).decode() == bundle["image/svg+xml"]


def test_a_notebook_says_what_it_wants(qapp: object) -> None:
    graph: Any = gw.graph(expression())
    assert [*graph._repr_mimebundle_(include={"image/svg+xml"})] == ["image/svg+xml"]
    assert [*graph._repr_mimebundle_(exclude={"image/svg+xml"})] == ["text/html"]
    assert graph._repr_mimebundle_(include={"text/plain"}) == {}


def test_a_run_shows_its_own_numbers_and_stops(qapp: object) -> None:
    run: Any = gw.evaluate(gw.load("softmax_stable"), feed={"x": [1.0, 2.0, 7.0]}, ignore_stop=True)
    page = html.unescape(run._repr_mimebundle_()["text/html"])
    assert 'aria-checked="false"' in page or "aria-checked=false" in page
    assert "1 2 7" in page and "1 2 7" in "".join(ElementTree.fromstring(run._repr_svg_()).itertext())
    assert "blocked" not in "".join(ElementTree.fromstring(run._repr_svg_()).itertext())


def test_a_run_without_one_stop_shows_this_one_open(qapp: object) -> None:
    graph = gw.load("gan_stop")
    stop, *others = sorted(name for name, block in graph.page("main").blocks.items() if block.type == "StopGradient")
    run: Any = gw.evaluate(graph, without=stop)
    page = html.unescape(run._repr_mimebundle_()["text/html"])
    assert dict(re.findall("data-path=([^ ]*)[^<>]*role=switch aria-checked=([a-z]*)", page)) == {
        f"main/{stop}": "false",
        **{f"main/{other}": "true" for other in others},
    }


@pytest.mark.parametrize("limit", ["MOST_BLOCKS", "LONGEST_PAGE"])
def test_a_large_graph_is_a_picture(qapp: object, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(notebooks, limit, 2)
    graph: Any = gw.graph(expression())
    assert [*graph._repr_mimebundle_()] == ["image/svg+xml"]
