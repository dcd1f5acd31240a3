"""The report of `why` as a page: sentences above the graph, each of which leads to its block."""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from tests.interop.pt2.recorded import Recorded

pytestmark = pytest.mark.usefixtures("qapp")
BUTTON = re.compile('<button[^>]*data-at="?([^" >]*)"?[^>]*>([^<]*)</button>([^<]*)')


def stopped() -> gw.Expression:
    w, v = gw.Variable([1.0, 2.0], name="w"), gw.Variable([1.0], name="v")
    return gw.Loss(gw.ReduceSum(gw.StopGradient(w * 2, name="stop")) + v * 0.0, name="loss")


def told(text: str) -> list[tuple[str, str, str]]:
    """Returns the sentences of a page: the path of the block, the title, and the rest."""
    return [(path, html.unescape(title), html.unescape(rest).strip()) for path, title, rest in BUTTON.findall(text)]


def test_each_cause_leads_to_its_block() -> None:
    text = gw.why(stopped()).html()
    assert "2 of 2 parameters do not learn as they should:" in text
    (one, two) = told(text)
    assert one[:2] == ("main/stop", "w: blocked, no gradient arrives.")
    assert two[:2] == ("main/Multiply_1", "v: zero gradient.")
    assert one[2].startswith('main/stop — StopGradient "stop" cuts every path to the loss')


def test_a_model_is_told_with_its_lines() -> None:
    report = gw.why(Recorded("broken").model("DetachedInTheMiddle"))
    (item,) = told(report.html())
    assert item[0] == "main/StopGradient" and re.match(r"broken_models\.py:\d+  .*detach", item[2])
    assert str(Path.home()) not in report.html()


def test_a_report_is_saved_as_a_page(tmp_path: Path) -> None:
    report = gw.why(stopped())
    report.save(tmp_path / "why.html")
    assert "<title>why</title>" in (tmp_path / "why.html").read_text("utf-8")
    with pytest.raises(gw.GradwireError, match=r'"why.png" must end in .html: the report is a page.'):
        report.save(tmp_path / "why.png")
    assert [path.name for path in tmp_path.iterdir()] == ["why.html"]


def test_a_notebook_shows_the_page_and_a_prompt_the_text() -> None:
    report = gw.why(stopped())
    shown = report._repr_html_()
    assert shown is not None and "srcdoc=" in shown
    assert repr(report) == str(report) and repr(report).startswith("2 of 2 parameters")


def test_a_sound_graph_has_a_page_without_sentences() -> None:
    report = gw.why(gw.Loss(gw.Square(gw.Variable(np.array([2.0]), name="w")), name="loss"))
    text = report.html()
    assert "Every gradient flows, to 1 parameter." in text and not told(text)


def test_without_a_graph_the_report_says_so() -> None:
    report = type(gw.why(stopped()))((), 4)
    assert report._repr_html_() is None
    with pytest.raises(gw.GradwireError, match="no graph was asked"):
        report.html()
